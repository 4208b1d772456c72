/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of checkpoints: what comes of a program that goes on from one, what is not taken, and that
 * a checkpoint which cannot be written costs nothing else. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"
#include "support/program.h"

enum { SECONDS = 60 };

static char *dir;

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    command_t made =
        command_shell(dir, SECONDS,
                      "'%s'/bin/xmpicc -O1 '%s'/tests/mpi/programs/saves.c -o saves 2>&1 && "
                      "for name in columns pagerank grayscott; do "
                      "    '%s'/bin/xmpicc -O1 -w '%s'/tests/programs/$name.c -o $name -lm || exit 1; "
                      "done; for name in advection edge odd_counter separate_rows; do "
                      "    '%s'/bin/xmpicc -O1 -w '%s'/tests/startover/ladder/$name.c -o $name -lm || "
                      "    exit 1; "
                      "done; '%s'/bin/xmpicc -O1 -w '%s'/tests/startover/files.c -o files -lm && "
                      "for name in timesteps integrator; do "
                      "    '%s'/bin/xmpicc -O1 -w '%s'/tests/rewriter/cases/$name.c -o $name || exit 1; "
                      "done; sed '/for (int step/i\\\n#pragma xmpi loop\\\nfor (int k = 0; k < 9; k++) "
                      "    for (int i = lo; i < hi; i++) heat[i - lo] += k;' "
                      "    '%s'/tests/rewriter/cases/timesteps.c >later.c && "
                      "'%s'/bin/xmpicc -O1 -w later.c -o later",
                      build_dir(), source_dir(), build_dir(), source_dir(), build_dir(),
                      source_dir(), build_dir(), source_dir(), build_dir(), source_dir(),
                      source_dir(), build_dir());
    int status = made.status;
    if (status != 0)
        print_error("%s%s", made.out, made.err);
    command_free(&made);
    return status != 0 ? status : program_build(dir, "evolve", "");
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* Runs LINE, in which $run is mpiexec and $evolve a program of 200 iterations. */
static command_t sh(const char *line)
{
    return command_shell(dir, SECONDS,
                         "run='%s/bin/mpiexec'; evolve=\"./evolve 40 200\"; "
                         "export XMPI_DEBUG=1 XMPI_INTERVAL=5 EVOLVE_PAUSE_MS=1 %s",
                         build_dir(), line);
}

/* That LINE succeeds, with OUT on stdout and SAYS somewhere on stderr (empty: there is nothing). */
static void expect(const char *line, const char *out, const char *says)
{
    command_t got = sh(line);
    bool said = says[0] != '\0' ? strstr(got.err, says) != NULL : got.err[0] == '\0';
    if (got.status != 0 || strcmp(got.out, out) != 0 || !said)
        fail_msg("%s: status %d\n%s%swanted: %s%s", line, got.status, got.out, got.err, out, says);
    command_free(&got);
}

static const char evolved[] = "evolve: ok 200 1294555236\n";

/* evolve looks at every element in every iteration. */
static void any_number_of_processes_goes_on(void **state)
{
    (void)state;
    expect("XMPI_CHECKPOINT=any XMPI_CHECKPOINT_INTERVAL=0; $run -n 4 $evolve", evolved, "");
    static const int numbers[] = {7, 1, 3};
    for (int i = 0; i < 3; i++) {
        char line[128];
        snprintf(line, sizeof line, "XMPI_CHECKPOINT=any XMPI_RESTART=1; $run -n %d $evolve",
                 numbers[i]);
        expect(line, evolved, "goes on from iteration ");
    }
}

static double number_of(const char *text, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(text, key);
    return at != NULL ? atof(at + strlen(key)) : 0;
}

/* Seconds, iterations, and what these would have taken without the change, are all of the second
 * start. (Of the first interval nothing is taken, as caches are cold in it, nor of those that took
 * far longer than others.) */
