/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the messages that collective operations are made of: everybody gets what is due. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "decide/messages/messages.h"

enum { MOST = 33 };

/* What all members send in an operation, as a table. */
typedef struct {
    int members, rank;
    int64_t bytes[MOST][MOST], messages[MOST][MOST];
} table_t;

static void note(void *taker, int peer, int64_t messages, int64_t bytes)
{
    table_t *table = taker;
    assert_in_range(peer, 0, table->members - 1);
    assert_int_not_equal(peer, table->rank);
    assert_true(bytes >= 0);
    table->bytes[table->rank][peer] += bytes;
    table->messages[table->rank][peer] += messages;
}

static const table_t *all(xmpi_operation_t operation)
{
    static table_t table;
    memset(&table, 0, sizeof table);
    table.members = operation.members;
    for (int rank = 0; rank < operation.members; rank++) {
        table.rank = operation.rank = rank;
        xmpi_messages(&operation, note, &table);
    }
    return &table;
}

static int64_t received(const table_t *table, int rank)
{
    int64_t sum = 0;
    for (int i = 0; i < table->members; i++)
        sum += table->bytes[i][rank];
    return sum;
}

static int64_t sent(const table_t *table, int rank)
{
    int64_t sum = 0;
    for (int i = 0; i < table->members; i++)
        sum += table->bytes[rank][i];
    return sum;
}

static int64_t total(const table_t *table)
{
    int64_t sum = 0;
    for (int i = 0; i < table->members; i++)
        sum += sent(table, i);
    return sum;
}

static int power_of(int members)
{
    int power = 1;
    while (2 * power <= members)
        power *= 2;
    return power;
}

/* Runs CHECK for members, roots and sizes of all kinds. */
static void for_all(void (*check)(int members, int root, int64_t bytes))
{
    static const int64_t sizes[] = {8, 64, 1000, 2048, 13000, 100000, 1 << 20};
    for (int members = 2; members <= MOST; members++)
        for (int root = 0; root < members; root += 1 + members / 4)
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
                check(members, root, sizes[i] / 8 * 8);
}

static void bcast(int members, int root, int64_t bytes)
{
    for (int posted = 0; posted <= 1; posted++) {
        const table_t *table = all((xmpi_operation_t){.kind = XMPI_KIND_BCAST,
                                                      .posted = posted,
                                                      .members = members,
                                                      .root = root,
                                                      .bytes = bytes});
        bool tree = members < 8 || bytes <= 12288;
        for (int rank = 0; rank < members; rank++)
            assert_true(rank == root || received(table, rank) >= bytes);
        if (tree)
            assert_int_equal(total(table), (members - 1) * bytes);
        else /* a scatter, and each part once to each: nobody gets much more than twice */
            assert_true(total(table) <= (members - 1) * bytes * 2);
    }
}

static void gather(int members, int root, int64_t bytes)
{
    const table_t *table = all((xmpi_operation_t){
        .kind = XMPI_KIND_GATHER, .members = members, .root = root, .bytes = bytes});
    for (int rank = 0; rank < members; rank++) /* what comes, and the own block, goes on */
        assert_int_equal(rank == root ? received(table, rank)
                                      : sent(table, rank) - received(table, rank),
                         rank == root ? (members - 1) * bytes : bytes);
    table = all((xmpi_operation_t){
        .kind = XMPI_KIND_GATHERV, .members = members, .root = root, .bytes = bytes});
    assert_int_equal(received(table, root), (members - 1) * bytes);
    assert_int_equal(total(table), (members - 1) * bytes);
}

static void scatter(int members, int root, int64_t bytes)
{
    int64_t block[MOST] = {0}, sum = 0;
    const table_t *table = all((xmpi_operation_t){
        .kind = XMPI_KIND_SCATTER, .members = members, .root = root, .bytes = bytes});
    for (int rank = 0; rank < members; rank++)
        assert_int_equal(rank == root ? sent(table, rank)
                                      : received(table, rank) - sent(table, rank),
                         rank == root ? (members - 1) * bytes : bytes);
    for (int rank = 0; rank < members; rank++)
        sum += (block[rank] = rank * bytes);
    table = all((xmpi_operation_t){
        .kind = XMPI_KIND_SCATTERV, .members = members, .root = root, .block = block});
    assert_int_equal(sent(table, root), sum - block[root]);
    assert_int_equal(total(table), sum - block[root]);
}

/* Everybody gets all that is not its own, once. */
static void allgather(int members, int root, int64_t bytes)
{
    int64_t block[MOST] = {0}, sum = 0;
    const table_t *table =
        all((xmpi_operation_t){.kind = XMPI_KIND_ALLGATHER, .members = members, .bytes = bytes});
    for (int rank = 0; rank < members; rank++) {
        assert_int_equal(received(table, rank), (members - 1) * bytes);
        sum += (block[rank] = (rank * 7 + root) % 5 * bytes);
    }
    table =
        all((xmpi_operation_t){.kind = XMPI_KIND_ALLGATHERV, .members = members, .block = block});
    for (int rank = 0; rank < members; rank++)
        assert_int_equal(received(table, rank), sum - block[rank]);
}

