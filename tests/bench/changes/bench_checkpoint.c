/* SPDX-License-Identifier: BSD-3-Clause
 * Measures what checkpoints cost: how long a program stands still for one, as a share of what it
 * takes as many processes to write as many bytes; and how soon it goes on when a process was
 * killed, beside starting it and reading the checkpoint. */
#define _GNU_SOURCE
#include "bench/measure.h"

enum { SECONDS = 200, TURNS = 3, MEMBERS = 4 };

static void build(const char *dir)
{
    free(measure_run(dir, SECONDS,
                     measure_text("'%s'/bin/xmpicc -O2 '%s'/tests/mpi/programs/saves.c -o saves",
                                  build_dir(), source_dir())));
}

/* Seconds in which as many processes write BYTES, which are on the disk then. */
static double write_bare(const char *dir, double bytes)
{
    double since = measure_clock();
    free(measure_run(
        dir, SECONDS,
        measure_text("for i in $(seq %d); do dd if=/dev/zero of=bare.$i bs=%.0f count=4 "
                     "conv=fsync 2>/dev/null & done; wait",
                     MEMBERS, bytes / MEMBERS / 4)));
    double seconds = measure_clock() - since;
    free(measure_run(dir, SECONDS, measure_text("rm -f bare.*")));
    return seconds;
}

/* Of a program with a checkpoint of 1 GB (40 bytes a row), in which it takes them one after
 * another. It writes to all of it, which the first one tells: that is written by a copy of the
 * process, the others are not. */
static void stall(const char *dir)
{
    static const double bytes = 1e9;
    series_t stalls = {0}, first = {0}, bare = {0};
    free(measure_run(
        dir, SECONDS,
        measure_text("XMPI_CHECKPOINT=saved XMPI_CHECKPOINT_INTERVAL=0 XMPI_TRACE=trace "
                     "'%s'/bin/mpiexec -n %d ./saves %.0f 100",
                     build_dir(), MEMBERS, bytes / 40)));
    cJSON *events = trace_events(dir, "trace"), *event;
    cJSON_ArrayForEach(event, events) if (trace_is(event, "event", "checkpoint"))
        series_add(first.n == 0 ? &first : &stalls, trace_number(event, "stall"));
    cJSON_Delete(events);
    char *size =
        measure_run(dir, SECONDS, measure_text("cat saved/$(ls saved | head -1)/* | wc -c"));
    for (int i = 0; i < TURNS; i++)
        series_add(&bare, write_bare(dir, atof(size)));
    measure_figure("checkpoint.bytes", atof(size), "B");
    if (stalls.n == 0)
        measure_fail("there was no second checkpoint");
    measure_figure("checkpoint.first_stall", series_median(&first), "s");
    measure_figure("checkpoint.stall", series_median(&stalls), "s");
    measure_figure("checkpoint.bare", series_median(&bare), "s");
    measure_figure("checkpoint.stall_share", series_median(&stalls) / series_median(&bare), "");
    free(size);
    free(measure_run(dir, SECONDS, measure_text("rm -rf saved")));
    series_free(&stalls);
    series_free(&first);
    series_free(&bare);
}

/* From the moment of the kill to the loop going on, and what starting and reading alone take. */
static void survive(const char *dir)
{
    series_t recovery = {0}, bare = {0};
    for (int i = 0; i < TURNS; i++) {
        char *out = measure_run(
            dir, SECONDS,
            measure_text(
                "rm -rf saved; me=$PWD/saves; export SAVES_PAUSE_MS=20; "
                "'%s'/bin/xmpirun -q -n %d --checkpoint saved --checkpoint-interval 1 $me "
                "2000000 200 2>&1 >/dev/null | while read line; do case $line in "
                "*'goes on from'*) echo \"on $(date +%%s.%%N)\";; esac; done >on & "
                "until [ -e saved/set-000000002/part-000000 ]; do sleep 0.05; done; "
                "pid=$(pgrep -f \"^$me\" | tail -1); echo \"killed $(date +%%s.%%N)\"; "
                "kill -9 $pid; wait; cat on; "
                "echo \"from $(date +%%s.%%N)\"; "
                "'%s'/bin/mpiexec -n %d $me 2000000 0 >/dev/null; "
                "cat saved/$(ls saved | tail -1)/* >/dev/null; echo \"to $(date +%%s.%%N)\"",
                build_dir(), MEMBERS, build_dir(), MEMBERS));
        series_t t[4] = {{0}};
        static const char *const names[] = {"killed", "on", "from", "to"};
        for (int k = 0; k < 4; k++)
            if (series_add_lines(&t[k], out, names[k]) != 1)
                measure_fail("the program has not gone on: %s", out);
        series_add(&recovery, t[1].value[0] - t[0].value[0]);
        series_add(&bare, t[3].value[0] - t[2].value[0]);
        for (int k = 0; k < 4; k++)
            series_free(&t[k]);
        free(out);
    }
    measure_figure("survive.recovery", series_median(&recovery), "s");
    measure_figure("survive.bare", series_median(&bare), "s");
    measure_figure("survive.over_bare", series_median(&recovery) / series_median(&bare), "");
    series_free(&recovery);
    series_free(&bare);
}

int main(void)
{
    char *dir = measure_begin("checkpoint");
    measure_use_memory(6);
    build(dir);
    stall(dir);
    survive(dir);
    free(dir);
    return 0;
}
