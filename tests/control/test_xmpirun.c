/* SPDX-License-Identifier: BSD-3-Clause
 * xmpirun: options, what is passed on, the terminal, the summary, signals. */
#include "control/running_job.h"

static int build(void **state)
{
    char path[4096];
    int status = job_build(state);
    snprintf(path, sizeof path, "%s/show", dir);
    write_file(path, "#!/bin/sh\necho \"$XMPI_POLICY|$XMPI_MAX|$XMPI_ACTIVE|$*\"\n");
    command_t made = command_shell(
        dir, SECONDS,
        "chmod +x show && mkfifo quiet && "
        "P='%s'/tests/control/programs/obedient.c && cp $P obedient.c && "
        "sed 's/xmpi loop/& movable/' $P >movable.c && "
        "sed 's/xmpi loop/& state(rows(x[64] from first, count), same(all, it))/' $P >sized.c && "
        "for p in obedient movable sized; do '%s'/bin/xmpicc -O1 $p.c -o $p || exit 1; done",
        source_dir(), build_dir());
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
    expect("xmpirun -n none ./show", 2, "", "expected a number");
    expect("xmpirun -n -1 ./show", 2, "", "-n -1: expected a number from 1 to");
    expect("xmpirun -n 1 --check=-1 ./show", 2, "", "--check -1: expected a number from 1 to");
    expect("xmpirun --spares 2 ./show", 2, "", "--spares needs -n");
    expect("xmpirun --machines missing -n 1 ./show", 2, "", "missing");
    expect("xmpirun --mpiexec /nowhere/mpiexec ./show", 127, "", "/nowhere/mpiexec");
    expect("xmpirun --help", 0, "--policy=VALUE", "");
}

/* Once, whatever it is of that cannot be. */
static void wishes_in_vain_are_told(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"--policy map ./obedient 5",
         "obedient.c:32: the policy map decides nothing here: it moves"},
        {"--policy smp ./movable 5",
         "movable.c:32: the policy smp decides nothing here: the loop "},
        {"--policy balance ./sized 5", "sized.c:32: the policy balance decides nothing here: it d"},
        {"--policy migrate ./obedient 5", "the policy migrate has nothing to go by: it follows"},
        {"--spares 2 ./obedient 5", "the 2 spares are used by xmpictl grow alone: the policy bal"},
        {"--spares 1 ./movable 5", "the 1 spare is used by xmpictl move alone: the policy balance"},
        {"--max 3 ./sized 5", "what XMPI_MAX=3 leaves room for is used by xmpictl grow alone"},
        {"--spares 1 --max 9 --policy swap ./obedient 5", "XMPI_MAX=9 has no effect: there are 3 "},
        {"--max 1 ./obedient 5", "none leaves for it either; begin with fewer (-n)"},
        {"--payback 3 ./obedient 5", "XMPI_PAYBACK: the policy balance does not go by it; those "
                                     "that do: swap\n"},
        {"--seed 2 ./obedient 5", "XMPI_SEED: the policy balance does not go by it; those that do"},
        {"--mtbf 9 ./obedient 5", "XMPI_MTBF has no effect: there are no checkpoints: XMPI_CHECKP"},
        {"--matrix 1 ./obedient 5", "XMPI_MATRIX has no effect: there is no trace"},
        {"--check=off --check-tolerance 0.1 ./obedient 5", "XMPI_CHECK_TOLERANCE has no effect"},
        {"--start order ./obedient 5", "XMPI_START has no effect: there are no spares"},
        {"--spares 1 --strategy group --policy swap ./obedient 5", "XMPI_STRATEGY has no effect"},
        {"--slurm-period 2 ./obedient 5", "XMPI_SLURM_PERIOD has no effect"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[512];
        snprintf(line, sizeof line, "xmpirun -q -n 2 %s 2>err; cat err >&2; grep -c '^xmpi: ' err",
                 cases[i][0]);
        expect(line, 0, "1\n", cases[i][1]);
    }
    static const char *const quiet[] = {
        "--policy swap --payback 3 --spares 1 --start order ./obedient 5",
        "--policy random --seed 2 --max 3 ./sized 5",
        "--policy off --spares 2 --mtbf 9 ./obedient 5", "--policy random --spares 1 ./movable 5",
        "--trace t --matrix 1 ./obedient 5"};
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++) {
        char line[512];
        snprintf(line, sizeof line, "xmpirun -q -n 2 %s 2>err; cat err >&2; [ ! -s err ]",
                 quiet[i]);
        expect(line, 0, "", "");
    }
}

static void exit_status_is_that_of_the_program(void **state)
{
    (void)state;
    expect("xmpirun -n 1 sh -c 'exit 7'", 7, "", "");
}

/* Shell: waits for the job, and for xmpirun to have its connection to it, beside the socket that
 * listens. */
#define UNTIL_IT_IS_WATCHED                                                                        \
    UNTIL_IT_ITERATES                                                                              \
    "until [ $(grep -c \"$PWD/xmpi/.*[.]sock\" /proc/net/unix) -ge 2 ]; do sleep 0.05; done; "     \
    "xmpictl status >/dev/null; "

static void summary_tells_the_course(void **state)
{
    (void)state;
    expect("rm -f stop; (" UNTIL_IT_IS_WATCHED
           "touch stop) & xmpirun -n 2 --max 2 --trace t ./patient",
           0, "right\n", "iterations; 2 members at the end");
    expect("xmpirun -n 1 ./show", 0, "", "the job had no control socket");
    expect("rm -f stop; (" UNTIL_IT_ITERATES "touch stop) & xmpirun -q -n 2 ./patient 2>&1", 0,
           "right\n", "");
    expect("test -s t && ! ls xmpi/*.sock", 0, "", "");
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
           "xmpirun --machines machines -n 3 ./show",
           0, "|||\n|||\n|||\n", "");
    expect("ls /tmp/xmpirun-* 2>/dev/null | wc -l", 0, "0\n", "");
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
    snprintf(line, sizeof line,
             "rm -f stop out err; echo \"$(hostname):C1:2\" > machines; "
             "env --default-signal=INT xmpirun %s -n 2 ./patient >out 2>err & pid=$!; " //
             UNTIL_IT_ITERATES "kill -%s $pid; wait $pid; echo status $?; "             //
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
    expect("ls /tmp/xmpirun-* 2>/dev/null | wc -l", 0, "0\n", "");
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
        cmocka_unit_test(wishes_in_vain_are_told),
        cmocka_unit_test(exit_status_is_that_of_the_program),
        cmocka_unit_test(summary_tells_the_course),
        cmocka_unit_test(what_was_heard_is_told),
        cmocka_unit_test(a_full_disk_is_told_once),
        cmocka_unit_test(terminal_shows_one_line),
        cmocka_unit_test(nodes_of_the_machine_file_are_used),
        cmocka_unit_test(signals_end_everything),
        cmocka_unit_test(control_c_ends_everything_quietly),
        cmocka_unit_test(who_ends_by_itself_says_so),
        cmocka_unit_test(killing_it_ends_the_job),
    };
    return cmocka_run_group_tests(tests, build, job_clean);
}
