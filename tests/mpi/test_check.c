/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of XMPI_CHECK: right programs pass, and faults of every kind are seen, named, and do no
 * harm.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"
#include "support/program.h"
#include "support/trace_schema.h"

enum { SECONDS = 60 };

static const char spawn[] = "XMPI_BACKEND=spawn XMPI_MAX=5 PROCESSES=3";
static const char pool[] = "XMPI_BACKEND=pool XMPI_ACTIVE=3 PROCESSES=6";
static const char *const backends[] = {spawn, pool};

/* Random plans every third iteration, unless the settings say otherwise. */
static const char usual[] = "XMPI_CHECK=all XMPI_POLICY=random XMPI_INTERVAL=3";

static char *dir;

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    return program_build(dir, "check", "") || program_build(dir, "evolve", "");
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* Lines of several processes come in any order. */
static command_t run(const char *settings, const char *program)
{
    return command_shell(
        dir, SECONDS,
        "export %s XMPI_TRACE=trace; rm -f trace; "
        "'%s'/bin/mpiexec -n $PROCESSES ./%s >out; status=$?; sort out; exit $status",
        settings, build_dir(), program);
}

/* The output of the same without any changes. */
static char *plain(const char *program)
{
    command_t result = run("XMPI_POLICY=off PROCESSES=3", program);
    if (result.status != 0)
        fail_msg("%s alone: status %d: %s%s", program, result.status, result.out, result.err);
    char *out = strdup(result.out);
    command_free(&result);
    return out;
}

/* How often TEXT stands in the trace. */
static int traced(const char *text)
{
    char path[512];
    int n = 0;
    snprintf(path, sizeof path, "%s/trace", dir);
    char *trace = read_file(path, NULL);
    assert_non_null(trace);
    trace_schema_check_lines(trace);
    for (const char *at = trace; (at = strstr(at, text)) != NULL; at++)
        n++;
    free(trace);
    return n;
}

static const char equal[] = "\"outcome\":\"equal\"", different[] = "\"outcome\":\"different\"",
                  unchecked[] = "\"outcome\":\"not checked\"", done[] = "\"outcome\":\"done\"";

/* Runs PROGRAM, which must end with STATUS and say SAYS on stderr (NULL: nothing), and with
 * EXPECTED (NULL: whatever) on standard output. */
static void must(const char *settings, const char *program, int status, const char *says,
                 const char *expected)
{
    command_t result = run(settings, program);
    bool said = says == NULL ? result.err[0] == '\0' : strstr(result.err, says) != NULL;
    if (result.status != status || !said || (expected != NULL && strcmp(result.out, expected) != 0))
        fail_msg("%s %s: status %d: %s%s\nexpected: %s", settings, program, result.status,
                 result.err, result.out, expected != NULL ? expected : ""); /* it may be cut off */
    command_free(&result);
}

static const char *with(const char *more, const char *backend)
{
    static char settings[512];
    snprintf(settings, sizeof settings, "%s %s %s", usual, backend, more);
    return settings;
}

/* --- right programs
 * ------------------------------------------------------------------------------- */

/* What is printed in each iteration is printed once, and every bit of the result is the same. */
static void right_programs_pass(const char *how)
{
    char program[128];
    snprintf(program, sizeof program, "check none 53 60 %s", how);
    char *expected = plain(program);
    for (int seed = 1; seed <= 4; seed++)
        for (int i = 0; i < 2; i++) {
            char more[32];
            snprintf(more, sizeof more, "XMPI_SEED=%d", seed);
            must(with(more, backends[i]), program, 0, NULL, expected);
            assert_true(traced(equal) >= 12);
            assert_int_equal(traced(equal), traced(done));
            assert_true(traced("\"kind\":\"grow\"") > 0 && traced("\"kind\":\"shrink\"") > 0);
            assert_int_equal(traced(different) + traced(unchecked), 0);
        }
    free(expected);
}

static void right_programs_pass_where_repeating_is_shown(void **state)
{
    (void)state;
    right_programs_pass("shown");
    assert_true(traced("\"iterations\":2}") > 0 && traced("\"iterations\":1}") == 0);
    must("XMPI_CHECK=first XMPI_POLICY=random XMPI_INTERVAL=3 XMPI_ACTIVE=3 PROCESSES=4",
         "check none 53 60 shown", 0, NULL, NULL);
    assert_true(traced("\"iterations\":1}") > 0 && traced("\"iterations\":2}") == 0);
}

