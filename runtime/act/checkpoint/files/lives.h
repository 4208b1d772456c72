/* SPDX-License-Identifier: BSD-3-Clause
 * Live values of a checkpoint. What the loop has not changed since it began is the program's own:
 * its start makes it, and the checkpoint tells only whether that is what it was. */
#ifndef XMPI_ACT_CHECKPOINT_FILES_LIVES_H
#define XMPI_ACT_CHECKPOINT_FILES_LIVES_H

#include "act/data/registry.h"
#include "base/data/pack.h"

/* What the loop had changed in LIVES, as by xmpi_registry_put_lives and xmpi_registry_put_begun,
 * becomes the program's. Where it is not known how the loop began all of it does. */
void xmpi_lives_restore(const xmpi_registry_t *registry, const xmpi_pack_t *lives);

enum { XMPI_LIVE_TEXT = 64 };

typedef struct {
    const char *name;                                         /* as the user calls it */
    bool integer;                                             /* it is one integer: */
    int64_t now, then;                                        /* these */
    char text_now[XMPI_LIVE_TEXT], text_then[XMPI_LIVE_TEXT]; /* the first value that differs */
} xmpi_live_difference_t;

/* The next live variable, from *I on, that the loop had not changed in LIVES, and that the
 * program's start has made otherwise now: by more than sums in another order do, and not a pointer,
 * a clock, or what need not have been set. Sets *I behind it. */
bool xmpi_lives_differ(const xmpi_registry_t *registry, const xmpi_pack_t *lives, int *i,
                       xmpi_live_difference_t *difference);

#endif
