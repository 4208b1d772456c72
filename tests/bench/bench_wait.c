/* SPDX-License-Identifier: BSD-3-Clause
 * Measures what waiting asleep costs and gains: the time of a message there and back, and the CPU
 * time of a second of waiting, in both modes of XMPI_WAIT and with the MPI in use. */
#define _GNU_SOURCE
#include "bench/measure.h"

enum { LIMIT = 60, ROUNDS = 5 };

static void measure(const char *dir, const char *mode)
{
    series_t pingpong = {0}, cpu = {0};
    char *name;
    for (int i = 0; i < ROUNDS; i++) {
        char *output = measure_run(dir, LIMIT,
                                   measure_text("XMPI_WAIT=%s exec '%s/bin/mpiexec' -n 2 "
                                                "./wait_calls latency",
                                                mode, build_dir()));
        if (series_add_lines(&pingpong, output, "pingpong ") != 1 ||
            series_add_lines(&cpu, output, "cpu ") != 1)
            measure_fail("no times of waiting:\n%s", output);
        free(output);
    }
    measure_figure(name = measure_text("wait.%s.pingpong.us", mode), 1e6 * series_median(&pingpong),
                   "us");
    free(name);
    measure_figure(name = measure_text("wait.%s.cpu_percent", mode), 100 * series_median(&cpu),
                   "percent");
    free(name);
    series_free(&pingpong);
    series_free(&cpu);
}

int main(void)
{
    char *dir = measure_begin("wait");
    free(measure_run(dir, LIMIT,
                     measure_text("'%s/bin/mpicc' -O2 -I'%s/include' "
                                  "'%s/tests/mpi/programs/wait_calls.c' -o wait_calls -L'%s/lib' "
                                  "-lxmpi -Wl,-rpath,'%s/lib'",
                                  build_dir(), build_dir(), source_dir(), build_dir(),
                                  build_dir())));
    measure(dir, "spin");
    measure(dir, "sleep");
    free(dir);
    return 0;
}
