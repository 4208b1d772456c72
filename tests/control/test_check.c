/* SPDX-License-Identifier: BSD-3-Clause
 * xmpirun --check: what it says of programs that are right, wrong, hang, die, write files, round,
 * or cannot be checked. */
#define _GNU_SOURCE
#include "control/running_job.h"
#include "rewriter/at_once.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <unistd.h>

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    setenv("TMPDIR", dir, 1);
    command_t made = command_shell(
        dir, SECONDS,
        "folder=$PWD; cd '%s'/tests/control/programs && for program in checked filed pending; do "
        "'%s'/bin/xmpicc -O1 -I '%s'/runtime/include $program.c -o \"$folder/$program\" -lm || "
        "exit 1; done",
        source_dir(), build_dir(), source_dir());
    int status = made.status;
    if (status != 0)
        fprintf(stderr, "%s", made.err);
    command_free(&made);
    return status;
}

/* LINE ends with STATUS and says all of WORDS, which end with NULL; of words behind "!" none. */
static void expect(const char *line, int status, const char *const *words)
{
    command_t command = shell(line);
    bool right = command.status == status;
    for (; *words != NULL; words++) {
        bool absent = (*words)[0] == '!';
        const char *word = *words + absent;
        bool said = strstr(command.out, word) != NULL || strstr(command.err, word) != NULL;
        if (said == absent)
            print_error("%s: %s\n", absent ? "says" : "does not say", word);
        right = right && said != absent;
    }
    if (!right)
        fail_msg("%s: status %d\n%s%s", line, command.status, command.out, command.err);
    command_free(&command);
}

#define SAYS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void a_right_program_is_the_same(void **state)
{
    (void)state;
    expect("xmpirun -n 2 --check=2 ./checked right", 0,
           SAYS("\n  spawn          2 ", "\n  pool           2 ", " equal ",
                " changes in 4 runs made no difference", "!not compared", "!DIFFERENT"));
    expect("ls", 0, SAYS("checked\n", "!xmpi-check", "!trace"));
    expect("xmpirun -n 2 --check=2 --checkpoint saved --checkpoint-interval 0 ./checked right; "
           "ls",
           0, SAYS("made no difference", "!DIFFERENT", "!saved\n"));
}

/* Which have no names after a change; what the program makes of them is compared. */
static void files_of_rows_are_not_compared(void **state)
{
    (void)state;
    expect("xmpirun -n 2 --check=2 ./filed; cat sum; rm -f sum rows.*", 0,
           SAYS(" made no difference", "same       same",
                "\nnot compared: 2 files of rows (data file), without a name after a change: "
                "\"rows.0\"\n",
                "\n1204800\n", "!DIFFERENT"));
}

/* Also without being asked for runs that compare: the summary says what came of the checks. */
static void the_summary_of_a_run_tells_of_checks(void **state)
{
    (void)state;
    expect("xmpirun -n 2 --max 3 --interval 5 --policy random --check=first --trace t ./checked "
           "right slow 2>said; n=$(grep -c '\"event\":\"check\".*\"outcome\":\"equal\"' t); "
           "test $n -gt 0 && grep \"^  checks  *$n equal$\" said && echo summed up; cat said",
           0, SAYS("summed up\n"));
    expect("xmpirun -n 2 --max 3 --interval 5 --policy random --check=off ./checked right 2>&1 | "
           "grep '^  checks'",
           0, SAYS("  checks              none"));
    expect("rm t said", 0, SAYS("!cannot"));
}

static void exit_status_and_input_are_those_of_the_program(void **state)
{
    (void)state;
    expect("printf 'some words\\n' | xmpirun -n 2 --check=1 ./checked words status", 0,
           SAYS("made no difference", "!EXIT STATUS"));
}

/* Hidden state, which only joiners show: the smallest set is one change by which some join. */
static void a_silent_wrong_result_is_found(void **state)
{
    (void)state;
    expect("xmpirun -n 2 --check=3 ./checked hidden", 1,
           SAYS("different: ", "  check: the iteration gives another result", "\n  1 of the ",
                " of checked.c:106: ", " members: rows 0-",
                "  again: ", "--policy schedule --schedule xmpi-check.schedule ./checked hidden"));
    expect("grep -c ^layout xmpi-check.schedule", 0, SAYS("1\n"));
}

