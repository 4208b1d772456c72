/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of what is between the cores of a node: what hwloc says of invented machines, and which
 * cores ranks take that come to a node. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/layout/cores.h"
#include "decide/mapping/cores.h"
#include "libraries/scotch_library.h"
#include "sources/node_cores.h"
#include "support/command.h"

enum { PES = 16 };

/* --- what hwloc says -----------------------------------------------------------------------------
 */

/* The ways to the cores of a machine that hwloc is told of, a digit for each level. */
static void assert_ways(const char *variable, const char *machine, const char *ways)
{
    char found[XMPI_CORES_MAX * (XMPI_INSIDE_MAX + 1) + 1] = "";
    xmpi_cores_t cores;
    setenv(variable, machine, 1);
    xmpi_node_cores(NULL, &cores);
    unsetenv(variable);
    assert_true(xmpi_cores_are_sound(&cores));
    for (int i = 0; i < cores.cores; i++) {
        strcat(found, i > 0 ? " " : "");
        for (int k = 0; k < XMPI_INSIDE_MAX && cores.inside[i][k] > 0; k++)
            strncat(found, &"0123456789"[cores.inside[i][k]], 1);
    }
    assert_string_equal(found, ways);
}

static void packages_memory_and_caches_part_cores(void **unused)
{
    (void)unused;
    static const char variable[] = "HWLOC_SYNTHETIC";
    assert_ways(variable, "pack:2 l3:2 core:2 pu:2", "11 11 12 12 21 21 22 22");
    assert_ways(variable, "pack:2 core:3 pu:1", "1 1 1 2 2 2");
    assert_ways(variable, "pack:1 l3:1 core:2 pu:1", " "); /* nothing parts two */
    assert_ways(variable, "core:1 pu:2", "");
    assert_ways(variable, "pack:2 [numa] l3:1 l2:2 core:1 pu:1", "1 1 2 2"); /* a cache each */
    assert_ways(variable, "pack:2 die:2 [numa] l3:2 l2:2 core:2 pu:1",
                "1111 1111 1112 1112 1121 1121 1122 1122 1211 1211 1212 1212 1221 1221 1222 1222 "
                "2111 2111 2112 2112 2121 2121 2122 2122 2211 2211 2212 2212 2221 2221 2222 2222");
}

/* As firmware often numbers them: CPUs go round the packages. */
static void cores_come_by_their_cpus(void **unused)
{
    (void)unused;
    assert_ways("HWLOC_SYNTHETIC", "pack:2 core:2 pu:2(indexes=0,4,2,6,1,5,3,7)", "1 2 1 2");
}

static void what_cannot_be_told_is_not_known(void **unused)
{
    (void)unused;
    assert_ways("HWLOC_SYNTHETIC", "pack:2 core:129 pu:1", "");
    assert_ways("HWLOC_SYNTHETIC", "pack:300 core:1 pu:1", "");
}

/* Of this machine, with what this process may use: as many as it has, whatever they are. */
static void this_machine_has_cores(void **unused)
{
    (void)unused;
    cpu_set_t given, none;
    xmpi_cores_t cores;
    assert_int_equal(sched_getaffinity(0, sizeof given, &given), 0);
    xmpi_node_cores(&given, &cores);
    assert_true(xmpi_cores_are_sound(&cores));
    assert_true(cores.cores <= CPU_COUNT(&given));
    assert_true(cores.cores > 0 || CPU_COUNT(&given) > XMPI_CORES_MAX);
    CPU_ZERO(&none);
    xmpi_node_cores(&none, &cores);
    assert_int_equal(cores.cores, 0);
}

static void processing_elements_are_cores_of_their_node(void **unused)
{
    (void)unused;
    xmpi_pe_t pe[6] = {{.node = "a"}, {.node = "b"}, {.node = "a"},
                       {.node = "a"}, {.node = ""},  {.node = "b"}};
    xmpi_resources_t r = {.pes = 6, .pe = pe};
    const xmpi_cores_t two = {2, {{1, 1}, {2, 7}}}, none = {0};
    xmpi_cores_set(&r, 2, &two);
    xmpi_cores_set(&r, 4, &two); /* nobody knows where that is */
    xmpi_cores_set(&r, 2, &none);
    static const int first[] = {1, 0, 2, 1, 0, 0};
    for (int i = 0; i < 6; i++)
        assert_int_equal(pe[i].inside[0], first[i]);
    assert_int_equal(pe[2].inside[1], 7);
}

/* --- who takes which ---------------------------------------------------------------------------
 */

typedef struct {
    xmpi_pe_t pe[PES];
    const xmpi_pe_t *core[PES];
    bool free[PES];
    int rank[PES], at[PES];
    xmpi_traffic_t traffic;
    xmpi_mapped_cores_t node;
} scene_t;

