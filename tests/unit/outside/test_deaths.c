/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of whom a process cannot go on without. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "program/life/deaths.h"

enum { PROCESSES = 5 };

typedef struct {
    xmpi_shared_t shared;
    xmpi_process_t process[PROCESSES];
    xmpi_deaths_t deaths;
} scene_t;

static void lay_out(xmpi_layout_t *layout, int members, const int *process)
{
    xmpi_layout_free(layout);
    assert_int_equal(xmpi_layout_alloc(layout, 100, members), XMPI_OK);
    for (int i = 0; i < members; i++)
        layout->member[i].process = process[i];
}

/* The processes 0, 1, and 2 are members, at doors 1, 2 and 3. */
static void begin(scene_t *scene)
{
    *scene = (scene_t){.shared = {.process = scene->process, .processes = PROCESSES},
                       .deaths = {.lock = PTHREAD_MUTEX_INITIALIZER}};
    for (int i = 0; i < PROCESSES; i++)
        scene->process[i].door.name = (uint64_t)i + 1;
    lay_out(&scene->shared.layout, 3, (const int[]){0, 1, 2});
}

static void end(scene_t *scene)
{
    xmpi_layout_free(&scene->shared.layout);
    xmpi_deaths_watch_only(&scene->deaths, NULL);
}

/* The names of the doors that are looked at, as a number in decimal. */
static int watched(const scene_t *scene)
{
    int names = 0;
    for (int i = 0; i < scene->deaths.n; i++)
        names = 10 * names + (int)scene->deaths.door[i].name;
    return names;
}

static void the_leader_looks_after_all_and_they_after_it(void **state)
{
    (void)state;
    scene_t scene;
    xmpi_layout_t next = {0};
    begin(&scene);
    xmpi_deaths_watch(&scene.deaths, &scene.shared, NULL, 0);
    assert_int_equal(watched(&scene), 123);
    assert_true(scene.deaths.tells);
    for (int rank = 1; rank < 3; rank++) {
        xmpi_deaths_watch(&scene.deaths, &scene.shared, NULL, rank);
        assert_int_equal(watched(&scene), 1);
        assert_int_equal(scene.deaths.tells, rank == 1);
    }
    lay_out(&next, 4, (const int[]){0, 2, 4, 3});
    xmpi_deaths_watch(&scene.deaths, &scene.shared, &next, 0);
    assert_int_equal(watched(&scene), 123354);
    xmpi_deaths_watch_next(&scene.deaths, &scene.shared, &next, 0);
    assert_int_equal(watched(&scene), 1354);
    lay_out(&next, 1, (const int[]){3});
    xmpi_deaths_watch_next(&scene.deaths, &scene.shared, &next, 1);
    assert_int_equal(watched(&scene), 4);
    xmpi_layout_free(&next);
    end(&scene);
}

static void a_move_between_the_same_members_lists_nobody_anew(void **state)
{
    (void)state;
    scene_t scene;
    xmpi_layout_t next = {0};
    begin(&scene);
    lay_out(&next, 3, (const int[]){0, 1, 2});
    xmpi_deaths_watch(&scene.deaths, &scene.shared, NULL, 0);
    const xmpi_door_t *door = scene.deaths.door;
    xmpi_deaths_watch(&scene.deaths, &scene.shared, &next, 0);
    assert_ptr_equal(scene.deaths.door, door);
    assert_int_equal(watched(&scene), 123);
    xmpi_deaths_watch(&scene.deaths, &scene.shared, NULL, 0);
    assert_ptr_equal(scene.deaths.door, door);
    xmpi_layout_free(&next);
    end(&scene);
}

static void a_process_with_another_door_is_looked_for_there(void **state)
{
    (void)state;
    scene_t scene;
    begin(&scene);
    xmpi_deaths_watch(&scene.deaths, &scene.shared, NULL, 0);
    scene.process[2].door.name = 9;
    xmpi_deaths_watch(&scene.deaths, &scene.shared, NULL, 0);
    assert_int_equal(watched(&scene), 129);
    lay_out(&scene.shared.layout, 2, (const int[]){0, 1});
    xmpi_deaths_watch(&scene.deaths, &scene.shared, NULL, 0);
    assert_int_equal(watched(&scene), 12);
    end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_leader_looks_after_all_and_they_after_it),
        cmocka_unit_test(a_move_between_the_same_members_lists_nobody_anew),
        cmocka_unit_test(a_process_with_another_door_is_looked_for_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
