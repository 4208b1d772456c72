/* SPDX-License-Identifier: BSD-3-Clause
 * Programs of this folder whose members change in nearly every iteration: they start over with
 * every number of processes, and print what the plain programs print. */
#define _GNU_SOURCE
#include "support/shell.h"

static void build(const char *name, const char *flags)
{
    free(sh("'%s/bin/xmpicc' -Wall -Wextra -Werror -g -O2 %s '%s/tests/startover/%s.c' -o %s -lm",
            build_dir(), flags, source_dir(), name, name));
    free(sh("'%s/bin/mpicc' -w -O2 '%s/tests/startover/%s.c' -o %s.plain -lm", build_dir(),
            source_dir(), name, name));
}

static const char group[] = "XMPI_BACKEND=spawn XMPI_MAX=6 XMPI_STRATEGY=group";

/* Runs it with ARGUMENTS, and wants at least so many changes. AFTER prints what else there is to be
 * compared. */
static void compare(const char *name, const char *settings, int processes, const char *arguments,
                    const char *after, int least)
{
    char *plain =
        sh("'%s/bin/mpiexec' -n 3 ./%s.plain %s && %s", build_dir(), name, arguments, after);
    for (int seed = 1; seed <= 2; seed++) {
        char *resized = sh("XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_SEED=%d XMPI_TRACE=t %s "
                           "'%s/bin/mpiexec' -n %d ./%s %s 2>&1 && %s",
                           seed, settings, build_dir(), processes, name, arguments, after);
        assert_string_equal(resized, plain);
        free(resized);
        assert_true(changes_in_trace() >= least);
    }
    free(plain);
}

static void resizes_and_prints_the_same(void **state)
{
    const char *name = *state;
    build(name, "");
    compare(name, pool, 5, "100", "true", 40);
    compare(name, spawn, 3, "40", "true", 10);
}

/* A file that is written from the start on, one that is read, and one that is made by the start. */
static void what_the_start_draws_is_what_it_was(void **state)
{
    (void)state;
    build("drawn", "");
    compare("drawn", pool, 5, "-n 30 -s 60 name", "true", 30);
    compare("drawn", spawn, 3, "-n 30 -s 30 name", "true", 8);
}

static void files_go_on_where_they_were(void **state)
{
    (void)state;
    build("files", "");
    compare("files", pool, 5, "100", "cat log.txt input.txt sums.txt; ls *.txt", 40);
    compare("files", spawn, 3, "40", "cat log.txt input.txt sums.txt; ls *.txt", 10);
}

static void resizes_however_rows_move(void **state)
{
    (void)state;
    build("history", "--xmpi-keep -O0");
    compare("history", "XMPI_MOVE=p2p XMPI_BACKEND=pool XMPI_ACTIVE=3", 5, "40", "true", 10);
    compare("history", group, 3, "30", "true", 5);
    build("stencil", "-std=c99 -O3 -flto -fstack-protector-all");
    compare("stencil", pool, 5, "40", "true", 10);
}

/* --- numbers of processes with which the program does not run -----------------------------------
 */

static void a_start_that_fails_changes_nothing(void **state)
{
    static const struct {
        const char *how, *said;
    } ways[] = {{"exit", "it ends with status 1"},
                {"finalize", "it calls MPI_Finalize"},
                {"abort", "it calls MPI_Abort"},
                {"assert", "it aborts"},
                {"one", "it ends with status 2"}};
    static const char *const backends[] = {"XMPI_BACKEND=pool XMPI_ACTIVE=3 '%s/bin/mpiexec' -n 9",
                                           "XMPI_BACKEND=spawn XMPI_MAX=9 "
                                           "XMPI_STRATEGY=concurrent '%s/bin/mpiexec' -n 3"};
    (void)state;
    build("divides", "");
    char *plain = sh("'%s/bin/mpiexec' -n 3 ./divides.plain 40", build_dir());
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char *start = NULL;
        assert_true(asprintf(&start, backends[i % 2], build_dir()) > 0);
        char *said = sh("XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_TRACE=t %s ./divides 40 %s 2>said",
                        start, ways[i].how);
        assert_string_equal(said, plain);
        free(said);
        said = sh("cat said");
        assert_non_null(strstr(said, ways[i].said));
        assert_null(strstr(said, "divisible")); /* the start's own words are not heard */
        free(said);
        said =
            sh("grep -o 'no [a-z]* from [0-9]* to [0-9]*' said | sed 's/.* //' | sort | uniq -d");
        assert_string_equal(said, ""); /* no number is tried twice */
        free(said);
        assert_true(changes_in_trace() > 5);
        free(start);
    }
    free(plain);
}

