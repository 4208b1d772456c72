/* SPDX-License-Identifier: BSD-3-Clause
 * Programs of this folder whose processes go elsewhere in nearly every iteration, as they are: to
 * idle processing elements, several at once, rank 0 too, and in exchange for one another. They
 * print what the plain programs print. */
#define _GNU_SOURCE
#include "run.h"

static void write_file_in(const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    write_file(path, text);
}

/* Runs it for ITERATIONS, and wants at least a share of them to be moves. */
static void compare(const char *name, const char *settings, int processes, int iterations,
                    int least)
{
    char *plain = sh("OMP_WAIT_POLICY=passive '%s/bin/mpiexec' -n %d ./%s.plain %d", build_dir(),
                     PROCESSES, name, iterations);
    for (int seed = 1; seed <= 2; seed++) {
        char *moved = sh("OMP_WAIT_POLICY=passive XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_SEED=%d "
                         "XMPI_MOVE_BACKGROUND=0 XMPI_TRACE=t %s "
                         "'%s/bin/mpiexec' -n %d ./%s %d 2>&1",
                         seed, settings, build_dir(), processes, name, iterations);
        assert_string_equal(moved, plain);
        free(moved);
        assert_in_range(changes_in_trace(), least, iterations);
    }
    free(plain);
}

