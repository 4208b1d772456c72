/* SPDX-License-Identifier: BSD-3-Clause
 * A new policy is one file and one line: nothing else in the sources knows which policies there
 * are, and help, man page, settings and the check of names follow. The policy is the one that
 * docs/policies.md shows, with the test that it shows of it; in the end it changes the members of a
 * program, which computes what it should. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "support/command.h"

static void good(const char *dir, const char *line)
{
    command_t command = command_shell(dir, 900, "%s", line);
    if (command.status != 0)
        fail_msg("%s\nstatus %d\n%s%s", line, command.status, command.out, command.err);
    command_free(&command);
}

/* What depends on the list is compiled again, in a copy. */
static char *copy_sources(void)
{
    char *dir = scratch_make(), line[4096];
    snprintf(line, sizeof line,
             "cp -a '%s/Makefile' '%s/runtime' '%s/xmpicc' '%s/install' . && mkdir -p build/obj "
             "build/bin tests "
             "&& cp -a '%s/tests/support' '%s/tests/unit' tests && "
             "cp -a '%s/obj/runtime' '%s/obj/xmpicc' '%s/obj/gen' build/obj && "
             "cp -a '%s/gen' build && cp -a '%s'/bin/mpi* build/bin && "
             "cp '%s'/tests/mpi/programs/*.[ch] '%s/docs/policies.md' .",
             source_dir(), source_dir(), source_dir(), source_dir(), source_dir(), source_dir(),
             build_dir(), build_dir(), build_dir(), build_dir(), build_dir(), source_dir(),
             source_dir());
    good(dir, line);
    return dir;
}

/* The first block of C is the policy, the second one a test of it. */
static void follow_the_page(const char *dir)
{
    good(dir,
         "awk '/^```/ { inside = !inside; n += /^```c$/; next } inside { print >\"block.\" n }' "
         "policies.md && cp block.1 runtime/decide/policies/efficient.c");
    good(dir, "sed -i 's/policy(random)/policy(random) policy(efficient)/' "
              "runtime/decide/policies/policies.h && "
              "grep -q 'policy(efficient)' runtime/decide/policies/policies.h");
    good(dir,
         "test=tests/unit/policies/test_policies.c && "
         "name=$(sed -n 's/^static void \\([a-z_]*\\)(void \\*\\*state)$/\\1/p' block.2) && "
         "sed -i -e '/^int main/ { e cat block.2\n}' "
         "-e \"s/const struct CMUnitTest tests\\[\\] = {/& cmocka_unit_test($name),/\" $test && "
         "grep -q \"cmocka_unit_test($name)\" $test");
}

static void one_file_and_one_line_are_enough(void **state)
{
    (void)state;
    char *dir = copy_sources();
    follow_the_page(dir);
    good(dir, "make -j2 build/bin/xmpirun build/bin/xmpictl build/bin/xmpi-info "
              "build/lib/libxmpi.so build/tests/unit/policies/test_policies");
    good(dir, "build/tests/unit/policies/test_policies");
    good(dir, "build/bin/xmpirun --help | tr -s ' \\n' ' ' | "
              "grep -q 'efficient: as many members as still compute'");
    good(dir, "build/bin/xmpictl --help | tr -s ' \\n' ' ' | grep -q 'random, efficient'");
    good(dir, "build/bin/xmpi-info --settings-page | grep -q 'efficient: as many members as'");
    good(dir, "XMPI_POLICY=efficient build/bin/xmpi-info | grep -q 'XMPI_POLICY  *efficient'");
    good(dir, "XMPI_POLICY=often build/bin/xmpi-info 2>&1 | grep -q 'one of .*, efficient$'");
    good(dir, "help2man --no-info --no-discard-stderr build/bin/xmpirun | tr -s ' \\n' ' ' | "
              "grep -q 'efficient: as many members as'");
    /* (Its processes do little else than to wait for one another: it shrinks.) */
    good(dir, "build/bin/mpicc -O1 -Iruntime/include evolve.c -o evolve -Lbuild/lib -lxmpi "
              "-Wl,-rpath,\"$PWD/build/lib\" && build/bin/xmpirun -q --policy efficient "
              "--trace trace --interval 5 -n 3 ./evolve 40 200 | grep '^evolve: ok 200' && "
              "grep '\"event\":\"reconfiguration\"' trace && "
              "grep 'members compute [0-9]* % of their time' trace");
    scratch_remove(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_file_and_one_line_are_enough)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
