/* SPDX-License-Identifier: BSD-3-Clause
 * What docs/guide.md says: its program, its commands, and what they answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/command.h"

enum { SECONDS = 120 };

static char *dir;

/* A line of the shell in the folder of the guide's program; what it prints, malloc. */
static char *run(const char *line)
{
    command_t command =
        command_shell(dir, SECONDS, "PATH='%s'/bin:$PATH; GUIDE='%s'/docs/guide.md; %s",
                      build_dir(), source_dir(), line);
    if (command.status != 0)
        fail_msg("%s: status %d\n%s%s", line, command.status, command.out, command.err);
    free(command.err);
    return command.out;
}

/* Whether the guide has LINE, as the command that its reader types. */
static void assert_told(const char *line)
{
    char text[512];
    snprintf(text, sizeof text, "grep -qF '    %s' \"$GUIDE\"", line);
    free(run(text));
}

static int set_up(void **state)
{
    (void)state;
    dir = scratch_make();
    free(run("sed -n '/^```c$/,/^```$/p' \"$GUIDE\" | grep -v '^```' >heat.c && test -s heat.c"));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

static void commands_do_what_it_says(void **state)
{
    static const char *const lines[] = {
        "mpicc -O2 heat.c -o plain", "mpiexec -n 2 ./plain 50000 4000", "xmpicc -O2 heat.c -o heat",
        "xmpirun -n 2 --policy random --max 4 --trace trace ./heat 50000 4000",
        "xmpi-report trace"};
    static const char *const answers[] = {"", "312488500\n", "", "312488500\n", "trace.html\n"};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_told(lines[i]);
        char *out = run(lines[i]);
        assert_string_equal(out, answers[i]);
        free(out);
    }
    free(run("grep -q '^    312488500$' \"$GUIDE\""));
}

/* With the table that it shows, but for times. */
static void check_finds_nothing(void **state)
{
    (void)state;
    assert_told("xmpirun -n 2 --check=2 ./heat 50000 4000");
    free(run(
        "xmpirun -n 2 --check=2 ./heat 50000 4000 >table; "
        "for row in 'plain  ' 'plain  ' 'unchanged  ' 'spawn  ' 'spawn  ' 'pool  ' 'pool  '; do "
        "echo \"$row\"; done >wanted; sed -n 's/^  \\([a-z]*\\)   .*same .*/\\1  /p' table | "
        "diff - wanted && grep -q 'same: .* changes in 4 runs made no difference' table"));
}

/* The file is as the guide shows it, and what it says of the numbers of processes comes true. */
static void a_schedule_is_followed(void **state)
{
    static const char line[] = "xmpirun -n 2 --max 4 --interval 100 --policy schedule --schedule "
                               "plan --trace planned ./heat "
                               "50000 4000";
    (void)state;
    assert_told(line);
    free(run(
        "xmpicc -O2 heat.c -o heat; "
        "sed -nE 's/^    ((spawn|remove) .*)/\\1/p' \"$GUIDE\" >plan; test $(wc -l <plan) = 2"));
    char *out = run(line);
    assert_string_equal(out, "312488500\n");
    free(out);
    free(run("test \"$(grep '\"event\":\"reconfiguration\"' planned | "
             "grep -oE '\"iteration\":[0-9]*,\"kind\":\"(grow|shrink)\",\"from\":.,\"to\":.' | "
             "tr -d '\"' | cut -d, -f1-4 | tr '\\n' ' ')\" = "
             "'iteration:1000,kind:grow,from:2,to:4 iteration:3000,kind:shrink,from:4,to:3 '"));
}

/* Of a program that changes after its first iteration nobody knows what it would have taken. */
static void what_was_not_seen_is_not_claimed(void **state)
{
    (void)state;
    free(run("xmpicc -O2 heat.c -o heat; echo 'spawn 1 any 1' >early; xmpirun -n 2 --max 3 "
             "--interval 1 --policy schedule --schedule early ./heat 50000 100 2>said; "
             "grep -q 'reconfigurations  *[1-9]' said && ! grep -qE 'saved|lost' said && "
             "grep -q 'without adaptation  *not known' said"));
}

/* Every remark that the guide shows is made. */
static void remarks_are_those_that_are_made(void **state)
{
    (void)state;
    assert_told("xmpicc -O2 --xmpi-report heat.c -o heat");
    free(run("xmpicc -O2 --xmpi-report heat.c -o heat 2>made; "
             "sed -n 's/^    \\(heat.c:.*: remark: .*\\)/\\1/p' \"$GUIDE\" >shown; "
             "test $(wc -l <shown) -ge 5 && ! grep -vxFf made shown"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_do_what_it_says),
        cmocka_unit_test(check_finds_nothing),
        cmocka_unit_test(a_schedule_is_followed),
        cmocka_unit_test(what_was_not_seen_is_not_claimed),
        cmocka_unit_test(remarks_are_those_that_are_made),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