static void right_programs_pass_where_it_is_tried(void **state)
{
    (void)state;
    right_programs_pass("may");
    assert_true(traced("\"iterations\":2}") > 0 && traced("\"iterations\":1}") == 0);
}

/* Its members come, go, and change their places hundreds of times. */
static void hundreds_of_changes_pass(void **state)
{
    (void)state;
    char *expected = plain("check none 47 400 shown");
    for (int i = 0; i < 2; i++) {
        must(with("XMPI_INTERVAL=2 XMPI_SEED=5", backends[i]), "check none 47 400 shown", 0, NULL,
             expected);
        assert_true(traced(equal) >= 120);
    }
    free(expected);
}

/* The strategies and the background have processes that come in other ways. */
static void all_ways_of_getting_processes_pass(void **state)
{
    (void)state;
    static const char *const ways[] = {"XMPI_STRATEGY=serial", "XMPI_STRATEGY=concurrent",
                                       "XMPI_BACKGROUND=1", "XMPI_WAIT=sleep", "XMPI_DEBUG=1"};
    char *expected = plain("check none 53 60 shown");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        must(with(ways[i], spawn), "check none 53 60 shown", 0, "", expected);
        assert_true(traced(equal) > 0);
        assert_int_equal(traced(different), 0);
    }
    free(expected);
}

/* An own test of every element in each iteration; nothing is told of its values. */
static void programs_without_types_pass(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        must(with("", backends[i]), "evolve 53 60", 0, NULL, NULL);
        assert_true(traced(equal) >= 12);
    }
}

static void few_rows_and_one_process_pass(void **state)
{
    (void)state;
    static const char *const sizes[] = {"check none 2 40", "check none 1 40", "check none 0 40"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *expected = plain(sizes[i]);
        for (int k = 0; k < 2; k++)
            must(with("", backends[k]), sizes[i], 0, "", expected);
        free(expected);
    }
    must("XMPI_CHECK=all XMPI_POLICY=random XMPI_INTERVAL=3 XMPI_MAX=3 PROCESSES=1",
         "check none 53 40", 0, NULL, NULL);
    assert_true(traced(equal) > 0);
}

/* Sums over other blocks add up in another order; that is no difference. */
static void sums_in_another_order_pass(void **state)
{
    (void)state;
    static const char *const programs[] = {"check sums 53 60", "check huge 53 60"};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            must(with("", backends[k]), programs[i], 0, NULL, NULL);
            assert_true(traced(equal) >= 12);
        }
}

/* A clock that is said to be one is not compared. */
static void values_that_vary_pass(void **state)
{
    (void)state;
    must(with("", spawn), "check clock 53 60", 0, NULL, NULL);
    assert_true(traced(equal) >= 12);
}

/* --- which changes
 * -------------------------------------------------------------------------------- */

static void modes_choose_the_changes(void **state)
{
    static const struct {
        const char *mode, *program;
        int checks;
    } cases[] = {{"off", "check none 53 60 shown", 0},  {"first", "check none 53 60 shown", 8},
                 {"auto", "check none 53 60 shown", 8}, {"auto", "check none 53 60 may", 0},
                 {"auto", "check none 53 60 never", 0}, {"abort", "check none 53 60 shown", 12}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char more[64];
        snprintf(more, sizeof more, "XMPI_CHECK=%s", cases[i].mode);
        must(with(more, pool), cases[i].program, 0, NULL, NULL);
        int n = traced("\"event\":\"check\"");
        if (cases[i].checks < 12 ? n > cases[i].checks || (n == 0) != (cases[i].checks == 0)
                                 : n < cases[i].checks)
            fail_msg("%s %s: %d checks", cases[i].mode, cases[i].program, n);
    }
}

/* What a check may cost decides, but not about what is believed of functions of other files. */
static void what_is_believed_is_checked_once(void **state)
{
    static const char settings[] = "XMPI_CHECK=auto XMPI_INTERVAL=1";
    (void)state;
    must(with(settings, pool), "check slow 53 4 shown", 0, NULL, NULL);
    assert_true(traced("\"event\":\"check\"") == 0 && traced("\"outcome\":\"done\"") > 1);
    must(with(settings, pool), "check slow 53 7 relied", 0, NULL, NULL);
    assert_true(traced("\"event\":\"check\"") == 1 && traced("\"outcome\":\"done\"") > 1);
}

