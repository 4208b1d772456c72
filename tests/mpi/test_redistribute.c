/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of registration and redistribution by hand under MPI: a plain program without a pragma
 * checks every element of every structure after random redistributions. */
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

enum { SECONDS = 120 };

static char *dir;

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    return program_build(dir, "redistribute", "") || program_build(dir, "redistribute_large", "") ||
           program_build(dir, "misuse", "") || program_build(dir, "evolve_registered", "");
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* Runs it, and gives what it said on standard error. */
static char *must_succeed(const char *settings, int processes, const char *arguments)
{
    command_t result = command_shell(dir, SECONDS, "%s '%s'/bin/mpiexec -n %d ./redistribute %s",
                                     settings, build_dir(), processes, arguments);
    if (result.status != 0 || strncmp(result.out, "redistribute: ok ", 17) != 0)
        fail_msg("%s -n %d redistribute %s: status %d: %s%s", settings, processes, arguments,
                 result.status, result.out, result.err);
    free(result.out);
    return result.err;
}

static void random_layouts_change_nothing(void **state)
{
    (void)state;
    for (int processes = 1; processes <= 8; processes += processes < 4 ? 1 : 2) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "random %d 100", processes);
        char *said = must_succeed("", processes, arguments);
        assert_string_equal(said, "");
        free(said);
    }
}

static void every_strategy_moves_the_same(void **state)
{
    static const char *const settings[] = {"XMPI_MOVE=p2p", "XMPI_MOVE=alltoallv", "XMPI_MOVE=rma",
                                           "XMPI_MOVE=alltoallv XMPI_MEMORY_LIMIT=1"};
    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        for (int processes = 1; processes <= 5; processes += 2) {
            char arguments[64];
            snprintf(arguments, sizeof arguments, "random %d 30", processes);
            char *said = must_succeed(settings[i], processes, arguments);
            assert_string_equal(said, "");
            free(said);
        }
}

/* Also where some processes may not read the memory of others, or share any: they get messages. */
static void large_rows_arrive_by_every_way(void **state)
{
    static const char *const settings[] = {"", "XMPI_MOVE=p2p", "XMPI_MOVE=alltoallv",
                                           "XMPI_MOVE=rma", "XMPI_MEMORY_LIMIT=1"};
    static const char *const refused[] = {"", "blocked", "late", "unmapped", "unmade", "unseen"};
    (void)state;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
            command_t result = command_shell(
                dir, SECONDS, "%s '%s'/bin/mpiexec -n 4 ./redistribute_large %zu 20 %s",
                settings[i], build_dir(), i + 1, refused[k]);
            if (result.status != 0 || strcmp(result.out, "redistribute_large: ok 20\n") != 0)
                fail_msg("%s %s: status %d: %s%s", settings[i], refused[k], result.status,
                         result.out, result.err);
            command_free(&result);
        }
}

/* What processes share is no file of the user's, and ends nobody who may write small ones only. */
static void a_limit_of_files_is_none_of_moves(void **state)
{
    (void)state;
    command_t result = command_shell(
        dir, SECONDS, "ulimit -f 4; '%s'/bin/mpiexec -n 4 ./redistribute_large 1 20", build_dir());
    if (result.status != 0 || strcmp(result.out, "redistribute_large: ok 20\n") != 0)
        fail_msg("status %d: %s%s", result.status, result.out, result.err);
    command_free(&result);
}

static void messages_under_way_arrive_while_members_wait(void **state)
{
    (void)state;
    free(must_succeed("", 4, "messages"));
}

/* Nearly all of the time members agree, read, or wait for one another. Hydra ends the others, or
 * the runtime. */
