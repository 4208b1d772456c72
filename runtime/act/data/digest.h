/* SPDX-License-Identifier: BSD-3-Clause
 * Digests of what must be equal on all members: live values and replicated arrays. At each change
 * they are compared in the reduction that is made anyway (act/moving/redistribute.c). */
#ifndef XMPI_ACT_DATA_DIGEST_H
#define XMPI_ACT_DATA_DIGEST_H

#include <mpi.h>

#include "act/data/registry.h"

/* Of all that this process holds of it, in any order of registration. What nobody has told the type
 * of is left out, as it may hold pointers or padding, and what may differ or need not be set. 0:
 * there is no memory; then nothing is compared. */
uint64_t xmpi_digest(const xmpi_registry_t *registry);

/* Of one live variable, whatever is known of it. */
uint64_t xmpi_digest_live(const xmpi_live_t *live, const void *value);

/* Which of it is not equal, for people ("err is 0.5 on rank 0, 0.7 on rank 2"). False when all are,
 * or when members have not registered the same. Collective over COMM. */
bool xmpi_digest_find(const xmpi_registry_t *registry, MPI_Comm comm, char *text, int size);

/* Which live variables are the same on all of COMM: ALIKE, one for each (none where members have
 * not registered the same). OF gives the value of each, or NULL: this process has no say.
 * Collective. */
typedef const void *xmpi_value_of_t(const void *context, const xmpi_live_t *live);
xmpi_status_t xmpi_digest_alike(const xmpi_registry_t *registry, xmpi_value_of_t *of,
                                const void *context, MPI_Comm comm, bool *alike);

/* The last part of NAME ("heat.c:12:u"): what the user calls it. */
const char *xmpi_digest_name(const char *name);

#endif
