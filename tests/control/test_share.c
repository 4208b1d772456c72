/* SPDX-License-Identifier: BSD-3-Clause
 * xmpi-share and running jobs: who comes, goes, is killed, is stopped, or is no job at all. The
 * machine has eight processors, as rows take their time wherever they are. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "control/running_job.h"

static void run(const char *line)
{
    command_t command = shell(line);
    if (command.status != 0)
        fail_msg("%s: status %d\n%s%s", line, command.status, command.out, command.err);
    command_free(&command);
}

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    command_t made = command_shell(
        dir, SECONDS, "'%s'/bin/xmpicc -O1 '%s'/tests/control/programs/patient.c -o rows",
        build_dir(), source_dir());
    int status = made.status;
    if (status != 0)
        fprintf(stderr, "%s", made.err);
    command_free(&made);
    return status;
}

/* A job of one process in its own folder NAME; what it is called is in the file "number" there. */
static void start(const char *name)
{
    char line[512];
    snprintf(line, sizeof line,
             "mkdir %s && cd %s && touch ../out && ls ../xmpi >before 2>/dev/null; "
             "XMPI_MAX=8 XMPI_IMBALANCE=1 setsid mpiexec -n 1 ../rows 250 >out 2>&1 </dev/null & "
             "sleep 0",
             name, name);
    run(line);
    snprintf(line, sizeof line,
             "ls xmpi 2>/dev/null | grep -vxF -f %s/before | sed -n 's/\\.sock$//p' >%s/number; "
             "[ -s %s/number ]",
             name, name, name);
    await(line);
}

static void share(const char *options)
{
    char line[256];
    snprintf(line, sizeof line,
             "setsid xmpi-share --pes 8 --period 0.1 %s >told 2>&1 </dev/null & "
             "echo $! >sharer",
             options);
    run(line);
}

/* Until the JOBS have so many MEMBERS, the fewest first: it matters how many each has, not who. */
static void await_members(const char *jobs, const char *members)
{
    char line[512];
    snprintf(line, sizeof line,
             "[ \"$(for j in %s; do xmpictl -j $(cat $j/number) status 2>/dev/null | "
             "sed -n 's/^members *\\([0-9]*\\),.*/\\1/p'; done | sort -n | xargs)\" = '%s' ]",
             jobs, members);
    await(line);
}

/* They end, and are right. */
static void stop(const char *jobs)
{
    char line[512];
    snprintf(line, sizeof line, "for j in %s; do touch $j/stop; done", jobs);
    run(line);
    snprintf(line, sizeof line, "! { for j in %s; do grep -cx right $j/out; done | grep -v 1; }",
             jobs);
    await(line);
}

static void signal_to(const char *name, const char *job)
{
    char line[128];
    snprintf(line, sizeof line, "kill -%s $(cat %s/number)", name, job);
    run(line);
}

static int clean_up(void **state)
{
    (void)state;
    run("kill -9 $(cat sharer) 2>/dev/null; for pid in $(pgrep -f 'mpiexec|hydra|rows'); do "
        "case $(readlink /proc/$pid/cwd) in \"$PWD\"/?) kill -9 $pid;; esac; done; "
        "rm -rf ? xmpi jobs sharer holder told; true");
    return 0;
}

static void jobs_share_what_there_is(void **state)
{
    (void)state;
    start("a");
    start("b");
    start("c");
    await("[ $(xmpi-share --dry-run --pes 8 | grep -c ' rows ') = 3 ]"); /* tells nobody */
    await_members("a b c", "1 1 1");
    share("--settle 1000");
    await_members("a b c", "2 3 3");
    run("xmpi-share >second 2>&1; [ $? = 1 ] && grep -q 'another xmpi-share' second");
    signal_to("KILL", "a");
    await_members("b c", "4 4");
    start("d");
    await_members("b c d", "2 3 3");
    run("grep -q 'rows ([0-9]*): 4 members instead of [1-3]$' told");
    stop("b");
    await_members("c d", "4 4");
    stop("c d");
}

/* Who was killed a moment ago may still have its lock. */
static void another_one_takes_over_at_once(void **state)
{
    (void)state;
    run("touch out; mkdir -m 700 xmpi; flock xmpi/share.lock sleep 1 >out 2>&1 & echo $! >holder; "
        "while flock -n xmpi/share.lock true; do :; done");
    share("");
    await("! kill -0 $(cat holder) 2>/dev/null && ! flock -n xmpi/share.lock true");
    run("kill -0 $(cat sharer) && [ ! -s told ]");
}

/* What it has is not given to others, nor is it waited for. */
static void who_is_stopped_keeps_what_it_has(void **state)
{
    (void)state;
    start("a");
    start("b");
    share("--patience 1");
    await_members("a b", "4 4");
    signal_to("STOP", "a");
    start("c");
    await_members("b c", "2 2");
    signal_to("CONT", "a");
    await_members("a b c", "2 3 3");
    stop("a b c");
}

/* One is on another node, by its entry in the directory of jobs, which stays there when it is
 * killed. The node is a shell. */
