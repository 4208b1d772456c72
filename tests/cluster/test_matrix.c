/* SPDX-License-Identifier: BSD-3-Clause
 * Who sends how much to whom, as the library counts it, beside what the sockets of the processes
 * have carried, and how the matrix comes into the trace. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"
#include "support/trace_schema.h"

enum { SECONDS = 60, NODES = 9, SMALL = 200, MEDIUM = 4000, LARGE = 100000 };

static char *dir;

static void must(command_t result)
{
    if (result.status != 0)
        fail_msg("exit status %d:\n%s%s", result.status, result.out, result.err);
    command_free(&result);
}

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    must(command_shell(dir, SECONDS,
                       "'%s/bin/mpicc' -std=gnu11 -O1 -Wno-stringop-overflow -I'%s/runtime' "
                       "-I'%s/runtime/include' '%s/tests/mpi/programs/matrix.c' '%s/lib/libxmpi.a' "
                       "-lm -ldl -o matrix",
                       build_dir(), source_dir(), source_dir(), source_dir(), build_dir()));
    must(command_shell(dir, SECONDS,
                       "cc -O1 -shared -fPIC '%s/tests/cluster/emulation/network.c' -o network.so -lm && "
                       "for i in $(seq %d); do echo n$i:C:1; done >machines",
                       source_dir(), NODES));
    return 0;
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* One line of the program. */
typedef struct {
    char what[32];
    int bytes;
    double sockets, counted, off, messages;
} line_t;

/* The lines of N processes; malloc. At LINES how many. */
static line_t *run(int n, int *lines)
{
    command_t result =
        command_shell(dir, SECONDS,
                      "rm -f shared; EMU_PRELOAD=\"$PWD/network.so\" EMU_NETWORK=\"$PWD/shared\" "
                      "'%s/tests/cluster/run' -m machines -n %d -- ./matrix %d %d %d",
                      source_dir(), n, SMALL, MEDIUM, LARGE);
    line_t *line = calloc(200, sizeof *line);
    if (result.status != 0)
        fail_msg("exit status %d:\n%s%s", result.status, result.out, result.err);
    *lines = 0;
    for (char *text = strtok(result.out, "\n"); text != NULL; text = strtok(NULL, "\n")) {
        line_t *one = &line[(*lines)++];
        assert_int_equal(sscanf(text, "%31s %d %lf %lf %lf %lf", one->what, &one->bytes,
                                &one->sockets, &one->counted, &one->off, &one->messages),
                         6);
    }
    command_free(&result);
    return line;
}

/* Bytes of the header of a message, as of those from each process to the next. */
static double header_of(const line_t *line, int lines)
{
    for (int i = 0; i < lines; i++)
        if (strcmp(line[i].what, "send") == 0 && line[i].bytes == MEDIUM)
            return (line[i].sockets - line[i].counted) / line[i].messages;
    fail_msg("nothing was sent");
    return 0;
}

/* Pair by pair the data are what sockets carry up to 1 %, where messages are large; where they are
 * small, with the headers of as many messages as are counted. (Messages of up to 16 bytes have no
 * other bytes than a header; making communicators takes messages that are not counted.) */
static void check(int n)
{
    static const char *const large[] = {"send",      "bcast", "allgather", "alltoall",
                                        "allreduce", "new",   "many"};
    int lines, checked = 0;
    line_t *line = run(n, &lines);
    double header = header_of(line, lines);
    for (int i = 0; i < lines; i++) {
        const line_t *one = &line[i];
        double with_headers = one->counted + header * one->messages;
        if (one->bytes == MEDIUM && strcmp(one->what, "new") != 0 &&
            fabs(one->sockets - with_headers) > 0.01 * one->sockets)
            fail_msg("%d processes: %s of %d: sockets %.0f, counted %.0f in %.0f messages", n,
                     one->what, one->bytes, one->sockets, one->counted, one->messages);
        if (one->bytes == SMALL && strcmp(one->what, "alltoall") == 0)
            assert_true(fabs(one->sockets - with_headers) <= 0.01 * one->sockets);
        for (size_t k = 0; k < sizeof large / sizeof *large; k++)
            if (one->bytes == LARGE && strcmp(one->what, large[k]) == 0) {
                checked++;
                if (one->off > 0.01 * one->sockets)
                    fail_msg("%d processes: %s of %d: off by %.0f of %.0f", n, one->what,
                             one->bytes, one->off, one->sockets);
            }
    }
    assert_int_equal(checked, 7);
    free(line);
}

static void what_is_counted_is_what_sockets_carry(void **state)
{
    (void)state;
    check(6);
    check(8);
    check(9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_counted_is_what_sockets_carry),
    };
    return cmocka_run_group_tests(tests, build, clean);
}