/* What is said to show it again does. */
static void the_schedule_shows_it_again(void **state)
{
    (void)state;
    expect("XMPI_CHECK=off xmpirun -q -n 2 --check=2 ./checked hidden >said; "
           "again=$(sed -n 's/^  again: //p' said); "
           "XMPI_CHECK=off XMPI_POLICY=off mpiexec -n 2 ./checked hidden >plain; "
           "eval \"$again\" >other; cmp -s plain other || echo another result",
           0, SAYS("another result\n"));
}

static void files_are_compared_and_kept(void **state)
{
    (void)state;
    expect("xmpirun -n 2 --check=2 ./checked file", 0,
           SAYS("made no difference", " same       same       same ", "!DIFFERENT"));
    expect("XMPI_CHECK=off XMPI_POLICY=off mpiexec -n 2 ./checked file && cp result plain && "
           "rm result && xmpirun -n 2 --check=3 ./checked file hidden",
           1, SAYS("file: result: line "));
    expect("XMPI_POLICY=off mpiexec -n 2 ./checked file hidden && cp result plain; "
           "echo before >result; xmpirun -n 2 --check=1 --check-files=result ./checked file; "
           "XMPI_POLICY=off mpiexec -n 2 ./checked file; cp result wanted; "
           "xmpirun -n 2 --check=1 ./checked file >/dev/null; cmp result wanted && echo kept",
           0, SAYS("kept"));
    expect(
        "xmpirun -n 2 --check=1 ./checked right >said && xmpirun -n 2 --check=1 ./checked right | "
        "tee told >/dev/null; grep -h '^  plain.* same  *-  ' said told | wc -l",
        0, SAYS("4\n")); /* where it says that is no file of the program */
    expect("xmpirun -n 1 --check=2 ./checked ranks; ls own.*", 0,
           SAYS("file: own.2: is written, and is not by the program as it is", "1 of the ",
                "own.0\nown.1\nown.2\n"));
    expect("rm own.*; xmpirun -n 2 --check=2 ./checked called", 0, SAYS("made no difference"));
    expect("xmpirun -n 2 --check=1 --check-files=nowhere ./checked right", 2,
           SAYS("nowhere: the program has not written it"));
}

static void rounding_is_no_difference(void **state)
{
    (void)state;
    expect("xmpirun -n 2 --check=3 ./checked rounds", 0,
           SAYS("rounded    ", "as sums do that are made in another order", "made no difference",
                "!DIFFERENT"));
    expect("xmpirun -n 2 --check=3 ./checked file headed rounds", 0,
           SAYS(" rounded    same ", "made no difference", "!DIFFERENT"));
    expect("xmpirun -n 2 --check=2 ./checked file headed hidden", 1, SAYS("file: result: "));
    char line[512];
    snprintf(line, sizeof line,
             "xmpicc -O2 '%s'/tests/control/programs/beside.c -o beside && "
             "xmpirun -n 2 --check=1 ./beside && rm beside",
             source_dir());
    expect(line, 0, SAYS("rounded: 2 runs differ in single bits (the data total), as sums do"));
}

static void solvers_make_much_of_rounding(void **state)
{
    (void)state;
    expect("xmpirun -n 2 --check=3 ./checked amplifies", 0,
           SAYS("rounded    ", "as the program does by itself where it rounds up or down",
                "made no difference", "!DIFFERENT"));
    expect("xmpirun -n 2 --check=3 ./checked amplifies hidden", 1, SAYS("different: ", "data: u"));
}

/* That the program is another one with each number of processes is no excuse, also where iterations
 * are equal and only what is printed is not. */
static void wrong_programs_are_no_solvers(void **state)
{
    (void)state;
    expect("xmpirun -n 2 --check=2 ./checked sampled", 1,
           SAYS("different: ", "  output: line ", "!rounded    "));
    expect("xmpirun -n 2 --check=2 ./checked local", 1,
           SAYS("  check: u, row ", "different: ", "  output: line "));
}

static void what_varies_by_itself_is_not_compared(void **state)
{
    (void)state;
    expect("xmpirun -n 2 --check=1 ./checked varies", 0,
           SAYS(" varies ",
                "not compared: 1 line of the output, or numbers in it, that differs from run to "
                "run: \"process ",
                "made no difference", "!DIFFERENT"));
    expect("xmpirun -n 2 --check=1 ./checked quick", 0, SAYS("made no difference"));
    expect("xmpirun -n 2 --check=3 ./checked varies hidden", 1,
           SAYS("different: ", "output: line "));
}

/* Times of few digits, and who was the slowest, are the same in all plain runs, until these are
 * held up, one process and then another. A wrong result beside them is one. */
