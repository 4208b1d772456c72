/* SPDX-License-Identifier: BSD-3-Clause
 * Tests that members and those that join make the same collective operations of the runtime's, and
 * that a difference is found where it happens, not by a job that hangs. */
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

enum { SECONDS = 90 };

static const char *const backends[] = {
    "XMPI_BACKEND=spawn XMPI_STRATEGY=group XMPI_MAX=6 '%s'/bin/mpiexec -n 2",
    "XMPI_BACKEND=spawn XMPI_STRATEGY=concurrent XMPI_MAX=6 '%s'/bin/mpiexec -n 2",
    "XMPI_BACKEND=pool XMPI_ACTIVE=2 '%s'/bin/mpiexec -n 6",
};

static char *dir;

static int build(void **state)
{
    (void)state;
    char inside[1024];
    dir = scratch_make();
    snprintf(inside, sizeof inside,
             "-I'%s'/runtime -Wl,--push-state,-Bstatic -lxmpi -Wl,--pop-state -lpapi -lsde -lcjson "
             "-lglpk -lhwloc -lm -lpthread",
             source_dir());
    int status = program_build(dir, "evolve", "");
    return status != 0 ? status : program_build(dir, "collectives_differ", inside);
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* Runs evolve with SETTINGS on a backend; OUT is the begin of what must be printed. */
static void run(const char *backend, const char *settings, const char *out)
{
    char mpiexec[1024];
    snprintf(mpiexec, sizeof mpiexec, backend, build_dir());
    command_t result = command_shell(
        dir, SECONDS, "rm -f profile; XMPI_DEBUG=1 %s %s ./evolve 40 80", settings, mpiexec);
    if (result.status != 0 || strncmp(result.out, out, strlen(out)) != 0 || result.err[0] != '\0')
        fail_msg("%s %s: status %d: %s%s", settings, mpiexec, result.status, result.out,
                 result.err);
    command_free(&result);
}

static void on_all_backends(const char *settings)
{
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++)
        run(backends[i], settings, "evolve: ok 80 ");
}

static void joiners_do_what_members_do(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "XMPI_POLICY=random XMPI_INTERVAL=2",
        "XMPI_POLICY=random XMPI_INTERVAL=2 XMPI_SEED=5 XMPI_WAIT=sleep XMPI_MOVE=rma",
        "XMPI_POLICY=random XMPI_INTERVAL=3 XMPI_MOVE=alltoallv",
    };
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        on_all_backends(settings[i]);
}

/* The members have agreed on it before anybody joined. */
static void a_profile_is_recorded_with_joiners(void **state)
{
    (void)state;
    char path[512];
    write_file((snprintf(path, sizeof path, "%s/schedule", dir), path),
               "spawn 2 any 20\nremove 1 any 50\n");
    for (size_t i = 0; i < sizeof backends / sizeof *backends; i++) {
        run(backends[i],
            "XMPI_RECORD=profile XMPI_POLICY=schedule XMPI_SCHEDULE=schedule XMPI_INTERVAL=10",
            "evolve: ok 80 ");
        snprintf(path, sizeof path, "%s/profile", dir);
        char *profile = read_file(path, NULL);
        assert_non_null(profile);
        assert_non_null(strstr(profile, "\n70 ")); /* long after the joiners came */
        free(profile);
    }
}

static void a_difference_is_named(void **state)
{
    (void)state;
    command_t result =
        command_shell(dir, SECONDS,
                      "'%s'/bin/mpiexec -n 3 ./collectives_differ 0 && ! '%s'/bin/mpiexec -n 3 "
                      "./collectives_differ 1",
                      build_dir(), build_dir());
    if (result.status != 0 || strncmp(result.out, "collectives: ok\n", 16) != 0 ||
        strstr(result.err, "collective operation 2 is Reduce of ") == NULL ||
        strstr(result.err, "collectives_differ.c:20 here, and 2 is Bcast of ") == NULL ||
        strstr(result.err, "collectives_differ.c:21 on rank 2\n") == NULL)
        fail_msg("status %d: %s%s", result.status, result.out, result.err);
    command_free(&result);
}

/* What is not compared by name would be missed. */
static void all_of_them_are_compared(void **state)
{
    (void)state;
    command_t result = command_shell(
        source_dir(), SECONDS,
        "grep -lrE "
        "'PMPI_(Barrier|Bcast|Reduce|Allreduce|Gather|Gatherv|Allgather|Scatter|Alltoallv|Comm_dup|"
        "Comm_split|Comm_create)\\(' runtime --include='*.c' | "
        "grep -vE '^runtime/(base/collective|program/api/watch|program/api/register|"
        "act/moving/exchange_collective|act/spawning/spawn)\\.c$' | "
        "xargs grep -L '#include \"base/collective.h\"'; "
        "grep -nrE 'PMPI_(Scatterv|Allgatherv|Alltoallw?|Exscan|Scan|Reduce_scatter)\\(' "
        "runtime --include='*.c' | grep -v '^runtime/act/moving/exchange_collective\\.c'");
    assert_string_equal(result.out, "");
    command_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joiners_do_what_members_do),
        cmocka_unit_test(a_profile_is_recorded_with_joiners),
        cmocka_unit_test(a_difference_is_named),
        cmocka_unit_test(all_of_them_are_compared),
    };
    return cmocka_run_group_tests(tests, build, clean);
}
