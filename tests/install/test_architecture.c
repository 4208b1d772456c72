/* SPDX-License-Identifier: BSD-3-Clause
 * What docs/architecture.md names is there: files, folders and functions. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "support/command.h"

/* Prints the names between backticks that match PATTERN and for which TEST (a command of the shell,
 * of $name) fails. */
static void all_are_there(const char *pattern, const char *test)
{
    command_t command = command_shell(
        source_dir(), 120,
        "names=$(grep -oE '`[^` ]+`' docs/architecture.md | tr -d '`' | sort -u | grep -E '%s'); "
        "[ $(echo \"$names\" | wc -l) -gt 20 ] || echo 'too few names'; "
        "for name in $names; do { %s; } >/dev/null || echo \"there is no $name\"; done",
        pattern, test);
    if (command.out[0] != '\0' || command.err[0] != '\0')
        fail_msg("%s%s", command.out, command.err);
    command_free(&command);
}

static void functions_that_are_named_are_there(void **state)
{
    (void)state;
    all_are_there("^[a-z]+(_[a-z]+)+$", "grep -rqwe \"$name\" runtime rewriter tests");
}

/* Below the top, runtime/ or xmpicc/; of what stands without a folder the name. (What has capitals
 * or braces in it stands for several.) */
static void files_that_are_named_are_there(void **state)
{
    (void)state;
    all_are_there("/$|\\.(c|h|cpp|js|txt)$",
                  "case $name in *[A-Z{]*) ;; "
                  "*/*) ls -d ${name} runtime/${name} xmpicc/${name} xmpicc/*/${name} "
                  "2>/dev/null | grep .;; "
                  "*) find runtime rewriter xmpicc tests -name \"$name\" | grep .;; esac");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(functions_that_are_named_are_there),
                                       cmocka_unit_test(files_that_are_named_are_there)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
