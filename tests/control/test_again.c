/* SPDX-License-Identifier: BSD-3-Clause
 * xmpirun starts a job again that has lost a process: whoever it is and whenever it happens, the
 * job ends with the right result, and nothing is left behind. SOAK is how many are killed of each
 * kind (3).
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"
#include "support/program.h"

enum { SECONDS = 60 };

static char *dir;

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    return program_build(dir, "evolve", "");
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

static const char wanted[] = "evolve: ok 200 1294555236\n";

/* For each NUMBER a run, of which one process is killed: which and when follows from the number.
 * Prints "number, xmpirun's status, right results, processes left, how often it was started again".
 */
static const char kill_one[] =
    "one() { me=$PWD/run.$1/evolve; mkdir run.$1; cp evolve run.$1; "
    "    timeout -k 1 %d '%s'/bin/xmpirun -q %s --checkpoint run.$1/saved --checkpoint-interval 0 "
    "        \"$me\" 40 200 >run.$1/out 2>run.$1/err & job=$!; "
    "    sleep 0.$((3 + $1 * 5 %% 7)); pids=$(pgrep -f \"^$me\"); n=$(echo $pids | wc -w); "
    "    [ $n = 0 ] || kill -9 $(echo $pids | cut -d' ' -f$((1 + $1 * 7 %% n))) 2>/dev/null; "
    "    wait $job; status=$?; for try in $(seq 80); do left=$(pgrep -fc \"^$me\"); "
    "        [ $left = 0 ] && break; sleep 0.5; done; "
    "    echo $1 $status $(grep -c '^evolve: ok 200 1294555236' run.$1/out) $left $(grep -c "
    "'started "
    "again' run.$1/err); "
    "    [ $status = 0 ] || cat run.$1/err >&2; rm -r run.$1; }; "
    "export XMPI_TIMEOUT=5 XMPI_INTERVAL=5 EVOLVE_PAUSE_MS=3; "
    "for number in $(seq %d); do XMPI_SEED=$number one $number & "
    "    [ $((number %% 3)) = 0 ] && wait; done; wait";

/* How often it was started again: once is enough. */
static int check_line(const char *options, const char *line, const char *err)
{
    int number, status, right, left, again;
    if (sscanf(line, "%d %d %d %d %d", &number, &status, &right, &left, &again) != 5 ||
        status != 0 || left != 0 || right < 1 || again > 1)
        fail_msg("%s: %s\n%s", options, line, err);
    return again;
}

static void kill_many(const char *options)
{
    int kills = getenv("SOAK") != NULL ? atoi(getenv("SOAK")) : 3, lines = 0, again = 0;
    command_t result =
        command_shell(dir, 60 + 30 * kills, kill_one, 4 * SECONDS, build_dir(), options, kills);
    char *rest = NULL;
    for (char *line = strtok_r(result.out, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest), lines++)
        again += check_line(options, line, result.err);
    assert_int_equal(lines, kills);
    command_free(&result);
    print_message("%s: %d of %d were started again\n", options, again, kills);
}

static void a_killed_process_costs_time_alone(void **state)
{
    (void)state;
    kill_many("-n 4");
    kill_many("-n 2 --policy random --max 5");
    kill_many("-n 2 --policy random --max 5 --strategy concurrent");
    kill_many("-n 2 --policy random --spares 3");
}

/* Runs xmpirun with OPTIONS, one after another in the same folder. */
static command_t run(const char *settings, const char *options)
{
    return command_shell(dir, SECONDS,
                         "export XMPI_INTERVAL=5 EVOLVE_PAUSE_MS=1 %s; rm -rf saved; "
                         "'%s'/bin/xmpirun -q -n 3 --checkpoint saved --checkpoint-interval 0 %s "
                         "./evolve 40 200",
                         settings, build_dir(), options);
}

