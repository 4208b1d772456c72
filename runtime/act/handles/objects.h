/* SPDX-License-Identifier: BSD-3-Clause
 * What the program has made in its process alone: keyvals, error handlers, operations, infos and
 * datatypes. Who takes over makes the same; who stays keeps them. */
#ifndef XMPI_ACT_HANDLES_OBJECTS_H
#define XMPI_ACT_HANDLES_OBJECTS_H

#include "act/handles/table/table.h"
#include "base/data/pack.h"

void xmpi_info_put(xmpi_pack_t *pack, MPI_Info info);
MPI_Info xmpi_info_get(xmpi_pack_t *pack);

void xmpi_objects_put(xmpi_pack_t *pack);
void xmpi_objects_get(xmpi_pack_t *pack);

/* Frees them. */
void xmpi_objects_free(void);

#endif
