/* SPDX-License-Identifier: BSD-3-Clause
 * Disks and memories of the emulated cluster: what takes how long, and what does not. Times are
 * those of the model, or bounds that hold however late the machine is. */
#define _GNU_SOURCE
#include "cluster/example.h"

/* Writes and reads BYTES in four calls in its folder and as many elsewhere, and prints what that
 * has taken of the disk, whether it took so long, and the MiB of memory. */
static const char program[] =
    "#define _GNU_SOURCE\n"
    "#include <fcntl.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n"
    "#include <unistd.h>\n"
    "double emu_disk_seconds(void) __attribute__((weak));\n"
    "static double now(void)\n"
    "{ struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; "
    "}\n"
    "static int use(const char *name, char *data, long bytes)\n"
    "{\n"
    "    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);\n"
    "    int right = write(fd, data, bytes) == bytes && pwrite(fd, data, bytes, bytes) == bytes "
    "&&\n"
    "                lseek(fd, 0, SEEK_SET) == 0 && read(fd, data, bytes) == bytes &&\n"
    "                pread(fd, data, bytes, bytes) == bytes && pread(fd, data, bytes, 2 * bytes) "
    "== 0;\n"
    "    close(fd);\n"
    "    return right && unlink(name) == 0;\n"
    "}\n"
    "int main(int argc, char **argv)\n"
    "{\n"
    "    long bytes = atol(argv[1]);\n"
    "    char *data = calloc(bytes, 1), name[64];\n"
    "    double start = now();\n"
    "    snprintf(name, sizeof name, \"disk/%d\", (int)getpid());\n"
    "    if (!use(name, data, bytes) || !use(name + 5, data, bytes)) return 1;\n"
    "    double took = emu_disk_seconds ? emu_disk_seconds() : 0;\n"
    "    printf(\"%.6f %s %.0f\\n\", took, now() - start >= took ? \"slow\" : \"quick\",\n"
    "           (double)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE) / (1 << 20));\n"
    "    return argc != 2;\n"
    "}\n";

static const char emulated[] = "EMU_DISK_DIR=disk EMU_DISKS=shared XMPI_MACHINES=$PWD/machines "
                               "LD_PRELOAD=$PWD/disk.so";

static void build(const char *dir)
{
    put(dir, "use.c", program);
    put(dir, "machines", "n1:A:2:0::64:10:2 # slow\nn2:B:1\nn3:A:1:0::32:40\nn4:A:1:0::0:1\n");
    command_t command = command_shell(
        dir, LIMIT,
        "mkdir -p disk && cc -O1 -shared -fPIC '%s/tests/cluster/disk.c' -o disk.so -lm && "
        "cc -O1 use.c -o use",
        source_dir());
    if (command.status != 0)
        fail_msg("%s", command.err);
    command_free(&command);
}

static void expect(const char *dir, const char *node, const char *expected)
{
    command_t command = command_shell(dir, LIMIT, "%s XMPI_NODE=%s ./use 50000", emulated, node);
    if (command.status != 0 || strcmp(command.out, expected) != 0)
        fail_msg("%s: status %d, %sexpected %s%s", node, command.status, command.out, expected,
                 command.err);
    command_free(&command);
}

/* Five calls of 2 ms, four of 50,000 bytes at 10 MB/s: 0.03 s. Without a latency there is none. */
static void a_disk_takes_what_its_line_says(void **state)
{
    expect(*state, "n1", "0.030000 slow 64\n");
    expect(*state, "n3", "0.005000 slow 32\n");
}

static void a_node_without_a_disk_is_as_it_is(void **state)
{
    command_t bare = command_shell(*state, LIMIT, "./use 50000");
    assert_int_equal(bare.status, 0);
    expect(*state, "n2", bare.out);
    command_free(&bare);
}

static void two_processes_wait_for_one_another(void **state)
{
    command_t command =
        command_shell(*state, LIMIT,
                      "now() { date +%%s%%N; }; begin=$(now); "
                      "for i in 1 2; do env %s XMPI_NODE=n1 ./use 500000 & done; wait; "
                      "test $(($(now) - begin)) -ge 420000000 && echo as long as both",
                      emulated);
    assert_int_equal(command.status, 0);
    assert_non_null(strstr(command.out, "as long as both"));
    command_free(&command);
}

static void what_is_no_disk_is_refused(void **state)
{
    command_t command = command_shell(*state, LIMIT, "%s XMPI_NODE=n4 ./use 1", emulated);
    assert_int_equal(command.status, 2);
    assert_string_equal(command.err,
                        "disk: a node without memory, or with a disk that is none: n4\n");
    command_free(&command);
}

static int make_folder(void **state)
{
    *state = scratch_make();
    build(*state);
    return 0;
}

static int remove_folder(void **state)
{
    scratch_remove(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disk_takes_what_its_line_says),
        cmocka_unit_test(a_node_without_a_disk_is_as_it_is),
        cmocka_unit_test(two_processes_wait_for_one_another),
        cmocka_unit_test(what_is_no_disk_is_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
