/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of blocks that are on files: what they hold, what is in memory, and disks that fail. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "act/moving/storage/on_disk.h"
#include "act/outofcore/outofcore.h"
#include "support/simulated_world.h"

enum { MIB = 1 << 20 };

/* --- blocks ------------------------------------------------------------------------------------
 */

/* On a disk, where /tmp may be in memory. */
static char folder[] = "/var/tmp/xmpi-test.XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

/* Nothing may be in it. */
static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static uint64_t value(size_t i, uint64_t pass)
{
    return (i + 1) * 2654435761u ^ pass << 40;
}

static size_t resident(const void *block, size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = size / page - 1, n = 0;
    unsigned char *in = malloc(pages);
    assert_int_equal(mincore((void *)(((uintptr_t)block / page + 1) * page), pages * page, in),
                     0); /* NOLINT */
    for (size_t i = 0; i < pages; i++)
        n += in[i] & 1;
    free(in);
    return n * page;
}

static int open_files(void)
{
    int n = 0;
    DIR *files = opendir("/proc/self/fd");
    while (readdir(files) != NULL)
        n++;
    closedir(files);
    return n;
}

/* Waits until no more than MOST bytes of it are in memory. */
static void await(const void *block, size_t size, size_t most)
{
    while (resident(block, size) > most)
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

static void change_all(uint64_t *data, size_t n, uint64_t pass, bool backward)
{
    for (size_t k = 0; k < n; k++) {
        size_t i = backward ? n - 1 - k : k;
        if (data[i] != value(i, pass))
            fail_msg("pass %d, element %zu", (int)pass, i);
        data[i] = value(i, pass + 1);
    }
}

/* Passes over SIZE bytes with MEMORY of them in memory, three and two in different directions. */
static void keep_and_let_go(size_t size, size_t memory)
{
    const size_t n = size / sizeof(uint64_t);
    xmpi_outofcore_t all = {0};
    xmpi_error_t error;
    int files = open_files();
    xmpi_outofcore_set(&all, folder, (int64_t)memory);
    uint64_t *data = malloc(size);
    for (size_t i = 0; i < n / 2; i++)
        data[i] = value(i, 0);
    assert_int_equal(xmpi_outofcore_put(&all, data, &error), XMPI_OK);
    assert_true(xmpi_outofcore_has(&all, data));
    for (size_t i = n / 2; i < n; i++)
        data[i] = value(i, 0);
    for (uint64_t k = 0; k < 5; k++)
        change_all(data, n, k, k >= 3);
    double passes = xmpi_outofcore_passes(&all, data);
    if (!(passes > 0 && passes < 7)) /* half a pass more fills it */
        fail_msg("%g passes are seen", passes);
    assert_true(xmpi_outofcore_passes(&all, data) < 1);
    await(data, size, memory + memory / 4);
    assert_int_equal(xmpi_outofcore_state(&all, &error), XMPI_OK);
    for (size_t i = 0; i < n; i++)
        if (data[i] != value(i, 5))
            fail_msg("element %zu", i);
    xmpi_outofcore_forget(&all, data);
    free(data);
    xmpi_outofcore_close(&all);
    assert_int_equal(open_files(), files);
}

/* Pieces of a chunk, wherever the block begins in memory and whichever way the program goes: one
 * beside the other, all of it, and none twice. */
static void expect_pieces(xmpi_paged_t *paged, int64_t chunk, bool backward)
{
    xmpi_coming_t coming;
    size_t before = (uintptr_t)paged->at % paged->chunk, from = (size_t)chunk * paged->chunk;
    size_t at = backward ? from + paged->chunk - before : chunk == 0 ? 0 : from - before, done = 0;
    size_t bytes = chunk == 0 ? paged->chunk - before : paged->chunk;
    paged->sweep.backward = backward;
    while (done < bytes) {
        assert_true(xmpi_paged_to_read(paged, &coming));
        assert_int_equal(backward ? coming.from + coming.bytes : coming.from, at);
        assert_true(coming.bytes > 0 && coming.bytes <= paged->piece);
        assert_int_equal(coming.first, done == 0);
        at = backward ? coming.from : at + coming.bytes;
        done += coming.bytes;
    }
    assert_int_equal(done, bytes);
}

static void a_chunk_is_read_in_pieces(void **state)
{
    const size_t size = (size_t)12 * MIB;
    (void)state;
    for (size_t shift = 0; shift < 3; shift++)
        for (int backward = 0; backward < 2; backward++) {
            xmpi_paged_t paged;
            xmpi_coming_t coming;
            xmpi_error_t error;
            char *data = malloc(size + shift * 100000);
            assert_int_equal(xmpi_paged_open(&paged, data, malloc_usable_size(data), folder,
                                             (int64_t)16 * MIB, &error),
                             XMPI_OK);
            assert_false(xmpi_paged_to_read(&paged, &coming));
            xmpi_sweep_room(&paged.sweep, 0);
            paged.sweep.backward = backward;
            xmpi_sweep_use(&paged.sweep, backward ? 5 : 0);
            if (backward)
                xmpi_sweep_use(&paged.sweep, 4);
            expect_pieces(&paged, backward ? 3 : 1, backward);
            xmpi_paged_empty(&paged, malloc_usable_size(data));
            xmpi_paged_close(&paged);
            free(data);
        }
}

/* Pages that have not left yet are no sign that the program has come again: what comes next would
 * be read for nothing. */
static void what_is_leaving_is_not_used(void **state)
{
    const size_t size = (size_t)8 * MIB;
    xmpi_paged_t paged;
    xmpi_leave_t leave[32];
    xmpi_error_t error;
    int n = 0, pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
    (void)state;
    char *data = malloc(size);
    assert_int_equal(xmpi_paged_open(&paged, data, malloc_usable_size(data), folder, MIB, &error),
                     XMPI_OK);
    memset(data, 1, size);
    int64_t others = paged.sweep.chunks - paged.sweep.held;
    assert_true(xmpi_paged_follow(&paged, pagemap, 1e9));
    assert_int_equal(paged.sweep.used, others);
    while (n < 32 && xmpi_paged_to_leave(&paged, &leave[n]))
        n++;
    assert_int_equal(paged.leaving, 0);
    paged.next[0] = paged.next[1] = 0;
    assert_false(xmpi_paged_follow(&paged, pagemap, 1e9));
    assert_int_equal(paged.sweep.used, others);
    for (int i = 0; i < n; i++)
        xmpi_paged_has_left(&paged, &leave[i]);
    paged.next[0] = paged.next[1] = 0;
    assert_true(xmpi_paged_follow(&paged, pagemap, 1e9)); /* they are there: it has */
    assert_true(paged.sweep.used > others);
    xmpi_paged_empty(&paged, malloc_usable_size(data));
    xmpi_paged_close(&paged);
    free(data);
    close(pagemap);
}

/* What is read ahead, or not: nothing is where that is not wanted. */
static void nothing_is_read_ahead_where_that_is_not_wanted(void **state)
{
    const size_t size = (size_t)8 * MIB;
    (void)state;
    for (int ahead = 1; ahead >= 0; ahead--) {
        xmpi_outofcore_t all = {0};
        xmpi_error_t error;
        xmpi_outofcore_set(&all, folder, 2 * MIB);
        xmpi_outofcore_read_ahead(&all, ahead);
        char *data = malloc(size);
        assert_int_equal(xmpi_outofcore_put(&all, data, &error), XMPI_OK);
        xmpi_sweep_t *sweep = &all.block[0]->sweep;
        for (size_t i = 0; i < size / 2; i++)
            data[i] = 1;
        bool read = false, asked = false;
        while (!asked || read != (ahead == 1)) {
            pthread_mutex_lock(&all.lock);
            for (int64_t i = 0; i < sweep->chunks; i++) {
                read |= sweep->state[i] == XMPI_CHUNK_READ;
                asked |= sweep->state[i] >= XMPI_CHUNK_ASKED;
            }
            pthread_mutex_unlock(&all.lock);
            if (read && ahead == 0)
                fail_msg("something is read ahead");
        }
        xmpi_outofcore_forget(&all, data);
        free(data);
        xmpi_outofcore_close(&all);
    }
}

/* In pieces in which there are no huge pages, and in those in which there may be. */
static void a_block_is_what_it_was_and_leaves_memory(void **state)
{
    (void)state;
    keep_and_let_go((size_t)48 * MIB, (size_t)8 * MIB);
    keep_and_let_go((size_t)160 * MIB, (size_t)64 * MIB);
}

/* What the program frees is noticed, and what comes to its place is left alone. */
static void a_block_that_was_freed_is_forgotten(void **state)
{
    const size_t size = (size_t)40 * MIB;
    xmpi_outofcore_t all = {0};
    xmpi_error_t error;
    int64_t bytes;
    (void)state;
    xmpi_outofcore_set(&all, folder, 2 * MIB);
    char *data = malloc(size);
    assert_int_equal(xmpi_outofcore_put(&all, data, &error), XMPI_OK);
    memset(data, 1, size);
    free(data);
    char *other = malloc(size);
    memset(other, 2, size);
    while (xmpi_outofcore_blocks(&all, &bytes) > 0)
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    for (size_t i = 0; i < size; i++)
        assert_int_equal(other[i], 2);
    free(other);
    xmpi_outofcore_close(&all);
}

/* The same where malloc has made something smaller, and something else, of its place. */
static void what_comes_to_the_place_of_a_block_is_left_alone(void **state)
{
    const size_t size = 512 << 10, less = 200 << 10;
    xmpi_outofcore_t all = {0};
    xmpi_error_t error;
    (void)state;
    mallopt(M_MMAP_THRESHOLD, MIB);
    xmpi_outofcore_set(&all, folder, MIB);
    char *data = malloc(size), *behind = malloc(less);
    assert_int_equal(xmpi_outofcore_put(&all, data, &error), XMPI_OK);
    free(data);
    char *first = malloc(less), *second = malloc(less);
    assert_ptr_equal(first, data);
    memset(first, 1, less);
    memset(second, 2, less);
    assert_false(xmpi_outofcore_has(&all, first));
    xmpi_outofcore_forget(&all, first);
    for (size_t i = 0; i < less; i++)
        assert_true(first[i] == 1 && second[i] == 2);
    assert_int_equal(xmpi_outofcore_put(&all, first, &error), XMPI_OK);
    xmpi_outofcore_forget(&all, first);
    for (size_t i = 0; i < less; i++)
        assert_int_equal(second[i], 2);
    free(first);
    free(second);
    free(behind);
    xmpi_outofcore_close(&all);
}

/* A block that is put on disk where another was that the program has freed, and of which nobody
 * knows any more: what its pages hold need not be in memory. */
static void what_is_in_the_file_of_a_block_that_was_freed_is_kept(void **state)
{
    const size_t size = (size_t)4 * MIB;
    xmpi_paged_t paged;
    xmpi_error_t error;
    (void)state;
    char *data = malloc(size);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(
            xmpi_paged_open(&paged, data, malloc_usable_size(data), folder, MIB, &error), XMPI_OK);
        if (i == 0)
            memset(data, 3, size);
        for (int64_t chunk = 0; chunk < paged.sweep.chunks; chunk++) {
            int failed = 0;
            xmpi_paged_leave(&paged, &(xmpi_leave_t){.first = chunk, .chunks = 1}, &failed);
            assert_int_equal(failed, 0);
        }
        xmpi_paged_close(&paged);
    }
    for (size_t i = 0; i < size; i++)
        assert_int_equal(data[i], 3);
    xmpi_paged_empty(&paged, malloc_usable_size(data));
    free(data);
}

