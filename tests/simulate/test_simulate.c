/* SPDX-License-Identifier: BSD-3-Clause
 * xmpi-simulate: seconds that can be calculated by hand, the same decisions and results whoever
 * makes them, a trace that xmpi-report shows, and scenarios that are none. */
#define _GNU_SOURCE
#include "support/shell.h"

#include <math.h>
#include <stdbool.h>
#include <unistd.h>

#include "support/trace_schema.h"

/* Two processes that compute for 2 s each; and what else is asked for. */
static const char plain[] = "nodes 3\nactive 2\nspares 1\nspeed 100\nwork 400\nrows 2\n"
                            "iterations 10\nstart order\npattern none\nbandwidth 6e6\n"
                            "latency 1e-3\nstate 6e6\nwake 0\n";
static const char greedy[] = "policy=swap swap=greedy imbalance=1 interval=1";

/* Whether a line of TEXT begins with the word that LINE begins with, or varies it. */
static bool says(const char *text, const char *line)
{
    size_t length = strcspn(line, " ") + 1;
    for (const char *at = text; at != NULL && *at != '\0';
         at = strchr(at, '\n'), at += at != NULL) {
        const char *key = strncmp(at, "vary ", 5) == 0 ? at + 5 : at;
        if (strncmp(key, line, length) == 0)
            return true;
    }
    return false;
}

/* A scenario of the lines MORE, and of those of the plain one that say something else. */
static void write_scenario(const char *name, const char *more)
{
    char *path = NULL, text[2048] = "";
    assert_true(asprintf(&path, "%s/%s", dir, name) >= 0);
    for (const char *line = plain; *line != '\0'; line += strcspn(line, "\n") + 1)
        if (!says(more, line))
            strncat(text, line, strcspn(line, "\n") + 1);
    strcat(text, more);
    write_file(path, text);
    free(path);
}

/* The seconds of the last technique of the plain scenario with the lines MORE, one seed. */
static double seconds_of(const char *more)
{
    write_scenario("one", more);
    char *out = sh_line("xmpi-simulate -q -n 1 -o table --runs - one | tail -n 1 | cut -d, -f4");
    double seconds = atof(out);
    free(out);
    return seconds;
}

static void assert_seconds(const char *more, double expected)
{
    double seconds = seconds_of(more);
    if (!(fabs(seconds - expected) < 1e-6))
        fail_msg("%s: %.9f s instead of %.9f s", more, seconds, expected);
}

static void write_loads(const char *text)
{
    char *path = NULL;
    assert_true(asprintf(&path, "%s/loads", dir) >= 0);
    write_file(path, text);
    free(path);
}

static void iterations_take_what_they_should(void **state)
{
    (void)state;
    assert_seconds("technique nop policy=off\n", 20);
    assert_seconds("startup 0.75\ntechnique nop policy=off\n", 21.5);
    assert_seconds("startup 0.75\ntechnique all policy=off launched=all pause=0.1\n", 23.25);
    /* 6 MB to each other, through one link or two. */
    assert_seconds("pattern ring\nbytes 6e6\ntechnique nop policy=off\n", 10 * (2 + 2.001));
    assert_seconds("network switched\npattern halo\nbytes 6e6\ntechnique nop policy=off\n",
                   10 * (2 + 1.001));
    assert_seconds("network switched\nactive 3\nspares 0\nrows 3\npattern all\nbytes 6e6\n"
                   "work 600\ntechnique nop policy=off\n",
                   10 * (2 + 2.001));
    /* Within a node it takes no time. */
    assert_seconds("nodes 1\ncores 3\npattern all\nbytes 6e6\ntechnique nop policy=off\n", 20);
}

static void loads_take_their_share(void **state)
{
    (void)state;
    write_loads("0s n0 load=1\n");
    assert_seconds("load file\nload.file loads\ntechnique nop policy=off\n", 40);
    write_loads("5s n0 load=1 # in the third iteration\n29s n0 load=0\n");
    assert_seconds("load file\nload.file loads\ntechnique nop policy=off\n",
                   2 * 2 + 3 + 5 * 4 + 3 + 2);
    assert_seconds("load file\nload.file loads\nload.scale 2\ntechnique nop policy=off\n",
                   5 * 2 + 5 * 4);
    write_loads("0s n2 load=9\n");
    assert_seconds("load file\nload.file loads\ntechnique nop policy=off\n", 20);
}