static void what_was_saved_is_of_the_iterations_that_were_made(void **state)
{
    (void)state;
    command_t got =
        sh("XMPI_CHECKPOINT_INTERVAL=0; XMPI_CHECKPOINT=told $run -n 2 $evolve; "
           "ls -d told/set-* | tail -n +2 | xargs rm -rf; printf 'spawn 1 any 195\n' >plan; "
           "EVOLVE_PAUSE_MS=3 XMPI_CHECKPOINT_INTERVAL=3600 ${run%/*}/xmpirun --restart --checkpoint told -n 2 "
           "    --max 3 --trace told.trace --policy schedule --schedule plan $evolve; "
           "cat told.trace");
    const char *at = got.out, *end = strstr(at, "\"event\":\"end\"");
    double from = number_of(got.out, "iteration"), seconds = 0, iterations = 0;
    double least = INFINITY; /* seconds of an iteration */
    assert_int_equal(got.status, 0);
    assert_non_null(end);
    while ((at = strstr(at + 1, "\"event\":\"interval\"")) != NULL &&
           number_of(at, "iteration") <= 195)
        if (number_of(at, "number") > 0) {
            seconds += number_of(at, "seconds");
            iterations += number_of(at, "iterations");
            least = fmin(least, number_of(at, "seconds") / number_of(at, "iterations"));
        }
    double made = number_of(end, "iterations") - number_of(end, "from");
    double fixed = number_of(end, "static_seconds") / made;
    bool known = fixed > 0 || iterations >= 20; /* where it went on late, too few may be seen */
    char wanted[64];
    snprintf(wanted, sizeof wanted, " s for %.0f iterations (%.0f to 200, ", made, from + 1);
    if (number_of(end, "from") < 1 || number_of(end, "from") != from ||
        (known && (fixed < least * (1 - 1e-3) || fixed > seconds / iterations * (1 + 1e-3))) ||
        strstr(got.err, wanted) == NULL)
        fail_msg("wanted: %s and up to %g s\n%s%s", wanted, seconds / iterations * made, got.out,
                 got.err);
    command_free(&got);
}

static void only_the_newest_are_kept(void **state)
{
    (void)state;
    expect("XMPI_CHECKPOINT=kept XMPI_CHECKPOINT_INTERVAL=0 XMPI_CHECKPOINT_KEEP=3; "
           "$run -n 2 $evolve >/dev/null; ls kept | wc -l; "
           "find kept -name 'part-*' | wc -l; ls kept | head -1 | grep -c 'set-00000000[12]'; true",
           "3\n6\n0\n", "");
}

/* The layout changes at every interval, and is checked; who writes a part may leave before it is
 * written. */
static void changes_come_between(void **state)
{
    (void)state;
    for (int seed = 1; seed <= 3; seed++) {
        char line[256];
        snprintf(line, sizeof line,
                 "XMPI_CHECKPOINT=changes XMPI_CHECKPOINT_INTERVAL=0 XMPI_POLICY=random XMPI_MAX=5 "
                 "XMPI_SEED=%d; rm -rf changes; $run -n 2 $evolve; "
                 "XMPI_RESTART=1 $run -n 3 $evolve",
                 seed);
        char twice[64];
        snprintf(twice, sizeof twice, "%s%s", evolved, evolved);
        expect(line, twice, "goes on from iteration ");
    }
}

/* As xmpicc makes them: rows with halos, columns, structs, sparse rows; and resizable ones, whose
 * rows have others on one side only, or around the domain, that have parts of a sum, or rows
 * anywhere. From a checkpoint of the middle, as the later ones are gone. */