static void a_killed_member_ends_the_job(void **state)
{
    static const char *const options[] = {"", "-disable-auto-cleanup"};
    int in_words = 0;
    (void)state;
    for (int i = 0; i < 8; i++) {
        command_t result = command_shell(
            dir, SECONDS,
            "me=\"$PWD/redistribute_large %d\"; '%s'/bin/mpiexec %s -n 4 $me 1000000 >out 2>&1 & "
            "job=$!; until [ \"$(pgrep -c -f \"^$me\")\" = 4 ]; do sleep 0.05; done; "
            "sleep 0.%d; kill -9 $(pgrep -f \"^$me\" | sed -n %dp); wait $job; echo $?; cat out; "
            "for try in $(seq 80); do left=$(pgrep -c -f \"^$me\"); [ $left = 0 ] && break; "
            "sleep 0.5; done; echo $left",
            7000 + i, build_dir(), options[i % 2], 3 + i % 5, 1 + i / 2);
        int status = atoi(result.out), left = -1;
        char *last = strrchr(result.out, '\n');
        while (last != NULL && last > result.out && last[-1] != '\n')
            last--;
        left = last != NULL ? atoi(last) : -1;
        if (status == 0) /* mpiexec tells of it in words alone once in a while (test_faults.c) */
            in_words += strstr(result.out, "BAD TERMINATION") != NULL ? 1 : 2;
        if (in_words > 1 || left != 0)
            fail_msg("%s: status %d, %d left: %s%s", options[i % 2], result.status, left,
                     result.out, result.err);
        command_free(&result);
    }
}

/* 1.2 * 10^9 of 6 * 10^9 elements move at once. */
static void counts_may_exceed_an_int(void **state)
{
    static const char *const ways[] = {"auto", "p2p", "alltoallv", "rma"};
    (void)state;
    if (getenv("SANITIZE_FLAGS") != NULL && getenv("SANITIZE_FLAGS")[0] != '\0')
        skip(); /* a sanitizer fills memory */
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        command_t result = command_shell(dir, SECONDS,
                                         "XMPI_MOVE=%s XMPI_MEMORY_LIMIT=100000 '%s'/bin/mpiexec "
                                         "-n 2 ./redistribute_large huge",
                                         ways[i], build_dir());
        if (result.status == 0 && strcmp(result.out, "redistribute_large: no memory\n") == 0)
            skip();
        if (result.status != 0 || strcmp(result.out, "redistribute_large: ok huge\n") != 0)
            fail_msg("%s: status %d: %s%s", ways[i], result.status, result.out, result.err);
        command_free(&result);
    }
}

/* The runtime knows the blocks where it adapts; the data move in any case. */
static void settings_for_adaptation_do_not_matter(void **state)
{
    (void)state;
    for (int off = 0; off < 2; off++) {
        command_t result =
            command_shell(dir, SECONDS, "%s '%s'/bin/mpiexec -n 3 ./redistribute random 3 20",
                          off ? "XMPI_POLICY=off" : "XMPI_MEMORY_LIMIT=1", build_dir());
        const char *expected =
            off ? "redistribute: ok 20 unknown\n" : "redistribute: ok 20 known\n";
        assert_int_equal(result.status, 0);
        assert_string_equal(result.out, expected);
        command_free(&result);
    }
}

static void adaptive_loops_move_registered_data(void **state)
{
    static const char *const settings[] = {"XMPI_BACKEND=pool XMPI_ACTIVE=2", "XMPI_MAX=5"};
    static const int processes[] = {5, 2};
    (void)state;
    for (int i = 0; i < 2; i++)
        for (int seed = 1; seed <= 3; seed++) {
            command_t result =
                command_shell(dir, SECONDS,
                              "XMPI_POLICY=random XMPI_SEED=%d XMPI_INTERVAL=2 %s XMPI_TRACE=t%d "
                              "'%s'/bin/mpiexec "
                              "-n %d ./evolve_registered 47 60 && grep -c '\"done\"' t%d",
                              seed, settings[i], seed, build_dir(), processes[i], seed);
            const char *line = strchr(result.out, '\n');
            if (result.status != 0 || line == NULL || atoi(line) < 15)
                fail_msg("%s seed %d: status %d: %s%s", settings[i], seed, result.status,
                         result.out, result.err);
            command_free(&result);
        }
}