static void a_disk_that_is_full_leaves_a_block_in_memory(void **state)
{
    const size_t size = (size_t)4 * MIB;
    struct rlimit limit, less;
    xmpi_outofcore_t all = {0};
    xmpi_error_t error;
    (void)state;
    char *data = malloc(size);
    memset(data, 7, size);
    getrlimit(RLIMIT_FSIZE, &limit);
    less = (struct rlimit){.rlim_cur = MIB, .rlim_max = limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &less); /* as good as a full disk */
    xmpi_outofcore_set(&all, folder, MIB);
    assert_int_equal(xmpi_outofcore_put(&all, data, &error), XMPI_ERR_INPUT);
    setrlimit(RLIMIT_FSIZE, &limit);
    assert_non_null(strstr(error.text, folder));
    assert_false(xmpi_outofcore_has(&all, data));
    for (size_t i = 0; i < size; i++)
        assert_int_equal(data[i], 7);
    xmpi_outofcore_set(&all, "/nowhere", MIB);
    assert_int_equal(xmpi_outofcore_put(&all, data, &error), XMPI_ERR_INPUT);
    xmpi_outofcore_set(&all, "/dev/shm", MIB);
    assert_int_equal(xmpi_outofcore_put(&all, data, &error), XMPI_ERR_INPUT);
    assert_non_null(strstr(error.text, "in memory"));
    free(data);
    xmpi_outofcore_close(&all);
}

