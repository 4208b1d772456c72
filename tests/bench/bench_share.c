/* SPDX-License-Identifier: BSD-3-Clause
 * Measures what it is worth to share a machine out: three jobs that begin one after another on
 * eight processors, with the processes that an even division gives them, and the same with
 * xmpi-share. Rows take their time whatever else runs, so the processors need not be there. */
#define _GNU_SOURCE
#include "bench/measure.h"

enum { SECONDS = 130, JOBS = 3 };

static void build(const char *dir)
{
    free(measure_run(
        dir, SECONDS,
        measure_text("'%s'/bin/xmpicc -O2 '%s'/tests/control/programs/patient.c -o rows",
                     build_dir(), source_dir())));
}

/* Seconds from the start of each job to its end, and of all together, with SHARER beside them. */
static void run(const char *dir, const char *sharer, series_t *job, series_t *all)
{
    double since = measure_clock();
    char *out = measure_run(
        dir, SECONDS,
        measure_text("export XDG_RUNTIME_DIR=$PWD XMPI_MAX=8 XMPI_IMBALANCE=1; "
                     "one() { since=$(date +%%s.%%N); "
                     "'%s'/bin/mpiexec -n $1 ./rows 250 $2 | grep -q right || exit 1; "
                     "echo \"$since $(date +%%s.%%N)\" | awk '{print \"job\", $2 - $1}'; }; "
                     "%s one 3 3600 & a=$!; sleep 2; one 3 1800 & b=$!; sleep 2; one 2 900 & "
                     "wait $a $b $!; kill $sharer 2>/dev/null; true",
                     build_dir(), sharer));
    series_add(all, measure_clock() - since);
    if (series_add_lines(job, out, "job ") != JOBS)
        measure_fail("not every job has ended: %s", out);
    free(out);
}

static double sum(const series_t *series)
{
    double all = 0;
    for (int i = 0; i < series->n; i++)
        all += series->value[i];
    return all;
}

int main(void)
{
    char *dir = measure_begin("share");
    series_t alone[2] = {{0}}, shared[2] = {{0}};
    char *sharer = measure_text("'%s'/bin/xmpi-share --pes 8 >told & sharer=$!;", build_dir());
    build(dir);
    run(dir, "", &alone[0], &alone[1]);
    run(dir, sharer, &shared[0], &shared[1]);
    measure_figure("share.turnaround", sum(&shared[0]) / JOBS, "s");
    measure_figure("share.turnaround_gain_percent", 100 * (1 - sum(&shared[0]) / sum(&alone[0])),
                   "%");
    measure_figure("share.makespan_gain_percent", 100 * (1 - sum(&shared[1]) / sum(&alone[1])),
                   "%");
    for (int i = 0; i < 2; i++) {
        series_free(&alone[i]);
        series_free(&shared[i]);
    }
    free(sharer);
    free(dir);
    return 0;
}
