/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of what a check looks at beside the data: the world outside, and memory that nobody has
 * registered. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/check/statics.h"
#include "act/check/outside.h"
#include "act/check/streams.h"
#include "base/process/own_files.h"
#include "support/command.h"

/* --- the world outside
 * ----------------------------------------------------------------------------- */

static char *dir;

static int make(void **state)
{
    (void)state;
    dir = scratch_make();
    return chdir(dir);
}

static int unmake(void **state)
{
    (void)state;
    int result = chdir("/");
    scratch_remove(dir);
    return result;
}

static void files_that_are_used_are_seen(void **state)
{
    char text[256];
    xmpi_outside_t outside = {0};
    FILE *file = fopen("data", "w+"), *own = fopen("own", "w");
    (void)state;
    assert_int_equal(xmpi_outside_note("own", &outside), XMPI_OK);
    fputs("the runtime's own", own);
    assert_false(xmpi_outside_changed(&outside, text, sizeof text));
    fputs("some text", file); /* in a buffer */
    assert_true(xmpi_outside_changed(&outside, text, sizeof text));
    assert_non_null(strstr(text, "it writes to "));
    assert_non_null(strstr(text, "/data"));
    assert_int_equal(xmpi_outside_note("own", &outside), XMPI_OK);
    rewind(file);
    assert_true(xmpi_outside_changed(&outside, text, sizeof text));
    assert_int_equal(xmpi_outside_note("own", &outside), XMPI_OK);
    FILE *other = fopen("other", "w");
    assert_true(xmpi_outside_changed(&outside, text, sizeof text));
    assert_non_null(strstr(text, "it opens "));
    assert_int_equal(xmpi_outside_note("own", &outside), XMPI_OK);
    fclose(other);
    assert_true(xmpi_outside_changed(&outside, text, sizeof text));
    assert_non_null(strstr(text, "it closes "));
    xmpi_outside_free(&outside);
    fclose(file);
    fclose(own);
}

static atomic_bool over;

static void *open_and_close(void *opened)
{
    while (!atomic_load(&over)) {
        xmpi_own_files_begin();
        FILE *file = fopen("mine", "w");
        fclose(file);
        xmpi_own_files_end();
        atomic_store((atomic_bool *)opened, true);
    }
    return NULL;
}

/* Threads of the runtime open files while the program iterates. */
static void files_of_the_runtime_are_not_seen(void **state)
{
    enum { THREADS = 2, TIMES = 500 };
    char text[256] = "";
    pthread_t thread[THREADS];
    atomic_bool opened = false;
    xmpi_outside_t outside = {0};
    (void)state;
    atomic_store(&over, false);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, open_and_close, &opened), 0);
    while (!atomic_load(&opened))
        ;
    for (int i = 0; i < TIMES; i++) {
        assert_int_equal(xmpi_outside_note("", &outside), XMPI_OK);
        if (xmpi_outside_changed(&outside, text, sizeof text))
            fail_msg("%s", text);
    }
    atomic_store(&over, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    xmpi_outside_free(&outside);
}

static void random_numbers_come_again(void **state)
{
    static char wide[256];
    xmpi_outside_t outside = {0};
    (void)state;
    srandom(7);
    srand48(7);
    for (int kind = 0; kind < 2; kind++) {
        if (kind == 1)
            initstate(9, wide, sizeof wide);
        random();
        drand48();
        assert_int_equal(xmpi_outside_note("", &outside), XMPI_OK);
        long first[40];
        double second = drand48();
        for (int i = 0; i < 40; i++)
            first[i] = i % 2 ? random() : rand();
        xmpi_outside_rewind(&outside);
        assert_true(drand48() == second);
        for (int i = 0; i < 40; i++)
            assert_int_equal(i % 2 ? random() : rand(), first[i]);
    }
    xmpi_outside_free(&outside);
}

static void streams_are_silent_and_come_back(void **state)
{
    (void)state;
    char *text;
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    assert_non_null(freopen("stdout", "w", stdout));
    printf("before");
    xmpi_streams_drop("a test");
    printf(" in between");
    xmpi_streams_restore();
    xmpi_streams_restore(); /* once is enough */
    printf(" after");
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    text = read_file("stdout", NULL);
    assert_string_equal(text, "before after");
    free(text);
}

/* --- memory
 * ---------------------------------------------------------------------------------------- */

/* What stands at CHANGED in a caller's frame; NULL: in its own. */
__attribute__((noinline)) static void change_within(volatile double *changed, char *name, int size)
{
    static xmpi_registry_t registry;
    static xmpi_memory_t memory;
    volatile double own = 1;
    const char *frame = (const char *)(uintptr_t)&own;
    assert_int_equal(xmpi_memory_note(&registry, NULL, 0, frame, 1 << 24, &memory), XMPI_OK);
    *(changed != NULL ? changed : &own) += 0.5;
    assert_int_equal(xmpi_memory_put_back(&memory, name, size), sizeof own);
    xmpi_memory_free(&memory);
    assert_true(own == 1);
}

static void a_place_of_the_stack_is_named(void **state)
{
    volatile double local = 1;
    static char name[64];
    (void)state;
    change_within(NULL, name, sizeof name);
    assert_string_equal(name, "the stack of change_within()");
    change_within(&local, name, sizeof name);
    assert_string_equal(name, "the stack of a_place_of_the_stack_is_named()");
}

/* In a program that has the library as a part of it nothing static is looked at, but the stack is.
 */
static void the_stack_is_put_back(void **state)
{
    volatile double local = 1;
    volatile int live = 1;
    double *volatile pointer = malloc(sizeof *pointer);
    double *first = pointer;
    static xmpi_registry_t registry; /* not on the stack, like the next ones */
    static xmpi_memory_t memory;
    static char name[64];
    (void)state;
    xmpi_registry_add_live(&registry, "live", (void *)(uintptr_t)&live, sizeof live);
    const char *frame = (const char *)(uintptr_t)&local;
    frame = (const char *)(uintptr_t)&live < frame ? (const char *)(uintptr_t)&live : frame;
    frame = (const char *)(uintptr_t)&pointer < frame ? (const char *)(uintptr_t)&pointer : frame;
    assert_int_equal(xmpi_memory_note(&registry, NULL, 0, frame, 16, &memory), XMPI_ERR_MEMORY);
    assert_int_equal(xmpi_memory_note(&registry, NULL, 0, frame, 1 << 24, &memory), XMPI_OK);
    local = 1.5;
    live = 2;
    pointer = malloc(sizeof *pointer);
    assert_int_equal(xmpi_memory_put_back(&memory, name, sizeof name), sizeof local);
    assert_string_equal(name, "the stack of the_stack_is_put_back()");
    assert_true(local == 1);
    assert_int_equal(live, 2);            /* it is registered */
    assert_ptr_not_equal(pointer, first); /* an address stays */
    xmpi_memory_free(&memory);
    xmpi_registry_free(&registry);
    free(first);
    free(pointer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(files_that_are_used_are_seen, make, unmake),
        cmocka_unit_test_setup_teardown(files_of_the_runtime_are_not_seen, make, unmake),
        cmocka_unit_test_setup_teardown(random_numbers_come_again, make, unmake),
        cmocka_unit_test_setup_teardown(streams_are_silent_and_come_back, make, unmake),
        cmocka_unit_test(the_stack_is_put_back),
        cmocka_unit_test(a_place_of_the_stack_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