static void what_never_repeats_is_not_checked(void **state)
{
    (void)state;
    char *expected = plain("check none 53 40 never");
    must(with("", spawn), "check none 53 40 never", 0,
         "xmpi: check.c:99: iteration 3: the change is not checked: it sends mail\n", expected);
    assert_true(traced(unchecked) > 3 && traced("\"why\":\"it sends mail\"") == traced(unchecked));
    free(expected);
}

/* --- what cannot be repeated
 * ------------------------------------------------------------------------ */

static void files_are_not_written_twice(void **state)
{
    static const char *const programs[] = {"check file 53 40 shown", "check opens 53 40"};
    static const char *const says[] = {"the change is not checked: it writes to ",
                                       "the change is not checked: it opens "};
    (void)state;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            char *expected = plain(programs[i]);
            must(with("", backends[k]), programs[i], 0, says[i], expected);
            assert_int_equal(traced(unchecked), traced(done));
            free(expected);
        }
    command_t lines = command_shell(dir, SECONDS, "wc -l <written");
    assert_int_equal(atoi(lines.out), 40);
    command_free(&lines);
}

static void accumulators_that_do_not_show_are_named(void **state)
{
    (void)state;
    char *expected = plain("check total 53 40");
    must(with("XMPI_MAX=3", spawn), "check total 53 40", 0,
         "the change is not checked: 8 bytes of total are others after each iteration, and nobody "
         "registered them\n",
         NULL);
    assert_true(traced(unchecked) > 0);
    /* Rebalancing alone loses no process, nor what it has added up. */
    must("XMPI_CHECK=all XMPI_POLICY=random XMPI_INTERVAL=3 XMPI_BACKEND=pool PROCESSES=3",
         "check counts 53 40", 0, "4 bytes of counter", NULL);
    free(expected);
}

/* --- faults
 * ----------------------------------------------------------------------------------------- */

/* The loop keeps its layout, and where the state can be had back ends as without changes. */
static void fault_is_caught(const char *more, const char *program, const char *says, bool restored)
{
    char *expected = plain(program);
    for (int i = 0; i < 2; i++) {
        must(with(more, backends[i]), program, 0, says, restored ? expected : NULL);
        assert_int_equal(traced(different), 1);
        assert_int_equal(traced(equal), 0);
    }
    free(expected);
}

static void hidden_state_is_seen_when_it_is_repeated(void **state)
{
    static const char says[] =
        ", draws at random, or asks the clock; what of that lies in memory from malloc this check "
        "has changed once more: the loop keeps its processes and blocks\n";
    (void)state;
    fault_is_caught("", "check static 53 40", says, true);
    fault_is_caught("", "check local 53 40", says, true);
    fault_is_caught("", "check heap 53 40", says, false);
    fault_is_caught("", "check scratch 53 40", says, false);
    fault_is_caught("", "check static 53 40 shown", says, true); /* nobody is believed */
    fault_is_caught("", "check static 53 40",
                    "it keeps state that nobody registered (hidden has changed as well), ", true);
    fault_is_caught(
        "", "check heap 53 40",
        "the iteration gives another result when it is repeated (u, row 0, element 0, was ", false);
}

static void hidden_state_is_seen_in_another_layout(void **state)
{
    static const char says[] = ": the loop keeps its processes and blocks\n";
    (void)state;
    fault_is_caught("XMPI_CHECK=first", "check static 53 40 shown", says, true);
    fault_is_caught("XMPI_CHECK=first", "check local 53 40 shown", says, true);
    fault_is_caught("XMPI_CHECK=first", "check heap 53 40 shown", says, false);
    fault_is_caught("XMPI_CHECK=first", "check scratch 53 40 shown", says, false);
    fault_is_caught("", "check random 53 40", says, false);
}

static void wrong_formulas_are_named(void **state)
{
    (void)state;
    fault_is_caught("", "check formula 53 40", "xmpi: check.c:99: iteration 4: u, row ", true);
    fault_is_caught("", "check formula 53 40 shown", " with 3 members, ", true);
    assert_int_equal(traced(done), 2); /* there and back */
}

