/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of moves that go ahead while the program runs, and of moves that fail half-way: the process
 * that takes over does not answer, or must not read. Who has the program goes on with it. */
#define _GNU_SOURCE
#include "run.h"

#include <sys/stat.h>
#include <unistd.h>

static int begin(void **state)
{
    setup_anywhere(state);
    build("heavy", "");
    /* (libxmpi asks for the functions of just these versions.) */
    free(sh("echo 'GLIBC_2.2.5 { send; }; GLIBC_2.15 { process_vm_readv; };' >versions && "
            "'%s/bin/mpicc' -shared -fPIC -I'%s/runtime' '%s/tests/movable/fail_receiving.c' -o "
            "fail.so -ldl -Wl,--version-script=versions && "
            "echo 'GLIBC_2.2.5 { open; syscall; };' >versions && "
            "'%s/bin/mpicc' -shared -fPIC '%s/tests/movable/marks.c' -o marks.so -ldl "
            "-Wl,--version-script=versions && "
            "'%s/bin/mpiexec' -n 3 ./heavy.plain 200 12 >plain",
            build_dir(), source_dir(), source_dir(), build_dir(), source_dir(), build_dir()));
    return 0;
}

/* The same output as the plain program's, and the moves that were made. An iteration takes so many
 * milliseconds at least. */
static int moves_in(int milliseconds, const char *settings, int processes, const char *more)
{
    free(sh("rm -f t; %s XMPI_POLICY=random XMPI_TRACE=t %s timeout -k 1 100 "
            "'%s/bin/mpiexec' -disable-auto-cleanup -n %d ./heavy 200 12 %d >out 2>err; "
            "diff plain out >&2 || { cat err >&2; exit 1; }",
            settings, more, build_dir(), processes, milliseconds));
    return changes_in_trace();
}

static int moves(const char *settings, int processes, const char *more)
{
    return moves_in(10, settings, processes, more);
}

static const struct {
    const char *settings;
    int processes;
} backends[] = {
    {"XMPI_INTERVAL=2 XMPI_BACKEND=pool XMPI_ACTIVE=3", PROCESSES + 2},
    {"XMPI_INTERVAL=10 XMPI_BACKEND=spawn XMPI_MAX=6 XMPI_STRATEGY=concurrent", PROCESSES}};

static int said(const char *what)
{
    char *line = sh("grep -c '%s' err t | tail -2 | tr '\\n' ' '", what);
    int n = strstr(line, "err:0 ") == NULL;
    free(line);
    return n;
}

/* The program goes on while nearly all of it moves. */
static void what_is_large_goes_ahead(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        assert_true(moves(backends[i].settings, backends[i].processes, "XMPI_MOVE_BACKGROUND=1") >
                    2);
        char *longest = sh("grep '\"outcome\":\"done\"' t | grep -c '\"moving\":[0-9.e-]*[1-9]'");
        assert_true(atoi(longest) > 0);
        free(longest);
        assert_true(moves(backends[i].settings, backends[i].processes,
                          "XMPI_MOVE=p2p XMPI_MOVE_BACKGROUND=1") > 2);
        assert_true(moves(backends[i].settings, backends[i].processes, "XMPI_MOVE_BACKGROUND=0") >
                    2);
    }
}

/* As where the kernel marks pages that are written, and tells of them one by one. */
static void goes_ahead_by_marks_of_pages(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        assert_true(moves(backends[i].settings, backends[i].processes,
                          "XMPI_MOVE_BACKGROUND=1 LD_PRELOAD=\"$PWD/marks.so\"") > 2);
        free(sh("grep '\"outcome\":\"done\"' t | grep -q '\"moving\":[0-9.e-]*[1-9]'"));
    }
}