static void times_of_few_digits_are_no_result(void **state)
{
    (void)state;
    expect("xmpirun -n 2 --check=1 ./checked coarse", 0,
           SAYS("not compared: 9", " lines of the output, or numbers in them", "made no difference",
                "!DIFFERENT"));
    expect("xmpirun -n 2 --check=2 ./checked coarse sampled", 1,
           SAYS("different: ", "output: line 1 is \"sum ", " of the "));
}

static void crashes_are_found(void **state)
{
    (void)state;
    expect("xmpirun -n 2 --check=3 ./checked crash", 1,
           SAYS("EXIT STATUS", "the exit status is", "\n  1 of the "));
}

static void hangs_are_ended(void **state)
{
    (void)state;
    expect("xmpirun -n 2 --check=3 --check-limit=8 ./checked hang", 1,
           SAYS("HANGS", "it was ended after", "\n  1 of the "));
    expect("for p in $(pgrep -x checked); do [ \"$(readlink /proc/$p/cwd)\" = \"$PWD\" ] && "
           "echo left; done; true",
           0, SAYS("!left"));
}

/* The third run, the first with XMPI, is slow, as the machine may be for a while; then it is not;
 * or it is from then on, also as the program is. */
static void what_is_slow_with_the_machine_does_not_hang(void **state)
{
    (void)state;
    expect("mkdir -p in; cat >slow <<'end'\n"
           "if [ $PMI_RANK = 0 ]; then n=$(($(cat ../count) + 1)); echo $n >../count\n"
           "    if [ $n -ge 3 ] && [ $n -le $LAST ]; then sleep 100; fi; fi; exec ../checked\n"
           "end\n"
           "cd in; echo 0 >../count; LAST=3 xmpirun -n 2 --check=1 --check-limit=8 sh ../slow",
           0, SAYS("\nsame: ", "!HANGS", "!DIFFERENT"));
    expect("cd in; echo 0 >../count; LAST=99 xmpirun -n 2 --check=1 --check-limit=8 sh ../slow", 2,
           SAYS("TOO SLOW", "it cannot be told whether it hangs", "!HANGS", "!DIFFERENT"));
}

/* What a solver makes of roundings in one iteration is told from what is wrong by how much it is.
 */
static void much_made_of_roundings_is_said(void **state)
{
    (void)state;
    expect("XMPI_POLICY=random XMPI_INTERVAL=3 XMPI_MAX=4 XMPI_CHECK=all mpiexec -n 2 ./checked "
           "cancels",
           0,
           SAYS("all are equal with XMPI_CHECK_TOLERANCE=1e-6", ": the loop keeps its processes"));
    expect("XMPI_POLICY=random XMPI_INTERVAL=3 XMPI_MAX=4 XMPI_CHECK=all XMPI_CHECK_TOLERANCE=1e-6 "
           "mpiexec -n 2 ./checked cancels",
           0, SAYS("!the loop keeps its processes"));
    expect("XMPI_POLICY=random XMPI_INTERVAL=3 XMPI_MAX=4 XMPI_CHECK=all mpiexec -n 2 ./checked "
           "local",
           0, SAYS("!all are equal with", ": the loop keeps its processes"));
}

/* What the runtime says in the trace is what the user hears. */
static void why_no_change_was_made_is_told(void **state)
{
    (void)state;
    expect("xmpirun -n 2 --check=1 ./pending", 2,
           SAYS("no change was made: members stay for what one of them has; ",
                "stays on its processing element: a request is pending (MPI_Iallreduce",
                "!too soon"));
    expect(
        "cat >calls_off <<'end'\n"
        "[ -z \"$XMPI_TRACE\" ] || cat >$XMPI_TRACE.$$ <<'events'\n"
        "{\"event\":\"start\",\"loop\":\"c.c:7\",\"policy\":\"random\",\"backend\":\"pool\"}\n"
        "{\"event\":\"plan\",\"iteration\":6,\"kind\":\"grow\",\"from\":1,\"to\":2}\n"
        "{\"event\":\"reconfiguration\",\"outcome\":\"called off\",\"reason\":\"nobody comes\"}\n"
        "{\"event\":\"end\",\"iterations\":60}\n"
        "events\n"
        "[ -z \"$XMPI_TRACE\" ] || mv $XMPI_TRACE.$$ $XMPI_TRACE\n"
        "end\n"
        "xmpirun -n 1 --check=1 sh calls_off",
        2, SAYS("no change was made, 1 was called off: nobody comes"));
    expect("sed -i '/called off/d' calls_off; xmpirun -n 1 --check=1 sh calls_off; "
           "xmpirun -n 1 --check=1 --interval=1 sh calls_off 2>&1 | grep -c 'try --interval'",
           1, SAYS("the loop is over too soon", "; try --interval=1", "\n0\n"));
}

