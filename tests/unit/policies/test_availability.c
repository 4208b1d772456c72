/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of PEs that come and go: lists that change, requests, and the members that have to leave.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decide/policies/catalogue.h"
#include "decide/policies/decide.h"
#include "decide/layout/node_seconds.h"
#include "decide/scheduler/availability.h"
#include "decide/scheduler/further.h"
#include "decide/policy/policy.h"
#include "sources/sources.h"
#include "support/command.h"
#include "files/machine_file.h"
#include "sources/source.h"

static char *dir;

static int make_dir(void **state)
{
    (void)state;
    dir = scratch_make();
    return 0;
}

static int remove_dir(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

static const char *file_of(const char *text)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/machines", dir);
    write_file(path, text);
    return path;
}

static xmpi_resources_t list_of(const char *text)
{
    xmpi_resources_t r;
    xmpi_error_t error;
    if (xmpi_machines_read(file_of(text), &r, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    return r;
}

/* Two nodes of two PEs, three members on them; everything a policy needs. */
typedef struct {
    xmpi_resources_t resources;
    xmpi_member_t member[3];
    xmpi_layout_t layout;
    xmpi_sample_t samples[3];
    xmpi_schedule_t schedule;
    xmpi_view_t view;
} scene_t;

static void scene_make(scene_t *s)
{
    static const char *const nodes[] = {"n1", "n1", "n2"};
    xmpi_error_t error;
    memset(s, 0, sizeof *s);
    s->resources = list_of("n1:A:2:1\nn2:B:2:3\n");
    s->resources.can_spawn = true;
    s->resources.max_is_pes = true;
    s->resources.max_members = 4;
    s->resources.anchor = -1;
    s->layout = (xmpi_layout_t){.domain = 300, .members = 3, .member = s->member};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(xmpi_machines_place("machines", &s->resources, i, nodes[i], false, &error),
                         0);
        s->member[i] = (xmpi_member_t){i, {100, 100 * i}};
        s->samples[i].work = s->samples[i].computation = 1;
    }
    s->view = (xmpi_view_t){.layout = &s->layout,
                            .resources = &s->resources,
                            .samples = s->samples,
                            .imbalance_threshold = 0.05,
                            .schedule = &s->schedule,
                            .remaining = -1,
                            .may_grow = true};
}

static xmpi_availability_t follow(scene_t *s, const char *text)
{
    xmpi_resources_t now = list_of(text);
    xmpi_availability_t change;
    xmpi_error_t error;
    if (xmpi_availability_follow(&s->resources, &now, 50, &change, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    xmpi_resources_free(&now);
    return change;
}

static xmpi_plan_t decided(const xmpi_policy_t *policy, const scene_t *s)
{
    xmpi_plan_t plan;
    xmpi_decision_t decision;
    xmpi_error_t error = {""};
    if (xmpi_policy_decide(policy, &s->view, &plan, &decision, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    if (plan.places > 0 &&
        xmpi_plan_check_in_loop(&plan, &s->layout, &s->resources, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    return plan;
}

static void a_new_node_is_added(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    xmpi_availability_t change = follow(&s, "n1:A:2:1\nn2:B:3:4\nn3:C:1\n");
    assert_int_equal(change.added, 2);
    assert_int_equal(change.withdrawn, 0);
    assert_int_equal(s.resources.pes, 6);
    assert_int_equal(s.resources.max_members, 6);
    assert_int_equal(s.resources.classes, 3);
    assert_true(s.resources.pe[2].cost == 4); /* the price has changed */
    assert_int_equal(xmpi_resources_usable(&s.resources, XMPI_ANY_CLASS), 3);
    change = follow(&s, "n1:A:2:1\nn2:B:3:4\nn3:C:1\n");
    assert_int_equal(change.added + change.returned + change.withdrawn, 0);
    xmpi_resources_free(&s.resources);
}

static void what_is_empty_goes_first(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    xmpi_availability_t change = follow(&s, "n1:A:2:1\nn2:B:1:3\n");
    assert_int_equal(change.withdrawn, 1);
    assert_true(s.resources.pe[3].withdrawn && s.resources.pe[3].process < 0);
    assert_int_equal(s.resources.max_members, 3);
    xmpi_plan_t plan = decided(&xmpi_policy_balance, &s);
    assert_int_equal(plan.places, 0); /* nobody has to leave */
    change = follow(&s, "n1:A:2:1\nn2:B:2:3\n");
    assert_int_equal(change.returned, 1);
    assert_int_equal(s.resources.pes, 4);
    xmpi_resources_free(&s.resources);
}

static void members_leave_a_node_that_is_gone(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    follow(&s, "n2:B:2:3\n");
    assert_true(s.resources.pe[0].withdrawn && s.resources.pe[0].deadline == 50);
    xmpi_plan_t plan = decided(&xmpi_policy_balance, &s);
    assert_int_equal(plan.places, 2); /* there is a place for one of two */
    assert_int_equal(plan.place[0].origin, XMPI_TAKES_OVER);
    assert_int_equal(plan.place[0].from, 0);
    assert_int_equal(plan.place[0].pe, 3);
    assert_int_equal(plan.place[1].from, 2);
    assert_int_equal(plan.place[0].block.count + plan.place[1].block.count, 300);
    assert_string_equal(plan.reason, "2 members leave withdrawn processing elements, 0 cannot yet");
    xmpi_plan_free(&plan);
    s.resources.anchor = 0; /* has to stay, wherever it is */
    plan = decided(&xmpi_policy_balance, &s);
    assert_int_equal(plan.places, 3);
    assert_int_equal(plan.place[0].origin, XMPI_STAYS);
    assert_int_equal(plan.place[1].origin, XMPI_TAKES_OVER);
    assert_string_equal(plan.reason, "1 member leaves withdrawn processing elements, 1 cannot yet");
    for (int i = 0; i < 3; i++) /* and nobody's rows go elsewhere */
        assert_memory_equal(&plan.place[i].block, &s.member[i].block, sizeof(xmpi_block_t));
    xmpi_plan_free(&plan);
    s.resources.anchor = -1;
    s.resources.can_spawn = false; /* nobody can be had: the rows go to who stays */
    plan = decided(&xmpi_policy_balance, &s);
    assert_int_equal(plan.places, 1);
    assert_int_equal(plan.place[0].from, 2);
    assert_int_equal(plan.place[0].block.count, 300);
    xmpi_plan_free(&plan);
    xmpi_resources_free(&s.resources);
}

/* All are to leave: the one that there is a place for has all rows then. */
static void all_may_leave_at_once(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    follow(&s, "n3:C:1\n");
    xmpi_plan_t plan = decided(&xmpi_policy_smp, &s);
    assert_int_equal(plan.places, 1);
    assert_int_equal(plan.place[0].origin, XMPI_TAKES_OVER);
    assert_string_equal(s.resources.pe[plan.place[0].pe].node, "n3");
    assert_int_equal(plan.place[0].block.count, 300);
    xmpi_plan_free(&plan);
    follow(&s, "n3:C:3\n");
    plan = decided(&xmpi_policy_smp, &s);
    assert_int_equal(plan.places, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(plan.place[i].origin, XMPI_TAKES_OVER);
        assert_memory_equal(&plan.place[i].block, &s.member[i].block, sizeof(xmpi_block_t));
    }
    xmpi_plan_free(&plan);
    xmpi_resources_free(&s.resources);
}

static void a_list_with_too_many_classes_changes_nothing(void **state)
{
    (void)state;
    scene_t s;
    xmpi_resources_t now = list_of("n3:C:1\n");
    xmpi_availability_t change;
    xmpi_error_t error;
    scene_make(&s);
    s.resources.classes = XMPI_CLASSES_MAX;
    assert_int_equal(xmpi_availability_follow(&s.resources, &now, 0, &change, &error),
                     XMPI_ERR_INPUT);
    assert_int_equal(s.resources.pes, 4);
    for (int i = 0; i < 4; i++)
        assert_false(s.resources.pe[i].withdrawn);
    xmpi_resources_free(&now);
    xmpi_resources_free(&s.resources);
}

static void processors_are_given_back(void **state)
{
    (void)state;
    scene_t s;
    xmpi_availability_t change;
    xmpi_error_t error = {""};
    scene_make(&s);
    assert_int_equal(
        xmpi_availability_shrink(&s.resources, &s.layout, XMPI_PLACE_ALL, 1, 1, 9, &change, &error),
        XMPI_OK);
    assert_int_equal(change.withdrawn, 1);
    assert_true(s.resources.pe[2].withdrawn && s.resources.pe[2].deadline == 9);
    assert_int_equal(s.resources.max_members, 4); /* who leaves counts till it has */
    xmpi_plan_t plan = decided(&xmpi_policy_balance, &s);
    assert_int_equal(plan.places, 2);
    xmpi_plan_free(&plan);
    assert_int_equal(xmpi_availability_shrink(&s.resources, &s.layout, XMPI_PLACE_ALL,
                                              XMPI_ANY_CLASS, 2, 9, &change, &error),
                     XMPI_ERR_INPUT); /* nobody would be left */
    assert_non_null(strstr(error.text, "2 processors to give back, but only 1 can be"));
    assert_false(s.resources.pe[0].withdrawn || s.resources.pe[1].withdrawn);
    assert_int_equal(
        xmpi_availability_grow(&s.resources, &s.layout, XMPI_ANY_CLASS, 2, &change, &error),
        XMPI_OK);
    assert_int_equal(change.returned, 1);
    assert_false(s.resources.pe[2].withdrawn);
    xmpi_resources_free(&s.resources);
}

/* By who says which nodes there are. */
static void who_gets_too_few_is_told_where_others_are(void **state)
{
    static const struct {
        bool listed, given;
        const char *advice;
    } ways[] = {{false, false, "start the program with a higher XMPI_MAX"},
                {true, false, "name others in the machine file"},
                {true, true, "the job may have more nodes with a higher XMPI_NODES"}};
    (void)state;
    for (int i = 0; i < 3; i++) {
        scene_t s;
        xmpi_availability_t change;
        xmpi_error_t error;
        scene_make(&s);
        s.resources.listed = ways[i].listed;
        s.resources.given = ways[i].given;
        assert_int_equal(
            xmpi_availability_grow(&s.resources, &s.layout, XMPI_ANY_CLASS, 5, &change, &error),
            XMPI_ERR_INPUT);
        assert_non_null(strstr(error.text, "5 more processors to use, but only 1 is there: "));
        assert_non_null(strstr(error.text, ways[i].advice));
        xmpi_resources_free(&s.resources);
    }
}

static xmpi_status_t have(scene_t *s, int n, int *more, xmpi_availability_t *change)
{
    xmpi_error_t error;
    return xmpi_availability_have(&s->resources, &s->layout, XMPI_PLACE_ALL, n, 9, more, change,
                                  &error);
}

/* Four PEs, three of them with members. */
static void the_program_has_as_many_as_it_is_told(void **state)
{
    (void)state;
    scene_t s;
    xmpi_resources_t all;
    xmpi_availability_t change;
    int more;
    scene_make(&s);
    assert_int_equal(have(&s, 3, &more, &change), XMPI_OK); /* what is idle rests */
    assert_int_equal(more, 0);
    assert_int_equal(change.withdrawn, 1);
    assert_int_equal(xmpi_resources_usable(&s.resources, XMPI_ANY_CLASS), 0);
    assert_int_equal(xmpi_availability_all(&s.resources, &all), XMPI_OK);
    assert_int_equal(xmpi_resources_usable(&all, XMPI_ANY_CLASS), 1);
    xmpi_resources_free(&all);
    assert_int_equal(have(&s, 4, &more, &change), XMPI_OK);
    assert_int_equal(more, 1);
    assert_int_equal(change.returned, 1);
    assert_int_equal(have(&s, 5, &more, &change), XMPI_ERR_INPUT);
    assert_int_equal(have(&s, 1, &more, &change), XMPI_OK);
    assert_int_equal(more, -2);
    assert_int_equal(change.withdrawn, 3);
    xmpi_plan_t plan = decided(&xmpi_policy_balance, &s);
    assert_int_equal(plan.places, 1);
    xmpi_plan_free(&plan);
    assert_int_equal(have(&s, 2, &more, &change), XMPI_OK); /* before anybody has left */
    assert_int_equal(more, -1);
    assert_int_equal(change.returned, 1);
    s.resources.pe[2].gone = s.resources.pe[2].withdrawn = true; /* its node is taken away */
    s.resources.pe[3].gone = s.resources.pe[3].withdrawn = true;
    assert_int_equal(have(&s, 3, &more, &change), XMPI_ERR_INPUT);
    xmpi_resources_free(&s.resources);
}

/* Four PEs on two nodes; at most four nodes may be had. */
static void nodes_that_can_be_asked_for_are_worth_something(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    s.resources.max_is_pes = true;
    s.resources.max_members = 4;
    assert_int_equal(xmpi_further_nodes(&s.resources, 2), XMPI_OK); /* it has them */
    assert_int_equal(s.resources.pes, 4);
    for (int i = 2; i < 4; i++)
        s.resources.pe[i].withdrawn = s.resources.pe[i].gone = true; /* one less */
    assert_int_equal(xmpi_further_nodes(&s.resources, 4), XMPI_OK);
    assert_int_equal(s.resources.pes, 10);
    assert_int_equal(s.resources.max_members, 10);
    for (int i = 4; i < 10; i++) {
        assert_int_equal(s.resources.pe[i].process, -1);
        assert_int_equal(s.resources.pe[i].class_index, s.resources.pe[0].class_index);
        assert_false(s.resources.pe[i].withdrawn || s.resources.pe[i].reached);
    }
    xmpi_resources_free(&s.resources);
}

static void near(double value, double expected)
{
    assert_true(value > expected - 1e-9 && value < expected + 1e-9);
}

/* Two nodes with members; the second is left, given back, and comes again. */
static void nodes_are_held_used_lost_and_given_back(void **state)
{
    (void)state;
    scene_t s;
    xmpi_node_seconds_t sum = {0};
    scene_make(&s);
    xmpi_pe_t *second = &s.resources.pe[2];
    int process = second->process;
    xmpi_node_seconds_add(&sum, &s.resources, 10, 0);
    second->process = -1; /* it is idle */
    xmpi_node_seconds_add(&sum, &s.resources, 5, 2);
    near(sum.held, 30);
    near(sum.used, 25);
    near(sum.lost, 2); /* of the one node that is used */
    for (int i = 2; i < 4; i++)
        s.resources.pe[i].withdrawn = s.resources.pe[i].gone = s.resources.pe[i].returned = true;
    xmpi_node_seconds_add(&sum, &s.resources, 4, 2);
    near(sum.given_back, 4);
    near(sum.held, 34);
    for (int i = 2; i < 4; i++)
        s.resources.pe[i].returned = false; /* it is taken away, and not given back */
    xmpi_node_seconds_add(&sum, &s.resources, 4, 2);
    near(sum.given_back, 4);
    near(sum.held, 38);
    s.resources.pe[2].withdrawn = s.resources.pe[2].gone = false;
    second->process = process;
    xmpi_node_seconds_add(&sum, &s.resources, 1, 3);
    near(sum.held, 40);
    s.resources.pe[3].node[0] = '\0'; /* wherever the MPI starts it: no third node */
    second->process = -1;
    xmpi_node_seconds_add(&sum, &s.resources, 0, 3);
    assert_int_equal(sum.nodes_held, 2);
    near(sum.used, 35);
    near(sum.lost, 4);
    xmpi_node_seconds_idle(&sum, &s.resources, 7); /* while it was started again, before */
    near(sum.held, 54);
    near(sum.used, 42);
    near(sum.lost, 11);
    xmpi_node_seconds_add(&sum, &s.resources, 1, 4); /* as ever */
    near(sum.lost, 12);
    xmpi_resources_free(&s.resources);
}

static void smp_takes_what_is_idle(void **state)
{
    (void)state;
    scene_t s;
    scene_make(&s);
    follow(&s, "n1:A:2:1\nn2:B:2:3\nn3:A:4\n");
    xmpi_plan_t plan = decided(&xmpi_policy_smp, &s);
    assert_int_equal(plan.places, 8);
    xmpi_plan_free(&plan);
    s.resources.max_members = 5;
    plan = decided(&xmpi_policy_smp, &s);
    assert_int_equal(plan.places, 5);
    xmpi_plan_free(&plan);
    s.view.may_grow = false; /* it has just been refused */
    plan = decided(&xmpi_policy_smp, &s);
    assert_int_equal(plan.places, 0);
    s.view.may_grow = true;
    s.layout.domain = 3; /* more members would have no rows */
    plan = decided(&xmpi_policy_smp, &s);
    assert_int_equal(plan.places, 0);
    xmpi_resources_free(&s.resources);
}

/* Four PEs on n1 and n2, two members of three on n1: neither a request but the offer, nor the list,
 * nor any policy brings the program back to n2. */
static void a_node_that_is_withdrawn_stays_so_until_it_is_offered(void **state)
{
    (void)state;
    scene_t s;
    xmpi_availability_t change;
    xmpi_error_t error = {""};
    int more;
    scene_make(&s);
    s.resources.listed = true;
    assert_int_equal(xmpi_availability_withdraw(&s.resources, "n2", 9, &change, &error), XMPI_OK);
    assert_int_equal(change.withdrawn, 2);
    for (int n = 1; n < 3; n++)
        assert_int_equal(
            xmpi_availability_grow(&s.resources, &s.layout, XMPI_ANY_CLASS, n, &change, &error),
            XMPI_ERR_INPUT);
    assert_non_null(strstr(error.text, "node n2 is withdrawn, until it is offered"));
    assert_int_equal(have(&s, 3, &more, &change), XMPI_ERR_INPUT);
    assert_int_equal(have(&s, 2, &more, &change), XMPI_OK);
    change = follow(&s, "n1:A:2:1\nn2:B:3:3\n"); /* one more there, which is withdrawn as well */
    assert_int_equal(change.added + change.returned, 0);
    for (int i = 0; i < s.resources.pes; i++)
        assert_int_equal(s.resources.pe[i].withdrawn, strcmp(s.resources.pe[i].node, "n2") == 0);
    const unsigned more_than_here = XMPI_OF_GOAL | XMPI_OF_PREDICTIONS | XMPI_OF_TRAFFIC;
    for (int i = 0; xmpi_policy_at(i) != NULL; i++) {
        if ((xmpi_policy_at(i)->needs & more_than_here) != 0)
            continue; /* the plans of all are held to what can be used (decide/plan) */
        xmpi_plan_t plan = decided(xmpi_policy_at(i), &s);
        for (int k = 0; k < plan.places; k++)
            assert_true(plan.place[k].origin == XMPI_STAYS ||
                        !s.resources.pe[plan.place[k].pe].withdrawn);
        xmpi_plan_free(&plan);
    }
    assert_int_equal(xmpi_availability_offer(&s.resources, "n2", &change, &error), XMPI_OK);
    assert_int_equal(change.returned, 3);
    xmpi_resources_free(&s.resources);
}

/* What the MPI places itself may come to the node that is to be left. */
static void a_node_is_not_left_for_one_that_nobody_knows(void **state)
{
    (void)state;
    scene_t s;
    xmpi_availability_t change;
    xmpi_error_t error = {""};
    scene_make(&s);
    s.resources.pe[3].node[0] = '\0';
    assert_int_equal(xmpi_availability_withdraw(&s.resources, "n1", 9, &change, &error), XMPI_OK);
    assert_int_equal(change.withdrawn, 3);
    assert_int_equal(xmpi_availability_withdraw(&s.resources, "n2", 9, &change, &error),
                     XMPI_ERR_INPUT);
    assert_non_null(strstr(error.text, "node n2 is the last one"));
    assert_int_equal(xmpi_availability_offer(&s.resources, "n1", &change, &error), XMPI_OK);
    assert_int_equal(change.returned, 3);
    s.resources.anchor = 0;
    assert_int_equal(xmpi_availability_withdraw(&s.resources, "n1", 9, &change, &error),
                     XMPI_ERR_INPUT);
    assert_non_null(strstr(error.text, "node n1 cannot be left: process 0 has to stay where"));
    assert_false(s.resources.pe[0].withdrawn || s.resources.pe[3].withdrawn);
    xmpi_resources_free(&s.resources);
}

/* Listed, but to be left by a time that the list says; or not there at all. */
static void what_a_source_takes_back_no_request_returns(void **state)
{
    (void)state;
    scene_t s;
    xmpi_availability_t change;
    xmpi_error_t error;
    scene_make(&s);
    xmpi_resources_t now = list_of("n1:A:2:1\nn2:B:2:3\n");
    now.pe[2].withdrawn = now.pe[3].withdrawn = true;
    now.pe[2].deadline = now.pe[3].deadline = 7;
    assert_int_equal(xmpi_availability_follow(&s.resources, &now, 50, &change, &error), XMPI_OK);
    xmpi_resources_free(&now);
    assert_int_equal(change.withdrawn, 2);
    for (int i = 2; i < 4; i++) {
        assert_true(s.resources.pe[i].withdrawn);
        assert_true(s.resources.pe[i].deadline == 7);
    }
    assert_int_equal(xmpi_availability_offer(&s.resources, "n2", &change, &error), XMPI_OK);
    assert_int_equal(change.returned, 0);
    assert_int_equal(
        xmpi_availability_grow(&s.resources, &s.layout, XMPI_ANY_CLASS, 1, &change, &error),
        XMPI_ERR_INPUT);
    change = follow(&s, "n1:A:2:1\nn2:B:2:3\n");
    assert_int_equal(change.returned, 2);
    assert_int_equal(xmpi_availability_withdraw(&s.resources, "n2", 9, &change, &error), XMPI_OK);
    follow(&s, "n1:A:2:1\n");
    assert_int_equal(xmpi_availability_offer(&s.resources, "n2", &change, &error), XMPI_OK);
    assert_int_equal(change.returned, 0);
    xmpi_resources_free(&s.resources);
}

static void the_local_machine_has_processors(void **state)
{
    (void)state;
    static xmpi_settings_t settings;
    xmpi_resources_t r = {0};
    xmpi_error_t error;
    const xmpi_source_t *source = xmpi_source_of(&settings);
    assert_ptr_equal(source, &xmpi_source_local_machine);
    assert_int_equal(source->read(&settings, &r, &error), XMPI_OK);
    assert_in_range(r.pes, 1, 100000);
    xmpi_resources_free(&r);
    snprintf(settings.machines, sizeof settings.machines, "%s", file_of("n1:A:1\n"));
    source = xmpi_source_of(&settings);
    assert_ptr_equal(source, &xmpi_source_machine_file);
    xmpi_source_mark_t one, other;
    source->mark(&settings, &one);
    source->mark(&settings, &other);
    assert_memory_equal(&one, &other, sizeof one);
    file_of("n1:A:21\n");
    source->mark(&settings, &other);
    assert_memory_not_equal(&one, &other, sizeof one);
}

/* After 8, 16, ... seconds, at most an hour; what is alone at it is told from what has never been
 * reached. */
static void nodes_that_do_not_answer_rest(void **state)
{
    (void)state;
    xmpi_resources_t r = list_of("a:C:1\nb:C:2\nc:C:1\n");
    r.can_spawn = true;
    r.pe[0].process = 0;
    r.pe[3].reached = true;
    assert_true(xmpi_pe_reached(&r, 0));
    assert_false(xmpi_pe_reached(&r, 2));
    assert_true(xmpi_pe_reached(&r, 3));
    assert_int_equal(xmpi_resources_usable(&r, XMPI_ANY_CLASS), 3);
    double now = 100;
    for (int i = 0; i < 30; i++) {
        double rest = i < 9 ? 8 << i : 3600;
        xmpi_resources_rest(&r, 1, now, 8);
        assert_int_equal(xmpi_resources_usable(&r, XMPI_ANY_CLASS), 1);
        xmpi_resources_wake(&r, now + 0.9 * rest);
        assert_false(xmpi_pe_usable(&r, 2));
        xmpi_resources_wake(&r, now += rest);
        assert_true(xmpi_pe_usable(&r, 2));
    }
    xmpi_resources_rest(&r, 0, now, 8); /* who is there can be woken all the same */
    r.pe[0].parked = true;
    assert_true(xmpi_pe_usable(&r, 0));
    r.pe[3].node[0] = '\0';
    xmpi_resources_rest(&r, 3, now, 8);
    assert_true(xmpi_pe_usable(&r, 3));
    xmpi_resources_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_gets_too_few_is_told_where_others_are),
        cmocka_unit_test(a_new_node_is_added),
        cmocka_unit_test(what_is_empty_goes_first),
        cmocka_unit_test(members_leave_a_node_that_is_gone),
        cmocka_unit_test(all_may_leave_at_once),
        cmocka_unit_test(a_list_with_too_many_classes_changes_nothing),
        cmocka_unit_test(processors_are_given_back),
        cmocka_unit_test(a_node_that_is_withdrawn_stays_so_until_it_is_offered),
        cmocka_unit_test(a_node_is_not_left_for_one_that_nobody_knows),
        cmocka_unit_test(the_program_has_as_many_as_it_is_told),
        cmocka_unit_test(nodes_that_can_be_asked_for_are_worth_something),
        cmocka_unit_test(nodes_are_held_used_lost_and_given_back),
        cmocka_unit_test(smp_takes_what_is_idle),
        cmocka_unit_test(what_a_source_takes_back_no_request_returns),
        cmocka_unit_test(the_local_machine_has_processors),
        cmocka_unit_test(nodes_that_do_not_answer_rest),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
