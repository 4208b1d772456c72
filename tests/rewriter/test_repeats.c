/* SPDX-License-Identifier: BSD-3-Clause
 * What the runtime is told for the check of changes: of what values are made, which of them may
 * differ, and whether an iteration can be repeated. */
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

enum { SECONDS = 120 };

static char *scratch;

/* A program of rows, with text at file scope, before the loop, in it and behind it. */
static char *program(const char *file, const char *before, const char *body, const char *after)
{
    return formatted(
        "#define _GNU_SOURCE\n#include <complex.h>\n#include <errno.h>\n#include <fcntl.h>\n"
        "#include <math.h>\n#include <mpi.h>\n#include <setjmp.h>\n#include <signal.h>\n"
        "#include <stdio.h>\n#include <stdbool.h>\n#include <stdlib.h>\n#include <string.h>\n"
        "#include <sys/time.h>\n#include <time.h>\n#include <unistd.h>\n%s\n"
        "int main(int argc, char **argv)\n{\n    int rank, size, n = 40;\n"
        "    MPI_Init(&argc, &argv);\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
        "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
        "    int count = n / size, displ = rank * count;\n"
        "    double *u = malloc(count * sizeof *u);\n"
        "    for (int i = 0; i < count; i++)\n        u[i] = (displ + i) %% 7;\n    %s\n"
        "#pragma xmpi loop\n    for (int k = 0; k < 5; k++) {\n"
        "        for (int i = 0; i < count; i++)\n            u[i] = .9 * u[i] + k;\n"
        "        %s\n    }\n    double last = 0, result = 0;\n"
        "    for (int i = 0; i < count; i++)\n        last += u[i] * (displ + i);\n"
        "    MPI_Reduce(&last, &result, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);\n    %s\n"
        "    if (rank == 0)\n        printf(\"%%.12g\\n\", result);\n    MPI_Finalize();\n"
        "    return 0;\n}\n",
        file, before, body, after);
}

/* The rewritten text of SOURCE. */
static char *rewritten(const char *source)
{
    char *path = formatted("%s/prog.c", scratch), *out = formatted("%s/out.c", scratch);
    write_file(path, source);
    command_t command =
        command_shell(scratch, SECONDS,
                      "'%s/bin/xmpi-rewrite' --output=out.c --name=prog.c --report prog.c -- "
                      "$('%s/bin/mpicc' -show -c x.c | tr ' ' '\\n' | grep '^-I') -std=gnu17",
                      build_dir(), build_dir());
    if (command.status != 0)
        print_error("%s\n%s", source, command.err);
    assert_int_equal(command.status, 0);
    command_free(&command);
    char *content = read_file(out, NULL);
    assert_non_null(content);
    remove(out);
    free(out);
    free(path);
    return content;
}

static void expect_text(const char *source, const char *wanted)
{
    char *content = rewritten(source);
    if (strstr(content, wanted) == NULL) {
        char *from = strstr(content, "xmpi_gen_repeats");
        fail_msg("no '%s' in the text for\n%s\nbut %.300s", wanted, source,
                 from ? from : "nothing");
    }
    free(content);
}

/* -- of what values are made */

