/* SPDX-License-Identifier: BSD-3-Clause
 * What loops rely on besides their own file: functions of libraries, in place of which the program
 * may have others. */
#define _GNU_SOURCE
#include "programs/elsewhere.h"

#define CLAUSE "state(rows(x[n] from first, count), same(step))"
#define WRAP                                                                                       \
    "double __real_cbrt(double x);\ndouble __wrap_cbrt(double x);\n"                               \
    "double __wrap_cbrt(double x) { return __real_cbrt(x); }\n"
#define WRAPPED "-Wl,--wrap=cbrt wrap.o"

/* Links of a program with a CLAUSE, and what is called in place of cbrt; empty: all is well. */
static const struct {
    const char *clause, *linker, *more, *called;
} cubics[] = {{"", "xmpicc", "", ""},
              {"", "xmpicc", WRAPPED, "__wrap_cbrt"},
              {"", "mpicc", WRAPPED, "__wrap_cbrt"},
              {"", "xmpicc", "-Wl,--wrap=cbrt", "__wrap_cbrt"}, /* in the loop's own file */
              {"", "xmpicc", "own.o", "cbrt"},
              {"", "xmpicc -no-pie", "own.o", "cbrt"},
              {"", "xmpicc", "-Wl,--defsym=cbrt=halve halve.o", "cbrt"},
              {"", "xmpicc --xmpi-replaced=cbrt", WRAPPED, ""},
              {"", "xmpicc --xmpi-replaced=cbrt", "own.o", ""},
              {"", "xmpicc -no-pie", "", ""},
              {CLAUSE, "xmpicc", "", ""},
              {CLAUSE, "xmpicc", WRAPPED, "__wrap_cbrt"},
              {CLAUSE, "xmpicc --xmpi-replaced=cbrt", WRAPPED, ""}};

/* What program I of these prints as it is; then it is there as xmpicc makes it. */
static command_t build_cubic(size_t i)
{
    const char *b = build_dir();
    command_t command = command_shell(
        scratch, SECONDS,
        "sed -e 's/weigh(x.i., &x.i.)/cbrt(x[i])/' -e 's/^double weigh.*/#include \"in.h\"/' "
        "-e 's/xmpi loop/xmpi loop %s/' main.c >cubic.c && '%s/bin/mpicc' -c wrap.c own.c "
        "halve.c && '%s/bin/mpicc' cubic.c %s -o program -lm && "
        "'%s/bin/mpiexec' -n 3 ./program && '%s/bin/xmpicc' -c cubic.c && "
        "'%s/bin'/%s cubic.o %s -o program -lm '-L%s/lib' '-Wl,-rpath,%s/lib' -lxmpi",
        cubics[i].clause, b, b, cubics[i].more, b, b, b, cubics[i].linker, cubics[i].more, b, b);
    assert_int_equal(command.status, 0);
    return command;
}

/* What the linker calls in place of a function of a library, or the program has of this name, may
 * keep something: the loop, also one that starts over, keeps its processes, whoever links it, but
 * where the user says that it does not. */
static void test_wrapped_library(void **state)
{
    char words[128];
    (void)state;
    write_scratch("main.c", weighing_text);
    write_scratch("wrap.c", WRAP);
    write_scratch("own.c", "double cbrt(double x) { return x / 2; }\n");
    write_scratch("halve.c", "double halve(double x) { return x / 2; }\n");
    for (size_t i = 0; i < sizeof cubics / sizeof *cubics; i++) {
        const bool within = strcmp(cubics[i].more, "-Wl,--wrap=cbrt") == 0;
        write_scratch("in.h", within ? "#include <math.h>\n" WRAP : "#include <math.h>\n");
        command_t command = build_cubic(i);
        snprintf(words, sizeof words,
                 ": %s, of another file, is called in place of that of a library "
                 "(--xmpi-replaced=cbrt, if it keeps nothing)",
                 cubics[i].called);
        const bool changes = cubics[i].called[0] == '\0';
        expect_result(command.out, changes, changes ? "the loop keeps its processes" : words);
        command_free(&command);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wrapped_library)};
    /* Other files are here what cannot be joined with that of the loop. */
    setenv("XMPICC_FLAGS", "--xmpi-apart", 1);
    scratch = scratch_make();
    machine_invent();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_remove(scratch);
    return failed;
}
