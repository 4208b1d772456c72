/* SPDX-License-Identifier: BSD-3-Clause
 * Names that several files have, each for itself: one of them gets another one where the files are
 * looked at as one, in all places where it is meant, and in no others. */
#define _GNU_SOURCE
#include "programs/joined.h"

/* Files that are in one text what they are alone, though they have names in common. */
static void test_names(void **state)
{
    (void)state;
    static const more_t cases[][3] = {
        {{"MORE_LOOP", "static int mean(int a) { return a + 1; }"},
         {"MORE_END", "if (mean(rank) < 0) return 1;"}},
        {{"MORE_LOOP", "static int calls; static void field_count(void) { calls++; }"},
         {"MORE_FIELD", "static double calls[4];\nint used(void) { return calls[1] > 0; }"},
         {"MORE_END", "field_count(); if (calls != 1) return 1;"}},
        {{"MORE_LOOP", "struct pair { int a; }; enum { SIDE = 3 }; typedef int real;"},
         {"MORE_FIELD", "struct pair { double a, b; }; enum { SIDE = 4 }; typedef double real;\n"
                        "real side(struct pair p) { return p.a + SIDE; }"},
         {"MORE_END", "if (sizeof(struct pair) + SIDE != sizeof(real) + 3) return 1;"}},
        {{"MORE_FIELD", "#define WIDTH 8\nstatic int height = 60;"},
         {"MORE_LOOP", "#define WIDTH 5\nstatic double height = 3;"},
         {"MORE_END", "if (WIDTH != 5 || height != 3) return 1;"}},
        {{"MORE_FIELD", "#define most 3\nint three(void) { return most; }\n#undef most\n"
                        "#define argc 4\nint four(void) { return argc; }"}},
        {{"MORE_FIRST", "#define _GNU_SOURCE"},
         {"MORE_FIELD", "#include <string.h>\nvoid *found(const char *s)"
                        "{ return memmem(s, 2, \"a\", 1); }"}},
        {{"MORE_LOOP_FIRST", "#define _POSIX_C_SOURCE 200809L"},
         {"MORE_FIELD", "#include <math.h>\ndouble pi(void) { return M_PI; }"}},
        {{"MORE_HEADER", "static inline int twice(int a) { return 2 * a; }\n"
                         "static const int table[] = {1, 2};"},
         {"MORE_END", "if (twice(rank) + table[0] < 0) return 1;"}},
        {{"MORE_FIELD", "#include <assert.h>\nvoid sure(int a) { assert(a); }"},
         {"MORE_LOOP", "#define NDEBUG\n#include <assert.h>"},
         {"MORE_END", "assert(rank < 0);"}},
        {{"MORE_FIELD",
          "#include \"loose.h\" /* without\n guard */\nint loose(void) { return LOOSE; }"},
         {"MORE_LOOP", "#  include \\\n  \"loose.h\""},
         {"MORE_END", "if (LOOSE != sizeof(struct loose) || __LINE__ != 23) return 1;"}},
        {{"MORE_FIELD", "#include \"nest.h\""},
         {"MORE_LOOP", "#include \"loose.h\""},
         {"MORE_END", "if (LOOSE < 1) return 1;"}},
        {{"MORE_END", "if (strcmp(__FILE__, \"main.c\") != 0 || __LINE__ != 22) return 1;"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_program(cases[i]);
        char *said = sh("$X -w -c main.c && $X -w -c field.c && $X main.o field.o -lm -o p");
        if (!is_divisible("p") || *said != '\0')
            fail_msg("%s %s: %s", cases[i][0].text, cases[i][1].text ? cases[i][1].text : "", said);
        free(said);
        expect_same("p");
    }
}

/* Members, labels and what all have of a header keep their names. */
static void test_other_name_spaces(void **state)
{
    (void)state;
    static const more_t cases[][3] = {
        {{"MORE_LOOP", "static int count = 3, first;"},
         {"MORE_FIELD", "static int count = 5, first;\n"
                        "int both(struct field *f) { first++; return f->count + count + first; }"},
         {"MORE_END", "if (both(&f) != f.count + count + first + 3) return 1;"}},
        {{"MORE_LOOP",
          "static int rows = 60;\n#define ROWS(f) ((f).rows)\n#define OF(a) (a + rows)"},
         {"MORE_FIELD", "static int rows = 1;\nint one(void) { return rows; }"},
         {"MORE_END", "if (OF(ROWS(f)) != 120) return 1;"}},
        {{"MORE_LOOP", "#include <stddef.h>\nstatic int rows = 7;"},
         {"MORE_FIELD", "static int rows = 1;\nint one(void) { return rows; }"},
         {"MORE_END", "struct field g = {.rows = rows}; if (g.rows - (int)offsetof(struct field, "
                      "rows) != rows) return 1;"}},
        {{"MORE_LOOP", "static int done;"},
         {"MORE_FIELD", "static int done = 1;\nint one(void) { return done; }"},
         {"MORE_END", "if (!done) goto done; return 1; done: done = 0;"}},
        {{"MORE_HEADER", "struct side { int a; };\nstruct later;"},
         {"MORE_LOOP",
          "static int later;\nstatic int side(struct side *s) { return s->a + later; }"},
         {"MORE_FIELD", "struct later { int b; };\nstatic int later = 1;\n"
                        "static struct side side = {3};\n"
                        "int three(struct later *l) { return side.a + later + l->b; }"}},
        {{"MORE_LOOP", "static double *now;"},
         {"MORE_FIELD", "static double now = 1;\ndouble one(void) { return now; }"},
         {"MORE_MAKE", "now = NULL;\n#pragma xmpi data distributed(f.now[60][8])\n"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_program(cases[i]);
        char *said = sh("$X -w -c main.c && $X -w -c field.c && $X main.o field.o -lm -o p");
        if (!is_divisible("p") || *said != '\0')
            fail_msg("%s: %s", cases[i][0].text, said);
        free(said);
        expect_same("p");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_other_name_spaces),
    };
    scratch = scratch_make();
    machine_invent();
    cmocka_set_test_filter(getenv("TEST"));
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    scratch_remove(scratch);
    return failed;
}