/* The sparse matrix moves while the program goes on checking it, members come and go meanwhile. */
static void constant_data_move_in_the_background(void **state)
{
    static const char *const settings[] = {"XMPI_BACKEND=pool XMPI_ACTIVE=2", "XMPI_MAX=5",
                                           "XMPI_MAX=5 XMPI_MOVE=p2p",
                                           "XMPI_BACKEND=pool XMPI_ACTIVE=2 XMPI_MOVE=alltoallv"};
    static const int processes[] = {5, 2, 2, 5};
    (void)state;
    for (int i = 0; i < 4; i++)
        for (int seed = 1; seed <= 3; seed++) {
            command_t result = command_shell(
                dir, SECONDS,
                "XMPI_POLICY=random XMPI_SEED=%d XMPI_INTERVAL=%d %s XMPI_MOVE_BACKGROUND=0.00001 "
                "XMPI_TRACE=b%d '%s'/bin/mpiexec -n %d ./evolve_registered 997 200 constant && "
                "grep '\"done\"' b%d | grep -vc '\"moving\":0,'",
                seed, seed * seed * 3, settings[i], seed, build_dir(), processes[i], seed);
            const char *line = strchr(result.out, '\n');
            if (result.status != 0 || line == NULL || atoi(line) < 1)
                fail_msg("%s seed %d: status %d: %s%s", settings[i], seed, result.status,
                         result.out, result.err);
            command_free(&result);
        }
}

/* What moves must not be changed; the members stay, so that each of them sees the whole move. */
static void nothing_is_registered_while_data_move(void **state)
{
    (void)state;
    command_t result = command_shell(
        dir, SECONDS,
        "XMPI_POLICY=random XMPI_INTERVAL=3 XMPI_BACKEND=pool XMPI_ACTIVE=3 "
        "XMPI_MOVE_BACKGROUND=0.00001 '%s'/bin/mpiexec -n 3 ./evolve_registered 997 200 constant "
        "registering",
        build_dir());
    const char *line = strstr(result.out, "refused ");
    if (result.status != 0 || strstr(result.out, "evolve: ok 200") == NULL || line == NULL ||
        atoi(line + strlen("refused ")) < 1)
        fail_msg("status %d: %s%s", result.status, result.out, result.err);
    assert_non_null(strstr(result.err, ": XMPI_Declare_constant: data are moving in the "
                                       "background; call it outside the adaptive loop\n"));
    command_free(&result);
}

/* The executor that moves them is that of all changes: it frees persistent requests of a loop. */
static void what_is_done_by_hand_goes_together(void **state)
{
    (void)state;
    free(must_succeed("", 4, "remove"));
    free(must_succeed("XMPI_BACKEND=pool", 4, "remove"));
    free(must_succeed("", 3, "requests"));
    free(must_succeed("XMPI_POLICY=off", 3, "requests"));
}

static int lines_with(const char *text, const char *part)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++)
        n++;
    return n;
}

static void no_memory_on_one_member_calls_it_off_for_all(void **state)
{
    (void)state;
    if (getenv("SANITIZE_FLAGS") != NULL && getenv("SANITIZE_FLAGS")[0] != '\0')
        skip(); /* a sanitizer ends the program when it cannot map memory */
    char *said = must_succeed("", 3, "memory");
    assert_int_equal(lines_with(said, "\n"), 1);
    assert_non_null(strstr(said, "xmpi: rank 2: XMPI_Redistribute_data: no memory for 33554432 "
                                 "bytes of the array vector 1\n"));
    free(said);
    said = must_succeed("", 3, "memory sparse");
    assert_int_equal(lines_with(said, "\n"), 1);
    assert_non_null(strstr(said, "xmpi: rank 2: XMPI_Redistribute_data: no memory for "));
    free(said);
}

/* Six moves: one line for each that was refused, by one member. */
static void who_makes_another_move_than_before_is_found(void **state)
{
    static const char *const settings[] = {"", "XMPI_POLICY=off"};
    (void)state;
    if (getenv("SANITIZE_FLAGS") != NULL && getenv("SANITIZE_FLAGS")[0] != '\0')
        skip();
    for (int i = 0; i < 4; i++) {
        char *said = must_succeed(settings[i / 2], 3, i % 2 == 0 ? "known" : "known sparse");
        assert_int_equal(lines_with(said, "the new blocks of all members do not cover"), 6);
        assert_int_equal(lines_with(said, "rank 2: XMPI_Redistribute_data: no memory for "), 3);
        assert_int_equal(lines_with(said, "\n"), 9);
        free(said);
    }
}

/* The blocks are many times the limit. */
static void large_moves_go_in_rounds(void **state)
{
    (void)state;
    if (getenv("SANITIZE_FLAGS") != NULL && getenv("SANITIZE_FLAGS")[0] != '\0')
        skip();
    free(must_succeed("XMPI_MEMORY_LIMIT=1", 3, "memory"));
    free(must_succeed("XMPI_MEMORY_LIMIT=5", 2, "memory sparse"));
}

