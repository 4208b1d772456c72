/* SPDX-License-Identifier: BSD-3-Clause
 * Programs of this folder whose processes go elsewhere in nearly every iteration, as they are: to
 * idle processing elements, several at once, rank 0 too, and in exchange for one another. They
 * print what the plain programs print. */
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

enum { SECONDS = 240, PROCESSES = 3 };

static char *dir;

static int setup(void **state)
{
    (void)state;
    dir = scratch_make();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* The output of a shell line that must succeed, malloc. */
static char *sh(const char *format, ...) __attribute__((format(printf, 1, 2)));

static char *sh(const char *format, ...)
{
    char *line = NULL;
    va_list arguments;
    va_start(arguments, format);
    assert_true(vasprintf(&line, format, arguments) >= 0);
    va_end(arguments);
    command_t command = command_shell(dir, SECONDS, "%s", line);
    if (command.status != 0)
        fail_msg("%s: status %d\n%s%s", line, command.status, command.out, command.err);
    free(line);
    free(command.err);
    return command.out;
}

static void write_file_in(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    write_file(path, text);
}

static void build(const char *name, const char *flags)
{
    const char *line = "own=$(sed -n 's,^// flags: ,,p' '%s/tests/movable/%s.c') && "
                       "'%s/bin/%s' -g -O2 %s '%s/tests/movable/%s.c' -o %s%s $own";
    free(sh(line, source_dir(), name, build_dir(), "xmpicc", flags, source_dir(), name, name, ""));
    free(sh(line, source_dir(), name, build_dir(), "mpicc", "-DPLAIN", source_dir(), name, name,
            ".plain"));
}

static int moves_in_trace(void)
{
    char *text = sh("grep -c '\"outcome\":\"done\"' t || true");
    int moves = atoi(text);
    free(text);
    return moves;
}

/* Runs it for ITERATIONS, and wants at least a share of them to be moves. */
static void compare(const char *name, const char *settings, int processes, int iterations,
                    int least)
{
    char *plain = sh("OMP_WAIT_POLICY=passive '%s/bin/mpiexec' -n %d ./%s.plain %d", build_dir(),
                     PROCESSES, name, iterations);
    for (int seed = 1; seed <= 2; seed++) {
        char *moved = sh("OMP_WAIT_POLICY=passive XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_SEED=%d "
                         "XMPI_TRACE=t %s "
                         "'%s/bin/mpiexec' -n %d ./%s %d 2>&1",
                         seed, settings, build_dir(), processes, name, iterations);
        assert_string_equal(moved, plain);
        free(moved);
        assert_in_range(moves_in_trace(), least, iterations);
    }
    free(plain);
}

static const char pool[] = "XMPI_BACKEND=pool XMPI_ACTIVE=3";
static const char spawn[] = "XMPI_BACKEND=spawn XMPI_MAX=6 XMPI_STRATEGY=concurrent";

static void moves_and_prints_the_same(void **state)
{
    const char *name = *state;
    build(name, "");
    compare(name, pool, PROCESSES + 2, 400, 250);
    compare(name, spawn, PROCESSES, 60, 20);
}

/* As between nodes. */
static void images_go_in_messages_too(void **state)
{
    (void)state;
    build("lists", "");
    compare("lists", "XMPI_MOVE=p2p XMPI_BACKEND=pool XMPI_ACTIVE=3", PROCESSES + 2, 200, 100);
    build("mesh", "");
    compare("mesh", "XMPI_MOVE=p2p XMPI_BACKEND=pool XMPI_ACTIVE=3", PROCESSES + 2, 60, 30);
}

/* --- the pragma ----------------------------------------------------------------------------------
 */

static const char a_for[] = "/step < n; step++/i#pragma xmpi loop movable";
static const char a_while[] = "s/for (int step = 0; step < n; step++)/int step = -1;\\n"
                              "#pragma xmpi loop movable\\nwhile (++step < n)/";

/* The loop of lists.c by the pragma instead of the call. */
static void by_pragma(const char *edit, const char *flags)
{
    free(sh("sed -e '/XMPI_Point();/d' -e '%s' '%s/tests/movable/lists.c' >pragma.c && "
            "cp '%s/tests/movable/point.h' . && "
            "'%s/bin/xmpicc' -Wall -Werror -O1 %s pragma.c -o lists && "
            "'%s/bin/mpicc' -DPLAIN -O1 pragma.c -o lists.plain 2>/dev/null",
            edit, source_dir(), source_dir(), build_dir(), flags, build_dir()));
    compare("lists", pool, PROCESSES + 2, 60, 30);
}

static void a_pragma_makes_a_point(void **state)
{
    (void)state;
    by_pragma(a_for, "");
    by_pragma(a_for, "--xmpi-keep");
    by_pragma(a_while, "");
}

/* Bodies without braces, and an else behind them. */
static void a_point_is_where_the_iteration_begins(void **state)
{
    (void)state;
    write_file_in("do.c", "#include <stdio.h>\n"
                          "static int points;\n"
                          "void xmpi_gen_movable(const char *where) { points++; puts(where); }\n"
                          "void xmpi_gen_program(int version) { (void)version; }\n"
                          "void xmpi_gen_link_this_with_xmpicc(void) { }\n"
                          "int main(int n, char **v)\n"
                          "{\n"
                          "    int i = 0, sum = 0;\n"
                          "    (void)v;\n"
                          "#pragma xmpi loop movable\n"
                          "    do i++; while (i < 3);\n"
                          "    if (n == 1)\n"
                          "#pragma xmpi loop movable /* with a comment */\n"
                          "        for (int k = 0; k < 2 && \")\"[0]; k++)\n"
                          "            if (k > 0) continue;\n"
                          "            else sum++;\n"
                          "    else sum = 100;\n"
                          "    printf(\"%d %d line %d\\n\", points, sum, __LINE__);\n"
                          "    return 0;\n"
                          "}\n");
    char *said = sh("'%s/bin/xmpi-rewrite' --output=x.c --name=do.c do.c -- && gcc -Wall "
                    "-Wno-dangling-else x.c -o do && "
                    "./do",
                    build_dir());
    assert_string_equal(said, "do.c:11\ndo.c:11\ndo.c:11\ndo.c:14\ndo.c:14\n5 1 line 18\n");
    free(said);
}

static void wrong_pragmas_are_refused(void **state)
{
    static const char *const wrong[][2] = {
        {"#pragma xmpi loop movable interval(3)\\nfor (;;) ;", "1: error: 'movable' stands alone"},
        {"#pragma xmpi loop movable\\nint x;", "1: error: a movable loop, 'for'"},
        {"#pragma xmpi loop movable", "1: error: a movable loop, 'for'"},
        {"#pragma xmpi initial\\n\\n#pragma xmpi loop movable\\nfor (;;) ;",
         "1: error: a file with a movable loop has no other"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *said = sh(
            "printf '%s\\n' >wrong.c; '%s/bin/xmpi-rewrite' --output=x.c --name=wrong.c wrong.c -- "
            "2>&1 && exit 1 || true",
            wrong[i][0], build_dir());
        assert_non_null(strstr(said, wrong[i][1]));
        free(said);
    }
}

/* --- how it is compiled --------------------------------------------------------------------------
 */

static void moves_however_it_is_compiled(void **state)
{
    static const char *const flags[] = {"-O0", "-O3 -flto", "-fPIC", "-fno-plt -fPIE",
                                        "-D_FORTIFY_SOURCE=2 -fstack-protector-all"};
    (void)state;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        build("lists", flags[i]);
        compare("lists", pool, PROCESSES + 2, 100, 50);
        build("deep", flags[i]);
        compare("deep", pool, PROCESSES + 2, 100, 50);
    }
}

/* Compiled by itself, and linked later, also out of an archive. */
static void an_object_says_that_it_moves(void **state)
{
    (void)state;
    build("lists", "");
    free(sh("'%s/bin/xmpicc' -c -O2 '%s/tests/movable/lists.c' && '%s/bin/xmpicc' lists.o -o lists",
            build_dir(), source_dir(), build_dir()));
    compare("lists", pool, PROCESSES + 2, 60, 30);
    free(sh("ar rcs liblists.a lists.o && '%s/bin/xmpicc' liblists.a -o lists", build_dir()));
    compare("lists", pool, PROCESSES + 2, 60, 30);
}

static void what_cannot_be_linked_so_stays_and_says_so(void **state)
{
    static const char *const flags[] = {"-pie", "-fsanitize=address"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        build("lists", flags[i]);
        char *said = sh("ASAN_OPTIONS=detect_leaks=0 XMPI_POLICY=random %s '%s/bin/mpiexec' -n 5 "
                        "./lists 20 2>&1",
                        pool, build_dir());
        assert_non_null(strstr(said, "the loop keeps its processes, as the program was not linked "
                                     "to move"));
        free(said);
    }
}

/* A program without the point is linked as ever. */
static void others_are_linked_as_before(void **state)
{
    (void)state;
    free(sh(
        "printf '#include <mpi.h>\\nint main(void) { MPI_Init(0, 0); return MPI_Finalize(); }\\n' "
        ">other.c && '%s/bin/xmpicc' -show other.c -o other | tee shown",
        build_dir()));
    char *shown = sh("cat shown");
    assert_null(strstr(shown, "image."));
    assert_null(strstr(shown, "no-pie"));
    free(shown);
}

/* --- steering ------------------------------------------------------------------------------------
 */

static void people_move_and_swap(void **state)
{
    (void)state;
    build("waits", "");
    char *said = sh(
        "export PATH='%s/bin':$PATH XDG_RUNTIME_DIR=\"$PWD\"; rm -f stop told\n"
        "XMPI_POLICY=balance XMPI_INTERVAL=2 XMPI_TRACE=told %s mpiexec -n 5 ./waits >out 2>&1 &\n"
        "await() { for i in $(seq 400); do eval \"$1\" && return; sleep 0.05; done; cat out "
        "told >&2; exit 1; }\n"
        "await 'xmpictl status >/dev/null 2>&1'\n"
        "xmpictl move 1 4\n"
        "await 'grep -q \"asked for: rank 1 moves to processing element 4\" told'\n"
        "xmpictl swap 0 2\n"
        "await 'grep -q \"asked for: rank 0 changes places with 2\" told'\n"
        "await 'xmpictl move 2 4'\n"
        "await 'grep -q \"processing element 4 is not idle\" out'\n"
        "xmpictl move 7 3\n"
        "await 'grep -q \"there is no rank 7\" out'\n"
        "xmpictl move x 3 2>&1; xmpictl swap 1 2>&1\n"
        "touch stop; wait; grep '^waits' out",
        build_dir(), pool);
    assert_non_null(strstr(said, "x: expected a number"));
    assert_non_null(strstr(said, "wrong number of arguments"));
    assert_non_null(strstr(said, "waits 0 0000000000000000\nwaits 1 0000000000000001\n"
                                 "waits 2 0000000000000002\n"));
    free(said);
}

/* --- what cannot move ----------------------------------------------------------------------------
 */

/* WHY is said of rank 1; the result is that of the plain program, and others move meanwhile unless
 * ALL stay. */
static void stays(const char *what, const char *why, int all)
{
    char *plain = sh("'%s/bin/mpiexec' -n 3 ./stays.plain 60 %s", build_dir(), what);
    char *said = sh("XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_TRACE=t %s "
                    "'%s/bin/mpiexec' -n 5 ./stays 60 %s 2>said && cat said",
                    pool, build_dir(), what);
    assert_memory_equal(said, plain, strlen(plain));
    const char *line = strstr(said, "rank 1 stays on its processing element: ");
    assert_non_null(line);
    assert_non_null(strstr(line, why));
    assert_true(all ? moves_in_trace() == 0 : moves_in_trace() > 10);
    free(said);
    free(plain);
}

static void what_cannot_move_is_named_and_stays(void **state)
{
    (void)state;
    build("stays", "");
    stays("mmap", "what mmap has made", 0);
    stays("pipe", "what pipe has made", 0);
    stays("thread", "what pthread_create has made", 0);
    stays("fileno", "/dev/zero", 0);
    stays("timer", "a timer", 0);
    stays("request", "a request is pending (MPI_Irecv at ", 1);
    stays("file", "a file of MPI is open (MPI_File_open at ", 0);
    stays("window", "a window is open (MPI_Win_create at ", 1);
    stays("message", "a message from rank 0 with tag 2 in MPI_COMM_WORLD has not been received", 1);
}

#define MOVES(program)                                                                             \
    {                                                                                              \
        "moves_" program, moves_and_prints_the_same, NULL, NULL, (void *)program                   \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        MOVES("lists"),
        MOVES("files"),
        MOVES("deep"),
        MOVES("mesh"),
        MOVES("workers"),
        MOVES("particles"),
        MOVES("transpose"),
        MOVES("objects"),
        cmocka_unit_test(a_pragma_makes_a_point),
        cmocka_unit_test(a_point_is_where_the_iteration_begins),
        cmocka_unit_test(wrong_pragmas_are_refused),
        cmocka_unit_test(images_go_in_messages_too),
        cmocka_unit_test(moves_however_it_is_compiled),
        cmocka_unit_test(an_object_says_that_it_moves),
        cmocka_unit_test(what_cannot_be_linked_so_stays_and_says_so),
        cmocka_unit_test(others_are_linked_as_before),
        cmocka_unit_test(people_move_and_swap),
        cmocka_unit_test(what_cannot_move_is_named_and_stays),
    };
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, setup, teardown);
}
