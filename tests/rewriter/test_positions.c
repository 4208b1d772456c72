/* SPDX-License-Identifier: BSD-3-Clause
 * Where messages about rewritten text point to: lines and columns of the user. */
#define _GNU_SOURCE
#include <stdbool.h>

#include "rewriter/rewriting.h"

/* Where the warnings of a compilation of FILE point to, sorted, each once. It runs beside the
 * user's file, as compilers look there for the lines that they show. */
static command_t warnings_of(const char *cc, const char *where, const char *file)
{
    return command_shell(where, SECONDS,
                         "MPICH_CC=%s '%s/bin/mpicc' -I '%s/runtime/include' -Wall -Wextra "
                         "-Wconversion -Wno-unknown-pragmas -fsyntax-only '%s' 2>&1 | "
                         "grep -oE '^[^ ]+:[0-9]+:[0-9]+: [a-z]+: .*' | sort -u",
                         cc, build_dir(), source_dir(), file);
}

static void test_positions(void **state)
{
    static const char *const compilers[] = {"gcc", "clang-19"};
    (void)state;
    char *where = folder("positions"), *out = formatted("%s/rewritten.c", fixture.scratch);
    expect_success(rewrite(where, "warnings.c", "rewritten.c", ""));
    for (size_t i = 0; i < 2; i++) {
        command_t plain = warnings_of(compilers[i], where, "warnings.c");
        command_t rewritten = warnings_of(compilers[i], where, out);
        assert_non_null(strstr(plain.out, "warnings.c:"));
        assert_string_equal(rewritten.out, plain.out);
        command_free(&plain);
        command_free(&rewritten);
    }
    free(out);
    free(where);
}

/* An error that only the host compiler sees is said at the user's line and column. */
static void test_host_error(void **state)
{
    (void)state;
    char *where = folder("positions");
    expect_success(rewrite(where, "host_error.c", "host_error.c", ""));
    command_t command = command_shell(fixture.scratch, SECONDS,
                                      "'%s/bin/mpicc' -I '%s/runtime/include' -c host_error.c",
                                      build_dir(), source_dir());
    assert_int_not_equal(command.status, 0);
    assert_non_null(strstr(command.err, "host_error.c:18:54: error: "));
    command_free(&command);
    free(where);
}

/* The user's own #line directives hold in what we say and in what we write. */
static void test_own_line_directives(void **state)
{
    (void)state;
    char *path = formatted("%s/lined.c", fixture.scratch);
    write_file(path, "#include <mpi.h>\n#line 100 \"model.y\"\nint main(int argc, char **argv)\n{\n"
                     "    int rank;\n    MPI_Init(&argc, &argv);\n"
                     "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n#pragma xmpi loop\n"
                     "    for (int i = 0; i < 3; i++)\n        ;\n    return rank;\n}\n");
    expect_success(rewrite(fixture.scratch, "lined.c", "lined.out.c", "--divisible"));
    char *out = formatted("%s/lined.out.c", fixture.scratch);
    char *rewritten = read_file(out, NULL);
    assert_non_null(strstr(rewritten, "#line 104 \"model.y\"\nxmpi_gen_refresh"));
    assert_non_null(strstr(rewritten, "xmpi_gen_loop_begin(\"model.y:106\", 0)"));
    free(rewritten);
    command_t moved = rewrite(fixture.scratch, "lined.c", "lined.out.c", "");
    assert_non_null(strstr(moved.err, "model.y:106:5: remark: movable, not divisible: "));
    expect_success(moved);
    rewritten = read_file(out, NULL);
    assert_non_null(strstr(rewritten, "xmpi_gen_movable(\"model.y:106\")"));
    assert_non_null(strstr(rewritten, "#line 106 \"model.y\"\n"));
    free(rewritten);
    free(out);
    free(path);
}