static void what_ends_itself_is_not_started_again(void **state)
{
    (void)state;
    static const struct {
        const char *settings;
        int status;
    } ways[] = {{"EVOLVE_ENDS=abort", 7}, {"EVOLVE_ENDS=exit", 0}};
    for (int i = 0; i < 2; i++) {
        command_t got = run(ways[i].settings, "");
        if (got.status == 0 || (ways[i].status != 0 && got.status != ways[i].status) ||
            strstr(got.err, "started again") != NULL)
            fail_msg("%s: status %d: %s%s", ways[i].settings, got.status, got.out, got.err);
        command_free(&got);
    }
}

/* mpiexec may say 0, too, where it has lost a process and killed all others, and what they have
 * printed is lost. Told not to kill them it has waited for the end. */
static void a_status_of_0_is_not_believed(void **state)
{
    (void)state;
    static const struct {
        const char *option, *starts;
    } ways[] = {{"", "2\n"}, {"-disable-auto-cleanup", "1\n"}};
    for (int i = 0; i < 2; i++) {
        command_t got = command_shell(
            dir, SECONDS,
            "rm -rf zero saved; cat >lossy <<'END'\n#!/bin/sh\n"
            "n=$(cat zero 2>/dev/null || echo 0); echo $((n + 1)) >zero\n"
            "if [ $n = 0 ]; then out=lost; else out=/dev/stdout; fi\n"
            "'%s'/bin/mpiexec \"$@\" >$out || exit\n"
            "[ $n -gt 0 ] || echo '=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES'\n"
            "END\nchmod 755 lossy; "
            "'%s'/bin/xmpirun -q --mpiexec ./lossy -n 2 --checkpoint saved %s ./evolve 40 200 "
            "    >said 2>&1; cat lost; grep ^evolve said; cat zero",
            build_dir(), build_dir(), ways[i].option);
        char wanted_text[128];
        snprintf(wanted_text, sizeof wanted_text, "%s%s%s", wanted, i == 0 ? wanted : "",
                 ways[i].starts);
        assert_string_equal(got.out, wanted_text);
        command_free(&got);
    }
    static const char words[] = "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES";
    command_t got = command_shell(
        dir, SECONDS,
        "printf '#!/bin/sh\\necho \"%s\"\\n' >lossy; chmod 755 lossy; "
        "'%s'/bin/xmpirun -q --mpiexec ./lossy -n 2 true >said; echo $?; "
        "'%s'/bin/xmpirun -q --mpiexec ./lossy -disable-auto-cleanup -n 2 true >said; "
        "echo $?",
        words, build_dir(), build_dir());
    assert_string_equal(got.out, "1\n0\n");
    command_free(&got);
}

/* Without checkpoints: one line says who it was, and what would have let the job go on. (Of several
 * processes another one may end first, as it has lost its connection to the killed one, and then
 * that is what mpiexec tells.) */
static void who_was_killed_is_told(void **state)
{
    (void)state;
    command_t got = command_shell(
        dir, SECONDS,
        "export EVOLVE_PAUSE_MS=3; me=$PWD/evolve; "
        "'%s'/bin/xmpirun --interval 5 --trace loss -n 1 \"$me\" 40 20000 >out 2>&1 & job=$!; "
        "until [ \"0$(grep -cs interval loss)\" -gt 40 ]; do sleep 0.1; done; "
        "pid=$(pgrep -f \"^$me\" | head -1); kill -9 $pid; wait $job; "
        "grep -c \"^xmpirun: process $pid on node [^ ]* was ended by a signal: Killed (signal 9); "
        "with --checkpoint FOLDER the job would have gone on by itself$\" out; "
        "cat out >&2; '%s'/bin/xmpirun -n 2 sh -c 'exit 9' 2>&1 | grep 'xmpirun: process'",
        build_dir(), build_dir());
    if (strcmp(got.out, "1\n") != 0)
        fail_msg("\"%s\"\n%s", got.out, got.err);
    command_free(&got);
}

/* By the leader, or another, which the leader is killed for: then whoever looks for jobs forgets
 * it.
 */
