/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that swap on an emulated cluster with loads that come and go: how they are built and
 * run, several at a time as they sleep nearly always, and what came of it. For swap.c. */
#ifndef XMPI_BENCH_SWAP_H
#define XMPI_BENCH_SWAP_H

#include "bench/measure.h"
#include "cluster/emulation/pace_model.c"

enum { LIMIT = 280, WAYS_MAX = 8 };

/* One way to run a program, beside others. */
typedef struct {
    const char *name, *settings;
    double seconds; /* what it came to ... */
    int swaps;      /* processes that went elsewhere ... */
    int changes;    /* and reconfigurations, all of them */
} way_t;

/* A program and the cluster for it: NODES nodes of one PE, ACTIVE of which have a member. */
typedef struct {
    const char *program, *arguments;
    double kappa;
    int nodes, active;
} setting_t;

static char *dir;

static void build_synthetic(void)
{
    free(measure_run(dir, LIMIT,
                     measure_text("'%s/tests/cluster/build_pace' pace_synthetic.c && "
                                  "'%s/bin/xmpicc' -O2 '%s'/tests/bench/programs/synthetic.c "
                                  "'%s'/tests/bench/programs/compute.c pace.o "
                                  "-Wl,--wrap=compute --xmpi-replaced=compute -ldl -lm "
                                  "-o synthetic",
                                  source_dir(), build_dir(), source_dir(), source_dir())));
}

static inline void build_fish(void)
{
    free(measure_run(dir, LIMIT,
                     measure_text("'%s/tests/cluster/build_pace' pace_fish.c && mkdir -p made && "
                                  "XMPICC_FLAGS=--xmpi-replaced=forces make -s -C "
                                  "'%s/examples/fish' CC=\"'%s/bin/xmpicc'\" "
                                  "BUILD=\"$PWD/made\" LDFLAGS=-Wl,--wrap=forces "
                                  "LDLIBS=\"$PWD/pace.o -ldl\" && mv made/fish fish",
                                  source_dir(), source_dir(), build_dir())));
}

static void write_machines(int nodes)
{
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    for (int i = 1; file != NULL && i <= nodes; i++)
        fprintf(file, "n%d:C1:1\n", i);
    if (file == NULL || fclose(file) != 0)
        measure_fail("there is not enough memory");
    measure_write(dir, "machines", text);
    free(text);
}

/* The script "script" of a load by the generator (tests/cluster/load.c). */
static inline void write_load(const char *load)
{
    char *text =
        measure_run(dir, LIMIT, measure_text("'%s/tests/cluster/load' %s", build_dir(), load));
    measure_write(dir, "script", text);
    free(text);
}

/* Members whose process is another one in the trace's next layout of as many. */
static void read_way(way_t *way)
{
    char *name = measure_text("trace.%s", way->name);
    cJSON *events = trace_events(dir, name);
    const cJSON *event;
    way->swaps = way->changes = 0;
    cJSON_ArrayForEach(event, events)
    {
        if (trace_is(event, "event", "end"))
            way->seconds = trace_number(event, "seconds");
        if (!trace_is_done(event))
            continue;
        way->changes++;
        int swaps = 0;
        const cJSON *reason = cJSON_GetObjectItemCaseSensitive(event, "reason");
        if (cJSON_IsString(reason) &&
            sscanf(reason->valuestring, "%d to quicker processing elements", &swaps) == 1)
            way->swaps += swaps;
    }
    cJSON_Delete(events);
    free(name);
}

/* Runs all WAYS side by side under the load in the file "script"; all begin at the same time, and
 * on the least loaded nodes. A way with the policy off has no spares. */
static void run_ways(const setting_t *s, way_t *way, int ways)
{
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    if (file == NULL)
        measure_fail("there is not enough memory");
    fprintf(file,
            "EMU_STARTED=$(date +%%s.%%N); export EMU_STARTED; echo $EMU_STARTED >started; "
            "'%s/tests/cluster/load' play machines script proc & busy=$!; "
            "until [ -e proc/n%d/stat ]; do sleep 0.02; done; sleep 0.1; ",
            build_dir(), s->nodes);
    for (int i = 0; i < ways; i++)
        fprintf(file,
                "( env EMU_SCRIPT=script EMU_SPEEDS=C1=1 EMU_KAPPA=%g XMPI_PROC=\"$PWD/proc\" "
                "XMPI_COUNTER=work XMPI_BACKEND=pool XMPI_START=fastest XMPI_ACTIVE=%d "
                "XMPI_TRACE=trace.%s %s "
                "%s '%s/tests/cluster/run' -m machines -n %d -- ./%s %s >out.%s 2>&1; "
                "echo $? >status.%s ) & job%d=$!; ",
                s->kappa, s->active, way[i].name, way[i].settings, measure_priority(), source_dir(),
                s->nodes, s->program, s->arguments, way[i].name, way[i].name, i);
    for (int i = 0; i < ways; i++)
        fprintf(file, "wait $job%d; ", i);
    fprintf(file, "kill $busy; for s in");
    for (int i = 0; i < ways; i++)
        fprintf(file, " %s", way[i].name);
    fprintf(file, "; do [ $(cat status.$s) = 0 ] || { cat out.$s >&2; exit 1; }; done");
    fclose(file);
    measure_write(dir, "line", text);
    free(text);
    free(measure_run(dir, LIMIT, measure_text("rm -rf trace.* proc && sh ./line")));
    for (int i = 0; i < ways; i++)
        read_way(&way[i]);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Seconds that ITERATIONS of SECONDS each, unloaded, take by the script where all members are on
 * the least loaded nodes from moment to moment and moves cost nothing. */
static inline double best_seconds(const setting_t *s, int iterations, double seconds)
{
    char *script = measure_text("%s/script", dir);
    double done = 0, step = seconds, at = 0, *load = calloc((size_t)s->nodes, sizeof *load);
    for (; load != NULL && done < iterations; at += step) {
        pace_why_t why;
        for (int i = 0; i < s->nodes; i++) {
            char node[PACE_NAME];
            pace_state_t state;
            snprintf(node, sizeof node, "n%d", i + 1);
            if (pace_state(script, node, 0, at, &state, &why) != 0)
                measure_fail("%s", why.text);
            load[i] = state.load;
        }
        qsort(load, (size_t)s->nodes, sizeof *load, ascending);
        done += step / seconds / (1 + load[s->active - 1]);
    }
    free(load);
    free(script);
    return at;
}

#endif
