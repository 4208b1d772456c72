/* SPDX-License-Identifier: BSD-3-Clause
 * Libraries that are loaded when they are first needed: a program that has no use for one starts
 * where it is not installed, and none of its symbols are in the way of the program's. */
#ifndef XMPI_BASE_PROCESS_LIBRARY_H
#define XMPI_BASE_PROCESS_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct {
    const char *file;        /* "libglpk.so.40" */
    const char *package;     /* of Debian, that has it */
    const char *purpose;     /* what cannot be without it: "policy amp" */
    const char *const *name; /* of its functions, NULL behind the last */
    void *function;          /* their addresses, in this order */
    int state;               /* 0 at first; belongs to xmpi_library_load */
} xmpi_library_t;

/* A struct of addresses, and the names, from a list of functions that the library's header
 * declares: #define CALLS(X) X(glp_create_prob) X(glp_simplex) static struct {
 * CALLS(XMPI_LIBRARY_ADDRESS) } glpk; static const char *const names[] = {CALLS(XMPI_LIBRARY_NAME)
 * NULL}; */
#define XMPI_LIBRARY_ADDRESS(call) __typeof__(&call) call;
#define XMPI_LIBRARY_NAME(call) #call,

/* Fills the addresses, the first time; any thread may ask. XMPI_ERR_INPUT when the library is not
 * there, or lacks one of them; ERROR names the package. */
xmpi_status_t xmpi_library_load(xmpi_library_t *library, xmpi_error_t *error);

/* The PATH of the program that is installed as NAME beside this library ("xmpi/xmpi-slurm"); false
 * where it is not there, or may not be run. */
bool xmpi_library_beside(const char *name, char *path, size_t room);

#endif
