/* SPDX-License-Identifier: BSD-3-Clause
 * Programs of several files, which are one program: a loop that calls functions of other files
 * becomes what it would be in a file with them, where these are in it what they are alone. */
#define _GNU_SOURCE
#include "programs/joined.h"

/* Ways to make the program. Each shell line ends with what is told of it. */
static void test_ways(void **state)
{
    (void)state;
    static const struct {
        const char *line, *program;
    } ways[] = {
        {"$X -O2 -c main.c && $X -O2 -c field.c && $X main.o field.o -o p", "p"},
        {"$X -O2 -g main.c field.c -o p", "p"},
        {"$X field.c main.c", "a.out"},
        {"$X -c main.c && $X -c field.c && ar rcs libfield.a field.o && rm field.o && "
         "$X main.o libfield.a -o p",
         "p"},
        {"$X -c main.c && $X -c field.c && ar rcs libfield.a field.o && rm field.o && "
         "$X main.o -L. -lfield -o p",
         "p"},
        {"$X -c main.c && $X -c field.c && ar rcs all.a main.o field.o && $X all.a -o p", "p"},
        {"$X -c main.c && $X -c field.c && ar rcT sub/thin.a field.o && $X main.o sub/thin.a -o p",
         "p"},
        {"$X -c main.c && $X -c field.c && ar rcT libfield.a field.o && "
         "$X main.o -L. -lfield -o p",
         "p"},
        {"$X -c main.c && cp field.[ch] sub && cd sub && $X -c field.c && cd .. && "
         "$X main.o sub/field.o -o p",
         "p"},
        {"$X -O2 -c main.c && $X -O1 -O2 -c field.c && $X main.o field.o -o p", "p"},
        {"$X -O2 -c main.c && $X -O3 -g -c field.c && $X main.o field.o -o p", "p"},
        {"$X -O1 -ggdb3 -c main.c && $X -O2 -c field.c && $X main.o field.o -o p", "p"},
        {"$X -c main.c && $X -c field.c && ar rcs liball.a main.o field.o && rm *.o && "
         "$X -o p -L. -lall",
         "p"},
        {"$X -c main.c && $X -c field.c && $X main.o field.o -s -o p", "p"},
        {"$X -c main.c && $X field.c main.o -o p", "p"},
        {"cd sub && $X -I. -c ../main.c && $X -Isub -c ../field.c -o f.o && $X main.o f.o -o ../p",
         "p"},
        {"$X -c main.c && cd sub && $X -c ../field.c && cd .. && $X main.o sub/field.o -o p", "p"},
        {"$X -g -c main.c && $X -g -c field.c && strip -g main.o && ar rcs l.a field.o && "
         "strip --strip-debug l.a && $X main.o l.a -o p",
         "p"},
        {"echo 'p: main.o field.o; $(CC) -o $@ $^\nq: main.o field.o; $(CC) -o $@ $^' >Makefile && "
         "make -s -j3 CC=$X p q && cmp p q",
         "p"},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        write_program((more_t[3]){{NULL, NULL}});
        char *said = sh("%s", ways[i].line);
        if (!is_divisible(ways[i].program) || *said != '\0')
            fail_msg("%s: %s", ways[i].line, said);
        free(said);
        expect_same(ways[i].program);
    }
}

/* What stays as it was: the loop is movable, and the program right. */
static void test_ways_apart(void **state)
{
    (void)state;
    static const char *const ways[] = {
        "$X --xmpi-apart main.c field.c -o p",
        "$X -c main.c && $X -c field.c && $X --xmpi-apart main.o field.o -o p",
        "$X -c main.c && '%s/bin/mpicc' -c field.c && $X main.o field.o -o p",
        "$X -flto main.c field.c -o p",
        "$X -fprofile-generate main.c field.c -o p",
        "$X -c main.c && $X -fPIC -shared field.c -o libfield.so && "
        "$X main.o -L. -lfield -Wl,-rpath,$PWD -o p",
        "$X -c main.c && $X -c field.c && ar rcs libfield.a field.o && "
        "$X main.o -Wl,--whole-archive libfield.a -Wl,--no-whole-archive -o p"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        write_program((more_t[3]){{NULL, NULL}});
        char *line = formatted(ways[i], build_dir()), *said = sh("%s", line);
        const char *remark = strstr(said, "remark: movable, not divisible");
        if (is_divisible("p") || remark == NULL || strstr(remark + 1, "remark: movable") != NULL)
            fail_msg("%s: %s", line, said);
        free(said);
        free(line);
        /* memory of a library does not go along, nor what profiles are mapped to */
        if (strstr(ways[i], "-shared") == NULL && strstr(ways[i], "-fprofile") == NULL)
            expect_same("p");
    }
}

