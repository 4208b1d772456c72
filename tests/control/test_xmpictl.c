/* SPDX-License-Identifier: BSD-3-Clause
 * xmpictl and a running job: the real commands, spawned and pooled. */
#define _DEFAULT_SOURCE
#include <unistd.h>

#include "control/running_job.h"
#include "support/trace_schema.h"

static void expect(const char *line, int status, const char *words)
{
    command_t command = shell(line);
    if (command.status != status ||
        strstr(command.status == 0 ? command.out : command.err, words) == NULL)
        fail_msg("%s: status %d\n%s%s", line, command.status, command.out, command.err);
    command_free(&command);
}

static void members_come_and_go(const char *settings, int processes)
{
    job_start(settings, processes);
    expect("xmpictl trace on told", 0, "accepted");
    await("grep -q '\"event\":\"interval\"' told");
    expect("xmpictl shrink 1", 0, "accepted");
    await("xmpictl status | grep -q 'members  *1,'");
    await("grep -q '\"event\":\"resources\".*\"source\":\"xmpictl\".*\"withdrawn\":1' told");
    expect("xmpictl grow 3", 0, "accepted");
    await("xmpictl status | grep -q 'members  *4,'");
    await("grep -q '\"event\":\"resources\".*\"source\":\"xmpictl\".*\"returned\":1' told");
    expect("xmpictl grow 50", 0, "accepted");
    await("xmpictl status | grep -q 'last decision.*50 more processors'");
    expect("xmpictl grow 1 C77", 0, "accepted");
    await("xmpictl status | grep -q 'last decision.*C77'");
    job_stop();
}

static void spawned_members_come_and_go(void **state)
{
    (void)state;
    members_come_and_go("XMPI_MAX=4 XMPI_IMBALANCE=1", 2);
}

static void pooled_members_come_and_go(void **state)
{
    (void)state;
    members_come_and_go("XMPI_IMBALANCE=1 XMPI_ACTIVE=2", 4);
}

static void what_comes_of_requests_is_told(void **state)
{
    (void)state;
    job_start("XMPI_MAX=4 XMPI_IMBALANCE=1", 2);
    expect("xmpictl --wait grow 1", 0, "done: grow: 3 members instead of 2");
    expect("xmpictl --wait shrink 1; xmpictl status", 0, "members       2,"); /* at once */
    expect("xmpictl --wait grow 50", 1, "nothing comes of it: ");
    expect("xmpictl --wait --json grow 1 C77", 1, "C77");
    expect("xmpictl --wait policy smp", 0, "done: policy smp");
    expect("xmpictl log", 0, " refused: ");
    expect("xmpictl --follow log >followed 2>&1 </dev/null & sleep 0", 0, "");
    expect("xmpictl --json log", 0, "\"text\":\"policy smp\"");
    await("grep -q 'policy smp' followed");
    expect("xmpictl -w policy balance", 0, "done");
    await("grep -q 'policy balance' followed");
    job_stop();
}

/* One request after another, while another process leads again and again. */
static void requests_are_not_lost_where_the_leader_moves(void **state)
{
    (void)state;
    job_start("XMPI_ACTIVE=2 XMPI_IMBALANCE=1", 4);
    expect("for i in 1 2 3 4 5 6; do (sleep 0.0$i; xmpictl -w goal ${i}0m "
           ">goal$i 2>&1 || echo lost >>goal$i) & xmpictl -w move 0 $((2 + i % 2)) "
           "|| exit 1; "
           "wait; done; [ $(cat goal? | grep -c 'done: goal') = 6 ]",
           0, "exchange");
    expect("[ $(xmpictl log | grep -c ' leads$') -ge 6 ]", 0, "");
    job_stop();
}

/* Of as many cores as there are, MEMBERS processes are on MEMBERS, or on all; the process that
 * starts others is free. */
