/* SPDX-License-Identifier: BSD-3-Clause
 * The command line of xmpirun: XMPI's settings as options, then what is mpiexec's business. */
#ifndef XMPIRUN_OPTIONS_H
#define XMPIRUN_OPTIONS_H

#include <stdbool.h>

typedef struct {
    int processes; /* -n; 0: not given */
    int spares;
    int retries; /* how often a job that has checkpoints is started again when it loses a process */
    bool quiet;
    int check; /* seeds of changes at random with which it is tested; 0: it just runs */
    const char *check_files; /* that it writes, separated by commas; NULL: look for them */
    int check_limit;      /* seconds after which a run of it hangs; 0: by what the program takes */
    const char *mpiexec;  /* NULL: that of the installation */
    const char *machines; /* NULL: no machine file */
    char **rest;          /* mpiexec's options and the program, NULL-terminated */
} options_t;

/* Reads the command line and sets the environment variables of the settings that it names. Ends the
 * program for --help and --version, and with status 2 after a message for what cannot be used. */
void options_read(int argc, char **argv, options_t *options);

#endif
