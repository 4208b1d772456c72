/* SPDX-License-Identifier: BSD-3-Clause
 * xmpi-simulate with programs that ran: what a trace tells of a program takes as long as the
 * program itself, on the same machine and on others. */
#define _GNU_SOURCE
#include "support/shell.h"

#include <math.h>
#include <unistd.h>

static const char machine[] = "nodes 8\nnetwork switched\nlatency 1e-3\nbandwidth 1e7\n"
                              "technique nop policy=off\n";
static const char program[] = "active 4\nrows 400\nwork 1600\niterations 40\nstate 4e6\n";

static void write_in(const char *name, const char *first, const char *second)
{
    char *path = NULL, text[4096];
    assert_true(asprintf(&path, "%s/%s", dir, name) >= 0);
    snprintf(text, sizeof text, "%s%s", first, second);
    write_file(path, text);
    free(path);
}

static double seconds_of(const char *words)
{
    char *out = sh("xmpi-simulate -q -n 1 -o table --runs - %s | tail -n 1 | cut -d, -f4", words);
    double seconds = atof(out);
    free(out);
    return seconds;
}

static void assert_seconds(const char *words, double expected)
{
    double seconds = seconds_of(words);
    if (!(fabs(seconds - expected) < 1e-6 * expected))
        fail_msg("%s: %.9f s instead of %.9f s", words, seconds, expected);
}

/* 4 members that compute 4 s each: two rounds of what all do together, one after the other. */
static void what_all_do_takes_what_it_should(void **state)
{
    (void)state;
    write_in("four", machine, program);
    assert_seconds("--set pattern=none four", 40 * 4.0);
    assert_seconds("--set pattern=none --set sums=3 --set sums.bytes=1e4 four",
                   40 * (4 + 3 * 2 * 0.002));
    assert_seconds("--set pattern=none --set gathers=1 --set gathers.bytes=4e6 four",
                   40 * (4 + 0.001 + 0.1 + 0.001 + 0.2));
    /* Of three, only one block is left for the second round. */
    assert_seconds("--set pattern=none --set active=3 --set rows=300 --set work=1200 "
                   "--set gathers=1 --set gathers.bytes=3e6 four",
                   40 * (4 + 2 * 0.101));
    /* All messages share one link. */
    assert_seconds("--set pattern=none --set network=shared --set sums=1 --set sums.bytes=1e6 four",
                   40 * (4 + 2 * 0.401));
}

/* As long as the simulation that was recorded; twice as quick; and with other members. */
static void a_trace_takes_as_long_as_its_program(void **state)
{
    static const char *const messages[] = {"pattern none\nsums 1\n",
                                           "pattern halo\nbytes 5e5\nsums 2\nsums.bytes 1000\n"
                                           "gathers 1\ngathers.bytes 3e6\n",
                                           "pattern all\nbytes 2e5\ngathers 2\n"};
    char *text = NULL;
    (void)state;
    write_in("bare", machine, "");
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        assert_true(asprintf(&text, "%s%s", program, messages[i]) >= 0);
        write_in("first", machine, text);
        free(sh_line("xmpi-simulate --trace t first"));
        double seconds = seconds_of("first");
        assert_seconds("--from t bare", seconds);
        assert_seconds("--from t --set speed=200 --set from.speed=100 bare", seconds - 40 * 2);
        assert_seconds("--from t --set active=8 bare", seconds_of("--set active=8 --set state=2e6 "
                                                                  "first"));
        assert_seconds("--from t --set iterations=10 bare", seconds / 4);
        free(text);
    }
    /* A line says it instead, but not where the program is to be another one. */
    write_in("lines", machine, "from t\niterations 20\nbytes 1e5\n");
    assert_seconds("lines", 20 * (4 + 3 * 2e5 / 1e7 + 0 + 0.001 + 2 * (2e-3 + 750 / 1e7)) -
                                20 * 3 * 1e5 / 1e7);
    assert_seconds("--from t lines", seconds_of("first"));
}

/* Two members: of the first iterations, of 1 s in all, the first half of the rows have nine tenths;
 * then there is three times as much, and a quarter of the rows has 29/32 of it. */
