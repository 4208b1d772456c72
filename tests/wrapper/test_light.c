/* SPDX-License-Identifier: BSD-3-Clause
 * A program that was compiled with xmpicc is as light as one of mpicc: it needs no library that
 * this one does not, starts where those of XMPI are missing, and its names are its own. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"

enum { SECONDS = 120 };

static char *dir;

static const char plain[] = "#include <mpi.h>\n"
                            "#include <stdio.h>\n"
                            "int main(int argc, char **argv)\n"
                            "{\n"
                            "    MPI_Init(&argc, &argv);\n"
                            "    puts(\"ran\");\n"
                            "    MPI_Finalize();\n"
                            "    return 0;\n"
                            "}\n";

/* Adaptive, with functions that have the names of others; each of which would end it. */
static const char own_names[] =
    "#include <mpi.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "#define MINE(name) int name(int x) { printf(\"%s\\n\", #name); exit(9 + x); }\n"
    "MINE(link) MINE(nice) MINE(accept4) MINE(epoll_wait)\n"
    "MINE(eventfd) MINE(fchmod) MINE(chmod)\n"
    "MINE(getppid) MINE(timerfd_settime) MINE(alarm) MINE(xmpi_json_load)\n"
    "MINE(cJSON_CreateObject) MINE(cJSON_Parse) MINE(cJSON_Delete) MINE(cJSON_PrintUnformatted)\n"
    "MINE(cJSON_New_Item) MINE(glp_create_prob) MINE(PAPI_library_init) MINE(sodium_init)\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    int rank, size, rows = 40;\n"
    "    MPI_Init(&argc, &argv);\n"
    "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
    "    int displ = rows * rank / size, count = rows * (rank + 1) / size - displ;\n"
    "    double *a = malloc((size_t)count * sizeof *a), mine = 0, all;\n"
    "    for (int i = 0; i < count; i++)\n"
    "        a[i] = displ + i;\n"
    "#pragma xmpi loop\n"
    "    for (int it = 0; it < 60; it++)\n"
    "        for (int i = 0; i < count; i++)\n"
    "            a[i] += 1;\n"
    "    for (int i = 0; i < count; i++)\n"
    "        mine += a[i];\n"
    "    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);\n"
    "    if (rank == 0)\n"
    "        printf(\"%g\\n\", all);\n"
    "    MPI_Finalize();\n"
    "    return 0;\n"
    "}\n";

