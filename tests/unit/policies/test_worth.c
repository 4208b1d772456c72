/* SPDX-License-Identifier: BSD-3-Clause
 * What more or fewer members are worth, beside what can be calculated by hand. */
#include <string.h>

#include "decide/planning/worth.h"
#include "unit/model/predict_scene.h"

enum { REMAINING = 90 };

/* The scene without communication: 120 units of work in an iteration. */
static xmpi_view_t view_of(scene_t *scene)
{
    static const xmpi_schedule_t none;
    for (int i = 0; i < MEMBERS; i++) {
        memset(scene->samples[i].operations, 0, sizeof scene->samples[i].operations);
        scene->samples[i].observed_kinds = 0;
        scene->samples[i].wall = scene->samples[i].computation;
    }
    scene->resources.can_spawn = false;
    for (int i = MEMBERS; i < PES; i++) {
        scene->pe[i].process = i;
        scene->pe[i].parked = true;
    }
    assert_int_equal(xmpi_predictor_make(&scene->predictor, &scene->at, NULL), XMPI_OK);
    return (xmpi_view_t){.layout = &scene->layout,
                         .resources = &scene->resources,
                         .samples = scene->samples,
                         .iteration = 10,
                         .remaining = REMAINING,
                         .schedule = &none,
                         .may_grow = true,
                         .predictor = &scene->predictor};
}

/* The strongest that can stay or come: of classes that do 30, 60 and (calibrated) 150 a second. */
static void members_do_what_their_classes_do(void **state)
{
    static const double power[PES + 1] = {0, 30, 90, 150, 180, 330, 390, 450, 480};
    scene_t scene;
    xmpi_worth_t worth[PES];
    int worths;
    (void)state;
    scene_make(&scene);
    scene.at.arrays = 0; /* nothing has to move */
    xmpi_view_t view = view_of(&scene);
    double work = xmpi_predict_work(&scene.predictor, REMAINING);
    assert_int_equal(xmpi_worth_of_members(&view, 100, worth, &worths), XMPI_OK);
    assert_int_equal(worths, PES);
    for (int i = 0; i < worths; i++) {
        assert_int_equal(worth[i].members, i + 1);
        double change = worth[i].seconds - work / power[i + 1];
        if (!(change > -1e-9 && change < 0.1 && (i + 1 == MEMBERS) == (fabs(change) < 1e-9)))
            fail_msg("%d members: %g s instead of %g s", i + 1, worth[i].seconds,
                     work / power[i + 1]);
    }
    assert_int_equal(xmpi_worth_of_members(&view, 2, worth, &worths), XMPI_OK);
    assert_int_equal(worths, 2);
    xmpi_predictor_free(&scene.predictor);
}

static void what_cannot_be_has_no_worth(void **state)
{
    scene_t scene;
    xmpi_worth_t worth[PES];
    int worths;
    (void)state;
    scene_make(&scene);
    xmpi_view_t view = view_of(&scene);
    view.least_members = 3;
    scene.resources.max_members = 6;
    assert_int_equal(xmpi_worth_of_members(&view, PES, worth, &worths), XMPI_OK);
    assert_int_equal(worths, 4);
    assert_int_equal(worth[0].members, 3);
    assert_int_equal(worth[3].members, 6);
    xmpi_predictor_free(&scene.predictor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_do_what_their_classes_do),
        cmocka_unit_test(what_cannot_be_has_no_worth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
