/* SPDX-License-Identifier: BSD-3-Clause
 * Writing by a copy of the process: what the program had at that moment is in the file, whatever it
 * writes afterwards, and whatever becomes of the copy costs that checkpoint alone. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "act/checkpoint/saving.h"
#include "act/checkpoint/sets.h"

enum { ROWS = 16, ROW_BYTES = 2 << 20, LINES = 64, BYTES = ROWS * ROW_BYTES };

/* Rows, columns of a matrix of which this member has some, and what the loop only reads. */
static void *rows, *columns, *source;
static int live = 5;
static xmpi_array_t array[] = {
    {.name = "rows",
     .scheme = XMPI_GEN_DISTRIBUTED,
     .rows = ROWS,
     .row_length = ROW_BYTES / 8,
     .row_bytes = ROW_BYTES,
     .slot = &rows},
    {.name = "columns",
     .scheme = XMPI_GEN_DISTRIBUTED,
     .shape = XMPI_SHAPE_COLUMNS,
     .rows = ROWS,
     .row_length = LINES,
     .row_bytes = 8 * LINES,
     .lines = LINES,
     .element_bytes = 8,
     .line_stride = 8 * ROWS,
     .slot = &columns},
    {.name = "source",
     .scheme = XMPI_GEN_DISTRIBUTED,
     .rows = ROWS,
     .row_length = 1,
     .row_bytes = 8,
     .constant = true,
     .slot = &source},
};
static xmpi_registry_t registry = {.arrays = 3, .array = array, .domain = ROWS};
static xmpi_block_t block = {.count = ROWS, .displ = 0};
static char folder[64];
static int64_t set;

static void fill(int seed)
{
    for (size_t i = 0; i < BYTES / sizeof(uint64_t); i++)
        ((uint64_t *)rows)[i] = (uint64_t)seed * 1000003 + i;
    for (uint64_t i = 0; i < ROWS * LINES; i++)
        ((uint64_t *)columns)[i] = (uint64_t)seed * 77 + i;
    for (uint64_t i = 0; i < ROWS; i++)
        ((uint64_t *)source)[i] = i;
    live = seed;
}

static int make(void **state)
{
    (void)state;
    set = 0;
    snprintf(folder, sizeof folder, "/tmp/xmpi-snapshot.%d", (int)getpid());
    rows = malloc(BYTES);
    columns = malloc(ROWS * LINES * 8);
    source = malloc(ROWS * 8);
    registry.live = NULL;
    registry.lives = 0;
    xmpi_registry_add_live(&registry, "live", &live, sizeof live);
    fill(1);
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    for (int64_t old; (old = xmpi_set_before(folder, INT64_MAX)) > 0;)
        xmpi_set_remove(folder, old);
    rmdir(folder);
    free(rows);
    free(columns);
    free(source);
    free(registry.live);
    return 0;
}

static void begin(xmpi_saving_t *saving)
{
    xmpi_error_t why;
    assert_int_equal(xmpi_set_make(folder, &set, &why), XMPI_OK);
    const xmpi_part_file_t part = {.parts = 1, .set = set, .loop = "loop"};
    assert_int_equal(xmpi_saving_begin(saving, &registry, block, &part, folder), XMPI_OK);
}

/* The process that writes, which stands still until it is told to go on. */
static pid_t hold(const xmpi_saving_t *saving)
{
    assert_int_not_equal(saving->snapshot.process, 0);
    kill(saving->snapshot.process, SIGSTOP);
    return saving->snapshot.process;
}

