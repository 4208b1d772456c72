/* SPDX-License-Identifier: BSD-3-Clause
 * How large an element of a datatype is, for the wrappers. */
#ifndef XMPI_OBSERVE_PEERS_TYPE_SIZE_H
#define XMPI_OBSERVE_PEERS_TYPE_SIZE_H

#include <mpi.h>

/* The bytes of its data; 0 of MPI_DATATYPE_NULL. */
int xmpi_type_size(MPI_Datatype datatype);

#endif