static void what_cannot_be_checked_says_so(void **state)
{
    (void)state;
    expect("xmpirun -n 2 --check ./checked pinned", 2,
           SAYS("checked.c:106 keeps its processes and cannot be checked: as it has no range"));
    expect("xmpirun -n 1 --check sh -c 'echo hello'", 2,
           SAYS("no adaptive loop that could be checked"));
}

/* A program of LINES in its loop, which has no rows. */
#define ROWLESS(pragma, lines)                                                                     \
    "printf '%s\n' '#include <mpi.h>' '#include <stdio.h>' 'int main(int argc, char **argv) {' "   \
    "'int rank; double t = 0, all;' 'MPI_Init(&argc, &argv);' "                                    \
    "'MPI_Comm_rank(MPI_COMM_WORLD, &rank);' '#pragma xmpi loop " pragma "' "                      \
    "'for (int step = 0; step < 60; step++) {' '" lines "' '}' "                                   \
    "'if (rank == 0) printf(\"%g\\n\", t);' 'MPI_Finalize();' 'return 0; }' >rowless.c && "        \
    "xmpicc rowless.c -o rowless && xmpirun -n 2 --check=2 --interval=5 ./rowless"

static void loops_without_rows_are_told_to_have_none(void **state)
{
    (void)state;
    expect(ROWLESS("state(same(step, t))",
                   "double own = 1; MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, "
                   "MPI_COMM_WORLD); t += all;"),
           1,
           SAYS("\nrowless.c:8 has no rows: its values alone were compared\n",
                "different: ", " members: it has no rows\n", "!rows 0-"));
    expect(ROWLESS("movable", "MPI_Barrier(MPI_COMM_WORLD); t += step;"), 0,
           SAYS("\nrowless.c:8 has no rows: none of its data were compared\n", "\nsame: "));
    expect("xmpirun -n 2 --check=1 ./checked right", 0, SAYS("\nsame: ", "!has no rows"));
}

/* Crashes are not compared with one another; what a program has come to behind its loop is. */
static void who_fails_without_changes_is_told_so(void **state)
{
    (void)state;
    expect("xmpirun -n 2 --check ./checked dies", 2,
           SAYS("xmpirun: the program is ended by a signal without any change: ",
                "); nothing was checked\n", /* its own, or what the others are ended by then */
                "!unchanged ", "!made no difference", "!no adaptive loop"));
    expect("xmpirun -n 2 --check ./checked stops", 2,
           SAYS("xmpirun: the program ends with status 3 without any change; nothing was checked\n",
                "!spawn  ", "!made no difference", "!no adaptive loop"));
    expect(
        "xmpirun -n 1 --check sh -c 'echo Usage: program FILE >&2; exit 4'", 2,
        SAYS("Usage: program FILE\n"
             "xmpirun: the program ends with status 4 without any change; nothing was checked\n"));
}

/* Its temporary folder is gone whatever ends it, and who has no room there hears what to set. */
static void a_full_disk_says_where_room_is_wanted(void **state)
{
    (void)state;
    expect("TMPDIR=/nonexistent xmpirun -n 1 --check=1 true", 2,
           SAYS("xmpirun: cannot make a temporary folder /nonexistent/xmpi-check-",
                "No such file or directory: see TMPDIR"));
    if (geteuid() != 0 || system("unshare --mount true 2>/dev/null") != 0)
        return;
    expect("mkdir full; unshare --mount sh -c 'mount -t tmpfs -o size=128k none full; cd full; "
           "TMPDIR=$PWD xmpirun -n 1 --check=1 sh -c \"head -c 100000 /dev/zero >written\"; "
           "status=$?; echo $(ls); exit $status'",
           2, SAYS("written.0: No space left on device: see TMPDIR\n", "\nwritten\n"));
    expect("unshare --mount sh -c 'mount -t tmpfs -o size=128k none full; cd full; "
           "TMPDIR=$PWD xmpirun -n 1 --check=1 head -c 200000 /dev/zero >../said 2>&1; "
           "status=$?; ls | wc -l; exit $status'; status=$?; cat said; exit $status",
           2, SAYS("0\nxmpirun --check: ", "No space left on device: see TMPDIR\n"));
}

