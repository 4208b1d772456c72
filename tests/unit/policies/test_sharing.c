/* SPDX-License-Identifier: BSD-3-Clause
 * Who gets how many processing elements of a system, beside all that could be done. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "decide/planning/draw.h"
#include "decide/sharing/sharing.h"

enum { JOBS = 3, MOST = 6, ROUNDS = 300 };

typedef struct {
    xmpi_worth_t option[JOBS][MOST];
    xmpi_claimant_t job[JOBS];
    xmpi_sharing_t sharing;
} scene_t;

static double between(uint64_t *state, double least, double most)
{
    return least + (most - least) * xmpi_random_below(state, 10001) / 10000;
}

/* Jobs that are done sooner with more, by Amdahl's law. */
static void make_scene(scene_t *scene, xmpi_share_aim_t aim, uint64_t *state)
{
    int least = 0;
    memset(scene, 0, sizeof *scene);
    for (int i = 0; i < JOBS; i++) {
        int first = 1 + xmpi_random_below(state, 3), options = 1 + xmpi_random_below(state, MOST);
        double serial = between(state, 0, 0.5), all = between(state, 10, 1000);
        for (int k = 0; k < options; k++)
            scene->option[i][k] =
                (xmpi_worth_t){first + k, all * (serial + (1 - serial) / (first + k))};
        scene->job[i] = (xmpi_claimant_t){options, scene->option[i], between(state, 5, 1000)};
        least += first;
    }
    scene->sharing = (xmpi_sharing_t){.aim = aim,
                                      .pes = least + xmpi_random_below(state, 12),
                                      .busy = 2,
                                      .idle = 1,
                                      .jobs = JOBS,
                                      .job = scene->job};
}

static const xmpi_worth_t *chosen(const scene_t *scene, int job, int members)
{
    for (int k = 0; k < scene->job[job].options; k++)
        if (scene->option[job][k].members == members)
            return &scene->option[job][k];
    fail_msg("%d members are no option", members);
    return NULL;
}

/* How good a division is, where more is better. */
static double value(const scene_t *scene, const int *members)
{
    double all = 0;
    for (int i = 0; i < JOBS; i++) {
        const xmpi_worth_t *worth = chosen(scene, i, members[i]), *least = scene->option[i];
        double idle = (double)scene->sharing.pes / JOBS - members[i];
        if (scene->sharing.aim == XMPI_SHARE_FEWEST_LATE)
            all += worth->seconds <= scene->job[i].due;
        else if (scene->sharing.aim == XMPI_SHARE_UTILISATION)
            all += least->members * least->seconds / worth->seconds;
        else
            all -= worth->seconds * (scene->sharing.busy * members[i] + scene->sharing.idle * idle);
    }
    return all;
}

static double best_value(const scene_t *scene)
{
    int members[JOBS];
    double best = -INFINITY;
    for (int a = 0; a < scene->job[0].options; a++)
        for (int b = 0; b < scene->job[1].options; b++)
            for (int c = 0; c < scene->job[2].options; c++) {
                members[0] = scene->option[0][a].members;
                members[1] = scene->option[1][b].members;
                members[2] = scene->option[2][c].members;
                if (members[0] + members[1] + members[2] <= scene->sharing.pes)
                    best = fmax(best, value(scene, members));
            }
    return best;
}

static void nothing_better_can_be_done(void **state)
{
    static const xmpi_share_aim_t aim[] = {XMPI_SHARE_FEWEST_LATE, XMPI_SHARE_UTILISATION,
                                           XMPI_SHARE_ENERGY};
    uint64_t draw = 1;
    (void)state;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < 3; i++) {
            scene_t scene;
            int members[JOBS], all = 0;
            make_scene(&scene, aim[i], &draw);
            assert_int_equal(xmpi_share_out(&scene.sharing, members), XMPI_OK);
            for (int k = 0; k < JOBS; k++)
                all += members[k];
            assert_true(all <= scene.sharing.pes);
            double reached = value(&scene, members), best = best_value(&scene);
            if (reached < best - 1e-9 * fabs(best))
                fail_msg("round %d, %s: %g instead of %g", round, xmpi_share_aim_name[aim[i]],
                         reached, best);
        }
}

/* Nobody has two less than another, unless it can have no more or the other no fewer. */
static void equal_is_equal(void **state)
{
    uint64_t draw = 2;
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        scene_t scene;
        int members[JOBS], left;
        make_scene(&scene, XMPI_SHARE_EQUALLY, &draw);
        assert_int_equal(xmpi_share_out(&scene.sharing, members), XMPI_OK);
        left = scene.sharing.pes - members[0] - members[1] - members[2];
        for (int i = 0; i < JOBS; i++) {
            bool more = members[i] < scene.option[i][scene.job[i].options - 1].members;
            assert_true(left == 0 || !more);
            for (int k = 0; k < JOBS; k++)
                assert_false(more && members[k] >= members[i] + 2 &&
                             members[k] > scene.option[k][0].members);
        }
    }
}

/* A job has four, and a change takes it 30 s: 12 s sooner are not worth it, nor are two fewer. */
static void a_change_pays_or_is_none(void **state)
{
    const xmpi_worth_t option[] = {{2, 230}, {3, 163}, {4, 100}, {5, 118}, {6, 108}, {12, 63}};
    const xmpi_claimant_t job = {5, option, INFINITY}, more = {6, option, INFINITY};
    (void)state;
    for (int i = 0; i < XMPI_SHARE_AIMS; i++) {
        xmpi_sharing_t sharing = {
            .aim = (xmpi_share_aim_t)i, .pes = 11, .busy = 1, .idle = 1, .jobs = 1, .job = &job};
        int members;
        assert_int_equal(xmpi_share_out(&sharing, &members), XMPI_OK);
        assert_int_equal(members, 4);
        sharing.job = &more;
        sharing.pes = 12;
        assert_int_equal(xmpi_share_out(&sharing, &members), XMPI_OK);
        assert_int_equal(members, 12);
        sharing.pes = 3; /* others are to have the rest */
        assert_int_equal(xmpi_share_out(&sharing, &members), XMPI_OK);
        assert_int_equal(members, 3);
        sharing.pes = 1;
        assert_int_equal(xmpi_share_out(&sharing, &members), XMPI_ERR_INPUT);
        assert_int_equal(members, 2);
    }
}

static void who_would_be_late_gives_nothing(void **state)
{
    const xmpi_worth_t option[] = {{2, 230}, {3, 163}, {4, 100}, {5, 118}};
    const xmpi_claimant_t early = {4, option, 300}, close = {4, option, 163}, late = {4, option, 9};
    (void)state;
    assert_int_equal(xmpi_share_fewest(XMPI_SHARE_FEWEST_LATE, &early), 2);
    assert_int_equal(xmpi_share_fewest(XMPI_SHARE_FEWEST_LATE, &close), 3);
    assert_int_equal(xmpi_share_fewest(XMPI_SHARE_FEWEST_LATE, &late), 2);
    assert_int_equal(xmpi_share_fewest(XMPI_SHARE_EQUALLY, &close), 2);
}

static void nobody_needs_nothing(void **state)
{
    const xmpi_sharing_t sharing = {.aim = XMPI_SHARE_EQUALLY, .pes = 5};
    (void)state;
    assert_int_equal(xmpi_share_out(&sharing, NULL), XMPI_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_better_can_be_done),
        cmocka_unit_test(equal_is_equal),
        cmocka_unit_test(a_change_pays_or_is_none),
        cmocka_unit_test(who_would_be_late_gives_nothing),
        cmocka_unit_test(nobody_needs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