/* Files that would be something else: they stay apart, and a line says why. */
static void test_others(void **state)
{
    (void)state;
    static const struct {
        more_t more[3];
        const char *change; /* between compiling and linking */
        const char *said;
    } cases[] = {
        {{{"MORE_FIELD", "#include \"leaks.h\""},
          {"MORE_END", "int scale = rank; if (scale < 0) return 1;"}},
         "true",
         "field.c, as its macro 'scale' changes main.c"},
        {{{"MORE_FIRST", "#define WIDE"},
          {"MORE_HEADER", "#ifdef WIDE\ntypedef long cell;\n#else\ntypedef int cell;\n#endif"},
          {"MORE_END", "if (sizeof(cell) != sizeof(int)) return 1;"}},
         "true",
         "field.h says something else there"},
        {{{"MORE_FIELD", "int done;"}, {"MORE_LOOP", "extern long done;"}},
         "true",
         "field.c, as redeclaration of 'done' with a different type"},
        {{{"MORE_FIRST", "#define _GNU_SOURCE"},
          {"MORE_END", "char b[99]; int bad = strerror_r(2, b, 99); if (bad) return 1;"},
          {"MORE_LOOP_FIRST", "#define _POSIX_C_SOURCE 200809L"}},
         "true",
         "'strerror_r'"},
        {{{"MORE_FIELD", "#pragma pack(1)\nstruct narrow { char a; int b; };"},
          {"MORE_LOOP", "struct wide { char a; int b; };"},
          {"MORE_END", "if (sizeof(struct wide) != 8) return 1;"}},
         "true",
         "field.c, as it has '#pragma pack(1)'"},
        {{{"MORE_HEADER", "static int seen;\nstatic inline int see(void) { return seen++; }"},
          {"MORE_FIELD", "int field_sees(void) { return see(); }"},
          {"MORE_END", "if (see() != 0) return 1;"}},
         "true",
         "'seen' of field.h is static"},
        {{{"MORE_FIELD", "__attribute__((constructor)) static void before(void) { }"}},
         "true",
         "field.c, as it has functions that run before main"},
        {{{NULL, NULL}},
         "$X -w -O1 -c field.c",
         "field.c, as it is compiled with '-O1', and main.c without"},
        {{{NULL, NULL}},
         "$X -w -O2 -c main.c && $X -w -O2 -O1 -c field.c",
         "field.c, as it is compiled with '-O1', and main.c with '-O2'"},
        {{{NULL, NULL}},
         "$X -w -fwrapv -c main.c",
         "field.c, as it is compiled without '-fwrapv', and main.c with it"},
        {{{NULL, NULL}},
         "objcopy -L field_make -L field_step -L field_most field.o sub/a.o && "
         "ld -r field.o sub/a.o -o sub/b.o && mv sub/b.o field.o",
         "field.c, as it is compiled twice [xmpi-other-file]"},
        {{{NULL, NULL}},
         "mv field.o sub/a.o && echo 'INPUT(sub/a.o)' >field.o",
         "field.c, as its object is not in a file or archive that the command names"},
        {{{"MORE_FIELD", "#include \"loose.h\""}, {"MORE_LOOP", "#include \"nest.h\""}},
         "true",
         "field.c, as loose.h has no include guard"},
        {{{NULL, NULL}},
         "echo '/* */' >>field.c",
         "field.c, as it has been changed since it was compiled"},
        {{{NULL, NULL}},
         "touch -d '+1 minute' field.h",
         "field.h has been changed since it was compiled"},
        {{{NULL, NULL}}, "mv field.c gone.c", "field.c, as it is not there"},
        {{{"MORE_FIELD", "__attribute__((weak)) double weight(void) { return 1; }"}},
         "true",
         "field.c, as it has a function that is weak, 'weight'"},
        {{{"MORE_FIELD", "static const char *named(void) { return __func__; }\n"
                         "int called(void) { return *named() == 'n'; }"},
          {"MORE_LOOP", "static int named(void) { return 1; }"},
          {"MORE_END", "if (!named()) return 1;"}},
         "true",
         "its function 'named', which others have too, tells its name"},
        {{{"MORE_FIELD", "int outer(int a) { int in(int b) { return a + b; } return in(1); }"}},
         "true",
         "field.c, as it is not understood"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_program(cases[i].more);
        put("leaks.h", "#define scale 2.0\n", cases[i].more);
        free(sh("'%s/bin/mpicc' -w main.c field.c -lm -o plain", build_dir()));
        char *said = sh("$X -w -c main.c && $X -w -c field.c && %s && $X main.o field.o -lm -o p",
                        cases[i].change);
        if (is_divisible("p") || strstr(said, cases[i].said) == NULL)
            fail_msg("%s is not said: %s", cases[i].said, said);
        free(said);
        expect_same("p");
    }
}

/* Objects that have become others since they were compiled, or may have: what was done to them is
 * not in the sources. */
static void test_objects_changed(void **state)
{
    (void)state;
    static const char changed[] = "field.c, as its object has been changed since it was compiled";
    static const char merged[] = "its object has been linked with others";
    static const char unknown[] = "field.c, as its object is not in a file or archive";
    static const struct {
        const char *line, *said;
    } cases[] = {
        {"objcopy --redefine-sym MPI_Allreduce=PMPI_Allreduce field.o && $X main.o field.o -o p",
         changed},
        {"objcopy --redefine-sym MPI_Comm_rank=MPI_Comm_size "
         "--redefine-sym MPI_Comm_size=MPI_Comm_rank field.o && cp field.o f.o && "
         "objcopy --redefine-sym MPI_Comm_rank=MPI_Comm_size "
         "--redefine-sym MPI_Comm_size=MPI_Comm_rank f.o && $X main.o f.o -o p",
         NULL},
        {"objcopy --redefine-sym MPI_Allreduce=PMPI_Allreduce field.o && ar rcs libf.a field.o && "
         "$X main.o -L. -lf -o p",
         changed},
        {"objcopy --weaken-symbol=field_step field.o && $X main.o field.o -o p", changed},
        {"objcopy --dump-section .text=t field.o && truncate -s +1 t && "
         "objcopy --update-section .text=t field.o && $X main.o field.o -o p",
         changed},
        {"ld -r main.o field.o -o all.o && $X all.o -o p", merged},
        {"mkdir -p k && mv field.o k && echo 'INPUT(k/field.o)' >field.ld && $X main.o field.ld -o "
         "p",
         unknown},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_program((more_t[3]){{NULL, NULL}});
        char *said = sh("$X -w -c main.c && $X -w -c field.c && %s", cases[i].line);
        const bool apart = cases[i].said != NULL;
        if (is_divisible("p") == apart || (apart && strstr(said, cases[i].said) == NULL))
            fail_msg("%s: %s", cases[i].line, said);
        free(said);
        if (!apart)
            expect_same("p");
    }
}

/* Nobody hears of files that the loop has nothing to do with. */
static void test_not_needed(void **state)
{
    (void)state;
    write_program((more_t[3]){{"MORE_END", "extern int unneeded; if (unneeded) return 1;"}});
    put("other.c", "int unneeded, never(void);\nint never(void) { return 1; }\n", NULL);
    put("more.c", "int far(void);\nint far(void) { return 1; }\n", NULL);
    char *said = sh("$X -c main.c && $X -c field.c && $X -O2 -c more.c && $X -c other.c && "
                    "$X main.o field.o other.o more.o -o p");
    if (*said != '\0' || !is_divisible("p"))
        fail_msg("%s", said);
    free(said);
}

/* A loop that needs no other file. */
static const char alone_text[] =
    "#include <mpi.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n"
    "void run(void)\n"
    "{\n"
    "    int rank, size, n = 60;\n"
    "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
    "    int first = n * rank / size, count = n * (rank + 1) / size - first;\n"
    "    double *u = malloc(count * sizeof *u), most = 0, all;\n"
    "    for (int i = 0; i < count; i++)\n"
    "        u[i] = (first + i) % 17;\n"
    "#pragma xmpi loop\n"
    "    for (int k = 0; k < 30; k++)\n"
    "        for (int i = 0; i < count; i++)\n"
    "            u[i] = 0.9 * u[i] + k;\n"
    "    for (int i = 0; i < count; i++)\n"
    "        most = u[i] > most ? u[i] : most;\n"
    "    MPI_Reduce(&most, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);\n"
    "    if (rank == 0)\n"
    "        printf(\"%.17g\\n\", all);\n"
    "    free(u);\n"
    "}\n";

/* The loop's function is called from main in another file, by way of a third one. */
static void test_called_from_elsewhere(void **state)
{
    (void)state;
    write_program((more_t[3]){{NULL, NULL}});
    free(sh("sed -i 's/int main(int argc, char \\*\\*argv)/void run(void)/; /MPI_Init/d; "
            "/MPI_Finalize/d; /return 0;/d' main.c"));
    put("all.c", "void run(void), all(void);\nvoid all(void) { run(); }\n", NULL);
    put("begin.c",
        "#include <mpi.h>\nvoid all(void);\nint main(int argc, char **argv)\n{\n"
        "    MPI_Init(&argc, &argv);\n    all();\n    return MPI_Finalize();\n}\n",
        NULL);
    free(sh("'%s/bin/mpicc' -w main.c field.c all.c begin.c -lm -o plain", build_dir()));
    char *said = sh("$X -c main.c && $X -c field.c && $X -c all.c && $X -c begin.c && "
                    "$X begin.o all.o field.o main.o -o p");
    if (*said != '\0' || !is_divisible("p"))
        fail_msg("%s", said);
    free(said);
    expect_same("p");
    put("main.c", alone_text, NULL);
    put("all.c", "void run(void), all(void);\nvoid all(void) { run(); }\n", NULL);
    said = sh("'%s/bin/mpicc' -w main.c all.c begin.c -o plain && $X -c main.c && "
              "$X begin.o all.o main.o -o p",
              build_dir());
    if (*said != '\0' || !is_divisible("p"))
        fail_msg("%s", said);
    free(said);
    expect_same("p");
    said = sh("$X -DOTHER -c begin.c && $X begin.o all.o main.o -o p");
    if (strstr(said, "not looked into with it: begin.c, as it is compiled with '-DOTHER'") ==
            NULL ||
        is_divisible("p"))
        fail_msg("%s", said);
    free(said);
}

/* What the linker is told to put in place of a function is not seen in one text. */
static void test_redirected(void **state)
{
    (void)state;
    write_program((more_t[3]){{"MORE_LOOP", "void __wrap_field_step(struct field *f, int step) {"
                                            " f->now[0] += step; }"}});
    char *said =
        sh("$X -c main.c && $X -c field.c && $X main.o field.o -Wl,--wrap=field_step -o p");
    assert_non_null(strstr(said, "the linker is told to call others in their place"));
    assert_false(is_divisible("p"));
    free(said);
    said = sh("echo --wrap=field_step > told && $X main.o field.o -Wl,@told -o p");
    assert_non_null(strstr(said, "the linker is told to call others in their place"));
    assert_false(is_divisible("p"));
    free(said);
}

/* Whether the loop is divisible is told, and judged, when the program is linked. */
static void test_told_once(void **state)
{
    (void)state;
    static const more_t sums[] = {
        {"MORE_MAKE", "\n#pragma xmpi domain(f.rows) range(f.count, f.first)\n"},
        {"MORE_STEP", "if (field_most(&f) < 0) break;"},
        {NULL, NULL}};
    write_program(sums);
    char *said = sh("$X -c main.c && $X -c field.c");
    assert_string_equal(said, "");
    free(said);
    free(sh("$X --xmpi-divisible -c main.c && $X main.o field.o -o p"));
    assert_true(is_divisible("p"));
    expect_same("p");
    said = sh("rm p; $X --xmpi-apart main.o field.o -o p; test $? = 1 && test ! -e p");
    if (strncmp(said, "main.c:", 7) != 0 || strstr(said, ": error: ") == NULL)
        fail_msg("%s", said);
    free(said);
}

/* No clause is asked to name what the loop's file cannot, and what is said of a clause when the
 * program is linked is no error where there is a program. */
static void test_out_of_sight(void **state)
{
    (void)state;
    static const char hidden[] = "counted of field.c (without static) where the loop sees it";
    write_program((more_t[3]){
        {"MORE_HEADER", "void count_up(double *first);"},
        {"MORE_FIELD", "#include <stdio.h>\nstatic int counted;\nvoid count_up(double *first) {\n"
                       "printf(\"%d\\n\", counted++);\nif (first) *first = counted; }"},
        {"MORE_STEP", "count_up(f.now);"}});
    char *said = sh("$X -c main.c && $X -c field.c && $X main.o field.o -o p");
    if (strstr(said, "declare 'counted' of field.c (without static) where") == NULL ||
        strstr(said, "counted)") != NULL)
        fail_msg("%s", said);
    free(said);
    free(sh("sed -i 's/int step = 0/step = 0/; s/int rank;/int rank, step;/; s/xmpi loop/& "
            "state(rows(f.now[f.rows][f.columns] from f.first, f.count), same(step))/; "
            "s/count_up(f.now)/count_up(0)/; s/field_step(&f, step)/f.now[0] += step/' main.c"));
    said = sh("$X -c main.c && $X main.o field.o -o p");
    if (strstr(said, "main.c:15: warning: state(...): 'counted' (changed in line 7 of field.c)") ==
            NULL ||
        strstr(said, hidden) == NULL || strstr(said, "error") != NULL)
        fail_msg("%s", said);
    free(said);
}

/* Nor does it name members of a struct, or settings, that only other files know, without a word. */
static void test_opaque(void **state)
{
    (void)state;
    free(sh("rm -rf -- *"));
    put("grid.h",
        "typedef struct grid grid;\ngrid *grid_new(int rank, int size);\n"
        "double grid_step(grid *g, int step);\n",
        NULL);
    put("grid.c",
        "#include \"grid.h\"\n#include <stdio.h>\n#include <stdlib.h>\n"
        "struct grid { int first, count; double *now; };\n"
        "static struct { int rows, columns; } has = {40, 3};\nstatic int calls;\n"
        "grid *grid_new(int rank, int size) { grid *g = malloc(sizeof *g);\n"
        "g->first = has.rows * rank / size; g->count = has.rows * (rank + 1) / size - g->first;\n"
        "g->now = calloc((size_t)g->count * has.columns + 1, sizeof *g->now); return g; }\n"
        "double grid_step(grid *g, int step) { double sum = 0;\n"
        "for (int i = 0; i < g->count * has.columns; i++) sum += g->now[i] += step;\n"
        "if (sum > 9) printf(\"%d\\n\", calls++); return sum; }\n",
        NULL);
    put("main.c",
        "#include <mpi.h>\n#include <stdio.h>\n#include \"grid.h\"\n"
        "int main(int argc, char **argv) { int rank, size; double sum = 0;\n"
        "MPI_Init(&argc, &argv); MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
        "MPI_Comm_size(MPI_COMM_WORLD, &size); grid *g = grid_new(rank, size);\n"
        "#pragma xmpi loop\nfor (int step = 0; step < 9; step++) sum = grid_step(g, step);\n"
        "printf(\"%g\\n\", sum); MPI_Finalize(); return 0; }\n",
        NULL);
    char *said = sh("$X -c main.c && $X -c grid.c && $X main.o grid.o -o p");
    if (strstr(said, "(g->now)[has.rows]") == NULL ||
        strstr(said, "declare 'has' of grid.c (without static) and 'struct grid' of grid.c where "
                     "the loop sees it") == NULL)
        fail_msg("%s", said);
    free(said);
}

/* The text that is kept has all files, and is what debuggers see; else they see the user's. */
static void test_seen(void **state)
{
    (void)state;
    write_program((more_t[3]){{NULL, NULL}});
    free(sh("$X -g main.c field.c -o p && readelf --debug-dump=decodedline p >lines && "
            "grep -q field.c lines && grep -q main.c lines && ! grep -q xmpi\\\\. lines"));
    free(sh("$X -g --xmpi-keep=sub -c main.c && $X -g -c field.c && $X main.o field.o -o p && "
            "grep -q '^/. field.c' sub/main.xmpi.c && ! grep -q '^#line' sub/main.xmpi.c"));
    assert_true(is_divisible("p"));
    expect_same("p");
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), last = strlen(end);
    return length >= last && strcmp(text + length - last, end) == 0;
}

