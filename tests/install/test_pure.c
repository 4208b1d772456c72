/* SPDX-License-Identifier: BSD-3-Clause
 * What decides is pure: runtime/decide calls itself, and of other libraries what computes, and
 * keeps nothing from one call to the next. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "support/command.h"

/* Of the C library and the mathematical one: memory, text in memory and numbers; nothing that asks
 * for a file, a clock or the environment; and what sets an error of the runtime. */
static const char allowed[] =
    "_GLOBAL_OFFSET_TABLE_|__stack_chk_fail|_setjmp|longjmp|abs|calloc|malloc|realloc|free|"
    "mem(chr|cmp|cpy|move|set)|str(chr|cmp|cpy|len|ncmp|spn|cspn)|qsort|snprintf|l?lround|"
    "ceil|exp|expm1|fabs|floor|fmax|fmin|fmod|hypot|log|log1p|nextafter|pow|round|sqrt|xmpi_error_set";

/* LINE, in the folder of the $objects, prints nothing. */
static void prints_nothing(const char *what, const char *line)
{
    command_t command = command_shell(build_dir(), 60,
                                      "objects=$(cd '%s/runtime' && find decide -name '*.c' | sed "
                                      "'s/c$/o/') && cd obj/runtime && "
                                      "test -n \"$objects\" && %s",
                                      source_dir(), line);
    if (command.out[0] != '\0' || command.err[0] != '\0')
        fail_msg("%s:\n%s%s", what, command.out, command.err);
    command_free(&command);
}

static void it_calls_what_computes_alone(void **state)
{
    char line[1024];
    (void)state;
    snprintf(line, sizeof line,
             "nm --defined-only $objects | awk 'NF == 3 { print $3 }' | sort -u >../pure.defined; "
             "nm -u $objects | awk '$1 == \"U\" { print $2 }' | sort -u | "
             "comm -23 - ../pure.defined | grep -vxE '%s'; rm ../pure.defined",
             allowed);
    prints_nothing("called from runtime/decide", line);
}

static void it_keeps_nothing(void **state)
{
    (void)state;
    prints_nothing("variables in runtime/decide",
                   "objdump -t $objects | "
                   "grep -E ' O (\\.data|\\.bss|\\.tdata|\\.tbss|\\*COM\\*)[[:space:]]'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(it_calls_what_computes_alone),
                                       cmocka_unit_test(it_keeps_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
