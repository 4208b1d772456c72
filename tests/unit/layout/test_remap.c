/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the policies that go by who talks to whom, and of the places that processes share. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/leader/leader.h"
#include "decide/policies/catalogue.h"
#include "decide/policies/decide.h"
#include "decide/scheduler/availability.h"
#include "libraries/scotch_library.h"

enum { MEMBERS = 8, PES = 40 };

/* Eight members on four nodes of two PEs, a, b, c and d, and an empty one, e. */
typedef struct {
    xmpi_member_t member[MEMBERS];
    xmpi_layout_t layout;
    xmpi_resources_t resources; /* its PEs are malloc */
    xmpi_sample_t samples[MEMBERS];
    xmpi_traffic_t traffic;
    xmpi_policy_state_t state;
    xmpi_view_t view;
    xmpi_plan_t plan;
    xmpi_decision_t decision;
} scene_t;

static xmpi_resources_t list_of(const char *nodes)
{
    xmpi_resources_t r = {.classes = 1, .pe = calloc(PES, sizeof *r.pe)};
    strcpy(r.class_name[0], "C");
    for (; *nodes != '\0'; nodes++, r.pes++) {
        r.pe[r.pes].node[0] = *nodes;
        r.pe[r.pes].process = -1;
    }
    return r;
}

static void scene_make(scene_t *s)
{
    xmpi_error_t error = {""};
    memset(s, 0, sizeof *s);
    s->resources = list_of("aabbccddee");
    s->resources.max_members = MEMBERS;
    s->resources.can_spawn = s->resources.shares = true;
    s->resources.anchor = -1;
    s->layout = (xmpi_layout_t){.domain = MEMBERS, .members = MEMBERS, .member = s->member};
    for (int i = 0; i < MEMBERS; i++) {
        s->member[i] = (xmpi_member_t){i, {1, i}};
        s->resources.pe[i].process = i;
        s->samples[i].iterations = 10;
    }
    s->view = (xmpi_view_t){.layout = &s->layout,
                            .resources = &s->resources,
                            .samples = s->samples,
                            .movable = true,
                            .remaining = -1,
                            .iteration = 10,
                            .state = &s->state,
                            .scotch = xmpi_scotch(&error)};
}

static void scene_free(scene_t *s)
{
    xmpi_plan_free(&s->plan);
    xmpi_resources_free(&s->resources);
    xmpi_traffic_free(&s->traffic);
}

