/* SPDX-License-Identifier: BSD-3-Clause
 * Checkpoints of programs that move whole: who goes on from one prints at its end what it would
 * have printed, whatever it has in its memory, in files and of MPI; what was killed is started
 * again; what no file can hold is named, and what cannot be gone on from is told apart. */
#define _GNU_SOURCE
#include "run.h"

#define SAVES "XMPI_CHECKPOINT=sets XMPI_CHECKPOINT_INTERVAL=0 XMPI_INTERVAL=3 "
#define RESTARTS "XMPI_CHECKPOINT=sets XMPI_CHECKPOINT_INTERVAL=3600 XMPI_RESTART=1 "

/* What the state says is run: from one of the middle, as the later ones are gone; while processes
 * move, before and after. */
static void goes_on_and_prints_the_same(void **state)
{
    const char *arguments = strchr(*state, ' ');
    char name[32] = "";
    strncpy(name, *state, (size_t)(arguments - (const char *)*state));
    build(name, "");
    free(
        sh("export OMP_WAIT_POLICY=passive; rm -rf sets half; echo some words >wide.text\n"
           "mpiexec -n 3 ./%s.plain %s | tail -n 3 >plain\n"
           "XMPI_CHECKPOINT_KEEP=1000 " SAVES "%s XMPI_POLICY=random XMPI_SEED=3 "
           "    mpiexec -n 5 ./%s %s 2>said | tail -n 3 | cmp - plain && test ! -s said || "
           "    { cat said >&2; exit 1; }\n"
           "ls -d sets/set-* | tail -n +$(($(ls sets | wc -l) / 2 + 2)) | xargs rm -rf\n"
           "cp -r sets half\n"
           "for policy in balance random; do rm -rf sets; cp -r half sets\n"
           "    " RESTARTS "%s XMPI_POLICY=$policy mpiexec -n 5 ./%s %s 2>said | tail -n 3 | "
           "    cmp - plain && grep -q 'goes on from iteration' said && test $(wc -l <said) = 1 || "
           "    { cat said >&2; exit 1; }\n"
           "done; rm -rf half",
           name, arguments, pool, name, arguments, pool, name, arguments));
}

/* Also of processes that were spawned, and of fewer processing elements. */
static void other_processes_go_on(void **state)
{
    (void)state;
    build("objects", "");
    free(sh("rm -rf sets; mpiexec -n 3 ./objects.plain 30 >plain\n" SAVES "%s XMPI_POLICY=random "
            "    mpiexec -n 3 ./objects 30 >out 2>&1 && cmp out plain\n" RESTARTS
            "mpiexec -n 3 ./objects 30 2>said | cmp - plain && grep 'goes on from' said",
            spawn));
}

/* --- killed -------------------------------------------------------------------------------------
 */

/* Any of them, the leader too, three times; files are as if nothing had been. */
static void what_is_killed_is_started_again(void **state)
{
    (void)state;
    build("dies", "");
    for (int victim = 0; victim < 3; victim++)
        free(sh(
            "export XMPI_INTERVAL=2 XMPI_CHECKPOINT_INTERVAL=0; rm -rf sets lines.* deaths\n"
            "printf xxx >deaths; mpiexec -n 3 ./dies.plain 200 %d 3 >plain; cat lines.* >wanted\n"
            "rm -f lines.* deaths; xmpirun -n 3 --checkpoint sets ./dies 200 %d 3 >out 2>said; "
            "status=$?\n"
            "test $status = 0 && grep ^dies out | cmp - plain && cat lines.* | cmp - wanted && "
            "test $(wc -c <deaths) = 3 && test $(grep -c 'goes on from iteration' said) = 3 || "
            "{ echo status $status; cat out said >&2; exit 1; }",
            victim, victim));
}

/* --- what cannot be written ---------------------------------------------------------------------
 */

static void what_no_file_can_hold_is_named(void **state)
{
    static const char *const open[][2] = {{"mmap", "rank 1 has what no file can hold: what mmap"},
                                          {"request", "a request is pending (MPI_Irecv at "},
                                          {"file", "a file of MPI is open (MPI_File_open at "}};
    (void)state;
    build("stays", "");
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        free(sh("rm -rf sets; " SAVES "mpiexec -n 3 ./stays 40 %s >out 2>said; "
                "grep 'no checkpoint of iteration' said | grep -F '%s' && "
                "test $(grep -c 'no checkpoint of iteration' said) = 1 && ! ls sets/set-* || "
                "{ cat out said >&2; exit 1; }",
                open[i][0], open[i][1]));
}

static void a_full_disk_costs_the_checkpoint_alone(void **state)
{
    (void)state;
    build("lists", "");
    free(sh("rm -rf sets; mpiexec -n 3 ./lists.plain 30 >plain; (ulimit -f 16; " SAVES
            "mpiexec -n 3 ./lists 30 2>said) | cmp - plain && "
            "grep -q 'cannot write its part: File too large; the program goes on' said && "
            "test -z \"$(find sets -name 'part-*')\" || { cat said >&2; exit 1; }"));
}

/* --- what is not taken --------------------------------------------------------------------------
 */

typedef struct {
    const char *spoil; /* a line in the folder of the newest one */
    const char *says;
} spoilt_t;

