/* SPDX-License-Identifier: BSD-3-Clause
 * Programs in different styles, whose processes go elsewhere in nearly every iteration, and print
 * what the plain programs print; and one that goes elsewhere very often, without a loss. With SOAK
 * 500 moves and more of each of them, and 10,000; otherwise what does not take minutes. */
#define _GNU_SOURCE
#include "run.h"

#include <time.h>

enum { MEMBERS = 4, ELEMENTS = 6 };

static int soaks(void)
{
    return getenv("SOAK") != NULL;
}

static const char on_pool[] = "XMPI_BACKEND=pool XMPI_ACTIVE=4";
static const char spawning[] = "XMPI_BACKEND=spawn XMPI_MAX=6 XMPI_STRATEGY=concurrent";

/* In a line, with what comes of it in the file OUT. */
static void run(const char *name, const char *settings, int processes, int steps, const char *more)
{
    static const char line[] =
        "rm -f t; OMP_WAIT_POLICY=passive XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_SEED=5 "
        "XMPI_MOVE_BACKGROUND=0 XMPI_TRACE=t %s '%s/bin/mpiexec' -n %d ./%s %d %s >out 2>&1";
    char *shell;
    assert_true(asprintf(&shell, line, settings, build_dir(), processes, name, steps, more) > 0);
    command_t command = command_shell(dir, SECONDS + 2 * steps, "%s", shell);
    if (command.status != 0)
        fail_msg("%s: status %d: %s", shell, command.status, sh("cat out"));
    command_free(&command);
    free(shell);
}

static void compare(const char *name, const char *settings, int processes, int moves)
{
    int steps = moves + moves / 4 + 10;
    time_t began = time(NULL);
    free(sh("OMP_WAIT_POLICY=passive '%s/bin/mpiexec' -n %d ./%s.plain %d >plain", build_dir(),
            MEMBERS, name, steps));
    run(name, settings, processes, steps, "");
    free(sh("cmp plain out || { cat plain out >&2; exit 1; }"));
    assert_in_range(changes_in_trace(), moves, steps);
    if (soaks())
        print_message("%s, %.18s: %d moves, %ld s\n", name, settings, changes_in_trace(),
                      (long)(time(NULL) - began));
}

static void moves_and_prints_the_same(void **state)
{
    const char *name = *state;
    build(name, "");
    compare(name, on_pool, ELEMENTS, soaks() ? 500 : 60);
    compare(name, spawning, MEMBERS, soaks() ? 500 : 8);
}

/* A request that nobody waits for keeps its process, and not the program from ending. */
static void ends_with_requests_left(void **state)
{
    (void)state;
    enum { STEPS = 40 };
    build("loses", "");
    free(sh("'%s/bin/mpiexec' -n %d ./loses.plain %d >plain", build_dir(), MEMBERS, STEPS));
    run("loses", on_pool, ELEMENTS, STEPS, "");
    free(sh("grep '^loses' out | cmp plain - && grep -q 'a request is pending (MPI_Isend' out"));
}

/* Who has left waits until the others have no connection to it any more. Where one of them has,
 * these moves end in a standstill when it has come back. */
static void who_leaves_is_let_go(void **state)
{
    (void)state;
    build("splits", "");
    compare("splits", "XMPI_SEED=1 XMPI_BACKEND=spawn XMPI_MAX=6 XMPI_STRATEGY=concurrent", MEMBERS,
            100);
}

/* What test_movable.c moves a little. */
static void moves_as_often(void **state)
{
    if (!soaks())
        skip();
    moves_and_prints_the_same(state);
}

/* --- very often ----------------------------------------------------------------------------------
 */

/* Of each rank, when it had moved a little and at the end, in another process. A connection to each
 * of the others may have been made meanwhile: once, not in every move. */
static void check_line(const char *line)
{
    long fds[2], communicators[2], kilobytes[2];
    if (sscanf(line, "holds: fds %ld %ld communicators %ld %ld kilobytes %ld %ld", &fds[0], &fds[1],
               &communicators[0], &communicators[1], &kilobytes[0], &kilobytes[1]) != 6)
        fail_msg("cannot be read: %.200s", line);
    if (fds[1] > fds[0] + 3 * ELEMENTS || communicators[1] < communicators[0] - 4 ||
        kilobytes[1] > kilobytes[0] + 4096)
        fail_msg("something is lost: %.200s", line);
}

static void loses_nothing(const char *settings, int processes, int moves)
{
    char warm[16];
    int lines = 0, steps = moves + moves / 4 + 60;
    snprintf(warm, sizeof warm, "%d", 50);
    run("holds", settings, processes, steps, warm);
    char *said = sh("cat out");
    for (const char *at = strstr(said, "holds: "); at != NULL; at = strstr(at + 1, "holds: "))
        check_line(at), lines++;
    assert_int_equal(lines, MEMBERS);
    assert_in_range(changes_in_trace(), moves, steps);
    free(sh("! grep 'called off\\|\"outcome\":\"failed\"' t"));
    free(said);
}

static void inside_a_region_of_openmp_it_stays(void **state)
{
    (void)state;
    build("region", "");
    char *plain = sh("OMP_WAIT_POLICY=passive '%s/bin/mpiexec' -n %d ./region.plain 40",
                     build_dir(), MEMBERS);
    char *said = sh("OMP_WAIT_POLICY=passive XMPI_POLICY=random XMPI_INTERVAL=1 XMPI_TRACE=t %s "
                    "'%s/bin/mpiexec' -n %d "
                    "./region 40 2>said && cat said",
                    on_pool, build_dir(), ELEMENTS);
    assert_memory_equal(said, plain, strlen(plain));
    assert_non_null(strstr(said, "the loop is inside a parallel region of OpenMP"));
    assert_int_equal(changes_in_trace(), 0);
    free(said);
    free(plain);
}

static void moves_very_often(void **state)
{
    (void)state;
    build("holds", "");
    loses_nothing(on_pool, ELEMENTS, soaks() ? 10000 : 1000);
    loses_nothing(spawning, MEMBERS, soaks() ? 10000 : 25);
}

#define MOVES(program)                                                                             \
    {                                                                                              \
        "moves_" program, moves_and_prints_the_same, NULL, NULL, (void *)program                   \
    }
#define SOAKS(program)                                                                             \
    {                                                                                              \
        "moves_" program, moves_as_often, NULL, NULL, (void *)program                              \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        MOVES("halo"),
        MOVES("meets"),
        MOVES("cannon"),
        MOVES("quicksort"),
        MOVES("persistent"),
        MOVES("splits"),
        MOVES("threads"),
        MOVES("undeclared"),
        cmocka_unit_test(inside_a_region_of_openmp_it_stays),
        cmocka_unit_test(ends_with_requests_left),
        cmocka_unit_test(who_leaves_is_let_go),
        SOAKS("lists"),
        SOAKS("files"),
        SOAKS("descriptors"),
        SOAKS("deep"),
        SOAKS("mesh"),
        SOAKS("workers"),
        SOAKS("particles"),
        SOAKS("transpose"),
        SOAKS("objects"),
        cmocka_unit_test(moves_very_often),
    };
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, setup_anywhere, teardown);
}
