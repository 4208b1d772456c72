/* SPDX-License-Identifier: BSD-3-Clause
 * What a plan moves, to compare the prediction of it with. */
#ifndef XMPI_TESTS_TRANSFER_OF_PLAN_H
#define XMPI_TESTS_TRANSFER_OF_PLAN_H

#include <stdlib.h>

#include "decide/plan/transfer_size.h"

/* xmpi_transfer_size for a plan that follows LAYOUT. */
static inline xmpi_status_t transfer_size_of_plan(const xmpi_layout_t *layout,
                                                  const xmpi_plan_t *plan, int arrays,
                                                  const xmpi_moved_array_t *array,
                                                  xmpi_transfer_size_t *size)
{
    size_t most = (size_t)layout->members + (size_t)plan->places + 1;
    int transit = layout->members;
    xmpi_block_t *block = calloc(2 * most, sizeof *block);
    bool *member = calloc(most, sizeof *member);
    xmpi_status_t status = block == NULL || member == NULL ? XMPI_ERR_MEMORY : XMPI_OK;
    *size = (xmpi_transfer_size_t){.olds = layout->members};
    if (status == XMPI_OK) {
        for (int i = 0; i < layout->members; i++)
            block[i] = layout->member[i].block;
        for (int i = 0; i < plan->places; i++) {
            int at = plan->place[i].origin == XMPI_STAYS ? plan->place[i].from : transit++;
            block[most + (size_t)at] = plan->place[i].block;
            member[at] = true;
        }
        status = xmpi_transfer_size(transit, layout->members, block, block + most, member, arrays,
                                    array, size);
    }
    free(block);
    free(member);
    return status;
}

#endif