static void is_caught_in_time(const char *program)
{
    static const char *const modes[] = {"auto", "first"};
    char *expected = plain(program);
    for (int k = 0; k < 2; k++)
        for (int seed = 1; seed <= 6; seed++) {
            char more[64];
            snprintf(more, sizeof more, "XMPI_CHECK=%s XMPI_SEED=%d", modes[k], seed);
            must(with(more, pool), program, 0, "the loop keeps its processes and blocks\n",
                 expected);
        }
    free(expected);
}

/* What is right for every second layout, or for all but one number of members, is not taken for
 * right by the first. */
static void each_kind_of_change_is_checked_once(void **state)
{
    (void)state;
    is_caught_in_time("check parity 60 60 shown");
    is_caught_in_time("check alone 60 160 shown");
}

/* What PROGRAM prints is what it prints plainly, though changes are gone back from. */
static void is_gone_back_from(const char *program, int seeds)
{
    char *expected = plain(program);
    for (int seed = 1; seed <= seeds; seed++)
        for (int i = 0; i < 2; i++) {
            char more[32];
            snprintf(more, sizeof more, "XMPI_SEED=%d", seed);
            must(with(more, backends[i]), program, 0, ": the loop keeps its processes and blocks\n",
                 expected);
        }
    free(expected);
}

static void all_changes_can_be_gone_back_from(void **state)
{
    (void)state;
    is_gone_back_from("check formula 53 40 shown", 8);
}

/* Also ghost rows, and rows of others in owned arrays, that are older than those beside them. */
static void old_ghost_rows_are_there_again(void **state)
{
    (void)state;
    is_gone_back_from("check older 53 40 shown", 4);
}

static void abort_ends_the_job(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        must(with("XMPI_CHECK=abort", backends[i]), "check formula 53 40", 2, "check.c:99: ", NULL);
        must(with("XMPI_CHECK=abort", backends[i]), "check static 53 40", 2, "check.c:99: ", NULL);
    }
}

/* --- ends
 * ------------------------------------------------------------------------------------------- */

/* --- changes that do not take place
 * ----------------------------------------------------------------
 */

/* Somebody has no room for its new rows, which shows after the data were put back. */
static void changes_that_are_called_off_leave_the_result(void **state)
{
    static const char *const programs[] = {"check tight 53 60 shown", "check tight 53 60 may"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        char *expected = plain(programs[k]);
        for (int i = 0; i < 2; i++) {
            must(with("", backends[i]), programs[k], 0,
                 "a process had no room for its new data; the program goes on as before\n",
                 expected);
            assert_true(traced("\"outcome\":\"called off\"") > 2 && traced(equal) > 0);
            assert_int_equal(traced(equal), traced(done));
        }
        free(expected);
    }
}

/* A new process ends on its way. */
static void processes_that_die_on_their_way_leave_the_result(void **state)
{
    static const char *const ways[] = {"", "XMPI_STRATEGY=serial",
                                       "XMPI_BACKGROUND=1 EVOLVE_PAUSE_MS=40"};
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char settings[256];
        command_t die = command_shell(
            dir, SECONDS, "echo >die; printf 'spawn 2 any 10\nspawn 1 any 20\n' >schedule");
        snprintf(settings, sizeof settings,
                 "XMPI_CHECK=all XMPI_POLICY=schedule XMPI_SCHEDULE=schedule XMPI_INTERVAL=10 "
                 "XMPI_MAX=6 PROCESSES=2 EVOLVE_DIES=exit %s",
                 ways[i]);
        must(settings, "evolve 53 80", 0, "ended before it had joined", NULL);
        assert_int_equal(traced("\"outcome\":\"called off\""), 1);
        assert_int_equal(traced(equal), traced(done));
        command_free(&die);
    }
}

/* Copies would take more than there is. */
static void without_memory_nothing_is_checked(void **state)
{
    (void)state;
    must(with("XMPI_MEMORY_LIMIT=1", pool), "evolve 200000 20", 0,
         "the change is not checked: no memory for ", NULL);
    assert_true(traced(unchecked) > 0 && traced(unchecked) == traced(done));
}