static void programs_come_to_the_same(void **state)
{
    (void)state;
    static const char *const programs[] = {"saves 100 60", "columns", "pagerank", "grayscott",
                                           "advection", "edge", "odd_counter", "separate_rows"};
    for (int i = 0; i < 8; i++) {
        char line[640];
        snprintf(line, sizeof line,
                 "XMPI_INTERVAL=1 SAVES_PAUSE_MS=1; program='./%s'; rm -rf made; "
                 "$run -n 3 $program | tail -1 >plain; "
                 "XMPI_CHECKPOINT_KEEP=1000 XMPI_CHECKPOINT_INTERVAL=0 XMPI_CHECKPOINT=made "
                 "    $run -n 4 $program | tail -1 | cmp - plain && "
                 "ls -d made/set-* | tail -n +$(($(ls made | wc -l) / 2 + 2)) | xargs rm -rf && "
                 "XMPI_RESTART=1 XMPI_CHECKPOINT=made $run -n 7 $program | tail -1 | cmp - plain",
                 programs[i]);
        expect(line, "", "goes on from iteration ");
    }
}

/* The start of the program makes its first step; the checkpoints are of all steps. With any number of
 * processes, and with changes of them, which take the first step for nothing special. */
static void a_loop_in_a_loop_goes_on_in_its_step(void **state)
{
    (void)state;
    static const char *const programs[] = {"timesteps", "integrator"};
    for (int i = 0; i < 2; i++) {
        char line[896];
        snprintf(line, sizeof line,
                 "XMPI_INTERVAL=2; rm -rf inner; $run -n 3 ./%s >plain; export XMPI_CHECKPOINT=inner "
                 "    XMPI_CHECKPOINT_INTERVAL=0; XMPI_CHECKPOINT_KEEP=1000 $run -n 4 ./%s | cmp - plain; "
                 "    cp -r inner all; "
                 "how=1; for last in $(ls all | awk 'NR %% 2 == 0'); do "
                 "    rm -rf inner; mkdir inner; cp -r all/$last inner; how=$((3 - how)); "
                 "    XMPI_RESTART=$how XMPI_POLICY=random XMPI_MAX=5 XMPI_SEED=$how $run -n 2 ./%s | "
                 "    cmp - plain; done; rm -rf all", programs[i], programs[i], programs[i]);
        expect(line, "", "goes on from iteration ");
    }
    command_t got = sh("XMPI_CHECKPOINT=inner XMPI_RESTART=1; $run -n 2 ./timesteps"); /* has no such loop */
    if (got.status != 2 || got.out[0] != '\0' ||
        strstr(got.err, "is not taken: it is of another program: of the loop ") == NULL)
        fail_msg("status %d: %s%s", got.status, got.out, got.err);
    command_free(&got);
}

/* What it cannot come to is said, and those of the first time can be taken. */
static void a_loop_behind_others_has_some_of_its_first_time(void **state)
{
    (void)state;
    expect("XMPI_INTERVAL=2; $run -n 3 ./later >plain; export XMPI_CHECKPOINT=later_sets "
           "    XMPI_CHECKPOINT_INTERVAL=0; $run -n 4 ./later | cmp - plain", "",
           "no more checkpoints of this loop: it begins again, as in a loop around it, and where the "
           "program is there cannot be gone on from: other loops come before it\n");
    expect("XMPI_INTERVAL=2 XMPI_CHECKPOINT=later_sets XMPI_RESTART=2; $run -n 2 ./later | cmp - plain",
           "", "goes on from iteration ");
}

/* --- what is not taken --------------------------------------------------------------------------
 */

typedef struct {
    const char *spoil; /* a shell line in the folder of the newest one */
    const char *says;
} spoilt_t;

