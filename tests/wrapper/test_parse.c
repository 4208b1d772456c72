/* SPDX-License-Identifier: BSD-3-Clause
 * Reading command lines, splitting and quoting words, and correcting depfiles. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../xmpicc/driver/base/memory.c"
#include "../../xmpicc/driver/base/words.c"
#include "../../xmpicc/driver/base/message.c"
#include "../../xmpicc/driver/base/file.c"
#include "../../xmpicc/driver/arguments/flavor.c"
#include "../../xmpicc/driver/arguments/source.c"
#include "../../xmpicc/driver/arguments/options.c"
#include "../../xmpicc/driver/arguments/settings.c"
#include "../../xmpicc/driver/arguments/response.c"
#include "../../xmpicc/driver/arguments/parse.c"
#include "../../xmpicc/driver/depfile.c"
#include "support/command.h"

typedef struct {
    memory_t memory;
    invocation_t invocation;
    settings_t settings;
    int status;
} reading_t;

/* Reads a command line given as text. */
static void read_line(reading_t *reading, const char *line)
{
    memory_release(&reading->memory);
    *reading = (reading_t){.settings = {.flavor = flavor_c()}};
    words_t words = words_new(&reading->memory);
    words_t rest = words_split(&reading->memory, line);
    words_add(&words, "xmpicc");
    words_append(&words, &rest);
    reading->status = parse(&reading->invocation, &reading->settings, &reading->memory,
                            (int)words.count, words.items);
}

static int set_up(void **state)
{
    *state = calloc(1, sizeof(reading_t));
    return *state == NULL;
}

static int tear_down(void **state)
{
    reading_t *reading = *state;
    memory_release(&reading->memory);
    free(reading);
    return 0;
}

/* As xmpicxx a source of C is one of C++, unless -x says otherwise. */
static void test_flavors(void **state)
{
    (void)state;
    memory_t memory = {0};
    char *const words[] = {"/bin/xmpicxx", "-c", "a.c", "b.f90", "-x", "c", "d.c", NULL};
    settings_t settings = {.flavor = flavor_of(words[0])};
    invocation_t invocation = {.goal = GOAL_LINK};
    assert_int_equal(parse(&invocation, &settings, &memory, 7, words), 0);
    assert_int_equal(invocation.inputs[0].language, LANGUAGE_CXX);
    assert_int_equal(invocation.inputs[1].language, LANGUAGE_FORTRAN);
    assert_int_equal(invocation.inputs[2].language, LANGUAGE_C);
    memory_release(&memory);
    assert_string_equal(flavor_of("mpic++")->stands, "mpicxx");
    assert_string_equal(flavor_of("x/xmpif90")->stands, "mpifort");
    assert_string_equal(flavor_of("ccache-xmpicc")->stands, "mpicc");
    assert_string_equal(flavor_of("mpicc")->command, "xmpicc");
}

static void test_inputs(void **state)
{
    reading_t *reading = *state;
    read_line(reading, "-c -o out.c a.c -I b.c -include c.c d.o e.cpp -lm");
    assert_int_equal(reading->status, 0);
    assert_int_equal(reading->invocation.input_count, 3);
    assert_string_equal(reading->invocation.inputs[0].path, "a.c");
    assert_int_equal(reading->invocation.inputs[0].language, LANGUAGE_C);
    assert_int_equal(reading->invocation.inputs[1].language, LANGUAGE_NONE);
    assert_int_equal(reading->invocation.inputs[2].language, LANGUAGE_CXX);
    assert_int_equal(reading->invocation.goal, GOAL_COMPILE);
    assert_string_equal(reading->invocation.output, "out.c");
}

