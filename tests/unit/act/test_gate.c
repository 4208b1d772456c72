/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of gates: processes that share memory come at once, late, and so late that the others sleep
 * elsewhere, and nobody passes before all have come or is left behind. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "act/node/gate.h"

enum { PROCESSES = 5, PASSINGS = 4000, SECONDS = 60 };

typedef struct {
    xmpi_gate_t gate, lent[PROCESSES];
    xmpi_gate_place_t place[PROCESSES], lending[PROCESSES];
    _Atomic int passings[PROCESSES], read[PROCESSES];
    _Atomic int slept;
} shared_t;

static shared_t *shared;
static int bell[PROCESSES][2], me;

static xmpi_gate_place_t *place(void *context, int rank)
{
    (void)context;
    return &shared->place[rank];
}

static xmpi_gate_place_t *lending(void *context, int rank)
{
    (void)context;
    return &shared->lending[rank];
}

static void ring(void *context, int rank)
{
    (void)context;
    if (write(bell[rank][1], "r", 1) != 1)
        _exit(2);
}

static void sleep_elsewhere(void *context)
{
    char byte;
    (void)context;
    shared->slept++;
    if (read(bell[me][0], &byte, 1) != 1)
        _exit(3);
}

/* Seldom so late that others lose their patience. */
static void tarry(unsigned *seed)
{
    int how = rand_r(seed) % 200;
    if (how == 0)
        usleep(3500 + (useconds_t)rand_r(seed) % 2000);
    else if (how < 20)
        usleep((useconds_t)rand_r(seed) % 300);
}

static void pass(int passing, unsigned *seed)
{
    const xmpi_gate_visit_t visit = {
        .first = 0, .n = PROCESSES, .place = place, .ring = ring, .sleep = sleep_elsewhere};
    uint32_t opening = xmpi_gate_next(&shared->gate);
    tarry(seed);
    shared->passings[me] = passing;
    xmpi_gate_stand(&shared->gate, &shared->place[me]);
    xmpi_gate_come(&shared->gate, &visit);
    xmpi_gate_wait(&shared->gate, &visit, me, opening);
    for (int i = 0; i < PROCESSES; i++)
        if (shared->passings[i] < passing)
            _exit(4); /* it has not come */
}

/* Each reads what the next two have, who wait for that. */
static void lend(int passing, unsigned *seed)
{
    uint32_t opening = xmpi_gate_next(&shared->lent[me]);
    xmpi_gate_need(&shared->lent[me], 2);
    xmpi_gate_stand(&shared->lent[me], &shared->lending[me]);
    pass(passing, seed);
    for (int i = 1; i <= 2; i++) {
        int owner = (me + i) % PROCESSES;
        const xmpi_gate_visit_t visit = {
            .first = owner, .n = 1, .place = lending, .ring = ring, .sleep = sleep_elsewhere};
        tarry(seed);
        shared->read[owner]++;
        xmpi_gate_come(&shared->lent[owner], &visit);
    }
    const xmpi_gate_visit_t visit = {
        .first = me, .n = 1, .place = lending, .ring = ring, .sleep = sleep_elsewhere};
    xmpi_gate_wait(&shared->lent[me], &visit, me, opening);
    if (shared->read[me] != 2)
        _exit(5);
    shared->read[me] = 0;
}

static void start(int rank, void (*what)(int, unsigned *))
{
    unsigned seed = (unsigned)rank + 1;
    if (fork() != 0)
        return;
    me = rank;
    alarm(SECONDS);
    for (int i = 1; i <= PASSINGS; i++)
        what(i, &seed);
    _exit(0);
}

static void run(void (*what)(int, unsigned *))
{
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(shared, MAP_FAILED);
    xmpi_gate_need(&shared->gate, PROCESSES);
    for (int i = 0; i < PROCESSES; i++)
        assert_int_equal(pipe(bell[i]), 0);
    for (int i = 0; i < PROCESSES; i++)
        start(i, what);
    for (int i = 0, status; i < PROCESSES; i++) {
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    assert_true(shared->slept > 0); /* what is to be tested has happened */
    for (int i = 0; i < PROCESSES; i++) {
        close(bell[i][0]);
        close(bell[i][1]);
    }
    munmap(shared, sizeof *shared);
}

static void nobody_passes_before_all_have_come(void **state)
{
    (void)state;
    run(pass);
}

static void who_lends_waits_for_the_readers_alone(void **state)
{
    (void)state;
    run(lend);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nobody_passes_before_all_have_come),
                                       cmocka_unit_test(who_lends_waits_for_the_readers_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
