/* SPDX-License-Identifier: BSD-3-Clause
 * The end of steering. */
#include "program/members/steer_close.h"

void xmpi_steer_close(xmpi_context_t *context)
{
    xmpi_endpoint_close(context->endpoint);
    context->endpoint = NULL;
}
