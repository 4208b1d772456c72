/* SPDX-License-Identifier: BSD-3-Clause
 * Processes follow the nodes that there are on the emulated cluster (Cores et al. 2016, figure 3,
 * with nodes of two cores): nodes are lost until all processes are on the last one, which is lost
 * as well when four others come. What is computed is what the plain program computes. */
#define _GNU_SOURCE
#include <fnmatch.h>

#include "cluster/scenario.h"
#include "movable/run.h"
#include "support/trace_schema.h"

/* Of each change in the trace how many go elsewhere, the nodes that there are members on then, and
 * how many are on them, the fewest first. */
static void check_trace(void)
{
    char *seen = sh_line(
        "grep '\"outcome\":\"done\"' t | while read -r line; do "
        "echo \"$line\" | sed 's/.*\"reason\":\"\\([0-9]*\\) of 8 go.* 0 cannot.*/\\1 /' | tr -d "
        "'\\n'; "
        "echo \"$line\" | sed 's/.*\"layout\"//' | grep -o '\"node\":\"[a-z]\"' | cut -d'\"' -f4 | "
        "sort | uniq -c >loads; awk '{ printf \"%s\", $2 }' loads; "
        "sort -n loads | awk '{ printf \" %s\", $1 }'; echo; done");
    if (fnmatch("2 bcde 2 2 2 2\n2 cde 2 3 3\n[23] de 4 4\n4 e 8\n8 abcf 2 2 2 2\n", seen, 0) != 0)
        fail_msg("%s", seen);
    free(seen);
}

static void follow_nodes(const char *program)
{
    build(program, "");
    char *moved = sh("program=%s cores=2\n%scat out", program, scenario);
    char *steps = strstr(moved, "steps ");
    if (steps == NULL)
        fail_msg("%s", moved);
    char *plain = sh("mpiexec -n 8 ./%s.plain %d", program, atoi(steps + 6));
    assert_string_equal(strchr(steps, '\n') + 1, plain);
    assert_ptr_equal(moved, steps); /* nothing else is said */
    char *trace = sh("cat t");
    trace_schema_check_lines(trace);
    free(trace);
    free(plain);
    free(moved);
    check_trace();
}

static void neighbours_of_a_grid_follow_their_nodes(void **state)
{
    (void)state;
    follow_nodes("halo");
}

static void all_who_talk_to_all_follow_their_nodes(void **state)
{
    (void)state;
    follow_nodes("transpose");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_of_a_grid_follow_their_nodes),
        cmocka_unit_test(all_who_talk_to_all_follow_their_nodes),
    };
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, setup, teardown);
}