/* A page that is not there any more, as of a disk that cannot read it, is said, and the process
 * ends by the signal. It has to be the first: a process that is forked shares what malloc has made
 * of blocks that were freed while they were on disk. */
static void a_page_that_cannot_be_read_is_said(void **state)
{
    int lines[2];
    char text[256] = "";
    (void)state;
    assert_int_equal(pipe(lines), 0);
    pid_t child = fork();
    if (child == 0) {
        const size_t size = (size_t)4 * MIB;
        xmpi_outofcore_t all = {0};
        xmpi_error_t error;
        signal(SIGBUS, SIG_DFL);
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        dup2(lines[1], STDERR_FILENO);
        xmpi_outofcore_set(&all, folder, MIB);
        volatile char *data = malloc(size);
        if (xmpi_outofcore_put(&all, (char *)data, &error) != XMPI_OK)
            _exit(1);
        if (ftruncate(all.block[0]->fd, 0) == 0)
            data[size / 2]++;
        _exit(2);
    }
    int status;
    close(lines[1]);
    assert_true(read(lines[0], text, sizeof text - 1) >= 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    close(lines[0]);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGBUS);
    assert_non_null(strstr(text, "cannot read"));
}

/* --- redistribution ----------------------------------------------------------------------------
 */

enum { CHANGES = 500, ROW = 8192 };

