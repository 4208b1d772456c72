/* SPDX-License-Identifier: BSD-3-Clause
 * Measures what it costs that changes are checked: the digest that is always made, as a share of a
 * change, and the iterations that a check adds. */
#define _GNU_SOURCE
#include "bench/measure.h"

#include "act/data/digest.h"

enum { ROWS = 4000, ITERATIONS = 90, LIMIT = 60, TIMES = 200 };

static void build(const char *dir)
{
    free(measure_run(dir, LIMIT,
                     measure_text("'%s/bin/mpicc' -O2 -I'%s/include' "
                                  "'%s/tests/mpi/programs/check.c' -o check -L'%s/lib' -lxmpi "
                                  "-Wl,-rpath,'%s/lib'",
                                  build_dir(), build_dir(), source_dir(), build_dir(),
                                  build_dir())));
}

/* Runs the program with random plans, in a pool that rebalances more often than it wakes. */
static cJSON *run(const char *dir, const char *mode)
{
    free(measure_run(dir, LIMIT,
                     measure_text("XMPI_CHECK=%s XMPI_POLICY=random XMPI_INTERVAL=3 XMPI_ACTIVE=3 "
                                  "XMPI_TRACE=trace '%s/bin/mpiexec' -n 4 ./check none %d %d shown",
                                  mode, build_dir(), ROWS, ITERATIONS)));
    return trace_events(dir, "trace");
}

/* Of what the program has to be alike: a vector of its rows, and two live variables. */
static double seconds_of_digest(void)
{
    series_t series = {0};
    xmpi_registry_t registry = {0};
    double *vector = calloc(ROWS, sizeof *vector), state[3] = {0};
    int it = 0;
    volatile uint64_t sum = 0;
    xmpi_array_t *array = xmpi_registry_array(&registry, "everywhere");
    xmpi_registry_set_slot(&registry, array, (void *)&vector);
    array->scheme = XMPI_GEN_REPLICATED;
    array->rows = ROWS;
    array->row_length = 1;
    array->row_bytes = sizeof *vector;
    xmpi_registry_add_live(&registry, "state", state, sizeof state);
    xmpi_registry_add_live(&registry, "it", &it, sizeof it);
    xmpi_registry_set_elements(&registry, "everywhere", "f8");
    xmpi_registry_set_elements(&registry, "state", "i4 x4 2f8");
    xmpi_registry_set_elements(&registry, "it", "i4");
    for (int i = 0; i < TIMES; i++) {
        double start = measure_clock();
        sum += xmpi_digest(&registry);
        series_add(&series, measure_clock() - start);
    }
    double median = series_median(&series);
    series_free(&series);
    xmpi_registry_free(&registry);
    free(vector);
    return median;
}

static void measure_digest(const char *dir)
{
    series_t series = {0};
    const cJSON *event;
    cJSON *events = run(dir, "off");
    cJSON_ArrayForEach(event, events)
    {
        if (trace_is_done(event))
            series_add(&series, trace_number(event, "seconds"));
    }
    measure_figure("check.digest_percent", 100 * seconds_of_digest() / series_median(&series), "%");
    series_free(&series);
    cJSON_Delete(events);
}

static void measure_first(const char *dir)
{
    double most = 0;
    int checks = 0;
    const cJSON *event;
    cJSON *events = run(dir, "first");
    cJSON_ArrayForEach(event, events)
    {
        if (!trace_is(event, "event", "check"))
            continue;
        checks++;
        most = fmax(most, trace_number(event, "iterations"));
    }
    if (checks == 0)
        measure_fail("no change was checked; see %s/trace", dir);
    measure_figure("check.first.iterations", most, "iterations");
    cJSON_Delete(events);
}

int main(void)
{
    char *dir = measure_begin("check");
    build(dir);
    measure_digest(dir);
    measure_first(dir);
    free(dir);
    return 0;
}
