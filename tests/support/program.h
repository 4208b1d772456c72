/* SPDX-License-Identifier: BSD-3-Clause
 * Building the MPI programs of tests. */
#ifndef XMPI_TESTS_PROGRAM_H
#define XMPI_TESTS_PROGRAM_H

/* Compiles tests/mpi/programs/PROGRAM.c to DIR/PROGRAM with the plain compiler and links the
 * library, with FLAGS ("" for none) and those of the sanitizers where the library has them
 * (SANITIZE_FLAGS of make check). The exit status of the compiler, after what it says. */
int program_build(const char *dir, const char *program, const char *flags);

/* What stands before lines of the shell with mpicc or xmpicc, so that they take the compiler CC:
 * nothing where they do anyway, as MPICH's wrapper starts some processes when it is told. */
const char *mpicc_takes(const char *cc);

#endif
