/* SPDX-License-Identifier: BSD-3-Clause
 * xmpirun: options, what is passed on, the terminal, the summary, signals. */
#include "control/running_job.h"

static int build(void **state)
{
    char path[4096];
    int status = job_build(state);
    snprintf(path, sizeof path, "%s/show", dir);
    write_file(path, "#!/bin/sh\necho \"$XMPI_POLICY|$XMPI_MAX|$XMPI_ACTIVE|$*\"\n");
    command_t made =
        command_shell(dir, SECONDS,
                      "chmod +x show && mkfifo quiet && "
                      "for program in obedient followed; do "
                      "'%s'/bin/xmpicc -O1 '%s'/tests/control/programs/$program.c -o $program; "
                      "done",
                      build_dir(), source_dir());
    command_free(&made);
    return status;
}

/* The standard input neither ends nor says anything. Hydra's mpiexec passes on that it has ended,
 * and dies of SIGPIPE where a program that calls no MPI, as ./show, ends before mpiexec comes to
 * that. */
static void expect(const char *line, int status, const char *out, const char *err)
{
    char quietly[2048];
    snprintf(quietly, sizeof quietly, "exec 0<>quiet; %s", line);
    command_t command = shell(quietly);
    if (command.status != status || strstr(command.out, out) == NULL ||
        strstr(command.err, err) == NULL)
        fail_msg("%s: status %d\n%s%s", line, command.status, command.out, command.err);
    command_free(&command);
}

static void settings_are_options(void **state)
{
    (void)state;
    expect("xmpirun -n 1 --policy balance --max=8 ./show a --max 3", 0, "balance|8||a --max 3\n",
           "");
    expect("xmpirun -n2 --max 3 ./show -n1", 0, "|3||-n1\n|3||-n1\n", "");
    expect("xmpirun -np 2 --spares 1 ./show", 0, "||2|\n||2|\n||2|\n", "");
    expect("XMPI_MAX=5 xmpirun -n 1 ./show", 0, "|5||\n", "");
    expect("xmpirun --max 4 -n 1 -env XMPI_MAX 6 ./show 'a  b'", 0, "|6||a  b\n", "");
}

static void mistakes_are_explained(void **state)
{
    (void)state;
    expect("xmpirun", 2, "", "no program to run");
    expect("xmpirun --frob ./show", 2, "", "there is no option --frob");
    expect("xmpirun --max many ./show", 2, "", "xmpirun: --max=many: must be");
    expect("xmpirun --policy fast ./show", 2, "", "xmpirun: --policy=fast: must be one of");
    expect("xmpirun --policy schedule ./show", 2, "",
           "xmpirun: --policy=schedule needs a file: set --schedule=FILE\n");
    expect("xmpirun --policy amp ./show", 2, "", "needs a goal: set --goal, to 10m");
    expect("xmpirun -n none ./show", 2, "", "expected a number");
    expect("xmpirun -n -1 ./show", 2, "", "-n -1: expected a number from 1 to");
    expect("xmpirun -n 1 --check=-1 ./show", 2, "", "--check -1: expected a number from 1 to");
    expect("xmpirun --spares 2 ./show", 2, "", "--spares needs -n");
    expect("xmpirun --machines missing -n 1 ./show", 2, "", "missing");
    expect("echo no-such-host.invalid:C:2 >unknown; xmpirun --mpiexec true --machines unknown -n 2 "
           "./show",
           0, "", "warning: unknown: node no-such-host.invalid has no address");
    expect("echo localhost:C:2 >known; xmpirun --mpiexec true --machines known -n 2 ./show 2>&1 | "
           "grep -c address",
           1, "0", "");
    expect("xmpirun --mpiexec /nowhere/mpiexec ./show", 127, "", "/nowhere/mpiexec");
    expect("xmpirun --help", 0, "--policy=VALUE", "");
}

static void exit_status_is_that_of_the_program(void **state)
{
    (void)state;
    expect("xmpirun -n 1 sh -c 'exit 7'", 7, "", "");
}

/* Shell: xmpirun has its connection to the job, beside the socket that listens. */
#define IT_IS_WATCHED "[ $(grep -c \"$PWD/xmpi/.*[.]sock\" /proc/net/unix) -ge 2 ]"

/* Shell: waits for the job, and for xmpirun to have its connection to it, beside the socket that
 * listens. */
#define UNTIL_IT_IS_WATCHED                                                                        \
    UNTIL_IT_ITERATES                                                                              \
    "until " IT_IS_WATCHED "; do sleep 0.05; done; "                                               \
    "xmpictl status >/dev/null; "

