/* SPDX-License-Identifier: BSD-3-Clause
 * Load balancing on shared nodes, as in thesis §6.2.3 (Fig. 6.7): Jacobi on a node of class C1 and
 * one of class C6, and a load on the first: bursts that become longer, then one that lasts. What is
 * done about it depends on k. */
#define _GNU_SOURCE
#include "cluster/examples/example.h"

#include <cjson/cJSON.h>

/* The load is on in intervals 2, 5-6, 9-12, and from 16 on. */
enum { INTERVAL = 4, INTERVALS = 22 };
static const int turns[] = {2, 3, 5, 7, 9, 13, 16};

/* Thresholds are far from what a busy machine does to a sleeper, and from what the load does. */
static const char settings[] = "XMPI_INTERVAL=4 XMPI_IMBALANCE=0.25 XMPI_INTERFERENCE=0.3 "
                               "XMPI_COUNTER=work XMPI_TRACE=trace EMU_SPEEDS=C1=1.90,C6=2.90 "
                               "EMU_KAPPA=1.2e-6 EMU_SCRIPT=script";

static void write_script(const char *dir)
{
    char *text = NULL;
    size_t length;
    FILE *file = open_memstream(&text, &length);
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
        fprintf(file, "%di n1 load=%d\n", INTERVAL * turns[i], i % 2 == 0);
    fclose(file);
    put(dir, "script", text);
    free(text);
}

static int number_of(const cJSON *event, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(event, name);
    assert_true(cJSON_IsNumber(item));
    return item->valueint;
}

/* Bit n is set when there was a rebalance after interval n. */
static unsigned reactions(const char *dir)
{
    unsigned bits = 0;
    char *text = content(dir, "trace", NULL), *rest;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        cJSON *event = cJSON_Parse(line);
        if (strcmp(cJSON_GetObjectItem(event, "event")->valuestring, "reconfiguration") == 0) {
            assert_string_equal(cJSON_GetObjectItem(event, "kind")->valuestring, "rebalance");
            bits |= 1u << (number_of(event, "iteration") / INTERVAL - 1);
        }
        cJSON_Delete(event);
    }
    free(text);
    return bits;
}

static unsigned run(const char *dir, int window)
{
    must_succeed(command_shell(dir, LIMIT,
                               "XMPI_WINDOW=%d %s exec '%s/tests/cluster/run' -m machines -n 4 -- "
                               "./jacobi -i %d -t 0 -o solution%d system",
                               window, settings, source_dir(), INTERVAL * INTERVALS, window));
    return reactions(dir);
}

/* A busy machine adds bursts to those of the script: what it disturbs is tried again. */
static void assert_reactions(const char *dir, int window, unsigned expected)
{
    enum { TRIES = 4 };
    unsigned bits = 0;
    for (int i = 0; i < TRIES; i++) {
        bits = run(dir, window);
        if (bits == expected)
            return;
    }
    fail_msg("k = %d: %x, not %x", window, bits, expected);
}

/* Interval 0 shows that the classes differ in speed; then it is the load. */
static void windows_decide_what_is_a_burst(void **state)
{
    const char *dir = *state;
    unsigned first = 1u << 0;
    assert_reactions(dir, 1,
                     first | 1u << 2 | 1u << 3 | 1u << 5 | 1u << 7 | 1u << 9 | 1u << 13 | 1u << 16);
    assert_reactions(dir, 3, first | 1u << 11 | 1u << 13 | 1u << 18);
    assert_reactions(dir, 5, first | 1u << 20);
    assert_same_files(dir, "solution1", "solution3");
    assert_same_files(dir, "solution1", "solution5");
}

static int build(void **state)
{
    char *dir = scratch_make();
    *state = dir;
    put(dir, "machines", "n1:C1:2\nn2:C6:2\n");
    write_script(dir);
    must_succeed(command_shell(
        dir, LIMIT,
        "'%s/tests/cluster/build_pace' pace.c && XMPICC_FLAGS=--xmpi-replaced=sweep "
        "make -s -C '%s/examples/jacobi' CC=\"'%s/bin/xmpicc'\" BUILD=\"$PWD\" "
        "LDFLAGS=-Wl,--wrap=sweep LDLIBS=\"$PWD/pace.o\" "
        "\"$PWD/jacobi\" && make -s -C '%s/examples/jacobi' CC=\"'%s/bin/mpicc'\" BUILD=\"$PWD\" "
        "\"$PWD/generate\" && ./generate -n 400 system",
        source_dir(), source_dir(), build_dir(), source_dir(), build_dir()));
    return 0;
}

static int clean(void **state)
{
    scratch_remove(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(windows_decide_what_is_a_burst)};
    return cmocka_run_group_tests(tests, build, clean);
}
