/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of how processes that join are started: as the program was, byte for byte, whatever the
 * process manager makes of it; and where it cannot be told, nobody joins, in a line. */
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

enum { SECONDS = 60 };

static char *dir;

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    return program_build(dir, "says", "");
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* Grows from 2 to 5 members; PREPARE is what the shell does before, ARGUMENTS what the program is
 * started with. Prints "says: ok", then how many different starts have been written down, and how
 * many in all. */
static command_t run(const char *strategy, const char *prepare, const char *arguments)
{
    return command_shell(
        dir, SECONDS,
        "export XMPI_COUNTER=PAPI_TOT_INS,work SAYS_TO=\"$PWD\"/said "
        "XMPI_SCHEDULE=\"$PWD\"/schedule; "
        "says=$PWD/says; rm -rf "
        "said; "
        "mkdir -p said below; echo 'spawn 3 any 10' >schedule; %s; XMPI_STRATEGY=%s XMPI_MAX=6 "
        "XMPI_POLICY=schedule XMPI_INTERVAL=10 timeout 40 '%s'/bin/mpiexec -n 2 -env SAYS 'a  b' "
        "\"$says\" %s; status=$?; md5sum \"$SAYS_TO\"/* | cut -d' ' -f1 | sort -u | wc -l; "
        "[ $(ls \"$SAYS_TO\" | wc -l) -ge 5 ] && echo grown; exit $status",
        prepare, strategy, build_dir(), arguments);
}

static void all_start_alike(const char *prepare, const char *arguments)
{
    static const char *const strategies[] = {"group", "concurrent"};
    for (int i = 0; i < 2; i++) {
        command_t result = run(strategies[i], prepare, arguments);
        if (result.status != 0 || strcmp(result.out, "says: ok 5\n1\ngrown\n") != 0 ||
            result.err[0] != '\0')
            fail_msg("%s, %s, %s: status %d: %s%s", prepare, arguments, strategies[i],
                     result.status, result.out, result.err);
        command_free(&result);
    }
}

static void arguments_arrive_byte_for_byte(void **state)
{
    (void)state;
    all_start_alike(":", "");
    all_start_alike(":", "\"$(printf 'a\\nb')\" '' endcmd \"$(printf '\\nendcmd\\n.')\" ' x  y '");
    all_start_alike(":", "'q\"u$te\\' \"$(printf '\\001\\377\\t')\" a=b --c=d -e");
    all_start_alike(":", "$(head -c 5000 /dev/zero | tr '\\0' x) last");
    all_start_alike(":", "$(seq 300)");
}

static void the_umask_arrives(void **state)
{
    (void)state;
    all_start_alike("umask 027", "one");
}

static void the_folder_arrives(void **state)
{
    (void)state;
    all_start_alike("new=\"$(printf 'two\\nlines')\"; mkdir -p \"$new\"/below; cd \"$new\"", "one");
    all_start_alike("new=$(seq -s / 1000 1199); mkdir -p $new/below; cd $new", "one");
}

/* What stands for the program has to be told to the process manager as it is. */
static void who_cannot_be_started_alike_is_not(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {":", "$(head -c 25000 /dev/zero | tr '\\0' x)", "of which a process manager takes 20000"},
        {"new=\"$(printf 'two\\nlines')\"; mkdir -p \"$new\"; cp says \"$new\"; "
         "says=$PWD/$new/says",
         "one", "the path of the program has a line break"},
        {"new=$(seq -s / 1000 1199); mkdir -p $new; cp says $new; says=$PWD/$new/says", "one",
         "of which a process manager takes 900"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        command_t result = run("group", cases[i][0], cases[i][1]);
        if (result.status != 0 || strcmp(result.out, "says: ok 2\n1\n") != 0 ||
            strstr(result.err, "xmpi: iteration 10: no grow from 2 to 5: ") != result.err ||
            strstr(result.err, cases[i][2]) == NULL || strchr(result.err, '\n')[1] != '\0')
            fail_msg("%s: status %d: %s%s", cases[i][0], result.status, result.out, result.err);
        command_free(&result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_arrive_byte_for_byte),
        cmocka_unit_test(the_umask_arrives),
        cmocka_unit_test(the_folder_arrives),
        cmocka_unit_test(who_cannot_be_started_alike_is_not),
    };
    return cmocka_run_group_tests(tests, build, clean);
}