static void summary_tells_the_course(void **state)
{
    (void)state;
    expect("rm -f stop; (" UNTIL_IT_IS_WATCHED
           "touch stop) & xmpirun -n 2 --max 2 --trace t ./patient",
           0, "right\n", "iterations; 2 members at the end");
    expect("xmpirun -n 1 ./show", 0, "", "the job had no control socket");
    expect("XMPI_CONTROL=off xmpirun -n 1 ./show", 0, "",
           "xmpirun: XMPI_CONTROL is off: nothing is known");
    expect("xmpirun -n 2 --policy off ./obedient 3", 0, "", "xmpirun: the policy is off");
    expect("rm -f stop; (" UNTIL_IT_ITERATES "touch stop) & xmpirun -q -n 2 ./patient 2>&1", 0,
           "right\n", "");
    expect("test -s t && ! ls xmpi/*.sock", 0, "", "");
}

/* Each of them, also where the next one has begun, or the program ends, before anybody could be
 * told of the end. */
static void loops_one_after_another_are_told(void **state)
{
    (void)state;
    expect("rm -f stop; (until " IT_IS_WATCHED "; do sleep 0.05; done; touch stop) & "
           "xmpirun -n 2 --max 2 ./followed 2>said; grep -c 'followed, loop at .*followed.c' said; "
           "grep -o 'loop at .*' said | sort -u | wc -l; "
           "grep -o 'for [79] iterations; 2 members at the end' said; cat said >&2",
           0,
           "right\n3\n3\nfor 7 iterations; 2 members at the end\n"
           "for 9 iterations; 2 members at the end\n",
           "members at the end");
}

/* A job that ends in its loop, as one whose end came before it could be asked: what was heard of
 * it. */
static void what_was_heard_is_told(void **state)
{
    (void)state;
    expect("xmpirun -n 2 --max 2 ./obedient 500", 0, "",
           "iterations, then with 2 members; nothing was heard of the rest");
}

/* Also where it has no chance to say good-bye. */
static void killing_it_ends_the_job(void **state)
{
    (void)state;
    expect(
        "rm -f stop; xmpirun -n 2 --max 2 \"$PWD\"/patient >out 2>&1 & run=$!; " UNTIL_IT_ITERATES
        "kill -9 $run; wait $run; for try in $(seq 400); do "
        "left=$(pgrep -fc \"^$PWD/patient\"); [ $left = 0 ] && break; sleep 0.1; done; "
        "touch stop; echo \"left $left\"",
        0, "left 0\n", "");
}

/* Said once, and nobody is sent to a file that is not the whole. */
static void a_full_disk_is_told_once(void **state)
{
    (void)state;
    expect("rm -f stop err; (" UNTIL_IT_IS_WATCHED
           "until grep -qs /dev/full err; do sleep 0.05; done; touch stop) & "
           "xmpirun -n 2 --max 2 --interval 1 --trace /dev/full ./patient 2>err; echo status $? "
           "$(grep -c 'the trace /dev/full is not complete: No space' "
           "err) $(grep -c /dev/full err); grep 'members at the end' err",
           0, "status 0 1 1\n", "");
}

/* COMMAND in a terminal, until that has shown TEXT. */
static void shows(const char *command, const char *text)
{
    char line[512];
    snprintf(line, sizeof line,
             "rm -f stop shown; printf '%%s' '%s' >wanted; "
             "(until grep -qFs -f wanted shown; do sleep 0.05; done; touch stop) & "
             "script -qfec '%s' shown",
             text, command);
    expect(line, 0, text, "");
}

static void terminal_shows_one_line(void **state)
{
    (void)state;
    shows("xmpirun -n 2 ./patient", "\r\033[Kiteration ");
    shows("xmpirun --iterations 100000 -n 2 ./patient", "\r\033[K[");
    shows("stty cols 150; xmpirun --policy balance -n 2 ./patient",
          "% | next decision in 5 iterations: no change (now: ");
}

static void nodes_of_the_machine_file_are_used(void **state)
{
    (void)state;
    expect("echo \"$(hostname):C1:3\" > machines; "
           "TMPDIR=$PWD xmpirun --machines machines -n 3 ./show; ls xmpirun-* 2>/dev/null | wc -l",
           0, "|||\n|||\n|||\n0\n", "");
}