static void test_language_of_inputs(void **state)
{
    reading_t *reading = *state;
    read_line(reading, "-x c a.txt -xc++ b.c -xnone d.c -xHost e.c dir.c/f dir/.c -x assembler g");
    const input_t *inputs = reading->invocation.inputs;
    assert_int_equal(inputs[0].language, LANGUAGE_C);
    assert_int_equal(inputs[1].language, LANGUAGE_CXX);
    assert_int_equal(inputs[2].language, LANGUAGE_C);
    assert_int_equal(inputs[3].language, LANGUAGE_C);
    assert_int_equal(inputs[4].language, LANGUAGE_NONE);
    assert_int_equal(inputs[6].language, LANGUAGE_OTHER_SOURCE);
}

static void test_goals(void **state)
{
    reading_t *reading = *state;
    static const struct {
        const char *line;
        goal_t goal;
    } cases[] = {
        {"a.c", GOAL_LINK},
        {"-c a.c", GOAL_COMPILE},
        {"-S a.c", GOAL_COMPILE},
        {"-E a.c", GOAL_PREPROCESS},
        {"-M a.c", GOAL_PREPROCESS},
        {"-c -MM a.c", GOAL_PREPROCESS},
        {"-MMD a.c", GOAL_LINK},
        {"--version", GOAL_INFORM},
        {"-fsyntax-only -c a.c", GOAL_SYNTAX},
        {"-dumpmachine", GOAL_INFORM},
        {"-### a.c", GOAL_INFORM},
        {"-o -E a.c", GOAL_LINK},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        read_line(reading, cases[i].line);
        if (reading->invocation.goal != cases[i].goal)
            fail_msg("%s: goal %d", cases[i].line, (int)reading->invocation.goal);
    }
}

static void test_incomplete(void **state)
{
    reading_t *reading = *state;
    read_line(reading, "a.c -o");
    assert_true(reading->invocation.incomplete);
    read_line(reading, "a.c -o b");
    assert_false(reading->invocation.incomplete);
}

static void test_own_options(void **state)
{
    reading_t *reading = *state;
    read_line(reading, "--xmpi-keep -c --xmpi-report=r.json a.c --xmpi-mpicc=/x/mpicc");
    assert_int_equal(reading->status, 0);
    assert_string_equal(reading->settings.keep, ".");
    assert_string_equal(reading->settings.report_file, "r.json");
    assert_string_equal(reading->settings.mpicc, "/x/mpicc");
    assert_string_equal(words_quote(&reading->invocation.given), "-c a.c");
    /* The value of another option is none of ours. */
    read_line(reading, "-o --xmpi-off a.c");
    assert_false(reading->settings.off);
    read_line(reading, "--xmpi-skip --xmpi-off a.c --xmpi-skip b.c");
    assert_false(reading->settings.off);
    assert_int_equal(reading->invocation.input_count, 1);
    assert_string_equal(words_quote(&reading->invocation.given), "--xmpi-off a.c b.c");
}

static void test_double_dash(void **state)
{
    reading_t *reading = *state;
    read_line(reading, "-c -- -c.c --xmpi-off");
    assert_int_equal(reading->invocation.input_count, 2);
    assert_int_equal(reading->invocation.tail, 1);
    assert_false(reading->settings.off);
}

static void test_response_files(void **state)
{
    reading_t *reading = *state;
    char *dir = scratch_make(), *inner, *outer, *line;
    assert_true(asprintf(&inner, "%s/inner", dir) > 0 && asprintf(&outer, "%s/outer", dir) > 0);
    write_file(inner, "'b c.c' -D\"X=1 2\"\n");
    char *text;
    assert_true(asprintf(&text, "-c a.c @%s", inner) > 0);
    write_file(outer, text);
    assert_true(asprintf(&line, "-O2 @%s @/no/such/file", outer) > 0);
    read_line(reading, line);
    assert_int_equal(reading->invocation.input_count, 3);
    assert_string_equal(reading->invocation.inputs[1].path, "b c.c");
    assert_string_equal(reading->invocation.inputs[2].path, "@/no/such/file");
    assert_int_equal(reading->invocation.goal, GOAL_COMPILE);
    assert_string_equal(words_quote(&reading->invocation.given), line);
    /* mpicc must not see an option of the driver's. */
    write_file(inner, "--xmpi-verbose b.c");
    read_line(reading, line);
    assert_true(reading->settings.verbose);
    assert_string_equal(words_quote(&reading->invocation.given), "-O2 -c a.c b.c @/no/such/file");
    free(text);
    free(line);
    free(inner);
    free(outer);
    scratch_remove(dir);
}