/* Options by which files stay apart are told where a loop would be looked at with others. */
static void test_options_apart(void **state)
{
    (void)state;
    static const char said_of[] = "main.c: remark: other files are not looked into with it: it is "
                                  "compiled with '%s' [xmpi-other-file]\n";
    static const char *const options[] = {"-flto", "--coverage"};
    for (size_t i = 0; i < 2; i++) {
        write_program((more_t[3]){{NULL, NULL}});
        char *line = formatted(said_of, options[i]);
        char *said = sh("$X %s -c main.c", options[i]);
        if (strstr(said, ": remark: movable, not divisible: ") == NULL || !ends_with(said, line))
            fail_msg("%s", said);
        free(said);
        said = sh("$X %s -c field.c && $X %s main.o field.o -o p", options[i], options[i]);
        assert_string_equal(said, "");
        free(said);
        said =
            sh("sed -i 's/xmpi loop/& state(same(f.rows))/; s/field_step/f.now[0]++, &/' main.c && "
               "{ $X %s -c main.c; test $? = 1; }",
               options[i]);
        if (strstr(said, ": error: ") == NULL || !ends_with(said, line))
            fail_msg("%s", said);
        free(said);
        free(line);
    }
    char *said = sh("cat field.c main.c >all.c; { $X -flto -c all.c; test $? = 1; }");
    if (strstr(said, "[xmpi-state]") == NULL || strstr(said, "[xmpi-other-file]") != NULL)
        fail_msg("%s", said);
    free(said);
}