static void assert_bound(int members)
{
    char line[1024];
    snprintf(line, sizeof line,
             "all=$(sed -n 's/^Cpus_allowed_list:.//p' /proc/self/status); "
             "for pid in $(ls /proc | grep '^[0-9]'); do "
             "[ \"$(readlink /proc/$pid/exe)\" = \"$PWD/patient\" ] && "
             "sed -n 's/^Cpus_allowed_list:.//p' /proc/$pid/status; done | grep -vx $all >bound; "
             "cores=$(for cpu in $(echo $all | sed 's/[,-]/ /g'); do "
             "cat /sys/devices/system/cpu/cpu$cpu/topology/thread_siblings_list; done | sort -u | "
             "wc -l); most=%d; [ $cores -ge $most ] || most=$cores; "
             "[ $cores = 1 ] || [ $(wc -l <bound) = %d ] && [ $(sort -u bound | wc -l) -ge $most ]",
             members, members);
    expect(line, 0, "");
}

static void members_are_bound_to_cores(void **state)
{
    (void)state;
    job_start("XMPI_MAX=3 XMPI_IMBALANCE=1 XMPI_BIND=core", 2);
    assert_bound(2);
    expect("xmpictl -w grow 1", 0, "done");
    assert_bound(3);
    job_stop();
}

static void trace_begins_and_ends(void **state)
{
    (void)state;
    job_start("XMPI_IMBALANCE=1", 2);
    expect("xmpictl trace on a_trace", 0, "accepted");
    await("grep -q '\"event\":\"interval\"' a_trace");
    await("xmpictl status | grep -q /a_trace");
    expect("xmpictl trace off", 0, "accepted");
    await("xmpictl status | grep -q 'trace  *off'");
    expect("xmpi-report a_trace", 0, "a_trace.html");
    expect("xmpictl trace on", 2, "trace on FILE");
    expect("xmpictl trace on /nowhere/file", 0, "accepted");
    await("xmpictl status | grep -q 'last decision.*/nowhere/file'");
    job_stop();
}

static void who_talks_to_whom_is_told(void **state)
{
    (void)state;
    job_start("XMPI_IMBALANCE=1", 2);
    expect("xmpictl trace on talk", 0, "accepted");
    expect("xmpictl matrix", 0, "bytes that ranks sent to others");
    expect("xmpictl --json matrix", 0, "\"rank\":0,\"peers\":[1],\"messages\":[");
    await("[ $(grep -c '\"event\":\"matrix\"' talk) = 2 ]");
    expect("xmpictl matrix now", 2, "wrong number of arguments");
    job_stop();
}

/* Four nodes by name, of which two have members. */
#define ON(node) "-n 1 -env XMPI_NODE " node " ./patient"

static void a_withdrawn_node_is_left_until_it_is_offered(void **state)
{
    (void)state;
    expect("rm -f stop out; XMPI_ACTIVE=2 XMPI_IMBALANCE=1 setsid mpiexec " ON("n1") " : " ON(
               "n2") " : " ON("n3") " : " ON("n4") " >out 2>&1 </dev/null & sleep 0",
           0, "");
    await("xmpictl status 2>/dev/null | grep -q 'loop.*patient.c'");
    expect("xmpictl --wait withdraw n1", 0, "exchange: 2 members");
    expect("xmpictl status | grep -c ' n1 '", 1, "");
    expect("xmpictl --wait grow 2", 1, "node n1 is withdrawn, until it is offered");
    expect("xmpictl --wait members 4", 1, "there is no room for 4 members");
    expect("xmpictl --wait grow 1", 0, "3 members instead of 2");
    expect("xmpictl status | grep -c ' n1 '", 1, "");
    expect("xmpictl --wait move 0 0", 1, "is on node n1, which is withdrawn");
    expect("xmpictl --wait offer n1", 0, "done: offer n1");
    expect("xmpictl --wait grow 1", 0, "4 members instead of 3");
    expect("xmpictl --wait grow 1", 1, "start the program with more spares");
    expect("xmpictl --wait shrink 1; for i in 0 1 2 3; do xmpictl --wait move 0 $i 2>&1; done | "
           "sort",
           0, "rests, for there to be fewer members");
    job_stop();
}