/* Each rank talks to the one that is STEP further, and to nobody else. */
static void talk(scene_t *s, int step)
{
    xmpi_talk_t talks[MEMBERS];
    int32_t rows[MEMBERS];
    xmpi_error_t error = {""};
    for (int i = 0; i < MEMBERS; i++) {
        rows[i] = 1;
        talks[i] = (xmpi_talk_t){i ^ step, 10, 1000000};
    }
    xmpi_traffic_free(&s->traffic);
    if (xmpi_traffic_make(&s->traffic, MEMBERS, rows, talks, NULL, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    s->traffic.iterations = 10;
    s->view.traffic = &s->traffic;
}

static xmpi_status_t decided(scene_t *s, const xmpi_policy_t *policy)
{
    xmpi_error_t error = {""};
    xmpi_plan_free(&s->plan);
    xmpi_status_t status = xmpi_policy_decide(policy, &s->view, &s->plan, &s->decision, &error);
    if (status == XMPI_OK && s->plan.places > 0)
        status = xmpi_plan_check_in_loop(&s->plan, &s->layout, &s->resources, &error);
    if (status < 0)
        fail_msg("%s", error.text);
    return status;
}

/* Carries the plan out: who is where then. */
static void carry_out(scene_t *s)
{
    int next = 0, process[MEMBERS];
    bool is_member[100] = {false};
    for (int i = 0; i < s->resources.pes; i++)
        if (s->resources.pe[i].process >= next)
            next = s->resources.pe[i].process + 1;
    for (int i = 0; i < s->plan.places; i++) {
        const xmpi_place_t *place = &s->plan.place[i];
        process[i] = place->origin == XMPI_STAYS ? s->member[place->from].process : next++;
        if (place->origin != XMPI_STAYS)
            s->resources.pe[place->pe].process = process[i];
        is_member[process[i]] = true;
    }
    for (int i = 0; i < s->plan.places; i++)
        s->member[i].process = process[i];
    for (int i = 0; i < s->resources.pes && s->plan.places > 0; i++)
        if (s->resources.pe[i].process >= 0 && !is_member[s->resources.pe[i].process])
            s->resources.pe[i].process = -1;
}

static char node_of(const scene_t *s, int rank)
{
    return s->resources.pe[xmpi_resources_pe_of(&s->resources, s->member[rank].process)].node[0];
}

static int load_of(const scene_t *s, char node)
{
    int load = 0;
    for (int i = 0; i < MEMBERS; i++)
        load += node_of(s, i) == node;
    return load;
}

static void follow(scene_t *s, const char *nodes)
{
    xmpi_resources_t now = list_of(nodes);
    xmpi_availability_t change;
    xmpi_error_t error = {""};
    if (xmpi_availability_follow(&s->resources, &now, 50, &change, &error) != XMPI_OK ||
        xmpi_availability_make_room(&s->resources, MEMBERS) != XMPI_OK)
        fail_msg("%s", error.text);
    xmpi_resources_free(&now);
}

/* Figure 3 with nodes of two cores. */
static void nodes_are_lost_until_all_are_on_one(void **unused)
{
    (void)unused;
    static const struct {
        const char *nodes;
        int moves, least, most; /* processes on a node that there is */
    } events[] = {{"aabbccddee", 0, 0, 2}, {"bbccddee", 2, 2, 2}, {"ccddee", 2, 2, 3},
                  {"ddee", 3, 4, 4},       {"ee", 4, 8, 8},       {"aabbccff", 8, 2, 2}};
    scene_t s;
    scene_make(&s);
    for (size_t e = 0; e < sizeof events / sizeof *events; e++) {
        follow(&s, events[e].nodes);
        talk(&s, 4);
        assert_int_equal(decided(&s, &xmpi_policy_migrate), XMPI_OK);
        int moves = 0;
        for (int i = 0; i < s.plan.places; i++)
            moves += s.plan.place[i].origin != XMPI_STAYS;
        if (moves < events[e].moves || moves > events[e].moves + 1)
            fail_msg("%s: %d moves", events[e].nodes, moves);
        carry_out(&s);
        for (const char *node = events[e].nodes; *node != '\0'; node++)
            assert_in_range(load_of(&s, *node), events[e].least, events[e].most);
        for (int i = 0; i < MEMBERS; i++)
            assert_non_null(strchr(events[e].nodes, node_of(&s, i)));
    }
    for (int i = 0; i < MEMBERS; i++) /* all have moved: who talks to one another is together */
        assert_int_equal(node_of(&s, i), node_of(&s, i ^ 4));
    scene_free(&s);
}

/* Nodes get no more places than they may have processes, and none where there are enough PEs. */
static void places_are_made_where_they_are_short(void **unused)
{
    (void)unused;
    scene_t s;
    scene_make(&s);
    follow(&s, "bbccddee");
    assert_int_equal(s.resources.pes, 10);
    follow(&s, "ddee");
    assert_int_equal(s.resources.pes, 14);
    for (int i = 10; i < 14; i++)
        assert_true(s.resources.pe[i].shared && s.resources.pe[i].process < 0);
    follow(&s, "dde");
    assert_int_equal(decided(&s, &xmpi_policy_migrate), XMPI_NEEDS_TRAFFIC);
    talk(&s, 1);
    assert_int_equal(decided(&s, &xmpi_policy_migrate), XMPI_OK);
    carry_out(&s);
    assert_in_range(load_of(&s, 'd'), 5, 6);
    assert_in_range(load_of(&s, 'e'), 2, 3);
    scene_free(&s);
}

static void nobody_is_asked_where_nothing_is_to_do(void **unused)
{
    (void)unused;
    scene_t s;
    scene_make(&s);
    assert_int_equal(decided(&s, &xmpi_policy_migrate), XMPI_OK);
    assert_int_equal(s.plan.places, 0);
    assert_string_equal(s.plan.reason, "no node has too many processes");
    follow(&s, "bbccddee");
    assert_int_equal(decided(&s, &xmpi_policy_migrate), XMPI_NEEDS_TRAFFIC);
    s.view.traffic_asked = true; /* and it is not to be had: in order */
    assert_int_equal(decided(&s, &xmpi_policy_migrate), XMPI_OK);
    assert_string_equal(s.plan.reason, "2 of 8 go to other nodes, 0 cannot yet");
    carry_out(&s);
    assert_int_equal(node_of(&s, 0), 'e');
    assert_int_equal(node_of(&s, 1), 'e');
    scene_free(&s);
}

static void who_cannot_move_stays(void **unused)
{
    (void)unused;
    scene_t s;
    scene_make(&s);
    follow(&s, "bbccddee");
    talk(&s, 4);
    s.samples[1].held = XMPI_HELD_HERE;
    assert_int_equal(decided(&s, &xmpi_policy_migrate), XMPI_OK);
    assert_string_equal(s.plan.reason, "1 of 8 go to other nodes, 1 cannot yet; what goes between "
                                       "nodes costs 1 of what it did");
    assert_int_equal(s.plan.place[1].origin, XMPI_STAYS);
    assert_int_equal(s.plan.place[0].origin, XMPI_TAKES_OVER);
    s.samples[1].held = XMPI_HELD_ALL;
    assert_int_equal(decided(&s, &xmpi_policy_migrate), XMPI_OK);
    assert_int_equal(s.plan.places, 0);
    assert_string_equal(s.plan.reason, "members stay for what one of them has");
    scene_free(&s);
}

/* Rows of a divisible loop stay with the rank. */
static void rows_go_along(void **unused)
{
    (void)unused;
    scene_t s;
    scene_make(&s);
    s.view.movable = false;
    follow(&s, "bbccddee");
    talk(&s, 4);
    assert_int_equal(decided(&s, &xmpi_policy_migrate), XMPI_OK);
    assert_int_equal(s.plan.places, MEMBERS);
    assert_false(s.plan.moves);
    for (int i = 0; i < MEMBERS; i++) {
        assert_int_equal(s.plan.place[i].from, i);
        assert_int_equal(s.plan.place[i].block.displ, i);
    }
    scene_free(&s);
}

/* Nodes that have more processing elements than before get them, also where processes share some:
 * the places that are shared first. */
static void nodes_that_grow_get_places(void **unused)
{
    (void)unused;
    scene_t s;
    scene_make(&s);
    follow(&s, "bbccddee"); /* a node that comes back has what it had */
    follow(&s, "aabbccddee");
    assert_int_equal(s.resources.pes, 10);
    follow(&s, "aabbccddeeee");
    assert_int_equal(s.resources.pes, 12);
    follow(&s, "ddee"); /* two places more on each */
    assert_int_equal(s.resources.pes, 14);
    follow(&s, "ddddddee");
    int whole = 0, shared = 0;
    for (int i = 0; i < s.resources.pes; i++) {
        bool d = s.resources.pe[i].node[0] == 'd';
        whole += d && !s.resources.pe[i].shared && !s.resources.pe[i].withdrawn;
        shared += d && s.resources.pe[i].shared;
    }
    assert_int_equal(whole, 6);
    assert_int_equal(shared, 0);
    scene_free(&s);
}

/* --- cores -------------------------------------------------------------------------------------
 */

/* Which part of its node the core of a rank is in; firmware often numbers them in turns. */
static int part_of(const scene_t *s, int rank)
{
    return s->resources.pe[xmpi_resources_pe_of(&s->resources, s->member[rank].process)].inside[0];
}

static void tell_parts(scene_t *s, int parts)
{
    for (int i = 0; i < s->resources.pes; i++)
        s->resources.pe[i].inside[0] = (uint8_t)(1 + i % parts);
}

/* Four ranks go to a node of two packages: those that talk share one. In order they would not. */
static void who_comes_shares_a_package_with_those_it_talks_to(void **unused)
{
    (void)unused;
    for (int told = 0; told < 2; told++) {
        scene_t s;
        int together = 0;
        scene_make(&s);
        follow(&s, "aabbccddeeee");
        if (told)
            tell_parts(&s, 2);
        follow(&s, "ccddeeee");
        talk(&s, 1);
        assert_int_equal(decided(&s, &xmpi_policy_migrate), XMPI_OK);
        carry_out(&s);
        tell_parts(&s, 2);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(node_of(&s, i), 'e');
            together += part_of(&s, i) == part_of(&s, i ^ 1);
        }
        assert_int_equal(together, told ? 4 : 0);
        scene_free(&s);
    }
}

/* More ranks than cores: those that share one are told by the order of places, as they are bound.
 */
static void cores_are_shared_by_those_who_talk(void **unused)
{
    (void)unused;
    scene_t s;
    scene_make(&s);
    follow(&s, "aabbccddee");
    tell_parts(&s, 2);
    follow(&s, "ddee");
    talk(&s, 1);
    assert_int_equal(decided(&s, &xmpi_policy_migrate), XMPI_OK);
    carry_out(&s);
    assert_int_equal(load_of(&s, 'd'), 4);
    assert_int_equal(load_of(&s, 'e'), 4);
    int core[MEMBERS], on_node[128] = {0};
    for (int i = 0; i < s.resources.pes; i++) {
        int node = s.resources.pe[i].node[0], k = on_node[node]++;
        for (int rank = 0; rank < MEMBERS; rank++)
            if (s.member[rank].process == s.resources.pe[i].process)
                core[rank] = 2 * node + k % 2;
    }
    for (int i = 0; i < MEMBERS; i++)
        if (node_of(&s, i) == 'e') /* on d two have stayed, each on a core */
            assert_int_equal(core[i], core[i ^ 1]);
    scene_free(&s);
}

/* --- map ---------------------------------------------------------------------------------------
 */

/* What is known of the machine: a message of a megabyte takes 10 ms. And members communicate for
 * 100 ms in an iteration. */
typedef struct {
    xmpi_calibration_t calibration;
    xmpi_leader_t leader;
    xmpi_predictor_t predictor;
    xmpi_moved_array_t image;
} knowledge_t;

static void know(scene_t *s, knowledge_t *k, double image_bytes)
{
    xmpi_error_t error = {""};
    memset(k, 0, sizeof *k);
    xmpi_calibration_assume(&k->calibration);
    k->calibration.link[XMPI_LINK_NETWORK] =
        (xmpi_link_t){.beta = 1e-8, .long_beta = 1e-8, .eager = 1e4};
    xmpi_leader_begin(&k->leader);
    k->image = (xmpi_moved_array_t){
        .scheme = XMPI_SCHEME_DISTRIBUTED, .rows = MEMBERS, .row_bytes = image_bytes};
    for (int i = 0; i < MEMBERS; i++) {
        s->samples[i].wall = 3;
        s->samples[i].computation = s->samples[i].work = 2;
    }
    xmpi_situation_t situation = {.layout = &s->layout,
                                  .resources = &s->resources,
                                  .samples = s->samples,
                                  .calibration = &k->calibration,
                                  .model = &k->leader.model,
                                  .arrays = 1,
                                  .array = &k->image,
                                  .iteration = 10,
                                  .interval = 10};
    if (xmpi_predictor_make(&k->predictor, &situation, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    s->view.predictor = &k->predictor;
}

static void forget(knowledge_t *k)
{
    xmpi_predictor_free(&k->predictor);
    xmpi_leader_free(&k->leader);
}

static void talkers_come_together_when_that_pays(void **unused)
{
    (void)unused;
    scene_t s;
    knowledge_t k;
    scene_make(&s);
    know(&s, &k, 1000);
    assert_int_equal(decided(&s, &xmpi_policy_map), XMPI_NEEDS_TRAFFIC);
    talk(&s, 4);
    s.view.remaining = 100000;
    assert_int_equal(decided(&s, &xmpi_policy_map), XMPI_OK);
    if (s.plan.places == 0)
        fail_msg("%s", s.plan.reason);
    assert_int_equal(s.decision.alternatives, 2);
    assert_int_equal(s.decision.chosen, 1);
    assert_true(s.decision.alternative[1].seconds < s.decision.alternative[0].seconds);
    carry_out(&s);
    for (int i = 0; i < MEMBERS; i++)
        assert_int_equal(node_of(&s, i), node_of(&s, i ^ 4));
    assert_int_equal(decided(&s, &xmpi_policy_map), XMPI_OK);
    assert_int_equal(s.plan.places, 0);
    assert_string_equal(s.plan.reason, "who talks to one another is together as far as it can be");
    forget(&k);
    scene_free(&s);
}

static void moves_that_take_longer_are_not_made(void **unused)
{
    (void)unused;
    scene_t s;
    knowledge_t k;
    scene_make(&s);
    know(&s, &k, 1e9);
    talk(&s, 4);
    s.view.remaining = 10;
    assert_int_equal(decided(&s, &xmpi_policy_map), XMPI_OK);
    assert_int_equal(s.plan.places, 0);
    assert_string_equal(s.plan.reason, "moves would take longer than they save");
    assert_int_equal(s.decision.chosen, 0);
    forget(&k);
    scene_free(&s);
}

/* When the loop has become twice as long. */
static void traffic_is_asked_for_less_and_less(void **unused)
{
    (void)unused;
    scene_t s;
    int asked = 0;
    scene_make(&s);
    for (s.view.iteration = 10; s.view.iteration <= 10000; s.view.iteration += 10) {
        s.view.traffic_asked = false;
        if (decided(&s, &xmpi_policy_map) == XMPI_NEEDS_TRAFFIC) {
            asked++;
            s.view.traffic_asked = true;
            assert_int_equal(decided(&s, &xmpi_policy_map), XMPI_OK);
            assert_string_equal(s.plan.reason, "who talks to whom is not known");
        }
        s.state = s.decision.state;
    }
    assert_int_equal(asked, 10);
    scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_lost_until_all_are_on_one),
        cmocka_unit_test(places_are_made_where_they_are_short),
        cmocka_unit_test(nobody_is_asked_where_nothing_is_to_do),
        cmocka_unit_test(who_cannot_move_stays),
        cmocka_unit_test(rows_go_along),
        cmocka_unit_test(nodes_that_grow_get_places),
        cmocka_unit_test(who_comes_shares_a_package_with_those_it_talks_to),
        cmocka_unit_test(cores_are_shared_by_those_who_talk),
        cmocka_unit_test(talkers_come_together_when_that_pays),
        cmocka_unit_test(moves_that_take_longer_are_not_made),
        cmocka_unit_test(traffic_is_asked_for_less_and_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