static const spoilt_t spoilt[] = {
    {"rm part-000002", "is not taken: part 3 of 4 (part-000002) is missing"},
    {"rm part-000000", "is not taken: part 1 of 4 (part-000000) is missing"},
    {"truncate -s -1 part-000001", "is not taken: part 2 of 4 (part-000001): it is truncated: it has "},
    {"truncate -s 10 part-000000", "is not taken: part 1 of 4 (part-000000): it is truncated: it has 10 bytes"},
    {"printf x | dd of=part-000003 bs=1 seek=4100 conv=notrunc status=none",
     "is not taken: the data of "},
    {"printf x | dd of=part-000000 bs=1 seek=60 conv=notrunc status=none",
     "is not taken: part 1 of 4 (part-000000): its head is damaged"},
    {"head -c 5000 /dev/urandom >part-000001",
     "is not taken: part 2 of 4 (part-000001): it is no checkpoint of XMPI's"},
    {"printf '\\011' | dd of=part-000001 bs=1 seek=12 conv=notrunc status=none",
     "is not taken: part 2 of 4 (part-000001): it has version 9, this libxmpi reads 4"},
    {"printf '\\001\\002\\003\\004' | dd of=part-000001 bs=1 seek=8 conv=notrunc status=none",
     "is not taken: part 2 of 4 (part-000001): it was written by a machine of another byte order"},
    {"rm part-000001; mkdir part-000001", "part 2 of 4 (part-000001): it is a folder"},
    {"rm part-000001; ln -s part-000001 part-000001",
     "part 2 of 4 (part-000001): Too many levels of symbolic links"},
    {"cp part-000001 part-000002", "is not taken: part 3 of 4 (part-000002) belongs to another set"},
    {"cp ../$(ls .. | head -1)/part-000001 .", "is not taken: part 2 of 4 (part-000001) belongs to another set"},
};

static void what_is_broken_is_told_apart(void **state)
{
    (void)state;
    expect("XMPI_CHECKPOINT=whole XMPI_CHECKPOINT_INTERVAL=0; $run -n 4 $evolve", evolved, "");
    for (size_t i = 0; i < sizeof spoilt / sizeof *spoilt; i++) {
        char line[512];
        snprintf(line, sizeof line,
                 "XMPI_CHECKPOINT=spoilt XMPI_RESTART=1; rm -rf spoilt; cp -r whole spoilt; "
                 "(cd spoilt/$(ls spoilt | tail -1) && %s) && $run -n 3 $evolve 2>&1 | "
                 "grep -e 'is not taken' -e 'goes on' >&2",
                 spoilt[i].spoil);
        expect(line, "", spoilt[i].says);
        expect("XMPI_CHECKPOINT=spoilt XMPI_RESTART=1; $run -n 3 $evolve", evolved,
               "goes on from iteration ");
    }
}

/* The job ends rather than to write over them. */
static void where_none_can_be_taken_nothing_begins_anew(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "XMPI_CHECKPOINT=other XMPI_RESTART=1; $run -n 3 ./evolve 41 200",
        "XMPI_CHECKPOINT=other XMPI_RESTART=1; $run -n 3 ./saves"};
    expect("XMPI_CHECKPOINT=other XMPI_CHECKPOINT_INTERVAL=0; $run -n 4 $evolve", evolved, "");
    for (int i = 0; i < 2; i++) {
        command_t got = sh(lines[i]);
        if (got.status != 2 || got.out[0] != '\0' ||
            strstr(got.err, " is not taken: it is of another program") == NULL ||
            strstr(got.err, "none of the checkpoints in other can be taken") == NULL)
            fail_msg("%s: status %d: %s%s", lines[i], got.status, got.out, got.err);
        command_free(&got);
    }
    command_t got = sh("XMPI_CHECKPOINT=lost XMPI_RESTART=1; cp -r other lost; "
                       "rm lost/set-*/part-000001; before=$(ls -R lost); $run -n 4 $evolve; "
                       "status=$?; [ \"$before\" = \"$(ls -R lost)\" ] || echo changed; exit $status");
    if (got.status != 2 || got.out[0] != '\0' ||
        strstr(got.err, "is not taken: part 2 of 4 (part-000001) is missing") == NULL ||
        strstr(got.err, "none of the checkpoints in lost can be taken") == NULL)
        fail_msg("status %d: %s%s", got.status, got.out, got.err);
    command_free(&got);
    static const char *const without[] = {
        "XMPI_RESTART=1 $run -n 2 $evolve", "XMPI_RESTART needs XMPI_CHECKPOINT",
        "XMPI_CHECKPOINT=other XMPI_POLICY=off XMPI_RESTART=1 $run -n 2 $evolve",
        "there is nothing to go on from (XMPI_RESTART) with XMPI_POLICY=off"};
    for (int i = 0; i < 4; i += 2) {
        char line[128];
        snprintf(line, sizeof line, "; %s", without[i]);
        got = sh(line);
        if (got.status != 2 || got.out[0] != '\0' || strstr(got.err, without[i + 1]) == NULL)
            fail_msg("%s: status %d: %s%s", line, got.status, got.out, got.err);
        command_free(&got);
    }
    got = sh("XMPI_CHECKPOINT=looped XMPI_RESTART=1; ln -s looped looped; $run -n 4 $evolve");
    if (got.status != 2 || got.out[0] != '\0' ||
        strstr(got.err, "the checkpoints in looped cannot be looked at: Too many levels of") == NULL)
        fail_msg("status %d: %s%s", got.status, got.out, got.err);
    command_free(&got);
    expect("XMPI_CHECKPOINT=begun XMPI_RESTART=1; mkdir -p begun/set-000000001; "
           "$run -n 3 $evolve", evolved,
           "part 1 (part-000000) is missing\n"); /* it died while it was written */
    expect("XMPI_CHECKPOINT=nothing XMPI_RESTART=1; $run -n 3 $evolve", evolved,
           "there is no checkpoint in nothing: the loop begins anew");
}

