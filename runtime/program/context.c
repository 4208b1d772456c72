/* SPDX-License-Identifier: BSD-3-Clause
 * The one context of the runtime. */
#include "program/context.h"

xmpi_context_t xmpi_context = {.doorbell = {.fd = -1},
                               .line = -1,
                               .deaths = {.lock = PTHREAD_MUTEX_INITIALIZER},
                               .check = {.together = MPI_COMM_NULL}};