/* One of the two goes to the idle one after an iteration of 8 s, and takes 6 MB with it. */
static void changes_cost_what_moves(void **state)
{
    static const struct {
        const char *how;
        double seconds;
    } way[] = {{"all", 1.001}, {"pair", 1.001}, {"checkpoint", 2 * 2.001}, {"free", 0}};
    (void)state;
    write_loads("0s n0 load=3\n");
    for (size_t i = 0; i < sizeof way / sizeof *way; i++) {
        char more[512];
        snprintf(more, sizeof more, "load file\nload.file loads\ntechnique swap %s changes=%s\n",
                 greedy, way[i].how);
        assert_seconds(more, 8 + way[i].seconds + 9 * 2);
    }
}

/* Spares that compute for so long to say something say it once in ten thousand times that. */
static void spares_say_seldom_what_costs_much(void **state)
{
    (void)state;
    char more[512];
    write_loads("0s n0 load=3\n");
    for (int seldom = 0; seldom < 2; seldom++) {
        snprintf(more, sizeof more,
                 "look %s\nload file\nload.file loads\ntechnique swap %s changes=free\n",
                 seldom ? "9e-4" : "7e-4", greedy);
        assert_seconds(more, seldom ? 2 * 8 + 8 * 2 : 8 + 9 * 2);
    }
}

/* As in programs that run, whose setup is in it. */
static void first_iteration_after_a_change_is_not_measured(void **state)
{
    (void)state;
    write_loads("0s n0 load=3\n");
    write_scenario("one", "load file\nload.file loads\ntechnique swap policy=swap swap=greedy "
                          "imbalance=1 interval=3\n");
    free(sh_line("xmpi-simulate -q -n 1 --trace=settled one"));
    char *out = sh_line("grep '\"event\":\"interval\"' settled | grep -o '\"iterations\":[0-9]*' | "
                        "grep -o '[0-9]*$' | tr '\\n' ' '");
    assert_string_equal(out, "3 2 3 ");
    free(out);
}

/* A load that has gone at the end of the first iteration, of 5 s, is seen in the interval only. */
static void loads_are_seen_in_the_interval_or_at_its_end(void **state)
{
    (void)state;
    char more[512];
    write_loads("0s n0 load=3\n4s n0 load=0\n");
    for (int moment = 0; moment < 2; moment++) {
        snprintf(more, sizeof more, "load file\nload.file loads\ntechnique swap %s sees=%s\n",
                 greedy, moment ? "moment" : "interval");
        assert_seconds(more, 5 + (moment ? 0 : 1.001) + 9 * 2);
    }
}

/* 6 MB of each process, of which 2 MB fit: three pieces are read and written. Two on a node share
 * its memory and its disk. */
static void rows_that_do_not_fit_are_on_disk(void **state)
{
    static const char disk[] = "disk.bandwidth 1e7\ndisk.latency 0.01\n";
    char more[512];
    (void)state;
    snprintf(more, sizeof more, "memory 2e6\n%stechnique nop policy=off\n", disk);
    assert_seconds(more, 10 * (2 + 2 * (3 * 0.01 + 0.6)));
    snprintf(more, sizeof more, "memory 2e6\nnodes 1\ncores 3\n%stechnique nop policy=off\n", disk);
    assert_seconds(more, 10 * (2 + 2 * (6 * 0.01 + 1.2)));
    snprintf(more, sizeof more, "memory 6e6\n%stechnique nop policy=off\n", disk);
    assert_seconds(more, 20);
}

/* Who has little memory has rows taken away until the others fit: with this seed it is so, and the
 * iterations take less than half as long. */
