/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the exact division for any monotone cost of a block. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "decide/partition/partition.h"

enum { MEMBERS = 4, ROWS = 12 };

/* Members with a speed, a disk that is asked once for each piece, and memory, beyond which there is
 * a step; some cannot have more than a limit at all. */
typedef struct {
    double row[MEMBERS], seek[MEMBERS], step[MEMBERS];
    int64_t piece[MEMBERS], memory[MEMBERS], limit[MEMBERS];
    double weight[ROWS];
} scene_t;

static double cost(const void *context, int i, int64_t begin, int64_t end)
{
    const scene_t *scene = context;
    int64_t rows = end - begin;
    double weight = 0;
    for (int64_t row = begin; row < end; row++)
        weight += scene->weight[row];
    if (rows > scene->limit[i])
        return INFINITY;
    double seconds = weight * scene->row[i];
    if (rows > scene->memory[i])
        seconds += scene->step[i] +
                   scene->seek[i] * (double)((rows + scene->piece[i] - 1) / scene->piece[i]);
    return seconds;
}

static double makespan(const scene_t *scene, int n, const int64_t *ends)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        int64_t begin = i == 0 ? 0 : ends[i - 1];
        most = fmax(most, ends[i] > begin ? cost(scene, i, begin, ends[i]) : 0);
    }
    return most;
}

/* The smallest makespan, where the ends before member FROM are set. */
static double brute_force(const scene_t *scene, int n, int64_t domain, int from, int64_t *ends)
{
    int64_t least = domain >= n, begin = from == 0 ? 0 : ends[from - 1];
    double best = INFINITY;
    if (from == n - 1) {
        ends[from] = domain;
        return domain - begin >= least ? makespan(scene, n, ends) : INFINITY;
    }
    for (int64_t end = begin + least; end <= domain; end++) {
        ends[from] = end;
        best = fmin(best, brute_force(scene, n, domain, from + 1, ends));
    }
    return best;
}

static double uniform(void)
{
    return (double)rand() / RAND_MAX;
}

static void random_scene(scene_t *scene, int limited)
{
    for (int i = 0; i < MEMBERS; i++) {
        scene->row[i] = 0.1 + uniform();
        scene->seek[i] = rand() % 2 * uniform();
        scene->step[i] = rand() % 2 * 3 * uniform();
        scene->piece[i] = 1 + rand() % 3;
        scene->memory[i] = rand() % ROWS;
        scene->limit[i] = limited ? rand() % ROWS : ROWS;
    }
    for (int row = 0; row < ROWS; row++)
        scene->weight[row] = rand() % 3 == 0 ? 0 : 1 + rand() % 3;
}

/* To the bit, and refused where nothing is possible. */
static void the_makespan_is_that_of_brute_force(void **state)
{
    (void)state;
    srand(11);
    int refused = 0;
    for (int round = 0; round < 4000; round++) {
        scene_t scene;
        xmpi_block_t blocks[MEMBERS];
        xmpi_error_t error;
        int64_t ends[MEMBERS], domain = rand() % (ROWS + 1);
        int n = 1 + rand() % MEMBERS;
        random_scene(&scene, round % 4 == 0);
        double best = brute_force(&scene, n, domain, 0, ends);
        xmpi_status_t status = xmpi_partition_costs(domain, n, cost, &scene, blocks, &error);
        assert_int_equal(status, isinf(best) ? XMPI_ERR_INPUT : XMPI_OK);
        refused += isinf(best) != 0;
        if (isinf(best))
            continue;
        for (int i = 0; i < n; i++) {
            assert_true(blocks[i].count >= (domain >= n));
            assert_int_equal(blocks[i].displ, i == 0 ? 0 : ends[i - 1]);
            ends[i] = blocks[i].displ + blocks[i].count;
        }
        assert_int_equal(ends[n - 1], domain);
        if (makespan(&scene, n, ends) > best)
            fail_msg("round %d: makespan %.17g, possible %.17g", round, makespan(&scene, n, ends),
                     best);
    }
    assert_true(refused > 10);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    scene_t scene;
    xmpi_block_t block;
    xmpi_error_t error;
    random_scene(&scene, 0);
    assert_int_equal(xmpi_partition_costs(-1, 1, cost, &scene, &block, &error), XMPI_ERR_INPUT);
    assert_int_equal(xmpi_partition_costs(1, 0, cost, &scene, &block, &error), XMPI_ERR_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_makespan_is_that_of_brute_force),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
