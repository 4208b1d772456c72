/* SPDX-License-Identifier: BSD-3-Clause
 * Clauses of state(...) on loops in functions that are called several times: what is left out of
 * what lies between the calls is asked for. */
#define _GNU_SOURCE
#include "startover/judged.h"

/* A function with the loop that is called twice: what is made of what the first call has computed
 * is of the state, and is asked for of a clause, and told where there is none. */
static const char twice[] =
    "#include <math.h>\n#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
    "static int n = 40, rank, size, first, count;\n"
    "static double *d, *x, *y, *kept, length[2];\n"
    "static void power(int which)\n{\n"
    "    double norm = 0;\n"
    "    for (int i = 0; i < count; i++)\n        x[i] = 1 + (first + i) %% 3;\n"
    "#pragma xmpi loop%s\n"
    "    for (int k = 0; k < 20; k++) {\n"
    "        double dot = 0, dots, s = 0;\n"
    "        for (int i = 0; i < count; i++)\n            dot += kept[i] * x[i];\n"
    "        MPI_Allreduce(&dot, &dots, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n"
    "        for (int i = 0; i < count; i++) {\n"
    "            y[i] = d[i] * (x[i] - (which > 0 ? dots * kept[i] : 0));\n"
    "            s += y[i] * y[i];\n        }\n"
    "        MPI_Allreduce(&s, &norm, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n"
    "        for (int i = 0; i < count; i++)\n            x[i] = y[i] / sqrt(norm);\n    }\n"
    "    length[which] = norm;\n}\n"
    "int main(int argc, char **argv)\n{\n"
    "    MPI_Init(&argc, &argv);\n"
    "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
    "    first = n * rank / size, count = n * (rank + 1) / size - first;\n"
    "    d = malloc(count * sizeof *d), x = malloc(count * sizeof *x);\n"
    "    y = malloc(count * sizeof *y), kept = calloc(count, sizeof *kept);\n"
    "    for (int i = 0; i < count; i++)\n        d[i] = 1 + (first + i) * 10. / n;\n"
    "    power(0);\n"
    "    for (int i = 0; i < count; i++)\n        kept[i] = x[i];\n"
    "    power(1);\n"
    "    printf(\"%%g %%g\\n\", length[0], length[1]);\n"
    "    MPI_Finalize();\n    return 0;\n}\n";

static char *judge_twice(const char *clause)
{
    char *file = NULL, *text = NULL;
    assert_true(asprintf(&file, "%s/twice.c", dir) >= 0 && asprintf(&text, twice, clause) >= 0);
    write_file(file, text);
    free(file);
    free(text);
    return sh("'%s/bin/xmpicc' -w -c twice.c 2>&1 || echo refused", build_dir());
}

static void what_is_made_between_two_calls_is_asked_for(void **state)
{
    (void)state;
    char *said = judge_twice(""),
         *less = judge_twice(" state(rows(x[n] from first, count), same(k))"),
         *right = judge_twice(" state(rows(x[n], kept[n] from first, count), same(k, length[2]))");
    if (strstr(said, "resizable") == NULL ||
        strstr(said, "rows(kept[n] from first, count)") == NULL ||
        strstr(said, "same(length), same(k))' says the same") == NULL)
        fail_msg("%s", said);
    if (strstr(less, "'kept' (changed in line") == NULL || strstr(less, "refused") == NULL ||
        strstr(less, "'length' (changed in line") == NULL)
        fail_msg("%s", less);
    assert_string_equal(right, "");
    free(said);
    free(less);
    free(right);
}

/* A function with a loop, in a loop of its caller, or behind another one. */
static char *judge_called(const char *clause, const char *caller)
{
    char *file = NULL, *text = NULL;
    assert_true(asprintf(&file, "%s/called.c", dir) >= 0);
    assert_true(
        asprintf(&text,
                 "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
                 "static int n = 40, rank, size, first, count, rep;\n"
                 "static double relax(double *a)\n{\n    double all = 0;\n"
                 "#pragma xmpi loop state(rows(a[n] from first, count), same(k%s))\n"
                 "    for (int k = 0; k < 20; k++) {\n        double s = 0;\n"
                 "        for (int i = 0; i < count; i++)\n"
                 "            s += a[i] = 0.9 * a[i] + first + i;\n"
                 "        MPI_Allreduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n    }\n"
                 "    return all;\n}\n"
                 "static double decay(double *a)\n{\n    double all = 0;\n"
                 "#pragma xmpi loop state(rows(a[n] from first, count), same(k%s))\n"
                 "    for (int k = 0; k < 20; k++) {\n        double s = 0;\n"
                 "        for (int i = 0; i < count; i++)\n            s += a[i] *= 0.9;\n"
                 "        MPI_Allreduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n    }\n"
                 "    return all;\n}\n"
                 "int main(int argc, char **argv)\n{\n    MPI_Init(&argc, &argv);\n"
                 "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                 "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
                 "    first = n * rank / size, count = n * (rank + 1) / size - first;\n"
                 "    double *a = calloc((size_t)count, sizeof *a);\n"
                 "    %s\n    MPI_Finalize();\n    return 0;\n}\n",
                 clause, clause, caller) >= 0);
    write_file(file, text);
    free(file);
    free(text);
    return sh("'%s/bin/xmpicc' -w -c called.c 2>&1 || echo refused", build_dir());
}