/* That the last one is whole, and has what there was when it was filled with SEED. */
static void holds(xmpi_saving_t *saving, int seed)
{
    char path[XMPI_CHECKPOINT_PATH], *data;
    xmpi_part_file_t part;
    xmpi_error_t why;
    assert_int_equal(xmpi_saving_wait(saving), XMPI_OK);
    assert_true(xmpi_set_is_marked(folder, set));
    xmpi_set_part_path(folder, set, 0, path);
    assert_int_equal(xmpi_part_read(path, &part, &why), XMPI_OK);
    assert_int_equal(xmpi_part_verify(path, &part, &why), XMPI_OK);
    assert_true(xmpi_part_fits(&registry, &part, &why));
    assert_int_equal(xmpi_part_map(path, &part, &data, &why), XMPI_OK);
    fill(seed);
    const xmpi_block_t mine = block;
    void *now = malloc(BYTES), *then = malloc(ROWS * LINES * 8);
    memcpy(now, rows, BYTES);
    memcpy(then, columns, ROWS * LINES * 8);
    xmpi_part_file_t here = {.parts = 1, .set = set};
    assert_int_equal(xmpi_part_describe(&registry, mine, 0, &here), XMPI_OK);
    xmpi_part_digest_constants(&registry, &here);
    assert_int_equal(here.array[2].digest, part.array[2].digest);
    memset(rows, 0, BYTES);
    memset(columns, 0, ROWS * LINES * 8);
    live = seed;
    xmpi_part_restore(&registry, mine, &part, data);
    assert_memory_equal(rows, now, BYTES);
    assert_memory_equal(columns, then, ROWS * LINES * 8);
    xmpi_part_unmap(&part, data);
    xmpi_part_free(&part);
    xmpi_part_free(&here);
    free(now);
    free(then);
}

/* --- what is written ----------------------------------------------------------------------------
 */

static void what_was_there_is_written(void **state)
{
    (void)state;
    static xmpi_saving_t saving;
    fill(3);
    begin(&saving);
    pid_t writer = hold(&saving);
    fill(4);
    assert_true(xmpi_saving_is_busy(&saving));
    kill(writer, SIGCONT);
    holds(&saving, 3);
    xmpi_saving_free(&saving);
}

/* A program that writes to all of it while it is written has its data copied, as soon as there is
 * room; one that does not goes on as before. */
static void what_is_cheaper_is_learnt(void **state)
{
    static xmpi_saving_t saving;
    for (int writes = 0; writes < 2; writes++) {
        begin(&saving);
        pid_t writer = hold(&saving);
        if (writes)
            fill(7);
        kill(writer, SIGCONT);
        while (saving.snapshot.process != 0 || xmpi_saving_is_busy(&saving)) {
            xmpi_saving_look(&saving);
            usleep(1000);
        }
        fill(8 + writes);
        begin(&saving);
        assert_int_equal(saving.snapshot.process != 0, !writes);
        holds(&saving, 8 + writes);
    }
    xmpi_saving_free(&saving);
    (void)state;
}

/* Digests of what the loop only reads are made once, by the first copy of the process, and again
 * where blocks have changed, also while it was at it. */
static void digests_are_heard_of(void **state)
{
    (void)state;
    static xmpi_saving_t saving;
    begin(&saving);
    holds(&saving, 1);
    assert_true(saving.digested);
    xmpi_saving_let_go(&saving);
    assert_false(saving.digested);
    begin(&saving);
    kill(hold(&saving), SIGCONT);
    xmpi_saving_let_go(&saving);
    xmpi_saving_wait(&saving);
    assert_false(saving.digested);
    xmpi_saving_free(&saving);
}

/* --- what goes wrong ----------------------------------------------------------------------------
 */

static void who_begins_again_waits(void **state)
{
    (void)state;
    static xmpi_saving_t saving;
    fill(2);
    begin(&saving);
    pid_t first = saving.snapshot.process;
    int64_t before = set;
    begin(&saving);
    assert_int_not_equal(saving.snapshot.process, first);
    assert_true(xmpi_set_is_marked(folder, before));
    holds(&saving, 2);
    xmpi_saving_free(&saving);
}

static void a_killed_writer_costs_one(void **state)
{
    (void)state;
    static xmpi_saving_t saving;
    begin(&saving);
    kill(hold(&saving), SIGKILL);
    assert_int_not_equal(xmpi_saving_wait(&saving), XMPI_OK);
    assert_string_equal(saving.error.text, "what writes it was killed");
    assert_false(xmpi_set_is_there(folder, set, 1));
    begin(&saving);
    assert_int_not_equal(saving.snapshot.process, 0);
    holds(&saving, 1);
    xmpi_saving_free(&saving);
}