static const spoilt_t spoilt[] = {
    {"rm part-000002", "part 3 of 3 .part-000002. is missing"},
    {"truncate -s -1 part-000001", "part 2 of 3 .part-000001.: it is truncated: it has "},
    {"printf xyz | dd of=part-000001 bs=1 seek=20000 conv=notrunc status=none",
     "memory are damaged"},
    {"printf x | dd of=part-000000 bs=1 seek=60 conv=notrunc status=none",
     "part 1 of 3 .part-000000.: its head is damaged"},
};

/* Two sets or more of lists in the folder "whole", by as many iterations as it takes: none is begun
 * before the last one is written, and how long that takes nobody knows. Returns the command. */
static const char *make_sets(void)
{
    static char run[32];
    build("lists", "");
    for (int iterations = 30, sets = 0; sets < 2; iterations *= 2) {
        snprintf(run, sizeof run, "./lists %d", iterations);
        char *said = sh("rm -rf sets whole; mpiexec -n 3 ./lists.plain %d >plain\n" SAVES
                        "mpiexec -n 3 %s | cmp - plain && cp -r sets whole && ls whole | wc -l",
                        iterations, run);
        sets = atoi(said);
        free(said);
    }
    return run;
}

static void what_is_broken_is_not_taken(void **state)
{
    (void)state;
    const char *run = make_sets();
    for (size_t i = 0; i < sizeof spoilt / sizeof *spoilt; i++)
        free(sh("rm -rf sets; cp -r whole sets; (cd sets/$(ls sets | tail -1) && %s)\n" RESTARTS
                "mpiexec -n 3 %s 2>said | cmp - plain && grep 'is not taken: .*%s' said && "
                "grep -q 'goes on from iteration' said || { cat said >&2; exit 1; }",
                spoilt[i].spoil, run, spoilt[i].says));
}

/* Status 2 and nothing on stdout, for all that LINE starts, and TEXT. */
static void refused(const char *line, const char *text)
{
    free(sh("rm -rf sets; cp -r whole sets; " RESTARTS "%s >out 2>said; "
            "test $? = 2 && test ! -s out && grep -F 'is not taken: %s' said && "
            "grep -q 'none of the checkpoints in .*sets can be taken' said && "
            "test $(grep -c 'is not taken' said) = $(ls sets | wc -l) || "
            "{ cat out said >&2; exit 1; }",
            line, text));
}

static void another_program_is_told_apart(void **state)
{
    (void)state;
    const char *run = make_sets(), *arguments = strchr(run, ' ');
    char line[64];
    snprintf(line, sizeof line, "mpiexec -n 2 %s", run);
    refused(line, "it is of 3 processes, and these are 2");
    snprintf(line, sizeof line, "mpiexec -n 4 %s", run);
    refused(line, "it is of 3 processes, and these are 4");
    free(sh("cp lists before")); /* a copy is the same program */
    free(sh("rm -rf sets; cp -r whole sets; " RESTARTS
            "mpiexec -n 3 ./before%s 2>said | cmp - plain && grep -q 'goes on from' said",
            arguments));
    build("lists", "-O1");
    snprintf(line, sizeof line, "mpiexec -n 3 %s", run);
    refused(line, "it is of another program, or this one was compiled anew since");
    free(sh("mv before lists; mkdir empty; " RESTARTS "XMPI_CHECKPOINT=empty "
            "mpiexec -n 3 ./lists%s 2>said | cmp - plain && "
            "grep 'there is no checkpoint in .*empty: the loop begins anew' said",
            arguments));
}

/* It would go on with those of then, and print what was asked for then. */
static void other_arguments_are_not_dropped(void **state)
{
    (void)state;
    const char *run = make_sets();
    int then = atoi(strchr(run, ' ')), now = then + 1;
    char says[128];
    snprintf(says, sizeof says,
             "the arguments are \"%d\", and were \"%d\" then (XMPI_RESTART=2 goes on with those)",
             now, then);
    char line[64];
    snprintf(line, sizeof line, "mpiexec -n 3 ./lists %d", now);
    refused(line, says);
    free(sh("rm -rf sets; cp -r whole sets; " RESTARTS "XMPI_RESTART=2 %s 2>said | cmp - plain && "
            "grep -F 'the arguments are \"%d\" from here on, as in the checkpoint, and not \"%d\"' "
            "said || { cat said >&2; exit 1; }",
            line, then, now));
}

#define GOES_ON(program)                                                                           \
    {                                                                                              \
        "goes_on_" program, goes_on_and_prints_the_same, NULL, NULL, (void *)program               \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        GOES_ON("lists 30"),
        GOES_ON("files 30"),
        GOES_ON("deep 30"),
        GOES_ON("mesh 30"),
        GOES_ON("workers 30"),
        GOES_ON("particles 30"),
        GOES_ON("transpose 30"),
        GOES_ON("objects 30"),
        GOES_ON("halo 30"),
        GOES_ON("cannon 30"),
        GOES_ON("quicksort 30"),
        GOES_ON("persistent 30"),
        GOES_ON("splits 30"),
        GOES_ON("kept 30 -a -c given name other"),
        cmocka_unit_test(other_processes_go_on),
        cmocka_unit_test(what_is_killed_is_started_again),
        cmocka_unit_test(what_no_file_can_hold_is_named),
        cmocka_unit_test(a_full_disk_costs_the_checkpoint_alone),
        cmocka_unit_test(what_is_broken_is_not_taken),
        cmocka_unit_test(another_program_is_told_apart),
        cmocka_unit_test(other_arguments_are_not_dropped),
    };
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, setup_anywhere, teardown);
}
