/* SPDX-License-Identifier: BSD-3-Clause
 * make tells how far it is. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"

static const char goals[] = "build/obj/own_symbols build/obj/xmpicc/driver/base/words.o "
                            "build/obj/xmpicc/driver/depfile.o build/obj/xmpicc/driver/base/file.o";

/* The steps that make tells with these OPTIONS: each number once, of as many as there are. */
static int steps_of(const char *dir, const char *options)
{
    bool told[8] = {false};
    int n = 0;
    char *rest;
    command_t command = command_shell(dir, 120, "make %s %s", options, goals);
    if (command.status != 0)
        fail_msg("make %s: status %d\n%s%s", options, command.status, command.out, command.err);
    for (char *line = strtok_r(command.out, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        int step, steps;
        if (sscanf(line, "  [%d/%d] cc ", &step, &steps) != 2)
            continue;
        assert_in_range(step, 1, 7);
        assert_false(told[step]);
        told[step] = true;
        n = steps;
    }
    for (int i = 1; i < 8; i++)
        assert_int_equal(told[i], i <= n);
    command_free(&command);
    return n;
}

static void make_tells_how_far_it_is(void **state)
{
    (void)state;
    char *dir = scratch_make();
    command_t command =
        command_shell(dir, 60, "cp -a '%s/Makefile' '%s/runtime' '%s/xmpicc' '%s/install' .",
                      source_dir(), source_dir(), source_dir(), source_dir());
    assert_int_equal(command.status, 0);
    command_free(&command);
    assert_int_equal(steps_of(dir, "-j2"), 4);
    assert_int_equal(steps_of(dir, ""), 0);
    assert_int_equal(steps_of(dir, "-B -j3"), 4);
    command = command_shell(dir, 60, "touch xmpicc/driver/base/words.c");
    command_free(&command);
    assert_int_equal(steps_of(dir, "CC=cc"), 1);
    scratch_remove(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(make_tells_how_far_it_is)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
