/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of programs with more processes than processing elements: the policy spread places them by
 * their load. */
#define _GNU_SOURCE
#include "run.h"

static int begin(void **state)
{
    setup(state);
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
    assert_true(atoi(plan) > 0 && moves_in_trace() > 0);
    free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_share_the_elements_of_two_nodes),
    };
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, begin, teardown);
}
