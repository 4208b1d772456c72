/* SPDX-License-Identifier: BSD-3-Clause
 * The example epigraph compiled with xmpicc, its makefile as it is: whatever is done to it while it
 * runs, the epidemic is that of the plain program to the last bit. */
#define _GNU_SOURCE
#include "cluster/examples/adaptive.h"

/* An epidemic with everything in it. */
#define OPTIONS                                                                                    \
    "-d 15 -i 20 -p transmission=0.02 -p travel_rate=0.1 -p vaccination_day=4 "                    \
    "-p vaccination_rate=0.02 -p distancing_threshold=0.05 -p immunity_days=10 "

static char *fingerprint(const char *output)
{
    const char *at = strstr(output, "fingerprint ");
    assert_non_null(at);
    return strndup(at, strcspn(at, "\n"));
}

static trace_t run_and_compare(const char *dir, int processes, const char *settings)
{
    adaptive_t run = {dir, "epigraph", OPTIONS "-o counts town", 10};
    char *output, *plain = content(dir, "plain.out", NULL);
    trace_t trace = adaptive_run(&run, processes, settings, &output);
    char *expected = fingerprint(plain), *got = fingerprint(output);
    assert_string_equal(got, expected);
    assert_same_files(dir, "counts", "plain.counts");
    assert_int_equal(trace.iterations, 15 * 24);
    free(plain);
    free(expected);
    free(got);
    free(output);
    return trace;
}

static void with_adaptation_off_it_is_the_plain_program(void **state)
{
    must_succeed(command_shell(*state, LIMIT,
                               "XMPI_POLICY=off '%s/tests/cluster/run' -m machines -n 3 -- "
                               "adaptive/epigraph " OPTIONS "-o off town && cmp off plain.counts",
                               source_dir()));
}

static void balancing_changes_no_bit(void **state)
{
    run_and_compare(*state, 4, "XMPI_POLICY=balance XMPI_IMBALANCE=0.01");
}

static void random_plans_change_no_bit_with_new_processes(void **state)
{
    random_plans_with_new_processes(*state, run_and_compare);
}

static void random_plans_change_no_bit_with_spare_processes(void **state)
{
    random_plans_with_spare_processes(*state, run_and_compare);
}

static void a_schedule_is_followed(void **state)
{
    follow_a_schedule(*state, run_and_compare, 40);
}

/* The change before the first iteration; NULL: there was none. */
static int opened(const char *dir)
{
    char *text = content(dir, "trace", NULL);
    int found = strstr(text, "\"reason\":\"by the profile") != NULL ||
                strstr(text, "\"reason\":\"by the calibration") != NULL;
    free(text);
    return found;
}

/* Settings with a profile of a run before, with CLASSES added to it. */
static void run_known(const char *dir, const char *profile, const char *classes, int opens)
{
    char settings[300];
    must_succeed(command_shell(dir, LIMIT, "(cat %s; printf '%s') >known", profile, classes));
    snprintf(settings, sizeof settings,
             "XMPI_POLICY=balance XMPI_IMBALANCE=0.5 XMPI_PROFILE=known");
    run_and_compare(dir, 4, settings);
    assert_int_equal(opened(dir), opens);
}

/* As the profile has the speeds of classes, whether they are right or not. */
static void a_known_program_begins_with_another_layout(void **state)
{
    static const char classes[] = "class C1 100\\nclass C7 100\\nclass C6 200\\nclass C8 800\\n";
    run_and_compare(*state, 4, "XMPI_POLICY=balance XMPI_RECORD=profile");
    assert_false(opened(*state));
    run_known(*state, "profile", classes, 1);
    must_succeed(command_shell(*state, LIMIT, "sed 's/^domain .*/domain 77/' profile >other"));
    run_known(*state, "other", classes, 0);
    must_succeed(command_shell(*state, LIMIT, "sed 's/^loop .*/loop other.c:1/' profile >other"));
    run_known(*state, "other", classes, 0);
    must_succeed(command_shell(*state, LIMIT, "sed 's/^class .*//' profile >other"));
    run_known(*state, "other", "class C1 100\\n", 0);
    run_known(*state, "profile", "class C1\\n", 0);
    run_known(*state, "town", "", 0);
}

static void bad_input_ends_the_adaptive_program_alike(void **state)
{
    must_succeed(command_shell(*state, LIMIT, "head -c 1000 town >short"));
    command_t command = command_shell(
        *state, LIMIT, "'%s/tests/cluster/run' -m machines -n 3 -- adaptive/epigraph short",
        source_dir());
    assert_int_equal(command.status, 2);
    assert_non_null(strstr(command.err, "epigraph: short: "));
    command_free(&command);
}

static int set_up(void **state)
{
    char *dir = scratch_make();
    *state = dir;
    adaptive_set_up(dir, "epigraph");
    must_succeed(command_shell(dir, LIMIT, "./generate -n 1500 -r 3 town"));
    char *output = output_of(dir, "epigraph", 2, OPTIONS "-o plain.counts town");
    assert_true(figure(output, "infections") > 500);
    put(dir, "plain.out", output);
    free(output);
    return 0;
}

static int tear_down(void **state)
{
    scratch_remove(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(with_adaptation_off_it_is_the_plain_program),
        cmocka_unit_test(balancing_changes_no_bit),
        cmocka_unit_test(random_plans_change_no_bit_with_new_processes),
        cmocka_unit_test(random_plans_change_no_bit_with_spare_processes),
        cmocka_unit_test(a_schedule_is_followed),
        cmocka_unit_test(a_known_program_begins_with_another_layout),
        cmocka_unit_test(bad_input_ends_the_adaptive_program_alike),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
