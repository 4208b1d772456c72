/* SPDX-License-Identifier: BSD-3-Clause
 * Disks and memories of the emulated cluster: what takes how long, and what does not. Times are
 * those of the model, or bounds that hold however late the machine is. */
#define _GNU_SOURCE
#include <cjson/cJSON.h>

#include "bench/papers/structures.h"
#include "cluster/examples/example.h"

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
    command_t command = command_shell(dir, LIMIT,
                                      "mkdir -p disk && cc -O1 -shared -fPIC "
                                      "'%s/tests/cluster/emulation/disk.c' -o disk.so -lm && "
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

/* --- programs with data on disks -----------------------------------------------------------------
 */

/* The programs of the model, played for its measurements: each looks at all rows that it reads. */
static void programs_of_the_model_find_their_rows(void **state)
{
    must_succeed(command_shell(*state, LIMIT,
                               "'%s/bin/mpicc' -O1 -I '%s/tests' -I '%s/runtime' "
                               "'%s/tests/bench/programs/sections.c' "
                               "'%s/tests/bench/programs/compute.c' -lpthread -o sections",
                               build_dir(), source_dir(), source_dir(), source_dir(),
                               source_dir()));
    put(*state, "layouts",
        "instrument 20 20 20\nequal 20 20 20\nother 7 40 13\none 0 59 1\nback 20 20 20\n");
    put(*state, "small", "n1:A:1:0::0.2:500\nn2:A:1:0::0.1:500\nn3:A:1:0::10:500\n");
    for (int i = 0; i < STRUCTURES; i++)
        must_succeed(command_shell(
            *state, LIMIT,
            "rm -rf disk shared && mkdir disk && EMU_PRELOAD=\"$PWD/disk.so\" "
            "EMU_DISKS=\"$PWD/shared\" EMU_DISK_DIR=\"$PWD/disk\" '%s/tests/cluster/run' -m small "
            "-n 3 -- ./sections %s 60 2 layouts | grep -q '^layout back '",
            source_dir(), structure_make(i).name));
}

/* The rows of each member in the last layout of the trace; how many changes there were. */
static int last_layout(const char *dir, int members, int *count)
{
    int changes = -1;
    char *text = content(dir, "trace", NULL);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        cJSON *event = cJSON_Parse(line), *layout = cJSON_GetObjectItem(event, "layout");
        if (cJSON_IsArray(layout)) {
            assert_int_equal(cJSON_GetArraySize(layout), members);
            for (int i = 0; i < members; i++)
                count[i] = cJSON_GetObjectItem(cJSON_GetArrayItem(layout, i), "count")->valueint;
            changes++;
        }
        cJSON_Delete(event);
    }
    free(text);
    return changes;
}

static int run_rows(const char *dir, const char *settings, int *count)
{
    command_t command = command_shell(
        dir, LIMIT,
        "rm -rf disk shared trace && mkdir disk && truncate -s %d disk/rows && env %s "
        "XMPI_TRACE=trace "
        "EMU_SPEEDS=A=1,B=2 EMU_KAPPA=2e-4 EMU_PRELOAD=\"%s/lib/libxmpi.so $PWD/disk.so\" "
        "EMU_DISKS=\"$PWD/shared\" EMU_DISK_DIR=\"$PWD/disk\" '%s/tests/cluster/run' -m four -n 4 "
        "-- ./file_rows disk/rows 240 40",
        240 * 4096, settings, build_dir(), source_dir());
    if (command.status != 0 || strncmp(command.out, "sum 9600 ", 9) != 0)
        fail_msg("%s: status %d, %s%s", settings, command.status, command.out, command.err);
    command_free(&command);
    return last_layout(dir, 4, count);
}

/* A program that reads and writes its rows itself: who has a slow disk gets the fewest, unless
 * other blocks are asked for. */
static void rows_leave_a_slow_disk(void **state)
{
    int count[4];
    must_succeed(command_shell(
        *state, LIMIT,
        "'%s/tests/cluster/build_pace' pace_synthetic.c && '%s/bin/xmpicc' -O1 "
        "'%s/tests/bench/programs/file_rows.c' '%s/tests/bench/programs/compute.c' pace.o "
        "-Wl,--wrap=compute --xmpi-replaced=compute -ldl -lm -o file_rows",
        source_dir(), build_dir(), source_dir(), source_dir()));
    put(*state, "four",
        "n1:A:1:0::64:5:0.2\nn2:A:1:0::64:20:0.2\nn3:B:1:0::64:20:0.2\nn4:A:1:0::64:20:0.2\n");
    assert_true(run_rows(*state, "XMPI_DIVISION=best", count) > 0);
    for (int i = 1; i < 4; i++)
        assert_true(count[0] < count[i]);
    assert_int_equal(run_rows(*state, "XMPI_DIVISION=blk", count), 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(count[i], 60);
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
        cmocka_unit_test(programs_of_the_model_find_their_rows),
        cmocka_unit_test(rows_leave_a_slow_disk),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
