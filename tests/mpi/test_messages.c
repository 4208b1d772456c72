/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of how the number of the runtime's messages grows with the members. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "support/command.h"
#include "support/messages.h"

enum { FEW = 8, SOME = 32, MANY = 64 };

static double order(int p)
{
    return p * log2(p);
}

/* A gather and a broadcast decide; a change takes some collective operations more, each of which
 * has p log p messages. An operation with the square of p would be eight times as far from FEW to
 * MANY. Looking for memory to share in a world that ends with the next change made it 5.3 p log p.
 */
static void messages_grow_no_faster_than_p_log_p(void **state)
{
    (void)state;
    char *dir = scratch_make();
    messages_t few, many;
    assert_int_equal(messages_build(dir), 0);
    assert_int_equal(messages_count(dir, FEW, &few), 0);
    assert_int_equal(messages_count(dir, MANY, &many), 0);
    scratch_remove(dir);
    if (many.interval < MANY || many.interval > 3 * MANY)
        fail_msg("%g messages in an interval of %d members", many.interval, MANY);
    if (many.change <= many.interval || many.change / order(MANY) > 1.3 * few.change / order(FEW) ||
        many.change / order(MANY) > 5)
        fail_msg("%g messages in a change of %d members, %g of %d", few.change, FEW, many.change,
                 MANY);
}

/* Two for each process in each agreement, which together with the world and the objects of MPI that
 * are made anew come to 10 p log p; agreements by MPI_Allreduce, and a communicator for messages
 * under way, made it 17. */
static void moving_a_program_takes_few_messages(void **state)
{
    (void)state;
    char *dir = scratch_make();
    double messages = 0;
    assert_int_equal(messages_of_move(dir, SOME, &messages), 0);
    scratch_remove(dir);
    if (messages < SOME || messages > 12 * order(SOME))
        fail_msg("%g messages in a move of one of %d programs", messages, SOME);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moving_a_program_takes_few_messages),
        cmocka_unit_test(messages_grow_no_faster_than_p_log_p),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
