/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of what the prediction model is made of: the costs of MPI operations (thesis Table 5.2),
 * curves, and what a run teaches. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "decide/predict/predict.h"

static const double alpha = 1e-3, beta = 1e-6, gamma_ = 2e-6;

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * fabs(expected) + 1e-15))
        fail_msg("%.12g instead of %.12g", value, expected);
}

static double call(xmpi_kind_t kind, int members, double bytes)
{
    xmpi_link_t link = {alpha, beta, alpha, beta, 1e9};
    xmpi_mpi_call_t c = {.kind = kind, .members = members, .bytes = bytes};
    return xmpi_mpi_seconds(&c, &link, gamma_);
}

static void table_5_2_of_point_to_point_and_trees(void **state)
{
    (void)state;
    near(call(XMPI_KIND_SEND, 2, 1000), alpha + 1000 * beta);
    near(call(XMPI_KIND_BCAST, 7, 1e6), 3 * (alpha + 1e6 * beta)); /* fewer than 8 */
    near(call(XMPI_KIND_BCAST, 16, 12288), 4 * (alpha + 12288 * beta));
    near(call(XMPI_KIND_SCATTER, 8, 100), 3 * alpha + 7 * 100 * beta);
    near(call(XMPI_KIND_GATHER, 8, 100), 3 * alpha + 7 * 100 * beta);
    near(call(XMPI_KIND_REDUCE, 16, 2048), 4 * (alpha + 2048 * beta + 2048 * gamma_));
    near(call(XMPI_KIND_BARRIER, 9, 0), 4 * alpha);
    near(call(XMPI_KIND_ALLREDUCE, 1, 1000), 0);
}

static void table_5_2_of_van_de_geijn_and_rabenseifner(void **state)
{
    (void)state;
    double n = 1 << 20, p = 16, share = (p - 1) / p;
    near(call(XMPI_KIND_BCAST, 16, n), (4 + p - 1) * alpha + 2 * share * n * beta);
    near(call(XMPI_KIND_BCAST, 16, 65536), 2 * 4 * alpha + 2 * share * 65536 * beta);
    near(call(XMPI_KIND_REDUCE, 16, n), 2 * 4 * alpha + 2 * share * n * beta + share * n * gamma_);
    near(call(XMPI_KIND_ALLREDUCE, 16, n),
         2 * 4 * alpha + 2 * share * n * beta + share * n * gamma_);
}

static void table_5_2_of_many_to_many(void **state)
{
    (void)state;
    near(call(XMPI_KIND_ALLGATHER, 8, 1000), 3 * alpha + 7 * 1000 * beta);
    near(call(XMPI_KIND_ALLGATHERV, 8, 65536), 7 * (alpha + 65536 * beta)); /* 512 KB: a ring */
    near(call(XMPI_KIND_ALLGATHER, 6, 1000), 3 * alpha + 5 * 1000 * beta);  /* Bruck's */
    near(call(XMPI_KIND_ALLREDUCE, 8, 8), 3 * (alpha + 8 * beta + 8 * gamma_));
    /* Five members: one hands over to a neighbour, four double, and it gets the result. */
    near(call(XMPI_KIND_ALLREDUCE, 5, 8),
         2 * (alpha + 8 * beta) + 8 * gamma_ + 2 * (alpha + 8 * beta + 8 * gamma_));
    near(call(XMPI_KIND_ALLTOALL, 16, 16 * 256), 4 * (alpha + 8 * 256 * beta)); /* Bruck's */
    near(call(XMPI_KIND_ALLTOALL, 8, 8 * 256), 7 * alpha + 7 * 256 * beta);
    near(call(XMPI_KIND_ALLTOALL, 8, 8 * 1000), 7 * alpha + 7 * 1000 * beta);
    near(call(XMPI_KIND_GATHERV, 8, 1000), 7 * (alpha + 1000 * beta));
    near(call(XMPI_KIND_REDUCE_SCATTER, 8, 8000), 3 * alpha + 7000 * beta + 7000 * gamma_);
}

static void long_messages_have_a_line_of_their_own(void **state)
{
    (void)state;
    xmpi_link_t link = {1, 1, 100, 2, 10};
    near(xmpi_link_seconds(&link, 10), 11);
    near(xmpi_link_seconds(&link, 11), 122);
}

