/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the parts of act that need no MPI world: packing, the shared state, changes, the
 * registry, and lines. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "act/members/change.h"
#include "act/doors/line.h"
#include "act/startover/inputs.h"
#include "base/data/pack.h"
#include "act/data/registry.h"

static void packs_give_back_what_was_put(void **state)
{
    (void)state;
    xmpi_pack_t pack = {0};
    int numbers[3] = {1, 2, 3}, n = 0, single = 0;
    xmpi_pack_put_text(&pack, "first");
    xmpi_pack_put_array(&pack, numbers, 3, sizeof *numbers);
    xmpi_pack_put(&pack, &numbers[1], sizeof numbers[1]);
    assert_string_equal(xmpi_pack_view_text(&pack), "first");
    int *copy = xmpi_pack_get_array(&pack, &n, sizeof *copy);
    assert_int_equal(n, 3);
    assert_memory_equal(copy, numbers, sizeof numbers);
    xmpi_pack_get(&pack, &single, sizeof single);
    assert_int_equal(single, 2);
    assert_int_equal(pack.status, XMPI_OK);
    xmpi_pack_get(&pack, &single, sizeof single); /* nothing left */
    assert_int_equal(pack.status, XMPI_ERR_INTERNAL);
    assert_int_equal(single, 0);
    free(copy);
    xmpi_pack_free(&pack);
}

static xmpi_layout_t layout_of(int n, const int *processes, const int64_t *counts)
{
    xmpi_layout_t layout;
    int64_t next = 0;
    assert_int_equal(xmpi_layout_alloc(&layout, 0, n), XMPI_OK);
    for (int i = 0; i < n; i++) {
        layout.member[i] = (xmpi_member_t){processes[i], {counts[i], next}};
        next += counts[i];
    }
    layout.domain = next;
    return layout;
}

static void changes_follow_from_two_layouts(void **state)
{
    (void)state;
    xmpi_change_t change;
    xmpi_layout_t old = layout_of(3, (int[]){0, 1, 2}, (int64_t[]){4, 3, 3});
    xmpi_layout_t next = layout_of(4, (int[]){0, 7, 2, 8}, (int64_t[]){1, 2, 3, 4});
    assert_int_equal(xmpi_change_make(&old, &next, &change), XMPI_OK);
    assert_int_equal(change.olds, 3);
    assert_int_equal(change.joiners, 2);
    assert_int_equal(change.leavers, 1);
    assert_int_equal(change.transit, 5);
    assert_int_equal(change.new_rank[1], -1); /* process 1 leaves, 7 takes its place */
    assert_int_equal(change.process[3], 7);
    assert_int_equal(change.new_rank[3], 1);
    assert_int_equal(change.new_rank[4], 3);
    assert_int_equal(change.new_block[1].count, 0);
    assert_int_equal(change.new_block[4].displ, 6);
    assert_int_equal(xmpi_change_transit_rank(&change, 8), 4);
    assert_false(xmpi_change_keeps_ranks(&change));
    xmpi_change_free(&change);
    xmpi_layout_free(&old);
    xmpi_layout_free(&next);
}

static void some_shared(xmpi_shared_t *shared, bool can_spawn)
{
    memset(shared, 0, sizeof *shared);
    shared->resources.pes = 3;
    shared->resources.pe = calloc(3, sizeof *shared->resources.pe);
    shared->resources.can_spawn = can_spawn;
    shared->process = calloc(2, sizeof *shared->process);
    shared->processes = 2;
    for (int i = 0; i < 3; i++)
        shared->resources.pe[i].process = i < 2 ? i : -1;
    for (int i = 0; i < 2; i++)
        shared->process[i] = (xmpi_process_t){.used = true, .initial_rank = i, .pe = i};
    shared->layout = layout_of(2, (int[]){0, 1}, (int64_t[]){5, 5});
}

static void commits_keep_track_of_processes(void **state)
{
    (void)state;
    xmpi_shared_t shared;
    some_shared(&shared, true);
    int spawned = xmpi_shared_new_process(&shared, 2);
    assert_int_equal(spawned, 2);
    xmpi_layout_t next = layout_of(2, (int[]){0, 2}, (int64_t[]){5, 5});
    xmpi_shared_commit(&shared, &next);
    assert_int_equal(shared.resources.pe[1].process, -1); /* its PE is free */
    assert_true(shared.process[1].used);                  /* but it is parked, not gone */
    assert_int_equal(shared.resources.pe[2].process, 2);
    next = layout_of(1, (int[]){0}, (int64_t[]){10});
    xmpi_shared_commit(&shared, &next);
    assert_false(shared.process[2].used); /* a spawned one ends */
    assert_int_equal(xmpi_shared_new_process(&shared, 1), 2);
    xmpi_shared_free(&shared);
}