/* 64 MiB arrive at the end of a block of 128 MiB; or all of it changes, a little at a time. */
static void memory_is_bounded(void **state)
{
    (void)state;
    if (getenv("SANITIZE_FLAGS") != NULL && getenv("SANITIZE_FLAGS")[0] != '\0')
        skip();
    free(must_succeed("", 2, "peak grow 96"));
    free(must_succeed("", 2, "peak swap 192"));
    free(must_succeed("XMPI_MEMORY_LIMIT=8", 2, "peak swap 48"));
}

static void misuse_is_refused_in_one_line_each(void **state)
{
    static const char *const lines[] = {
        "rank 0: XMPI_Redistribute_data: nothing with a domain is registered\n",
        "rank 0: XMPI_Register_vector: the address is NULL; it is to be that of the variable that "
        "points to the data\n",
        "rank 0: XMPI_Register_vector: these data are registered already, as vector 1\n",
        "rank 0: XMPI_Register_vector: 84 rows, but what was registered before has 83; all must "
        "share one domain\n",
        "rank 0: XMPI_Register_vector: a size or halo is negative\n",
        "rank 0: XMPI_Register_vector: the datatype is not committed; call MPI_Type_commit "
        "before\n",
        "rank 0: XMPI_Register_vector: there is no scheme 7\n",
        "rank 0: XMPI_Register_matrix: a leading dimension of 8 is less than the 9 columns\n",
        "rank 0: XMPI_Register_compressed: pointers and indices must be integers of 4 or 8 bytes, "
        "as MPI_INT or MPI_INT64_T\n",
        "rank 0: XMPI_Register_sparse: two of the three addresses are the same\n",
        "rank 0: XMPI_Deregister: nothing is registered at this address\n",
        "rank 0: XMPI_Declare_constant: nothing is registered at this address\n",
        "rank 0: XMPI_Declare_out_of_core: no structure that is distributed by rows is registered "
        "at this address\n",
        "rank 0: XMPI_Redistribute_data: the current blocks of all members do not cover the 83 "
        "rows, each of them once\n",
        "rank 0: XMPI_Redistribute_data: the new blocks of all members do not cover the 83 rows, "
        "each of them once\n",
        "rank 0: XMPI_Redistribute_data: the pointer to the array vector 2 is NULL, but it has 83 "
        "rows here\n",
    };
    (void)state;
    command_t result = command_shell(dir, SECONDS, "'%s'/bin/mpiexec -n 2 ./misuse", build_dir());
    const char *said = result.err;
    assert_int_equal(result.status, 0);
    assert_string_equal(result.out, "misuse: ok\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (strstr(said, lines[i]) == NULL)
            fail_msg("not \"%s\" in\n%s", lines[i], said);
    /* The datatype twice, and one about structures that are not the same everywhere. */
    assert_int_equal(lines_with(said, "\n"), (int)(sizeof lines / sizeof *lines) + 2);
    free(result.out);
    free(result.err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_layouts_change_nothing),
        cmocka_unit_test(every_strategy_moves_the_same),
        cmocka_unit_test(large_rows_arrive_by_every_way),
        cmocka_unit_test(a_limit_of_files_is_none_of_moves),
        cmocka_unit_test(messages_under_way_arrive_while_members_wait),
        cmocka_unit_test(a_killed_member_ends_the_job),
        cmocka_unit_test(counts_may_exceed_an_int),
        cmocka_unit_test(settings_for_adaptation_do_not_matter),
        cmocka_unit_test(adaptive_loops_move_registered_data),
        cmocka_unit_test(constant_data_move_in_the_background),
        cmocka_unit_test(nothing_is_registered_while_data_move),
        cmocka_unit_test(what_is_done_by_hand_goes_together),
        cmocka_unit_test(no_memory_on_one_member_calls_it_off_for_all),
        cmocka_unit_test(who_makes_another_move_than_before_is_found),
        cmocka_unit_test(large_moves_go_in_rounds),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(misuse_is_refused_in_one_line_each),
    };
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, build, clean);
}