static void rows_go_where_there_is_memory(void **state)
{
    (void)state;
    write_scenario("small", "nodes 4\nactive 4\nspares 0\nrows 4000\nwork 160\niterations 100\n"
                            "state 4e6\nmemory 1e6\nmemory.most 2e7\ndisk.bandwidth 1e7\n"
                            "disk.latency 0.01\nbandwidth 1e8\ntechnique nop policy=off\n"
                            "technique balance policy=balance\n");
    assert_int_equal(count_of("xmpi-simulate -q -n 10 -o t --runs - small | tail -n +2 | awk -F, '"
                              "$2 == \"nop\" { nop[$3] = $4 } $2 != \"nop\" { of[$3] = $4 } "
                              "END { for (i in nop) { worse += of[i] > 1.05 * nop[i]; "
                              "better += of[i] < 0.5 * nop[i] } print (better > 0 && !worse) }'"),
                     1);
}

/* The quickest that nobody else uses are those that begin. */
static void the_fastest_begin(void **state)
{
    (void)state;
    write_loads("0s n0 load=3\n");
    assert_seconds("start fastest\nload file\nload.file loads\ntechnique nop policy=off\n", 20);
}

/* Rows go where they are done sooner: 3 of 4 to the quicker one. (A row of 4 is 1 s.) */
static void rows_are_divided(void **state)
{
    (void)state;
    write_loads("0s n0 load=2\n");
    assert_seconds("rows 4\nload file\nload.file loads\n"
                   "technique dlb policy=balance imbalance=0 window=1 interval=1 changes=free\n",
                   6 + 9 * 3);
}

static const char many[] = "speed.most 300\nnodes 12\nspares -1\nrows 100\niterations 40\n"
                           "load onoff\nvary load.step 100 5\n"
                           "technique nop policy=off\n"
                           "technique swap policy=swap interval=2\n";

static void write_many(void)
{
    write_scenario("many", many);
}

static void results_are_the_same_each_time(void **state)
{
    (void)state;
    write_many();
    free(sh_line("xmpi-simulate -q -n 5 -j 1 -o t1 --runs r1 many && "
                 "xmpi-simulate -q -n 5 -j 4 -o t4 --runs r4 many && cmp r1 r4 && cmp t1 t4 && "
                 "test $(wc -l <r1) = 21 && "
                 "xmpi-simulate -q -n 1 -s 4 --runs r many -o t && "
                 "awk -F, '$3 == 4' r1 >g1 && tail -n +2 r | cmp - g1"));
    assert_int_equal(count_of("grep ^5,swap, r1 | cut -d, -f4 | sort -u | wc -l"), 5);
}

static void claims_are_counted(void **state)
{
    (void)state;
    write_many();
    char *out = sh_line("{ cat many; echo claim 5 swap below 1.0001 nop; "
                        "echo claim 100 nop above 2 nop; echo claim 5 swap below 1 nop; } >claims; "
                        "xmpi-simulate -q -n 5 --claims --runs r claims");
    int swaps = count_of("grep ^5, r | sort -t, -k3n | awk -F, '{ s[$2 $3] = $4 } "
                         "END { for (i = 1; i <= 5; i++) n += s[\"swap\" i] < s[\"nop\" i]; "
                         "print 20 * n }'");
    char expected[256];
    snprintf(expected, sizeof expected,
             "load.step,claim,percent_of_seeds\n5,swap below 1.0001 nop,%d\n"
             "100,nop above 2 nop,0\n5,swap below 1 nop,%d\n",
             swaps, swaps);
    assert_true(swaps > 0);
    assert_string_equal(out, expected);
    free(out);
}

/* Whoever divides rows under loads that nobody can follow loses little to who never does. */
static void chaos_costs_little(void **state)
{
    (void)state;
    free(sh_line("xmpi-simulate -q -n 30 --claims \"$S\"/scenarios/chaotic | "
                 "grep -E '^[125],balance' >held; cat held >&2; "
                 "test $(wc -l <held) = 3 && ! grep -v ',100$' held"));
}

