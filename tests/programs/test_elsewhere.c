/* SPDX-License-Identifier: BSD-3-Clause
 * A file that nobody looks into keeps what it has computed from the rank: the loop keeps its
 * processes and says so, until a pragma has the statement run again after every change. */
#define _GNU_SOURCE
#include "programs/elsewhere.h"

static const char main_text[] =
    "#include <mpi.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "void halo_init(void);\n"
    "double halo_fetch(double first);\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    int rank, size, n = 40;\n"
    "    MPI_Init(&argc, &argv);\n"
    "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
    "%s"
    "    halo_init();\n"
    "    int first = n * rank / size, count = n * (rank + 1) / size - first;\n"
    "    double *x = malloc(count * sizeof *x);\n"
    "    for (int i = 0; i < count; i++)\n"
    "        x[i] = (first + i) %% 5;\n"
    "#pragma xmpi loop\n"
    "    for (int step = 0; step < 30; step++) {\n"
    "        double after = halo_fetch(x[0]);\n"
    "        for (int i = 0; i < count; i++)\n"
    "            x[i] = (x[i] + (i + 1 < count ? x[i + 1] : after)) / 2;\n"
    "    }\n"
    "    long own = 0, all;\n"
    "    for (int i = 0; i < count; i++)\n"
    "        own += (long)(x[i] * 1e6) * (first + i);\n"
    "    MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);\n"
    "    if (rank == 0)\n"
    "        printf(\"result %%ld\\n\", all);\n"
    "    free(x);\n"
    "    MPI_Finalize();\n"
    "    return 0;\n"
    "}\n";

static const char halo_text[] =
    "#include <mpi.h>\n"
    "static int left, right;\n"
    "void halo_init(void)\n"
    "{\n"
    "    int rank, size;\n"
    "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
    "    left = (rank + size - 1) % size;\n"
    "    right = (rank + 1) % size;\n"
    "}\n"
    "double halo_fetch(double first)\n"
    "{\n"
    "    double after;\n"
    "    MPI_Sendrecv(&first, 1, MPI_DOUBLE, left, 0, &after, 1, MPI_DOUBLE, right, 0,\n"
    "                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
    "    return after;\n"
    "}\n";

/* With a count that halo_init knows nothing of. */
static const char counting_text[] =
    "#include <mpi.h>\n"
    "static int left, right;\n"
    "void halo_init(void)\n"
    "{\n"
    "    int rank, size;\n"
    "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
    "    left = (rank + size - 1) % size;\n"
    "    right = (rank + 1) % size;\n"
    "}\n"
    "double halo_fetch(double first)\n"
    "{\n"
    "    static int fetched;\n"
    "    double after;\n"
    "    MPI_Sendrecv(&first, 1, MPI_DOUBLE, left, 0, &after, 1, MPI_DOUBLE, right, 0,\n"
    "                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n"
    "    return after + fetched++ % 3;\n"
    "}\n";

/* The same by persistent requests, which halo_init frees before it makes them anew. */
static const char requests_text[] =
    "#include <mpi.h>\n"
    "static MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};\n"
    "static double mine, after;\n"
    "void halo_init(void)\n"
    "{\n"
    "    int rank, size;\n"
    "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
    "    for (int i = 0; i < 2; i++)\n"
    "        if (request[i] != MPI_REQUEST_NULL)\n"
    "            MPI_Request_free(&request[i]);\n"
    "    MPI_Send_init(&mine, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD,\n"
    "                  &request[0]);\n"
    "    MPI_Recv_init(&after, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD,\n"
    "                  &request[1]);\n"
    "}\n"
    "double halo_fetch(double first)\n"
    "{\n"
    "    mine = first;\n"
    "    MPI_Startall(2, request);\n"
    "    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);\n"
    "    return after;\n"
    "}\n";

/* With one of a collective operation beside them. */
static const char both_text[] =
    "#include <mpi.h>\n"
    "static MPI_Request request[3];\n"
    "static double mine, after, most;\n"
    "void halo_init(void)\n"
    "{\n"
    "    int rank, size;\n"
    "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
    "    MPI_Send_init(&mine, 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD,\n"
    "                  &request[0]);\n"
    "    MPI_Recv_init(&after, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD,\n"
    "                  &request[1]);\n"
    "    MPI_Allreduce_init(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD,\n"
    "                       MPI_INFO_NULL, &request[2]);\n"
    "}\n"
    "double halo_fetch(double first)\n"
    "{\n"
    "    mine = first;\n"
    "    MPI_Startall(3, request);\n"
    "    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);\n"
    "    return after;\n"
    "}\n";

