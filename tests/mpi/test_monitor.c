/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of monitoring under MPI: by hand, and what the trace says of an interval. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "support/command.h"
#include "support/program.h"

enum { SECONDS = 60 };

static char *dir;

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    return program_build(dir, "monitor_iter", "-lsde");
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* With the runtime, and where it leaves the program alone. */
static void iterations_are_monitored_by_hand(void **state)
{
    (void)state;
    static const char *const policies[] = {"balance", "off"};
    for (int i = 0; i < 2; i++) {
        command_t result = command_shell(dir, SECONDS,
                                         "XMPI_POLICY=%s '%s'/bin/mpiexec -n 1 "
                                         "./monitor_iter",
                                         policies[i], build_dir());
        assert_int_equal(result.status, 0);
        assert_string_equal(result.out, "1\n1\n1000 1\n2000 1\n3000 1\n1\n");
        assert_string_equal(result.err, "xmpi: rank 0: XMPI_Monitor_iter_begin: PAPI cannot count "
                                        "PAPI_NO_SUCH here\n");
        command_free(&result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(iterations_are_monitored_by_hand)};
    return cmocka_run_group_tests(tests, build, clean);
}
