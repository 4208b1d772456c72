/* SPDX-License-Identifier: BSD-3-Clause
 * Point-to-point: a message for each pair and array; small ones of a pair become one, as a message
 * costs more than its bytes then. */
#include "act/moving/post.h"

static void begin(xmpi_exchange_t *exchange)
{
    xmpi_exchange_post(exchange, xmpi_exchange_any);
}

const xmpi_strategy_t xmpi_strategy_p2p = {.name = "p2p", .background = true, .begin = begin};