static void fails(const char *how, const char *more, const char *what)
{
    for (size_t i = 0; i < 2; i++) {
        char line[512];
        free(sh("rm -f how.*; touch fail how.%s", how));
        snprintf(line, sizeof line, "%s LD_PRELOAD=\"$PWD/fail.so\"", more);
        int done =
            moves_in(what != NULL ? 25 : 10, backends[i].settings, backends[i].processes, line);
        free(sh("test ! -e fail"));
        if (what != NULL && !said(what))
            fail_msg("%s: not said: %s", how, what);
        assert_true(done > 0);
    }
}

static const char lost[] = "a process that was to take over has ended, or did not answer";

static void one_that_does_not_answer_is_given_up(void **state)
{
    (void)state;
    fails("hang", "XMPI_TIMEOUT=3 XMPI_MOVE_BACKGROUND=1", lost);
    fails("hang", "XMPI_TIMEOUT=3 XMPI_MOVE_BACKGROUND=0", lost);
}

/* Then there are messages. */
static void who_may_not_read_is_sent_it(void **state)
{
    (void)state;
    fails("refuse", "XMPI_MOVE_BACKGROUND=1", NULL);
    fails("refuse", "XMPI_MOVE_BACKGROUND=0", NULL);
}

/* While the others wait for one that has not answered yet. (At its end MPI or the process manager
 * may wait for the one that is gone.) */
static void one_that_has_answered_and_is_killed_is_done_without(void **state)
{
    (void)state;
    free(sh("rm -f how.* answered t; touch fail how.answered; LD_PRELOAD=\"$PWD/fail.so\" "
            "XMPI_POLICY=random XMPI_TRACE=t XMPI_MOVE_BACKGROUND=0 %s timeout -k 1 25 "
            "'%s/bin/mpiexec' -disable-auto-cleanup -n %d ./heavy 200 12 10 >out 2>err; "
            "test ! -e how.answered && sed '1,/%s/d' t | grep -q '\"event\":\"interval\"' || "
            "{ cat err t >&2; exit 1; }",
            backends[1].settings, build_dir(), backends[1].processes, lost));
}

/* Rank 0 has gone elsewhere meanwhile, which its last word on the line says. */
static void one_that_spawns_may_take_its_time(void **state)
{
    (void)state;
    free(sh("rm -f how.*; touch how.slow"));
    assert_true(moves(backends[1].settings, PROCESSES, "LD_PRELOAD=\"$PWD/fail.so\"") > 2);
}

/* Nobody waits for who was killed. */
static void ends_the_job(const char *how, size_t backend)
{
    free(sh("rm -f how.*; touch fail how.%s; LD_PRELOAD=\"$PWD/fail.so\" %s "
            "XMPI_POLICY=random timeout -k 1 100 '%s/bin/mpiexec' -disable-auto-cleanup -n %d "
            "./heavy 200 12 10 >out 2>err; s=$?; cat err >&2; test ! -e fail -a $s -ne 0 -a $s -ne "
            "124 -a $s -ne 137",
            how, backends[backend].settings, build_dir(), backends[backend].processes));
}

/* One of a world that mpiexec has started cannot be done without once MPI has met it. */
static void one_of_a_pool_that_is_killed_while_it_takes_over_ends_the_job(void **state)
{
    (void)state;
    ends_the_job("end", 0);
}

/* From then on it counts as a member: the program that it has is the one that goes on. */
static void one_that_is_killed_when_all_have_agreed_ends_the_job(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++)
        ends_the_job("agreed", i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_large_goes_ahead),
        cmocka_unit_test(goes_ahead_by_marks_of_pages),
        cmocka_unit_test(one_that_does_not_answer_is_given_up),
        cmocka_unit_test(who_may_not_read_is_sent_it),
        cmocka_unit_test(one_that_has_answered_and_is_killed_is_done_without),
        cmocka_unit_test(one_that_spawns_may_take_its_time),
        cmocka_unit_test(one_of_a_pool_that_is_killed_while_it_takes_over_ends_the_job),
        cmocka_unit_test(one_that_is_killed_when_all_have_agreed_ends_the_job),
    };
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, begin, teardown);
}