static void moves_and_prints_the_same(void **state)
{
    const char *name = *state;
    build(name, "");
    compare(name, pool, PROCESSES + 2, 400, 250);
    compare(name, spawn, PROCESSES, 30, 15);
    free(sh("grep -q '\"outcome\":\"done\".*\"layout\":\\[{\"process\":[3-9]' t # rank 0, too"));
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

/* Clocks of another machine: those of a time namespace begin elsewhere. */
static void clocks_go_on_between_machines(void **state)
{
    (void)state;
    command_t there = command_shell(dir, 60, "unshare --fork --time --monotonic 100 true");
    int works = there.status == 0;
    command_free(&there);
    if (!works) {
        print_message("no namespaces of time, or they may not be made: not tested\n");
        skip();
    }
    build("clocks", "");
    char *plain = sh("'%s/bin/mpiexec' -n 1 ./clocks.plain 40", build_dir());
    char *moved =
        sh("XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_TRACE=t XMPI_BACKEND=pool XMPI_ACTIVE=1 "
           "'%s/bin/mpiexec' -n 1 ./clocks 40 : -n 1 unshare --fork --time --monotonic 100000 "
           "--boottime 300000 ./clocks 40 2>&1",
           build_dir());
    assert_string_equal(moved, plain);
    assert_true(changes_in_trace() > 1);
    free(moved);
    free(plain);
}

/* Signals, folder and umask; one of the two ignores SIGTERM for who has started it, not for the
 * program. */
static void who_was_left_has_what_it_had(void **state)
{
    (void)state;
    build("leaves", "");
    char *said = sh("rm -rf before.* inner; XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_BACKEND=pool "
                    "XMPI_ACTIVE=1 '%s/bin/mpiexec' -n 1 ./leaves 60 : -n 1 sh -c \"trap '' TERM; "
                    "exec ./leaves 60\" 2>&1",
                    build_dir());
    int moves = 0, good = 0, heard = 0;
    if (sscanf(said, "moves %d good %d heard %d", &moves, &good, &heard) != 3 || moves < 3)
        fail_msg("%s", said);
    assert_int_equal(good, moves);
    assert_int_equal(heard, 2 * moves);
    free(said);
}

/* Where no element is free ranks change places. */
static void who_has_no_other_place_exchanges(void **state)
{
    (void)state;
    build("lists", "");
    compare("lists", "XMPI_BACKEND=pool XMPI_ACTIVE=3", PROCESSES, 60, 20);
    compare("lists", "XMPI_BACKEND=spawn XMPI_MAX=3", PROCESSES, 60, 20);
    compare("lists", "XMPI_BACKEND=spawn XMPI_MAX=6 XMPI_STRATEGY=group", PROCESSES, 30, 15);
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

/* What is not divisible moves, and says why; unless it is told to be divisible. */
static void a_loop_that_is_not_divisible_moves(void **state)
{
    static const char a_loop[] = "/step < n; step++/i#pragma xmpi loop";
    (void)state;
    by_pragma(a_loop, "");
    free(sh("'%s/bin/xmpicc' -O1 -c pragma.c 2>said && '%s/bin/xmpicc' pragma.o -o lists",
            build_dir(), build_dir()));
    compare("lists", pool, PROCESSES + 2, 60, 30);
    free(sh("grep -q ': remark: movable, not divisible: .* \\[xmpi-' said && "
            "test $(grep -c 'remark:' said) = 1 && ! grep -q error: said"));
    free(sh("'%s/bin/xmpicc' --xmpi-divisible -c pragma.c 2>said; test $? = 1 && "
            "sed 's/xmpi loop$/& divisible/' pragma.c >divisible.c && "
            "'%s/bin/xmpicc' -c divisible.c 2>again; test $? = 1 && "
            "sed s/divisible[.]c/pragma.c/ again | grep error: >one && grep error: said >other && "
            "cmp one other",
            build_dir(), build_dir()));
    free(sh("'%s/bin/xmpicc' --xmpi-report=r.json -c pragma.c 2>/dev/null && grep -q remark r.json",
            build_dir()));
}

/* All loops of a file move where one is said to, or where one is not divisible. */
static void all_loops_of_a_file_move(void **state)
{
    (void)state;
    free(sh("printf '%%s\n' 'void f(int n) {' '#pragma xmpi loop' 'for (int i = 0; i < n; i++) ;' "
            "'#pragma xmpi loop movable' 'while (n-- > 0) ;' '}' >two.c && "
            "'%s/bin/xmpicc' --xmpi-keep -c two.c && "
            "test $(grep -c 'xmpi_gen_movable(\"' two.xmpi.c) = 2",
            build_dir()));
}

/* Ranks that do not go through a loop alike would wait for one another for ever. */
static void a_loop_of_some_ranks_is_refused(void **state)
{
    static const char *const wrong[][2] = {
        {"if (rank == 0) work(n); else other(n);", "xmpi-loop-ranks"},
        {"if (rank > 2) { MPI_Finalize(); return 0; } work(n);", "xmpi-loop-ranks"},
        {"n = n / size + (rank < n % size); work(n);", "xmpi-loop-rows"},
        {"int mine; who(&mine); switch (mine % 2) { case 0: work(n); }", "xmpi-loop-ranks"},
        {"left = rank; work(n);", "xmpi-loop-ranks"},
        {"if (rank == 0) work(n); else while (rank-- > 1) work(n);", "xmpi-loop-ranks"},
        {"if (rank == 0) { v[0] = 1; work(n); } else work(n);", ""},
        {"if (rank == 0) n = 3; MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); work(n);", ""},
        {"if (rank == 0 && v[0] == 0) return 1; work(n);", ""},
        {"n += rank; MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD); "
         "work(n);",
         ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *said = sh(
            "cat >alike.c <<'EOF'\n#include <mpi.h>\n#include <stdlib.h>\n"
            "struct one { struct one *next; } *list;\nvoid other(int n);\nint left;\n"
            "void who(int *rank) { MPI_Comm_rank(MPI_COMM_WORLD, rank); }\n"
            "void work(int n)\n{\n#pragma xmpi loop\n    for (int i = 0; i < n; i++) {\n"
            "        struct one *more = malloc(sizeof *more);\n        more->next = list;\n"
            "        list = more;\n        if (left) break;\n    }\n}\n"
            "int main(int c, char **v)\n{\n    int n = 100, rank, size;\n    MPI_Init(&c, &v);\n"
            "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
            "    %s\n    return MPI_Finalize();\n}\nEOF\n"
            "'%s/bin/xmpicc' -c alike.c 2>&1; echo status $?",
            wrong[i][0], build_dir());
        if (wrong[i][1][0] == '\0')
            assert_non_null(strstr(said, "remark: movable, not divisible: "));
        else if (strstr(said, wrong[i][1]) == NULL || strstr(said, "error: ") == NULL)
            fail_msg("%s: %s", wrong[i][0], said);
        assert_non_null(strstr(said, wrong[i][1][0] == '\0' ? "status 0" : "status 1"));
        free(said);
    }
}

/* Rows are divided in one loop of the program; the other one stays where it is, and says so. */
static void beside_a_divisible_loop_the_other_stays(void **state)
{
    (void)state;
    write_file_in("later.c", "#include <mpi.h>\n"
                             "int later(int x)\n{\n"
                             "#pragma xmpi loop movable\n"
                             "    for (int i = 0; i < 20; i++)\n"
                             "        MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, MPI_MAX, "
                             "MPI_COMM_WORLD);\n"
                             "    return x;\n}\n");
    write_file_in("rows.c",
                  "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\nint later(int x);\n"
                  "int main(int argc, char **argv)\n{\n    int rank, size, n = 40;\n"
                  "    MPI_Init(&argc, &argv);\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                  "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n    int displ = rank * n / size;\n"
                  "    int count = (rank + 1) * n / size - displ;\n"
                  "    int *u = calloc(count, sizeof(int)), sum = 0, all;\n"
                  "#pragma xmpi loop divisible\n    for (int k = 0; k < 60; k++)\n"
                  "        for (int i = 0; i < count; i++)\n"
                  "            u[i] = u[i] / 2 + displ + i;\n"
                  "    for (int i = 0; i < count; i++)\n        sum += u[i];\n"
                  "    MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);\n"
                  "    all = later(all);\n    if (rank == 0)\n        printf(\"%d\\n\", all);\n"
                  "    free(u);\n    return MPI_Finalize();\n}\n");
    char *said = sh("'%s/bin/xmpicc' -c later.c && '%s/bin/xmpicc' -Wall -Werror later.o rows.c -o "
                    "rows && XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_TRACE=t %s '%s/bin/mpiexec' "
                    "-n 5 ./rows 2>&1",
                    build_dir(), build_dir(), pool, build_dir());
    assert_non_null(strstr(said, "1521\n"));
    assert_non_null(strstr(said, "later.c:5: the loop keeps its processes, as the program has "
                                 "registered data, or a divisible loop"));
    assert_true(changes_in_trace() > 20);
    free(said);
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
        {"#pragma xmpi loop interval(3) movable\\nfor (;;) ;", "1: error: 'movable' stands alone"},
        {"#pragma xmpi loop movable\\nfor (;;) ;\\n#pragma xmpi loop divisible",
         "3: error: beside a movable loop a file has no pragmas but"},
        {"#pragma xmpi loop movable\\nint x;", "1: error: a movable loop, 'for'"},
        {"#pragma xmpi loop movable", "1: error: a movable loop, 'for'"},
        {"#pragma xmpi initial\\n\\n#pragma xmpi loop movable\\nfor (;;) ;",
         "1: error: beside a movable loop a file has no pragmas but"},
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
    static const char *const flags[] = {"-O0",
                                        "-O1 -g3 -fsanitize=undefined",
                                        "-O3 -flto",
                                        "-fPIC",
                                        "-fno-plt -fPIE",
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
    static const char *const flags[] = {"-pie", "-fsanitize=address", "-fsanitize=thread",
                                        "-fsanitize=leak"};
    (void)state;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        build("lists", flags[i]);
        char *said =
            sh("ASAN_OPTIONS=detect_leaks=0 LSAN_OPTIONS=exitcode=0 "
               "TSAN_OPTIONS=exitcode=0:report_bugs=0 XMPI_POLICY=random %s '%s/bin/mpiexec' -n 5 "
               "./lists 20 2>&1",
               pool, build_dir());
        assert_non_null(strstr(said, "the loop keeps its processes, as the program was not linked "
                                     "to move"));
        assert_non_null(strstr(said, "lists 2 "));
        free(said);
    }
}

/* A program without the point is linked as ever. */
static void without_address_space_it_says_so(void **state)
{
    (void)state;
    build("lists", "");
    char *said = sh("(ulimit -v 4000000; ./lists 5 2>&1; echo $?)");
    assert_string_equal(said,
                        "xmpi: no address space for the memory of a movable program: 8 GiB are "
                        "needed at 0x200000000000 (ulimit -v)\n1\n");
    free(said);
}

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
        "await() { for i in $(seq 2000); do eval \"$1\" && return; sleep 0.05; done; cat out "
        "told >&2; exit 1; }\n"
        "await 'xmpictl status >/dev/null 2>&1'\n"
        "xmpictl move 1 3 --dry-run\n"
        "xmpictl grow 1 --dry-run 2>&1\n"
        "await 'xmpictl status | grep -q \"last decision.*rank 1 moves to processing element 3\"'\n"
        "xmpictl move 1 4\n"
        "await 'grep -q \"asked for: rank 1 moves to processing element 4\" told'\n"
        "await 'xmpictl status | grep -qE \"^ +1 +[0-9]+ +4 \"'\n"
        "xmpictl swap 0 2\n"
        "await 'grep -q \"asked for: rank 0 changes places with 2\" told'\n"
        "await 'xmpictl move 2 4'\n"
        "await 'grep -q \"processing element 4 has a member already\" out'\n"
        "xmpictl move 7 3 2>&1; xmpictl move 1 99 2>&1; xmpictl swap 1 9 2>&1; xmpictl swap 1 1 "
        "2>&1\n"
        "xmpictl move x 3 2>&1; xmpictl swap 1 2>&1\n"
        "xmpictl --wait grow 1 2>&1 | sed 's/^/grow: /'; xmpictl --wait shrink 1 2>&1 | "
        "sed 's/^/shrink: /'; xmpictl --wait members 2 2>&1 | sed 's/^/members: /'\n"
        "touch stop; wait; grep '^waits' out",
        build_dir(), pool);
    assert_non_null(strstr(said, "dry run: rank 1 moves to processing element 3"));
    assert_non_null(strstr(said, "grow: --dry-run is for move and swap"));
    assert_non_null(strstr(said, "refused: there is no rank 7: the last is 2 ("));
    assert_non_null(strstr(said, "refused: there is no processing element 99: the last is 4 ("));
    assert_non_null(strstr(said, "refused: there is no rank 9: the last is 2 ("));
    assert_non_null(strstr(said, "refused: rank 1 changes places with another rank"));
    assert_non_null(strstr(said, "x: expected a number"));
    assert_non_null(strstr(said, "wrong number of arguments"));
    static const char *const kinds[] = {"grow", "shrink", "members"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) { /* at once, and not afterwards */
        char *line = formatted("%s: xmpictl: refused: this loop is movable: the number of its "
                               "processes stays",
                               kinds[i]);
        if (strstr(said, line) == NULL)
            fail_msg("%s: %s", line, said);
        free(line);
    }
    assert_non_null(strstr(said, "waits 0 0000000000000000\nwaits 1 0000000000000001\n"
                                 "waits 2 0000000000000002\n"));
    free(said);
}

/* Everybody leaves the one node for the other, and comes back. */
static void go_elsewhere(const char *nodes, const char *settings, const char *start)
{
    char *said =
        sh("export PATH='%s/bin':$PATH XDG_RUNTIME_DIR=\"$PWD\" XMPI_MACHINES=machines; %s\n"
           "rm -f stop told; printf \"$one:A:3\\n$other:A:3\\n\" >machines\n"
           "XMPI_POLICY=balance XMPI_INTERVAL=2 XMPI_TRACE=told %s mpiexec %s >out 2>&1 &\n"
           "await() { for i in $(seq 400); do eval \"$1\" && return; sleep 0.05; done; "
           "touch stop; cat out told >&2; exit 1; }\n"
           "all_on() { tail -n 1 told | grep -E 'interval|outcome' | grep -q \"$(printf "
           "'\"node\":\"%%s\".*' $1 $1 $1)\"; }\n"
           "await 'grep -q interval told'\n"
           "await \"all_on $one\"\n"
           "await \"xmpictl withdraw $one >&2\"; await \"all_on $other\"\n"
           "await \"xmpictl offer $one >&2\"; await \"xmpictl withdraw $other >&2\"\n"
           "await \"all_on $one\"\n"
           "touch stop; wait; cat out",
           build_dir(), nodes, settings, start);
    assert_string_equal(said, "waits 0 0000000000000000\nwaits 1 0000000000000001\n"
                              "waits 2 0000000000000002\n");
    free(said);
    free(sh("test $(grep -c '\"outcome\":\"done\"' told) = 2"));
}

static void all_go_to_other_nodes_at_once(void **state)
{
    (void)state;
    build("waits", "");
    go_elsewhere("one=n1; other=n2", "XMPI_BACKEND=pool XMPI_ACTIVE=3",
                 "-env XMPI_NODE n1 -n 3 ./waits : -env XMPI_NODE n2 -n 3 ./waits");
    go_elsewhere("one=$(hostname); other=localhost", "XMPI_BACKEND=spawn", "-n 3 ./waits");
}

/* --- debuggers ----------------------------------------------------------------------------------
 */

/* A process that has got its program shows all calls of it, and ends at main, as any other. */
static void a_debugger_sees_the_stack(void **state)
{
    (void)state;
    command_t there = command_shell(dir, 60, "gdb -nx -batch -ex run /bin/true 2>&1");
    int works = strstr(there.out, "exited normally") != NULL;
    command_free(&there);
    if (!works) {
        print_message("no gdb, or it may not look at processes: not tested\n");
        skip();
    }
    char *seen =
        sh("cat >seen.c <<'EOF'\n#include <unistd.h>\n#include <mpi.h>\n#include <stdio.h>\n"
           "#include <xmpi.h>\n"
           "static void inner(int depth)\n{\n    if (depth > 0) {\n"
           "        inner(depth - 1);\n        printf(\"%%d\\n\", depth);\n        return;\n    }\n"
           "    FILE *file = fopen(\"new\", \"w\");\n    fprintf(file, \"%%d\", getpid());\n"
           "    fclose(file);\n    rename(\"new\", \"pid\");\n"
           "    while (access(\"stop\", F_OK) != 0)\n        usleep(10000);\n}\n"
           "int main(int argc, char **argv)\n{\n    MPI_Init(&argc, &argv);\n"
           "    int first = getpid(), steps = 0;\n"
           "    while (getpid() == first && steps++ < 1000)\n        XMPI_Point();\n"
           "    inner(3);\n    return MPI_Finalize();\n}\nEOF\n"
           "'%s/bin/xmpicc' -g -O0 seen.c -o seen || exit 1\nrm -f pid stop\n"
           "XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_ACTIVE=1 XMPI_BACKEND=pool '%s/bin/mpiexec' "
           "-n 2 ./seen >out 2>&1 &\n"
           "for i in $(seq 1200); do test -e pid && break; sleep 0.05; done\n"
           "gdb -nx -batch -p $(cat pid) -ex bt 2>&1; touch stop; wait $!",
           build_dir(), build_dir());
    for (int depth = 0; depth <= 3; depth++) {
        char frame[64];
        snprintf(frame, sizeof frame, "inner (depth=%d) at ", depth);
        if (strstr(seen, frame) == NULL)
            fail_msg("no %s:\n%s", frame, seen);
    }
    assert_non_null(strstr(seen, " main (argc=1, "));
    assert_null(strstr(seen, "corrupt"));
    assert_null(strstr(seen, "??"));
    free(seen);
}

/* --- what cannot move ----------------------------------------------------------------------------
 */

/* WHY is said of rank 1; the result is that of the plain program, and others move meanwhile unless
 * ALL stay. */
static void what_the_c_library_keeps_goes_along(void **state)
{
    static const char arguments[] = "60 -a -c given name other";
    (void)state;
    build("kept", "");
    write_file_in("wide.text", "some words");
    char *plain = sh("'%s/bin/mpiexec' -n 3 ./kept.plain %s", build_dir(), arguments);
    for (int spawned = 0; spawned < 2; spawned++) {
        char *said =
            sh("XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_TRACE=t %s '%s/bin/mpiexec' -n %d "
               "./kept %s 2>&1",
               spawned ? spawn : pool, build_dir(), PROCESSES + (spawned ? 0 : 2), arguments);
        assert_string_equal(said, plain);
        assert_true(changes_in_trace() > 10);
        free(said);
    }
    free(plain);
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
        MOVES("descriptors"),
        MOVES("deep"),
        MOVES("mesh"),
        MOVES("workers"),
        MOVES("particles"),
        MOVES("transpose"),
        MOVES("objects"),
        MOVES("clocks"),
        cmocka_unit_test(a_pragma_makes_a_point),
        cmocka_unit_test(a_loop_that_is_not_divisible_moves),
        cmocka_unit_test(all_loops_of_a_file_move),
        cmocka_unit_test(a_loop_of_some_ranks_is_refused),
        cmocka_unit_test(beside_a_divisible_loop_the_other_stays),
        cmocka_unit_test(a_point_is_where_the_iteration_begins),
        cmocka_unit_test(wrong_pragmas_are_refused),
        cmocka_unit_test(images_go_in_messages_too),
        cmocka_unit_test(clocks_go_on_between_machines),
        cmocka_unit_test(who_was_left_has_what_it_had),
        cmocka_unit_test(who_has_no_other_place_exchanges),
        cmocka_unit_test(all_go_to_other_nodes_at_once),
        cmocka_unit_test(moves_however_it_is_compiled),
        cmocka_unit_test(an_object_says_that_it_moves),
        cmocka_unit_test(what_cannot_be_linked_so_stays_and_says_so),
        cmocka_unit_test(without_address_space_it_says_so),
        cmocka_unit_test(others_are_linked_as_before),
        cmocka_unit_test(people_move_and_swap),
        cmocka_unit_test(a_debugger_sees_the_stack),
        cmocka_unit_test(what_the_c_library_keeps_goes_along),
    };
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, setup_anywhere, teardown);
}