/* Writes main.c and rows.c, and hands back what is told of them together; malloc. */
static char *told_of(const char *main, const char *rows)
{
    free(sh("rm -rf -- *"));
    put("rows.h",
        "#ifndef ROWS_H\n#define ROWS_H\n#include <mpi.h>\n#include <stdlib.h>\n"
        "struct rows { int n, first, count, *off; double *x; };\n"
        "void rows_make(struct rows *r, int n);\nvoid rows_sweep(struct rows *r);\n"
        "void rows_solve(const struct rows *r, const double *b, double *x);\n#endif\n",
        NULL);
    put("rows.c", rows, NULL);
    put("main.c", main, NULL);
    return sh("$X -c main.c && $X -c rows.c && { $X main.o rows.o -o p && echo made || true; }");
}

static const char rows_text[] = "#include \"rows.h\"\n"
                                "void rows_make(struct rows *r, int n)\n"
                                "{\n"
                                "    int rank, size;\n"
                                "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
                                "    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
                                "    r->n = n;\n"
                                "    r->first = n * rank / size;\n"
                                "    r->count = n * (rank + 1) / size - r->first;\n"
                                "    r->off = malloc((r->count + 1) * sizeof *r->off);\n"
                                "    r->x = malloc(r->count * sizeof *r->x);\n"
                                "    for (int i = 0; i <= r->count; i++)\n"
                                "        r->off[i] = (r->first + i) * 3;\n"
                                "    for (int i = 0; i < r->count; i++)\n"
                                "        r->x[i] = r->first + i;\n"
                                "}\n";