static void work_goes_where_it_went(void **state)
{
    const double one = 10 * 0.9, other = 10 * 3 * 0.9375;
    (void)state;
    free(sh_line("awk 'BEGIN { printf \"10 1000\"; for (i = 0; i < 128; i++) printf \" %d\", "
                 "(i < 64 ? 9 : 1); printf \"\\n20 4000\"; for (i = 0; i < 128; i++) "
                 "printf \" %d\", (i >= 32 && i < 64 ? 29 : 1); print \"\" }' >profile"));
    write_in("two", machine,
             "active 2\nrows 256\npattern none\nprofile profile\n"
             "technique dlb policy=balance imbalance=0 window=1 interval=1 changes=free\n");
    assert_seconds("--technique nop two", one + other);
    assert_seconds("--technique nop --set iterations=30 two", one + 2 * other);
    assert_seconds("--technique nop --set work=400 two", 2 * (one + other));
    assert_true(seconds_of("--technique dlb two") < 0.8 * (one + other));
    /* Members' blocks are what a trace knows of where the work is. */
    free(sh_line("xmpi-simulate --technique nop --set sums=1 --trace t two"));
    write_in("again", machine, "from t\n");
    assert_seconds("again", one + other + 20 * 0.0010008);
}

/* A real run: what its simulation says of itself is what the run said. */
static void a_program_that_ran_is_simulated(void **state)
{
    (void)state;
    write_in("bare", machine, "technique each policy=off interval=1\n");
    free(sh_line("cp -r $S/examples/jacobi $S/examples/common . && cd jacobi && "
                 "make CC=xmpicc >/dev/null && ./generate -n 200 system && "
                 "XMPI_POLICY=balance XMPI_INTERVAL=5 XMPI_TRACE=../ran mpiexec -n 2 ./jacobi "
                 "-o solution system && cd .. && xmpi-simulate --from ran --trace told bare"));
    char *ran =
        sh_line("grep -o '\"iterations\":[0-9]*' ran | tail -n 1; "
                "grep -o '\"domain\":[0-9]*' ran; grep -o '\"state\":[0-9]*' ran | head -n 1");
    char *told = sh_line("grep -o '\"iterations\":[0-9]*' told | tail -n 1; "
                         "grep -o '\"domain\":[0-9]*' told; "
                         "grep -o '\"state\":[0-9]*' told | head -n 1");
    assert_string_equal(ran, told);
    /* It gathers x, and sums a norm up. */
    assert_true(count_of("grep -c 'allgatherv\",\"members\":2,\"calls\":1,\"bytes\":800}' told") >
                10);
    assert_true(count_of("grep -c 'allreduce\",\"members\":2,\"calls\":1,\"bytes\":8}' told") > 10);
    free(ran);
    free(told);
}

static void what_cannot_be_simulated_is_refused(void **state)
{
    static const struct {
        const char *make, *words;
    } bad[] = {{"rm -f t", "t: No such file or directory"},
               {"echo nothing >t", "t: this is not a trace of XMPI"},
               {"cp $S/tests/unit/leader/balanced.trace t", "t: it does not tell what messages"},
               {"sed 's/\"policy\":\"[a-z]*\"/\"policy\":\"none\"/' good >t", "was only watched"},
               {"sed 's/\"cpu\":/\"image\":5,\"cpu\":/' good >t", "the loop is not divisible"},
               {"sed 's/\"p2p\"/\"io\"/' good >t", "reads or writes files"},
               {"sed 's/\"domain\":[0-9]*/\"domain\":-1e300/' good >t", "there is no interval"},
               {"sed 's/\"members\":4/\"members\":1e300/' good >t", "do not fit on"},
               {"grep -v 'event\":\"interval' good >t", "there is no interval"},
               {"sed 's/,\"state\":[0-9]*//' good >t", "say state"},
               {"xmpi-simulate --set active=1 --trace t first", "it was one process only"}};
    (void)state;
    write_in("bare", machine, "");
    write_in("first", machine, "active 4\nbytes 1e6\nsums 1\niterations 5\nwork 400\n");
    free(sh_line("xmpi-simulate --trace good first"));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        free(sh_line(bad[i].make));
        command_t command = shell_run("xmpi-simulate -q -n 1 --from t bare");
        const char *end = strchr(command.err, '\n');
        if (command.status != 2 || strstr(command.err, bad[i].words) == NULL || end == NULL ||
            end[1] != '\0')
            fail_msg("%s: status %d\n%s%s", bad[i].make, command.status, command.out, command.err);
        command_free(&command);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_all_do_takes_what_it_should),
        cmocka_unit_test(a_trace_takes_as_long_as_its_program),
        cmocka_unit_test(work_goes_where_it_went),
        cmocka_unit_test(a_program_that_ran_is_simulated),
        cmocka_unit_test(what_cannot_be_simulated_is_refused),
    };
    char path[4096];
    snprintf(path, sizeof path, "%s/obj/xmpicc/simulate/network/simgrid.o", build_dir());
    if (access(path, R_OK) != 0)
        return 0; /* test_simulate says what is missing then */
    return cmocka_run_group_tests(tests, setup, teardown);
}
