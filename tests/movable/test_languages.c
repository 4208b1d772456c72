/* SPDX-License-Identifier: BSD-3-Clause
 * Programs in C++ and Fortran whose processes go elsewhere, and the commands that compile them.
 * What an MPI without these languages cannot do is passed over. */
#define _GNU_SOURCE
#include "support/shell.h"

enum { PROCESSES = 3, FEW = 60, MANY = 700 };

/* The MPI's own command behind ours, or the test ends here: that MPI has not the language. */
static void needs(const char *command)
{
    char *line = NULL;
    assert_true(asprintf(&line, "%s --xmpi-version", command) >= 0);
    command_t asked = shell_run(line);
    if (asked.status != 0) {
        assert_non_null(strstr(asked.err, ": error: there is no "));
        print_message("%s", asked.err);
        skip();
    }
    command_free(&asked);
    free(line);
}

static int soaks(void)
{
    return getenv("SOAK") != NULL;
}

/* ./plain and ./moving print the same, however often the processes go elsewhere. (Lines that a rank
 * prints in two processes may come to mpiexec in another order.) */
static void compare(const char *settings, int processes)
{
    char *line = NULL, *wanted, *said;
    const int steps = soaks() ? MANY : FEW;
    assert_true(asprintf(&line, "XMPI_POLICY=off mpiexec -n %d ./plain %d >out && sort out",
                         PROCESSES, steps) >= 0);
    wanted = sh_line(line);
    assert_true(strlen(wanted) > 40);
    free(line);
    assert_true(
        asprintf(&line,
                 "XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_SEED=3 XMPI_TRACE=t %s mpiexec -n "
                 "%d ./moving %d >out 2>&1 && sort out || { cat out >&2; exit 1; }",
                 settings, processes, steps) >= 0);
    said = sh_line(line);
    assert_string_equal(said, wanted);
    assert_in_range(changes_in_trace(), soaks() ? 500 : 15, steps);
    free(said);
    free(wanted);
    free(line);
}

static void moves_both_ways(void)
{
    compare("XMPI_BACKEND=pool XMPI_ACTIVE=3", PROCESSES + 2);
    compare("XMPI_BACKEND=spawn XMPI_MAX=6 XMPI_STRATEGY=concurrent", PROCESSES);
}

static const char their_mpicxx[] = "$(xmpicxx --xmpi-version | sed -n 's/^mpicxx: //p')";

/* The same source for mpicxx, which does not know the pragma. */
static void a_program_in_cxx_moves(void **state)
{
    char *line = NULL;
    (void)state;
    needs("xmpicxx");
    assert_true(
        asprintf(&line,
                 "cp $S/tests/movable/classes.cpp . && %s -std=c++17 -O1 classes.cpp -o plain && "
                 "xmpicxx -std=c++17 -O1 -Wall -Wextra -Werror classes.cpp -o moving",
                 their_mpicxx) >= 0);
    free(sh_line(line));
    free(line);
    moves_both_ways();
    /* compiled by itself, for debuggers, and to be read */
    free(sh_line("xmpicxx -std=c++20 -g -O0 --xmpi-keep -c classes.cpp && "
                 "grep -q '::xmpi_gen_movable(\"classes.cpp:90\")' classes.xmpi.cpp && "
                 "xmpicxx classes.o -o moving"));
    compare("XMPI_BACKEND=pool XMPI_ACTIVE=3", PROCESSES + 2);
}

/* To the byte. */
static void what_has_no_such_loop_is_compiled_as_ever(void **state)
{
    char *line = NULL;
    (void)state;
    needs("xmpicxx");
    assert_true(
        asprintf(&line,
                 "printf '%%s\\n' '#include <mpi.h>' '#include <vector>' '// pragma xmpi?' "
                 "'int main() { std::vector<int> v(3); MPI_Init(nullptr, nullptr); return "
                 "MPI_Finalize() + v[0]; }' >other.cpp && cp other.cpp other.c && "
                 "for f in other.cpp other.c; do xmpicxx -g -O2 -c $f -o one.o && "
                 "%s -g -O2 -c $f -o two.o && cmp one.o two.o || exit 1; done && "
                 "! xmpicxx -show other.cpp -o other | grep -E 'image[.]o|no-pie|static-lib'",
                 their_mpicxx) >= 0);
    free(sh_line(line));
    free(line);
}

/* A makefile with sources of both languages; what is C in it may have points, too. */
static void both_languages_in_one_program(void **state)
{
    (void)state;
    needs("xmpicxx");
    free(sh_line(
        "printf '%s\\n' '#include <mpi.h>' 'double step(double x)' '{' 'double y = 0;' "
        "'MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);' 'return y / 2;' '}' "
        ">part.c && "
        "printf '%s\\n' '#include <mpi.h>' '#include <iostream>' '#include <cstdlib>' "
        "'extern \"C\" double step(double x);' 'int main(int c, char **v)' '{' "
        "'MPI_Init(&c, &v); int rank, n = std::atoi(v[1]);' "
        "'MPI_Comm_rank(MPI_COMM_WORLD, &rank); double x = rank;' '#pragma xmpi loop' "
        "'for (int i = 0; i < n; i++) x = step(x + i % 3) / 2;' "
        "'if (rank == 0) std::cout.precision(15), std::cout << \"after all these steps the "
        "value of x is \" << x "
        "<< std::endl;' "
        "'return MPI_Finalize();' '}' >whole.cc && "
        "printf 'moving: part.o whole.o\\n\\t$(CXX) part.o whole.o -o $@\\n' >Makefile && "
        "make -s CC=xmpicc CXX=xmpicxx && cp moving plain"));
    compare("XMPI_BACKEND=pool XMPI_ACTIVE=3", PROCESSES + 2);
    free(
        sh_line("! command -v cmake >/dev/null || { "
                "printf '%s\\n' 'cmake_minimum_required(VERSION 3.10)' 'project(both C CXX)' "
                "'add_executable(both part.c whole.cc)' >CMakeLists.txt && "
                "cmake -S . -B made -DCMAKE_C_COMPILER=xmpicc -DCMAKE_CXX_COMPILER=xmpicxx >log && "
                "make -s -C made >>log && nm made/both | grep -q __wrap_malloc; }"));
}