/* What callers keep for themselves has no name at the loop. */
static void what_callers_keep_is_asked_for(void **state)
{
    (void)state;
    static const struct {
        const char *clause, *caller, *said;
    } cases[] = {{", rep",
                  "double total = 0; for (rep = 0; rep < 3; rep++) total += relax(a);"
                  "printf(\"%g\", total + decay(a));",
                  "declare total where the loop sees it"},
                 {", rep", "for (rep = 0; rep < 3; rep++) relax(a); printf(\"%g\", decay(a));", ""},
                 {"", "for (int r = 0; r < 3; r++) relax(a); decay(a);", "'r' (changed in line"},
                 {"", "double one = relax(a), two = decay(a); printf(\"%g %g\", one, two);",
                  "'one' (changed in line"},
                 {"", "relax(a); printf(\"%g\", decay(a));", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *said = judge_called(cases[i].clause, cases[i].caller);
        if (*cases[i].said == '\0' ? *said != '\0' : strstr(said, cases[i].said) == NULL)
            fail_msg("%s: %s", cases[i].caller, said);
        free(said);
    }
}

/* A sum of all processes, of what earlier calls of the function have changed, bounds the loop. */
static char *judge_bounded(const char *clause, const char *sum)
{
    char *file = NULL, *text = NULL;
    assert_true(asprintf(&file, "%s/bounded.c", dir) >= 0);
    assert_true(
        asprintf(&text,
                 "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
                 "static int n = 40, rank, size, first, count, step;\nstatic double *u;\n"
                 "static double inner(void)\n{\n    double s = 0, all = 0;\n"
                 "    for (int i = 0; i < count; i++)\n        s += u[i] * u[i];\n    %s\n}\n"
                 "static void relax(void)\n{\n    double now = inner(), least = 0.5 * now;\n"
                 "#pragma xmpi loop state(rows(u[n] from first, count), same(now, step%s))\n"
                 "    while (now > least) {\n        for (int i = 0; i < count; i++)\n"
                 "            u[i] *= 0.99;\n        now = inner();\n    }\n}\n"
                 "int main(int argc, char **argv)\n{\n    MPI_Init(&argc, &argv);\n"
                 "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                 "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
                 "    first = n * rank / size, count = n * (rank + 1) / size - first;\n"
                 "    u = calloc((size_t)count, sizeof *u);\n"
                 "    for (int i = 0; i < count; i++)\n        u[i] = 1 + first + i;\n"
                 "    for (step = 0; step < 4; step++)\n        relax();\n"
                 "    MPI_Finalize();\n    return 0;\n}\n",
                 sum, clause) >= 0);
    write_file(file, text);
    free(file);
    free(text);
    return sh("'%s/bin/xmpicc' -w -c bounded.c 2>&1 || echo refused", build_dir());
}

/* However the sum is made: what a call leaves where it has read is made of that, too. */
static void what_is_made_of_the_state_of_then_is_asked_for(void **state)
{
    (void)state;
    static const char *const sums[] = {
        "MPI_Allreduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); return all;",
        "MPI_Allreduce(MPI_IN_PLACE, &s, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); return s;",
        "MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &s, &s, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);"
        "MPI_Bcast(&s, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); return s;",
        "MPI_Scan(MPI_IN_PLACE, &s, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);"
        "MPI_Bcast(&s, 1, MPI_DOUBLE, size - 1, MPI_COMM_WORLD); return s;",
        "double part[99]; part[rank] = s; MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, part, "
        "1,"
        "MPI_DOUBLE, MPI_COMM_WORLD); for (int r = 0; r < size; r++) all += part[r]; return all;"};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        char *less = judge_bounded("", sums[i]), *right = judge_bounded(", least", sums[i]);
        if (strstr(less, "'least' (changed in line") == NULL || *right != '\0')
            fail_msg("%s: %s%s", sums[i], less, right);
        free(less);
        free(right);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_made_between_two_calls_is_asked_for),
        cmocka_unit_test(what_callers_keep_is_asked_for),
        cmocka_unit_test(what_is_made_of_the_state_of_then_is_asked_for)};
    cmocka_set_test_filter(getenv("TEST"));
    machine_invent();
    return cmocka_run_group_tests(tests, setup, teardown);
}
