/* SPDX-License-Identifier: BSD-3-Clause
 * Weights of rows: how much work each is. By the nonzeros of registered sparse matrices
 * (XMPI_LB_NNZ), or as the program says (XMPI_LB_WEIGHT; thesis §5.2, Fig. 5.5). */
#ifndef XMPI_ACT_DATA_WEIGHTS_H
#define XMPI_ACT_DATA_WEIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "act/data/registry.h"
#include "act/world/world.h"
#include "decide/layout/layout.h"
#include "settings/settings.h"

/* An array of the program's; plain data. */
typedef struct {
    void *slot; /* the variable that points to it; NULL: the program gives no weights */
    int type;   /* of its elements, as in xmpi_gen.h */
    int scheme; /* XMPI_GEN_DISTRIBUTED: own rows from element 0 on; else all rows */
} xmpi_given_weights_t;

/* What weighs the rows: what is wanted, or for XMPI_LB_AUTO given weights before nonzeros before
 * mere rows. XMPI_ERR_INPUT, and rows, when the program has not what is wanted. */
xmpi_status_t xmpi_weights_choose(xmpi_lb_t wanted, const xmpi_given_weights_t *given,
                                  const xmpi_registry_t *registry, xmpi_lb_t *chosen,
                                  xmpi_error_t *error);

/* Weights of the rows of BLOCK, which this member owns, into OWN (block->count numbers; NULL: not
 * wanted). Their sum. NaN and what is below 0 count as 0. */
double xmpi_weights_own(xmpi_lb_t chosen, const xmpi_given_weights_t *given,
                        const xmpi_registry_t *registry, const xmpi_block_t *block, double *own);

/* Sums of the weights of all rows before each (domain + 1 numbers, malloc) at rank 0, NULL
 * elsewhere and where a member has no memory, or there are more than 2^31 rows. Collective over the
 * world. */
double *xmpi_weights_gather(xmpi_lb_t chosen, const xmpi_given_weights_t *given,
                            const xmpi_registry_t *registry, const xmpi_layout_t *layout,
                            const xmpi_world_t *world);

#endif