/* Without any iteration more, whatever XMPI_CHECK says. */
static void values_that_are_not_equal_are_named(void **state)
{
    static const char *const modes[] = {"XMPI_CHECK=off", "XMPI_CHECK=all", ""};
    (void)state;
    char *expected = plain("check elected 53 40");
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++) {
            must(with(modes[k], backends[i]), "check elected 53 40", 0,
                 "state is 0 on rank 0, 1 on rank 1, though the loop takes it to be alike on all "
                 "members, and keeps its processes and blocks from now on; the program goes on as "
                 "before\n",
                 expected);
            assert_int_equal(traced("\"event\":\"pinned\""), 1);
        }
    must(with("XMPI_CHECK=abort", spawn), "check elected 53 40", 2, "state is 0 on rank 0", NULL);
    free(expected);
}

/* The real iteration was the last one: there is no change, and no repetition. */
static void the_loop_may_end_before_the_repetition(void **state)
{
    (void)state;
    for (int iterations = 3; iterations <= 10; iterations++) {
        char program[64];
        snprintf(program, sizeof program, "check none 53 %d", iterations);
        char *expected = plain(program);
        for (int i = 0; i < 2; i++)
            must(with("", backends[i]), program, 0, NULL, expected);
        free(expected);
    }
    assert_true(traced("\"event\":\"end\"") == 1);
}

static void a_loop_that_ends_in_the_new_layout_is_told(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++)
        must(with("", backends[i]), "check ends 53 40", 0,
             ", and goes on with 3: what it has come to may be wrong\n", NULL);
}

/* What it says when it ends is not lost. */
static void a_program_that_ends_in_the_repetition_says_why(void **state)
{
    static const char *const programs[] = {"check exits 53 40", "check aborts 53 40",
                                           "check crashes 53 40", "check tires 53 40"};
    static const char says[] =
        "xmpi: the program ends in an iteration that was run a second time, ";
    (void)state;
    for (int i = 0; i < 4; i++) {
        command_t result = run(with("", spawn), programs[i]);
        const char *line = strstr(result.err, says);
        if (result.status == 0 || line == NULL ||
            strstr(result.err, "check: this cannot be\n") == NULL)
            fail_msg("%s: status %d: %s", programs[i], result.status, result.err);
        line += sizeof says - 1;
        assert_int_equal(strncmp(line, "in another layout, to check", 27) == 0, i < 3);
        command_free(&result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_programs_pass_where_repeating_is_shown),
        cmocka_unit_test(right_programs_pass_where_it_is_tried),
        cmocka_unit_test(hundreds_of_changes_pass),
        cmocka_unit_test(all_ways_of_getting_processes_pass),
        cmocka_unit_test(programs_without_types_pass),
        cmocka_unit_test(few_rows_and_one_process_pass),
        cmocka_unit_test(sums_in_another_order_pass),
        cmocka_unit_test(values_that_vary_pass),
        cmocka_unit_test(modes_choose_the_changes),
        cmocka_unit_test(what_is_believed_is_checked_once),
        cmocka_unit_test(what_never_repeats_is_not_checked),
        cmocka_unit_test(files_are_not_written_twice),
        cmocka_unit_test(accumulators_that_do_not_show_are_named),
        cmocka_unit_test(hidden_state_is_seen_when_it_is_repeated),
        cmocka_unit_test(hidden_state_is_seen_in_another_layout),
        cmocka_unit_test(wrong_formulas_are_named),
        cmocka_unit_test(each_kind_of_change_is_checked_once),
        cmocka_unit_test(all_changes_can_be_gone_back_from),
        cmocka_unit_test(old_ghost_rows_are_there_again),
        cmocka_unit_test(abort_ends_the_job),
        cmocka_unit_test(changes_that_are_called_off_leave_the_result),
        cmocka_unit_test(processes_that_die_on_their_way_leave_the_result),
        cmocka_unit_test(without_memory_nothing_is_checked),
        cmocka_unit_test(values_that_are_not_equal_are_named),
        cmocka_unit_test(the_loop_may_end_before_the_repetition),
        cmocka_unit_test(a_loop_that_ends_in_the_new_layout_is_told),
        cmocka_unit_test(a_program_that_ends_in_the_repetition_says_why),
    };
    return cmocka_run_group_tests(tests, build, clean);
}
