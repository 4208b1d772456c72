/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of blocks that begin elsewhere after a move: where the library stands for the calls that
 * memory comes back by rows stay where they are, and where somebody else does they are copied. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"
#include "support/program.h"

enum { SECONDS = 100 };

static char *dir;

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    return program_build(dir, "swaying", "");
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* Sanitizers have all memory to themselves, in all that is built here. */
static void skip_with_sanitizers(void)
{
    const char *flags = getenv("SANITIZE_FLAGS");
    if (flags != NULL && flags[0] != '\0')
        skip();
}

/* After the line PREPARE the program, run with SETTING by TOOL, prints what is WANTED. */
static void expect_by(const char *tool, const char *prepare, const char *setting, int processes,
                      const char *wanted)
{
    command_t result = command_shell(
        dir, SECONDS,
        "B='%s'; P='%s'/tests/mpi/programs; ours() { $B/bin/mpicc -O1 -I$B/include \"$@\"; }; %s; "
        "$B/bin/mpiexec %s -n %d %s ./swaying 7",
        build_dir(), source_dir(), prepare, setting, processes, tool);
    if (result.status != 0 || strcmp(result.out, wanted) != 0)
        fail_msg("%s%s: status %d: %s%s", prepare, setting, result.status, result.out, result.err);
    command_free(&result);
}

static void expect(const char *prepare, const char *setting, int processes, const char *wanted)
{
    expect_by("", prepare, setting, processes, wanted);
}

static void rows_stay_in_place(void **state)
{
    (void)state;
    skip_with_sanitizers();
    expect(":", "", 2, "swaying: ok, in place\n");
    expect(":", "", 4, "swaying: ok, in place\n");
}

static void rows_stay_in_place_with_the_archive(void **state)
{
    (void)state;
    skip_with_sanitizers();
    expect("ours $P/swaying.c -L$B/lib -l:libxmpi.a -lm -o swaying", "", 3,
           "swaying: ok, in place\n");
}

/* One in the program, one behind the library, one before everything. */
static void allocators_get_back_what_they_gave(void **state)
{
    const char *link = "-L$B/lib -lxmpi -Wl,-rpath,$B/lib";
    char line[512];
    (void)state;
    skip_with_sanitizers();
    snprintf(line, sizeof line, "ours -fno-builtin $P/swaying.c $P/hoard.c %s -o swaying", link);
    expect(line, "", 2, "swaying: ok, copied\n");
    snprintf(line, sizeof line,
             "ours -fno-builtin -shared -fPIC $P/hoard.c -o hoard.so && ours $P/swaying.c %s "
             "./hoard.so -Wl,-rpath,$PWD -o swaying",
             link);
    expect(line, "", 2, "swaying: ok, in place\n");
    snprintf(line, sizeof line, "ours $P/swaying.c %s -o swaying", link);
    expect(line, "-env LD_PRELOAD $PWD/hoard.so", 2, "swaying: ok, copied\n");
}

static void sanitizers_and_valgrind_see_all_memory(void **state)
{
    (void)state;
    skip_with_sanitizers();
    expect("ours -fsanitize=address $P/swaying.c -L$B/lib -lxmpi -Wl,-rpath,$B/lib -o swaying",
           "-env ASAN_OPTIONS detect_leaks=0", 2, "swaying: ok, copied\n");
    expect_by("valgrind -q", "ours $P/swaying.c -L$B/lib -lxmpi -Wl,-rpath,$B/lib -o swaying", "",
              2, "swaying: ok, copied\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_stay_in_place),
        cmocka_unit_test(rows_stay_in_place_with_the_archive),
        cmocka_unit_test(allocators_get_back_what_they_gave),
        cmocka_unit_test(sanitizers_and_valgrind_see_all_memory),
    };
    return cmocka_run_group_tests(tests, build, clean);
}