/* The requests for an iteration are started in the one before. */
static const char early_text[] =
    "#include <mpi.h>\n"
    "static MPI_Request request;\n"
    "static double after;\n"
    "static int left;\n"
    "void halo_init(void)\n"
    "{\n"
    "    int rank, size;\n"
    "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
    "    left = (rank + size - 1) % size;\n"
    "    MPI_Recv_init(&after, 1, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &request);\n"
    "    MPI_Start(&request);\n"
    "}\n"
    "double halo_fetch(double first)\n"
    "{\n"
    "    MPI_Send(&first, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD);\n"
    "    MPI_Wait(&request, MPI_STATUS_IGNORE);\n"
    "    double result = after;\n"
    "    MPI_Start(&request);\n"
    "    return result;\n"
    "}\n";

/* Builds the program with WRAPPER and MARK before the statement that calls the other file. */
static void build(const char *wrapper, const char *mark, const char *halo)
{
    char *text = NULL, *line = NULL;
    assert_true(asprintf(&text, main_text, mark) >= 0);
    write_scratch("main.c", text);
    write_scratch("halo.c", halo);
    assert_true(asprintf(&line, "'%s/bin/%s' main.c halo.c -o program", build_dir(), wrapper) >= 0);
    command_t command = sh(line);
    command_free(&command);
    free(line);
    free(text);
}

static const char unseen[] = "the loop keeps its processes: main.c:12: halo_init";

static void test_elsewhere(void **state)
{
    (void)state;
    const char *const halos[] = {halo_text, requests_text};
    for (int i = 0; i < 2; i++) {
        build("mpicc", "", halos[i]);
        command_t plain = run(3, "");
        build("xmpicc", "", halos[i]);
        expect_result(plain.out, false, unseen);
        build("xmpicc", "#pragma xmpi setup\n", halos[i]);
        expect_result(plain.out, true, unseen);
        command_free(&plain);
    }
}

/* What a marked statement makes anew is not all that the file keeps. */
static void test_more_is_kept(void **state)
{
    (void)state;
    build("mpicc", "", counting_text);
    command_t plain = run(3, "");
    build("xmpicc", "#pragma xmpi setup\n", counting_text);
    expect_result(plain.out, false,
                  "halo_fetch, of another file, uses 'fetched', which outlives the call");
    command_free(&plain);
}

/* At the first change, by which members leave: it must be known which rank has done what. */
static void expect_misuse(const char *mark, const char *halo, const char *said)
{
    build("xmpicc", mark, halo);
    command_t command =
        command_shell(scratch, SECONDS,
                      "XMPI_POLICY=random XMPI_SEED=1 XMPI_INTERVAL=2 XMPI_MAX=3 '%s/bin/mpiexec' "
                      "-n 3 ./program",
                      build_dir());
    assert_int_not_equal(command.status, 0);
    if (strstr(command.err, said) == NULL)
        fail_msg("not said: %s\n%s", said, command.err);
    command_free(&command);
}

static void test_requests_that_stay(void **state)
{
    (void)state;
    expect_misuse("#pragma xmpi initial\n", requests_text,
                  "MPI_Startall of a persistent request that a change of the layout has freed");
    expect_misuse("#pragma xmpi setup\n", early_text,
                  "a persistent request is still active when an iteration ends");
}

static void test_requests_of_both_kinds(void **state)
{
    (void)state;
    build("mpicc", "", both_text);
    command_t plain = run(3, "");
    build("xmpicc", "#pragma xmpi setup\n", both_text);
    expect_result(plain.out, false,
                  "the loop keeps its processes, as the program has persistent requests of "
                  "messages and of collective operations");
    command_free(&plain);
}

#define WEIGH "double weigh(double x, double *row)\n"