/* There is nowhere to go: what the MPI starts comes to this machine as well. */
static void the_only_node_is_not_left(void **state)
{
    (void)state;
    job_start("XMPI_MAX=4 XMPI_IMBALANCE=1", 2);
    expect("xmpictl --json status | grep -o '\"node\":\"[^\"]*' | sed -n '1s/.*\"//p' >node; grep "
           ". node",
           0, "");
    expect("xmpictl --wait grow 1", 0, "3 members instead of 2");
    expect("xmpictl --json status | grep -o \"\\\"node\\\":\\\"$(cat node)\\\"\" | wc -l", 0, "3");
    expect("xmpictl --wait withdraw $(cat node)", 1, "is the last one");
    expect("xmpictl --wait grow 1", 0, "4 members instead of 3");
    job_stop();
}

/* A number is set, whatever it was, and a policy that takes what is idle finds nothing beyond it.
 */
static void members_are_set_and_their_worth_is_told(void **state)
{
    (void)state;
    job_start("XMPI_MAX=4 XMPI_POLICY=smp", 2);
    await("xmpictl status | grep -q 'members  *4,'");
    expect("xmpictl --wait members 2", 0, "2 members instead of 4");
    expect("xmpictl worth", 0, "2 ");
    expect("xmpictl --json worth", 0, "\"members\":4,\"seconds\":"); /* what was given back */
    expect("xmpictl --wait members 2; xmpictl status", 0, "done: there are 2 members");
    expect("xmpictl status | sed -n '/^idle/,$p' | grep -c .", 1, ""); /* nothing to take */
    expect("xmpictl --wait members 3", 0, "3 members instead of 2");
    expect("xmpictl --wait members 9", 1, "there is no room for 9 members");
    expect("xmpictl --wait members 1", 0, "1 members instead of 3");
    expect("xmpictl members 0", 2, "expected a number");
    expect("xmpictl worth 3", 2, "wrong number of arguments");
    expect("xmpictl goal 1h; xmpictl --json worth", 0, "\"due\":3");
    expect("[ $(xmpictl log | grep -c worth) = 0 ]", 0, "");
    job_stop();
}

/* Compiles programs/patient.c, changed by the lines SCRIPT of sed, as over/patient, and starts it
 * with SETTINGS on three processes. */
static void start_changed(const char *script, const char *settings)
{
    char line[512];
    command_t made = command_shell(
        dir, SECONDS,
        "mkdir -p over && sed '%s' '%s'/tests/control/programs/patient.c >over/patient.c && "
        "'%s'/bin/xmpicc -O1 over/patient.c -o over/patient",
        script, source_dir(), build_dir());
    if (made.status != 0)
        fail_msg("%s%s", made.out, made.err);
    command_free(&made);
    snprintf(line, sizeof line,
             "rm -f stop out; XMPI_INTERVAL=5 XMPI_POLICY=smp %s setsid mpiexec -n 3 over/patient "
             ">out 2>&1 </dev/null & sleep 0",
             settings);
    expect(line, 0, "");
    await("xmpictl status 2>/dev/null | grep -q 'loop.*patient.c'");
}

/* A program that starts over, of which a process that has taken over leads. */
static void worth_is_told_by_whoever_leads(void **state)
{
    (void)state;
    start_changed("/#pragma xmpi data/d; /#pragma xmpi initial/d; s/#pragma xmpi loop.*/#pragma "
                  "xmpi loop state(rows(a[n] from displ, count), same(it, stop))/",
                  "XMPI_ACTIVE=2 XMPI_MAX=2");
    expect("xmpictl worth", 0, "as it is");
    expect("xmpictl --wait move 0 2", 0, "done: exchange");
    expect("xmpictl log", 0, "process 2 leads");
    expect("xmpictl worth", 0, "as it is");
    job_stop();
}

