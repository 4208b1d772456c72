/* SPDX-License-Identifier: BSD-3-Clause
 * The examples pass the check of every change: it gives no false alarm. */
#define _GNU_SOURCE
#include "cluster/examples/example.h"

static const struct {
    const char *name, *generate, *run;
} examples[] = {{"jacobi", "-n 300 system", "-o solution system"},
                {"cg", "-n 2000 matrix", "matrix"},
                {"epigraph", "-n 2000 -r 4 town", "-d 20 town"}};

/* Lines of the trace of DIR with OUTCOME. */
static int count(const char *dir, const char *outcome)
{
    command_t command = command_shell(
        dir, LIMIT, "grep -c '\"event\":\"check\".*\"outcome\":\"%s\"' trace", outcome);
    int n = atoi(command.out);
    command_free(&command);
    return n;
}

static void examples_are_the_same_in_every_layout(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        char *dir = scratch_make();
        must_succeed(command_shell(dir, LIMIT,
                                   "env -u MAKEFLAGS -u MAKELEVEL make -s -C '%s/examples/%s' "
                                   "CC=\"'%s/bin/xmpicc'\" BUILD=\"$PWD\" && ./generate %s",
                                   source_dir(), examples[i].name, build_dir(),
                                   examples[i].generate));
        must_succeed(command_shell(dir, LIMIT,
                                   "XMPI_CHECK=all XMPI_POLICY=random XMPI_MAX=4 XMPI_INTERVAL=5 "
                                   "XMPI_TRACE=trace '%s'/bin/mpiexec -n 2 ./%s %s",
                                   build_dir(), examples[i].name, examples[i].run));
        assert_int_equal(count(dir, "different"), 0);
        assert_int_equal(count(dir, "not checked"), 0);
        assert_true(count(dir, "equal") >= 10);
        scratch_remove(dir);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(examples_are_the_same_in_every_layout)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
