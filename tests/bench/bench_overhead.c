/* SPDX-License-Identifier: BSD-3-Clause
 * Measures what XMPI costs where it does nothing: a wrapped call, a run in which there is nothing
 * to adapt, and compiling. */
#define _GNU_SOURCE
#include "bench/callgrind.h"
#include "bench/idle.h"

enum { BATCHES = 400, LIMIT = 60 };
enum { PAIRS = 400 };
enum { UNANNOTATED = 20, ANNOTATED = 6, LINES = 1000 };

/* --- calls ---------------------------------------------------------------------------------------
 */

static void wrapper(const char *dir)
{
    series_t seconds = {0};
    free(measure_run(dir, LIMIT,
                     measure_text("'%s/bin/mpicc' -O2 -I'%s/include' "
                                  "'%s/tests/bench/programs/calls.c' -o calls -L'%s/lib' -lxmpi "
                                  "-Wl,-rpath,'%s/lib'",
                                  build_dir(), build_dir(), source_dir(), build_dir(),
                                  build_dir())));
    char *output = measure_run(dir, LIMIT,
                               measure_text("XMPI_INTERVAL=1000000 exec '%s/bin/mpiexec' -n 1 "
                                            "./calls %d",
                                            build_dir(), BATCHES));
    if (series_add_lines(&seconds, output, "wrapper ") != BATCHES)
        measure_fail("not %d batches of calls:\n%s", BATCHES, output);
    measure_figure("wrapper.ns", 1e9 * series_median(&seconds), "ns");
    series_free(&seconds);
    free(output);
}

/* What calls take longer with handles of ours than with the MPI's, and with a wrapper that does
 * nothing than without. (Inside the library: hence the static one.) */
static void handles(const char *dir)
{
    static const char *const what[] = {"call", "request", "off"};
    free(measure_run(dir, LIMIT,
                     measure_text("'%s/bin/mpicc' -std=gnu11 -O2 -I'%s/runtime' "
                                  "-I'%s/runtime/include' '%s/tests/bench/programs/"
                                  "handles_calls.c' '%s/lib/libxmpi.a' -lm -ldl -o handles_calls",
                                  build_dir(), source_dir(), source_dir(), source_dir(),
                                  build_dir())));
    char *output = measure_run(
        dir, LIMIT,
        measure_text("exec '%s/bin/mpiexec' -n 1 ./handles_calls %d", build_dir(), BATCHES));
    for (size_t i = 0; i < sizeof what / sizeof *what; i++) {
        series_t seconds = {0};
        char line[32], name[32];
        snprintf(line, sizeof line, "%s ", what[i]);
        snprintf(name, sizeof name, "handles.%s.ns", what[i]);
        if (series_add_lines(&seconds, output, line) != BATCHES)
            measure_fail("not %d batches of calls:\n%s", BATCHES, output);
        measure_figure(name, 1e9 * series_median(&seconds), "ns");
        series_free(&seconds);
    }
    free(output);
}

/* --- a run with nothing to adapt -----------------------------------------------------------------
 */

static void idle(const char *dir)
{
    series_t ratio = {0}, plain = {0};
    idle_build(dir);
    idle_run(dir, "", PAIRS, &plain, &ratio);
    measure_figure("idle.iteration.ms", 1e3 * series_median(&plain), "ms");
    measure_figure("idle.wall_percent", 100 * (series_median(&ratio) - 1), "percent");
    measure_figure("idle.wall_error_percent", 100 * series_error(&ratio), "percent");
    series_free(&ratio);
    series_free(&plain);
}

/* --- the same in instructions --------------------------------------------------------------------
 */

static void idle_instructions(const char *dir)
{
    static const char *const compilers[] = {"mpicc", "xmpicc"};
    double slope[2];
    if (!callgrind_is_there("idle.instructions_percent"))
        return;
    for (int i = 0; i < 2; i++) {
        callgrind_build(dir, compilers[i]);
        slope[i] = callgrind_slope(dir, compilers[i], "");
    }
    measure_figure("idle.instructions_percent", 100 * (slope[1] / slope[0] - 1), "percent");
}

/* --- compiling -----------------------------------------------------------------------------------
 */