static void test_response_file_naming_itself(void **state)
{
    reading_t *reading = *state;
    char *dir = scratch_make(), *file, *line;
    assert_true(asprintf(&file, "%s/self", dir) > 0 && asprintf(&line, "@%s", file) > 0);
    write_file(file, line);
    read_line(reading, line);
    assert_int_equal(reading->invocation.input_count, 1);
    free(line);
    free(file);
    scratch_remove(dir);
}

static void test_split_and_quote(void **state)
{
    reading_t *reading = *state;
    words_t words =
        words_split(&reading->memory, " a\\ b 'c \"d' \"e'f\" g\\\\h '' \n-D'X=\"1\"' ");
    const char *expected[] = {"a b", "c \"d", "e'f", "g\\h", "", "-DX=\"1\""};
    assert_int_equal(words.count, 6);
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(words.items[i], expected[i]);
    char *line = words_quote(&words);
    assert_string_equal(line, "'a b' 'c \"d' 'e'\\''f' 'g\\h' '' '-DX=\"1\"'");
    command_t command = command_shell(NULL, 10, "printf '%%s|' %s", line);
    assert_string_equal(command.out, "a b|c \"d|e'f|g\\h||-DX=\"1\"|");
    command_free(&command);
}

static void check_pragma(const char *text, bool expected)
{
    if (source_may_have_pragma(text, strlen(text)) != expected)
        fail_msg("%s", text);
}

static void test_pragma(void **state)
{
    (void)state;
    check_pragma("#pragma xmpi loop\n", true);
    check_pragma("int a;\n \t# /* c */ pragma\\\n  xmpi data\n", true);
    check_pragma("%:pragma xmpi loop\n", true);
    check_pragma("_Pragma(\"xmpi loop\") for (;;) ;", true);
    check_pragma("#define P(x) _Pragma(#x)\nP(xmpi loop)\n", true);
    check_pragma("#include <xmpi.h>\n#pragma omp parallel\n", false);
    check_pragma("#pragma omp parallel\nint xmpi;\n", false);
    check_pragma("#pragma XMPI loop\n", true); /* misspelt: the rewriter says so */
    check_pragma("#pragma xpmi loop\n", true);
    check_pragma("#pragma xmpii loop\n", true);
    check_pragma("#pragma xmp loop\n#pragma pack(1)\n#pragma once\n#pragma omp simd\n", false);
    check_pragma("#pragma", false);
    check_pragma("#pragma /* xmpi", false);
    check_pragma("", false);
}

static void test_pragma_line(void **state)
{
    (void)state;
    assert_true(source_has_pragma_line("int a;\n \t#  pragma\txmpi loop\n"));
    assert_true(source_has_pragma_line("#pragma xmpi"));
    assert_false(source_has_pragma_line("// #pragma xmpi loop\n_Pragma(\"omp\") // xmpi\n"));
    assert_false(source_has_pragma_line("#pragma xmpidata\n#pragmaxmpi\n# pragma\n"));
    assert_false(source_has_pragma_line(""));
}

/* TEXT means DIRECTIVE of xmpi in LINE; 0: nothing in it does. */
static void check_misspelt(const char *text, int line, const char *directive)
{
    const misspelt_t found = source_misspelt_pragma(text, strlen(text));
    if (found.line != line || (line > 0 && strcmp(found.directive, directive) != 0))
        fail_msg("%s: line %d, %s", text, found.line, found.line > 0 ? found.directive : "");
}

