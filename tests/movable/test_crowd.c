/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of programs with more processes than processing elements: the policy spread places them by
 * their load, so that they follow nodes that come and go. */
#define _GNU_SOURCE
#include "run.h"

static int begin(void **state)
{
    setup_anywhere(state);
    build("crowd", "");
    return 0;
}

/* Six ranks on two nodes of three elements in all. */
static const char nodes[] = "printf 'n1:A:2\\nn2:A:1\\n' >machines; export XMPI_MACHINES=machines "
                            "XMPI_BACKEND=pool XMPI_ACTIVE=6 XMPI_POLICY=spread XMPI_TRACE=t; ";
static const char start[] = "mpiexec -env XMPI_NODE n1 -n 6 ./crowd %d %d : -env XMPI_NODE n2 -n 6 "
                            "./crowd %d %d";

static void ranks_share_the_elements_of_two_nodes(void **state)
{
    (void)state;
    char line[512];
    snprintf(line, sizeof line, start, 60, 20000, 60, 20000);
    char *plain = sh("'%s/bin/mpiexec' -n 6 ./crowd.plain 60 20000", build_dir());
    char *moved = sh("export PATH='%s/bin':$PATH XMPI_INTERVAL=5; %s %s", build_dir(), nodes, line);
    assert_string_equal(moved, plain);
    free(moved);
    free(plain);
    char *plan = sh("grep -c 'the fullest node needs .* and .* then' t");
    assert_true(atoi(plan) > 0 && changes_in_trace() > 0);
    free(plan);
}

/* A program of six processes has three elements, two, and three again. */
static void a_rigid_program_follows_its_nodes(void **state)
{
    (void)state;
    char line[512];
    snprintf(line, sizeof line, start, 0, 60000, 0, 60000);
    char *said =
        sh("export PATH='%s/bin':$PATH XDG_RUNTIME_DIR=\"$PWD\" XMPI_INTERVAL=10; rm -f stop t\n"
           "%s %s >out 2>&1 &\n"
           "await() { for i in $(seq 2000); do eval \"$1\" && return; sleep 0.05; done; "
           "echo \"$1\" >&2; cat out t >&2; touch stop; exit 1; }\n"
           "spread() { [ $(grep -c '\"plan\".*the fullest node' t) -ge $1 ]; }\n"
           "await 'spread 1'\n"
           "await 'xmpictl withdraw n2 2>/dev/null'\n"
           "await 'grep -q \" withdrawn processing elements, 0 cannot yet\" t'\n"
           "moves=$(grep -c '\"plan\".*the fullest node' t)\n"
           "await 'xmpictl offer n2 2>/dev/null'\n"
           "await \"spread $((moves + 1))\"\n"
           "xmpictl withdraw n3; await 'grep -q \"there is no node n3\" out'\n"
           "touch stop; wait; [ $(grep -c '\"resources\"' t) -ge 2 ] && echo followed",
           build_dir(), nodes, line);
    assert_non_null(strstr(said, "followed"));
    free(said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_share_the_elements_of_two_nodes),
        cmocka_unit_test(a_rigid_program_follows_its_nodes),
    };
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, begin, teardown);
}
