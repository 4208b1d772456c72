/* SPDX-License-Identifier: BSD-3-Clause
 * Which forms the clause state(...) may have, and what is said of others. */
#define _GNU_SOURCE
#include <stdbool.h>

#include "support/shell.h"

static void wrong_clauses_are_refused(void **state)
{
    static const char *const wrong[][2] = {
        {"state()", "state(...): is empty"},
        {"state", "state(...) has no end in its line"},
        {"state(same(i)", "state(...) has no end in its line"},
        {"state(same(i)) weight(w)", "behind 'state(...)' stands nothing, or 'interval(k)'"},
        {"state(same(i)) iterations()", "behind 'state(...)' stands nothing, or 'interval(k)'"},
        {"state(same(i)) iterations(3", "behind 'state(...)' stands nothing, or 'interval(k)'"},
        {"state(same(i)) iterations(3) iterations(3)", "'iterations' stands here twice"},
        {"state(same(i)) policy(best)", "'policy(best)': expected a policy: off, balance"},
        {"state(same(i)) policy(balance imbalance(5))", "expected ',' before 'imbalance(5)'"},
        {"state(same(i)) policy(balance imbalance=5)", "expected ',' before 'imbalance=5'"},
        {"state(same(i)) policy(amp, goal(9) share(1))", "expected ',' before 'share(1)'"},
        {"state(same(i)) policy(amp, goal=9)", "expected '(' after 'goal'"},
        {"state(same(i)) policy(amp, goal())", "expected the value of 'goal'"},
        {"state(same(i)) policy(amp, gaol(9))", "expected a setting: application_gain(...), "},
        {"state(same(i)) policy(amp, goal(1 0))", "expected a value without blanks and quotes"},
        {"state(some(i))", "there is no 'some'"},
        {"state(same(i) same(i))", "expected ',' before 'same'"},
        {"state(same(3))", "expected the name of a variable, not '3'"},
        {"state(same(i +))", "expected ')' at the end of the list, not '+'"},
        {"state(rows(v[n]))", "expected 'from' behind the arrays"},
        {"state(rows(v from 0, 1))", "say how many rows it has in all: v[n]"},
        {"state(rows(v[1][n][3] from 0, 1))", "stands in parentheses: (v[1])[n][3]"},
        {"state(rows(v[n] from 0))", "expected ',' between the first own row"},
        {"state(rows(v[n] from , 1))", "an expression is missing behind 'from'"},
        {"state(own(i))", "expected ':' and the operation"},
        {"state(own(i: -))", "not by '-'"},
        {"state(rows((v[old])[n] from 0, 1), same(i, old))", "are follows 'old', which is of the"},
        {"state(same(at), rows(v[n] from at + 1, 1))", "are follows 'at', which is of the"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *said =
            sh("printf '#pragma xmpi loop %%s\\nfor (;;) ;\\n' '%s' >wrong.c; "
               "'%s/bin/xmpi-rewrite' --output=x.c --name=wrong.c wrong.c -- 2>&1 && exit 1 || "
               "true",
               wrong[i][0], build_dir());
        if (strstr(said, "wrong.c:1: error: ") == NULL || strstr(said, wrong[i][1]) == NULL)
            fail_msg("%s: %s", wrong[i][0], said);
        assert_non_null(strstr(said, "[xmpi-state]"));
        free(said);
    }
}

/* What is wrong with the types of what is named: one line each. */
static void wrong_types_are_refused(void **state)
{
    static const char *const wrong[][2] = {
        {"same(p)", "types.c:4: error: state(...): a pointer means nothing in another process"},
        {"own(p: +)", "say how many elements it leads to, as in same(p[n]) [xmpi-state]"},
        {"same(nobody)", "state(...): use of undeclared identifier 'nobody' [xmpi-state]"},
        {"same(q[n])", "what these lead to, as in (q[0])[elements], where it is one piece of"},
        {"rows(r[9] from 0, 9)", "'r[9]' leads to pointers, which mean nothing in another process"},
        {"rows((s[0])[9] from 0, 9)", "lead to, as in (s[0][0][0])[elements], where it is one"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *said = sh("printf 'void f(int n, int *p, int **q, int ***r, int "
                        "***s[2])\\n{\\n#pragma xmpi loop state(same(n), %s)\\n"
                        "    while (n-- > 0)\\n        p[n]++;\\n}\\n' >types.c; "
                        "'%s/bin/xmpicc' --xmpi-apart -c types.c 2>&1 && exit 1 || true",
                        wrong[i][0], build_dir());
        if (strstr(said, wrong[i][1]) == NULL || strchr(said, '\n')[1] != '\0')
            fail_msg("%s: %s", wrong[i][0], said);
        free(said);
    }
}

/* What starts over comes to the loop of a function with the first array that it is handed; with a
 * number's address, or arrays by names of their own, it is as good as any. */
static void arrays_handed_in_turn_are_refused(void **state)
{
    static const struct {
        const char *calls;
        bool refused;
    } cases[] = {
        {"for (c = 0; c < 2; c++) relax(u[c], &c);", true},
        {"for (c = 0; c < 2; c++) { double *x = u[0]; relax(x, &c); }", false},
        {"relax(u[0], &c); relax(u[1], &c);", false},
        {"for (c = 0; c < 2; c++) { int k = c; double *x = u[k]; relax(x, &k); }", true},
        {"for (c = 0; c < 2; c++) between(u[c]);", true},
        {"for (c = 0; c < 2; c++) between(u[0]);", false},
        {"for (c = 0; c < 2; c++) chosen(c);", true},
        {"for (int k = 0; k < 2; k++) { relax(u[c], &c); c = !c; }", true},
        {"for (int k = 0; k < 2; k++) { double *x = u[0]; u[0] = u[1]; u[1] = x; relax(u[0], &c); "
         "}",
         false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *said =
            sh("cat >turns.c <<'END'\n"
               "static double *u[2];\n"
               "static int n, count, first, c;\n"
               "static void relax(double *x, int *at)\n"
               "{\n"
               "    int k;\n"
               "#pragma xmpi loop state(rows((u[0])[n], (u[1])[n] from first, count), same(k, c))\n"
               "    for (k = 0; k < 20; k++)\n"
               "        for (int i = 0; i < count; i++)\n"
               "            x[i] += first + i + *at;\n"
               "}\n"
               "static void between(double *x) { relax(x, &n); }\n"
               "static void chosen(int which) { double *x = u[which]; between(x); }\n"
               "int main(void)\n"
               "{\n"
               "    %s\n"
               "    return 0;\n"
               "}\n"
               "END\n"
               "'%s/bin/xmpicc' -c turns.c 2>&1 || true",
               cases[i].calls, build_dir());
        const bool refused =
            strstr(said, "state(...): 'x' leads to another array each time") != NULL;
        if (refused != cases[i].refused)
            fail_msg("%s: %s", cases[i].calls, said);
        free(said);
    }
}

/* What is named names all that is in it: the members of its structs, however they are changed, and
 * an array of arrays by each of them. */
static void what_is_named_is_named_whole(void **state)
{
    static const char *const programs[][2] = {
        {"rows(cell[60] from first, count), same(t)", "cell[i].visits++"},
        {"rows(cell[60] from first, count), same(t)", "--cell[i].visits"},
        {"rows((f[0])[60], (f[1])[60] from first, count), same(t)",
         "f[!(t % 2)][i] += f[t % 2][i]"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        char *said =
            sh("cat >whole.c <<'END'\n"
               "#include <mpi.h>\n"
               "#include <stdio.h>\n"
               "#include <stdlib.h>\n"
               "struct cell { int visits; double of; };\n"
               "static double f[2][60];\n"
               "int main(int argc, char **argv)\n"
               "{\n"
               "    int rank, size;\n"
               "    MPI_Init(&argc, &argv);\n"
               "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
               "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
               "    int first = rank * 60 / size, count = (rank + 1) * 60 / size - first;\n"
               "    struct cell *cell = calloc(60, sizeof *cell);\n"
               "#pragma xmpi loop state(%s)\n"
               "    for (int t = 0; t < 20; t++)\n"
               "        for (int i = 0; i < count; i++)\n"
               "            %s;\n"
               "    for (int i = 0; i < count; i++)\n"
               "        printf(\"%%d %%g\\n\", cell[i].visits, f[0][i] + f[1][i]);\n"
               "    MPI_Finalize();\n"
               "    return 0;\n"
               "}\n"
               "END\n"
               "'%s/bin/xmpicc' -c whole.c 2>&1 || true",
               programs[i][0], programs[i][1], build_dir());
        assert_string_equal(said, "");
        free(said);
    }
}

/* An array whose size its type has is not as long as the clause says: its processes stay. */
static void rows_lie_in_their_array(void **state)
{
    (void)state;
    free(sh("cat >room.c <<'END'\n"
            "#include <mpi.h>\n"
            "#include <stdio.h>\n"
            "static double f[2][42];\n"
            "int main(int argc, char **argv)\n"
            "{\n"
            "    int rank, size, n = 40;\n"
            "    MPI_Init(&argc, &argv);\n"
            "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
            "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
            "    int first = rank * n / size, count = (rank + 1) * n / size - first;\n"
            "#pragma xmpi loop state(rows(f[n] from first, count at 1 halo 1), same(t))\n"
            "    for (int t = 0; t < 20; t++)\n"
            "        for (int i = 1; i <= count; i++)\n"
            "            f[t %% 2][i] += i;\n"
            "    if (rank == 0)\n"
            "        printf(\"%%g\\n\", f[0][1] + f[1][1]);\n"
            "    MPI_Finalize();\n"
            "    return 0;\n"
            "}\n"
            "END\n"
            "'%s/bin/xmpicc' -o room room.c",
            build_dir()));
    char *said =
        sh("XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_SEED=1 %s '%s/bin/mpiexec' -n 3 ./room 2>&1",
           pool, build_dir());
    assert_non_null(strstr(said, "f[n] has 672 bytes, and its rows here end behind "));
    assert_non_null(strstr(said, "\n20\n"));
    free(said);
}

/* Forms in which the state may be named; it is compiled without a word. */
static void all_forms_are_taken(void **state)
{
    (void)state;
    free(sh("cat >forms.c <<'END'\n"
            "struct part { double *now; int first, count; };\n"
            "static float grid[2][40][3];\n"
            "void f(struct part *p, double **rows, double (*wide)[7], int n, int m)\n"
            "{\n"
            "    int old = 0, i = 0, k = 0, at = 0;\n"
            "    unsigned char bits[4] = {0};\n"
            "    long double sum = 0, most = 0;\n"
            "    double vla[n + 1];\n"
            "    vla[0] = 0;\n"
            "    if (n > 0)\n"
            "#pragma xmpi loop state(rows(p->now[n][m], (grid[old])[n] from p->first + 1, "
            "p->count), \\\n"
            "                        rows(rows[n][2][m], wide[n] from (at), p->count at n > 3 ? 1 "
            ": 0 halo 2), \\\n"
            "                        same(i, k, p->count, sum), same((rows[0])[n], vla[n]), "
            "own(bits: |), \\\n"
            "                        own(most: max), own(p->now[n][m]: *), scratch(old, wide)) /* "
            "all */\n"
            "        do\n"
            "            if (k > 0) k--;\n"
            "            else i++;\n"
            "        while (i < n);\n"
            "    else k = 3;\n"
            "    (void)k;\n"
            "}\n"
            "END\n"
            "for std in gnu89 c99 gnu11 c17; do '%s/bin/xmpicc' -std=$std -Wall -Wextra "
            "-Wno-dangling-else "
            "-Wno-declaration-after-statement -Werror -c forms.c || exit 1; done",
            build_dir()));
    char *said = sh("'%s/bin/xmpicc' --xmpi-report -c forms.c 2>&1", build_dir());
    assert_non_null(strstr(said, "remark: resizable: "));
    free(said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_clauses_are_refused),
        cmocka_unit_test(wrong_types_are_refused),
        cmocka_unit_test(arrays_handed_in_turn_are_refused),
        cmocka_unit_test(what_is_named_is_named_whole),
        cmocka_unit_test(rows_lie_in_their_array),
        cmocka_unit_test(all_forms_are_taken),
    };
    cmocka_set_test_filter(getenv("TEST"));
    machine_invent();
    return cmocka_run_group_tests(tests, setup, teardown);
}
