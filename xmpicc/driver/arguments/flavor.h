/* SPDX-License-Identifier: BSD-3-Clause
 * For which language the driver stands in: it is called by the name that mpicc, mpicxx or mpifort
 * has, with an x in front or without. */
#ifndef XMPICC_FLAVOR_H
#define XMPICC_FLAVOR_H

typedef struct {
    const char *command;  /* ours: "xmpicxx" */
    const char *stands;   /* the MPI's: "mpicxx" */
    const char *language; /* "C++" */
    const char *variable; /* of the environment, which names the MPI's: "XMPI_MPICXX" */
    const char *compiler; /* the same that tells the MPI's its compiler: "MPICH_CXX" */
    const char *option;   /* the option that does: "-cxx=" */
    const char *runtime;  /* links the language's own libraries into the program, or NULL */
} flavor_t;

/* NAME: the command as it was called, with its folder or without. */
const flavor_t *flavor_of(const char *name);

/* That of C. */
const flavor_t *flavor_c(void);

/* It is that of C++: a source that is named as one of C is one of C++. */
int flavor_is_cxx(const flavor_t *flavor);

#endif