/* They say what rows take, and no policy has asked for them. */
static void worth_is_told_where_rows_have_weights(void **state)
{
    (void)state;
    start_changed("s/^    int \\*a = .*/&\\n    double *w = malloc(n * sizeof *w);\\n"
                  "    for (int i = 0; i < n; i++)\\n        w[i] = 1;/; "
                  "s/usleep(.*/usleep(100 * (unsigned)count);/; "
                  "s/loop interval(5)/& weight(w)/; "
                  "s/^#pragma xmpi data.*/&\\n#pragma xmpi data replicated(w[n])/",
                  "XMPI_MAX=3");
    expect("xmpictl worth", 0, "as it is");
    job_stop();
}

/* Nothing waits for the end of an interval that does not come: in a loop that is pinned from its
 * begin on, and in one that a check pins, with what waits then. */
static void loops_that_are_kept_refuse(void **state)
{
    (void)state;
    command_t made = command_shell(dir, SECONDS,
                                   "'%s'/bin/xmpicc -I'%s'/runtime/include "
                                   "'%s'/tests/control/programs/checked.c -o checked -lm",
                                   build_dir(), source_dir(), source_dir());
    assert_int_equal(made.status, 0);
    command_free(&made);
    expect("mpiexec -n 2 ./checked pinned slow long >out 2>&1 & sleep 0", 0, "");
    await("xmpictl status | grep -q 'kept .*it has no range'");
    expect("xmpictl --wait grow 1", 1, "keeps its processes");
    expect("xmpictl worth", 1, "keeps its processes");
    expect("xmpictl matrix", 1, "keeps its processes");
    expect("xmpictl log", 0, "the loop keeps its processes");
    job_kill();
    await("! xmpictl status 2>/dev/null");
    expect("XMPI_POLICY=random XMPI_MAX=3 XMPI_INTERVAL=5 XMPI_CHECK=first mpiexec -n 2 ./checked "
           "hidden slow long >out 2>&1 & sleep 0",
           0, "");
    await("xmpictl status | grep -q 'kept .*hidden\\|kept .*row'");
    expect("xmpictl members 3", 1, "keeps its processes");
}

static void policies_change(void **state)
{
    (void)state;
    job_start("XMPI_POLICY=balance", 2);
    expect("xmpictl policy nonsense", 1, "refused: \"nonsense\" is no policy");
    expect("xmpictl policy random", 0, "accepted");
    await("xmpictl status | grep -q 'policy  *random'");
    expect("xmpictl policy off", 0, "accepted");
    await("xmpictl status | grep -q 'policy  *off'");
    await("! xmpictl status | grep 'next decision'");
    expect("xmpictl goal never", 1, "refused");
    job_stop();
}

static void jobs_are_listed_watched_and_told_apart(void **state)
{
    (void)state;
    job_start("XMPI_POLICY=balance", 2);
    expect("xmpictl --json list", 0, "\"program\":\"patient\"");
    await("xmpictl status | grep -q 'next decision after iteration [0-9]*[05]: '");
    expect("xmpictl list", 0, "patient");
    expect("xmpictl -j patient status >named && [ \"$(sed -n 's/^job  *//p' named)\" = "
           "\"$(xmpictl list | sed -n '2s/ .*//p')\" ]",
           0, "");
    expect("timeout 20 xmpictl watch | head -3", 0, "ms per iteration");
    for (int i = 0; i < 5; i++) /* all is answered that was asked before the end */
        expect("printf '{\"command\":\"status\"}\\n{\"command\":\"worth\"}' | xmpictl connect | "
               "grep -c '\"ok\":true'",
               0, "2");
    expect("xmpictl --json -j $(echo xmpi/*.sock) status", 0, "\"members\":[{");
    expect("mpiexec -n 1 ./patient >/dev/null 2>&1 & for i in $(seq 1000); do "
           "[ $(xmpictl list | wc -l) = 3 ] && break; sleep 0.05; done; xmpictl status",
           2, "2 jobs run here");
    expect("xmpictl -j patient status", 2, "2 jobs here run patient: choose one by its number");
    job_stop();
}