/* Functions of another file, and what is said of them when the program is linked; NULL: nothing. */
static const struct {
    const char *text, *said;
} weighing[] = {
    /* Constants, a switch, functions of the file and of libraries, memory. */
    {"#include <math.h>\n#include <stdlib.h>\n#include <stdio.h>\n"
     "static const double table[4] = {1, 2, 3, 4};\n"
     "static double square(double x) { return x * x; }\n"
     "static int kind(int k)\n{\n    switch (k) {\n    case 0: return 3;\n    case 1: return 5;\n"
     "    case 2: return 7;\n    case 3: return 11;\n    case 4: return 99;\n    case 5: return "
     "7;\n"
     "    case 6: return -1;\n    }\n    return 0;\n}\n" WEIGH
     "{\n    double *t = malloc(8);\n    if (t == NULL)\n        fprintf(stderr, \"no "
     "memory\\n\");\n"
     "    *t = square(x) + table[(int)fabs(*row) & 3];\n"
     "    double r = sin(*t) * 1e-3 + kind((int)x & 7) * 1e-6;\n    free(t);\n    return r;\n}\n",
     NULL},
    {WEIGH "{ static int n; return n++ % 7 + 0 * *row * x; }\n",
     "weigh, of another file, uses 'n', which outlives the call"},
    {"static double kept[4];\nstatic double *const way = kept;\n"
     "static double more(double x) { return way[1] += x; }\n" WEIGH "{ return more(x) + *row; }\n",
     "uses 'kept', which outlives the call"},
    {"static _Thread_local int n;\n" WEIGH "{ return n++ % 7 + 0 * *row * x; }\n",
     "uses 'n', which outlives the call"},
    {"#include <mpi.h>\nstatic int who(void)\n"
     "{ int r; MPI_Comm_rank(MPI_COMM_WORLD, &r); return r; }\n" WEIGH
     "{ return who() + 0 * *row * x; }\n",
     "calls MPI_Comm_rank, which tells the rank"},
    {"#include <stdlib.h>\n" WEIGH "{ return rand() % 7 + 0 * *row * x; }\n",
     "calls rand, which draws random numbers"},
    {"#include <time.h>\n" WEIGH "{ return time(NULL) % 7 + 0 * *row * x; }\n",
     "calls time, which tells the time"},
    {"#include <search.h>\n#include <wchar.h>\n" WEIGH "{ return wcwidth(L'a') + 0 * *row * x; }\n",
     "calls wcwidth, which is not known"},
    {"static double twice(double x) { return 2 * x; }\n"
     "static double half(double x) { return x / 2; }\n" WEIGH
     "{ double (*use)(double) = *row > 2 ? twice : half; return use(x); }\n",
     "calls a function by a pointer"},
    /* What the linker or the start puts in the place of a function keeps something. */
    {"static int n;\ndouble __wrap_weigh(double x, double *row)\n"
     "{ return n++ * 0. + 0 * *row * x; }\n" WEIGH "{ return 0 * *row * x; }\n",
     "weigh, of another file, is called as __wrap_weigh where the linker is told to --wrap it"},
    {"static int n;\nstatic double count(double x, double *row)\n"
     "{ return n++ % 7 + 0 * *row * x; }\nstatic void *choose(void) { return count; }\n" WEIGH
     "    __attribute__((ifunc(\"choose\")));\n",
     "weigh, of another file, is chosen by a function of the program when it starts"},
    {"static int n;\nstatic double count(void) { return n++ * 0.; }\n"
     "static void *choose(void) { return count; }\n"
     "double counted(void) __attribute__((ifunc(\"choose\")));\n" WEIGH
     "{ return counted() + 0 * *row * x; }\n",
     "calls what runs in place of counted (--xmpi-replaced=counted, if that keeps nothing)"},
    {"double __wrap_weigh(double x, double *row)\n{ return 0 * *row * x; }\n" WEIGH
     "{ static int n; return n++ % 7 + 0 * *row * x; }\n",
     "weigh, of another file, is called as __wrap_weigh where the linker is told to --wrap it"},
};

/* Compiled by mpicc, with and without optimisation, and with counters of the compiler's own; the
 * program is linked by xmpicc. */
static void test_looked_into(void **state)
{
    (void)state;
    static const char *const flags[] = {"-O0", "-O2 -fPIC -g", "-O1 --coverage"};
    write_scratch("main.c", weighing_text);
    command_t command = command_shell(scratch, SECONDS, "'%s/bin/xmpicc' -c main.c", build_dir());
    assert_int_equal(command.status, 0);
    command_free(&command);
    for (size_t i = 0; i < sizeof weighing / sizeof *weighing; i++)
        for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
            write_scratch("weigh.c", weighing[i].text);
            command = command_shell(
                scratch, SECONDS,
                "'%s/bin/mpicc' %s -c weigh.c && rm -f libw.a && ar rc libw.a weigh.o && "
                "'%s/bin/xmpicc' main.o -L. -lw -o program -lm%s",
                build_dir(), flags[k], build_dir(), k == 2 ? " --coverage" : "");
            assert_int_equal(command.status, 0);
            bool quiet = weighing[i].said == NULL;
            if (quiet ? command.err[0] != '\0' : strstr(command.err, weighing[i].said) == NULL)
                fail_msg("%s\nis said to be: %s", weighing[i].text, command.err);
            command_free(&command);
        }
}