static void pools_park_leavers_where_they_are(void **state)
{
    (void)state;
    xmpi_shared_t shared;
    some_shared(&shared, false);
    xmpi_layout_t next = layout_of(1, (int[]){1}, (int64_t[]){10});
    xmpi_shared_commit(&shared, &next);
    assert_int_equal(shared.resources.pe[0].process, 0);
    assert_true(shared.resources.pe[0].parked);
    assert_true(xmpi_pe_usable(&shared.resources, 0));
    assert_false(xmpi_pe_usable(&shared.resources, 1));
    assert_false(xmpi_pe_usable(&shared.resources, 2));
    xmpi_shared_free(&shared);
}

/* All beginnings and ends of runs, and what cannot be a pack. */
static void sparse_data_travel(void **state)
{
    enum { SIZE = 300 };
    char data[SIZE], copy[SIZE];
    (void)state;
    for (unsigned seed = 0; seed < 2000; seed++) {
        xmpi_pack_t pack = {0};
        unsigned r = seed * 2654435761u + 1;
        size_t size = seed % SIZE;
        for (size_t at = 0; at < size; at++) {
            r = r * 1664525u + 1013904223u;
            data[at] = (char)(at / (1 + seed % 37) % 2 == 0 || r >> 30 != 0 ? 0 : r >> 20);
        }
        xmpi_pack_put_sparse(&pack, data, size);
        xmpi_pack_get_sparse(&pack, copy, size);
        assert_int_equal(pack.status, XMPI_OK);
        assert_int_equal(pack.at, pack.size);
        assert_memory_equal(copy, data, size);
        xmpi_pack_free(&pack);
    }
    memset(data, 0, sizeof data);
    xmpi_pack_t pack = {0};
    xmpi_pack_put_sparse(&pack, data, sizeof data);
    assert_true(pack.size < 16);
    xmpi_pack_get_sparse(&pack, copy, sizeof data - 1);
    assert_int_equal(pack.status, XMPI_ERR_INTERNAL);
    xmpi_pack_free(&pack);
}

static void shared_state_travels(void **state)
{
    (void)state;
    xmpi_shared_t shared, copy = {0};
    xmpi_pack_t pack = {0};
    some_shared(&shared, true);
    strcpy(shared.settings.policy, "random");
    shared.schedule.action = calloc(1, sizeof *shared.schedule.action);
    shared.schedule.actions = 1;
    shared.schedule.action[0].iteration = 42;
    xmpi_shared_put(&pack, &shared);
    xmpi_shared_get(&pack, &copy);
    assert_int_equal(pack.status, XMPI_OK);
    assert_int_equal(pack.at, pack.size);
    assert_string_equal(copy.settings.policy, "random");
    assert_int_equal(copy.schedule.action[0].iteration, 42);
    assert_int_equal(copy.layout.members, shared.layout.members);
    assert_int_equal(copy.layout.domain, shared.layout.domain);
    for (int i = 0; i < copy.layout.members; i++)
        assert_memory_equal(&copy.layout.member[i], &shared.layout.member[i],
                            sizeof *copy.layout.member);
    assert_int_equal(copy.resources.pe[1].process, 1);
    assert_ptr_not_equal(copy.resources.pe, shared.resources.pe);
    xmpi_pack_free(&pack);
    xmpi_shared_free(&copy);
    xmpi_shared_free(&shared);
}

static void registries_write_through_slots(void **state)
{
    (void)state;
    xmpi_registry_t registry = {0};
    double *a = NULL, *alias = NULL;
    int rank = 0;
    long count = 0;
    int64_t value;
    xmpi_array_t *array = xmpi_registry_array(&registry, "a");
    array->slot = &a;
    xmpi_registry_add_alias(&registry, array, &alias);
    xmpi_array_set_pointer(array, &registry);
    assert_ptr_equal(a, &registry);
    assert_ptr_equal(alias, &registry);
    xmpi_registry_add_refresh(&registry, XMPI_GEN_RANK, &rank, sizeof rank);
    xmpi_registry_add_refresh(&registry, XMPI_GEN_COUNT, &count, sizeof count);
    xmpi_registry_refresh(&registry, XMPI_GEN_RANK, 3);
    xmpi_registry_refresh(&registry, XMPI_GEN_COUNT, 5000000000);
    assert_int_equal(rank, 3);
    assert_true(count == 5000000000);
    assert_true(xmpi_registry_value(&registry, XMPI_GEN_COUNT, &value));
    assert_true(value == 5000000000);
    assert_false(xmpi_registry_value(&registry, XMPI_GEN_DISPL, &value));
    xmpi_registry_free(&registry);
}

