/* SPDX-License-Identifier: BSD-3-Clause
 * Loads of the emulated cluster that come and go: how often they are there, how long jobs last, and
 * what those who look at nodes without a member are shown. */
#define _GNU_SOURCE
#include "cluster/examples/example.h"
#include "cluster/emulation/pace_model.c"
#include "simulate/loads/load_model.c"

/* --- scripts -------------------------------------------------------------------------------------
 */

/* Lines of a node, and the mean load of its first SECONDS. */
static double mean_load(const char *script, double seconds, int *lines)
{
    double sum = 0, before = 0;
    int load = 0;
    *lines = 0;
    for (const char *at = script; *at != '\0'; at = strchr(at, '\n') + 1) {
        double when;
        int next, length = 0;
        assert_int_equal(sscanf(at, "%lfs n load=%d%n", &when, &next, &length), 2);
        assert_true(at[length] == '\n' && when >= before && when < seconds);
        sum += load * (when - before);
        before = when;
        load = next;
        ++*lines;
    }
    return (sum + load * (seconds - before)) / seconds;
}

static void write_line(void *context, double when, int load)
{
    fprintf(context, "%.3fs n load=%d\n", when, load);
}

static char *onoff_script(const load_run_t *run, const load_onoff_t *onoff, int index)
{
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    load_onoff(run, onoff, index, write_line, file);
    fclose(file);
    return text;
}

static char *jobs_script(const load_run_t *run, const load_jobs_t *jobs)
{
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    assert_int_equal(load_jobs(run, jobs, 0, write_line, file), 0);
    fclose(file);
    return text;
}

/* The stationary distribution of the chain, and how often it changes. */
static void sources_are_on_as_often_as_they_should(void **state)
{
    (void)state;
    const load_run_t run = {.seconds = 40000, .seed = 7};
    for (int sources = 1; sources <= 3; sources += 2) {
        const load_onoff_t onoff = {sources, 1, 0.08, 0.3};
        char *script = onoff_script(&run, &onoff, 0);
        int lines;
        double load = mean_load(script, run.seconds, &lines), often = 0.08 / 0.38;
        assert_true(fabs(load / sources / often - 1) < 0.05);
        assert_true(sources > 1 || fabs(lines / (2 * often * 0.3 * run.seconds) - 1) < 0.05);
        free(script);
    }
}

/* Little's law, and that most jobs are over at once. */
static void jobs_last_as_long_as_they_should(void **state)
{
    (void)state;
    const load_run_t run = {.seconds = 400000, .seed = 7};
    const load_jobs_t jobs = {.between = 10, .mean = 8, .share = 0.25};
    int lines;
    char *script = jobs_script(&run, &jobs);
    double load = mean_load(script, run.seconds, &lines);
    assert_true(fabs(load / 0.8 - 1) < 0.05);
    assert_true(fabs(lines / (2 * 0.25 * run.seconds / jobs.between) - 1) < 0.05);
    free(script);
}

static void a_seed_is_a_script_and_nodes_differ(void **state)
{
    (void)state;
    const load_run_t run = {.seconds = 100, .seed = 7}, other = {.seconds = 100, .seed = 8};
    const load_onoff_t onoff = {1, 1, 0.3, 0.3};
    char *one = onoff_script(&run, &onoff, 0), *again = onoff_script(&run, &onoff, 0),
         *node = onoff_script(&run, &onoff, 1), *seed = onoff_script(&other, &onoff, 0);
    assert_string_equal(one, again);
    assert_string_not_equal(one, node);
    assert_string_not_equal(one, seed);
    free(one);
    free(again);
    free(node);
    free(seed);
}

/* --- those who look ------------------------------------------------------------------------------
 */

/* Ticks of the first two cores of NODE. */
static void ticks(const char *dir, const char *node, double *first, double *second)
{
    char name[64];
    snprintf(name, sizeof name, "proc/%s/stat", node);
    char *text = content(dir, name, NULL);
    *first = *second = -1;
    sscanf(text, "cpu0 %lf 0 0 0\ncpu1 %lf", first, second);
    free(text);
}

/* A script that began a hundred seconds ago: what others have used since the player looks. */
static void a_script_is_played(void **state)
{
    const char *dir = *state;
    double idle, busy, none, more;
    put(dir, "machines", "n1:C1:1\nn2:C1:2 # two\n");
    put(dir, "script", "0s n1\n0s n2 load=3\n");
    must_succeed(command_shell(dir, LIMIT,
                               "export EMU_STARTED=$(($(date +%%s) - 100)); "
                               "'%s/tests/cluster/load' play machines script proc & busy=$!; "
                               "for i in $(seq 500); do test -e proc/n2/stat && break; sleep 0.02; "
                               "done; kill $busy",
                               build_dir()));
    ticks(dir, "n1", &idle, &none);
    assert_true(idle == 0 && none < 0);
    ticks(dir, "n2", &busy, &more);
    assert_true(busy >= 1e4 && busy == more);
}

static void bad_arguments_are_refused(void **state)
{
    static const char *const bad[] = {"",
                                      "noise machines 1 2",
                                      "onoff machines 1 2",
                                      "onoff missing 1 1 1 1 1 1",
                                      "jobs machines 1 1 0 1 1",
                                      "jobs machines 1 1 1 1 2",
                                      "onoff machines 1 1 1 -1 1 1"};
    put(*state, "machines", "n1:C1:1\n");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        command_t command =
            command_shell(*state, LIMIT, "exec '%s/tests/cluster/load' %s", build_dir(), bad[i]);
        if (command.status != 2 || strncmp(command.err, "load: ", 6) != 0)
            fail_msg("%s: status %d, %s", bad[i], command.status, command.err);
        command_free(&command);
    }
}

static int make(void **state)
{
    *state = scratch_make();
    return 0;
}

static int clean(void **state)
{
    scratch_remove(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_are_on_as_often_as_they_should),
        cmocka_unit_test(jobs_last_as_long_as_they_should),
        cmocka_unit_test(a_seed_is_a_script_and_nodes_differ),
        cmocka_unit_test_setup_teardown(a_script_is_played, make, clean),
        cmocka_unit_test_setup_teardown(bad_arguments_are_refused, make, clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
