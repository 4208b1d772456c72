/* SPDX-License-Identifier: BSD-3-Clause
 * Room for more processes. A process manager that cannot start one may never say so (Hydra does
 * not), and what has ended counts until mpiexec ends: Hydra up to 4.1 leaves a zombie of a proxy
 * for each spawn. So nobody asks for more than there is room for. */
#ifndef XMPI_ACT_MACHINE_ROOM_H
#define XMPI_ACT_MACHINE_ROOM_H

#include "base/status.h"

/* Whether this node has room for N processes like this one. XMPI_ERR_PROCESS says which limit they
 * would exceed. */
xmpi_status_t xmpi_room_for(int n, xmpi_error_t *error);

#endif
