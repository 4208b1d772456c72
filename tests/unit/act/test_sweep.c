/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of sweeps: which chunks of an array that is out of core are in memory when. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "act/outofcore/sweep.h"

/* A pass over all chunks, in which each must be in memory, or has to be waited for; gives how many
 * were, the most that there were at a time, and adds those that came from the disk to BROUGHT. */
static int64_t pass(xmpi_sweep_t *sweep, bool backward, int64_t *most, int64_t *brought)
{
    int64_t waited = 0;
    for (int64_t i = 0; i < sweep->chunks; i++) {
        int64_t chunk = backward ? sweep->chunks - 1 - i : i;
        if (xmpi_sweep_holds(sweep, chunk))
            continue;
        waited += sweep->state[chunk] == XMPI_CHUNK_OUT;
        *brought += sweep->state[chunk] == XMPI_CHUNK_OUT;
        if (sweep->state[chunk] == XMPI_CHUNK_USED)
            continue;
        xmpi_sweep_use(sweep, chunk);
        for (int64_t gone; (gone = xmpi_sweep_let_go(sweep)) >= 0;) {
            assert_true(!xmpi_sweep_holds(sweep, gone) && gone != chunk);
            assert_int_equal(sweep->state[gone], XMPI_CHUNK_OUT);
        }
        for (int64_t next; (next = xmpi_sweep_read(sweep)) >= 0; (*brought)++)
            assert_int_equal(sweep->state[next], XMPI_CHUNK_READ);
        *most = sweep->n > *most ? sweep->n : *most;
    }
    return waited;
}

/* So many stay as there is room for, and any stretch has its share of them, but for one. */
static void expect_even(const xmpi_sweep_t *sweep)
{
    int64_t held = 0;
    for (int64_t i = 0; i < sweep->chunks; i++) {
        held += xmpi_sweep_holds(sweep, i);
        int64_t excess = held * sweep->chunks - (i + 1) * sweep->held;
        assert_true(excess > -sweep->chunks && excess < sweep->chunks);
    }
    assert_int_equal(held, sweep->held);
}

static void passes_find_what_they_need_in_memory(void **state)
{
    (void)state;
    for (int backward = 0; backward < 2; backward++)
        for (int64_t chunks = 1; chunks < 300; chunks += 7)
            for (int64_t memory = 0; memory < 100; memory += 11) {
                xmpi_sweep_t sweep;
                int64_t most = 0, brought = 0;
                assert_int_equal(xmpi_sweep_open(&sweep, chunks), XMPI_OK);
                xmpi_sweep_room(&sweep, memory);
                expect_even(&sweep);
                pass(&sweep, backward, &most, &brought);
                int64_t waited = pass(&sweep, backward, &most, &brought) +
                                 pass(&sweep, backward, &most, &brought);
                if (waited > 2)
                    fail_msg("%d chunks, room for %d: %d were waited for", (int)chunks, (int)memory,
                             (int)waited);
                assert_true(most <= sweep.room);
                assert_true(sweep.held + sweep.room + sweep.leaving <= (memory > 4 ? memory : 4));
                xmpi_sweep_free(&sweep);
            }
}

/* Passes one way bring all chunks that do not stay, each once, and come to as many; those that turn
 * at the end find there what they used last. Which chunks stay makes no difference to either, but
 * to when the disk has something to do. */
static void a_pass_brings_what_does_not_stay(void **state)
{
    enum { PASSES = 10 };
    (void)state;
    for (int64_t chunks = 40; chunks < 300; chunks += 13)
        for (int64_t memory = 0; memory < chunks / 2; memory += 7) {
            xmpi_sweep_t sweep;
            int64_t most = 0, one_way = 0, turning = 0;
            assert_int_equal(xmpi_sweep_open(&sweep, chunks), XMPI_OK);
            xmpi_sweep_room(&sweep, memory);
            int64_t others = chunks - sweep.held;
            pass(&sweep, false, &most, &one_way);
            one_way = sweep.used = 0;
            for (int i = 0; i < PASSES; i++)
                pass(&sweep, false, &most, &one_way);
            assert_int_equal(one_way, PASSES * others);
            assert_int_equal(sweep.used, PASSES * others);
            pass(&sweep, true, &most, &turning);
            turning = 0;
            for (int i = 0; i < PASSES; i++)
                pass(&sweep, i % 2, &most, &turning);
            assert_true(turning <= PASSES * others);
            xmpi_sweep_free(&sweep);
        }
}

/* Seconds of a pass, in which chunks take 1 to be gone through, and READ to come from a disk that
 * brings one after the other. */
static double timed_pass(xmpi_sweep_t *sweep, bool backward, double read, double *disk,
                         double *there)
{
    double begin = *disk, now = begin;
    for (int64_t i = 0; i < sweep->chunks; i++, now++) {
        int64_t chunk = backward ? sweep->chunks - 1 - i : i;
        if (xmpi_sweep_holds(sweep, chunk) || sweep->state[chunk] == XMPI_CHUNK_USED)
            continue;
        if (sweep->state[chunk] == XMPI_CHUNK_OUT)
            there[chunk] = *disk = fmax(*disk, now) + read;
        now = fmax(now, there[chunk]);
        xmpi_sweep_use(sweep, chunk);
        while (xmpi_sweep_let_go(sweep) >= 0)
            ;
        for (int64_t next; (next = xmpi_sweep_read(sweep)) >= 0;)
            there[next] = *disk = fmax(*disk, now) + read;
    }
    *disk = fmax(*disk, now);
    return now - begin;
}

/* As long as the longer of the two takes, the more so where both take as long: while the program is
 * in what stays the disk goes on. (With what stays in one stretch it takes 1.4 times as long.)
 */
static void the_disk_does_not_rest_in_a_pass(void **state)
{
    enum { CHUNKS = 200, MEMORY = 100, PASSES = 6 };
    double there[CHUNKS] = {0};
    (void)state;
    for (int backward = 0; backward < 2; backward++)
        for (double share = 0.5; share <= 2; share *= 2) {
            xmpi_sweep_t sweep;
            double disk = 0, seconds = 0;
            assert_int_equal(xmpi_sweep_open(&sweep, CHUNKS), XMPI_OK);
            xmpi_sweep_room(&sweep, MEMORY);
            double read = share * CHUNKS / (double)(CHUNKS - sweep.held);
            timed_pass(&sweep, backward, read, &disk, there);
            for (int i = 0; i < PASSES; i++)
                seconds += timed_pass(&sweep, backward, read, &disk, there);
            if (seconds > 1.1 * PASSES * CHUNKS * fmax(1, share))
                fail_msg("%g s, %d passes, at %g", seconds, PASSES, share);
            xmpi_sweep_free(&sweep);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_find_what_they_need_in_memory),
        cmocka_unit_test(a_pass_brings_what_does_not_stay),
        cmocka_unit_test(the_disk_does_not_rest_in_a_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
