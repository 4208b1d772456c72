/* SPDX-License-Identifier: BSD-3-Clause
 * The rewriter against its golden outputs, its diagnostics, and the programs that it makes.
 *
 * XMPI_UPDATE=1 writes the expected files anew; look at the difference before you keep it. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "rewriter/at_once.h"
#include "support/command.h"

#define STRICT                                                                                     \
    "-O2 -Wall -Wextra -Wconversion -Wshadow -pedantic-errors -Werror -Wno-unknown-pragmas "       \
    "-Wno-misleading-indentation"

/* With which cases, and the double that stands for the runtime, are compiled. */
#define SANITIZED "-g -fsanitize=address,undefined -fno-sanitize-recover"
#define DOUBLE "-g -std=c11 " STRICT " -Wno-missing-prototypes -Wno-conversion"

enum { SECONDS = 120, MAX_TESTS = 2048 };

typedef struct {
    char *scratch;
    char *objects;      /* folder of what is compiled once for all cases */
    char includes[512]; /* -I options for mpi.h */
    char *plain;        /* the result of the case at hand without XMPI; NULL: not known yet */
} fixture_t;

static fixture_t fixture;

/* -- helpers */

static char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));

static char *text(const char *format, ...)
{
    char *result = NULL;
    va_list arguments;
    va_start(arguments, format);
    assert_true(vasprintf(&result, format, arguments) >= 0);
    va_end(arguments);
    return result;
}

static char *folder(const char *name)
{
    return text("%s/tests/rewriter/%s", source_dir(), name);
}

/* Runs the rewriter in FOLDER on NAME; the output goes to OUT in the scratch folder. */
static command_t rewrite(const char *where, const char *name, const char *out, const char *options)
{
    return command_shell(
        where, SECONDS, "'%s/bin/xmpi-rewrite' --output='%s/%s' --name='%s' %s '%s' -- %s -std=c11",
        build_dir(), fixture.scratch, out, name, options, name, fixture.includes);
}

static void expect_success(command_t command)
{
    if (command.status != 0)
        print_error("status %d\n%s%s\n", command.status, command.out, command.err);
    assert_int_equal(command.status, 0);
    command_free(&command);
}

/* The lines of TEXT that begin with PREFIX, in their order. */
static char *lines_with(const char *lines, const char *prefix)
{
    char *found = calloc(strlen(lines) + 1, 1);
    for (const char *line = lines; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        if (strncmp(line, prefix, strlen(prefix)) == 0)
            strncat(found, line, length);
        line += length;
    }
    return found;
}

/* Compares with the file EXPECTED, or writes it when asked to. */
static void expect_file(const char *expected, const char *actual)
{
    if (getenv("XMPI_UPDATE") != NULL)
        write_file(expected, actual);
    char *wanted = read_file(expected, NULL);
    assert_non_null(wanted);
    if (strcmp(wanted, actual) != 0)
        print_error("%s differs; got:\n%s\n", expected, actual);
    assert_string_equal(wanted, actual);
    free(wanted);
}

/* -- golden programs */

static void test_golden(void **state)
{
    const char *name = *state;
    char *where = folder("cases"), *source = text("%s.c", name);
    char *expected = text("%s/%s.expected.c", where, name);
    char *out = text("%s/%s.c", fixture.scratch, name);
    char *warnings = text("%s/%s.warnings.txt", where, name);
    command_t command = rewrite(where, source, source, "--divisible");
    if (command.err[0] != '\0' || access(warnings, F_OK) == 0)
        expect_file(warnings, command.err);
    expect_success(command);
    char *actual = read_file(out, NULL);
    assert_non_null(actual);
    expect_file(expected, actual);
    free(actual);
    free(warnings);
    free(out);
    free(expected);
    free(source);
    free(where);
}