static void mistakes_are_explained(void **state)
{
    (void)state;
    expect("xmpirun --check ./checked", 2, SAYS("--check needs -n"));
    expect("xmpirun -n 2 --check=0 ./checked", 2, SAYS("--check 0: expected a number from 1"));
    expect("xmpirun -n 2 --check=sometimes ./checked", 2, SAYS("--check=sometimes: must be "));
    expect("xmpirun -q -n 1 --check=first sh -c 'echo $XMPI_CHECK'", 0, SAYS("first\n"));
    expect("xmpirun -n 2 --check --checkpoint saved --restart ./checked", 2,
           SAYS("--check begins the program anew in each run, without --restart"));
    expect("xmpirun -n 2 --check-files=a ./checked", 2, SAYS("--check-files needs --check"));
    expect("xmpirun -n 2 --check-limit=9 ./checked", 2, SAYS("--check-limit needs --check"));
}

/* Nor is anything left of those before. */
static void nothing_is_left(void **state)
{
    (void)state;
    expect("xmpirun -n 2 --check=100 ./checked right >said & "
           "until ls | grep -q xmpi-check-; do sleep 0.05; done; kill -TERM $!; wait $!; "
           "echo status $?; ls",
           0, SAYS("status 143\n", "!xmpi-check-"));
    expect("for p in $(pgrep -x checked); do [ \"$(readlink /proc/$p/cwd)\" = \"$PWD\" ] && "
           "echo left; done; true",
           0, SAYS("!left"));
}

static const struct CMUnitTest cases[] = {
    cmocka_unit_test(a_right_program_is_the_same),
    cmocka_unit_test(the_summary_of_a_run_tells_of_checks),
    cmocka_unit_test(exit_status_and_input_are_those_of_the_program),
    cmocka_unit_test(a_silent_wrong_result_is_found),
    cmocka_unit_test(the_schedule_shows_it_again),
    cmocka_unit_test(files_are_compared_and_kept),
    cmocka_unit_test(files_of_rows_are_not_compared),
    cmocka_unit_test(rounding_is_no_difference),
    cmocka_unit_test(solvers_make_much_of_rounding),
    cmocka_unit_test(wrong_programs_are_no_solvers),
    cmocka_unit_test(what_varies_by_itself_is_not_compared),
    cmocka_unit_test(times_of_few_digits_are_no_result),
    cmocka_unit_test(crashes_are_found),
    cmocka_unit_test(hangs_are_ended),
    cmocka_unit_test(what_is_slow_with_the_machine_does_not_hang),
    cmocka_unit_test(much_made_of_roundings_is_said),
    cmocka_unit_test(why_no_change_was_made_is_told),
    cmocka_unit_test(what_cannot_be_checked_says_so),
    cmocka_unit_test(loops_without_rows_are_told_to_have_none),
    cmocka_unit_test(who_fails_without_changes_is_told_so),
    cmocka_unit_test(a_full_disk_says_where_room_is_wanted),
    cmocka_unit_test(mistakes_are_explained),
    cmocka_unit_test(nothing_is_left),
};

enum { CASES = sizeof cases / sizeof *cases };

/* One case, in a process and a folder of its own. */
static int run_case(char *name)
{
    for (size_t i = 0; i < CASES; i++) {
        if (strcmp(cases[i].name, name) != 0)
            continue;
        command_t made = command_shell(
            dir, SECONDS,
            "mkdir '%s' && cp checked filed pending '%s' && cd '%s' && pwd | tr -d '\\n'", name,
            name, name);
        dir = made.out;
        setenv("TMPDIR", dir, 1);
        const struct CMUnitTest one[] = {cases[i]};
        return made.status != 0 ? made.status : cmocka_run_group_tests_name(name, one, NULL, NULL);
    }
    return 1;
}

static void outcome(void **state)
{
    at_once_expect(dir, *state);
}

/* They mostly wait for processes to start, and sleep: several at a time. */
int main(void)
{
    const char *wanted = getenv("TEST");
    struct CMUnitTest tests[CASES];
    char *names[CASES];
    size_t n = 0;
    for (size_t i = 0; i < CASES; i++) {
        if (wanted != NULL && fnmatch(wanted, cases[i].name, 0) != 0)
            continue;
        names[n] = (char *)(uintptr_t)cases[i].name;
        tests[n] =
            (struct CMUnitTest){.name = names[n], .test_func = outcome, .initial_state = names[n]};
        n++;
    }
    if (build(NULL) != 0)
        return 1;
    at_once_run(dir, names, n, run_case);
    int failed = _cmocka_run_group_tests("xmpirun --check", tests, n, NULL, NULL);
    job_clean(NULL);
    return failed;
}
