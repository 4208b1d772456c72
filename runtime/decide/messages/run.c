/* SPDX-License-Identifier: BSD-3-Clause
 * What all algorithms of collective operations do. */
#include "decide/messages/run.h"

#include <stddef.h>

void xmpi_run_send(const xmpi_run_t *run, int peer, int64_t bytes)
{
    int rank = (peer % run->members + run->members) % run->members;
    if (rank != run->rank)
        run->sent(run->taker, rank, 1, bytes);
}

int64_t xmpi_run_blocks(const xmpi_run_t *run, int first, int n)
{
    const xmpi_operation_t *operation = run->operation;
    int64_t sum = 0;
    if (operation->block == NULL)
        return n * operation->bytes;
    for (int i = 0; i < n; i++)
        sum += operation->block[(first + i) % run->members];
    return sum;
}
