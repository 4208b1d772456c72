/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the handles that a program is given that can move: after what is behind them has been
 * made again, here or in another process, all of it is what it was. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"

enum { SECONDS = 600, PROCESSES = 5 };

static char *dir;

/* What takes over has the program's data at the same addresses: so -no-pie, and the static library,
 * inside which the programs look. */
static int build_one(const char *program, const char *also)
{
    const char *sanitize = getenv("SANITIZE_FLAGS");
    const char *from = source_dir();
    command_t made = command_shell(
        dir, SECONDS,
        "'%s'/bin/mpicc -std=gnu11 -O1 -g -Wall -Wextra -Werror -Wno-stringop-overflow -no-pie %s "
        "-I '%s'/runtime -I '%s'/runtime/include '%s'/tests/mpi/programs/%s.c %s%s%s "
        "'%s'/lib/libxmpi.a -lm -ldl -o %s",
        build_dir(), sanitize != NULL ? sanitize : "", from, from, from, program,
        also != NULL ? from : "", also != NULL ? "/tests/mpi/programs/" : "",
        also != NULL ? also : "", build_dir(), program);
    int status = made.status;
    if (status != 0)
        fprintf(stderr, "%s", made.err);
    command_free(&made);
    return status;
}

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    int status = build_one("handles", "handles_made.c");
    return status != 0 ? status : build_one("handles_held", NULL);
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

static command_t run(int processes, const char *command)
{
    command_t result =
        command_shell(dir, SECONDS, "'%s'/bin/mpiexec -n %d %s", build_dir(), processes, command);
    if (result.status != 0)
        fail_msg("%s: status %d: %s%s", command, result.status, result.out, result.err);
    return result;
}

/* Bytes that the memory in use has grown by. (MPICH keeps what it has once allocated for its
 * objects, of which it then has as many as ever before.) */
static long grown(const char *mode, int times, int every, int processes)
{
    char command[96];
    long bytes = -1;
    int made = 0;
    snprintf(command, sizeof command, "./handles %s %d %d", mode, times, every);
    command_t result = run(processes, command);
    const char *said = strchr(result.out, ':');
    if (said == NULL || sscanf(said, ": %d times, %ld bytes", &made, &bytes) != 2)
        fail_msg("%s says: %s", command, result.out);
    assert_int_equal(made, times);
    command_free(&result);
    return bytes;
}

/* As often as SOAK says, or a few hundred times. */
static int often(void)
{
    const char *soak = getenv("SOAK");
    return soak != NULL ? 10 * atoi(soak) : 300;
}

static void made_again(const char *mode)
{
    int times = often();
    for (int processes = 3; processes <= PROCESSES; processes++)
        grown(mode, 6, 1, processes);
    long bytes = grown(mode, times, 50, PROCESSES);
    if (bytes > 1 << 20)
        fail_msg("%s: %ld bytes more after %d times", mode, bytes, times);
}

static void all_is_made_again(void **state)
{
    (void)state;
    made_again("again");
}

static void all_stays_where_it_was_in_vain(void **state)
{
    (void)state;
    made_again("vain");
}

static void another_process_takes_over(void **state)
{
    (void)state;
    made_again("replace");
}

static void another_process_does_not_take_over(void **state)
{
    (void)state;
    made_again("cancel");
}

static void two_members_exchange(void **state)
{
    (void)state;
    made_again("exchange");
}

static void others_have_the_handles_of_the_mpi(void **state)
{
    (void)state;
    grown("plain", 1, 1, 3);
}

static void what_is_open_is_named(void **state)
{
    (void)state;
    static const char expected[] =
        "nothing: free\n"
        "receiving: a request is pending (MPI_Irecv\n"
        "received: free\n"
        "persistent: free\n"
        "started: a persistent request has been started and not waited for (MPI_Recv_init\n"
        "waited: free\n"
        "window: a window is open (MPI_Win_create\n"
        "no window: free\n"
        "file: a file of MPI is open (MPI_File_open\n"
        "no file: free\n"
        "matched: a message has been matched and not received (MPI_Improbe\n"
        "got: free\n"
        "no message: free\n"
        "message: a message from rank 2 with tag 7 in a communicator of MPI_Comm_dup has not been "
        "received\n"
        "message received: free\n"
        "persistent message: a message from rank 1 with tag 8 in a communicator of MPI_Comm_split "
        "has not been received\n"
        "persistent message: a message from rank 1 with tag 8 in a communicator of MPI_Comm_split "
        "has not been received\n"
        "half of an exchange: a message from rank 1 with tag 9 in MPI_COMM_WORLD has not been "
        "received\n"
        "received all: free\n"
        "freed: a communicator has been freed that persistent requests need (MPI_Comm_dup\n"
        "all freed: free\n"
        "strangers: a communicator has members outside MPI_COMM_WORLD (MPI_Comm_dup\n"
        "nothing: free\n";
    command_t result = run(3, "./handles_held");
    assert_string_equal(result.out, expected);
    command_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_made_again),
        cmocka_unit_test(all_stays_where_it_was_in_vain),
        cmocka_unit_test(another_process_takes_over),
        cmocka_unit_test(another_process_does_not_take_over),
        cmocka_unit_test(two_members_exchange),
        cmocka_unit_test(others_have_the_handles_of_the_mpi),
        cmocka_unit_test(what_is_open_is_named),
    };
    return cmocka_run_group_tests(tests, build, clean);
}