/* The name of the job in the directory, and xmpictl with it. */
#define NAMED "XMPI_JOBS=jobs xmpictl -j $(ls jobs | sed s/.job//) "

/* Its leader goes to another process, and the entry with it; another node is a shell that notes
 * which it is. */
static void jobs_are_found_from_other_nodes(void **state)
{
    (void)state;
    expect("echo 'echo $1 >asked; shift; exec sh -c \"$*\"' >reach; echo exit 255 >gone", 0, "");
    job_start("XMPI_JOBS=jobs XMPI_ACTIVE=2 XMPI_IMBALANCE=1", 4);
    expect("ls jobs; sed -n 4p jobs/*.job", 0, "patient");
    expect("ls jobs | grep -x \".*-$(ls xmpi | sed s/.sock/.job/)\"", 0, "");
    expect(NAMED "status", 0, "members       2");
    expect("sed -n 2p jobs/*.job >first; xmpictl move 0 3", 0, "accepted");
    await("! sed -n 2p jobs/*.job | cmp -s - first");
    await(NAMED "status | grep -q 'process '$(sed -n 2p jobs/*.job)' leads'");
    expect("sed -n 1p jobs/*.job >host; sed -i 1s/.*/far-away/ jobs/*.job", 0, "");
    expect("XMPI_RSH='sh reach' " NAMED "status && cat asked", 0, "far-away");
    expect("XMPI_RSH='sh reach' " NAMED "grow 0", 2, "expected a number");
    expect("XMPI_RSH='sh reach' " NAMED "--json policy \"it's none\"", 1, "it's none");
    expect("XMPI_JOBS=jobs XMPI_RSH='sh reach' xmpictl list | grep -c patient", 0, "2");
    expect("XMPI_JOBS=jobs XMPI_RSH='sh gone' xmpictl list", 0, "(not reached)");
    expect("echo 'sleep 1000; sleep 1000' >hangs; XMPI_JOBS=jobs XMPI_RSH='sh hangs' "
           "xmpictl --patience 1 list",
           0, "(not reached)");
    expect("echo '{\"command\":\"status\"}' | XMPI_RSH='sh reach' " NAMED "connect", 0,
           "\"program\":\"patient\"");
    expect("XMPI_RSH='sh gone' " NAMED "status", 3, "far-away, which cannot be reached");
    expect("sed -i '1s/.*/-oProxyCommand=touch me/' jobs/*.job; XMPI_RSH='sh reach' " NAMED
           "status",
           2, "a job is a number");
    expect("sed -i 1s/.*/$(cat host)/ jobs/*.job; chmod 777 jobs; XMPI_JOBS=jobs xmpictl list", 2,
           "nobody else can write into");
    expect("chmod 700 jobs", 0, "");
    job_stop();
    await("[ -z \"$(ls jobs)\" ]");
}

static void idle_processing_elements_are_shown(void **state)
{
    (void)state;
    job_start("XMPI_ACTIVE=2 XMPI_IMBALANCE=1 XMPI_WATCH_IDLE=on", 4);
    await(
        "xmpictl --json status | grep -q '\"idles\":2,\"idle\":\\[{\"pe\":2,\"node\":.*\"pe\":3,'");
    await("xmpictl status | grep -q '^  *3 .*[0-9] s$'");
    await("xmpictl --json status | grep -q '\"computation\":[0-9.e-]*[1-9]'");
    job_stop();
}