static void a_trace_is_shown(void **state)
{
    (void)state;
    write_many();
    free(sh_line("xmpi-simulate --set load.step=5 --trace t many"));
    char *trace = sh_line("cat t");
    trace_schema_check_lines(trace);
    free(trace);
    assert_true(changes_in_trace() > 0);
    assert_int_equal(count_of("xmpi-report -c -o - t | tail -n +2 | cut -d, -f1 | sort -u | wc -l"),
                     19);
}

/* A curve for each technique; values that are no numbers are points as well. */
static void a_figure_is_drawn(void **state)
{
    (void)state;
    write_many();
    free(sh_line("xmpi-simulate -q -n 2 -o t -p one.svg many && "
                 "sed 's/^vary.*/vary network switched shared/' many >words && "
                 "xmpi-simulate -q -n 1 -o t -p words.svg words"));
    assert_int_equal(count_of("cat one.svg words.svg | grep -c '<svg'"), 2);
    assert_int_equal(count_of("grep -o '>[a-z]*</text>' one.svg | grep -cE '>(nop|swap)<'"), 2);
    assert_int_equal(count_of("grep -o '>[a-z]*</text>' words.svg | grep -cE '>s(witched|hared)<'"),
                     2);
    command_t command = shell_run("xmpi-simulate -q -n 1 -o t -p none/f.svg many");
    assert_int_equal(command.status, 2);
    assert_non_null(strstr(command.err, "none/f.svg"));
    command_free(&command);
}

static void bad_scenarios_are_one_line(void **state)
{
    static const struct {
        const char *text, *words;
    } bad[] = {{"", "no technique"},
               {"nodes none\n", "line 1: nodes none: must be a whole number"},
               {"\nnodes 0\n", "line 2: nodes 0"},
               {"network tube\n", "must be one of shared switched"},
               {"frobs 3\n", "there is no key frobs"},
               {"nodes\n", "expected a value"},
               {"technique a policy=none\n", "XMPI_POLICY=none"},
               {"technique a policy=off frobs=1\n", "there is no frobs"},
               {"technique a trace=t\n", "trace is not simulated"},
               {"technique a policy=off changes=some\n", "changes=some"},
               {"technique a policy=off\ntechnique a policy=off\n", "two techniques"},
               {"nodes 3\ncores 2\nnodes 4\n", "line 3: nodes has a line above"},
               {"nodes 3\nvary nodes 4\n", "line 2: nodes has a line above"},
               {"vary nodes 4\nnodes 3\n", "line 2: nodes has a line above"},
               {"vary nodes 4 5 4\n", "4: a value twice"},
               {"title a\ntitle b\n", "title has a line above"},
               {"technique a policy=off policy=swap\n", "policy= twice"},
               {"technique a pause=1 policy=off pause=1\n", "pause= twice"},
               {"technique a policy=map\n", "policy=map is not simulated"},
               {"technique a policy=migrate\n", "policy=migrate is not simulated"},
               {"technique a policy=schedule\n", "XMPI_SCHEDULE"},
               {"technique a policy=off\nactive 33\n", "do not fit"},
               {"technique a policy=off\nvary nodes 8 0\n", "nodes 0"},
               {"technique a policy=off\nvary frobs 3\n", "vary needs a key"},
               {"technique a policy=off\nload file\n", "needs load.file"},
               {"technique a policy=off\nclaim 3 a below 1 a\n", "no such point"},
               {"technique a policy=off\nvary nodes 4\nclaim 4 a about 1 a\n", "expected claim"},
               {"technique a policy=off\nload file\nload.file none\n", "none"},
               {"technique a policy=off\njobs 9\n", "network: that of a workload is switched"},
               {"technique a policy=off\njobs 9\nnetwork switched\nload onoff\n",
                "load: there are no loads beside a workload"},
               {"technique a policy=off\nload file\nload.file bad\n", "expected \"WHENs"}};
    (void)state;
    free(sh_line("echo 1 n0 >bad"));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *path = NULL;
        assert_true(asprintf(&path, "%s/scenario", dir) >= 0);
        write_file(path, bad[i].text);
        command_t command = shell_run("xmpi-simulate -q scenario");
        const char *end = strchr(command.err, '\n');
        if (command.status != 2 || strstr(command.err, bad[i].words) == NULL || end == NULL ||
            end[1] != '\0')
            fail_msg("%s: status %d\n%s", bad[i].text, command.status, command.err);
        command_free(&command);
        free(path);
    }
}