static void live_values_are_matched_by_name_and_size(void **state)
{
    (void)state;
    xmpi_registry_t from = {0}, to = {0};
    xmpi_pack_t pack = {0};
    int n = 5, m = 6, gone = 7, n2 = 0, m2 = 0;
    long gone2 = -1;
    xmpi_registry_add_live(&from, "gone", &gone, sizeof gone);
    xmpi_registry_add_live(&from, "n", &n, sizeof n);
    xmpi_registry_add_live(&from, "m", &m, sizeof m);
    xmpi_registry_add_live(&to, "n", &n2, sizeof n2);
    xmpi_registry_add_live(&to, "m", &m2, sizeof m2);
    xmpi_registry_add_live(&to, "gone", &gone2, sizeof gone2);
    xmpi_registry_put_lives(&pack, &from);
    xmpi_pack_t once = pack;
    xmpi_registry_get_lives(&once, &to, "m");
    assert_int_equal(m2, 6);
    assert_int_equal(n2, 0);
    xmpi_registry_get_lives(&pack, &to, NULL);
    assert_int_equal(n2, 5);
    assert_int_equal(gone2, -1); /* another size: left alone */
    xmpi_pack_free(&pack);
    xmpi_registry_free(&from);
    xmpi_registry_free(&to);
}

/* What is said is heard; garbage, lies about the length and a line that is cut are not. */
static void lines_carry_words_and_nothing_else(void **state)
{
    (void)state;
    static const uint32_t lie[4] = {0x494D5058, XMPI_WORD_ORDER, 0xffffffff, 0xffffffff};
    static const uint32_t cut[4] = {0x494D5058, XMPI_WORD_ORDER, 100, 0};
    const struct {
        const void *data;
        size_t size;
    } bad[] = {{"", 0}, {"XMPI", 4}, {"GET / HTTP/1.1\r\n\r\n", 18}, {lie, 16}, {cut, 16}};
    xmpi_pack_t said = {0}, heard;
    xmpi_word_t word;
    int fd[2];
    xmpi_pack_put_text(&said, "where it can be met");
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    assert_true(xmpi_line_say(fd[0], XMPI_WORD_HELLO, &said));
    assert_true(xmpi_line_say(fd[0], XMPI_WORD_READY, NULL));
    assert_true(xmpi_line_hear(fd[1], &word, &heard));
    assert_int_equal(word, XMPI_WORD_HELLO);
    assert_string_equal(xmpi_pack_view_text(&heard), "where it can be met");
    xmpi_pack_free(&heard);
    assert_true(xmpi_line_hear(fd[1], &word, &heard));
    assert_int_equal(word, XMPI_WORD_READY);
    assert_int_equal(heard.size, 0);
    xmpi_pack_free(&heard);
    xmpi_line_close(&fd[1]);
    assert_int_equal(fd[1], -1);
    assert_false(xmpi_line_say(fd[0], XMPI_WORD_GO, &said));
    xmpi_line_close(&fd[0]);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
        assert_true(send(fd[0], bad[i].data, bad[i].size, 0) == (ssize_t)bad[i].size);
        xmpi_line_close(&fd[0]);
        assert_false(xmpi_line_hear(fd[1], &word, &heard));
        xmpi_pack_free(&heard);
        xmpi_line_close(&fd[1]);
    }
    xmpi_pack_free(&said);
}

/* A group is forgotten when its last member has left, not before. */
static void groups_end_together(void **state)
{
    (void)state;
    xmpi_shared_t shared;
    some_shared(&shared, true);
    shared.settings.strategy = XMPI_SPAWN_GROUP;
    int first = xmpi_shared_new_process(&shared, 2), second = xmpi_shared_new_process(&shared, 2);
    xmpi_layout_t next = layout_of(4, (int[]){0, 1, first, second}, (int64_t[]){3, 3, 2, 2});
    xmpi_shared_group_joiners(&shared, &next);
    assert_int_equal(shared.process[first].group, 1);
    assert_int_equal(shared.process[second].group, 1);
    assert_false(xmpi_shared_ends_alone(&shared, first));
    xmpi_shared_commit(&shared, &next);
    next = layout_of(3, (int[]){0, 1, first}, (int64_t[]){4, 4, 2});
    xmpi_shared_commit(&shared, &next);
    assert_false(xmpi_shared_group_has_left(&shared, 1));
    xmpi_shared_forget_groups(&shared);
    assert_true(shared.process[second].used); /* parked */
    next = layout_of(2, (int[]){0, 1}, (int64_t[]){5, 5});
    xmpi_shared_commit(&shared, &next);
    assert_true(xmpi_shared_group_has_left(&shared, 1));
    xmpi_shared_forget_groups(&shared);
    assert_false(shared.process[first].used || shared.process[second].used);
    assert_true(shared.process[0].used && shared.process[1].used);
    xmpi_shared_free(&shared);
}