static void another_start_is_noticed(void **state)
{
    (void)state;
    command_t got = sh("XMPI_CHECKPOINT=start XMPI_CHECKPOINT_INTERVAL=0 SAVES_PAUSE_MS=1; "
                       "$run -n 2 ./saves 100 40 && XMPI_RESTART=1 $run -n 3 ./saves 100 40 2");
    if (got.status != 2 ||
        strstr(got.err, "source, which the loop only reads, has other values than it had then\n") ==
            NULL)
        fail_msg("status %d: %s%s", got.status, got.out, got.err);
    command_free(&got);
}

/* Processes come and go before, so that a joiner may have written what is compared. */
static void the_start_says_what_the_loop_only_reads(void **state)
{
    (void)state;
    static const char from[] = "export SAVES_PAUSE_MS=1 XMPI_CHECKPOINT=reads; rm -rf reads; cp -r began reads; "
                               "export XMPI_RESTART=1; ";
    static const struct {
        const char *run;
        int status;
        const char *says;
    } starts[] = {
        {"$run -n 3 ./saves 100 40 1 0.25", 2,
         "is not taken: share, which the loop only reads, is 0.25, and was 0.5 then "
         "(XMPI_RESTART=2 goes on with 0.25)\n"},
        {"XMPI_RESTART=2 $run -n 3 ./saves 100 40 1 0.25", 0,
         "share is 0.25 from here on, and was 0.5 in the checkpoint\n"},
        {"XMPI_RESTART=2 $run -n 3 ./saves 100 40 2", 0,
         "source has other values from here on than in the checkpoint\n"},
        {"$run -n 3 ./saves 100 2", 2, "is not taken: the loop makes 2 iterations, and "},
    };
    char line[512];
    expect("export SAVES_PAUSE_MS=1 XMPI_INTERVAL=3; $run -n 3 ./saves 100 60 >sixty; "
           "XMPI_POLICY=random XMPI_MAX=5 XMPI_SEED=2 XMPI_CHECKPOINT=began "
           "XMPI_CHECKPOINT_INTERVAL=0 $run -n 2 ./saves 100 40 >forty",
           "", "");
    snprintf(line, sizeof line, "%s$run -n 3 ./saves 100 60 | cmp - sixty", from);
    expect(line, "", "steps is 60 from here on, and was 40 in the checkpoint\n");
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        snprintf(line, sizeof line, "%s%s", from, starts[i].run);
        command_t got = sh(line);
        if (got.status != starts[i].status || strstr(got.err, starts[i].says) == NULL)
            fail_msg("%s: status %d: %s%s", line, got.status, got.out, got.err);
        command_free(&got);
    }
}

