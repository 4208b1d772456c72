/* SPDX-License-Identifier: BSD-3-Clause
 * A program of two files, with places for what a case is about, for the tests of files that are
 * looked at as one. (Define _GNU_SOURCE.) */
#ifndef XMPI_TESTS_JOINED_H
#define XMPI_TESTS_JOINED_H

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

/* A field of rows that an other file divides, fills and steps. What begins with MORE_ is for the
 * cases. */
static const char header_text[] = "#ifndef FIELD_H\n"
                                  "#define FIELD_H\n"
                                  "#include <mpi.h>\n"
                                  "struct field {\n"
                                  "    int rows, columns, count, first;\n"
                                  "    double *now;\n"
                                  "};\n"
                                  "void field_make(struct field *f, int rows, int columns);\n"
                                  "void field_step(struct field *f, int step);\n"
                                  "double field_most(const struct field *f);\n"
                                  "MORE_HEADER\n"
                                  "#endif\n";

static const char field_text[] =
    "MORE_FIRST\n"
    "#include \"field.h\"\n"
    "#include <stdlib.h>\n"
    "MORE_FIELD\n"
    "static double mean(const double *row, int n)\n"
    "{\n"
    "    double sum = 0;\n"
    "    for (int i = 0; i < n; i++)\n"
    "        sum += row[i];\n"
    "    return sum / n;\n"
    "}\n"
    "void field_make(struct field *f, int rows, int columns)\n"
    "{\n"
    "    int rank, size;\n"
    "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
    "    f->rows = rows;\n"
    "    f->columns = columns;\n"
    "    f->first = rows * rank / size;\n"
    "    f->count = rows * (rank + 1) / size - f->first;\n"
    "    f->now = malloc((size_t)f->count * columns * sizeof *f->now);\n"
    "    for (int i = 0; i < f->count * columns; i++)\n"
    "        f->now[i] = (f->first * columns + i) % 17;\n"
    "}\n"
    "void field_step(struct field *f, int step)\n"
    "{\n"
    "    for (int i = 0; i < f->count; i++) {\n"
    "        double m = mean(f->now + i * f->columns, f->columns);\n"
    "        for (int j = 0; j < f->columns; j++)\n"
    "            f->now[i * f->columns + j] = 0.9 * f->now[i * f->columns + j] + 0.2 * m + step;\n"
    "    }\n"
    "}\n"
    "double field_most(const struct field *f)\n"
    "{\n"
    "    double most = 0, all;\n"
    "    for (int i = 0; i < f->count * f->columns; i++)\n"
    "        most = f->now[i] > most ? f->now[i] : most;\n"
    "    MPI_Allreduce(&most, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);\n"
    "    return all;\n"
    "}\n";

static const char main_text[] = "MORE_LOOP_FIRST\n"
                                "#include \"field.h\"\n"
                                "#include <stdio.h>\n"
                                "#include <string.h>\n"
                                "MORE_LOOP\n"
                                "int main(int argc, char **argv)\n"
                                "{\n"
                                "    struct field f;\n"
                                "    int rank;\n"
                                "    MPI_Init(&argc, &argv);\n"
                                "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                                "    MORE_MAKE\n"
                                "    field_make(&f, 60, 8);\n"
                                "#pragma xmpi loop\n"
                                "    for (int step = 0; step < 30; step++) {\n"
                                "        field_step(&f, step);\n"
                                "        MORE_STEP\n"
                                "    }\n"
                                "    double most = field_most(&f);\n"
                                "    if (rank == 0)\n"
                                "        printf(\"%.17g\\n\", most);\n"
                                "    MORE_END\n"
                                "    MPI_Finalize();\n"
                                "    return 0;\n"
                                "}\n";

/* What stands for the places in the texts. */
typedef struct {
    const char *place, *text;
} more_t;

/* TEXT with what MORE says for its places, and nothing for the others; malloc. */
static inline char *filled(const char *text, const more_t *more)
{
    char *result = strdup("");
    while (*text != '\0') {
        const size_t length = strcspn(text, "M");
        char *next = formatted("%s%.*s", result, (int)length, text);
        free(result);
        result = next;
        text += length;
        if (*text == '\0')
            break;
        const bool place = strncmp(text, "MORE_", 5) == 0;
        const size_t name = place ? strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") : 1;
        const char *put = place ? "" : "M";
        for (size_t i = 0; i < 3 && place; i++)
            if (more[i].place != NULL && strlen(more[i].place) == name &&
                strncmp(more[i].place, text, name) == 0)
                put = more[i].text;
        next = formatted("%s%s", result, put);
        free(result);
        result = next;
        text += name;
    }
    return result;
}

static inline void put(const char *name, const char *text, const more_t *more)
{
    char *path = formatted("%s/%s", scratch, name), *content = filled(text, more);
    write_file(path, content);
    free(content);
    free(path);
}

/* What a line wrote on both streams; it must succeed; malloc. */
static inline char *sh(const char *format, ...) __attribute__((format(printf, 1, 2)));

static inline char *sh(const char *format, ...)
{
    char *line = NULL;
    va_list arguments;
    va_start(arguments, format);
    assert_true(vasprintf(&line, format, arguments) >= 0);
    va_end(arguments);
    command_t command =
        command_shell(scratch, SECONDS, "X='%s/bin/xmpicc'; { %s; } 2>&1", build_dir(), line);
    if (command.status != 0)
        fail_msg("%s: status %d\n%s", line, command.status, command.out);
    free(line);
    free(command.err);
    return command.out;
}

static inline bool is_divisible(const char *program)
{
    char *count = sh("grep -c xmpi_gen_loop_begin %s || true", program);
    const bool found = atoi(count) > 0;
    free(count);
    return found;
}

static inline void write_program(const more_t *more)
{
    free(sh("rm -rf -- * && mkdir sub"));
    put("field.h", header_text, more);
    put("field.c", field_text, more);
    put("main.c", main_text, more);
    put("loose.h", "struct loose { int a; };\n#define LOOSE sizeof(struct loose)\n", more);
    put("nest.h", "#ifndef NEST_H\n#define NEST_H\n#include \"loose.h\"\n#endif\n", more);
}

/* PROGRAM prints what the plain one does, also when processes come and go. */
static inline void expect_same(const char *program)
{
    free(sh("[ -x plain ] || '%s/bin/mpicc' -w main.c field.c -lm -o plain", build_dir()));
    char *plain = sh("'%s/bin/mpiexec' -n 2 ./plain", build_dir());
    char *changed = sh("XMPI_POLICY=random XMPI_SEED=3 XMPI_INTERVAL=2 XMPI_BACKEND=pool "
                       "XMPI_ACTIVE=2 XMPI_TRACE=trace '%s/bin/mpiexec' -n 4 ./%s",
                       build_dir(), program);
    assert_string_equal(changed, plain);
    char *changes = sh("grep -c '\"event\":\"reconfiguration\"' trace || true");
    assert_true(atoi(changes) > 0 || !is_divisible(program));
    free(changes);
    free(changed);
    free(plain);
}

#endif