/* Compiles SOURCE with the compiler CC and more ARGUMENTS. */
static void compile(const char *cc, const char *source, const char *arguments)
{
    expect_success(command_shell(fixture.scratch, SECONDS,
                                 "MPICH_CC=%s '%s/bin/mpicc' -I '%s/runtime/include' '%s' %s", cc,
                                 build_dir(), source_dir(), source, arguments));
}

/* (What a standard has to say needs no code; what optimisation finds is the same in all of them.)
 */
static void test_strict(void **state)
{
    static const char *const compilers[] = {"gcc", "clang-19"};
    static const char *const ways[] = {"c11 -c -o strict.o", "c99 -c -fsyntax-only",
                                       "c17 -c -fsyntax-only"};
    char *source = text("%s/tests/rewriter/cases/%s.expected.c", source_dir(), (char *)*state);
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < 3; j++) {
            char *flags = text("-std=%s %s -Wmissing-prototypes", ways[j], STRICT);
            compile(compilers[i], source, flags);
            free(flags);
        }
    free(source);
}

/* What PROGRAM prints as its result on PROCESSES with the environment ENVIRONMENT. */
static char *result_on(int processes, const char *program, const char *environment)
{
    command_t run = command_shell(fixture.scratch, SECONDS, "%s '%s/bin/mpiexec' -n %d ./%s",
                                  environment, build_dir(), processes, program);
    if (run.status != 0)
        print_error("%s %s: status %d\n%s\n", environment, program, run.status, run.err);
    assert_int_equal(run.status, 0);
    char *result = lines_with(run.out, "result");
    command_free(&run);
    return result;
}

static char *result_of(const char *program, const char *environment)
{
    return result_on(2, program, environment);
}

static void expect_result(const char *program, const char *environment, const char *wanted)
{
    char *result = result_of(program, environment);
    assert_string_equal(result, wanted);
    free(result);
}

static const char *plain_result(const char *name)
{
    if (fixture.plain != NULL)
        return fixture.plain;
    char *source = text("%s/tests/rewriter/cases/%s.c", source_dir(), name);
    compile("gcc", source, "-o plain -lm");
    fixture.plain = result_of("plain", "");
    assert_true(strlen(fixture.plain) > strlen("result"));
    free(source);
    return fixture.plain;
}

/* All ranks can be joining processes, unless rank 0 has to stay. */
static int joins(const char *name, const char *rewritten)
{
    return strcmp(name, "plain") != 0 && strstr(rewritten, "xmpi_gen_root") == NULL;
}

/* Initial processes whose arrays move and whose setup runs again; then processes that join. */
static void test_roles(void **state)
{
    const char *name = *state;
    const char *wanted = plain_result(name);
    char *source = text("%s/tests/rewriter/cases/%s.expected.c", source_dir(), name);
    char *options = text(SANITIZED " '%s/sanitized.o' -o double -lm", fixture.objects);
    compile("gcc", source, options);
    expect_result("double", "ASAN_OPTIONS=detect_leaks=0 XMPI_DOUBLE='move state'", wanted);
    char *rewritten = read_file(source, NULL);
    if (joins(name, rewritten))
        expect_result("double", "ASAN_OPTIONS=detect_leaks=0 XMPI_DOUBLE='join state'", wanted);
    free(rewritten);
    free(options);
    free(source);
}

/* The text for people: it has the same meaning, and compiles as strictly. Of some cases it is kept
 * here, to see what it looks like. */
static void test_readable(void **state)
{
    const char *name = *state;
    char *where = folder("cases"), *source = text("%s.c", name);
    char *expected = text("%s/%s.readable.c", where, name);
    char *out = text("%s/readable.c", fixture.scratch);
    expect_success(rewrite(where, source, "readable.c", "--divisible --readable"));
    char *actual = read_file(out, NULL);
    assert_non_null(actual);
    if (access(expected, F_OK) == 0)
        expect_file(expected, actual);
    assert_null(strstr(actual, "#line"));
    compile("clang-19", "readable.c", "-std=c99 " STRICT " -Wmissing-prototypes -c -o strict.o");
    char *options = text(DOUBLE " '%s/double.o' -o double -lm", fixture.objects);
    compile("gcc", "readable.c", options);
    const char *wanted = plain_result(name);
    expect_result("double", "XMPI_DOUBLE='move state'", wanted);
    if (joins(name, actual))
        expect_result("double", "XMPI_DOUBLE='join state'", wanted);
    free(options);
    free(actual);
    free(out);
    free(expected);
    free(source);
    free(where);
}

