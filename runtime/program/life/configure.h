/* SPDX-License-Identifier: BSD-3-Clause
 * Configuration at start: settings and files, read and checked by one process before anything else.
 */
#ifndef XMPI_PROGRAM_LIFE_CONFIGURE_H
#define XMPI_PROGRAM_LIFE_CONFIGURE_H

#include "act/doors/doorbell.h"
#include "act/members/shared.h"

/* Fills the SHARED state of all processes that mpiexec started, and opens the door of each.
 * Collective over the private world. On an error rank 0 has its description, and all get the same
 * status. */
xmpi_status_t xmpi_configure(xmpi_shared_t *shared, xmpi_doorbell_t *doorbell, bool share,
                             xmpi_error_t *error);

/* Tells on which NODE (XMPI_NAME_MAX characters) this process is, and opens its door. */
xmpi_status_t xmpi_configure_self(xmpi_doorbell_t *doorbell, char *node, xmpi_error_t *error);

/* Whether the settings of this process switch adaptation off: known without communication, so that
 * the program's MPI calls stay those of the plain one. */
bool xmpi_configure_off(void);

/* XMPI_ERR_INPUT when the settings ask for the least cost and no PE has a price. */
xmpi_status_t xmpi_configure_check_costs(const xmpi_shared_t *shared, xmpi_error_t *error);

#endif
