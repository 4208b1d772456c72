/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of mapping: how many a node may have, who leaves it, and where to. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/mapping/graph.h"
#include "decide/mapping/mapping.h"
#include "libraries/scotch_library.h"

enum { RANKS = 64, NODES = 8, CORES = 16 };

/* Processes of which so many are on each node, in the order of their ranks. */
typedef struct {
    int at[RANKS], to[RANKS];
    bool stays[RANKS];
    xmpi_mapped_node_t node[NODES];
    xmpi_traffic_t traffic;
    xmpi_mapping_t mapping;
    xmpi_mapped_t mapped;
} scene_t;

static uint64_t state = 1;

static int below(int n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)n);
}

static void scene_make(scene_t *s, int ranks, int nodes, int cores)
{
    xmpi_error_t error = {""};
    memset(s, 0, sizeof *s);
    s->mapping = (xmpi_mapping_t){.ranks = ranks,
                                  .at = s->at,
                                  .stays = s->stays,
                                  .nodes = nodes,
                                  .node = s->node,
                                  .scotch = xmpi_scotch(&error)};
    if (s->mapping.scotch == NULL)
        fail_msg("%s", error.text);
    for (int i = 0; i < ranks; i++)
        s->at[i] = i / cores;
    for (int i = 0; i < nodes; i++)
        s->node[i].cores = cores;
}

/* Every node has as many places as there are ranks, of which those with cores are first. */
static void make_room(scene_t *s)
{
    for (int i = 0; i < s->mapping.nodes; i++) {
        s->node[i].free = s->node[i].cores > 0 ? s->mapping.ranks : 0;
        for (int k = 0; k < s->mapping.ranks && s->node[i].free > 0; k++)
            s->node[i].free -= s->at[k] == i;
    }
}

