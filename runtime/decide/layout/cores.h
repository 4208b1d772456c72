/* SPDX-License-Identifier: BSD-3-Clause
 * Cores: what is between those of a node (packages, memory, caches), for processing elements that
 * stand for a core each. */
#ifndef XMPI_DECIDE_LAYOUT_CORES_H
#define XMPI_DECIDE_LAYOUT_CORES_H

#include "decide/layout/resources.h"

enum { XMPI_CORES_MAX = 256 };

/* The cores of a node in the order in which processes are bound to them. Plain data. */
typedef struct {
    int32_t cores;                                   /* 0: not known */
    uint8_t inside[XMPI_CORES_MAX][XMPI_INSIDE_MAX]; /* of each, as of its PE */
} xmpi_cores_t;

/* Whether that is so for what has come from elsewhere. */
bool xmpi_cores_are_sound(const xmpi_cores_t *cores);

/* Says of the PEs of the node of PE, in their order, what their cores are behind; of those beyond
 * the cores, which share them, begins with the first again. Nothing where CORES are not known, or
 * where nobody knows which node it is. */
void xmpi_cores_set(xmpi_resources_t *resources, int pe, const xmpi_cores_t *cores);

#endif
