/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the process scheduler and of what it chooses with: nodes by number, and greedy choice
 * through a heap, held against looking at all candidates each time. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "decide/scheduler/scheduler.h"

enum { PES = 40, ROUNDS = 2000 };

typedef struct {
    xmpi_pe_t pe[PES];
    xmpi_member_t member[PES];
    xmpi_layout_t layout;
    xmpi_resources_t resources;
} scene_t;

/* Members, parked processes and withdrawn PEs on a few nodes, some without a name. */
static void scene_make(scene_t *s, unsigned seed)
{
    srand(seed);
    memset(s, 0, sizeof *s);
    int pes = 1 + rand() % PES, nodes = 1 + rand() % 8, members = 0;
    for (int i = 0; i < pes; i++) {
        xmpi_pe_t *pe = &s->pe[i];
        *pe = (xmpi_pe_t){.class_index = rand() % 3, .process = -1, .withdrawn = rand() % 9 == 0};
        if (rand() % 8 > 0)
            pe->node[0] = (char)('a' + rand() % nodes);
        if (i == 0 || rand() % 2)
            pe->process = i;
        pe->parked = i > 0 && pe->process >= 0 && rand() % 4 == 0;
        if (pe->process >= 0 && !pe->parked)
            s->member[members++].process = i;
    }
    for (int i = members - 1; i > 0; i--) { /* ranks in any order */
        int other = rand() % (i + 1);
        xmpi_member_t kept = s->member[i];
        s->member[i] = s->member[other];
        s->member[other] = kept;
    }
    s->layout = (xmpi_layout_t){.domain = 100, .members = members, .member = s->member};
    s->resources = (xmpi_resources_t){.pes = pes,
                                      .pe = s->pe,
                                      .classes = 3,
                                      .class_name = {"A", "B", "C"},
                                      .max_members = 1 + rand() % (2 * PES),
                                      .can_spawn = rand() % 2,
                                      .anchor = rand() % 3 == 0 ? s->member[0].process : -1,
                                      .started = rand() % PES};
}

static bool same_node(const scene_t *s, int one, int other)
{
    return one == other ||
           (s->pe[one].node[0] != '\0' && strcmp(s->pe[one].node, s->pe[other].node) == 0);
}

/* --- looking at all candidates --------------------------------------------------------------- */

static int beside(const scene_t *s, const xmpi_selection_t *now, int pe)
{
    int n = 0;
    for (int i = 0; i < s->resources.pes; i++)
        n += same_node(s, pe, i) && now->taken[i];
    for (int rank = 0; rank < s->layout.members; rank++)
        n += !now->leaves[rank] && same_node(s, pe, s->member[rank].process);
    return n;
}

static int expected_joiner(const scene_t *s, const xmpi_selection_t *now, int class_index)
{
    int best = -1, least = INT_MAX;
    if (s->layout.members - now->leaving + now->joining >= s->resources.max_members)
        return -1;
    for (int pe = 0; pe < s->resources.pes; pe++) {
        int cost = beside(s, now, pe);
        if (now->placement == XMPI_PLACE_OCCUPIED && cost == 0)
            cost = INT_MAX - 1;
        bool fits = class_index == XMPI_ANY_CLASS || s->pe[pe].class_index == class_index;
        if (fits && !now->taken[pe] && xmpi_pe_usable(&s->resources, pe) && cost < least) {
            least = cost;
            best = pe;
        }
    }
    return best;
}

static int expected_leaver(const scene_t *s, const xmpi_selection_t *now, int class_index)
{
    int best = -1, least = INT_MAX;
    if (s->layout.members - now->leaving <= 1)
        return -1;
    for (int rank = s->layout.members - 1; rank >= 0; rank--) {
        int process = s->member[rank].process, n = beside(s, now, process);
        int cost = now->placement == XMPI_PLACE_OCCUPIED ? n : -n;
        cost += process < s->resources.started ? INT_MAX / 2 : 0;
        bool fits = class_index == XMPI_ANY_CLASS || s->pe[process].class_index == class_index;
        if (fits && !now->leaves[rank] && process != s->resources.anchor && cost < least) {
            least = cost;
            best = rank;
        }
    }
    return best;
}

static void choices_are_those_of_a_full_search(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= ROUNDS; seed++) {
        scene_t s;
        int chosen[PES], class_index = (int)(seed % 4) - 1;
        xmpi_selection_t one, other;
        scene_make(&s, seed);
        xmpi_placement_t placement = seed % 2 ? XMPI_PLACE_ALL : XMPI_PLACE_OCCUPIED;
        assert_int_equal(xmpi_selection_make(&one, &s.resources, &s.layout, placement), XMPI_OK);
        assert_int_equal(xmpi_selection_make(&other, &s.resources, &s.layout, placement), XMPI_OK);
        for (int turn = 0; turn < 3; turn++) { /* what was chosen before counts */
            int wanted = rand() % PES;
            bool joins = rand() % 2;
            int n = joins ? xmpi_select_joiners(&one, class_index, wanted, chosen)
                          : xmpi_select_leavers(&one, class_index, wanted, chosen);
            for (int i = 0; i <= n && i < wanted; i++) {
                int expected = joins ? expected_joiner(&s, &other, class_index)
                                     : expected_leaver(&s, &other, class_index);
                if (expected != (i < n ? chosen[i] : -1))
                    fail_msg("seed %u: choice %d is %d, not %d", seed, i, i < n ? chosen[i] : -1,
                             expected);
                if (i < n && joins)
                    xmpi_select_pe(&other, expected);
                else if (i < n)
                    xmpi_select_rank(&other, expected);
            }
        }
        xmpi_selection_free(&one);
        xmpi_selection_free(&other);
    }
}

static void nodes_have_numbers(void **state)
{
    (void)state;
    for (unsigned seed = 1; seed <= ROUNDS; seed++) {
        scene_t s;
        xmpi_nodes_t apart, together;
        scene_make(&s, seed);
        int pes = s.resources.pes;
        assert_int_equal(xmpi_nodes_make(&apart, pes, s.pe, XMPI_UNNAMED_APART), XMPI_OK);
        assert_int_equal(xmpi_nodes_make(&together, pes, s.pe, XMPI_UNNAMED_TOGETHER), XMPI_OK);
        for (int i = 0; i < pes; i++)
            for (int j = 0; j < pes; j++) {
                assert_int_equal(apart.of_pe[i] == apart.of_pe[j], same_node(&s, i, j));
                assert_int_equal(together.of_pe[i] == together.of_pe[j],
                                 strcmp(s.pe[i].node, s.pe[j].node) == 0);
            }
        for (int node = 0; node < apart.nodes; node++) {
            assert_int_equal(apart.of_pe[apart.first[node]], node);
            assert_true(node == 0 || apart.first[node] > apart.first[node - 1]);
        }
        xmpi_nodes_free(&apart);
        xmpi_nodes_free(&together);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choices_are_those_of_a_full_search),
        cmocka_unit_test(nodes_have_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
