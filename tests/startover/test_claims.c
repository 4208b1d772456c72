/* SPDX-License-Identifier: BSD-3-Clause
 * Clauses of state(...) that name all that is kept, and say of some of it what is not so. */
#define _GNU_SOURCE
#include "startover/judged.h"

#define U "rows(u[n] from first, count), same(t)"
#define ADD "for (int i = 0; i < count; i++) a += u[i];"
#define BY(operation) "MPI_Reduce(&a, &all, 1, MPI_DOUBLE, " operation ", 0, MPI_COMM_WORLD);"

static const loop_t loops[] = {
    /* rows: pointers that iterations merge, and that they exchange */
    {"", "double *v = calloc(count, sizeof *v);", "rows(u[n], v[n] from first, count), same(t)",
     STEPS, "{ v[0] += u[0]; if (t == 3) v = u; }", "", "lets 'v' lead where 'u' leads", NULL},
    {"", "double *v = calloc(count, sizeof *v);", "rows(u[n], v[n] from first, count), same(t)",
     STEPS, "{ v[0] += u[0]; double *w = u; u = v; v = w; }", "", NULL, NULL},
    /* own: put together by another operation, also by way of a variable, and in place */
    {"", "double a = 0, all;", U ", own(a: +)", STEPS, "{ " ADD " u[0] += 1; }", BY("MPI_MAX"),
     "by MPI_MAX, and own(a: +)", U ", own(a: max)"},
    {"", "double a = 0, all;", U ", own(a: +)", STEPS, "{ " ADD " u[0] += 1; }", BY("MPI_SUM"),
     NULL, NULL},
    {"", "double a = 0, all;", U ", own(a: +)", STEPS, "{ " ADD " u[0] += 1; }",
     "{ double b = a; MPI_Reduce(&b, &all, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD); }",
     "by MPI_MIN, and own(a: +)", NULL},
    {"", "double a = 0;", U ", own(a: +)", STEPS, "{ " ADD " u[0] += 1; }",
     "MPI_Allreduce(MPI_IN_PLACE, &a, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);",
     "by MPI_MAX, and own(a: +)", NULL},
    {"", "double a = 0, all;", U ", own(a: +)", STEPS, "{ if (u[0] > a) a = u[0]; u[0] += 1; }",
     BY("MPI_MAX"), "by MPI_MAX, and own(a: +)", U ", own(a: max)"},
    {"", "double h[4] = {0}, all[4];", U ", own(h: +)", STEPS, "{ h[t % 4] += u[0]; u[0] += 1; }",
     "MPI_Reduce(h, all, 4, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);", "by MPI_MAX, and own(h: +)",
     NULL},
    /* marks; what the process alone notes that has a row; one that each iteration begins anew */
    {"", "int a = 0, all;", U ", own(a: +)", STEPS, "{ if (u[0] > 3) a++; u[0] += 1; }",
     "MPI_Reduce(&a, &all, 1, MPI_INT, MPI_LOR, 0, MPI_COMM_WORLD);", NULL, NULL},
    {"", "double h[40] = {0}, all[40];", U ", own(h: +)", STEPS,
     "{ if (first <= 7 && 7 < first + count) h[t] = u[7 - first]; u[0] += 1; }",
     "MPI_Reduce(h, all, 40, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);", NULL, NULL},
    {"", "double a = 0, all = 0;", U ", own(a: +)", STEPS,
     "{ a = 0; " ADD
     " MPI_Allreduce(&a, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); u[0] += all; "
     "}",
     "", NULL, NULL},
    /* what one process has is put out, or goes into the rows, or decides of them */
    {"", "double a = 0;", U ", own(a: +)", STEPS, "{ " ADD " u[0] += 1; }",
     "if (rank == 0) printf(\"%g\", a);", "puts out what 'a' is on each process", NULL},
    {"", "double a = 0;", U ", own(a: +)", STEPS, "{ " ADD " u[0] += 1; }",
     "MPI_Reduce(rank == 0 ? MPI_IN_PLACE : &a, &a, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);"
     "if (rank == 0) printf(\"%g\", a);",
     NULL, NULL},
    {"", "double a = 0, all;", U ", own(a: +)", STEPS, "{ " ADD " u[0] += a; }", BY("MPI_SUM"),
     "make 'u' (line 24) of what 'a' is on each process", NULL},
    {"", "double a = 0, all;", U ", own(a: +)", STEPS, "{ " ADD " if (a > 9) u[0] = 1; }",
     BY("MPI_SUM"), "set 'u' (line 24) by what 'a' is on each process", NULL},
    {"", "double a = 0, all;", U ", own(a: +)", STEPS,
     "{ " ADD " MPI_Allreduce(&a, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); u[0] += all; }",
     "", NULL, NULL},
    /* as many as there are processes; of the rows */
    {"", "double a = 0, all;", U ", own(a: +)", STEPS, "{ a += 1; u[0] += 1; }", BY("MPI_SUM"),
     "adds to 'a' on each process, whatever rows it has", NULL},
    {"", "double a = 0, all;", U ", own(a: +)", STEPS, "{ a += size; u[0] += 1; }", BY("MPI_SUM"),
     "adds to 'a' on each process, whatever rows it has", NULL},
    {"", "double a = 0, all;", U ", own(a: +)", STEPS, "{ a += count; u[0] += 1; }", BY("MPI_SUM"),
     NULL, NULL},
    {"", "double a = 0, all;", U ", own(a: +)", STEPS,
     "{ for (int i = 0; i < count; i++) a += 1; if (rank == 0) a += 1; u[0] += 1; }", BY("MPI_SUM"),
     NULL, NULL},
    /* scratch: read before an iteration has set it, or where none may have been */
    {"", "double a = 0;", U ", scratch(a)", STEPS, "{ u[0] += a; a = t; }", "",
     "error: state(...): an iteration reads 'a' before it sets it, and makes 'u' (line 24)",
     U ", same(a)"},
    {"", "double a = 0;", U ", scratch(a)", STEPS, "{ if (t % 7 == 3) a = t; u[0] += a; }", "",
     "an iteration reads 'a' before it sets it", U ", same(a)"},
    {"", "double a = 0;", U ", scratch(a)", STEPS, "{ a = t; u[0] += a; }", "", NULL, NULL},
    {"", "double a = 0;", U ", scratch(a)", STEPS,
     "{ if (t % 7 == 3) a = t; if (t % 7 == 3) u[0] += a; }", "", NULL, NULL},
    {"", "double a = 0;", U ", scratch(a)", STEPS,
     "{ if (rank == 0) a = t; MPI_Bcast(&a, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); u[0] += a; }", "",
     NULL, NULL},
    {"", "double a = 0; int made = 0;", U ", scratch(a, made)", STEPS,
     "{ if (!made) { a = 3; made = 1; } u[0] += a; }", "", NULL, NULL},
    {FOREIGN, TWO, U ", scratch(x)", STEPS, "{ add(count, u, x); u[0] += x[0]; }", "", NULL, NULL},
    {"", TWO, U ", scratch(x)", STEPS,
     "for (int i = 0; i < count; i++) { x[i] += u[i]; u[i] += x[i]; }", "",
     "an iteration reads 'x' before it sets it", "rows(u[n], x[n] from first, count), same(t)"},
    {"", TWO, U ", scratch(x)", STEPS,
     "{ for (int i = 0; i < count; i++) x[i] = u[i]; for (int i = 0; i < count; i++) u[i] += x[i]; "
     "}",
     "", NULL, NULL},
    {"", "int a = 0;", U ", scratch(a)", STEPS, "{ a += t; u[0] += 1; }", "printf(\"%d\", a);",
     "puts out what is made of 'a' as the iterations since", U ", same(a)"},
    {"", "double a = 0;", U ", scratch(a)", STEPS, "{ a = t; u[0] += a; }", "printf(\"%g\", a);",
     NULL, NULL},
    /* what follows the rank is not the same; what all processes have put together is */
    {"", "double a = 0;", U ", same(a)", STEPS, "{ a += count; u[0] += 1; }", "printf(\"%g\", a);",
     "sets 'a' to what follows the rank", NULL},
    {"", "double a = 0;", U ", same(a)", STEPS, "{ a += dot(u, count); u[0] += 1; }",
     "printf(\"%g\", a);", NULL, NULL},
    {"", "double a = 0;", U ", same(a)", STEPS,
     "{ a = u[0]; MPI_Bcast(&a, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); u[0] += a; }",
     "printf(\"%g\", a);", NULL, NULL},
    {"", "double a = 0;", U ", root(a)", STEPS, "{ if (rank == 0) a += count; u[0] += 1; }",
     "if (rank == 0) printf(\"%g\", a);", NULL, NULL},
};

static void what_is_not_so_is_said(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        const loop_t *loop = &loops[i];
        char *said = judge(loop, loop->clause);
        if (loop->said != NULL ? strstr(said, loop->said) == NULL : *said != '\0')
            fail_msg("state(%s), %s: %s", loop->clause, loop->body, said);
        free(said);
        if (loop->right == NULL)
            continue;
        said = judge(loop, loop->right);
        if (*said != '\0')
            fail_msg("state(%s), %s: %s", loop->right, loop->body, said);
        free(said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_not_so_is_said)};
    cmocka_set_test_filter(getenv("TEST"));
    machine_invent();
    return cmocka_run_group_tests(tests, setup, teardown);
}
