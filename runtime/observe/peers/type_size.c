/* SPDX-License-Identifier: BSD-3-Clause
 * How large an element of a datatype is. */
#include "observe/peers/type_size.h"

/* Asking MPI brings cache lines more into every iteration of a program that has just used its
 * caches for itself; what most calls use can be told without. */
int xmpi_type_size(MPI_Datatype datatype)
{
    int size = 0;
    if (datatype == MPI_DOUBLE)
        return (int)sizeof(double);
    if (datatype == MPI_INT)
        return (int)sizeof(int);
    if (datatype == MPI_BYTE || datatype == MPI_CHAR)
        return 1;
    if (datatype != MPI_DATATYPE_NULL)
        PMPI_Type_size(datatype, &size);
    return size;
}