/* What was shown changes its members; what was not, or not looked into, keeps them and says why. */
static void test_looked_into_and_run(void **state)
{
    (void)state;
    static const struct {
        int which;
        const char *linker, *option, *then, *said; /* NULL: it changes its members */
    } cases[] = {
        {0, "xmpicc", "", "true", NULL},
        {0, "xmpicc", "", "strip program", NULL},
        {0, "xmpicc", "-s", "true", "cannot be looked into: it has no symbols"},
        {0, "xmpicc", "-Wl,-O1,--strip-all", "true", "cannot be looked into: it has no symbols"},
        {0, "xmpicc", "-Xlinker -s", "true", "link it without -s, and strip it then"},
        {1, "xmpicc", "", "true", "main.c:18: weigh, of another file, uses 'n'"},
        {9, "xmpicc", "-Xlinker --wrap=weigh", "true", "is called as __wrap_weigh"},
        {9, "xmpicc", "-Wl,@told", "true", "is called as __wrap_weigh"},
        {9, "xmpicc", "-Wl,--wrap=weigh", "true", "weigh, of another file, is called as __wrap_"},
        {10, "xmpicc", "", "true", "weigh, of another file, is chosen by a function"},
        {11, "xmpicc", "", "true", "in place of counted (--xmpi-replaced=counted, if that keeps"},
        {9, "xmpicc --xmpi-replaced=weigh", "-Wl,--wrap=weigh", "true", NULL},
        {11, "xmpicc --xmpi-replaced=weigh,counted", "", "true", NULL},
        {12, "xmpicc --xmpi-replaced=weigh", "-Wl,--wrap=weigh", "true", "another file, uses 'n'"},
        {0, "mpicc", "", "true", "nobody has looked into it: link the program with xmpicc"}};
    write_scratch("told", "--wrap=weigh\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_scratch("main.c", weighing_text);
        write_scratch("weigh.c", weighing[cases[i].which].text);
        command_t command = command_shell(
            scratch, SECONDS,
            "'%s/bin/mpicc' %s main.c weigh.c -o program -lm && "
            "'%s/bin/mpiexec' -n 3 ./program && "
            "'%s/bin/xmpicc' -c main.c && '%s/bin'/%s %s main.o weigh.c -o program -lm '-L%s/lib' "
            "'-Wl,-rpath,%s/lib' -lxmpi && %s",
            build_dir(), cases[i].option, build_dir(), build_dir(), build_dir(), cases[i].linker,
            cases[i].option, build_dir(), build_dir(), cases[i].then);
        assert_int_equal(command.status, 0);
        expect_result(command.out, cases[i].said == NULL,
                      cases[i].said != NULL ? cases[i].said : "the loop keeps its processes");
        command_free(&command);
    }
}

static const char talking_text[] =
    "#include <mpi.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "void edges(double *x, int count, double *before, double *after, MPI_Comm comm);\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    int rank, size, n = 40;\n"
    "    MPI_Init(&argc, &argv);\n"
    "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
    "    int first = n * rank / size, count = n * (rank + 1) / size - first;\n"
    "    double *x = malloc(count * sizeof *x);\n"
    "    for (int i = 0; i < count; i++)\n"
    "        x[i] = (first + i) % 5;\n"
    "#pragma xmpi loop\n"
    "    for (int step = 0; step < 30; step++) {\n"
    "        double before = 0, after = 0, left;\n"
    "        edges(x, count, &before, &after, MPI_COMM_WORLD);\n"
    "        for (int i = 0; i < count; i++) {\n"
    "            left = x[i];\n"
    "            x[i] = (before + x[i] + (i + 1 < count ? x[i + 1] : after)) / 3;\n"
    "            before = left;\n"
    "        }\n"
    "    }\n"
    "    long own = 0, all;\n"
    "    for (int i = 0; i < count; i++)\n"
    "        own += (long)(x[i] * 1e6) * (first + i);\n"
    "    MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);\n"
    "    if (rank == 0)\n"
    "        printf(\"result %ld\\n\", all);\n"
    "    free(x);\n"
    "    MPI_Finalize();\n"
    "    return 0;\n"
    "}\n";

#define EDGES                                                                                      \
    "#include <mpi.h>\n"                                                                           \
    "void edges(double *x, int count, double *before, double *after, MPI_Comm comm)\n"             \
    "{\n"                                                                                          \
    "    int rank, size;\n"                                                                        \
    "    MPI_Comm_rank(comm, &rank);\n"                                                            \
    "    MPI_Comm_size(comm, &size);\n"