static int make(void **state)
{
    char path[512];
    (void)state;
    dir = scratch_make();
    snprintf(path, sizeof path, "%s/plain.c", dir);
    write_file(path, plain);
    snprintf(path, sizeof path, "%s/names.c", dir);
    write_file(path, own_names);
    return 0;
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* LINE with $X, $M and $E for xmpicc, mpicc and mpiexec must end with STATUS and print OUT, and ERR
 * somewhere. */
static void expect(const char *line, int status, const char *out, const char *err)
{
    command_t command = command_shell(dir, SECONDS,
                                      "B='%s'; X=$B/bin/xmpicc; M=$B/bin/mpicc; E=$B/bin/mpiexec; "
                                      "unset XMPI_BUILD XMPI_SOURCE; %s",
                                      build_dir(), line);
    if (command.status != status || strcmp(command.out, out) != 0 ||
        strstr(command.err, err) == NULL)
        fail_msg("%s: status %d\n%s%s", line, command.status, command.out, command.err);
    command_free(&command);
}

static void programs_need_nothing_but_mpi_and_xmpi(void **state)
{
    (void)state;
    expect("$X plain.c -o ours && $M plain.c -o theirs && for p in ours theirs; do "
           "ldd $p | awk '{ print $1 }' | sort >$p.libs; done; "
           "comm -23 ours.libs theirs.libs | grep -v '^libm.so'",
           0, "libxmpi.so\n", "");
    expect("$X names.c -w -fno-builtin -o names && ldd names | awk '{ print $1 }' | grep -E "
           "'glpk|scotch|cjson|papi|sde|sodium|pfm'",
           1, "", "");
    /* (What stands for a function of the C library has a second name that says so.) */
    expect("nm -D --defined-only $B/lib/libxmpi.so | awk '{ shown[$3] } END { for (name in shown) "
           "if (!((\"xmpi_file_call_\" name) in shown || (\"xmpi_memory_call_\" name) in shown)) "
           "print name }' | "
           "grep -vE '^(MPI_|XMPI_|xmpi_)'",
           1, "", "");
}

#ifdef XMPI_WITHOUT_GLPK
#define WITHOUT_GLPK "xmpi: the policy amp: needs GLPK, without which this XMPI was built"
#else
#define WITHOUT_GLPK                                                                               \
    "xmpi: the policy amp: needs libglpk.so.40, which cannot be loaded here: install the package " \
    "libglpk40\n"
#endif

/* A library that cannot be loaded is one that is not there. */
static void libraries_are_missed_when_they_are_needed(void **state)
{
    (void)state;
    expect("mkdir -p none && for l in libglpk.so.40 libscotch-7.0.so libcjson.so.1 libpapi.so.7.0 "
           "libsodium.so.23; do "
           "echo >none/$l; done; $X plain.c -o ours && LD_LIBRARY_PATH=none $E -n 1 ./ours",
           0, "ran\n", "");
    expect("$X names.c -w -fno-builtin -o names && LD_LIBRARY_PATH=none XMPI_CONTROL=off $E -n 2 "
           "./names",
           0, "3180\n", "");
    expect("LD_LIBRARY_PATH=none XMPI_CONTROL=off XMPI_POLICY=amp XMPI_GOAL=10m $E -n 1 ./names", 2,
           "", WITHOUT_GLPK);
    expect("LD_LIBRARY_PATH=none XMPI_CONTROL=off XMPI_POLICY=map $E -n 1 ./names", 2, "",
           "xmpi: the policies map and migrate: needs libscotch-7.0.so, which cannot be loaded "
           "here: install the package libscotch-7.0\n");
    expect("LD_LIBRARY_PATH=none XMPI_CONTROL=off XMPI_TRACE=t $E -n 1 ./names", 2, "",
           "install the package libcjson1\n");
    expect("LD_LIBRARY_PATH=none XMPI_CONTROL=off XMPI_COUNTER=PAPI_TOT_INS $E -n 1 ./names", 2, "",
           "install the package libpapi7.0\n");
    expect("echo 'spawn 1 any 10' >schedule; LD_LIBRARY_PATH=none XMPI_CONTROL=off XMPI_MAX=3 "
           "XMPI_INTERVAL=5 XMPI_POLICY=schedule XMPI_SCHEDULE=schedule $E -n 1 ./names",
           0, "3180\n", "install the package libsodium23; the program goes on as before");
}

static void names_of_the_program_are_its_own(void **state)
{
    (void)state;
    expect("$X names.c -w -fno-builtin -o names && echo 'spawn 1 any 10' >schedule && "
           "XMPI_MAX=3 XMPI_INTERVAL=5 XMPI_POLICY=schedule XMPI_SCHEDULE=schedule XMPI_TRACE=t "
           "XMPI_CONTROL=$PWD/socket $E -n 1 ./names && grep -c '\"outcome\":\"done\"' t",
           0, "3180\n1\n", "");
}

/* Where mpicc links statically, with what its libraries lack in place of it. */
static void programs_are_linked_statically_where_mpicc_can(void **state)
{
    (void)state;
    expect("$M plain.c -static 2>&1 | sed -n 's/.*undefined reference to .\\([a-z_]*\\).*/void "
           "\\1(void) { }/p' | sort -u >missing.c; "
           "if $M plain.c missing.c -static -o theirs 2>/dev/null; then "
           "    $X plain.c missing.c -static -o ours 2>/dev/null && $E -n 1 ./ours && "
           "    ! ldd ours >/dev/null 2>&1; else echo ran; fi",
           0, "ran\n", "");
    expect("if $M plain.c -Wl,-Bstatic -lmpi -Wl,-Bdynamic -lhwloc -o theirs 2>/dev/null; then "
           "$X plain.c -Wl,-Bstatic -lmpi -Wl,-Bdynamic -lhwloc -o ours && $E -n 1 ./ours; "
           "else echo ran; fi",
           0, "ran\n", "");
}

/* Instructions, which are the same on a machine that is busy. */
static void the_start_is_light(void **state)
{
    (void)state;
    expect("$M plain.c -o theirs && $X names.c -w -fno-builtin -o names && "
           "for p in ./theirs ./names; do $E -n 1 valgrind --tool=callgrind "
           "    --callgrind-out-file=/dev/null $p 2>&1 | awk '/Collected/ { print $NF }'; done | "
           "tr '\\n' ' ' | awk '{ print ($2 - $1 < 5e6 ? \"light\" : $0) }'",
           0, "light\n", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_need_nothing_but_mpi_and_xmpi),
        cmocka_unit_test(libraries_are_missed_when_they_are_needed),
        cmocka_unit_test(names_of_the_program_are_its_own),
        cmocka_unit_test(programs_are_linked_statically_where_mpicc_can),
        cmocka_unit_test(the_start_is_light),
    };
    return cmocka_run_group_tests(tests, make, clean);
}