/* What its state does not name goes along, as the programs do not start over. */
static void with_as_many_members_programs_move(void **state)
{
    (void)state;
    build("moves", "");
    char *plain = sh("'%s/bin/mpiexec' -n 3 ./moves.plain 60", build_dir());
    for (int spawned = 0; spawned < 2; spawned++) {
        char *moved = sh("XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_TRACE=t %s '%s/bin/mpiexec' -n "
                         "%d ./moves 60 2>said",
                         spawned ? spawn : pool, build_dir(), spawned ? 3 : 5);
        assert_string_equal(moved, plain);
        free(moved);
        free(sh("grep '\"outcome\":\"done\"' t >done && test $(grep -c . done) -ge 5 && "
                "! grep -v '\"kind\":\"exchange\"' done && ! grep '\"start\":' done && "
                "test $(grep '\"event\":\"interval\"' t | grep -vc '\"image\":[1-9]') -eq 0"));
    }
    free(plain);
}

/* --- loops that keep their members ---------------------------------------------------------------
 */

static void stays(const char *what, const char *said_of_it)
{
    char *said =
        sh("echo 24 >in; XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_TRACE=t %s '%s/bin/mpiexec' -n 5 "
           "./stays 20 %s <in 2>&1",
           pool, build_dir(), what);
    assert_non_null(strstr(said, said_of_it));
    free(said);
    assert_int_equal(changes_in_trace(), 0);
}

static void what_cannot_start_over_is_named_and_stays(void **state)
{
    (void)state;
    build("stays", "");
    stays("input", "rank 0 cannot start over, so that the members stay: it reads standard input");
    stays("open", "rank 1 cannot start over, so that the members stay: what open has made");
    stays("file", "so that the members stay: a file of MPI is open (MPI_File_open at ");
    stays("different", "alike is not the same on all members");
    stays("overlap", "state(...): row 7 of v[n] belongs to two members");
    stays("hole", "state(...): row 7 of v[n] belongs to no member");
    free(sh("'%s/bin/xmpicc' -fsanitize=address '%s/tests/startover/stays.c' -o stays", build_dir(),
            source_dir()));
    stays("", "the loop keeps its processes, as the program was not linked to move");
}

/* A policy that divides the rows has nothing to decide here. */
static void blocks_are_the_programs(void **state)
{
    (void)state;
    build("stencil", "");
    char *plain = sh("'%s/bin/mpiexec' -n 3 ./stencil.plain 30", build_dir());
    char *said = sh("XMPI_POLICY=balance XMPI_INTERVAL=1 XMPI_TRACE=t %s '%s/bin/mpiexec' -n 5 "
                    "./stencil 30 2>&1",
                    pool, build_dir());
    assert_string_equal(said, plain);
    assert_int_equal(changes_in_trace(), 0);
    free(said);
    said = sh("cat t");
    assert_non_null(strstr(said, "blocks are the program's own"));
    free(said);
    free(plain);
}

/* Numbers of a caller have no name at the loop, so that no state is found. */
static void what_has_no_name_keeps_its_processes(void **state)
{
    (void)state;
    free(sh("sed -e 's/run(double .u)/run(double *u, double *t)/' -e 's/run(u);/run(u, table);/' "
            "-e 's/double table.*, .v = /double *v = /' -e 's/double u.N.;/double u[N], "
            "table[8] = {0};/' '%s/tests/startover/ladder/by_pointer.c' >callers.c",
            source_dir()));
    char *said = sh("'%s/bin/xmpicc' -I'%s/tests/startover/ladder' -c callers.c 2>&1", build_dir(),
                    source_dir());
    assert_non_null(strstr(said, "remark: movable, not divisible"));
    assert_null(strstr(said, "lets it change")); /* a clause to complete is told instead */
    assert_non_null(strstr(said, "it changes, too, with"));
    free(said);
}

/* A start that reads what a command says may come to something else: the clause is only told. */
static void a_start_that_differs_has_a_clause_to_be_named(void **state)
{
    (void)state;
    free(sh("sed -e 's/^int main/static int read_rows(void)\\n{\\n    int n = 40;\\n    FILE *f = "
            "popen(\"nproc\", \"r\");\\n    if (f != NULL \\&\\& fscanf(f, \"%%d\", \\&n) == 1)"
            "\\n        pclose(f);\\n    return n;\\n}\\n\\n&/' -e 's/divide(&p, .*/divide(\\&p, "
            "read_rows());/' '%s/tests/startover/ladder/rounds.c' >reads.c",
            source_dir()));
    char *said = sh("'%s/bin/xmpicc' -I'%s/tests/startover/ladder' -c reads.c 2>&1", build_dir(),
                    source_dir());
    assert_non_null(strstr(said, "remark: movable, not divisible"));
    assert_non_null(strstr(said, "'#pragma xmpi loop state(rows((p.y)[p.n] from "));
    assert_non_null(strstr(said, "may come to something else when it is made again, as it calls"));
    free(said);
}