static void a_full_disk_costs_one(void **state)
{
    (void)state;
    static xmpi_saving_t saving;
    struct rlimit before, little = {1 << 20, 1 << 20};
    getrlimit(RLIMIT_FSIZE, &before);
    little.rlim_max = before.rlim_max;
    setrlimit(RLIMIT_FSIZE, &little);
    begin(&saving);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_not_equal(xmpi_saving_wait(&saving), XMPI_OK);
    assert_string_equal(saving.error.text, strerror(EFBIG));
    begin(&saving);
    holds(&saving, 1);
    xmpi_saving_free(&saving);
}

/* Memory that others write to, or that a copy of the process does not have, is copied: from the
 * next one on. */
static void what_is_not_private_is_copied(void **state)
{
    (void)state;
    static const int ways[] = {MADV_NORMAL, MADV_DONTFORK, MADV_WIPEONFORK};

    for (int i = 0; i < 3; i++) {
        xmpi_saving_t *saving = calloc(1, sizeof *saving);
        void *own = rows;
        rows = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
                    MAP_ANONYMOUS | (i == 0 ? MAP_SHARED : MAP_PRIVATE), -1, 0);
        assert_ptr_not_equal(rows, MAP_FAILED);
        fill(6);
        assert_int_equal(madvise(rows, BYTES, ways[i]), 0);
        begin(saving);
        assert_int_not_equal(saving->snapshot.process, 0);
        assert_int_not_equal(xmpi_saving_wait(saving), XMPI_OK);
        assert_false(xmpi_set_is_there(folder, set, 1));
        begin(saving);
        assert_int_equal(saving->snapshot.process, 0);
        holds(saving, 6);
        xmpi_saving_free(saving);
        free(saving);
        munmap(rows, BYTES);
        rows = own;
    }
}

/* Runs TEST in a process of its own. */
static void in_another(void (*test)(void))
{
    int status;
    pid_t process = fork();
    if (process == 0) {
        test();
        _exit(0);
    }
    waitpid(process, &status, 0);
    assert_int_equal(status, 0);
}

/* No process can be made any more (threads can). */
static void forbid_processes(void)
{
    struct sock_filter line[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = 4, .filter = line};
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        _exit(0); /* the kernel has none: nothing to be tested */
}

static void copy_without_processes(void)
{
    static xmpi_saving_t saving;
    forbid_processes();
    begin(&saving);
    assert_int_equal(saving.snapshot.process, 0);
    holds(&saving, 1);
    xmpi_saving_free(&saving);
}

static void where_there_is_no_process_data_are_copied(void **state)
{
    (void)state;
    in_another(copy_without_processes);
}

/* The program is told nothing of what writes: no signal, no child to wait for. */
static volatile sig_atomic_t children;
static void hear_child(int number)
{
    (void)number;
    children = children + 1;
}

static void the_program_has_no_child(void **state)
{
    (void)state;
    static xmpi_saving_t saving;
    void (*before)(int) = signal(SIGCHLD, hear_child);
    begin(&saving);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    holds(&saving, 1);
    assert_int_equal(children, 0);
    signal(SIGCHLD, before);
    xmpi_saving_free(&saving);
}

static pid_t *left;
static void leave(void)
{
    static xmpi_saving_t saving;
    char path[XMPI_CHECKPOINT_PATH + 8];
    begin(&saving);
    xmpi_set_part_path(folder, set, 0, path);
    strcat(path, ".part");
    while (access(path, F_OK) != 0) /* it has begun */
        usleep(1000);
    *left = hold(&saving);
}

/* One that is killed, too: nothing goes on writing. */
static void who_leaves_takes_it_along(void **state)
{
    (void)state;
    left = mmap(NULL, sizeof *left, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); /* it is seen to end */
    in_another(leave);
    int status = 0;
    assert_int_equal(waitpid(*left, &status, __WALL), *left);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    munmap(left, sizeof *left);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make, unmake)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_was_there_is_written),     TEST(what_is_cheaper_is_learnt),
        TEST(digests_are_heard_of),          TEST(who_begins_again_waits),
        TEST(a_killed_writer_costs_one),     TEST(a_full_disk_costs_one),
        TEST(what_is_not_private_is_copied), TEST(where_there_is_no_process_data_are_copied),
        TEST(the_program_has_no_child),      TEST(who_leaves_takes_it_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