/* Any sequence of reconfigurations leads to the same result. */
static void expect_reconfigured(const char *wanted)
{
    for (int seed = 1; seed <= 2; seed++) {
        char *settings = text("XMPI_POLICY=random XMPI_BACKEND=spawn XMPI_INTERVAL=2 XMPI_MAX=4 "
                              "XMPI_SEED=%d",
                              seed);
        expect_result("adaptive", settings, wanted);
        free(settings);
        settings = text("XMPI_POLICY=random XMPI_BACKEND=pool XMPI_INTERVAL=2 XMPI_ACTIVE=2 "
                        "XMPI_SEED=%d",
                        seed);
        char *result = result_on(4, "adaptive", settings);
        assert_string_equal(result, wanted);
        free(result);
        free(settings);
    }
}

static void test_runtime(void **state)
{
    const char *name = *state;
    const char *wanted = plain_result(name);
    char *source = text("%s/tests/rewriter/cases/%s.expected.c", source_dir(), name);
    char *options =
        text("-o adaptive -L'%s/lib' -Wl,-rpath,'%s/lib' -lxmpi -lm", build_dir(), build_dir());
    compile("gcc", source, options);
    expect_result("adaptive", "XMPI_POLICY=off", wanted);
    char *rewritten = read_file(source, NULL);
    if (strstr(rewritten, "The result is the same for any layout.") != NULL)
        expect_reconfigured(wanted);
    free(rewritten);
    free(options);
    free(source);
}

/* The program of the page on pragmas, taken from there. */
static void test_page(void **state)
{
    (void)state;
    char *path = text("%s/docs/pragmas.md", source_dir());
    char *page = read_file(path, NULL), *source = text("%s/smooth.c", fixture.scratch);
    assert_non_null(page);
    char *begin = strstr(page, "/* smooth.c"), *end = begin ? strstr(begin, "```") : NULL;
    assert_non_null(end);
    *end = '\0';
    write_file(source, begin);
    expect_success(rewrite(fixture.scratch, "smooth.c", "smooth.out.c", ""));
    compile("gcc", "smooth.c", "-o plain");
    char *options =
        text("%s -o adaptive '%s/lib/libxmpi.a' -lpapi -lsde -lcjson -lglpk -lhwloc -lm", STRICT,
             build_dir());
    compile("gcc", "smooth.out.c", options);
    char *wanted = result_of("plain", "");
    assert_non_null(strstr(wanted, "100 steps"));
    expect_result("adaptive", "XMPI_POLICY=off", wanted);
    free(wanted);
    free(options);
    free(source);
    free(page);
    free(path);
}

/* -- diagnostics */

static void test_error(void **state)
{
    const char *name = *state;
    char *where = folder("errors"), *source = text("%s.c", name);
    char *expected = text("%s/%s.expected.txt", where, name);
    char *out = text("%s/none.c", fixture.scratch);
    command_t command = rewrite(where, source, "none.c", "--divisible");
    assert_int_equal(command.status, 1);
    assert_int_equal(access(out, F_OK), -1);
    assert_string_equal(command.out, "");
    expect_file(expected, command.err);
    command_free(&command);
    free(out);
    free(expected);
    free(source);
    free(where);
}