static const char lazy_text[] = "static double *weight;\n"
                                "void rows_sweep(struct rows *r)\n"
                                "{\n"
                                "    if (weight == NULL) {\n"
                                "        weight = malloc(r->count * sizeof *weight);\n"
                                "        for (int i = 0; i < r->count; i++)\n"
                                "            weight[i] = 1.0 / (r->first + i + 1);\n"
                                "    }\n"
                                "    for (int i = 0; i < r->count; i++)\n"
                                "        r->x[i] += weight[i];\n"
                                "}\n";

static const char sweep_text[] = "void rows_sweep(struct rows *r)\n"
                                 "{\n"
                                 "    for (int i = 0; i < r->count; i++)\n"
                                 "        r->x[i] += r->off[i + 1] - r->off[i];\n"
                                 "}\n";

static const char solve_text[] =
    "void rows_solve(const struct rows *r, const double *b, double *x)\n"
    "{\n"
    "    for (int i = 0; i < r->count; i++)\n"
    "        x[i] = b[i];\n"
    "#pragma xmpi loop\n"
    "    for (int k = 0; k < 9; k++)\n"
    "        for (int i = 0; i < r->count; i++)\n"
    "            x[i] = 0.5 * x[i] + r->first + i;\n"
    "}\n";

static const char smooth_text[] =
    "void rows_solve(const struct rows *r, const double *b, double *x)\n"
    "{\n"
    "    for (int i = 1; i <= r->count; i++)\n"
    "        x[i] = 0.5 * (b[i - 1] + b[i + 1]);\n"
    "}\n";