static void what_ends_in_the_loop_leaves_nothing_to_be_found(void **state)
{
    (void)state;
    static const char *const runs[] = {"mpiexec -n 1", "xmpirun -q -n 3"};
    for (int i = 0; i < 2; i++) {
        command_t got = command_shell(dir, SECONDS,
                                      "export EVOLVE_ENDS=exit XMPI_CONTROL=\"$PWD/ended.sock\" "
                                      "XMPI_JOBS=\"$PWD/jobs\"; "
                                      "'%s'/bin/%s ./evolve 40 200 >out 2>&1; status=$?; "
                                      "[ ! -e ended.sock ] || echo left; "
                                      "for i in $(seq %d); do '%s'/bin/xmpictl list >list; "
                                      "[ \"$(ls jobs)\" ] || break; sleep 0.1; done; ls jobs; "
                                      "exit $status",
                                      build_dir(), runs[i], 200 * i, build_dir());
        if (got.status == 0 || got.out[0] != '\0')
            fail_msg("%s: status %d: %s%s", runs[i], got.status, got.out, got.err);
        command_free(&got);
    }
}

static int count(const char *text, const char *what)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
        n++;
    return n;
}

/* It is killed in iteration 50 each time, and gets no further than a checkpoint of that. */
static void what_gets_no_further_is_given_up(void **state)
{
    (void)state;
    command_t got = run("EVOLVE_ENDS=kill", "");
    int times = count(got.err, "it is started again, from iteration ");
    if (got.status == 0 || times < 1 || times > 20 || count(got.err, "some 0 iterations") != 0 ||
        count(got.err, "the job is not started again, as it did not get further than before\n") !=
            1)
        fail_msg("status %d: %s%s", got.status, got.out, got.err);
    command_free(&got);
    got = run("EVOLVE_ENDS=kill", "--retries 0");
    if (got.status == 0 || strstr(got.err, "started again") != NULL)
        fail_msg("status %d: %s%s", got.status, got.out, got.err);
    command_free(&got);
}

/* Of a loop that has no checkpoints none will ever be there. */
static void a_loop_without_checkpoints_begins_anew(void **state)
{
    (void)state;
    command_t got = command_shell(
        dir, SECONDS,
        "cat >rooted.c <<'END'\n"
        "#include <mpi.h>\n#include <xmpi_gen.h>\n#include <signal.h>\n#include <stdio.h>\n"
        "#include <unistd.h>\n"
        "int main(void)\n{\n    int one = 1, rank;\n    xmpi_gen_program(1);\n    MPI_Init(0, 0);\n"
        "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    xmpi_gen_domain(2);\n"
        "    xmpi_gen_refresh(XMPI_GEN_DISPL, &rank, sizeof rank);\n"
        "    xmpi_gen_refresh(XMPI_GEN_COUNT, &one, sizeof one);\n    xmpi_gen_root();\n"
        "    xmpi_gen_loop_begin(\"x.c:1\", 0);\n    for (int i = 0; i < 9; i++) {\n"
        "        xmpi_gen_point();\n        MPI_Barrier(MPI_COMM_WORLD);\n"
        "        if (i == 5 && rank == 1 && access(\"died\", F_OK) != 0) {\n"
        "            fclose(fopen(\"died\", \"w\"));\n            raise(SIGKILL);\n        }\n"
        "    }\n    xmpi_gen_loop_end();\n    MPI_Finalize();\n    return 0;\n}\nEND\n"
        "'%s'/bin/mpicc rooted.c -I'%s'/include -o rooted -L'%s'/lib -lxmpi -Wl,-rpath,'%s'/lib && "
        "rm -rf saved && '%s'/bin/xmpirun -q -n 2 --checkpoint saved ./rooted",
        build_dir(), build_dir(), build_dir(), build_dir(), build_dir());
    if (got.status != 0 ||
        count(got.err, "x.c:1: no checkpoints of this loop: rank 0 has something") != 2 ||
        count(got.err, "started again, from its beginning: there are no checkpoints of this "
                       "loop; ") != 1)
        fail_msg("status %d: %s%s", got.status, got.out, got.err);
    command_free(&got);
}

