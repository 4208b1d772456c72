/* SPDX-License-Identifier: BSD-3-Clause
 * The languages. */
#include <string.h>

#include "driver/arguments/flavor.h"

enum { C, CXX, FORTRAN, FLAVORS };

static const flavor_t flavors[FLAVORS] = {
    [C] = {"xmpicc", "mpicc", "C", "XMPI_MPICC", "MPICH_CC", "-cc=", NULL},
    [CXX] = {"xmpicxx", "mpicxx", "C++", "XMPI_MPICXX", "MPICH_CXX", "-cxx=", "-static-libstdc++"},
    [FORTRAN] = {"xmpifort", "mpifort", "Fortran", "XMPI_MPIFORT", "MPICH_FC",
                 "-fc=", "-static-libgfortran"},
};

static const struct {
    const char *name;
    int flavor;
} known_names[] = {{"mpicxx", CXX},      {"mpic++", CXX},     {"mpiCC", CXX},
                   {"mpifort", FORTRAN}, {"mpif90", FORTRAN}, {"mpif77", FORTRAN}};

const flavor_t *flavor_of(const char *name)
{
    const char *slash = strrchr(name, '/'), *base = slash != NULL ? slash + 1 : name;
    base += base[0] == 'x';
    for (size_t i = 0; i < sizeof known_names / sizeof *known_names; i++)
        if (strncmp(base, known_names[i].name, strlen(known_names[i].name)) == 0)
            return &flavors[known_names[i].flavor];
    return &flavors[C];
}

const flavor_t *flavor_c(void)
{
    return &flavors[C];
}

int flavor_is_cxx(const flavor_t *flavor)
{
    return flavor == &flavors[CXX];
}