#define EXCHANGE                                                                                   \
    "    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;\n"                                        \
    "    int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;\n"                                \
    "    MPI_Sendrecv(&x[count - 1], 1, MPI_DOUBLE, right, 0, before, 1, MPI_DOUBLE, left, 0,\n"   \
    "                 comm, MPI_STATUS_IGNORE);\n"                                                 \
    "    MPI_Sendrecv(&x[0], 1, MPI_DOUBLE, left, 1, after, 1, MPI_DOUBLE, right, 1, comm,\n"      \
    "                 MPI_STATUS_IGNORE);\n"

/* A function that sends and receives may ask the communicator for rank and size, one that only asks
 * may not. What it does with them besides, the check of the first change sees. */
static void test_talks(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said; /* NULL: nothing */
    } cases[] = {{EDGES EXCHANGE "}\n", NULL},
                 {EDGES "    *before = rank * 1e-3 + size;\n    *after = x[count - 1];\n}\n",
                  "edges, of another file, calls MPI_Comm_rank, which tells the rank"},
                 {EDGES EXCHANGE "    x[0] += rank * 1e-3;\n}\n",
                  "the loop keeps its processes and blocks"}};
    write_scratch("main.c", talking_text);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_scratch("edges.c", cases[i].text);
        command_t command = command_shell(
            scratch, SECONDS,
            "'%s/bin/mpicc' main.c edges.c -o plain && '%s/bin/xmpicc' main.c edges.c -o program",
            build_dir(), build_dir());
        assert_int_equal(command.status, 0);
        command_free(&command);
        command = command_shell(scratch, SECONDS, "'%s/bin/mpiexec' -n 3 ./plain", build_dir());
        assert_int_equal(command.status, 0);
        command_t changed = run(3, environments[0]);
        assert_string_equal(changed.out, command.out);
        const char *said = cases[i].said;
        if (said == NULL ? strstr(changed.err, "keeps its") != NULL
                         : strstr(changed.err, said) == NULL)
            fail_msg("%s\nis said to be: %s", cases[i].text, changed.err);
        command_free(&changed);
        command_free(&command);
    }
}

/* A program that is not divided by rows runs as it is, and both compiler and runtime say so. */
static void test_no_range(void **state)
{
    (void)state;
    write_scratch("main.c", "#include <mpi.h>\n"
                            "#include <stdio.h>\n"
                            "int main(int argc, char **argv)\n"
                            "{\n"
                            "    int rank, size;\n"
                            "    double total = 0;\n"
                            "    MPI_Init(&argc, &argv);\n"
                            "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                            "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
                            "#pragma xmpi loop\n"
                            "    for (int round = 0; round < 20; round++) {\n"
                            "        double own = 0, all;\n"
                            "        for (int i = rank; i < 100; i += size)\n"
                            "            own += i * round;\n"
                            "        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, "
                            "MPI_COMM_WORLD);\n"
                            "        total += all;\n"
                            "    }\n"
                            "    if (rank == 0)\n"
                            "        printf(\"%g\\n\", total);\n"
                            "    MPI_Finalize();\n"
                            "    return 0;\n"
                            "}\n");
    char *line = NULL;
    assert_true(
        asprintf(&line, "'%s/bin/xmpicc' --xmpi-divisible main.c -o program", build_dir()) >= 0);
    command_t command = sh(line);
    free(line);
    assert_non_null(strstr(command.err, "[xmpi-no-range]"));
    command_free(&command);
    for (int i = 0; i < 2; i++) {
        command = run(i == 0 ? 3 : 5, environments[i]);
        assert_string_equal(command.out, "940500\n");
        assert_non_null(strstr(command.err, "the loop keeps its processes, as it has no range"));
        command_free(&command);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elsewhere),
        cmocka_unit_test(test_more_is_kept),
        cmocka_unit_test(test_requests_that_stay),
        cmocka_unit_test(test_requests_of_both_kinds),
        cmocka_unit_test(test_looked_into),
        cmocka_unit_test(test_looked_into_and_run),
        cmocka_unit_test(test_talks),
        cmocka_unit_test(test_no_range),
    };
    /* Other files are here what cannot be joined with that of the loop. */
    setenv("XMPICC_FLAGS", "--xmpi-apart", 1);
    scratch = scratch_make();
    machine_invent();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_remove(scratch);
    return failed;
}
