/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of fitting a calibration: what made the measurements is found again, through noise. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "decide/communication/calibration_fit.h"
#include "decide/communication/mpi_cost.h"

static void near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * fabs(expected) + 1e-12))
        fail_msg("%.12g instead of %.12g", value, expected);
}

static xmpi_calibration_t slow_network(void)
{
    xmpi_calibration_t c;
    xmpi_calibration_assume(&c);
    for (int i = 0; i < XMPI_LINKS; i++)
        c.link[i] = (xmpi_link_t){0.02, 2e-8, 0.06, 2e-8, 131072};
    return c;
}

static double round_of(const xmpi_calibration_t *c, int members)
{
    return xmpi_round_seconds(members, &c->link[XMPI_LINK_NETWORK]);
}

static void add(xmpi_timed_changes_t *changes, int from, int to, double processes, double move)
{
    changes->change[changes->n++] = (xmpi_timed_change_t){
        .from = from, .to = to, .processes = processes, .redistribution = move};
}

/* Creation of N takes 1 + N / 2 seconds and 3 rounds; the first of a run 0.4 s more. */
static double creation(const xmpi_calibration_t *c, int from, int n)
{
    return 1 + 0.5 * n + 3 * round_of(c, from + n);
}

static void creation_is_told_from_meeting(void **state)
{
    (void)state;
    xmpi_calibration_t c = slow_network();
    static xmpi_timed_changes_t changes;
    static const int olds[] = {2, 6, 8, 9};
    double noise = 0.01;
    changes.n = 0;
    add(&changes, 2, 3, creation(&c, 2, 1) + 0.4, 0);
    for (int i = 0; i < 4; i++)
        for (int n = 1; n <= 8; n *= 2, noise = -noise)
            add(&changes, olds[i], olds[i] + n, creation(&c, olds[i], n) * (1 + noise), 0);
    add(&changes, 2, 4, 30, 0); /* the machine did something else */
    xmpi_curve_t curve;
    xmpi_fit_curve(&changes, &c, &curve);
    assert_int_equal(curve.points, 4);
    assert_int_equal(curve.point[3].count, 8);
    for (int n = 1; n <= 8; n *= 2)
        for (int from = 2; from <= 32; from *= 2)
            near(xmpi_curve_at(&curve, n) + curve.rounds * round_of(&c, from + n),
                 creation(&c, from, n), 0.03);
    near(xmpi_fit_first(&changes, &c, &curve), 0.4, 0.2);
}

/* Where a round takes no time to speak of, noise is not taken for hundreds of them. */
static void noise_is_not_taken_for_rounds(void **state)
{
    (void)state;
    xmpi_calibration_t c;
    static xmpi_timed_changes_t changes;
    uint64_t random = 7;
    xmpi_calibration_assume(&c);
    changes.n = 0;
    for (int i = 0; i < 60; i++) {
        int n = 1 << i % 4, olds = i % 3 == 0 ? 8 : 2;
        random = random * 6364136223846793005u + 1442695040888963407u;
        double noise = (double)(random >> 40) / (1 << 24) - 0.5;
        add(&changes, olds, olds + n, (0.1 + 0.02 * n) * (1 + 0.3 * noise), 0);
    }
    xmpi_curve_t curve;
    xmpi_fit_curve(&changes, &c, &curve);
    for (int n = 1; n <= 8; n *= 2)
        near(xmpi_curve_at(&curve, n) + curve.rounds * round_of(&c, 1000), 0.1 + 0.02 * n, 0.15);
}

