/* SPDX-License-Identifier: BSD-3-Clause
 * What functions of other files keep beside the state(...) of a loop whose program starts over:
 * what iterations change of it the start would make anew, so that the loop keeps its processes. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "support/command.h"

enum { SECONDS = 120 };

static char *scratch;

static void write_scratch(const char *name, const char *text)
{
    char *path = NULL;
    assert_true(asprintf(&path, "%s/%s", scratch, name) >= 0);
    write_file(path, text);
    free(path);
}

/* Its program starts over: what other files keep is made by the start. */
static const char state_text[] =
    "#include <mpi.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "extern double spare[4];\n"
    "void prepare(int n);\n"
    "double weigh(double x);\n"
    "double told(void);\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    int rank, size, n = 40, step;\n"
    "    MPI_Init(&argc, &argv);\n"
    "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
    "    int first = n * rank / size, count = n * (rank + 1) / size - first;\n"
    "    double *x = malloc((count + 1) * sizeof *x), at = 0;\n"
    "    prepare(n);\n"
    "    for (int i = 0; i < count; i++)\n"
    "        x[i] = (first + i) % 5;\n"
    "#pragma xmpi loop state(rows(x[n] from first, count), same(step, at), scratch(spare))\n"
    "    for (step = 0; step < 30; step++) {\n"
    "        at += weigh(step);\n"
    "        for (int i = 0; i < count; i++)\n"
    "            x[i] = 0.5 * x[i] + at;\n"
    "    }\n"
    "    long own = 0, all;\n"
    "    for (int i = 0; i < count; i++)\n"
    "        own += (long)(x[i] * 1e6) * (first + i);\n"
    "    MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);\n"
    "    if (rank == 0)\n"
    "        printf(\"result %ld %g\\n\", all, told());\n"
    "    free(x);\n"
    "    MPI_Finalize();\n"
    "    return 0;\n"
    "}\n";

#define SPARE "double spare[4];\n"
#define UNTOLD "double told(void) { return 0; }\n"
#define NO_START "void prepare(int n) { (void)n; }\n"

/* What the start sets, and the loop only reads, is right by itself. */
static const struct {
    const char *text, *said; /* NULL: nothing */
} kept[] = {
    {"#include <math.h>\n#include <stdlib.h>\nstatic double table[4]; static int last;\n" SPARE
         UNTOLD "void prepare(int n)\n{ for (int i = 0; i < 4; i++) table[i] = n + i; last = 3; }\n"
     "static double half(double y) { return y / 2; }\n"
     "double weigh(double x)\n{\n    double sum = 0, *all = malloc(4 * sizeof *all);\n"
     "    all[3] = x;\n    x = all[3];\n    free(all);\n"
     "    for (int i = 0; i <= last; i++)\n        sum += table[i] * half(x) + sin(table[i]);\n"
     "    spare[1] = sum;\n    for (int i = 0; i < 4; i++)\n        spare[i] *= 2;\n"
     "    return sum * 1e-3;\n}\n",
     NULL},
    {"static long steps;\n" SPARE NO_START "double told(void) { return steps; }\n"
     "double weigh(double x) { steps++; return x; }\n",
     "weigh, of another file, changes 'steps', which outlives the call"},
    {"static double sum[3];\n" SPARE NO_START "double told(void) { return sum[1]; }\n"
     "static void add(double *to, double x) { to[1] += x; }\n"
     "double weigh(double x) { add(sum, x); return x; }\n",
     "changes 'sum', which outlives the call"},
    {"static double sum; static long times;\n" SPARE NO_START
     "double told(void) { return sum / times; }\n"
     "double weigh(double x) { sum += x; times++; return x; }\n",
     "changes 'sum' and 'times', which outlive the call, and are no parts of the clause"},
    {"#include <string.h>\nstatic double sum[3];\n" SPARE NO_START
     "double told(void) { return sum[1]; }\n"
     "double weigh(double x) { memcpy(sum + 1, &x, sizeof x); return x; }\n",
     "changes 'sum', which outlives the call"},
    {"static _Thread_local int steps;\n" SPARE NO_START "double told(void) { return steps; }\n"
     "double weigh(double x) { steps++; return x; }\n",
     "changes 'steps', which outlives the call"},
    {"static double one(double x) { return x; }\nstatic double (*volatile way)(double) = "
     "one;\n" SPARE NO_START UNTOLD "double weigh(double x) { return way(x); }\n",
     "calls a function by a pointer"},
};

/* SAID: why its members do not change; NULL: they do. */
static void expect_result(const char *wanted, const char *said)
{
    command_t command = command_shell(
        scratch, SECONDS,
        "XMPI_POLICY=random XMPI_SEED=1 XMPI_INTERVAL=2 XMPI_MAX=5 XMPI_TRACE=trace "
        "'%s/bin/mpiexec' -n 3 ./program; grep -c '\"event\":\"reconfiguration\"' trace >changes",
        build_dir());
    assert_string_equal(command.out, wanted);
    if (said != NULL && strstr(command.err, said) == NULL)
        fail_msg("not said: %s\n%s", said, command.err);
    command_free(&command);
    command = command_shell(scratch, SECONDS, "cat changes");
    assert_true((atoi(command.out) > 0) == (said == NULL));
    command_free(&command);
}

/* Without a word it changes its members; else a line names the variable, and the result stays. */
static void test_kept_beside_a_state(void **state)
{
    (void)state;
    static const char *const flags[] = {"-O0", "-O2 -fPIC"};
    write_scratch("main.c", state_text);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        for (size_t k = 0; k < 2; k++) {
            write_scratch("weigh.c", kept[i].text);
            command_t command = command_shell(
                scratch, SECONDS,
                "'%s/bin/mpicc' %s main.c weigh.c -o plain -lm && '%s/bin/mpiexec' -n 3 ./plain && "
                "'%s/bin/xmpicc' --xmpi-apart %s main.c weigh.c -o program -lm",
                build_dir(), flags[k], build_dir(), build_dir(), flags[k]);
            assert_int_equal(command.status, 0);
            const char *said = kept[i].said;
            if (said == NULL ? command.err[0] != '\0' : strstr(command.err, said) == NULL)
                fail_msg("%s\nis said to be: %s", kept[i].text, command.err);
            if (i < 2)
                expect_result(command.out, said);
            command_free(&command);
        }
}

/* The loop's file is called what the command calls it. */
static void test_folder_is_told(void **state)
{
    (void)state;
    size_t at = 0;
    while (kept[at].said == NULL)
        at++;
    write_scratch("main.c", state_text);
    write_scratch("weigh.c", kept[at].text);
    command_t command = command_shell(scratch, SECONDS,
                                      "mkdir -p sub && mv main.c sub && '%s/bin/xmpicc' "
                                      "--xmpi-apart sub/main.c weigh.c -o program -lm",
                                      build_dir());
    assert_int_equal(command.status, 0);
    if (strncmp(command.err, "sub/main.c:", strlen("sub/main.c:")) != 0)
        fail_msg("%s", command.err);
    command_free(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kept_beside_a_state),
                                       cmocka_unit_test(test_folder_is_told)};
    cmocka_set_test_filter(getenv("TEST"));
    scratch = scratch_make();
    machine_invent();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_remove(scratch);
    return failed;
}
