/* SPDX-License-Identifier: BSD-3-Clause
 * The driver's own options (all begin with --xmpi-) and the environment that stands for them. */
#ifndef XMPICC_SETTINGS_H
#define XMPICC_SETTINGS_H

#include <stdbool.h>

#include "driver/arguments/flavor.h"
#include "driver/base/words.h"

typedef struct {
    const flavor_t *flavor;
    bool off;         /* be mpicc: nothing is rewritten, no runtime is linked */
    bool link_only;   /* rewrite nothing, link the runtime */
    bool link_shared; /* link the runtime with -shared and -r too */
    bool apart;       /* the files of a program are not joined */
    bool divisible;   /* what cannot be divided by rows is an error, and does not become movable */
    bool fallback;    /* what cannot be rewritten is compiled as it is, with a warning */
    bool dry_run;     /* print the commands and run nothing */
    bool verbose;     /* print the commands and run them */
    bool report;      /* remarks on what the rewriter found */
    bool help;
    bool version;
    const char *report_file; /* the same as a file; NULL: no file */
    const char *keep;        /* where rewritten sources are kept; NULL: nowhere */
    const char *commands;    /* the compile_commands.json to add to; NULL: none */
    const char *replaced; /* functions in place of which others run that keep nothing; NULL: none */
    const char *mpicc;    /* or the MPI's command for the flavor's language; NULL: look for it */
    const char *rewriter; /* NULL: the one beside xmpicc */
} settings_t;

/* Takes WORD when it is an option of the driver: 1 taken, 0 not ours, -1 ours but wrong (said). */
int settings_take(settings_t *settings, const char *word);

/* Reads XMPICC, XMPICC_FLAGS, XMPI_MPICC (of C++ XMPI_MPICXX, of Fortran XMPI_MPIFORT) and
 * XMPI_REWRITE; 0, or the exit status when they are wrong. */
int settings_from_environment(settings_t *settings, memory_t *memory);

/* Prints the list of options. */
void settings_help(const flavor_t *flavor);

#endif