/* What the compiler says of plate.c, in which EDIT has changed something; malloc. */
static char *said_of_plate(const char *edit)
{
    free(sh("sed -e '%s' '%s/tests/startover/ladder/plate.c' >plates.c", edit, source_dir()));
    return sh("'%s/bin/xmpicc' -I'%s/tests/startover/ladder' -c plates.c 2>&1", build_dir(),
              source_dir());
}

/* Messages as long as the own block are right where all blocks are equal, and nowhere else. */
static void blocks_are_equal_only_where_their_formula_says_so(void **state)
{
    (void)state;
    char *said = said_of_plate("");
    assert_non_null(strstr(said, "remark: resizable, not divisible: MPI_Recv takes as many rows"));
    assert_null(strstr(said, "warning: "));
    free(said);
    said = said_of_plate("s/plate->rows = .*;/plate->rows = rows \\/ place->size + (place->rank < "
                         "rows % place->size);/");
    assert_non_null(strstr(said, "remark: movable, not divisible: MPI_Recv takes as many rows"));
    free(said);
}

/* What a program of other blocks prints is another thing also where they are its own. */
static void what_is_printed_of_the_blocks_is_told(void **state)
{
    (void)state;
    char *said =
        said_of_plate("s/.*swap(&now, &next);/double s = 0;\\nfor (int i = 0; i < now.rows; "
                      "i++)\\ns += now.at[(i + 1) * 8];\\nprintf(\"%g\", s);&/");
    assert_non_null(strstr(said, "remark: resizable, not divisible: "));
    assert_non_null(strstr(said, "[xmpi-printed-value]"));
    free(said);
}

/* --- checks -------------------------------------------------------------------------------------
 */

static char *run_checked(const char *check, const char *start, int mode)
{
    return sh("XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_SEED=2 XMPI_TRACE=t XMPI_CHECK=%s %s "
              "'%s/bin/mpiexec' -n 3 ./checked %d 2>said; grep ': iteration' said | grep -v ' no ' "
              "|| true",
              check, start, build_dir(), mode);
}

/* What is wrong about a change is seen by an iteration in both worlds, and the loop is what it was.
 */
static void an_iteration_in_both_worlds_shows_what_differs(void **state)
{
    static const char *const said[] = {
        "u[n], row ", "u[n], row ",   "c[n], row ", "met: ", "it calls MPI_Finalize",
        "mean: ",     ", element 2: "};
    (void)state;
    build("checked", "");
    for (int mode = 1; mode <= 7; mode++) {
        char *plain = sh("'%s/bin/mpiexec' -n 3 ./checked.plain %d", build_dir(), mode);
        char *out = run_checked(mode % 2 != 0 ? "auto" : "first", group, mode);
        assert_int_equal(strncmp(out, plain, strlen(plain)), 0);
        assert_non_null(strstr(out, said[mode - 1]));
        assert_non_null(strstr(out, "keeps its processes and blocks"));
        assert_int_equal(changes_in_trace(), 0);
        free(out);
        free(plain);
    }
}

/* What a clause wrongly says to be scratch is seen by a check that nobody asks for; the program
 * goes on with the random numbers that it had. Where it names what follows a clock, which no
 * iteration comes to twice, changes are not checked. */
static void what_nobody_can_see_is_checked_unasked(void **state)
{
    static const char line[] =
        "XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_TRACE=t %s '%s/bin/mpiexec' "
        "-n 5 ./unseen %s 2>said";
    (void)state;
    build("unseen", "");
    char *plain = sh("'%s/bin/mpiexec' -n 3 ./unseen.plain drawn", build_dir());
    char *out = sh(line, pool, build_dir(), "drawn"), *said = sh("cat said");
    assert_string_equal(out, plain);
    assert_non_null(strstr(said, "keeps its processes and blocks"));
    assert_int_equal(changes_in_trace(), 0);
    free(said);
    free(out);
    free(plain);
    build("unseen", "-DWATCH");
    plain = sh("'%s/bin/mpiexec' -n 3 ./unseen.plain", build_dir());
    out = sh(line, pool, build_dir(), "");
    assert_string_equal(out, plain);
    assert_true(changes_in_trace() > 5);
    free(sh("! grep '\"event\":\"check\"' t"));
    free(out);
    free(plain);
}