static double number_behind(const char *text, const char *what)
{
    const char *at = strstr(text, what);
    if (at == NULL)
        fail_msg("there is no %s in %s", what, text);
    return strtod(at + strlen(what), NULL);
}

/* The first checkpoint is the only one: what was done since is done again. What the trace says at
 * the end is of both starts. */
static void what_is_lost_is_in_the_trace(void **state)
{
    (void)state;
    command_t got = command_shell(
        dir, SECONDS,
        "export XMPI_INTERVAL=5 XMPI_TRACE=$PWD/trace EVOLVE_PAUSE_MS=5; rm -rf saved; cp evolve "
        "traced; '%s'/bin/xmpirun -q -n 2 --checkpoint saved --checkpoint-interval 1000 "
        "\"$PWD/traced\" 40 400 >out 2>err & job=$!; "
        "until [ -e saved/set-000000001/whole ] || [ $((tries += 1)) = 300 ]; do sleep 0.1; done; "
        "sleep 0.7; pkill -9 -o -f \"^$PWD/traced\"; wait $job || exit 1; cat err; "
        "grep '\"event\":\"end\"' trace; grep -c '\"event\":\"restart\"' trace; "
        "'%s'/bin/xmpi-report trace "
        "-o page.html && grep -c 'node-seconds held' page.html",
        build_dir(), build_dir());
    if (got.status != 0)
        fail_msg("status %d: %s%s", got.status, got.out, got.err);
    double said = number_behind(got.out, "from iteration ") > 0
                      ? number_behind(strstr(got.out, "from iteration "), "; ")
                      : 0;
    const char *end = strstr(got.out, "\"node_seconds\"");
    assert_non_null(end);
    double lost = number_behind(end, "\"lost\":"), used = number_behind(end, "\"used\":");
    if (!(said > 0 && lost >= 0.99 * said && used >= lost)) /* said with three digits */
        fail_msg("%g s are lost, says xmpirun: %s", said, got.out);
    command_free(&got);
}

/* What processes print whose proxy was killed is lost, and mpiexec waits for them. If they went on
 * it would start again from a checkpoint near the end. */
static void who_has_lost_its_proxy_ends(void **state)
{
    (void)state;
    command_t got = command_shell(
        dir, SECONDS,
        "export XMPI_INTERVAL=5 EVOLVE_PAUSE_MS=20; rm -rf saved; cp evolve left; "
        "'%s'/bin/xmpirun -q -n 3 --checkpoint saved --checkpoint-interval 0 \"$PWD/left\" 40 200 "
        ">out 2>err & job=$!; "
        "until [ -e saved/set-000000001/whole ] || [ $((tries += 1)) = 300 ]; do sleep 0.1; done; "
        "kill -9 $(ps -o ppid= -p $(pgrep -o -f \"^$PWD/left\")); "
        "wait $job; status=$?; cat out; cat err >&2; exit $status",
        build_dir());
    if (got.status != 0 || strcmp(got.out, wanted) != 0 ||
        count(got.err, "started again, from iteration ") != 1)
        fail_msg("status %d: %s%s", got.status, got.out, got.err);
    assert_in_range((int)number_behind(got.err, "started again, from iteration "), 1, 120);
    command_free(&got);
}

/* Of what mpiexec has lost sight: all where the job did not end well; else proxies, with what they
 * have started, and not what the program has left behind of its own accord. */
