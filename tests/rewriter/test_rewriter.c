/* SPDX-License-Identifier: BSD-3-Clause
 * The rewriter against its golden outputs, and the programs that it makes. */
#define _GNU_SOURCE
#include "rewriter/at_once.h"
#include "rewriter/rewriting.h"

/* With which cases, and the double that stands for the runtime, are compiled. */
#define SANITIZED "-g -fsanitize=address,undefined -fno-sanitize-recover"
#define DOUBLE "-g -std=c11 " STRICT " -Wno-missing-prototypes -Wno-conversion"

enum { MAX_TESTS = CASES_MAX + 4 };

static char *objects; /* folder of what is compiled once for all cases */
static char *plain;   /* the result of the case at hand without XMPI; NULL: not known yet */

/* -- golden programs */

static void test_golden(void **state)
{
    const char *name = *state;
    char *where = folder("cases"), *source = formatted("%s.c", name);
    char *expected = formatted("%s/%s.expected.c", where, name);
    char *out = formatted("%s/%s.c", fixture.scratch, name);
    char *warnings = formatted("%s/%s.warnings.txt", where, name);
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

static const char *const compilers[] = {"gcc", "clang-19"};

/* The object of gcc is what is linked with the runtime. */
static void test_strict(void **state)
{
    char *source = formatted("%s/tests/rewriter/cases/%s.expected.c", source_dir(), (char *)*state);
    for (size_t i = 0; i < 2; i++) {
        char *flags =
            formatted("-std=c11 -c -o strict.%s.o %s -Wmissing-prototypes", compilers[i], STRICT);
        compile(compilers[i], source, flags);
        free(flags);
    }
    free(source);
}

/* What other standards have to say of any case, which needs no code: what optimisation finds is the
 * same in all of them. One command for all of them; compilers say of which file they speak. */
static void test_standard(void **state)
{
    char *sources = formatted("%s/tests/rewriter/cases", source_dir());
    for (size_t i = 0; i < 2; i++)
        expect_success(command_shell(fixture.scratch, 10 * SECONDS,
                                     "%s '%s/bin/mpicc' -I '%s/runtime/include' -std=%s "
                                     "-c -fsyntax-only %s -Wmissing-prototypes '%s'/*.expected.c",
                                     mpicc_takes(compilers[i]), build_dir(), source_dir(),
                                     (char *)*state, STRICT, sources));
    free(sources);
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
    if (plain != NULL)
        return plain;
    char *source = formatted("%s/tests/rewriter/cases/%s.c", source_dir(), name);
    compile("gcc", source, "-o plain -lm");
    plain = result_of("plain", "");
    assert_true(strlen(plain) > strlen("result"));
    free(source);
    return plain;
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
    char *source = formatted("%s/tests/rewriter/cases/%s.expected.c", source_dir(), name);
    char *options = formatted(SANITIZED " '%s/sanitized.o' -o double -lm", objects);
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
    char *where = folder("cases"), *source = formatted("%s.c", name);
    char *expected = formatted("%s/%s.readable.c", where, name);
    char *out = formatted("%s/readable.c", fixture.scratch);
    expect_success(rewrite(where, source, "readable.c", "--divisible --readable"));
    char *actual = read_file(out, NULL);
    assert_non_null(actual);
    if (access(expected, F_OK) == 0)
        expect_file(expected, actual);
    assert_null(strstr(actual, "#line"));
    compile("clang-19", "readable.c", "-std=c99 " STRICT " -Wmissing-prototypes -c -o readable.o");
    char *options = formatted(DOUBLE " '%s/double.o' -o double -lm", objects);
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
        char *settings =
            formatted("XMPI_POLICY=random XMPI_BACKEND=spawn XMPI_INTERVAL=2 XMPI_MAX=4 "
                      "XMPI_SEED=%d",
                      seed);
        expect_result("adaptive", settings, wanted);
        free(settings);
        settings = formatted("XMPI_POLICY=random XMPI_BACKEND=pool XMPI_INTERVAL=2 XMPI_ACTIVE=2 "
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
    char *source = formatted("%s/tests/rewriter/cases/%s.expected.c", source_dir(), name);
    char *options = formatted("-o adaptive -L'%s/lib' -Wl,-rpath,'%s/lib' -lxmpi -lm", build_dir(),
                              build_dir());
    compile("gcc", "strict.gcc.o", options);
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
    char *path = formatted("%s/docs/pragmas.md", source_dir());
    char *page = read_file(path, NULL), *source = formatted("%s/smooth.c", fixture.scratch);
    assert_non_null(page);
    char *begin = strstr(page, "/* smooth.c"), *end = begin ? strstr(begin, "```") : NULL;
    assert_non_null(end);
    *end = '\0';
    write_file(source, begin);
    expect_success(rewrite(fixture.scratch, "smooth.c", "smooth.out.c", ""));
    compile("gcc", "smooth.c", "-o plain");
    char *options =
        formatted("%s -o adaptive '%s/lib/libxmpi.a' -lpapi -lsde -lcjson -lglpk -lhwloc -lm",
                  STRICT, build_dir());
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
    char *path = formatted("%s/empty.c", fixture.scratch);
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

static void compile_doubles(void)
{
    objects = fixture.scratch;
    char *source = formatted("%s/tests/rewriter/gen_double.c", source_dir());
    compile("gcc", source, SANITIZED " -c -o sanitized.o");
    compile("gcc", source, DOUBLE " -c -o double.o");
    free(source);
}

static size_t add(struct CMUnitTest *tests, size_t count, const char *what, CMUnitTestFunction run,
                  char *name)
{
    assert_true(count < MAX_TESTS);
    tests[count] = (struct CMUnitTest){formatted("%s %s", what, name), run, NULL, NULL, name};
    return count + 1;
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
    char *names[CASES_MAX];
    size_t cases = for_each_case("cases", names);
    at_once_run(fixture.scratch, names, cases, test_case);
    for (size_t i = 0; i < cases; i++)
        count = add(tests, count, "case", test_result, names[i]);
    return count;
}

int main(void)
{
    static struct CMUnitTest tests[MAX_TESTS];
    set_up();
    machine_invent();
    compile_doubles();
    size_t count = add_cases(tests, 0);
    count = add(tests, count, "standard", test_standard, "c99");
    count = add(tests, count, "standard", test_standard, "c17");
    count = add(tests, count, "page", test_page, "docs/pragmas.md");
    count = add(tests, count, "command line", test_command_line, "");
    int failed = _cmocka_run_group_tests("rewriter", tests, count, NULL, NULL);
    scratch_remove(fixture.scratch);
    return failed;
}