static void right_changes_are_found_equal(void **state)
{
    (void)state;
    build("checked", "");
    char *plain = sh("'%s/bin/mpiexec' -n 3 ./checked.plain 0", build_dir());
    char *out = run_checked("all", group, 0);
    char *equal = sh("grep -c '\"outcome\":\"equal\"' t; grep -c '\"event\":\"check\"' t");
    assert_string_equal(out, plain);
    assert_true(atoi(equal) > 5);
    assert_int_equal(atoi(equal), atoi(strchr(equal, '\n') + 1));
    free(out);
    out = run_checked("abort", group, 2);
    assert_null(strstr(out, " 720")); /* it ends */
    free(out);
    free(equal);
    free(plain);
}

/* The iteration of the check leaves a request open, so that the program cannot start over behind
 * it; where changes are not checked it does so before. */
static void an_iteration_that_leaves_a_request_open_is_not_checked(void **state)
{
    (void)state;
    build("opens", "");
    char *plain = sh("'%s/bin/mpiexec' -n 3 ./opens.plain 20", build_dir());
    for (int checks = 0; checks <= 1; checks++) {
        char *out = sh("XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_TRACE=t XMPI_CHECK=%s %s "
                       "'%s/bin/mpiexec' -n 5 ./opens 20 2>said",
                       checks ? "all" : "off", pool, build_dir());
        char *said = sh("cat said");
        assert_string_equal(out, plain);
        assert_true(changes_in_trace() > 5);
        assert_int_equal(strstr(said, ": cannot start over: a request is pending (MPI_Ibarrier") !=
                             NULL,
                         checks);
        free(said);
        free(out);
    }
    free(plain);
}

/* What the iteration reads from a file it cannot read again. */
static void an_iteration_that_reads_is_not_checked(void **state)
{
    (void)state;
    build("files", "");
    char *plain = sh("'%s/bin/mpiexec' -n 3 ./files.plain 40 && cat log.txt", build_dir());
    char *out = sh("XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_TRACE=t XMPI_CHECK=all %s "
                   "'%s/bin/mpiexec' -n 5 ./files 40 2>said && cat log.txt",
                   pool, build_dir());
    char *said = sh("cat said");
    assert_string_equal(out, plain);
    assert_non_null(strstr(said, "the change is not checked: the iteration reads "));
    assert_non_null(strstr(said, "/input.txt"));
    assert_null(strstr(said, "/log.txt"));
    assert_true(changes_in_trace() > 5);
    free(said);
    free(out);
    free(plain);
}

/* What it only writes is dropped when it is made again. */
static void an_iteration_that_only_writes_is_checked(void **state)
{
    (void)state;
    build("files", "");
    char *plain = sh("'%s/bin/mpiexec' -n 3 ./files.plain 40 only && cat log.txt", build_dir());
    char *out = sh("XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_TRACE=t XMPI_CHECK=all %s "
                   "'%s/bin/mpiexec' -n 5 ./files 40 only 2>said && cat log.txt",
                   pool, build_dir());
    assert_string_equal(out, plain);
    assert_true(changes_in_trace() > 5);
    free(sh("grep -q '\"outcome\":\"equal\"' t && ! grep '\"outcome\":\"not' t"));
    free(out);
    free(plain);
}

/* --- the clause
 * ------------------------------------------------------------------------------------
 */

/* A program of which the loop has the PRAGMA. */
static void build_counts(const char *pragma)
{
    free(sh(
        "cat >counts.c <<'END'\n"
        "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
        "int main(int argc, char **argv)\n{\n"
        "    int rank, size, n = 100, steps = argc > 1 ? atoi(argv[1]) : 60;\n"
        "    MPI_Init(&argc, &argv);\n"
        "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
        "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
        "    double t = 0;\n"
        "    int count = n / size + (rank >= size - n %% size), first = 0;\n"
        "    for (int r = 0; r < rank; r++)\n"
        "        first += n / size + (r >= size - n %% size);\n"
        "    double *u = malloc(count * sizeof *u);\n"
        "    for (int i = 0; i < count; i++)\n        u[i] = first + i;\n"
        "#pragma xmpi %s\n"
        "    for (int step = 0; step < steps; step++) {\n"
        "        double s = 0, all;\n"
        "        for (int i = 0; i < count; i++)\n            s += u[i] *= 0.99;\n"
        "        MPI_Allreduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n"
        "        t += all;\n    }\n"
        "    if (rank == 0)\n        printf(\"%%.6g\\n\", t);\n"
        "    MPI_Finalize();\n    return 0;\n}\nEND\n"
        "'%s/bin/xmpicc' -w counts.c -o counts 2>said; ! grep 'not used' said || { cat said >&2; "
        "exit 1; }",
        pragma, build_dir()));
}