/* Those of each node are a group, who comes to a node by itself or to one that nobody knows is
 * alone; in whatever order they join, those of a unit have their seats together. */
static void each_node_is_a_group(void **state)
{
    (void)state;
    xmpi_shared_t shared;
    xmpi_change_t change;
    xmpi_units_t units;
    some_shared(&shared, true);
    shared.settings.strategy = XMPI_SPAWN_NODES;
    for (int i = 0; i < 2; i++)
        snprintf(shared.resources.pe[i].node, XMPI_NAME_MAX, "n%d", i);
    int joins[5] = {xmpi_shared_new_process(&shared, 1), xmpi_shared_new_process(&shared, 0),
                    xmpi_shared_new_process(&shared, 2), xmpi_shared_new_process(&shared, 1),
                    xmpi_shared_new_process(&shared, 2)};
    xmpi_layout_t next =
        layout_of(7, (int[]){0, 1, joins[0], joins[1], joins[2], joins[3], joins[4]},
                  (int64_t[]){3, 2, 1, 1, 1, 1, 1});
    xmpi_shared_group_joiners(&shared, &next);
    assert_int_equal(shared.process[joins[0]].group, 1);
    assert_int_equal(shared.process[joins[3]].group, 1);
    for (int i = 1; i < 5; i++)
        assert_true(i == 3 || xmpi_shared_ends_alone(&shared, joins[i]));
    assert_int_equal(shared.process[0].group, 0);
    assert_int_equal(xmpi_change_make(&shared.layout, &next, &change), XMPI_OK);
    assert_int_equal(xmpi_change_units(&change, &shared, &units), XMPI_OK);
    assert_int_equal(units.n, 4);
    assert_memory_equal(units.of, ((int[]){0, 1, 2, 0, 3}), 5 * sizeof(int));
    assert_memory_equal(units.first, ((int[]){0, 1, 2, 4}), 4 * sizeof(int));
    assert_memory_equal(units.seat, ((int[]){0, 2, 3, 1, 4}), 5 * sizeof(int));
    xmpi_units_free(&units);
    xmpi_change_free(&change);
    xmpi_layout_free(&next);
    xmpi_shared_free(&shared);
}

/* --- inputs -------------------------------------------------------------------------------------
 */

static xmpi_read_t list[2];
static size_t listed;

static size_t listed_reads(const char *loop, xmpi_read_t *found, size_t most)
{
    assert_string_equal(loop, "heat.c:57");
    assert_true(listed <= most);
    memcpy(found, list, listed * sizeof *list);
    return listed;
}

static void read_as(size_t n, const char *path, uint64_t print)
{
    list[n] = (xmpi_read_t){.print = print};
    strcpy(list[n].path, path);
    listed = n + 1;
}

/* Whoever reads what another one has read has to find the same; others may read other files. */
static void inputs_are_what_others_have_read(void **state)
{
    static const xmpi_restart_t program = {.reads = listed_reads};
    char why[256] = "";
    (void)state;
    read_as(0, "/data/in", 7);
    read_as(1, "/data/part.0", 0);
    xmpi_inputs_t before = xmpi_inputs_of(&program, "heat.c:57");
    assert_int_equal(before.n, 2);
    assert_true(xmpi_inputs_are(&before, &program, "heat.c:57", why, sizeof why));
    read_as(1, "/data/part.1", 5); /* nobody has looked for it */
    assert_true(xmpi_inputs_are(&before, &program, "heat.c:57", why, sizeof why));
    read_as(1, "/data/part.0", 5); /* it was not there */
    assert_false(xmpi_inputs_are(&before, &program, "heat.c:57", why, sizeof why));
    assert_string_equal(why, "its start reads /data/part.0, which is not what it was");
    read_as(0, "/data/in", 8);
    assert_false(xmpi_inputs_are(&before, &program, "heat.c:57", why, sizeof why));
    xmpi_inputs_free(&before);
    assert_true(xmpi_inputs_are(&before, &program, "heat.c:57", why, sizeof why));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packs_give_back_what_was_put),
        cmocka_unit_test(inputs_are_what_others_have_read),
        cmocka_unit_test(changes_follow_from_two_layouts),
        cmocka_unit_test(commits_keep_track_of_processes),
        cmocka_unit_test(pools_park_leavers_where_they_are),
        cmocka_unit_test(sparse_data_travel),
        cmocka_unit_test(shared_state_travels),
        cmocka_unit_test(registries_write_through_slots),
        cmocka_unit_test(live_values_are_matched_by_name_and_size),
        cmocka_unit_test(lines_carry_words_and_nothing_else),
        cmocka_unit_test(groups_end_together),
        cmocka_unit_test(each_node_is_a_group),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