/* What the first line of TEXT says behind WHAT; NULL: it says something else. */
static char *first_of(const char *lines, const char *what)
{
    const char *at = strstr(lines, what), *end = strchr(lines, '\n');
    return at == NULL || (end != NULL && at > end)
               ? NULL
               : text("%.*s%.*s", (int)(at - lines), lines, (int)strcspn(at + strlen(what), "\n"),
                      at + strlen(what));
}

/* The line that is advised, in the place of the pragma, does what is done without it. */
static void take_state(const char *where, const char *name, const char *said)
{
    const char *begin = strstr(said, "'#pragma xmpi loop state("), *end = strstr(begin, "' says");
    char *path = text("%s/%s.c", where, name), *program = read_file(path, NULL);
    char *pragma = strstr(program, "#pragma xmpi loop\n");
    assert_non_null(end);
    assert_non_null(pragma);
    char *taken = text("%.*s%.*s\n%s", (int)(pragma - program), program, (int)(end - begin) - 1,
                       begin + 1, strchr(pragma, '\n') + 1);
    char *file = text("%s/taken.c", fixture.scratch);
    write_file(file, taken);
    command_t command = rewrite(fixture.scratch, "taken.c", "moved.c", "");
    assert_string_equal(command.err, "");
    assert_int_equal(command.status, 0);
    compile("gcc", "moved.c", "-fsyntax-only -w");
    command_free(&command);
    free(file);
    free(taken);
    free(program);
    free(path);
}

/* Without being told to divide, the same loop moves or starts over, and the first error is the
 * reason; or somebody meant something else, which stays an error. COUNT[0] and [1] are how many
 * there are of both, COUNT[2] those that start over. */
static void move_instead(const char *name, int *count)
{
    char *where = folder("errors"), *source = text("%s.c", name);
    char *expected = text("%s/%s.expected.txt", where, name);
    char *wanted = read_file(expected, NULL);
    command_t command = rewrite(where, source, "moved.c", "");
    char *error = first_of(wanted, ": error: ");
    char *remark = first_of(command.err, ": remark: movable, not divisible: ");
    const bool resizable = strstr(command.err, ": remark: resizable, ") != NULL;
    if (resizable)
        remark = first_of(command.err, ": remark: resizable, not divisible: ");
    if (command.status == 0) {
        assert_non_null(remark);
        assert_string_equal(remark, error);
        assert_null(strstr(command.err, " error: "));
        assert_null(strstr(strstr(command.err, "remark: ") + 1, "remark: "));
        compile("gcc", "moved.c", "-fsyntax-only -w");
        if (resizable)
            take_state(where, name, command.err);
    } else {
        assert_string_equal(command.err, wanted);
    }
    count[command.status]++;
    count[2] += resizable;
    command_free(&command);
    free(remark);
    free(error);
    free(wanted);
    free(expected);
    free(source);
    free(where);
}

static size_t for_each_case(const char *where, char **names);

static void test_moves_instead(void **state)
{
    char *names[MAX_TESTS / 4];
    size_t cases = for_each_case("errors", names);
    int count[3] = {0, 0, 0};
    (void)state;
    for (size_t i = 0; i < cases; i++) {
        move_instead(names[i], count);
        free(names[i]);
    }
    assert_true(count[0] > 100 && count[1] > 40 && count[2] >= 5);
}

/* Elements of a row that do not lie together, and numbers of places in a block that only what
 * follows the loop looks at, are no state that starts could be given: the number of processes
 * stays. */
static void test_no_state(void **state)
{
    static const char *const names[] = {"column_fields.c", "column_order.c",
                                        "rank_dependent_list.c", "rank_dependent_order.c"};
    char *where = folder("errors");
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        command_t command = rewrite(where, names[i], "moved.c", "");
        assert_int_equal(command.status, 0);
        assert_non_null(strstr(command.err, ": remark: movable, not divisible: "));
        command_free(&command);
    }
    free(where);
}