/* By a shell that fails after two seconds: before the job has begun, or afterwards. */
static void a_node_that_cannot_be_reached_ends_the_job(void **state)
{
    (void)state;
    expect("rm -f stop; printf '#!/bin/sh\nsleep 2; exit 255\n' >away; chmod 755 away; "
           "printf '%s:C1:1\nelsewhere:C1:1\n' $(hostname) >machines; "
           "xmpirun --machines machines -launcher ssh -launcher-exec \"$PWD/away\" -n 2 ./patient",
           1, "", "xmpirun: mpiexec's remote shell for node elsewhere has ended with status 255: ");
    expect("printf '#!/bin/sh\nshift 2; sh -c \"$*\" & sleep 2; exit 255\n' >away; "
           "(sleep 8; touch stop) & "
           "xmpirun -hosts $(hostname),elsewhere -launcher ssh -launcher-exec \"$PWD/away\" -n 2 "
           "./patient; case $? in 0 | 255) true;; *) false;; esac", /* Hydra's may be the shell's */
           0, "right\n", "");
}

/* Shell: until no process of the job is left. */
#define UNTIL_ALL_ARE_GONE                                                                         \
    "for i in $(seq 400); do n=0; for p in $(pgrep -x patient); do "                               \
    "[ \"$(readlink /proc/$p/cwd)\" = \"$PWD\" ] && n=$((n+1)); done; "                            \
    "[ $n = 0 ] && echo all gone && break; sleep 0.1; done; "

/* The signal NAME ends a job that is run with OPTIONS, which ends with STATUS, says nothing, and
 * leaves nothing. */
static void ends_quietly(const char *name, const char *options, int status)
{
    char line[1024], said[64];
    snprintf(
        line, sizeof line,
        "rm -f stop out err; echo \"$(hostname):C1:2\" > machines; "
        "env --default-signal=INT TMPDIR=$PWD xmpirun %s -n 2 ./patient >out 2>err & pid=$!; " //
        UNTIL_IT_ITERATES "kill -%s $pid; wait $pid; echo status $?; "                         //
        UNTIL_ALL_ARE_GONE "cat out err; find xmpi -name '*.sock*'; echo end",
        options, name);
    snprintf(said, sizeof said, "status %d\nall gone\nend\n", status);
    expect(line, 0, said, "");
}

static void signals_end_everything(void **state)
{
    (void)state;
    ends_quietly("TERM", "-q", 143);
    ends_quietly("INT", "", 130);
    ends_quietly("HUP", "--machines machines", 129);
    expect("ls xmpirun-* 2>/dev/null | wc -l", 0, "0\n", "");
}

/* As the terminal tells the whole job. */
static void control_c_ends_everything_quietly(void **state)
{
    (void)state;
    command_t command =
        shell("rm -f stop shown; (" UNTIL_IT_ITERATES "printf '\\003') | "
              "script -qfec 'xmpirun -n 2 ./patient' shown >/dev/null; echo status "
              "$?; " UNTIL_ALL_ARE_GONE "grep -ac 'mpiexec@\\|TERMINATION\\|EXIT STRING' shown");
    if (strcmp(command.out, "status 130\nall gone\n0\n") != 0)
        fail_msg("%s%s", command.out, command.err);
    command_free(&command);
}

/* What the program itself says when it is told to end, and how it ends then, is passed on. */
static void who_ends_by_itself_says_so(void **state)
{
    (void)state;
    expect("rm -f stop out; xmpirun -n 2 ./obedient >out 2>&1 & pid=$!; "
           "until xmpictl status 2>/dev/null | grep -q 'loop.*obedient.c'; do sleep 0.05; done; "
           "kill -TERM $pid; wait $pid; echo status $?; cat out",
           0, "status 0\n\n===\nobedient\n", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_options),
        cmocka_unit_test(mistakes_are_explained),
        cmocka_unit_test(exit_status_is_that_of_the_program),
        cmocka_unit_test(summary_tells_the_course),
        cmocka_unit_test(loops_one_after_another_are_told),
        cmocka_unit_test(what_was_heard_is_told),
        cmocka_unit_test(a_full_disk_is_told_once),
        cmocka_unit_test(terminal_shows_one_line),
        cmocka_unit_test(nodes_of_the_machine_file_are_used),
        cmocka_unit_test(a_node_that_cannot_be_reached_ends_the_job),
        cmocka_unit_test(signals_end_everything),
        cmocka_unit_test(control_c_ends_everything_quietly),
        cmocka_unit_test(who_ends_by_itself_says_so),
        cmocka_unit_test(killing_it_ends_the_job),
    };
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, build, job_clean);
}
