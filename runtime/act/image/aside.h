/* SPDX-License-Identifier: BSD-3-Clause
 * Aside: a program is put aside while its process starts over, and can be put back; what it had is
 * found meanwhile. Its pages go elsewhere, they are not copied. */
#ifndef XMPI_ACT_IMAGE_ASIDE_H
#define XMPI_ACT_IMAGE_ASIDE_H

#include "act/image/restart.h"
#include "base/status.h"

/* What the program was like when main was called first. */
typedef struct {
    xmpi_span_t *span; /* malloc, like the bytes; NULL: it was not noted */
    int64_t spans;
    char *bytes;
} xmpi_first_t;

/* Notes it; the program has not begun. XMPI_ERR_MEMORY. */
xmpi_status_t xmpi_first_note(const xmpi_image_t *image, const xmpi_restart_t *restart,
                              xmpi_first_t *first);

typedef struct {
    xmpi_span_t place; /* where it belongs */
    char *kept;        /* where its first byte is */
    char *mapped;      /* the pages that it is in */
    size_t bytes;
    uintptr_t from, to; /* the pages of the place that went there; none: all was copied */
} xmpi_aside_part_t;

enum { XMPI_ASIDE_PARTS = 64 };

typedef struct {
    int parts; /* 0: nothing is aside */
    xmpi_aside_part_t part[XMPI_ASIDE_PARTS];
} xmpi_aside_t;

/* Puts the program that stands still aside; its place has zeros then. XMPI_ERR_MEMORY: it is where
 * it was. */
xmpi_status_t xmpi_aside_put(const xmpi_restart_t *restart, xmpi_aside_t *aside);

/* The program is what it was FIRST. Its place has zeros. */
void xmpi_first_restore(const xmpi_first_t *first);

/* Where what the program aside had at ADDRESS is; NULL: it had nothing there. */
void *xmpi_aside_find(const xmpi_aside_t *aside, const void *address);

/* Puts it back; what is in its place goes. IMAGE stands still. */
void xmpi_aside_back(const xmpi_image_t *image, xmpi_aside_t *aside);

/* It is not needed any more. */
void xmpi_aside_free(xmpi_aside_t *aside);

#endif