static char *main_with(const char *before, const char *loop, const char *call)
{
    return formatted("#include \"rows.h\"\n"
                     "int main(int argc, char **argv)\n"
                     "{\n"
                     "    struct rows r;\n"
                     "    MPI_Init(&argc, &argv);\n"
                     "    rows_make(&r, 60);\n"
                     "%s%s        %s;\n"
                     "    return MPI_Finalize();\n"
                     "}\n",
                     before, loop, call);
}

/* What is advised is not refused when it is followed, and no error is told of a program that is
 * made. */
static void test_advice(void **state)
{
    (void)state;
    static const char loop[] = "#pragma xmpi loop\n    for (int k = 0; k < 9; k++)\n";
    static const struct {
        const char *before, *loop, *call, *rows, *said, *not_said;
    } cases[] = {
        {"#pragma xmpi data halo(r.off[r.n]: 0)\n", loop, "rows_sweep(&r)", sweep_text,
         "or leave 'r.off' out here and name the state of the loop", "write halo("},
        {"#pragma xmpi data halo(r.off[r.n]: 0)\n", loop, "rows_sweep(&r)", sweep_text,
         "\n1 warning generated.\nmain.c: remark: so its loop stays movable, as its file alone "
         "makes it [xmpi-other-file]\nmade\n",
         "error"},
        {"", loop, "rows_sweep(&r)", lazy_text,
         "where iterations make its memory, make it before the loop; else declare weight of rows.c "
         "(without static)",
         "state(rows"},
        {"",
         "#pragma xmpi loop state(rows(r.x[r.n] from r.first, r.count), same(k))\n"
         "    for (int k = 0; k < 9; k++)\n",
         "rows_sweep(&r)", lazy_text, "let weight of rows.c lead to memory that", "\nmade\n"},
        {"    double *b = malloc(r.count * sizeof *b), *x = calloc(r.count, sizeof *x);\n"
         "    for (int i = 0; i < r.count; i++)\n        b[i] = (r.first + i) % 5;\n",
         "",
         "for (int s = 0; s < 6; s++) {\n rows_solve(&r, b, x);\n for (int i = 0; i < r.count; "
         "i++)\n b[i] += x[i];\n }",
         solve_text, "and put 'rows_solve' into main.c, too", NULL},
        {"double *b = calloc(r.count + 2, sizeof *b), *x = calloc(r.count + 2, sizeof *x);\n"
         "int me, p; MPI_Comm_rank(MPI_COMM_WORLD, &me); MPI_Comm_size(MPI_COMM_WORLD, &p);\n"
         "#define SWAP(a, to, b, from) MPI_Sendrecv(a, 1, MPI_DOUBLE, (to) % p, 0, b, 1, \\\n"
         "MPI_DOUBLE, (from) % p, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)\n",
         loop,
         "{ SWAP(&b[1], me + p - 1, &b[r.count + 1], me + 1); SWAP(&b[r.count], me + 1, b, me + p "
         "- 1);\nfor (int i = 1; i <= r.count; i++) b[i] += r.first + i;\nrows_solve(&r, b, x);\n"
         "for (int i = 1; i <= r.count; i++) b[i] = x[i]; }",
         smooth_text, "rows are set in line 14 of main.c, behind", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *main = main_with(cases[i].before, cases[i].loop, cases[i].call);
        char *rows = formatted("%s%s", rows_text, cases[i].rows);
        char *said = told_of(main, rows);
        if (strstr(said, cases[i].said) == NULL ||
            (cases[i].not_said != NULL && strstr(said, cases[i].not_said) != NULL))
            fail_msg("%s is not said, or %s is: %s", cases[i].said, cases[i].not_said, said);
        free(said);
        free(rows);
        free(main);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ways),          cmocka_unit_test(test_ways_apart),
        cmocka_unit_test(test_others),        cmocka_unit_test(test_objects_changed),
        cmocka_unit_test(test_not_needed),    cmocka_unit_test(test_called_from_elsewhere),
        cmocka_unit_test(test_redirected),    cmocka_unit_test(test_told_once),
        cmocka_unit_test(test_options_apart), cmocka_unit_test(test_advice),
        cmocka_unit_test(test_seen),          cmocka_unit_test(test_out_of_sight),
        cmocka_unit_test(test_opaque),
    };
    scratch = scratch_make();
    machine_invent();
    cmocka_set_test_filter(getenv("TEST"));
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_remove(scratch);
    return failed;
}