static void no_process_outlives_its_job(void **state)
{
    (void)state;
    static const struct {
        const char *end, *left;
    } ways[] = {{"exit 3", "3 0\n"}, {"kill -9 $$", "137 0\n"}, {"exit 0", "0 1 2000\n"}};
    command_t made = command_shell(
        dir, SECONDS,
        "cp /bin/sleep left; cp /bin/sh hydra_pmi_proxy; cat >forgetful <<'END'\n#!/bin/sh\n"
        "setsid \"$PWD\"/left 2000 >/dev/null 2>&1 &\n"
        "setsid ./hydra_pmi_proxy -c '\"$PWD\"/left 1000; :' >/dev/null 2>&1 &\n"
        "until [ $(pgrep -fc \"^$PWD/left\") = 2 ]; do sleep 0.1; done\n"
        "eval \"$END\"\nEND\nchmod 755 forgetful");
    assert_int_equal(made.status, 0);
    command_free(&made);
    for (int i = 0; i < 3; i++) {
        command_t got = command_shell(
            dir, SECONDS,
            "END='%s' '%s'/bin/xmpirun -q --mpiexec ./forgetful -n 1 ./evolve; status=$?; "
            "echo $status $(pgrep -fc \"^$PWD/left\") $(pgrep -fa \"^$PWD/left\" | sed 's/.* //'); "
            "pkill -9 -f \"^$PWD/left\"; :",
            ways[i].end, build_dir());
        if (strcmp(got.out, ways[i].left) != 0)
            fail_msg("%s: \"%s\" %s", ways[i].end, got.out, got.err);
        command_free(&got);
    }
}

/* mpiexec tells of it on standard output. What the program prints stays what it is, even where it
 * looks the same. */
static void what_mpiexec_tells_is_no_output(void **state)
{
    (void)state;
    static const char frame[] =
        "================================================================================";
    /* (One process: of several, others may end by an error of MPI, of which it tells nothing.) */
    command_t got = command_shell(
        dir, SECONDS, "'%s'/bin/xmpirun -q -n 1 sh -c 'echo said; kill -9 $$'", build_dir());
    if (strcmp(got.out, "said\n") != 0 || count(got.err, "BAD TERMINATION OF ONE") != 1 ||
        count(got.err, "EXIT CODE: ") != 1)
        fail_msg("status %d: %s%s", got.status, got.out, got.err);
    command_free(&got);
    char *text = formatted("\n\n%s\n%s\n=   BAD\n=\n\n%s=\n", frame, frame, frame);
    char *path = formatted("%s/looks", dir);
    write_file(path, text);
    got = command_shell(dir, SECONDS,
                        "'%s'/bin/xmpirun -q -n 1 sh -c 'cat looks; printf ==' >looked; "
                        "printf == >>looks; cmp looks looked",
                        build_dir());
    if (got.status != 0)
        fail_msg("%s%s", got.out, got.err);
    command_free(&got);
    free(path);
    free(text);
}

static void it_goes_on_later(void **state)
{
    (void)state;
    command_t got = run("EVOLVE_ENDS=kill", "--retries 0");
    assert_int_not_equal(got.status, 0);
    command_free(&got);
    got = command_shell(dir, SECONDS,
                        "'%s'/bin/xmpirun -q -n 5 --restart --checkpoint saved ./evolve 40 200",
                        build_dir());
    if (got.status != 0 || strcmp(got.out, wanted) != 0 ||
        strstr(got.err, "goes on from iteration ") == NULL)
        fail_msg("status %d: %s%s", got.status, got.out, got.err);
    command_free(&got);
    got = command_shell(dir, SECONDS, "'%s'/bin/xmpirun -n 2 --restart ./evolve", build_dir());
    if (got.status != 2 || strstr(got.err, "--restart needs --checkpoint") == NULL)
        fail_msg("status %d: %s%s", got.status, got.out, got.err);
    command_free(&got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_killed_process_costs_time_alone),
        cmocka_unit_test(what_ends_itself_is_not_started_again),
        cmocka_unit_test(a_status_of_0_is_not_believed),
        cmocka_unit_test(what_ends_in_the_loop_leaves_nothing_to_be_found),
        cmocka_unit_test(who_was_killed_is_told),
        cmocka_unit_test(what_gets_no_further_is_given_up),
        cmocka_unit_test(a_loop_without_checkpoints_begins_anew),
        cmocka_unit_test(what_is_lost_is_in_the_trace),
        cmocka_unit_test(who_has_lost_its_proxy_ends),
        cmocka_unit_test(no_process_outlives_its_job),
        cmocka_unit_test(what_mpiexec_tells_is_no_output),
        cmocka_unit_test(it_goes_on_later),
    };
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, build, clean);
}
