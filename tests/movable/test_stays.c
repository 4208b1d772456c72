/* SPDX-License-Identifier: BSD-3-Clause
 * Processes that hold what cannot go elsewhere: they stay, and a line says why; those beside them
 * move. */
#define _GNU_SOURCE
#include "run.h"

/* A policy of members alone does nothing in such a loop, and says so. */
static void a_policy_that_decides_nothing_says_so(void **state)
{
    (void)state;
    build("stays", "");
    char *said =
        sh("for policy in smp hpmp balance random; do XMPI_POLICY=$policy '%s/bin/mpiexec' "
           "-n 2 ./stays 5 mmap 2>&1 | grep -o 'the policy .* which a movable loop keeps'; "
           "done; true",
           build_dir());
    assert_string_equal(said,
                        "the policy smp adds and removes members, which a movable loop keeps\n"
                        "the policy hpmp adds and removes members, which a movable loop keeps\n");
    free(said);
}

static void stays(const char *what, const char *why, int all)
{
    char *plain = sh("'%s/bin/mpiexec' -n 3 ./stays.plain 60 %s", build_dir(), what);
    char *said = sh("XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_TRACE=t %s "
                    "'%s/bin/mpiexec' -n 5 ./stays 60 %s 2>said && cat said",
                    pool, build_dir(), what);
    assert_memory_equal(said, plain, strlen(plain));
    const char *line = strstr(said, "rank 1 stays on its processing element: ");
    assert_non_null(line);
    assert_non_null(strstr(line, why));
    assert_true(all ? changes_in_trace() == 0 : changes_in_trace() > 10);
    free(said);
    free(plain);
}

static void what_cannot_move_is_named_and_stays(void **state)
{
    (void)state;
    build("stays", "");
    stays("mmap", "what mmap has made", 0);
    stays("pipe", "what pipe has made", 0);
    stays("thread", "what pthread_create has made", 0);
    stays("fileno", "/dev/zero", 0);
    stays("gone", "stays.gone, which open has opened, is not there any more", 0);
    stays("lock", "what fcntl has made", 0);
    stays("timer", "a timer", 0);
    stays("sbrk", "what sbrk has made", 0);
    stays("table", "what hcreate_r has made", 0);
    stays("key", "what tss_create has made", 0);
    stays("word", "what scanf with %m has made", 0);
    stays("locale", "what newlocale has made", 0);
    stays("input", "standard input", 0);
    stays("request", "a request is pending (MPI_Irecv at ", 1);
    stays("file", "a file of MPI is open (MPI_File_open at ", 0);
    stays("window", "a window is open (MPI_Win_create at ", 1);
    stays("message", "a message from rank 0 with tag 2 in MPI_COMM_WORLD has not been received", 1);
}

/* What it has given up again is in nobody's way, and memory goes to it and from it. */
static void a_shared_library_has_files_of_the_program_and_keeps_its_memory(void **state)
{
    (void)state;
    free(sh("'%s/bin/mpicc' -O2 -fPIC -shared -DLIBRARY '%s/tests/movable/lends.c' -o liblends.so",
            build_dir(), source_dir()));
    build("lends", "");
    char *plain = sh("'%s/bin/mpiexec' -n 3 ./lends.plain 80", build_dir());
    char *said = sh("XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_TRACE=t %s '%s/bin/mpiexec' -n 5 "
                    "./lends 80 2>said && cat said",
                    pool, build_dir());
    assert_memory_equal(said, plain, strlen(plain));
    assert_non_null(strstr(said, "rank 1 stays on its processing element: memory that liblends.so "
                                 "has allocated is in use"));
    assert_true(changes_in_trace() > 10);
    free(sh("grep '\"iteration\":[5-7][0-9].*\"outcome\":\"done\"' t | grep -q "
            "'\"layout\":\\[[^]]*}, *{\"process\":[^1]' # rank 1, too"));
    free(said);
    free(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_policy_that_decides_nothing_says_so),
        cmocka_unit_test(what_cannot_move_is_named_and_stays),
        cmocka_unit_test(a_shared_library_has_files_of_the_program_and_keeps_its_memory),
    };
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, setup_anywhere, teardown);
}