static void test_misspelt(void **state)
{
    (void)state;
    check_misspelt("int a;\n#pragma xmp loop\nfor (;;) ;\n", 2, "loop");
    check_misspelt("#pragma mpi loop", 1, "loop");
    check_misspelt(" # pragma\tmpi loop // all\n", 1, "loop");
    check_misspelt("#pragma mpi loop movable\n", 1, "loop");
    check_misspelt("#pragma xmp loop interval(3)\r\n", 1, "loop");
    check_misspelt("#pragma xmp data distributed(u[n])\n", 1, "data");
    check_misspelt("#pragma xmp setup\n", 1, "setup");
    check_misspelt("/* a */ char c = '\"';\n#pragma xmpi_loop\n", 2, "loop");
    check_misspelt("#pragma XMPI_domain(n) range(count, displ)\n", 1, "domain");
    check_misspelt("#pragma xmpi loop\n#pragma xmpiloop\n", 2, "loop");
    static const char *const others[] = {"#pragma xmp nodes p(4)\n#pragma xmp template t(0:9)\n",
                                         "#pragma xmp distribute t(block) onto p\n",
                                         "#pragma xmp loop on t(i)\n",
                                         "#pragma xmp loop (i) on t(i) reduction(+:s)\n",
                                         "#pragma xmp loop \\\n on t(i)\n",
                                         "#pragma xmp data\n",
                                         "#pragma xmpi loop\n",
                                         "#pragma xmpi lop\n",
                                         "#pragma omp loop\n#pragma acc loop\n#pragma loop\n",
                                         "#pragma mpix loop\n#pragma xmp\n#pragma xmp_loop\n",
                                         "/*\n#pragma xmp loop\n*/\n",
                                         "// #pragma xmp loop\nint pragma; xmp loop;\n",
                                         "char s[] = \"/*\";\n/* \"\n#pragma xmp loop\n",
                                         "#pragma",
                                         "#pragma ",
                                         "#pragma xmp",
                                         ""};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        check_misspelt(others[i], 0, NULL);
}

static void check_rename(memory_t *memory, const char *content, const char *file, const char *name,
                         const char *expected)
{
    char *renamed = depfile_rename(memory, content, file, name);
    if (expected == NULL)
        assert_null(renamed);
    else
        assert_string_equal(renamed, expected);
}

static void test_depfile(void **state)
{
    memory_t *memory = &((reading_t *)*state)->memory;
    check_rename(memory, "a.o: /tmp/x/0/a.c \\\n b.h\n", "/tmp/x/0/a.c", "src/a.c",
                 "a.o: src/a.c \\\n b.h\n");
    check_rename(memory, "a.o: /tmp/a\\ b/0/a.c b.h\n", "/tmp/a b/0/a.c", "./my a.c",
                 "a.o: my\\ a.c b.h\n");
    check_rename(memory, "a.o: /tmp/$$x\\#/a.c", "/tmp/$x#/a.c", "a$#.c", "a.o: a$$\\#.c");
    check_rename(memory, "a.o: t/a.c t/a.c", "t/a.c", "a-much-longer-name.c",
                 "a.o: a-much-longer-name.c a-much-longer-name.c");
    check_rename(memory, "a.o: a.c b.h\n", "/tmp/x/0/a.c", "a.c", NULL);
    check_rename(memory, "", "/tmp/x/0/a.c", "a.c", NULL);
}

#define WITH_READING(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flavors),
        WITH_READING(test_inputs),
        WITH_READING(test_language_of_inputs),
        WITH_READING(test_goals),
        WITH_READING(test_incomplete),
        WITH_READING(test_own_options),
        WITH_READING(test_double_dash),
        WITH_READING(test_response_files),
        WITH_READING(test_response_file_naming_itself),
        WITH_READING(test_split_and_quote),
        WITH_READING(test_pragma),
        WITH_READING(test_pragma_line),
        WITH_READING(test_misspelt),
        WITH_READING(test_depfile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
