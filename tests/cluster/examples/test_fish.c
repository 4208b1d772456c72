/* SPDX-License-Identifier: BSD-3-Clause
 * The example fish: its forces are those of all pairs, and whatever is done to it while it runs,
 * its particles are, to the last bit, where the plain program with one process has them. */
#define _GNU_SOURCE
#include "../../examples/fish/forces.c"
#include "cluster/examples/adaptive.h"

#define OPTIONS "-n 700 -i 150 "

/* --- the kernel ----------------------------------------------------------------------------------
 */

enum { PARTICLES = 60 };
static const double side = 11;

/* Fixed places all over the square, some of them near one another. */
static void scatter(double *position)
{
    for (int i = 0; i < PARTICLES; i++) {
        position[2 * i] = fmod(i * 4.7, side);
        position[2 * i + 1] = fmod(i * 3.1, side);
    }
}

/* By the derivative of the potential, pair by pair. */
static void all_pairs(const double *position, int i, double *x, double *y)
{
    *x = *y = 0;
    for (int k = 0; k < PARTICLES; k++) {
        double dx = position[2 * i] - position[2 * k],
               dy = position[2 * i + 1] - position[2 * k + 1];
        double r = hypot(dx, dy), near = fmax(r, 0.9);
        if (k == i || r >= FORCES_REACH)
            continue;
        double slope = 4 * (-12 * pow(near, -13) + 6 * pow(near, -7));
        *x -= slope * dx / near;
        *y -= slope * dy / near;
    }
}

static void forces_are_those_of_all_pairs(void **state)
{
    double position[2 * PARTICLES], force[2 * PARTICLES], part[2 * PARTICLES], x, y;
    (void)state;
    scatter(position);
    assert_true(forces(PARTICLES, side, position, 0, PARTICLES, force) > PARTICLES);
    for (int i = 0; i < PARTICLES; i++) {
        all_pairs(position, i, &x, &y);
        assert_true(fabs(force[2 * i] - x) <= 1e-11 * (1 + fabs(x)));
        assert_true(fabs(force[2 * i + 1] - y) <= 1e-11 * (1 + fabs(y)));
    }
    forces(PARTICLES, side, position, 20, 30, part);
    assert_memory_equal(part, force + 40, 60 * sizeof *part);
}

/* --- the program ---------------------------------------------------------------------------------
 */

static void any_number_of_processes_comes_to_the_same(void **state)
{
    for (int ranks = 2; ranks <= 5; ranks += 3) {
        free(output_of(*state, "fish", ranks, OPTIONS "-o other"));
        assert_same_files(*state, "plain", "other");
    }
    free(output_of(*state, "fish", 3, "-n 2 -i 3 -o few")); /* one process has none */
    free(output_of(*state, "fish", 1, "-n 2 -i 3 -o one"));
    assert_same_files(*state, "few", "one");
}

static void bad_arguments_are_refused(void **state)
{
    assert_refused(*state, "fish", 2, "-n 0 -o refused", 2, "fish: -n 0: expected a number of");
    assert_refused(*state, "fish", 2, "-d 1 -o refused", 2, "fish: -d 1: expected a time");
    assert_refused(*state, "fish", 1, "-o refused more", 2, "usage: fish");
    assert_refused(*state, "fish", 2, "-i 1 -o missing/refused", 1, "missing/refused: No such");
}

static trace_t run_and_compare(const char *dir, int processes, const char *settings)
{
    adaptive_t run = {dir, "fish", OPTIONS "-o adapted", 8};
    char *output;
    trace_t trace = adaptive_run(&run, processes, settings, &output);
    assert_same_files(dir, "plain", "adapted");
    free(output);
    return trace;
}

static void random_plans_keep_it_with_new_processes(void **state)
{
    random_plans_with_new_processes(*state, run_and_compare);
}

static void random_plans_keep_it_with_spare_processes(void **state)
{
    random_plans_with_spare_processes(*state, run_and_compare);
}

static void a_schedule_is_followed(void **state)
{
    follow_a_schedule(*state, run_and_compare, 20);
}

static int set_up(void **state)
{
    char *dir = scratch_make();
    *state = dir;
    adaptive_set_up(dir, "fish");
    free(output_of(dir, "fish", 1, OPTIONS "-o plain"));
    return 0;
}

static int tear_down(void **state)
{
    scratch_remove(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_those_of_all_pairs),
        cmocka_unit_test(any_number_of_processes_comes_to_the_same),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(random_plans_keep_it_with_new_processes),
        cmocka_unit_test(random_plans_keep_it_with_spare_processes),
        cmocka_unit_test(a_schedule_is_followed),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