/* By the head of a loop whose state is found, or by what stands behind its state. */
static void how_many_iterations_come_is_known(void **state)
{
    static const char *const pragmas[] = {
        "loop", "loop iterations(2 * steps - steps)",
        "loop state(rows(u[n] from first, count), same(step, t)) iterations(steps)"};
    (void)state;
    for (size_t i = 0; i < sizeof pragmas / sizeof *pragmas; i++) {
        build_counts(pragmas[i]);
        free(sh("XMPI_POLICY=random XMPI_INTERVAL=5 XMPI_TRACE=t '%s/bin/mpiexec' -n 2 ./counts 60 "
                "&& grep '\"event\":\"start\"' t | grep '\"iterations\":60,' && "
                "grep -q '\"outcome\":\"done\"' t || { cat said t >&2; exit 1; }",
                build_dir()));
    }
}

/* On whoever leads: members come and go, also the first. (An iteration that a change is tried with
 * counts, too.) What the user says counts more. */
static void interval_and_policy_of_the_pragma_count(void **state)
{
    static const char *const pragmas[] = {
        "loop interval(steps / 20) policy(random, window(3))",
        "loop state(rows(u[n] from first, count), same(step, t)) policy(random, window(3)) "
        "interval(steps / 20)"};
    (void)state;
    for (size_t i = 0; i < sizeof pragmas / sizeof *pragmas; i++) {
        build_counts(pragmas[i]);
        free(sh("XMPI_TRACE=t XMPI_ACTIVE=2 '%s/bin/mpiexec' -n 5 ./counts 140 && "
                "grep -q '\"policy\":\"random\"' t && grep -q '\"outcome\":\"done\"' t && "
                "grep -o "
                "'^{\"event\":\"interval\",\"time\":[^,]*,\"number\":[^,]*,\"iteration\":[^,]*' "
                "t | awk -F: '{ n++; d = $NF - was; was = $NF; bad += d < 7 || d > 8 } END { exit "
                "bad || n < 15 }' || "
                "{ grep -o '\"iteration\":[0-9]*\\|\"outcome\":\"[a-z]*\"' t | tr '\\n' ' ' >&2; "
                "exit 1; }",
                build_dir()));
        free(sh("XMPI_TRACE=t XMPI_INTERVAL=14 XMPI_POLICY=balance '%s/bin/mpiexec' -n 2 ./counts "
                "140 && ! grep -q '\"policy\":\"random\"' t && "
                "[ $(grep -c '\"event\":\"interval\"' t) -le 10 ] || { cat t >&2; exit 1; }",
                build_dir()));
    }
}

#define RESIZES(program)                                                                           \
    {                                                                                              \
        "resizes_" program, resizes_and_prints_the_same, NULL, NULL, (void *)program               \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        RESIZES("stencil"),
        RESIZES("history"),
        RESIZES("loops"),
        RESIZES("called"),
        cmocka_unit_test(files_go_on_where_they_were),
        cmocka_unit_test(what_the_start_draws_is_what_it_was),
        cmocka_unit_test(resizes_however_rows_move),
        cmocka_unit_test(a_start_that_fails_changes_nothing),
        cmocka_unit_test(with_as_many_members_programs_move),
        cmocka_unit_test(what_cannot_start_over_is_named_and_stays),
        cmocka_unit_test(blocks_are_the_programs),
        cmocka_unit_test(what_has_no_name_keeps_its_processes),
        cmocka_unit_test(a_start_that_differs_has_a_clause_to_be_named),
        cmocka_unit_test(an_iteration_in_both_worlds_shows_what_differs),
        cmocka_unit_test(what_nobody_can_see_is_checked_unasked),
        cmocka_unit_test(right_changes_are_found_equal),
        cmocka_unit_test(an_iteration_that_leaves_a_request_open_is_not_checked),
        cmocka_unit_test(an_iteration_that_reads_is_not_checked),
        cmocka_unit_test(an_iteration_that_only_writes_is_checked),
        cmocka_unit_test(how_many_iterations_come_is_known),
        cmocka_unit_test(interval_and_policy_of_the_pragma_count),
        cmocka_unit_test(blocks_are_equal_only_where_their_formula_says_so),
        cmocka_unit_test(what_is_printed_of_the_blocks_is_told),
    };
    cmocka_set_test_filter(getenv("TEST"));
    machine_invent();
    return cmocka_run_group_tests(tests, setup, teardown);
}