/* A world with the random change of SEED, and arrays of which larger blocks go to disk. */
static void make_world(world_t *world, uint64_t seed, xmpi_outofcore_t *all)
{
    xmpi_error_t error;
    world_make(world, seed);
    world_free(world);
    memset(world->process, 0, sizeof world->process);
    world->arrays = 2;
    for (int i = 0; i < 2; i++)
        world->array[i] = (xmpi_array_t){.name = "data",
                                         .rows = world->rows,
                                         .row_bytes = ROW,
                                         .halo = i * (int)(seed % 3),
                                         .outofcore = seed % 4 > 0 || i == 0};
    world_make_processes(world);
    for (int p = 0; p < world->change.transit; p++) {
        world->process[p].registry.outofcore = all;
        for (int i = 0; i < 2; i++)
            assert_int_equal(xmpi_follow_to_disk(&world->process[p].registry, i, &error), XMPI_OK);
    }
}

static void free_world(world_t *world)
{
    for (int p = 0; p < world->change.transit; p++)
        for (int i = 0; i < world->arrays; i++) {
            xmpi_free_storage(&world->process[p].registry, world->process[p].slot[i]);
            world->process[p].slot[i] = NULL;
        }
    world_free(world);
}

static void arrays_on_disk_are_redistributed(void **state)
{
    xmpi_outofcore_t all = {0};
    int before = 0, after = 0, failed = 0, first = (int)world_first_seed();
    (void)state;
    for (int seed = first; seed < first + CHANGES; seed++) {
        world_t world;
        int64_t bytes;
        xmpi_outofcore_set(&all, folder, 0);
        make_world(&world, (uint64_t)seed, &all);
        before += xmpi_outofcore_blocks(&all, &bytes) > 0;
        if (seed % 5 == 0) /* no disk */
            xmpi_outofcore_set(&all, "/nowhere", 0);
        if (world_ready(&world, 0, XMPI_ARRAYS_ALL) == XMPI_OK) {
            world_move(&world, 0, 1 + seed % 3);
            world_commit(&world, 0);
            world_check(&world, true);
        } else {
            failed++;
            world_cancel(&world, 0);
            world_check(&world, false);
        }
        after += xmpi_outofcore_blocks(&all, &bytes) > 0;
        free_world(&world);
        assert_int_equal(xmpi_outofcore_blocks(&all, &bytes), 0);
    }
    xmpi_outofcore_close(&all);
    assert_true(before > CHANGES / 4 && after > CHANGES / 4 && failed > CHANGES / 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_that_cannot_be_read_is_said),
        cmocka_unit_test(a_chunk_is_read_in_pieces),
        cmocka_unit_test(what_is_leaving_is_not_used),
        cmocka_unit_test(nothing_is_read_ahead_where_that_is_not_wanted),
        cmocka_unit_test(a_block_is_what_it_was_and_leaves_memory),
        cmocka_unit_test(a_block_that_was_freed_is_forgotten),
        cmocka_unit_test(what_comes_to_the_place_of_a_block_is_left_alone),
        cmocka_unit_test(what_is_in_the_file_of_a_block_that_was_freed_is_kept),
        cmocka_unit_test(a_disk_that_is_full_leaves_a_block_in_memory),
        cmocka_unit_test(arrays_on_disk_are_redistributed),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