/* Nobody waits for it longer than he says, also where many wait already; then it goes on. */
static void jobs_that_are_stopped_are_told(void **state)
{
    (void)state;
    job_start("XMPI_IMBALANCE=1", 2);
    expect("xmpictl list | sed -n '2s/ .*//p' >number; [ -s number ]", 0, "");
    expect("kill -STOP $(cat number)", 0, "");
    expect("xmpictl --patience 0.2 list", 0, "(does not answer)");
    expect("xmpictl --patience 0.2 list | grep answer", 0, " patient ");
    expect("xmpictl --patience 0.2 status", 3, "does not answer");
    expect("xmpictl --patience 0.2 worth", 3, "does not answer");
    expect("xmpictl --patience 0.2 watch", 3, "does not answer");
    expect("for i in $(seq 20); do xmpictl --patience 0.02 status 2>/dev/null; done; "
           "xmpictl --patience 0.2 --json list",
           0, "\"policy\":\"(does not answer)\"");
    expect("xmpictl --patience 0.2 -j $(cat number) log", 3, "does not answer");
    expect("xmpictl --patience 0 list", 2, "expected a number");
    expect("kill -CONT $(cat number)", 0, "");
    await("xmpictl status | grep -q 'members  *2,'");
    job_stop();
}

/* Its leader answers, but no interval of it ends. */
static void jobs_with_a_stopped_member_are_told(void **state)
{
    (void)state;
    job_start("XMPI_IMBALANCE=1", 2);
    expect("xmpictl --json status | sed 's/.*\"pid\":\\([0-9]*\\),.*/\\1/' >member; "
           "grep -x '[0-9][0-9]*' member",
           0, "");
    expect("kill -STOP $(cat member)", 0, "");
    expect("xmpictl --patience 0.5 status", 0, "members  ");
    expect("xmpictl --patience 0.5 --wait policy off", 3, "does not get on: rank 1 (process ");
    expect("xmpictl --patience 0.5 worth", 3, "rank 1 (process ");
    expect("kill -CONT $(cat member)", 0, "");
    expect("xmpictl --patience 0.5 --wait policy balance", 0, "done: policy balance");
    job_stop();
}

/* What the program has to do something for is waited for as long as it answers others. */
static void answers_that_take_their_time_are_awaited(void **state)
{
    (void)state;
    job_start("XMPI_IMBALANCE=1 XMPI_INTERVAL=2500", 2);
    expect("xmpictl --patience 3 worth", 0, "seconds to go");
    job_stop();
}

/* Its socket stays behind; nobody trips over it. */
static void killed_jobs_are_forgotten(void **state)
{
    (void)state;
    job_start("XMPI_POLICY=balance", 2);
    job_kill();
    await("[ $(xmpictl list | wc -l) = 1 ]");
    expect("xmpictl status", 3, "no job of yours");
    expect("ls xmpi | wc -l", 0, "0");
}

/* Killed while it writes, with changes going on: every line is an event. */
static void killed_jobs_leave_a_whole_trace(void **state)
{
    char path[4096];
    (void)state;
    job_start("XMPI_POLICY=random XMPI_MAX=4 XMPI_INTERVAL=1 XMPI_TRACE=killed_trace", 2);
    await("[ $(grep -c reconfiguration killed_trace) -ge 20 ]");
    job_kill();
    snprintf(path, sizeof path, "%s/killed_trace", dir);
    char *text = read_file(path, NULL);
    assert_non_null(text);
    trace_schema_check_lines(text);
    free(text);
    expect("xmpi-report killed_trace", 0, "killed_trace.html");
}

