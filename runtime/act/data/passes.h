/* SPDX-License-Identifier: BSD-3-Clause
 * How often an iteration goes through the registered arrays, by the structure of its loop, which
 * the rewriter has left in the program (xmpi_gen_structure). */
#ifndef XMPI_ACT_DATA_PASSES_H
#define XMPI_ACT_DATA_PASSES_H

#include "act/data/registry.h"

/* Sets reads and writes of all arrays of REGISTRY by that of the N structures, texts in JSON, which
 * is that of LOOP; 0 and 0 where nothing is known: of arrays that are in none of its stages, or in
 * one of which nobody knows how often it is done, and where there is no such structure, or none
 * that can be read. */
void xmpi_passes_count(xmpi_registry_t *registry, const char *const *structure, int n,
                       const char *loop);

#endif