static void test_elements(void **state)
{
    static const struct {
        const char *type, *elements;
    } cases[] = {
        {"double", "f8"},
        {"float", "f4"},
        {"long double", "f16"},
        {"double _Complex", "2f8"},
        {"float _Complex", "2f4"},
        {"_Bool", "i1"},
        {"unsigned char", "i1"},
        {"short", "i2"},
        {"enum colour { RED, GREEN }", "i4"},
        {"unsigned long", "i8"},
        {"__int128", "2i8"},
        {"struct { double x, y, z; int n; }", "3f8 i4 x4"},
        {"struct { char c; double x; short s; }", "i1 x7 f8 i2 x6"},
        {"struct { float x[3]; int cell[2][2]; }", "3f4 4i4"},
        {"struct { struct { int a; double b; } in[2]; char *name; }", "i4 x4 f8 i4 x4 f8 x8"},
        {"struct { union { double d; int i; } u; int kind; }", "x8 i4 x4"},
        {"struct { MPI_Comm world; MPI_Request wait[2]; int n; MPI_Aint at; }", "x12 i4 i8"},
        {"struct { int a : 3, b : 5; int c : 16; int last; }", "x1 2i1 x1 i4"},
        {"struct { double (*f)(double); long n; }", "x8 i8"},
        {"union { double d; char c[8]; }", "x8"},
        {"struct { struct { char c; short s; } part[40]; double x; }", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *before = formatted("typedef %s item;\n    item *w = calloc(count, sizeof *w);\n"
                                 "#pragma xmpi data distributed(w[n])\n",
                                 cases[i].type);
        char *source =
            program("", before, "for (int i = 0; i < count; i++) memset(&w[i], k, 1);", "");
        if (cases[i].elements != NULL) {
            char *wanted = formatted("xmpi_gen_elements(\"w\", \"%s\");", cases[i].elements);
            expect_text(source, wanted);
            free(wanted);
        } else { /* a text that would be too long is cut; all bytes count */
            expect_text(source, "xmpi_gen_elements(\"w\", \"i1 x1 i2 i1 x1 i2 ");
            expect_text(source, " i1 x79\");");
        }
        free(source);
        free(before);
    }
}

/* Not all of it need have been set, or it differs from member to member. */
static void test_marks(void **state)
{
    static const struct {
        const char *file, *before, *body, *elements;
    } cases[] = {
        {"", "double sum = 0;", "sum += k;", ":sum\", \"f8\""},
        {"", "double sum;",
         "double own = u[0]; MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);",
         ":sum\", \"? f8\""},
        {"static double own;", "double sum = 0;",
         "own = u[0]; MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);",
         ":own\", \"~ f8\""},
        {"", "double log[8];", "log[k] = k;", ":log\", \"? 8f8\""},
        {"", "double log[8] = {0};", "log[k] = k;", ":log\", \"8f8\""},
        {"static double history[8];", "", "history[k] = k;", ":history\", \"8f8\""},
        {"", "double log[8]; for (int i = 0; i < 8; i++) log[i] = 0;", "log[k] += k;",
         ":log\", \"8f8\""},
        {"", "double log[8]; for (int i = 0; i < 5; i++) log[i] = 0;", "log[k] += k;",
         ":log\", \"? 8f8\""},
        {"", "double log[8]; memset(log, 0, sizeof log);", "log[k] += k;", ":log\", \"8f8\""},
        {"struct point { int a, b; };", "struct point p; p.a = n;", "p.a += k; p.b = p.a;",
         ":p\", \"? 2i4\""},
        {"struct point { int a, b; };", "struct point p; p.a = n; p.b = 0;", "p.a += k; p.b++;",
         ":p\", \"2i4\""},
        {"struct point { int a, b; } list[3];", "", "list[k % 3].a += k;", ":list\", \"2i4\""},
        {"", "double start = MPI_Wtime(), spent = 0;", "spent += MPI_Wtime() - start;",
         ":start\", \"~ f8\""},
        {"", "double start = MPI_Wtime(), spent = 0;", "spent += MPI_Wtime() - start;",
         ":spent\", \"~ f8\""},
        {"static double now(void) { struct timeval t; gettimeofday(&t, NULL); return t.tv_sec; }",
         "double spent = 0;", "spent += now();", ":spent\", \"~ f8\""},
        {"double elsewhere(void);", "double value = 0;", "value += elsewhere();",
         ":value\", \"~ f8\""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *source = program(cases[i].file, cases[i].before, cases[i].body, "");
        expect_text(source, cases[i].elements);
        free(source);
    }
}

/* -- whether an iteration can be repeated */

typedef struct {
    const char *file, *before, *body, *after;
} lines_t;

static void expect_repeats(const lines_t *lines, const char *how, const char *why)
{
    char *source = program(lines->file, lines->before, lines->body, lines->after);
    char *wanted = formatted("xmpi_gen_repeats(%s, \"%s", how, why);
    expect_text(source, wanted);
    free(wanted);
    free(source);
}

/* All that changes is registered, or set anew before it is read. */
static void test_shown(void **state)
{
    static const lines_t cases[] = {
        {"", "", "", ""},
        {"", "double sum = 0;", "sum += k;", "last = sum;"},
        {"static double total;", "", "total += k;", "last = total;"},
        {"", "double *t = malloc(count * sizeof *t);",
         "for (int i = 0; i < count; i++) t[i] = u[i]; for (int i = 0; i < count; i++) u[i] += "
         "t[i];",
         "free(t);"},
        {"", "",
         "double *t = malloc(count * sizeof *t); t[0] = k; for (int i = 0; i < count; i++) u[i] += "
         "t[0]; free(t);",
         ""},
        {"", "", "printf(\"%d\\n\", k); fprintf(stderr, \"%d\\n\", k); fflush(stdout);", ""},
        {"static void say(FILE *to, int k) { fprintf(to, \"%d\\n\", k); }", "", "say(stdout, k);",
         ""},
        {"static double twice(double *x) { *x *= 2; return sqrt(*x); }", "",
         "for (int i = 0; i < count; i++) u[i] = twice(&u[i]);", ""},
        {"", "double start = 0;", "start = MPI_Wtime(); printf(\"%g\\n\", start);", ""},
        {"", "double a = 1, b = 2;", "double *p = k % 2 ? &a : &b; *p += 1;", "last = a + b;"},
        {"static void up(double *x) { *x += 1; }\nstatic void down(double *x) { *x -= 1; }\n"
         "static void (*const kinds[])(double *) = {up, down};",
         "double a = 0;", "kinds[k % 2](&a);", "last = a;"},
        {"", "double *v = malloc(count * sizeof *v);",
         "for (int i = 0; i < count; i++) v[i] = u[i]; double *t = u; u = v; v = t;", ""},
        {"", "",
         "errno = 0; double x = strtod(\"1.5\", NULL); if (errno != 0) perror(\"strtod\"); "
         "for (int i = 0; i < count; i++) u[i] += x;",
         ""},
        {"", "", "write(1, \"x\\n\", 2);", ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_repeats(&cases[i], "XMPI_GEN_REPEATS", "\"");
}

/* What the world has seen cannot be taken back. */
static void test_never(void **state)
{
    static const struct {
        lines_t lines;
        const char *why;
    } cases[] = {
        {{"", "", "FILE *f = fopen(\"x\", \"a\"); if (f) fclose(f);", ""},
         "it reads or writes files: fopen at prog.c:"},
        {{"", "FILE *log = NULL; if (rank == 0) log = fopen(\"x\", \"w\");",
          "if (log) fprintf(log, \"%d\\n\", k);", "if (log) fclose(log);"},
         "it reads or writes a file: fprintf at prog.c:"},
        {{"static void note(int k) { FILE *f = fopen(\"x\", \"a\"); fprintf(f, \"%d\", k); "
          "fclose(f); }",
          "", "note(k);", ""},
         "it reads or writes files: fopen at prog.c:16"},
        {{"", "",
          "MPI_File f; MPI_File_open(MPI_COMM_SELF, \"x\", MPI_MODE_RDONLY, MPI_INFO_NULL, &f);"
          "MPI_File_close(&f);",
          ""},
         "it reads or writes files: MPI_File_open at prog.c:"},
        {{"", "", "int c = getchar(); for (int i = 0; i < count; i++) u[i] += c;", ""},
         "it reads its input: getchar"},
        {{"", "", "if (system(\"true\")) for (int i = 0; i < count; i++) u[i] = 0;", ""},
         "it starts or waits for processes: system"},
        {{"", "", "signal(SIGUSR1, SIG_IGN);", ""}, "it deals with signals: signal"},
        {{"static jmp_buf back;", "",
          "if (setjmp(back) == 0) for (int i = 0; i < count; i++) u[i] = 1;", ""},
         "it jumps: "},
        {{"", "double start = MPI_Wtime();", "if (MPI_Wtime() - start > 100) break;", ""},
         "it goes by the clock: 'MPI_Wtime() - start > 100' at prog.c:"},
        {{"", "", "for (int i = 0; i < count; i++) u[i] += 1e-9 * (double)time(NULL);", ""},
         "it goes by the clock: 'u' at prog.c:"},
        {{"static int late(double since) { return MPI_Wtime() - since > 100; }",
          "double t = MPI_Wtime();",
          "double x = 0; if (late(t)) x = 1; for (int i = 0; i < count; i++) u[i] += x;", ""},
         "it goes by the clock: 'late(t)'"},
        {{"", "",
          "for (int i = 0; i < count; i++) { srand((unsigned)(displ + i)); u[i] += rand() % 3; }",
          ""},
         "it seeds random numbers: srand"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_repeats(&cases[i].lines, "XMPI_GEN_NEVER_REPEATS", cases[i].why);
}

/* Unknown is never shown. */
static void test_perhaps(void **state)
{
    static const struct {
        lines_t lines;
        const char *why;
    } cases[] = {
        {{"struct part { double *further; }; void elsewhere(const struct part *);",
          "struct part part = {malloc(8)};",
          "elsewhere(&part); for (int i = 0; i < count; i++) u[i]++;", ""},
         "what elsewhere, of another file, can change is not all known, at prog.c:"},
        {{"", "",
          "char s[] = \"a b\"; if (strtok(s, \" \")) for (int i = 0; i < count; i++) u[i]++;", ""},
         "it calls strtok, which keeps state, at prog.c:"},
        {{"double (*hook)(double);", "",
          "if (hook) for (int i = 0; i < count; i++) u[i] = hook(u[i]);", ""},
         "it calls a function by a pointer that leads nowhere known, at prog.c:"},
        {{"", "", "__asm__ volatile(\"\");", ""}, "it has instructions of the machine at prog.c:"},
        {{"", "long *seen = NULL; if (rank == 0) seen = calloc(5, sizeof *seen);",
          "if (rank == 0) seen[k] += k;", "if (rank == 0) last += seen[1];"},
         "it changes 'seen', which is not registered, at prog.c:"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_repeats(&cases[i].lines, "XMPI_GEN_MAY_REPEAT", cases[i].why);
}

/* Where the linked program shows that another file keeps nothing the loop can change at all, and
 * what is given to it is put back. */
static void test_relied(void **state)
{
    (void)state;
    lines_t lines = {"double elsewhere(double *);", "",
                     "for (int i = 0; i < count; i++) u[i] += elsewhere(&u[i]);", ""};
    expect_repeats(&lines, "XMPI_GEN_REPEATS_AS_RELIED",
                   "it calls elsewhere, of another file, at prog.c:");
}

/* The report says it in words. */
static void test_remark(void **state)
{
    (void)state;
    char *source =
        program("", "", "int c = getchar(); for (int i = 0; i < count; i++) u[i] += c;", "");
    char *path = formatted("%s/prog.c", scratch);
    write_file(path, source);
    command_t command =
        command_shell(scratch, SECONDS,
                      "'%s/bin/xmpi-rewrite' --output=out.c --name=prog.c --report prog.c -- "
                      "$('%s/bin/mpicc' -show -c x.c | tr ' ' '\\n' | grep '^-I') -std=gnu17",
                      build_dir(), build_dir());
    assert_int_equal(command.status, 0);
    assert_non_null(
        strstr(command.err, "an iteration cannot be repeated: it reads its input: getchar at"));
    command_free(&command);
    free(path);
    free(source);
}

static int set_up(void **state)
{
    (void)state;
    scratch = scratch_make();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    scratch_remove(scratch);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements), cmocka_unit_test(test_marks),
        cmocka_unit_test(test_shown),    cmocka_unit_test(test_never),
        cmocka_unit_test(test_perhaps),  cmocka_unit_test(test_relied),
        cmocka_unit_test(test_remark),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