/* What the loop only reads is not known of a resizable one: the arguments say it. */
static void arguments_of_a_resizable_loop_are_the_same(void **state)
{
    (void)state;
    static const struct {
        const char *run;
        int status;
        const char *says;
    } starts[] = {
        {"XMPI_RESTART=1 $run -n 3 ./advection 40 one", 0, "goes on from iteration "},
        {"XMPI_RESTART=1 $run -n 3 ./advection 40 two", 2,
         "is not taken: the arguments are \"40 two\", and were \"40 one\" then "
         "(XMPI_RESTART=2 goes on with these)\n"},
        {"XMPI_RESTART=2 $run -n 3 ./advection 40 two", 0,
         "the arguments are \"40 two\" from here on, and were \"40 one\" in the checkpoint\n"},
        {"rm args/$(ls args | tail -1)/part-000000; XMPI_RESTART=1 $run -n 3 ./advection 40 one "
         "2>said; test $(grep -c 'is missing' said) = 1 || echo not once >&2; cat said >&2; true",
         0, "is not taken: part 1 of 2 (part-000000) is missing"},
    };
    expect("XMPI_CHECKPOINT=were XMPI_CHECKPOINT_INTERVAL=0 XMPI_INTERVAL=1; "
           "$run -n 2 ./advection 40 one >/dev/null", "", "");
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        char line[512];
        snprintf(line, sizeof line, "XMPI_CHECKPOINT=args; rm -rf args; cp -r were args; %s",
                 starts[i].run);
        command_t got = sh(line);
        if (got.status != starts[i].status || strstr(got.err, starts[i].says) == NULL ||
            strstr(got.err, "not once") != NULL)
            fail_msg("%s: status %d: %s%s", line, got.status, got.out, got.err);
        command_free(&got);
    }
}

/* --- what cannot be written ---------------------------------------------------------------------
 */

static void a_full_disk_costs_the_checkpoint_alone(void **state)
{
    (void)state;
    expect("XMPI_CHECKPOINT=full XMPI_CHECKPOINT_INTERVAL=0; ulimit -f 4; "
           "$run -n 2 ./evolve 4000 200; find full -name '*part*' | wc -l",
           "evolve: ok 200 1294555236\n0\n",
           "cannot write its part: File too large; the program goes on\n");
    expect("XMPI_CHECKPOINT=/proc/none XMPI_CHECKPOINT_INTERVAL=0; "
           "$run -n 2 $evolve 2>&1 | grep -c 'no checkpoint:'", "1\n", "");
    expect("XMPI_CHECKPOINT=/proc/none XMPI_CHECKPOINT_INTERVAL=0; $run -n 2 $evolve", evolved,
           "no checkpoint: /proc/none: No such file or directory; the program goes on\n");
    expect("XMPI_CHECKPOINT=file XMPI_CHECKPOINT_INTERVAL=0; : >file; $run -n 2 $evolve", evolved,
           "Not a directory; the program goes on\n");
}

/* What rank 1 writes is held up, by a copy of it that is stopped (the first one that is not over
 * before): the program iterates on, the next one is not begun, and there is a whole one in the end. */