static double seconds_to_compile(const char *dir, const char *compiler, const char *source)
{
    double start = measure_clock();
    free(measure_run(dir, LIMIT,
                     measure_text("exec '%s/bin/%s' -O2 -Wno-unknown-pragmas -c '%s' -o out.o",
                                  build_dir(), compiler, source)));
    return measure_clock() - start;
}

/* The median seconds of compiling one source with each compiler. */
typedef struct {
    double mpicc, xmpicc;
} compiled_t;

/* In the order one, the other, the other, one, so that none is always the second. */
static compiled_t compile(const char *dir, const char *source, int rounds)
{
    series_t mpicc = {0}, xmpicc = {0};
    for (int i = 0; i < rounds; i++) {
        series_add(&mpicc, seconds_to_compile(dir, "mpicc", source));
        series_add(&xmpicc, seconds_to_compile(dir, "xmpicc", source));
        series_add(&xmpicc, seconds_to_compile(dir, "xmpicc", source));
        series_add(&mpicc, seconds_to_compile(dir, "mpicc", source));
    }
    compiled_t compiled = {series_median(&mpicc), series_median(&xmpicc)};
    series_free(&mpicc);
    series_free(&xmpicc);
    return compiled;
}

static void unannotated(const char *dir)
{
    char *source = measure_text("%s/examples/jacobi/sweep.c", source_dir());
    compiled_t compiled = compile(dir, source, UNANNOTATED);
    measure_figure("compile.unannotated.ms", 1e3 * (compiled.xmpicc - compiled.mpicc), "ms");
    free(source);
}

/* Ordinary functions, to bring the program to its length. */
static int write_filling(FILE *file, int number)
{
    fprintf(file,
            "/* Smooths a line of VALUES and tells how much it has changed. */\n"
            "double smooth_%d(double *values, int n, double weight)\n"
            "{\n"
            "    double change = 0, last = n > 0 ? values[0] : 0;\n"
            "    for (int i = 1; i + 1 < n; i++) {\n"
            "        double mean = (last + values[i] + values[i + 1]) / 3;\n"
            "        double next = (1 - weight) * values[i] + weight * mean;\n"
            "        last = values[i];\n"
            "        if (fabs(next - values[i]) > change)\n"
            "            change = fabs(next - values[i]);\n"
            "        values[i] = next;\n"
            "    }\n"
            "    if (change > %d)\n"
            "        fprintf(stderr, \"line %%d of %%d has changed by %%g\\n\", %d, n, change);\n"
            "    return change;\n"
            "}\n\n",
            number, number, number);
    return 17;
}

static int count_lines(const char *text)
{
    int lines = 0;
    for (; *text != '\0'; text++)
        lines += *text == '\n';
    return lines;
}

/* A program with every pragma, among functions: the rewriter's own test case made longer. */
static void write_annotated(const char *dir)
{
    char *path = measure_text("%s/tests/rewriter/cases/jacobi.c", source_dir()), *source = NULL;
    size_t length;
    char *program = read_file(path, NULL);
    char *functions = program == NULL ? NULL : strstr(program, "static void divide(");
    FILE *file = open_memstream(&source, &length);
    if (functions == NULL || file == NULL)
        measure_fail("%s: there is no function divide to put others before", path);
    fprintf(file, "%.*s", (int)(functions - program), program);
    for (int lines = count_lines(program), i = 0; lines < LINES; i++)
        lines += write_filling(file, i);
    fputs(functions, file);
    fclose(file);
    measure_write(dir, "annotated.c", source);
    free(source);
    free(program);
    free(path);
}

static void annotated(const char *dir)
{
    write_annotated(dir);
    compiled_t compiled = compile(dir, "annotated.c", ANNOTATED);
    measure_figure("compile.annotated.ms", 1e3 * compiled.xmpicc, "ms");
    measure_figure("compile.annotated.ratio", compiled.xmpicc / compiled.mpicc, "ratio");
}

int main(void)
{
    char *dir = measure_begin("overhead");
    setenv("CCACHE_DISABLE", "1", 1); /* compilers are to compile */
    wrapper(dir);
    handles(dir);
    unannotated(dir);
    annotated(dir);
    idle(dir);
    idle_instructions(dir);
    free(dir);
    return 0;
}
