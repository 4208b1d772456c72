/* SPDX-License-Identifier: BSD-3-Clause
 * The example jacobi in measurements: built by its own makefile with mpicc and with xmpicc, and run
 * on an emulated cluster, each sweep slowed down to the speed of its node
 * (tests/cluster/emulation/pace.c).
 */
#ifndef XMPI_BENCH_JACOBI_H
#define XMPI_BENCH_JACOBI_H

#include "bench/measure.h"

enum { JACOBI_BUILD_LIMIT = 120, JACOBI_RUN_LIMIT = 120 };

typedef struct {
    const char *dir; /* the folder of the measurement */
    int order;       /* of the system */
    int iterations;  /* all of them are made, as the tolerance is 0 */
    int members;
    const char *speeds; /* CLASS=SPEED,... */
    double kappa;       /* seconds of a unit of work at speed 1; an iteration has order^2 units */
} jacobi_t;

static inline void jacobi_build_program(const char *dir, const char *compiler, const char *name)
{
    char *line = measure_text("XMPICC_FLAGS=--xmpi-replaced=sweep make -s -C '%s/examples/jacobi' "
                              "CC=\"'%s/bin/%s'\" BUILD=\"$PWD/%s\" "
                              "LDFLAGS=-Wl,--wrap=sweep LDLIBS=\"$PWD/pace.o\" "
                              "\"$PWD/%s/jacobi\"",
                              source_dir(), build_dir(), compiler, name, name);
    free(measure_run(dir, JACOBI_BUILD_LIMIT, line));
}

/* The programs plain/jacobi and adaptive/jacobi, and the file "system" to solve. */
static inline void jacobi_build(const jacobi_t *jacobi)
{
    free(measure_run(jacobi->dir, JACOBI_BUILD_LIMIT,
                     measure_text("'%s/tests/cluster/build_pace' pace.c", source_dir())));
    jacobi_build_program(jacobi->dir, "mpicc", "plain");
    jacobi_build_program(jacobi->dir, "xmpicc", "adaptive");
    free(measure_run(jacobi->dir, JACOBI_BUILD_LIMIT,
                     measure_text("make -s -C '%s/examples/jacobi' CC=\"'%s/bin/mpicc'\" "
                                  "BUILD=\"$PWD/tools\" \"$PWD/tools/generate\" && "
                                  "tools/generate -n %d system",
                                  source_dir(), build_dir(), jacobi->order)));
}

/* Runs PROGRAM (plain or adaptive) on the nodes in the file "machines" with further settings; the
 * seconds of its loop. */
static inline double jacobi_run(const jacobi_t *jacobi, const char *program, const char *settings)
{
    series_t iterations = {0}, seconds = {0};
    char *output = measure_run(
        jacobi->dir, JACOBI_RUN_LIMIT,
        measure_text("EMU_SPEEDS=%s EMU_KAPPA=%g %s exec '%s/tests/cluster/run' -m machines -n %d "
                     "-- %s/jacobi -i %d -t 0 system",
                     jacobi->speeds, jacobi->kappa, settings, source_dir(), jacobi->members,
                     program, jacobi->iterations));
    if (series_add_lines(&iterations, output, "iterations ") != 1 ||
        series_add_lines(&seconds, output, "seconds ") != 1 ||
        iterations.value[0] != jacobi->iterations)
        measure_fail("not %d iterations of %s/jacobi:\n%s", jacobi->iterations, program, output);
    double result = seconds.value[0];
    series_free(&iterations);
    series_free(&seconds);
    free(output);
    return result;
}

#endif