/* Every name in the table is explained and has a case that shows it. */
static void test_documented(void **state)
{
    (void)state;
    char *path = text("%s/rewriter/report/diagnostics.cpp", source_dir());
    char *table = read_file(path, NULL);
    char *page_path = text("%s/docs/diagnostics.md", source_dir());
    char *page = read_file(page_path, NULL);
    assert_non_null(table);
    assert_non_null(page);
    int names = 0;
    for (char *at = table; (at = strstr(at, "\"xmpi-")) != NULL; names++) {
        char *name = strndup(at + 1, strcspn(at + 1, "\""));
        char *heading = text("\n## %s\n", name);
        if (strstr(page, heading) == NULL)
            fail_msg("docs/diagnostics.md does not explain %s", name);
        command_t shown =
            command_shell(NULL, SECONDS,
                          "cd '%s'/tests/rewriter && grep -lF '[%s]' errors/*.expected.txt "
                          "cases/*.warnings.txt",
                          source_dir(), name);
        if (shown.status != 0)
            fail_msg("no case in tests/rewriter/errors shows %s", name);
        command_free(&shown);
        at += strlen(name);
        free(heading);
        free(name);
    }
    assert_true(names > 40);
    free(page);
    free(page_path);
    free(table);
    free(path);
}

/* -- positions */

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
    char *where = folder("positions"), *out = text("%s/rewritten.c", fixture.scratch);
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
    char *path = text("%s/lined.c", fixture.scratch);
    write_file(path, "#include <mpi.h>\n#line 100 \"model.y\"\nint main(int argc, char **argv)\n{\n"
                     "    int rank;\n    MPI_Init(&argc, &argv);\n"
                     "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n#pragma xmpi loop\n"
                     "    for (int i = 0; i < 3; i++)\n        ;\n    return rank;\n}\n");
    expect_success(rewrite(fixture.scratch, "lined.c", "lined.out.c", "--divisible"));
    char *out = text("%s/lined.out.c", fixture.scratch);
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
    char *path = text("%s/crlf.c", fixture.scratch);
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

/* -- the report */

static void test_remarks(void **state)
{
    (void)state;
    char *where = folder("cases"), *expected = folder("cases/structs.remarks.txt");
    command_t command = rewrite(where, "structs.c", "remarks.c", "--report");
    assert_int_equal(command.status, 0);
    char *remarks = lines_with(command.err, "structs.c:");
    expect_file(expected, remarks);
    free(remarks);
    command_free(&command);
    free(expected);
    free(where);
}

static void test_json(void **state)
{
    (void)state;
    char *where = folder("cases"), *expected = folder("cases/function.report.json");
    char *option = text("--report='%s/report.json'", fixture.scratch);
    char *path = text("%s/report.json", fixture.scratch);
    expect_success(rewrite(where, "function.c", "json.c", option));
    char *report = read_file(path, NULL);
    assert_non_null(report);
    expect_file(expected, report);
    free(report);
    free(path);
    free(option);
    free(expected);
    free(where);
}

/* -- the command line */

static void expect_status(int status, const char *arguments)
{
    command_t command =
        command_shell(fixture.scratch, SECONDS, "'%s/bin/xmpi-rewrite' %s", build_dir(), arguments);
    assert_int_equal(command.status, status);
    assert_true(strlen(command.err) > 0);
    command_free(&command);
}

static void test_command_line(void **state)
{
    (void)state;
    char *path = text("%s/empty.c", fixture.scratch);
    write_file(path, "int nothing;\n");
    expect_status(2, "");
    expect_status(2, "--output=x.c");
    expect_status(2, "--output=x.c --nonsense empty.c --");
    expect_status(1, "--output=x.c --name=missing.c missing.c --");
    expect_status(1, "--output=no/such/folder/x.c --name=empty.c empty.c --");
    expect_status(1, "--output=x.c --name=empty.c empty.c -- --no-such-flag");
    command_t files = command_shell(fixture.scratch, SECONDS, "ls x.c*");
    assert_int_not_equal(files.status, 0);
    command_free(&files);
    free(path);
}