/* Line ends of another system, a byte order mark, and a last line without an end. */
static void test_line_ends(void **state)
{
    (void)state;
    char *path = formatted("%s/crlf.c", fixture.scratch);
    write_file(path, "\xEF\xBB\xBF#include <mpi.h>\r\nint main(int argc, char **argv)\r\n{\r\n"
                     "    int n = 1, rank;\r\n    MPI_Init(&argc, &argv);\r\n"
                     "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\r\n"
                     "#pragma xmpi initial /* one\r\n two */\r\n    n = 2;\r\n"
                     "#pragma xmpi loop\r\n    for (int i = 0; i < n; i++)\r\n        rank++;\r\n"
                     "    return MPI_Finalize();\r\n}");
    expect_success(rewrite(fixture.scratch, "crlf.c", "crlf.out.c", "--divisible"));
    compile("gcc", "crlf.out.c", STRICT " -c -o crlf.o");
    compile("clang-19", "crlf.out.c", STRICT " -c -o crlf.o");
    expect_success(rewrite(fixture.scratch, "crlf.c", "crlf.out.c", "--divisible --readable"));
    compile("gcc", "crlf.out.c", STRICT " -c -o crlf.o");
    for (int readable = 0; readable < 2; readable++) {
        command_t moved =
            rewrite(fixture.scratch, "crlf.c", "crlf.out.c", readable ? "--readable" : "");
        assert_non_null(strstr(moved.err, "remark: movable"));
        expect_success(moved);
        compile("gcc", "crlf.out.c", STRICT " -Wno-dangling-else -c -o crlf.o");
    }
    free(path);
}

/* A pragma and its loop with conditions between them: the loop has a point where the conditions
 * leave the pragma in. */
static void test_conditions(void **state)
{
    (void)state;
    static const struct {
        const char *before, *pragma, *between, *options, *said;
    } cases[] = {
        {"#ifdef USE", "loop movable", "#endif", "-DUSE", "remark: movable: "},
        {"#ifdef USE", "loop state(same(i, n))", "#endif /* one\n */", "-DUSE",
         "remark: resizable: "},
        {"#ifdef USE", "loop state(same(i, n))",
         "#else\n#if 0\n#pragma xmpi loop movable\n#endif\nn = 1;\n#endif\n#define A", "-DUSE",
         "remark: resizable: "},
        {"#ifdef USE", "loop movable", "#else\n#pragma xmpi loop state(same(i, n))\n#endif", "",
         "remark: resizable: "},
        {"#ifdef USE", "loop movable", "#endif", "", NULL},
        {"#ifdef USE", "loop state(same(i, n))", "#else\nn = 0;\n#endif", "", NULL},
        {"#ifdef USE", "loop", "#endif", "-DUSE", "remark: movable, not divisible: "},
        {"", "loop movable", "#if 1", "",
         "error: a movable loop, 'for', 'while' or 'do', stands "
         "right behind the pragma, and no '#if' between them"},
        {"", "loop movable", "#pragma omp parallel for", "", "and no '#pragma' between them"},
        {"#ifdef USE", "loop movable", "n = 1;\n#endif", "-DUSE", "right behind the pragma [xmpi"},
    };
    char *path = formatted("%s/conditions.c", fixture.scratch);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = formatted("#include <mpi.h>\nint main(int argc, char **argv)\n{\n"
                               "    int n = 2, i;\n    MPI_Init(&argc, &argv);\n"
                               "%s\n#pragma xmpi %s\n%s\n    for (i = 0; i < n; i++)\n"
                               "        MPI_Barrier(MPI_COMM_WORLD);\n%s\n"
                               "    return MPI_Finalize();\n}\n",
                               cases[i].before, cases[i].pragma, cases[i].between,
                               strcmp(cases[i].between, "#if 1") == 0 ? "#endif" : "");
        write_file(path, text);
        command_t command = command_shell(
            fixture.scratch, SECONDS,
            "rm -f out.c; '%s/bin/xmpi-rewrite' --report --output=out.c --name=conditions.c "
            "conditions.c -- "
            "%s %s 2>&1; cat /dev/null out.c | grep -c 'xmpi_gen_movable(\"\\|xmpi_gen_due(\"'",
            build_dir(), fixture.includes, cases[i].options);
        const bool point = cases[i].said != NULL && strstr(cases[i].said, "remark") != NULL;
        if (cases[i].said != NULL ? strstr(command.out, cases[i].said) == NULL
                                  : strstr(command.out, "conditions.c") != NULL)
            fail_msg("%s: %s", text, command.out);
        if (cases[i].said == NULL || point)
            assert_int_equal(atoi(command.out + strlen(command.out) - 2) > 0, point);
        command_free(&command);
        free(text);
    }
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions),           cmocka_unit_test(test_host_error),
        cmocka_unit_test(test_own_line_directives), cmocka_unit_test(test_line_ends),
        cmocka_unit_test(test_conditions),
    };
    set_up();
    int failed = cmocka_run_group_tests_name("positions", tests, NULL, NULL);
    scratch_remove(fixture.scratch);
    return failed;
}