static void curves_go_through_their_points(void **state)
{
    (void)state;
    xmpi_curve_t curve = {.points = 3, .point = {{1, 1.0}, {4, 1.6}, {8, 4.0}}};
    near(xmpi_curve_at(&curve, 0), 0);
    near(xmpi_curve_at(&curve, 1), 1);
    near(xmpi_curve_at(&curve, 2), 1.2);
    near(xmpi_curve_at(&curve, 4), 1.6);
    near(xmpi_curve_at(&curve, 6), 2.8);
    near(xmpi_curve_at(&curve, 12), 6.4);
}

static void errors_have_mean_and_spread(void **state)
{
    (void)state;
    xmpi_model_t model = {0};
    xmpi_model_compare(&model, XMPI_PHASE_COMPUTATION, 1.1, 1);
    xmpi_model_compare(&model, XMPI_PHASE_COMPUTATION, 0.7, 1);
    xmpi_model_compare(&model, XMPI_PHASE_COMPUTATION, 5, 0); /* nothing to compare with */
    xmpi_model_compare(&model, XMPI_PHASE_COMPUTATION, NAN, 1);
    const xmpi_error_sum_t *error = &model.error[XMPI_PHASE_COMPUTATION];
    assert_int_equal(error->n, 2);
    near(xmpi_error_mean(error), 0.2);
    near(xmpi_error_spread(error), sqrt(0.02));
}

static void changes_correct_the_next_prediction(void **state)
{
    (void)state;
    xmpi_model_t model = {0};
    xmpi_calibration_t calibration = {.trust = 0};
    xmpi_prediction_t p = {.process = 1, .redistribution = 2, .joins = true};
    xmpi_model_learn_change(&model, &calibration, &p, 2, 1);
    near(xmpi_correction(&model.process[0], 0), 2);
    near(xmpi_correction(&model.process[1], 0), 1); /* of others nothing is known */
    near(xmpi_correction(&model.redistribution[0], 0), 0.5);
    p.process = 2; /* the corrected prediction, while it takes 4 */
    xmpi_model_learn_change(&model, &calibration, &p, 4, 0);
    near(xmpi_correction(&model.process[0], 0), 3);
    near(xmpi_correction(&model.redistribution[0], 0), 0.5);
}

static void calibrated_figures_are_worth_several_changes(void **state)
{
    (void)state;
    xmpi_correction_t correction = {0};
    near(xmpi_correction(&correction, 3), 1);
    xmpi_correction_add(&correction, 3, 1, 2);
    near(xmpi_correction(&correction, 3), 1.25);
    xmpi_correction_add(&correction, 3, 1.25, 2);
    near(xmpi_correction(&correction, 3), 1.4);
}

static void waiting_is_told_from_transfer_where_calls_are_alike(void **state)
{
    (void)state;
    xmpi_sample_t samples[3] = {{0}};
    for (int i = 0; i < 3; i++) {
        samples[i].operations[XMPI_CLASS_COLLECTIVE] = (xmpi_operations_t){10, 80, 1 + i};
        samples[i].operations[XMPI_CLASS_WAIT] = (xmpi_operations_t){5, 0, 4 - i};
        samples[i].operations[XMPI_CLASS_P2P] = (xmpi_operations_t){i, 8, 7}; /* not alike */
        samples[i].operations[XMPI_CLASS_IO] = (xmpi_operations_t){1, 8, i};  /* no waiting */
    }
    assert_true(xmpi_sample_waiting(samples, 3, 0) == 0 + 2);
    assert_true(xmpi_sample_waiting(samples, 3, 2) == 2 + 0);
    assert_true(xmpi_sample_waiting(samples, 1, 0) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_5_2_of_point_to_point_and_trees),
        cmocka_unit_test(table_5_2_of_van_de_geijn_and_rabenseifner),
        cmocka_unit_test(table_5_2_of_many_to_many),
        cmocka_unit_test(long_messages_have_a_line_of_their_own),
        cmocka_unit_test(curves_go_through_their_points),
        cmocka_unit_test(errors_have_mean_and_spread),
        cmocka_unit_test(changes_correct_the_next_prediction),
        cmocka_unit_test(calibrated_figures_are_worth_several_changes),
        cmocka_unit_test(waiting_is_told_from_transfer_where_calls_are_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
