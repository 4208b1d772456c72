/* SPDX-License-Identifier: BSD-3-Clause
 * Measures what it costs that changes are checked: the digest that is always made, as a share of a
 * change, and the iterations and the memory that a check adds. */
#define _GNU_SOURCE
#include "bench/measure.h"

#include "act/data/digest.h"

enum { MEMORY_ROWS = 1 << 17, MOVED_PERCENT = 10 };
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

/* --- memory
 * ---------------------------------------------------------------------------------------
 */

typedef struct {
    long most, own; /* KiB */
} member_t;

/* A tenth of the rows changes its owner. The members by their data. */
static void run_large(const char *dir, const char *mode, member_t member[2])
{
    char *out = measure_run(
        dir, LIMIT,
        measure_text("XMPI_CHECK=%s XMPI_POLICY=schedule XMPI_SCHEDULE=layouts XMPI_INTERVAL=2 "
                     "XMPI_TRACE=large '%s/bin/mpiexec' -n 2 ./changes %d 8",
                     mode, build_dir(), MEMORY_ROWS));
    if (sscanf(out, "%ld %ld %ld %ld", &member[0].most, &member[0].own, &member[1].most,
               &member[1].own) != 4)
        measure_fail("not what the program prints: %s", out);
    if (member[0].own > member[1].own) {
        member_t larger = member[0];
        member[0] = member[1];
        member[1] = larger;
    }
    if (member[0].own == member[1].own)
        measure_fail("no rows have moved; see %s/large", dir);
    free(out);
}

static void check_was_made(const char *dir)
{
    int equal = 0;
    const cJSON *event;
    cJSON *events = trace_events(dir, "large");
    cJSON_ArrayForEach(event, events) equal +=
        trace_is(event, "event", "check") && trace_is(event, "outcome", "equal");
    if (equal != 1)
        measure_fail("the change was not checked; see %s/large", dir);
    cJSON_Delete(events);
}

/* What a member has more than without a check, of the most data that it has, before the change or
 * after; the loop changes all of them. */
static void measure_memory(const char *dir, const char *mode, const char *name)
{
    member_t without[2], with[2];
    double most = 0;
    run_large(dir, "off", without);
    run_large(dir, mode, with);
    check_was_made(dir);
    long before = (with[0].own + with[1].own) / 2;
    for (int i = 0; i < 2; i++) {
        long own = with[i].own > before ? with[i].own : before;
        most = fmax(most, 100.0 * (double)(with[i].most - without[i].most) / (double)own);
    }
    measure_figure(name, most, "% of the data that the loop changes");
}

static void prepare_large(const char *dir)
{
    int first = MEMORY_ROWS / 2 + MEMORY_ROWS * MOVED_PERCENT / 100;
    char *layout = measure_text("layout 1 2 0:%d 1:%d\n", first, MEMORY_ROWS - first);
    measure_write(dir, "layouts", layout);
    free(layout);
    free(measure_run(dir, LIMIT,
                     measure_text("'%s/bin/xmpicc' -O2 '%s/tests/bench/programs/changes.c' "
                                  "-o changes 2>&1",
                                  build_dir(), source_dir())));
}

int main(void)
{
    char *dir = measure_begin("check");
    build(dir);
    measure_digest(dir);
    measure_first(dir);
    prepare_large(dir);
    measure_memory(dir, "first", "check.first.memory_percent");
    measure_memory(dir, "all", "check.all.memory_percent");
    free(dir);
    return 0;
}