static void set_traffic(scene_t *s, const int64_t bytes[RANKS][RANKS])
{
    static xmpi_talk_t talk[RANKS * RANKS];
    int32_t rows[RANKS] = {0};
    int talks = 0, ranks = s->mapping.ranks;
    xmpi_error_t error = {""};
    for (int i = 0; i < ranks; i++)
        for (int k = 0; k < ranks; k++)
            if (i != k && bytes[i][k] > 0) {
                talk[talks++] = (xmpi_talk_t){k, 1, bytes[i][k]};
                rows[i]++;
            }
    if (s->mapping.traffic != NULL)
        xmpi_traffic_free(&s->traffic);
    if (xmpi_traffic_make(&s->traffic, ranks, rows, talk, NULL, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    s->mapping.traffic = &s->traffic;
}

static void scene_free(scene_t *s)
{
    if (s->mapping.traffic != NULL)
        xmpi_traffic_free(&s->traffic);
}

static int load_of(const scene_t *s, const int *at, int node)
{
    int load = 0;
    for (int i = 0; i < s->mapping.ranks; i++)
        load += at[i] == node;
    return load;
}

/* Bytes between nodes. */
static double between(const scene_t *s, const int *at)
{
    return (double)xmpi_traffic_total(&s->traffic, at).bytes;
}

/* Maps by FIND, and checks that who has to stay does, and no node is fuller than it may be, or was.
 */
static void map(scene_t *s, __typeof__(xmpi_mapping_migrate) *find)
{
    xmpi_error_t error = {""};
    int most[NODES], again[RANKS], moves = 0, stuck = 0;
    if (find(&s->mapping, s->to, &s->mapped, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    xmpi_mapping_most(&s->mapping, most);
    for (int i = 0; i < s->mapping.ranks; i++) {
        assert_in_range(s->to[i], 0, s->mapping.nodes - 1);
        moves += s->to[i] != s->at[i];
        stuck += s->node[s->to[i]].cores == 0;
        if (s->stays[i])
            assert_int_equal(s->to[i], s->at[i]);
    }
    assert_int_equal(moves, s->mapped.moves);
    assert_int_equal(stuck, s->mapped.stuck);
    for (int i = 0; i < s->mapping.nodes; i++) {
        int load = load_of(s, s->to, i), was = load_of(s, s->at, i);
        if (load > was)
            assert_in_range(load, 0, most[i]);
        assert_true(load - was <= s->node[i].free);
    }
    memcpy(again, s->to, sizeof again);
    assert_int_equal(find(&s->mapping, s->to, &s->mapped, &error), XMPI_OK);
    assert_memory_equal(again, s->to, (size_t)s->mapping.ranks * sizeof *again);
}

static void move(scene_t *s)
{
    memcpy(s->at, s->to, sizeof s->at);
}

/* --- how many ----------------------------------------------------------------------------------
 */

static void a_node_has_its_share_in_both_readings(void **unused)
{
    (void)unused;
    static const struct {
        int ranks, cores[4], even[4], full[4];
    } cases[] = {
        {56, {16, 16, 16, 16}, {14, 14, 14, 14}, {16, 16, 16, 16}}, /* formula, figure */
        {64, {16, 16, 16, 16}, {16, 16, 16, 16}, {16, 16, 16, 16}},
        {64, {16, 16, 16, 0}, {22, 22, 22, 0}, {22, 22, 22, 0}},
        {64, {16, 0, 16, 0}, {32, 0, 32, 0}, {32, 0, 32, 0}},
        {64, {0, 0, 0, 16}, {0, 0, 0, 64}, {0, 0, 0, 64}},
        {7, {1, 2, 4, 0}, {1, 2, 4, 0}, {1, 2, 4, 0}},
        {3, {1, 2, 4, 0}, {1, 1, 2, 0}, {1, 2, 4, 0}},
        {8, {1, 2, 4, 0}, {2, 3, 5, 0}, {2, 3, 5, 0}},
        {5, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        scene_t s;
        int most[4];
        scene_make(&s, cases[c].ranks, 4, CORES);
        for (int i = 0; i < 4; i++)
            s.node[i].cores = cases[c].cores[i];
        s.mapping.share = XMPI_SHARE_EVEN;
        xmpi_mapping_most(&s.mapping, most);
        assert_memory_equal(most, cases[c].even, sizeof most);
        s.mapping.share = XMPI_SHARE_FULL;
        xmpi_mapping_most(&s.mapping, most);
        assert_memory_equal(most, cases[c].full, sizeof most);
    }
}

/* 56 processes fill three nodes and half of the fourth: by the formula two leave each full one. */
static void evenness_is_asked_for(void **unused)
{
    (void)unused;
    scene_t s;
    scene_make(&s, 56, 4, CORES);
    make_room(&s);
    map(&s, xmpi_mapping_migrate);
    assert_int_equal(s.mapped.moves, 0);
    s.mapping.share = XMPI_SHARE_EVEN;
    map(&s, xmpi_mapping_migrate);
    assert_int_equal(s.mapped.moves, 6);
    for (int i = 0; i < 4; i++)
        assert_int_equal(load_of(&s, s.to, i), 14);
    scene_free(&s);
}

/* --- figure 3 -----------------------------------------------------------------------------------
 */

/* A grid of 4 x 4 x 4 whose neighbours talk, or all with all. */
static void talk(int64_t bytes[RANKS][RANKS], bool all)
{
    memset(bytes, 0, sizeof(int64_t[RANKS][RANKS]));
    for (int i = 0; i < RANKS; i++)
        for (int k = 0; k < RANKS; k++) {
            int x = abs(i / 16 - k / 16), y = abs(i / 4 % 4 - k / 4 % 4), z = abs(i % 4 - k % 4);
            bytes[i][k] = all ? 1000 : x + y + z == 1 ? 100000 : 0;
        }
}

/* The cores of each node that there are; then how many move at least and at most, and the most that
 * are on a node. */
typedef struct {
    const char *name;
    int cores[NODES];
    int least, most, load;
} event_t;

static const event_t events[] = {
    {"start", {16, 16, 16, 16}, 0, 0, 16}, {"A", {0, 16, 16, 16, 16}, 16, 16, 16},
    {"B", {0, 0, 16, 16, 16}, 16, 16, 22}, {"C", {0, 0, 0, 16, 16}, 20, 22, 32},
    {"D", {0, 0, 0, 16, 0}, 32, 32, 64},   {"E", {16, 16, 16, 0, 0, 16}, 64, 64, 16},
};

static void nodes_are_lost_one_by_one(void **unused)
{
    (void)unused;
    static int64_t bytes[RANKS][RANKS];
    for (int all = 0; all < 2; all++) {
        scene_t s;
        scene_make(&s, RANKS, NODES, CORES);
        talk(bytes, all);
        set_traffic(&s, bytes);
        for (size_t e = 0; e < sizeof events / sizeof *events; e++) {
            int loads = 0;
            for (int i = 0; i < NODES; i++)
                s.node[i].cores = events[e].cores[i];
            make_room(&s);
            map(&s, xmpi_mapping_migrate);
            if (s.mapped.moves < events[e].least || s.mapped.moves > events[e].most)
                fail_msg("%s: %d move", events[e].name, s.mapped.moves);
            for (int i = 0; i < NODES; i++) {
                assert_in_range(load_of(&s, s.to, i), 0,
                                events[e].cores[i] > 0 ? events[e].load : 0);
                loads += load_of(&s, s.to, i);
            }
            assert_int_equal(loads, RANKS);
            assert_int_equal(s.mapped.stuck, 0);
            move(&s);
        }
        if (!all) /* neighbours have come together again: a node as four planes, or better */
            assert_true(between(&s, s.at) <= 3 * 16 * 2 * 100000.);
        scene_free(&s);
    }
}

/* Figures 1 and 2: 24 processes go to two nodes of 16 that are empty, 12 each by the formula. */
static void both_new_nodes_are_filled_alike(void **unused)
{
    (void)unused;
    static int64_t bytes[RANKS][RANKS];
    scene_t s;
    scene_make(&s, 24, 3, CORES);
    for (int i = 0; i < 24; i++) {
        s.at[i] = 0;
        for (int k = 0; k < 24; k++)
            bytes[i][k] = i % 2 == k % 2 ? 1000 : 1; /* odd ones with odd ones */
    }
    set_traffic(&s, bytes);
    s.node[0].cores = 0;
    s.mapping.share = XMPI_SHARE_EVEN;
    make_room(&s);
    map(&s, xmpi_mapping_migrate);
    assert_int_equal(s.mapped.moves, 24);
    for (int i = 0; i < 24; i++)
        assert_int_equal(s.to[i], s.to[i % 2]);
    assert_true(s.to[0] != s.to[1]);
    scene_free(&s);
}

/* --- quality ------------------------------------------------------------------------------------
 */

/* The last ranks leave, and go where there is room in the order of the nodes. */
static void in_order(const scene_t *s, int *to)
{
    scene_t plain = *s;
    xmpi_error_t error = {""};
    plain.mapping.at = plain.at;
    plain.mapping.stays = plain.stays;
    plain.mapping.node = plain.node;
    plain.mapping.traffic = NULL;
    assert_int_equal(xmpi_mapping_migrate(&plain.mapping, to, &plain.mapped, &error), XMPI_OK);
}

static void no_more_between_nodes_than_in_order(void **unused)
{
    (void)unused;
    static int64_t bytes[RANKS][RANKS];
    int less = 0;
    for (int round = 0; round < 200; round++) {
        scene_t s;
        int plain[RANKS], ranks = 2 + below(RANKS - 1), density = 1 + below(100);
        scene_make(&s, ranks, NODES, CORES);
        memset(bytes, 0, sizeof bytes);
        for (int i = 0; i < ranks; i++) {
            s.at[i] = below(NODES);
            s.stays[i] = below(20) == 0;
            for (int k = 0; k < ranks; k++)
                bytes[i][k] = below(100) < density ? 1 + below(1 << below(30)) : 0;
        }
        for (int i = 0; i < NODES; i++)
            s.node[i].cores = below(3) == 0 ? 0 : 1 + below(CORES);
        s.mapping.share = round % 2 == 0 ? XMPI_SHARE_FULL : XMPI_SHARE_EVEN;
        make_room(&s);
        set_traffic(&s, bytes);
        map(&s, xmpi_mapping_migrate);
        in_order(&s, plain);
        assert_true(between(&s, s.to) <= between(&s, plain));
        less += between(&s, s.to) < between(&s, plain);
        scene_free(&s);
    }
    assert_true(less > 100);
}

/* Groups of eight talk, whose ranks are anywhere. */
static void who_talks_comes_together(void **unused)
{
    (void)unused;
    static int64_t bytes[RANKS][RANKS];
    for (int round = 0; round < 20; round++) {
        scene_t s;
        int group[RANKS];
        scene_make(&s, RANKS, NODES, 8);
        for (int i = 0; i < RANKS; i++)
            group[i] = i / 8;
        for (int i = RANKS - 1; i > 0; i--) {
            int k = below(i + 1), was = group[i];
            group[i] = group[k];
            group[k] = was;
        }
        for (int i = 0; i < RANKS; i++)
            for (int k = 0; k < RANKS; k++)
                bytes[i][k] = group[i] == group[k] ? 1000000 : 1000;
        set_traffic(&s, bytes);
        make_room(&s);
        map(&s, xmpi_mapping_regroup);
        for (int i = 0; i < RANKS; i++)
            for (int k = 0; k < RANKS; k++)
                assert_true((group[i] == group[k]) == (s.to[i] == s.to[k]));
        move(&s);
        map(&s, xmpi_mapping_regroup);
        assert_int_equal(s.mapped.moves, 0);
        scene_free(&s);
    }
}

/* One rank is on the wrong node, and its place is another's: two moves, the groups stay. */
static void groups_stay_where_most_of_them_are(void **unused)
{
    (void)unused;
    static int64_t bytes[RANKS][RANKS];
    scene_t s;
    scene_make(&s, RANKS, NODES, 8);
    for (int i = 0; i < RANKS; i++)
        for (int k = 0; k < RANKS; k++)
            bytes[i][k] = i / 8 == k / 8 ? 1000000 : 1000;
    s.at[3] = 5;
    s.at[40] = 0;
    set_traffic(&s, bytes);
    make_room(&s);
    map(&s, xmpi_mapping_regroup);
    assert_int_equal(s.mapped.moves, 2);
    assert_int_equal(s.to[3], 0);
    assert_int_equal(s.to[40], 5);
    assert_true(s.mapped.after < s.mapped.before);
    scene_free(&s);
}

/* --- the tree -----------------------------------------------------------------------------------
 */

static void switches_make_bytes_dearer(void **unused)
{
    (void)unused;
    xmpi_tree_t tree;
    xmpi_error_t error = {""};
    const uint16_t switches[5][XMPI_SWITCHES_MAX] = {{1, 1}, {2, 1}, {1, 2}, {1, 1}, {2, 1}};
    assert_int_equal(xmpi_tree_make(&tree, 5, switches, 4, &error), XMPI_OK);
    assert_int_equal(tree.levels, 4); /* two of switches, nodes, places */
    assert_int_equal(tree.leaves, 2 * 2 * 2 * 4);
    assert_int_equal(xmpi_tree_cost(&tree, 0, 0), 0);
    assert_int_equal(xmpi_tree_cost(&tree, 0, 3), 16);
    assert_int_equal(xmpi_tree_cost(&tree, 1, 4), 16);
    assert_int_equal(xmpi_tree_cost(&tree, 0, 2), 32);
    assert_int_equal(xmpi_tree_cost(&tree, 0, 1), 64);
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < i; k++)
            assert_true(tree.leaf[i] != tree.leaf[k]);
    xmpi_tree_free(&tree);
}

static void too_many_leaves_are_no_tree(void **unused)
{
    (void)unused;
    enum { MANY = 3000 };
    static uint16_t switches[MANY][XMPI_SWITCHES_MAX];
    xmpi_tree_t tree;
    xmpi_error_t error = {""};
    for (int i = 0; i < MANY; i++) /* a thousand switches, and one with 1,000 nodes below one of
                                      a thousand more */
        switches[i][i / 1000] = (uint16_t)(i % 1000);
    const uint16_t(*levels)[XMPI_SWITCHES_MAX] = (const uint16_t(*)[XMPI_SWITCHES_MAX])switches;
    assert_int_equal(xmpi_tree_make(&tree, MANY, levels, 10, &error), XMPI_ERR_INPUT);
}

/* Four nodes behind two switches, of which two lead to each: groups of 32 that are two of 16 each.
 */
static void groups_of_groups_share_a_switch(void **unused)
{
    (void)unused;
    static int64_t bytes[RANKS][RANKS];
    scene_t s;
    scene_make(&s, RANKS, 4, CORES);
    for (int i = 0; i < RANKS; i++) {
        s.at[i] = i % 4;
        for (int k = 0; k < RANKS; k++)
            bytes[i][k] = i / 16 == k / 16 ? 1000000 : i / 32 == k / 32 ? 50000 : 1000;
    }
    s.node[0].switches[0] = s.node[3].switches[0] = 1;
    s.node[1].switches[0] = s.node[2].switches[0] = 2;
    set_traffic(&s, bytes);
    make_room(&s);
    map(&s, xmpi_mapping_regroup);
    for (int i = 0; i < RANKS; i++)
        for (int k = 0; k < RANKS; k++) {
            int one = s.node[s.to[i]].switches[0], other = s.node[s.to[k]].switches[0];
            assert_true((i / 16 == k / 16) == (s.to[i] == s.to[k]));
            assert_true((i / 32 == k / 32) == (one == other));
        }
    scene_free(&s);
}

/* --- what is missing ----------------------------------------------------------------------------
 */

static void without_places_ranks_stay(void **unused)
{
    (void)unused;
    scene_t s;
    scene_make(&s, 20, 3, 8);
    s.node[0].cores = 0; /* its eight have to go, and there are three places */
    s.node[2].free = 3;
    map(&s, xmpi_mapping_migrate);
    assert_int_equal(s.mapped.moves, 3);
    assert_int_equal(s.mapped.stuck, 5);
    s.stays[2] = s.stays[7] = true;
    s.node[2].free = 10;
    map(&s, xmpi_mapping_migrate);
    assert_int_equal(s.mapped.moves, 6);
    assert_int_equal(s.mapped.stuck, 2);
    for (int i = 0; i < 3; i++) { /* and nowhere to go at all */
        s.node[i].cores = 0;
        s.node[i].free = 0;
    }
    map(&s, xmpi_mapping_migrate);
    assert_int_equal(s.mapped.moves, 0);
    assert_int_equal(s.mapped.stuck, 20);
}

static void without_scotch_it_goes_in_order(void **unused)
{
    (void)unused;
    static int64_t bytes[RANKS][RANKS];
    scene_t s;
    xmpi_error_t error = {""};
    scene_make(&s, RANKS, NODES, CORES);
    talk(bytes, false);
    set_traffic(&s, bytes);
    s.mapping.scotch = NULL;
    s.node[1].cores = 0;
    make_room(&s);
    map(&s, xmpi_mapping_migrate);
    assert_int_equal(s.mapped.moves, 16);
    for (int i = 0; i < RANKS; i++)
        assert_int_equal(s.to[i], i / CORES == 1 ? 4 : i / CORES);
    assert_int_equal(xmpi_mapping_regroup(&s.mapping, s.to, &s.mapped, &error), XMPI_ERR_INPUT);
    assert_string_equal(error.text, "processes cannot be mapped without Scotch");
    s.mapping.traffic = NULL;
    assert_int_equal(xmpi_mapping_regroup(&s.mapping, s.to, &s.mapped, &error), XMPI_ERR_INPUT);
    assert_string_equal(error.text, "who talks to whom is not known");
    xmpi_traffic_free(&s.traffic);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_has_its_share_in_both_readings),
        cmocka_unit_test(evenness_is_asked_for),
        cmocka_unit_test(nodes_are_lost_one_by_one),
        cmocka_unit_test(both_new_nodes_are_filled_alike),
        cmocka_unit_test(no_more_between_nodes_than_in_order),
        cmocka_unit_test(who_talks_comes_together),
        cmocka_unit_test(groups_stay_where_most_of_them_are),
        cmocka_unit_test(switches_make_bytes_dearer),
        cmocka_unit_test(too_many_leaves_are_no_tree),
        cmocka_unit_test(groups_of_groups_share_a_switch),
        cmocka_unit_test(without_places_ranks_stay),
        cmocka_unit_test(without_scotch_it_goes_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