static void nobody_waits_for_who_writes(void **state)
{
    (void)state;
    expect("XMPI_CHECKPOINT=slow XMPI_CHECKPOINT_INTERVAL=0 XMPI_TRACE=slow.trace XMPI_INTERVAL=40 "
           "SAVES_PAUSE_MS=10; first() { for pid in $(pgrep -f '^./saves 3000000 800'); do "
           "    grep -qsxz PMI_RANK=1 /proc/$pid/environ && [ /proc/$pid/cwd -ef . ] && "
           "    echo $pid && break; done; }; "
           "events() { grep -c \"\\\"event\\\":\\\"$1\\\"\" slow.trace; }; "
           "$run -n 2 ./saves 3000000 800 >slow.out & job=$!; "
           "until rank=$(first) && [ -n \"$rank\" ]; do sleep 0.05; done; "
           "held() { kill -STOP $1 && while state=$(ps -o stat= -p $1 | cut -c1); "
           "    [ \"$state\" != T ]; do case $state in Z*|'') return 1;; esac; done; }; "
           "until copy=$(pgrep -P $rank) && held $copy; do kill -0 $rank || exit 1; done; "
           "sleep 1; before=$(events interval); written=$(events checkpoint); sleep 3; "
           "for try in $(seq 600); do [ $(events interval) -gt $((before + 3)) ] && break; "
           "    sleep 0.1; done; [ $try -lt 600 ] || echo 'it stands still'; "
           "echo $(($(events checkpoint) - written)); kill -CONT $copy; wait $job; "
           "grep '\"event\":\"checkpoint\"' slow.trace | grep -c '\"whole\":true' | grep -cv '^0'",
           "0\n1\n", "");
}

static void loops_that_have_none_say_so(void **state)
{
    (void)state;
    command_t got = sh("XMPI_CHECKPOINT=rooted; printf '%s' '"
                       "#include <mpi.h>\n#include \"xmpi_gen.h\"\n"
                       "int main(int c, char **v) { xmpi_gen_program(1); MPI_Init(&c, &v); int n, r; "
                       "MPI_Comm_size(MPI_COMM_WORLD, &n); MPI_Comm_rank(MPI_COMM_WORLD, &r); "
                       "xmpi_gen_domain(n); xmpi_gen_refresh(XMPI_GEN_DISPL, &r, sizeof r); "
                       "int one = 1; xmpi_gen_refresh(XMPI_GEN_COUNT, &one, sizeof one); "
                       "xmpi_gen_root(); xmpi_gen_loop_begin(\"x.c:1\", 0); "
                       "for (int i = 0; i < 9; i++) xmpi_gen_point(); xmpi_gen_loop_end(); "
                       "MPI_Finalize(); return 0; }' >rooted.c; true");
    command_free(&got);
    command_t made = command_shell(dir, SECONDS,
                                   "'%s'/bin/mpicc rooted.c -I'%s'/include -o rooted -L'%s'/lib "
                                   "-lxmpi -Wl,-rpath,'%s'/lib",
                                   build_dir(), build_dir(), build_dir(), build_dir());
    assert_int_equal(made.status, 0);
    command_free(&made);
    expect("XMPI_CHECKPOINT=rooted; $run -n 2 ./rooted; [ ! -e rooted-sets ]", "",
           "x.c:1: no checkpoints of this loop: rank 0 has something that nobody else has");
    got = sh("XMPI_CHECKPOINT=opened; echo 24 >in; $run -n 2 ./files 2>&1 >/dev/null | "
             "grep -c 'no checkpoints of this loop: the program has files open'");
    if (strcmp(got.out, "1\n") != 0)
        fail_msg("files: status %d: %s%s", got.status, got.out, got.err);
    command_free(&got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_processes_goes_on),
        cmocka_unit_test(what_was_saved_is_of_the_iterations_that_were_made),
        cmocka_unit_test(only_the_newest_are_kept),
        cmocka_unit_test(changes_come_between),
        cmocka_unit_test(programs_come_to_the_same),
        cmocka_unit_test(a_loop_in_a_loop_goes_on_in_its_step),
        cmocka_unit_test(a_loop_behind_others_has_some_of_its_first_time),
        cmocka_unit_test(what_is_broken_is_told_apart),
        cmocka_unit_test(where_none_can_be_taken_nothing_begins_anew),
        cmocka_unit_test(another_start_is_noticed),
        cmocka_unit_test(the_start_says_what_the_loop_only_reads),
        cmocka_unit_test(arguments_of_a_resizable_loop_are_the_same),
        cmocka_unit_test(a_full_disk_costs_the_checkpoint_alone),
        cmocka_unit_test(nobody_waits_for_who_writes),
        cmocka_unit_test(loops_that_have_none_say_so),
    };
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, build, clean);
}
