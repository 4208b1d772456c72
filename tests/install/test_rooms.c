/* SPDX-License-Identifier: BSD-3-Clause
 * Files use what the table of rooms in docs/architecture.md says, and nothing else. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "support/command.h"

static void they_keep_to_the_table(void **state)
{
    (void)state;
    command_t command = command_shell(
        source_dir(), 60, "tests/install/check_rooms docs/architecture.md '%s' '%s/obj'",
        source_dir(), build_dir());
    if (command.status != 0 || command.out[0] != '\0' || command.err[0] != '\0')
        fail_msg("%s%s", command.out, command.err);
    command_free(&command);
}

/* --- the check itself, on a small house ------------------------------------------------------- */

/* A file; and what the check is to say when it is there as well, or instead: "" nothing. */
typedef struct {
    const char *file, *text;
} file_t;

enum { CHANGES = 2 };

typedef struct {
    file_t change[CHANGES];
    const char *expected;
} case_t;

#define ROOMS(low, more)                                                                           \
    "| room | what | may use |\n|---|---|---|\n| `low` | | " low " |\n"                            \
    "| `middle/room` | | `low` |\n| `high` | | `low` `middle/room` |\n| `xmpicc/cut` | | |\n" more \
    "\n| `of/another` | table | |\n"
#define FUNCTION(name, body) "int " name "(void);\nint " name "(void)\n{\n    return " body ";\n}\n"

static const file_t house[] = {
    {"table.md", ROOMS("", "")},
    {"runtime/low/floor.h", "extern int floor_number;\nint floor_of(void);\n"},
    {"runtime/low/floor.c",
     "#include \"low/floor.h\"\nint floor_number;\n" FUNCTION("floor_of", "floor_number")},
    {"runtime/middle/room/wall.h", "int wall(void);\n"},
    {"runtime/middle/room/wall.c",
     "#include \"middle/room/wall.h\"\n#include \"low/floor.h\"\n" FUNCTION("wall", "floor_of()")},
    {"runtime/high/roof.c", "#include \"middle/room/wall.h\"\n" FUNCTION("roof", "wall()")},
    {"xmpicc/cut/main.c", FUNCTION("main", "0")},
};

static void put(const char *dir, const file_t *file)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", dir, file->file);
    command_t made = command_shell(dir, 10, "mkdir -p \"$(dirname '%s')\"", path);
    command_free(&made);
    write_file(path, file->text);
}

static void compile(const char *dir)
{
    command_t command = command_shell(
        dir, 60,
        "for file in $(find runtime xmpicc -name '*.c'); do mkdir -p \"build/$(dirname $file)\" && "
        "gcc -I runtime -c $file -o build/${file%%.c}.o || exit 1; done");
    if (command.status != 0)
        fail_msg("%s%s", command.out, command.err);
    command_free(&command);
}

static void try(const case_t *one)
{
    char *dir = scratch_make();
    for (size_t i = 0; i < sizeof house / sizeof *house; i++)
        put(dir, &house[i]);
    for (int i = 0; i < CHANGES && one->change[i].file != NULL; i++)
        put(dir, &one->change[i]);
    compile(dir);
    command_t command = command_shell(
        dir, 60, "'%s/tests/install/check_rooms' table.md '%s' '%s/build'", source_dir(), dir, dir);
    if (command.status != 0 || command.err[0] != '\0' || strcmp(command.out, one->expected) != 0)
        fail_msg("%s: expected \"%s\", and it was\n%s%s",
                 one->change[0].file != NULL ? one->change[0].file : "nothing", one->expected,
                 command.out, command.err);
    command_free(&command);
    scratch_remove(dir);
}

static void what_is_allowed_is_passed_over(void **state)
{
    static const case_t cases[] = {
        {.expected = ""},
        {{{"runtime/high/door.c", "extern int floor_number;\n" FUNCTION("door", "floor_number")}},
         ""},
        {{{"runtime/low/step.c", "#include \"low/floor.h\"\n" FUNCTION("step", "floor_of()")}}, ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        try(&cases[i]);
}

static void what_is_forbidden_is_found(void **state)
{
    static const case_t cases[] = {
        {{{"runtime/low/step.h", "#include \"middle/room/wall.h\"\n"}},
         "low/step may not use middle/room/wall (includes it)\n"},
        {{{"runtime/low/step.c", "int wall(void);\n" FUNCTION("step", "wall()")}},
         "low/step may not use middle/room/wall (wall)\n"},
        {{{"xmpicc/cut/main.c", "extern int floor_number;\n" FUNCTION("main", "floor_number")}},
         "xmpicc/cut/main may not use low/floor (floor_number)\n"},
        {{{"runtime/low/step.h", "#include \"low/nothing.h\"\n"}},
         "runtime/low/step.h includes \"low/nothing.h\", which is no file here\n"},
        {{{"runtime/garden/tree.c", "int tree;\n"}},
         "runtime/garden/tree.c is in no room of the table\n"},
        {{{"table.md", ROOMS("", "| `empty` | | |\n")}},
         "the table has a room empty, where there is nothing\n"},
        {{{"table.md", ROOMS("`high`", "")}},
         "the table lets low use high, which has no row above it\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        try(&cases[i]);
}

/* Of includes, of symbols, and of a header of one file and the code of the other. */
static void circles_are_found(void **state)
{
    static const case_t cases[] = {
        {{{"runtime/low/a.h", "#include \"low/b.h\"\n"},
          {"runtime/low/b.h", "#include \"low/a.h\"\n"}},
         "these use one another in a circle:\n    low/a\n    low/b\n"},
        {{{"runtime/low/a.c", "extern int b;\nint a;\n" FUNCTION("of_a", "b")},
          {"runtime/low/b.c", "extern int a;\nint b;\n" FUNCTION("of_b", "a")}},
         "these use one another in a circle:\n    low/a\n    low/b\n"},
        {{{"runtime/low/a.h", "int a;\n"}, {"runtime/low/b.c", "#include \"low/a.h\"\nint b;\n"}},
         ""},
        {{{"runtime/low/a.c", "extern int floor_number;\n" FUNCTION("of_a", "floor_number")},
          {"runtime/low/floor.h", "#include \"low/a.c\"\nint floor_of(void);\n"}},
         "these use one another in a circle:\n    low/a\n    low/floor\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        try(&cases[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_keep_to_the_table), cmocka_unit_test(what_is_allowed_is_passed_over),
        cmocka_unit_test(what_is_forbidden_is_found), cmocka_unit_test(circles_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