/* -- all of them */

static void set_up(void)
{
    fixture.scratch = scratch_make();
    command_t command = command_shell(NULL, SECONDS,
                                      "'%s/bin/mpicc' -show -c x.c | tr ' ' '\\n' | grep '^-I' | "
                                      "tr '\\n' ' '",
                                      build_dir());
    snprintf(fixture.includes, sizeof fixture.includes, "%s", command.out);
    command_free(&command);
    fixture.objects = fixture.scratch;
    char *source = text("%s/tests/rewriter/gen_double.c", source_dir());
    compile("gcc", source, SANITIZED " -c -o sanitized.o");
    compile("gcc", source, DOUBLE " -c -o double.o");
    free(source);
}

static size_t add(struct CMUnitTest *tests, size_t count, const char *what, CMUnitTestFunction run,
                  char *name)
{
    assert_true(count < MAX_TESTS);
    tests[count] = (struct CMUnitTest){text("%s %s", what, name), run, NULL, NULL, name};
    return count + 1;
}

/* The names of the cases in FOLDER: files *.c that are not expected outputs. */
static size_t for_each_case(const char *where, char **names)
{
    glob_t found;
    size_t count = 0;
    char *all = folder(where), *pattern = text("%s/*.c", all);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *name = strrchr(found.gl_pathv[i], '/') + 1;
        assert_true(count < MAX_TESTS / 4);
        if (strstr(name, ".expected.c") == NULL && strstr(name, ".readable.c") == NULL)
            names[count++] = strndup(name, strlen(name) - 2);
    }
    globfree(&found);
    free(pattern);
    free(all);
    return count;
}

/* All that is tested of a case, in a folder of its own. */
static int test_case(char *name)
{
    const struct CMUnitTest tests[] = {
        {"golden", test_golden, NULL, NULL, name},   {"strict", test_strict, NULL, NULL, name},
        {"roles", test_roles, NULL, NULL, name},     {"readable", test_readable, NULL, NULL, name},
        {"runtime", test_runtime, NULL, NULL, name},
    };
    fixture.scratch = scratch_make();
    int failed = cmocka_run_group_tests_name(name, tests, NULL, NULL);
    scratch_remove(fixture.scratch);
    return failed;
}

static void test_result(void **state)
{
    at_once_expect(fixture.scratch, *state);
}

static size_t add_cases(struct CMUnitTest *tests, size_t count)
{
    char *names[MAX_TESTS / 4];
    size_t cases = for_each_case("cases", names);
    at_once_run(fixture.scratch, names, cases, test_case);
    for (size_t i = 0; i < cases; i++)
        count = add(tests, count, "case", test_result, names[i]);
    cases = for_each_case("errors", names);
    for (size_t i = 0; i < cases; i++)
        count = add(tests, count, "error", test_error, names[i]);
    return count;
}

int main(void)
{
    static struct CMUnitTest tests[MAX_TESTS];
    set_up();
    size_t count = add_cases(tests, 0);
    count = add(tests, count, "page", test_page, "docs/pragmas.md");
    count = add(tests, count, "diagnostics", test_documented, "documented");
    count = add(tests, count, "diagnostics", test_moves_instead, "of movable loops");
    count = add(tests, count, "diagnostics", test_no_state, "of states that are none");
    count = add(tests, count, "positions", test_positions, "of warnings");
    count = add(tests, count, "positions", test_host_error, "of errors");
    count = add(tests, count, "positions", test_own_line_directives, "with #line");
    count = add(tests, count, "positions", test_line_ends, "with other line ends");
    count = add(tests, count, "report", test_remarks, "as remarks");
    count = add(tests, count, "report", test_json, "as JSON");
    count = add(tests, count, "command line", test_command_line, "");
    int failed = _cmocka_run_group_tests("rewriter", tests, count, NULL, NULL);
    scratch_remove(fixture.scratch);
    return failed;
}