static void mistakes_are_explained(void **state)
{
    (void)state;
    expect("xmpictl", 2, "no command");
    expect("xmpictl explode", 2, "there is no command \"explode\"");
    expect("xmpictl grow", 2, "grow: wrong number of arguments: it is grow N [CLASS]\n");
    expect("xmpictl trace", 2, "it is trace on FILE or trace off\n");
    expect("xmpictl grow -1", 2, "xmpictl: grow -1: expected a number of processes from 1 to");
    expect("xmpictl --wait shrink -2 C1", 2, "shrink -2: expected a number of processes from 1");
    expect("xmpictl members 3x", 2, "members 3x: expected a number of processes from 1 to");
    expect("xmpictl grow 1e9", 2, "grow 1e9: expected a number of processes from 1 to");
    expect("xmpictl move -1 5 --dry-run", 2, "move -1: expected a number from 0 to");
    expect("xmpictl swap 0 -.5", 2, "swap -.5: expected a number from 0 to");
    expect("xmpictl --patience -1 status", 2, "--patience: expected a number from 0.01 to");
    expect("xmpictl grow many", 2, "expected a number");
    expect("xmpictl grow 0", 2, "expected a number");
    expect("xmpictl --frob", 2, "--frob");
    expect("xmpictl -j 99999999 status", 3, "cannot be reached");
    expect("xmpictl -j what status", 2, "a job is a number");
    expect("xmpictl --help", 0, "Exit status");
    expect("xmpictl --help | sed -n '/^  list/,/^What/p' | grep '^[a-z]'", 1,
           ""); /* a broken line */
    expect("mkdir -m 755 open; XDG_RUNTIME_DIR=$PWD/open; mkdir -m 755 open/xmpi; xmpictl list", 2,
           "only its owner can open");
    expect("XDG_RUNTIME_DIR=/$(printf 'x%.0s' $(seq 95)); xmpictl list", 2, "longer than the name");
    expect("XDG_RUNTIME_DIR=/$(printf 'x%.0s' $(seq 95)); xmpi-share --pes 2 --dry-run", 2,
           "longer than the name");
    expect("xmpictl -j /$(printf 'x%.0s' $(seq 200)) status", 3, "File name too long");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(spawned_members_come_and_go, job_kill_left),
        cmocka_unit_test_teardown(pooled_members_come_and_go, job_kill_left),
        cmocka_unit_test_teardown(what_comes_of_requests_is_told, job_kill_left),
        cmocka_unit_test_teardown(requests_are_not_lost_where_the_leader_moves, job_kill_left),
        cmocka_unit_test_teardown(members_are_bound_to_cores, job_kill_left),
        cmocka_unit_test_teardown(trace_begins_and_ends, job_kill_left),
        cmocka_unit_test_teardown(who_talks_to_whom_is_told, job_kill_left),
        cmocka_unit_test_teardown(a_withdrawn_node_is_left_until_it_is_offered, job_kill_left),
        cmocka_unit_test_teardown(the_only_node_is_not_left, job_kill_left),
        cmocka_unit_test_teardown(members_are_set_and_their_worth_is_told, job_kill_left),
        cmocka_unit_test_teardown(worth_is_told_by_whoever_leads, job_kill_left),
        cmocka_unit_test_teardown(worth_is_told_where_rows_have_weights, job_kill_left),
        cmocka_unit_test_teardown(loops_that_are_kept_refuse, job_kill_left),
        cmocka_unit_test_teardown(policies_change, job_kill_left),
        cmocka_unit_test_teardown(jobs_are_listed_watched_and_told_apart, job_kill_left),
        cmocka_unit_test_teardown(jobs_are_found_from_other_nodes, job_kill_left),
        cmocka_unit_test_teardown(idle_processing_elements_are_shown, job_kill_left),
        cmocka_unit_test_teardown(jobs_that_are_stopped_are_told, job_kill_left),
        cmocka_unit_test_teardown(jobs_with_a_stopped_member_are_told, job_kill_left),
        cmocka_unit_test_teardown(answers_that_take_their_time_are_awaited, job_kill_left),
        cmocka_unit_test_teardown(killed_jobs_are_forgotten, job_kill_left),
        cmocka_unit_test_teardown(killed_jobs_leave_a_whole_trace, job_kill_left),
        cmocka_unit_test_teardown(mistakes_are_explained, job_kill_left),
    };
    return cmocka_run_group_tests(tests, job_build, job_clean);
}
