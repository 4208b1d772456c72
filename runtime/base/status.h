/* SPDX-License-Identifier: BSD-3-Clause
 * What a function of the runtime returns when it can fail.
 *
 * The function that first decides on an error describes it in the xmpi_error_t it was given; its
 * callers only pass it on. Whoever owns the xmpi_error_t prints it once. */
#ifndef XMPI_BASE_STATUS_H
#define XMPI_BASE_STATUS_H

typedef enum {
    XMPI_OK = 0,
    XMPI_NEEDS_WEIGHTS = 1, /* no error: of policies, which are asked again with the weights */
    XMPI_NEEDS_TRAFFIC = 2, /* the same with the matrix of who talks to whom */
    XMPI_ERR_INPUT = -1,    /* a setting or a file that cannot be used */
    XMPI_ERR_MEMORY = -2,   /* no memory */
    XMPI_ERR_PROCESS = -3,  /* a process could not be started, woken or reached */
    XMPI_ERR_INTERNAL = -4, /* the runtime contradicts itself, or MPI does */
} xmpi_status_t;

/* One line without a newline: what, where, what to do. */
typedef struct {
    char text[512];
} xmpi_error_t;

/* Fills ERROR (may be NULL) and returns STATUS. */
xmpi_status_t xmpi_error_set(xmpi_error_t *error, xmpi_status_t status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
