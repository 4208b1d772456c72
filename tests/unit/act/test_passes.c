/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of how often an iteration goes through arrays, by the structure of its loop. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "act/data/passes.h"

enum { ARRAYS = 5 };

static const char solver[] =
    "{\"loop\":\"solver.c:6\",\"sections\":["
    "{\"line\":7,\"stages\":["
    "{\"line\":7,\"loop\":true,\"passes\":3,\"reads\":[\"A\",\"x\"],\"writes\":[\"x\"]},"
    "{\"line\":8,\"loop\":true,\"reads\":[\"A\"],\"writes\":[\"y\"]}]},"
    "{\"line\":9,\"stages\":["
    "{\"line\":9,\"loop\":true,\"passes\":0,\"reads\":[\"b\"],\"writes\":[]},"
    "{\"line\":9,\"loop\":true,\"reads\":[\"b\"],\"writes\":[]}]}]}";

static const char other[] = "{\"loop\":\"solver.c:66\",\"sections\":[{\"line\":1,\"stages\":["
                            "{\"line\":1,\"loop\":true,\"reads\":[\"A\"],\"writes\":[\"A\"]}]}]}";

static void expect(const char *const *structure, int n, const char *loop, const int (*passes)[2])
{
    static const char *const name[ARRAYS] = {"A", "x", "y", "b", "c"};
    xmpi_array_t array[ARRAYS] = {{0}};
    xmpi_registry_t registry = {.arrays = ARRAYS, .array = array};
    for (int i = 0; i < ARRAYS; i++)
        array[i] = (xmpi_array_t){.name = name[i], .reads = 9, .writes = 9};
    xmpi_passes_count(&registry, structure, n, loop);
    for (int i = 0; i < ARRAYS; i++) {
        assert_int_equal(array[i].reads, passes[i][0]);
        assert_int_equal(array[i].writes, passes[i][1]);
    }
}

/* What is in a stage of which it is not known how often it is done, or in none, is not known. */
static void passes_of_all_stages_add_up(void **state)
{
    static const int solved[ARRAYS][2] = {{4, 0}, {3, 3}, {1, 1}, {0, 0}, {0, 0}};
    static const int others[ARRAYS][2] = {{1, 1}, {0, 0}, {0, 0}, {0, 0}, {0, 0}};
    (void)state;
    expect((const char *const[]){other, solver}, 2, "solver.c:6", solved);
    expect((const char *const[]){other, solver}, 2, "solver.c:66", others);
}

static void what_is_no_structure_says_nothing(void **state)
{
    static const int none[ARRAYS][2] = {{0}};
    (void)state;
    expect(NULL, 0, "solver.c:6", none);
    expect((const char *const[]){solver}, 1, "solver.c:7", none);
    expect((const char *const[]){"{\"loop\":\"solver.c:6\",\"sections\":3", "[\"solver.c:6\"]",
                                 "{\"loop\":\"solver.c:6\",\"sections\":[3,{\"stages\":[4]}]}"},
           3, "solver.c:6", none);
    expect(
        (const char *const[]){
            "{\"loop\":\"solver.c:6\",\"sections\":[{\"stages\":[{\"passes\":1e300,"
            "\"reads\":[\"A\"]}]}]}"},
        1, "solver.c:6", none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_of_all_stages_add_up),
        cmocka_unit_test(what_is_no_structure_says_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