/* In C++ there is one pragma; all else is a line. */
static void what_cxx_has_not_is_refused(void **state)
{
    static const char *const wrong[][2] = {
        {"#pragma xmpi data distributed(u[n])", "2: error: in C++ a loop is movable: "},
        {"#pragma xmpi loop interval(3)", "2: error: in C++ a loop is movable: "},
        {"#pragma xmpi loop divisible", "2: error: in C++ a loop is movable: "},
        {"#pragma XMPI loop", "2: error: unknown pragma"},
        {"_Pragma(\"xmpi loop\")", "2: error: an xmpi pragma cannot be written with _Pragma"},
        {"#pragma xmpi loop\\nint x;", "2: error: a movable loop, "},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *line = NULL;
        assert_true(
            asprintf(
                &line,
                "printf 'void f(int n) {\\n%s\\nfor (int i = 0; i < n; i++) ;\\n}\\n' >bad.cpp; "
                "xmpi-rewrite --cxx --output=x.cpp --name=bad.cpp bad.cpp -- 2>&1; test $? = 1",
                wrong[i][0]) >= 0);
        char *said = sh_line(line);
        if (strncmp(said, "bad.cpp:", 8) != 0 || strstr(said, wrong[i][1]) != said + 8)
            fail_msg("%s: %s", wrong[i][0], said);
        free(said);
        free(line);
    }
    free(sh_line(
        "printf '#pragma xmpi loop\\n' >h.hpp; printf '#include \"h.hpp\"\\n' >h.cpp; "
        "xmpicc -c h.cpp 2>said; test $? = 1 && grep -q 'h.cpp: a file that it includes' said"));
}

/* Texts that only look like pragmas, loops of all kinds, numbers and strings of C++. */
static void points_in_cxx_are_where_loops_begin(void **state)
{
    (void)state;
    free(sh_line(
        "cat >odd.cc <<'EOF'\n#include <map>\n#include <vector>\nint points;\n"
        "extern \"C\" { void xmpi_gen_movable(const char *) { points++; } void "
        "xmpi_gen_program(int) {}\n"
        "void xmpi_gen_link_this_with_xmpicc() {} }\n"
        "const char *raw = R\"(\n#pragma xmpi loop\nfor (;;)\n)\";\n"
        "template <class T> T sum(const std::vector<T> &v) {\n  T s{};\n#pragma xmpi loop\n"
        "  for (const auto &x : v) s += x;\n  return s;\n}\n"
        "struct S {\n  std::map<int, int> m{{1, 1'000}, {2, 3}};\n  int f() {\n    int c = 0;\n"
        "#pragma xmpi loop movable // yes\n    for (auto &[k, v] : m) if (k > 1) c += v; else "
        "c--;\n"
        "    auto g = [&](int n) {\n#pragma xmpi loop\n      while (n-- > 0) { c++; }\n"
        "#pragma xmpi loop\n      do c--; while (c > 0);\n      return c;\n    };\n"
        "    return g(3);\n  }\n};\n"
        "int main() { return sum(std::vector<int>{1, 2}) + S{}.f() != 3 || points != 2 + 2 + 3 "
        "+ 5; }\nEOF\n"
        "xmpi-rewrite --cxx --output=odd.out.cc --name=odd.cc odd.cc -- && "
        "for c in g++ clang++-19; do ! command -v $c >/dev/null || { "
        "$c -std=c++17 -Wall -Wextra -Werror odd.out.cc -o odd && ./odd; } || exit 1; done"));
}

static void a_program_in_fortran_moves(void **state)
{
    (void)state;
    needs("xmpifort");
    free(sh_line("xmpifort -O2 $S/tests/movable/waves.f90 -o moving && cp moving plain"));
    moves_both_ways();
    free(sh_line("xmpifort -O0 -g -c $S/tests/movable/waves.f90 && xmpifort waves.o -o moving"));
    compare("XMPI_BACKEND=pool XMPI_ACTIVE=3", PROCESSES + 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_in_cxx_moves),
        cmocka_unit_test(what_has_no_such_loop_is_compiled_as_ever),
        cmocka_unit_test(both_languages_in_one_program),
        cmocka_unit_test(what_cxx_has_not_is_refused),
        cmocka_unit_test(points_in_cxx_are_where_loops_begin),
        cmocka_unit_test(a_program_in_fortran_moves),
    };
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, setup, teardown);
}