static void jobs_on_other_nodes_share_it_too(void **state)
{
    (void)state;
    run("mkdir -m 700 jobs; echo 'shift; exec sh -c \"$*\"' >reach");
    start("a");
    run("mkdir b && cd b && { XDG_RUNTIME_DIR=$PWD XMPI_JOBS=$PWD/../jobs XMPI_MAX=8 "
        "XMPI_IMBALANCE=1 "
        "setsid mpiexec -n 1 ../rows 250 >out 2>&1 </dev/null & sleep 0; }");
    await("ls b/xmpi/*.sock");
    await("sed -n 2p jobs/*.job >b/number && [ -s b/number ]");
    run("sed -i 1s/.*/far-away/ jobs/*.job");
    await(
        "[ $(XMPI_RSH='sh reach' XMPI_JOBS=jobs xmpi-share --dry-run --pes 8 | grep -c ' rows ') = "
        "2 ]");
    run("XMPI_RSH='sh reach' setsid xmpi-share --jobs jobs --pes 8 --period 0.1 --patience 2 >told "
        "2>&1 </dev/null & echo $! >sharer");
    await("grep -q 'rows (.*-'$(cat b/number)'): 4 members' told");
    await("xmpictl -j $(echo b/xmpi/*.sock) status | grep -q '^members *4,'");
    await("xmpictl -j $(cat a/number) status | grep -q '^members *4,'");
    signal_to("KILL", "b");
    await("xmpictl -j $(cat a/number) status | grep -q '^members *8,'");
    run("! xmpi-share --users --pes 8 2>said; grep -q -e '--jobs says' -e 'only root' said");
    stop("a");
}

/* Slurm's commands are there, and fail. */
static void without_an_answer_of_slurm_it_ends(void **state)
{
    (void)state;
    run("mkdir deaf && for command in sinfo squeue; do "
        "printf '#!/bin/sh\\necho unable to contact it >&2\\nexit 1\\n' >deaf/$command; "
        "chmod 755 deaf/$command; done");
    run("PATH=$PWD/deaf:$PATH; export PATH; for option in --dry-run --period=0.1; do "
        "timeout 60 xmpi-share --slurm main $option >said 2>&1; [ $? = 2 ] && "
        "[ \"$(cat said)\" = 'xmpi-share: Slurm does not answer, or has no node in a partition "
        "main "
        "(sinfo, squeue)' ] || { cat said; exit 1; }; done");
}

/* --- what is no job ----------------------------------------------------------------------------
 */

typedef enum { SILENT, GARBAGE, ENDLESS, LIAR, KINDS } stranger_t;

static const char lies[] =
    "{\"ok\":true,\"pid\":1,\"program\":\"\\u001b[2J\",\"members\":[{},{}]}\n"
    "{\"ok\":true,\"members\":2,\"worth\":[{\"members\":9,\"seconds\":1},{\"members\":3,"
    "\"seconds\":-1}]}\n";

static void answer(int fd, stranger_t kind)
{
    char noise[4096];
    memset(noise, kind == ENDLESS ? 'x' : '\n', sizeof noise);
    memcpy(noise + 7, "\xff\x01{[\"", 5);
    if (kind == LIAR)
        send(fd, lies, sizeof lies - 1, MSG_NOSIGNAL);
    while ((kind == GARBAGE || kind == ENDLESS) && send(fd, noise, sizeof noise, MSG_NOSIGNAL) > 0)
        ;
}

/* A process that answers at a socket in the folder of jobs, as if it were one. */
static pid_t appear(stranger_t kind)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s/xmpi/%d.sock", dir, 1 + (int)kind);
    assert_int_equal(bind(listener, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(listener, 8), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (pid == 0) {
        int fd = kind == SILENT ? pause() : accept(listener, NULL, NULL);
        answer(fd, kind);
        close(fd);
    }
    close(listener);
    return pid;
}

static void what_is_no_job_disturbs_nothing(void **state)
{
    pid_t stranger[KINDS];
    (void)state;
    start("a");
    start("b");
    for (int kind = 0; kind < KINDS; kind++)
        stranger[kind] = appear((stranger_t)kind);
    share("--patience 2 --keep 1");
    await("[ $(grep -c 'says what is no answer of a job' told) = 3 ]"); /* once of each */
    run("kill -9 $(cat sharer)");
    share("--patience 2"); /* another one goes on */
    for (int kind = 0; kind < KINDS; kind++)
        if (kind != LIAR) { /* which says that it has two */
            kill(stranger[kind], SIGKILL);
            waitpid(stranger[kind], NULL, 0);
        }
    await_members("a b", "3 3");
    kill(stranger[LIAR], SIGKILL);
    waitpid(stranger[LIAR], NULL, 0);
    await_members("a b", "4 4");
    run("! grep -q '[^ -~]' told");
    stop("a b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(jobs_share_what_there_is, clean_up),
        cmocka_unit_test_teardown(another_one_takes_over_at_once, clean_up),
        cmocka_unit_test_teardown(who_is_stopped_keeps_what_it_has, clean_up),
        cmocka_unit_test_teardown(jobs_on_other_nodes_share_it_too, clean_up),
        cmocka_unit_test(without_an_answer_of_slurm_it_ends),
        cmocka_unit_test_teardown(what_is_no_job_disturbs_nothing, clean_up),
    };
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, build, job_clean);
}