/* Three calls before made three worlds. */
static void creation_is_told_from_worlds(void **state)
{
    (void)state;
    xmpi_calibration_t c = slow_network();
    static xmpi_timed_changes_t changes;
    changes.n = 0;
    for (int worlds = 0; worlds <= 3; worlds++)
        for (int n = 1; n <= 4; n *= 2) {
            add(&changes, 2 + 2 * worlds, 2 + 2 * worlds + n,
                creation(&c, 2 + 2 * worlds, n) + worlds * (3 * c.link[1].alpha + round_of(&c, n)),
                0);
            changes.change[changes.n - 1].worlds = worlds;
        }
    xmpi_curve_t curve;
    xmpi_fit_curve(&changes, &c, &curve);
    near(curve.rounds, 3, 0.01);
    for (int n = 1; n <= 4; n *= 2)
        near(xmpi_curve_at(&curve, n), 1 + 0.5 * n, 0.01);
}

static void changes_of_each_kind_have_their_agreement(void **state)
{
    (void)state;
    xmpi_calibration_t c = slow_network();
    static xmpi_timed_changes_t changes;
    changes.n = 0;
    for (int n = 1; n <= 8; n *= 2) {
        add(&changes, 2, 2 + n, 2, 0.01 + 5 * round_of(&c, 2 + n));
        add(&changes, 2 + n, 2, 0, 6 * xmpi_change_round_seconds(2 + n, 2, &c.link[1]));
        add(&changes, 2 + n, 2 + n, 0.005, 2 * round_of(&c, 2 + n));
    }
    xmpi_fit_agreement(&changes, XMPI_AGREE_JOINED, &c);
    xmpi_fit_agreement(&changes, XMPI_AGREE_LEFT, &c);
    xmpi_fit_agreement(&changes, XMPI_AGREE_REBALANCE, &c);
    near(c.agreement[XMPI_AGREE_JOINED].seconds, 0.01, 0.01);
    near(c.agreement[XMPI_AGREE_JOINED].rounds, 5, 0.01);
    near(c.agreement[XMPI_AGREE_LEFT].rounds, 6, 0.01);
    near(c.agreement[XMPI_AGREE_REBALANCE].seconds, 0.005, 0.01);
    near(c.agreement[XMPI_AGREE_REBALANCE].rounds, 2, 0.01);
}

/* A slow network leaves time for one number of members only: more of them take more rounds. */
static void one_number_of_members_gives_rounds(void **state)
{
    (void)state;
    xmpi_calibration_t c = slow_network();
    static xmpi_timed_changes_t changes;
    changes.n = 0;
    add(&changes, 9, 2, 0, 6 * xmpi_change_round_seconds(9, 2, &c.link[1]));
    xmpi_fit_agreement(&changes, XMPI_AGREE_LEFT, &c);
    near(c.agreement[XMPI_AGREE_LEFT].rounds, 6, 0.01);
    near(c.agreement[XMPI_AGREE_LEFT].seconds, 0, 0);
}

/* What a stored calibration has counted in rounds and worlds means what it did when it was made, or
 * the file is of another version. */
static void what_rounds_are_has_a_version(void **state)
{
    (void)state;
    xmpi_calibration_t c = slow_network();
    const xmpi_link_t *link = &c.link[XMPI_LINK_NETWORK];
    const double is[] = {XMPI_CALIBRATION_VERSION, xmpi_round_seconds(9, link) / link->alpha,
                         xmpi_change_round_seconds(9, 2, link) / link->alpha,
                         xmpi_world_seconds(4, link) / link->alpha};
    const double was[] = {4, 4, 3, 5};
    for (int i = 0; i < 4; i++)
        if (!(fabs(is[i] - was[i]) < 1e-2))
            fail_msg("%d: %.6g, not %.6g: where this is meant, raise XMPI_CALIBRATION_VERSION", i,
                     is[i], was[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creation_is_told_from_meeting),
        cmocka_unit_test(noise_is_not_taken_for_rounds),
        cmocka_unit_test(creation_is_told_from_worlds),
        cmocka_unit_test(changes_of_each_kind_have_their_agreement),
        cmocka_unit_test(one_number_of_members_gives_rounds),
        cmocka_unit_test(what_rounds_are_has_a_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
