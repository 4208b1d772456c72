/* SPDX-License-Identifier: BSD-3-Clause
 * A new policy is one file and one line: nothing else in the sources knows which policies there
 * are, and help, man page, settings and the check of names follow. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "support/command.h"

static const char policy[] =
    "#include <string.h>\n"
    "#include \"decide/policy/policy.h\"\n"
    "static xmpi_status_t decide(const xmpi_view_t *view, xmpi_plan_t *plan,\n"
    "                            xmpi_decision_t *decision, xmpi_error_t *error)\n"
    "{\n"
    "    (void)view, (void)decision, (void)error;\n"
    "    memset(plan, 0, sizeof *plan);\n"
    "    return XMPI_OK;\n"
    "}\n"
    "const xmpi_policy_t xmpi_policy_never = {\n"
    "    .name = \"never\", .help = \"plans nothing, ever\", .settings = \"\", .decide = decide};\n";

static void good(const char *dir, const char *line)
{
    command_t command = command_shell(dir, 900, "%s", line);
    if (command.status != 0)
        fail_msg("%s\nstatus %d\n%s%s", line, command.status, command.out, command.err);
    command_free(&command);
}

static void one_file_and_one_line_are_enough(void **state)
{
    (void)state;
    char *dir = scratch_make(), line[4096], file[4096];
    /* What depends on the list is compiled again, in a copy. */
    snprintf(line, sizeof line,
             "cp -a '%s/Makefile' '%s/runtime' '%s/xmpicc' . && mkdir -p build/obj build/bin && "
             "cp -a '%s/obj/runtime' '%s/obj/xmpicc' '%s/obj/gen' build/obj && "
             "cp -a '%s/gen' build && cp -a '%s'/bin/mpi* build/bin",
             source_dir(), source_dir(), source_dir(), build_dir(), build_dir(), build_dir(),
             build_dir(), build_dir());
    good(dir, line);
    snprintf(file, sizeof file, "%s/runtime/decide/policies/never.c", dir);
    write_file(file, policy);
    good(dir, "sed -i 's/policy(random)/policy(random) policy(never)/' "
              "runtime/decide/policies/policies.h && "
              "grep -q 'policy(never)' runtime/decide/policies/policies.h");
    good(dir, "make -j2 build/bin/xmpirun build/bin/xmpictl build/bin/xmpi-info");
    good(dir, "build/bin/xmpirun --help | tr -s ' \\n' ' ' | grep -q 'never: plans nothing, ever'");
    good(dir, "build/bin/xmpictl --help | tr -s ' \\n' ' ' | grep -q 'random, never'");
    good(dir, "build/bin/xmpi-info --settings-page | grep -q 'never: plans nothing, ever'");
    good(dir, "XMPI_POLICY=never build/bin/xmpi-info | grep -q 'XMPI_POLICY  *never'");
    good(dir, "XMPI_POLICY=often build/bin/xmpi-info 2>&1 | grep -q 'one of .*, never$'");
    good(dir, "help2man --no-info --no-discard-stderr build/bin/xmpirun | tr -s ' \\n' ' ' | "
              "grep -q 'never: plans nothing, ever'");
    scratch_remove(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_file_and_one_line_are_enough)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