static void alltoall(int members, int root, int64_t bytes)
{
    int64_t block[MOST] = {0}, most = 0;
    const table_t *table =
        all((xmpi_operation_t){.kind = XMPI_KIND_ALLTOALL, .members = members, .bytes = bytes});
    for (int rank = 0; rank < members; rank++) {
        assert_true(received(table, rank) >= (members - 1) * bytes);
        assert_int_equal(received(table, rank), sent(table, rank));
        for (int peer = 0; peer < members && (members <= 8 || bytes > 256); peer++)
            assert_int_equal(table->bytes[rank][peer], rank != peer ? bytes : 0);
    }
    for (int rank = 0; rank < members; rank++)
        most += (block[rank] = rank == root ? 0 : bytes + rank);
    table =
        all((xmpi_operation_t){.kind = XMPI_KIND_ALLTOALLV, .members = members, .block = block});
    for (int rank = 0; rank < members; rank++) {
        assert_int_equal(sent(table, rank), most - block[rank]);
        assert_int_equal(table->messages[rank][root], 0);
    }
}

/* With P' the power of 2 below: what is left over goes there and back, the rest is 2 n (P' - 1) /
 * P' for each, or n log P' (Thakur, Rabenseifner and Gropp, 2005). */
static void allreduce(int members, int root, int64_t bytes)
{
    (void)root;
    int power = power_of(members), steps = 0, extra = members - power;
    while (1 << steps < power)
        steps++;
    for (int own = 0; own <= 1; own++) {
        const table_t *table = all((xmpi_operation_t){.kind = XMPI_KIND_ALLREDUCE,
                                                      .members = members,
                                                      .own = own,
                                                      .bytes = bytes,
                                                      .elements = bytes / 8});
        bool halves = !own && bytes > 8 && bytes / 8 >= power;
        assert_int_equal(total(table), 2 * extra * bytes + (halves ? 2 * (power - 1) * bytes
                                                                   : steps * power * bytes));
    }
}

static void reduce(int members, int root, int64_t bytes)
{
    int power = power_of(members), steps = 0, extra = members - power;
    while (1 << steps < power)
        steps++;
    for (int ordered = 0; ordered <= 1; ordered++) {
        const table_t *table = all((xmpi_operation_t){.kind = XMPI_KIND_REDUCE,
                                                      .members = members,
                                                      .root = root,
                                                      .own = ordered,
                                                      .ordered = ordered,
                                                      .bytes = bytes,
                                                      .elements = bytes / 8});
        bool halves = !ordered && bytes > 2048 && bytes / 8 >= power;
        if (!halves)
            assert_int_equal(total(table), (members - 1 + (ordered && root != 0)) * bytes);
        else /* halving, and a gather up a tree; a root that has handed over gets a part more */
            assert_in_range(total(table) - extra * bytes - (power - 1) * bytes,
                            steps * bytes / 2 - 8 * power,
                            steps * bytes / 2 + bytes / power + 8 * power);
        assert_true(received(table, root) > 0);
    }
}

static void reduce_scatter(int members, int root, int64_t bytes)
{
    (void)root;
    int64_t sum = members * bytes;
    int power = power_of(members), extra = members - power;
    const table_t *table = all((xmpi_operation_t){.kind = XMPI_KIND_REDUCE_SCATTER,
                                                  .members = members,
                                                  .bytes = bytes,
                                                  .elements = bytes / 8});
    if (sum >= 524288)
        assert_int_equal(total(table), members * (members - 1) * bytes);
    else
        assert_int_equal(total(table), extra * sum + (power - 1) * sum + extra * bytes);
}

static void test_a_broadcast_reaches_all(void **state)
{
    (void)state;
    for_all(bcast);
}

static void test_blocks_go_to_a_root_and_come_from_it(void **state)
{
    (void)state;
    for_all(gather);
    for_all(scatter);
}

static void test_all_get_what_all_have(void **state)
{
    (void)state;
    for_all(allgather);
    for_all(alltoall);
}

static void test_reductions_move_what_the_literature_says(void **state)
{
    (void)state;
    for_all(allreduce);
    for_all(reduce);
    for_all(reduce_scatter);
}

static void test_nothing_goes_where_there_is_nobody_or_nothing(void **state)
{
    (void)state;
    for (int kind = 0; kind < XMPI_KINDS; kind++) {
        int64_t block[MOST] = {0};
        const table_t *table = all(
            (xmpi_operation_t){.kind = (xmpi_kind_t)kind, .members = 1, .bytes = 8, .elements = 1});
        assert_int_equal(total(table), 0);
        table = all((xmpi_operation_t){.kind = (xmpi_kind_t)kind, .members = 7, .block = block});
        assert_int_equal(total(table), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_broadcast_reaches_all),
        cmocka_unit_test(test_blocks_go_to_a_root_and_come_from_it),
        cmocka_unit_test(test_all_get_what_all_have),
        cmocka_unit_test(test_reductions_move_what_the_literature_says),
        cmocka_unit_test(test_nothing_goes_where_there_is_nobody_or_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
