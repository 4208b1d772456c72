/* SPDX-License-Identifier: BSD-3-Clause
 * xmpicc with the real rewriter, runtime and MPI: the program that comes out is the user's. */
#define _GNU_SOURCE
#include "wrapper/fixture.h"

static const char program[] =
    "#include <mpi.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    int rank, size, n = 40, count, displ;\n"
    "    double *mine, sum = 0, part;\n"
    "    MPI_Init(&argc, &argv);\n"
    "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
    "#pragma xmpi domain(n) range(count, displ)\n"
    "    { displ = rank * n / size; count = (rank + 1) * n / size - displ; }\n"
    "    mine = malloc((size_t)n * sizeof *mine);\n"
    "#pragma xmpi data distributed(mine[n])\n"
    "#pragma xmpi initial\n"
    "    for (int i = 0; i < count; i++)\n"
    "        mine[i] = displ + i;\n"
    "#pragma xmpi loop\n"
    "    for (int step = 0; step < 20; step++) {\n"
    "        int unused;\n"
    "        part = 0;\n"
    "        for (int i = 0; i < count; i++)\n"
    "            part += mine[i] += 1;\n"
    "        MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n"
    "    }\n"
    "    if (rank == 0)\n"
    "        printf(\"%s %d %g\\n\", __FILE__, __LINE__, sum);\n"
    "    free(mine);\n"
    "    MPI_Finalize();\n"
    "    return 0;\n"
    "}\n";

static int set_up(void **state)
{
    if (fixture_make(state) != 0)
        return 1;
    const fixture_t *f = *state;
    put(f, "program.c", program);
    sh_good(f, "rm -r $P && ln -s %s $P", build_dir());
    return 0;
}

static void test_program(void **state)
{
    const fixture_t *f = *state;
    sh_good(f, "$X program.c -o adaptive && $M program.c -o plain && "
               "readelf -d adaptive | grep -q 'NEEDED.*libxmpi'");
    sh_good(f, "for n in 1 2 3; do timeout 60 $P/bin/mpiexec -n $n ./plain >theirs && "
               "XMPI_POLICY=off timeout 60 $P/bin/mpiexec -n $n ./adaptive >ours && "
               "cmp ours theirs || exit 1; done; grep '^program.c 27 1580$' ours");
    assert_no_leftovers(f);
}

/* Warnings stand where they stand without us: before, in and after the inserted text. */
static void test_warnings(void **state)
{
    const fixture_t *f = *state;
    sh_good(
        f, "$X -Wall -c program.c 2>ours && $M -Wall -Wno-unknown-pragmas -c program.c 2>theirs && "
           "cmp ours theirs && grep -q '^program.c:20:13: warning: unused' ours");
}

static void test_debug_information(void **state)
{
    const fixture_t *f = *state;
    sh_good(f,
            "for t in $M $X; do $t -g -O0 -c program.c && "
            "readelf --debug-dump=info program.o | sed -n 's/.*: *//; /program.c$/p; /place$/p' "
            ">$(basename $t).names && readelf --debug-dump=decodedline program.o | "
            "awk '$1 ~ /c$/ && $2 ~ /^[0-9]+$/ {print $1}' | sort -u >$(basename $t).lines; done; "
            "cmp mpicc.names xmpicc.names && cmp mpicc.lines xmpicc.lines && "
            "grep -qx program.c xmpicc.names && grep -qx program.c xmpicc.lines && "
            "! { strings -a program.o | grep -F $TMPDIR; }");
}

static void test_pragma_error(void **state)
{
    const fixture_t *f = *state;
    sh_good(f, "sed 's/distributed(mine/distributed(nine/' program.c >wrong.c");
    command_t command = sh(f, "$X -c wrong.c");
    assert_int_equal(command.status, 1);
    assert_int_equal(strncmp(command.err, "wrong.c:14:31: error: ", 22), 0);
    command_free(&command);
    sh_good(f, "! ls wrong.o 2>/dev/null");
    assert_no_leftovers(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_program),
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_debug_information),
        cmocka_unit_test(test_pragma_error),
    };
    return cmocka_run_group_tests(tests, set_up, fixture_remove);
}