static void the_keys_are_documented(void **state)
{
    (void)state;
    free(
        sh_line("xmpi-simulate --keys | while IFS= read -r line; do "
                "grep -qxF -- \"$line\" $S/docs/simulate.md || { echo \"$line\"; exit 1; }; done"));
}

/* A file that is not there is named once, and whoever asks for claims where there are none is told
 * so. */
static void what_is_missing_is_named(void **state)
{
    static const struct {
        const char *command, *complaint;
    } missing[] = {
        {"xmpi-simulate none", "xmpi-simulate: none: No such file or directory\n"},
        {"{ cat many; echo load file; echo load.file no; } | sed '/^load onoff/d;s/^vary.*//' >s; "
         "xmpi-simulate -q s",
         "xmpi-simulate: no: No such file or directory\n"},
        {"xmpi-simulate --output none/table scenario-that-is-not-read",
         "xmpi-simulate: none/table: No such file or directory\n"},
        {"xmpi-simulate --runs . scenario-that-is-not-read", "xmpi-simulate: .: Is a directory\n"},
        {"xmpi-simulate --claims many",
         "xmpi-simulate: many: nothing is claimed of what is to be simulated; claims are of all "
         "points and techniques of a scenario\n"}};
    (void)state;
    write_many();
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        command_t command = shell_run(missing[i].command);
        assert_int_equal(command.status, 2);
        assert_string_equal(command.err, missing[i].complaint);
        command_free(&command);
    }
}

/* All that come with XMPI can be read, and their techniques be run. */
static void scenarios_run(void **state)
{
    (void)state;
    free(sh_line("for s in $S/scenarios/*; do case $s in *.loads) continue;; esac; "
                 "few=iterations=3; grep -q '^jobs ' $s && few=jobs=20; "
                 "xmpi-simulate -q -n 1 --set $few $s >/dev/null || exit 1; done"));
}

/* Where XMPI was built without SimGrid. */
static void it_is_said_what_is_missing(void **state)
{
    (void)state;
    command_t command = shell_run("xmpi-simulate one");
    assert_int_equal(command.status, 2);
    assert_non_null(strstr(command.err, "install libsimgrid-dev"));
    command_free(&command);
}

int main(void)
{
    const struct CMUnitTest missing[] = {cmocka_unit_test(it_is_said_what_is_missing)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(iterations_take_what_they_should),
        cmocka_unit_test(loads_take_their_share),
        cmocka_unit_test(changes_cost_what_moves),
        cmocka_unit_test(spares_say_seldom_what_costs_much),
        cmocka_unit_test(first_iteration_after_a_change_is_not_measured),
        cmocka_unit_test(loads_are_seen_in_the_interval_or_at_its_end),
        cmocka_unit_test(rows_that_do_not_fit_are_on_disk),
        cmocka_unit_test(rows_go_where_there_is_memory),
        cmocka_unit_test(the_fastest_begin),
        cmocka_unit_test(rows_are_divided),
        cmocka_unit_test(results_are_the_same_each_time),
        cmocka_unit_test(claims_are_counted),
        cmocka_unit_test(chaos_costs_little),
        cmocka_unit_test(a_trace_is_shown),
        cmocka_unit_test(a_figure_is_drawn),
        cmocka_unit_test(bad_scenarios_are_one_line),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(the_keys_are_documented),
        cmocka_unit_test(scenarios_run)};
    char path[4096];
    snprintf(path, sizeof path, "%s/obj/xmpicc/simulate/network/simgrid.o", build_dir());
    return access(path, R_OK) == 0 ? cmocka_run_group_tests(tests, setup, teardown)
                                   : cmocka_run_group_tests(missing, setup, teardown);
}