/* A node of MACHINE's cores, for RANKS ranks of as many, numbered the other way round. */
static void scene_make(scene_t *s, const char *machine, int ranks)
{
    xmpi_cores_t cores;
    xmpi_error_t error = {""};
    memset(s, 0, sizeof *s);
    setenv("HWLOC_SYNTHETIC", machine, 1);
    xmpi_node_cores(NULL, &cores);
    unsetenv("HWLOC_SYNTHETIC");
    assert_in_range(cores.cores, 1, PES);
    for (int i = 0; i < cores.cores; i++) {
        memcpy(s->pe[i].inside, cores.inside[i], sizeof s->pe[i].inside);
        s->core[i] = &s->pe[i];
        s->free[i] = true;
    }
    for (int i = 0; i < ranks; i++) {
        s->rank[i] = ranks - 1 - i;
        s->at[i] = -1;
    }
    s->node = (xmpi_mapped_cores_t){.cores = cores.cores,
                                    .core = s->core,
                                    .free = s->free,
                                    .ranks = ranks,
                                    .rank = s->rank,
                                    .traffic = &s->traffic,
                                    .scotch = xmpi_scotch(&error)};
    if (s->node.scotch == NULL)
        fail_msg("%s", error.text);
}

/* Ranks talk to those that differ by a multiple of STEP. */
static void talk(scene_t *s, int step)
{
    static xmpi_talk_t talks[PES * PES];
    int32_t rows[PES] = {0};
    int n = 0, ranks = s->node.ranks;
    xmpi_error_t error = {""};
    for (int i = 0; i < ranks; i++)
        for (int k = 0; k < ranks; k++)
            if (i != k && (i - k) % step == 0) {
                talks[n++] = (xmpi_talk_t){k, 1, 100000};
                rows[i]++;
            }
    if (xmpi_traffic_make(&s->traffic, ranks, rows, talks, NULL, &error) != XMPI_OK)
        fail_msg("%s", error.text);
}

static void map(scene_t *s)
{
    bool taken[PES] = {false};
    xmpi_error_t error = {""};
    if (xmpi_mapping_cores(&s->node, s->at, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    for (int i = 0; i < s->node.ranks; i++) {
        assert_in_range(s->at[i], 0, s->node.cores - 1);
        assert_false(taken[s->at[i]]);
        taken[s->at[i]] = true;
    }
}

/* Ranks that talk share what parts cores at LEVEL, and others do not. */
static void assert_together(const scene_t *s, int step, int level)
{
    for (int i = 0; i < s->node.ranks; i++)
        for (int k = 0; k < i; k++) {
            bool talk = (s->rank[i] - s->rank[k]) % step == 0,
                 near =
                     memcmp(s->pe[s->at[i]].inside, s->pe[s->at[k]].inside, (size_t)level + 1) == 0;
            if (talk != near)
                fail_msg("ranks %d and %d are on cores %d and %d", s->rank[i], s->rank[k], s->at[i],
                         s->at[k]);
        }
}

static void those_who_talk_share_a_package(void **unused)
{
    (void)unused;
    scene_t s;
    scene_make(&s, "pack:2 core:4 pu:1", 8);
    talk(&s, 2);
    map(&s);
    assert_together(&s, 2, 0);
    xmpi_traffic_free(&s.traffic);
    scene_make(&s, "pack:2 l3:2 core:2 pu:1", 8);
    talk(&s, 4); /* pairs: a cache for each */
    map(&s);
    assert_together(&s, 4, 1);
    xmpi_traffic_free(&s.traffic);
}

/* One of each group is there; the others come to the caches that these have. */
static void who_comes_is_near_to_who_stays(void **unused)
{
    (void)unused;
    scene_t s;
    scene_make(&s, "pack:2 l3:2 core:2 pu:1", 8);
    talk(&s, 4);
    static const int there[] = {7, 2, 1, 4}; /* a core of each cache */
    for (int i = 0; i < 4; i++) {
        s.at[i] = there[i];
        s.free[there[i]] = false;
    }
    map(&s);
    for (int i = 0; i < 4; i++)
        assert_int_equal(s.at[i], there[i]);
    assert_together(&s, 4, 1);
    xmpi_traffic_free(&s.traffic);
}

/* Fewer ranks than cores: they are not spread over all packages. */
static void cores_may_stay_empty(void **unused)
{
    (void)unused;
    scene_t s;
    scene_make(&s, "pack:4 core:4 pu:1", 8);
    talk(&s, 2);
    s.free[0] = s.free[5] = false; /* somebody else's */
    map(&s);
    for (int i = 0; i < 8; i++)
        assert_true(s.free[s.at[i]]);
    assert_together(&s, 2, 0);
    xmpi_traffic_free(&s.traffic);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packages_memory_and_caches_part_cores),
        cmocka_unit_test(cores_come_by_their_cpus),
        cmocka_unit_test(what_cannot_be_told_is_not_known),
        cmocka_unit_test(this_machine_has_cores),
        cmocka_unit_test(processing_elements_are_cores_of_their_node),
        cmocka_unit_test(those_who_talk_share_a_package),
        cmocka_unit_test(who_comes_is_near_to_who_stays),
        cmocka_unit_test(cores_may_stay_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
