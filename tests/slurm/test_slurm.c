/* SPDX-License-Identifier: BSD-3-Clause
 * A program in a real Slurm (tests/slurm/cluster): it grows into idle nodes and leaves them when
 * others wait, when they are drained, and when it is asked; it goes on when it is requeued; nothing
 * is left of a job that is killed. Skipped with a line where Slurm cannot run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/command.h"

enum { SECONDS = 400, NODES = 4 };

static char *dir;
static char why[256]; /* Slurm cannot run; empty: it can */

static command_t shell(const char *lines)
{
    return command_shell(dir, SECONDS, "PATH='%s'/bin:$PATH; . '%s'/tests/slurm/functions.sh\n%s",
                         build_dir(), source_dir(), lines);
}

static void must(const char *lines)
{
    if (why[0] != '\0')
        return; /* which start() has said */
    command_t done = shell(lines);
    if (done.status != 0)
        fail_msg("exit status %d\n%s%s", done.status, done.out, done.err);
    command_free(&done);
}

static int start(void **state)
{
    (void)state;
    dir = scratch_make();
    command_t able = command_shell(dir, SECONDS, "'%s'/tests/slurm/cluster why", source_dir());
    snprintf(why, sizeof why, "%.*s", (int)strcspn(able.out, "\n"), able.out);
    command_free(&able);
    if (why[0] != '\0') {
        printf("# skipped: %s\n", why);
        return 0;
    }
    command_t done = command_shell(
        dir, SECONDS,
        "'%s'/bin/xmpicc -O1 -o rows '%s'/tests/slurm/rows.c && "
        "'%s'/bin/mpicc -O1 -w -o plain '%s'/tests/slurm/rows.c && "
        "'%s'/tests/slurm/cluster start \"$PWD/slurm\" %d PreemptType=preempt/partition_prio "
        "PreemptMode=CANCEL 'PartitionName=main Nodes=ALL Default=YES PriorityTier=1 "
        "PreemptMode=CANCEL GraceTime=30' 'PartitionName=first Nodes=ALL PriorityTier=2 "
        "PreemptMode=OFF' TopologyPlugin=topology/tree 'SwitchName=one Nodes=node[1-2]' "
        "'SwitchName=two Nodes=node[3-4]' 'SwitchName=top Switches=one,two'",
        build_dir(), source_dir(), build_dir(), source_dir(), source_dir(), NODES);
    if (done.status != 0)
        printf("%s%s", done.out, done.err);
    int status = done.status;
    command_free(&done);
    return status;
}

static int stop(void **state)
{
    (void)state;
    if (why[0] == '\0') {
        command_t done = command_shell(dir, SECONDS, "'%s'/tests/slurm/cluster stop \"$PWD/slurm\"",
                                       source_dir());
        command_free(&done);
    }
    scratch_remove(dir);
    return 0;
}

/* Another job gets the two nodes that it waits for, no third one, also where the end of a job takes
 * long on one of them (the other is planned meanwhile), and they come back; a node that is drained
 * is left, and its job with it. */
static void it_grows_into_idle_nodes_and_leaves_them(void **state)
{
    (void)state;
    must("submit 1 XMPI_NODES=4 XMPI_POLICY=smp\n"
         "await 'the job grows' '[ $(used) = 4 ]'\n"
         "slow=slurm/slow-$(squeue -h -t R -n xmpi-$job-0 -o '%A %N' | sort -n | awk 'NR == 2 { "
         "print $2 }')\n"
         "touch $slow\n"
         "other=$(sbatch --parsable -N2 --exclusive -o /dev/null --wrap 'sleep 1000')\n"
         "await 'another job runs' '[ \"$(squeue -h -j $other -o %t)\" = R ]'\n"
         "rm $slow\n"
         "[ $(held) = 2 ] || fail 'the job has given back more than was waited for'\n"
         "scancel $other\n"
         "await 'the job grows again' '[ $(used) = 4 ]'\n"
         "node=$(squeue -h -t R -n xmpi-$job-0 -o %N | head -n 1)\n"
         "scontrol update NodeName=$node State=DRAIN Reason=test\n"
         "await 'the drained node is left' '[ \"$(sinfo -h -p main -N -n $node -o %T)\" = drained "
         "]'\n"
         "[ $(squeue -h -j $job -o %t) = R ] || fail 'the job has ended'\n"
         "scontrol update NodeName=$node State=RESUME\n"
         "finish\n");
}

/* Where it was not told to use what is idle, it asks for what xmpictl wants, and gives that back.
 */
static void it_asks_for_nodes_that_are_wanted(void **state)
{
    (void)state;
    must("submit 1 XMPI_NODES=3 XMPI_POLICY=balance\n"
         "await 'the job runs' '[ $(used) = 1 ] && xmpictl status >status 2>&1'\n"
         "[ $(held) = 1 ] || fail 'it has asked for nodes by itself'\n"
         "xmpictl grow 3 >answer 2>&1 || fail \"$(cat answer)\"\n"
         "await 'the job has grown' '[ $(held) = 3 ] || [ $(held) = 2 ] && [ $(used) -ge 2 ]'\n"
         "await 'it has four members' '[ $(members) = 4 ]'\n"
         "xmpictl shrink 3 >answer 2>&1 || fail \"$(cat answer)\"\n"
         "await 'the nodes are given back' '[ $(held) = 1 ]'\n"
         "finish\n");
}

/* As many as it is told, on the fewest nodes, and none of those that its policy would have it take.
 */
static void it_has_the_nodes_that_its_members_need(void **state)
{
    (void)state;
    must("submit 1 XMPI_NODES=4 XMPI_POLICY=smp\n"
         "await 'the job grows' '[ $(used) = 4 ]'\n"
         "xmpictl --wait members 2 >answer 2>&1 || fail \"$(cat answer)\"\n"
         "await 'the nodes are given back' '[ $(held) = 1 ] && [ $(members) = 2 ]'\n"
         "await 'all others are idle' '[ $(sinfo -h -p main -N -o %t | grep -cx idle) = 3 ]'\n"
         "sleep 2\n"
         "[ $(held) = 1 ] || fail 'it has taken others'\n"
         "xmpictl worth | grep -q '^ *8 ' || fail 'it does not say what more are worth'\n"
         "xmpictl members 4 >answer 2>&1 || fail \"$(cat answer)\"\n"
         "await 'it has four' '[ $(held) = 2 ] && [ $(members) = 4 ]'\n"
         "sleep 2\n"
         "[ $(held) = 2 ] || fail 'it has taken more'\n"
         "xmpictl grow 1 >answer 2>&1 || fail \"$(cat answer)\"\n"
         "await 'it grows as it likes' '[ $(used) = 4 ]'\n"
         "finish\n");
}

/* xmpi-share gives each of two jobs, of two users, the same, gives nodes to others who wait, and
 * all to the one that is left. */
static void a_cluster_is_shared_out_among_users(void **state)
{
    (void)state;
    must("prepare_users\n"
         "for user in a b; do submit_of $user; done\n"
         "await 'both are found' '[ $(shares --dry-run | grep -c \"^$(hostname).* rows \") = 2 ]'\n"
         "sed -i '1s/.*/far-away/' jobs/b/*.job\n" /* a node that is a shell */
         "shares --period 0.5 >told 2>&1 & sharer=$!\n"
         "await 'each has two nodes' '[ $(nodes_of a) = 2 ] && [ $(nodes_of b) = 2 ]'\n"
         "other=$(sbatch --parsable -N2 --exclusive -o /dev/null --wrap 'sleep 1000')\n"
         "await 'another job runs' '[ \"$(squeue -h -j $other -o %t)\" = R ]'\n"
         "[ $(nodes_of a) = 1 ] && [ $(nodes_of b) = 1 ] || fail 'more was given than waited for'\n"
         "scancel $other\n"
         "await 'each has two again' '[ $(nodes_of a) = 2 ] && [ $(nodes_of b) = 2 ]'\n"
         "finish_of b\n"
         "await 'the other has all' '[ $(nodes_of a) = 4 ]'\n"
         "kill $sharer\n"
         "finish_of a\n"
         "nothing_left\n");
}

/* More than there are: what has not come is called off, and changes nothing. */
static void what_cannot_be_had_changes_nothing(void **state)
{
    (void)state;
    must("submit 1 XMPI_NODES=4 XMPI_POLICY=balance XMPI_GRACE=2\n"
         "other=$(sbatch --parsable -N3 --exclusive -o /dev/null --wrap 'sleep 1000')\n"
         "await 'both run' '[ \"$(squeue -h -j $other -o %t)\" = R ] && xmpictl status >status "
         "2>&1'\n"
         "xmpictl grow 4 >answer 2>&1 || fail \"$(cat answer)\"\n"
         "await 'it asks' 'squeue -h -t PD -n xmpi-$job-0 -o %A | grep -q .'\n"
         "await 'it gives up' '! squeue -h -n xmpi-$job-0 -o %A | grep -q .'\n"
         "scancel $other\n"
         "finish\n"
         "grep -q '\"event\":\"reconfiguration\"' trace && fail 'something has changed' || true\n");
}

/* At any time, also while it asks, grows or gives back. */
static void nothing_is_left_of_a_job_that_is_killed(void **state)
{
    (void)state;
    must("for pause in 0.7 1.9 3.1; do\n"
         "    submit 1 XMPI_NODES=4 XMPI_POLICY=smp\n"
         "    await 'the job runs' '[ \"$(squeue -h -j $job -o %t)\" = R ]'\n"
         "    sleep $pause\n"
         "    scancel $job\n"
         "    await 'all is gone' '[ -z \"$(squeue -h -o %A)\" ]'\n"
         "    nothing_left\n"
         "done\n");
}

/* Slurm tells the processes with SIGTERM, and moves the end of their jobs. */
static void it_leaves_nodes_that_are_preempted(void **state)
{
    (void)state;
    must("submit 1 XMPI_NODES=4 XMPI_POLICY=smp\n"
         "await 'the job grows' '[ $(used) = 4 ]'\n"
         "other=$(sbatch --parsable -p first -w node3,node4 -N2 --exclusive -o /dev/null --wrap "
         "'sleep 1000')\n"
         "await 'the other job runs' '[ \"$(squeue -h -j $other -o %t)\" = R ]'\n"
         "[ \"$(squeue -h -j $job -o %t)\" = R ] || fail 'the job has ended'\n"
         "scancel $other\n"
         "finish\n");
}

/* Its processes are told while they start, too, when they have no handler yet. Whether nodes are to
 * be left the end of their jobs says, which squeue has to tell. */
static void it_goes_on_when_it_is_preempted_while_it_grows(void **state)
{
    (void)state;
    must(
        "for pause in 0.3 0.6 0.9; do\n"
        "    submit 1 XMPI_NODES=4 XMPI_POLICY=smp\n"
        "    await 'it has nodes' '[ $(squeue -h -t R -n xmpi-$job-0 -o %A | wc -l) = 3 ]'\n"
        "    ! squeue -h -n xmpi-$job-0 -o %e | grep -q NONE || fail 'a job has no end'\n"
        "    sleep $pause\n"
        "    other=$(sbatch --parsable -p first -w node3,node4 -N2 --exclusive -o /dev/null --wrap "
        "'sleep 1000')\n"
        "    await 'the other job runs' '[ \"$(squeue -h -j $other -o %t)\" = R ]'\n"
        "    [ \"$(squeue -h -j $job -o %t)\" = R ] || fail 'the job has ended'\n"
        "    scancel $other\n"
        "    finish\n"
        "done\n");
}

/* Another user's jobs come and go meanwhile; requests may be refused, but nothing may go wrong.
 * SOAK: how many. */
static void requests_at_random_do_no_harm(void **state)
{
    (void)state;
    must("submit 1 XMPI_NODES=4 XMPI_POLICY=balance\n"
         "await 'the job runs' 'xmpictl status >status 2>&1'\n"
         "harass $(( ${SOAK:-8} < 50 ? ${SOAK:-8} : 50 ))\n"
         "finish\n"
         "! grep -iE 'terminat|killed|error|none of job' out || fail 'something went wrong'\n");
}

/* A controller that hangs is no reason to wait: the program goes on, also when it is asked for
 * more, and has them when Slurm is there again. */
static void a_controller_that_hangs_stops_nobody(void **state)
{
    (void)state;
    must("iteration() { xmpictl status 2>/dev/null | sed -n 's/^iteration *\\([0-9]*\\).*/\\1/p'; "
         "}\n"
         "submit 1 XMPI_NODES=3 XMPI_POLICY=balance\n"
         "await 'the job iterates' '[ -n \"$(iteration)\" ]'\n"
         "kill -STOP $(cat slurm/pids/slurmctld)\n"
         "xmpictl grow 3 >answer 2>&1 || { kill -CONT $(cat slurm/pids/slurmctld); fail \"$(cat "
         "answer)\"; }\n"
         "for round in 1 2 3; do\n"
         "    before=$(iteration)\n"
         "    for i in $(seq 300); do [ \"$(iteration)\" -gt $((before + 100)) ] && break; sleep "
         "0.1; done\n"
         "    last=$(iteration)\n"
         "    [ \"$last\" -gt $((before + 100)) ] || stuck=1\n"
         "done\n"
         "kill -CONT $(cat slurm/pids/slurmctld)\n"
         "[ -z \"${stuck-}\" ] || fail 'it stands still'\n"
         "await 'the job has grown' '[ $(members) = 4 ]'\n"
         "finish\n");
}

/* SOAK: to how many. */
static void nothing_is_left_whatever_is_done_to_it(void **state)
{
    (void)state;
    must("meddle $(( ${SOAK:-4} < 60 ? ${SOAK:-4} : 60 ))\n");
}

/* SOAK: how many. */
static void a_killed_process_costs_time_alone(void **state)
{
    (void)state;
    must("kill_some $(( ${SOAK:-4} < 60 ? ${SOAK:-4} : 60 ))\n");
}

/* The interval is an hour: what is taken besides the first is taken because the end is near. Who is
 * put back into the queue goes on from the last one without being told to. */
static void it_goes_on_when_it_is_requeued(void **state)
{
    (void)state;
    must("rm -rf stop out said sets\n"
         "cat >job.sh <<END\n"
         "#!/bin/sh\n"
         "export XMPI_SLURM_PERIOD=0.2 XMPI_GRACE=230 XMPI_INTERVAL=10 XMPI_CHECKPOINT=$PWD/sets "
         "XMPI_CHECKPOINT_INTERVAL=3600\n"
         "exec xmpirun --quiet -n 2 ./rows 1000000 10 2>>said\n"
         "END\n"
         "job=$(sbatch --parsable -N1 --exclusive --requeue -t 4 -o out job.sh) || fail sbatch\n"
         "await 'the first checkpoint' '[ -e sets/set-000000001/whole ]'\n"
         "await 'the end is near' 'ls sets | grep -q 00000[4-9]'\n"
         "! grep . said || fail 'something was said'\n"
         "scontrol requeue $job\n"
         "await 'it is in the queue again' '[ \"$(squeue -h -j $job -o %t)\" = PD ]'\n"
         /* Slurm counts in seconds: a job that starts in that in which it was ended is taken for
          * the one that was, and is ended, too. (By itself it waits for two minutes.) */
         "sleep 2\n"
         "await 'it runs again' 'scontrol update JobId=$job StartTime=now 2>/dev/null; "
         "[ \"$(squeue -h -j $job -o %t)\" = R ]'\n"
         "await 'it goes on' 'grep -q \"goes on from iteration\" said'\n"
         "finish\n");
}

/* Slurm ends the job, processes and all, when its time is up: what was taken because the end was
 * near is there for the next one. */
static void it_goes_on_when_its_time_was_up(void **state)
{
    (void)state;
    must("rm -rf stop out said sets\n"
         "cat >job.sh <<END\n"
         "#!/bin/sh\n"
         "export XMPI_SLURM_PERIOD=0.2 XMPI_GRACE=45 XMPI_INTERVAL=10 XMPI_CHECKPOINT=$PWD/sets "
         "XMPI_CHECKPOINT_INTERVAL=3600\n"
         "exec xmpirun --quiet -n 2 ./rows 1000000 10 2>>said\n"
         "END\n"
         "job=$(sbatch --parsable -N1 --exclusive --no-requeue -t 1 -o out job.sh) || fail sbatch\n"
         "await 'the first checkpoint' '[ -e sets/set-000000001/whole ]'\n"
         "await 'the end is near' 'ls sets | grep -q 00000[4-9]'\n"
         "while [ -n \"$(squeue -h -j $job -o %t 2>/dev/null)\" ]; do sleep 0.5; done\n"
         "grep -q 'DUE TO TIME LIMIT' out || fail 'it was ended by something else'\n"
         "! grep ^sum out || fail 'the program has come to its end'\n"
         "nothing_left\n"
         "last=$(ls -d sets/set-*/whole | tail -1 | cut -d/ -f2)\n"
         ">said; job=$(XMPI_RESTART=1 sbatch --parsable -N1 --exclusive -o out job.sh) || fail "
         "sbatch\n"
         "await 'it goes on' 'grep -q \"goes on from iteration.*$last\" said'\n"
         "finish\n");
}

/* What the helper of a leader tells it has the lines of topology.conf. */
static void it_hears_of_switches(void **state)
{
    (void)state;
    must("rm -f out; helper=$(dirname $(command -v xmpirun))/../lib/xmpi/xmpi-slurm\n"
         "sbatch --quiet -N1 --exclusive -o out --wrap \"sleep 2 | $helper watch 0 5 0.2; sleep "
         "3\"\n"
         "await 'the helper tells' 'grep -q ^end out 2>/dev/null'\n"
         "for line in 'one .*Nodes=node\\[1-2\\]' 'two .*Nodes=node\\[3-4\\]' 'top "
         ".*Switches=one,two'; do\n"
         "    grep -q \"^switch SwitchName=$line\" out || fail \"$line: $(cat out)\"\n"
         "done\n"
         "await 'the job ends' '[ -z \"$(squeue -h -o %A)\" ]'\n");
}

/* Of a job without a limit squeue tells no end, also where one has been set because it is
 * preempted: the helper finds it by when that was. */
static void it_hears_when_a_job_without_a_limit_is_to_end(void **state)
{
    (void)state;
    must("rm -f out; helper=$(dirname $(command -v xmpirun))/../lib/xmpi/xmpi-slurm\n"
         "main=$(sbatch --parsable -N1 -w node3 --exclusive -t UNLIMITED -o out --wrap \"trap '' "
         "TERM; sleep 100 | $helper watch 0 5 0.2; sleep 100\")\n"
         "await 'the helper tells' 'grep -q ^end$ out 2>/dev/null'\n"
         "! grep '^ends ' out || fail 'the job has a limit'\n"
         "other=$(sbatch --parsable -p first -w node3 -N1 --exclusive -o /dev/null --wrap 'sleep "
         "1000')\n"
         "await 'it is told before the end' '[ \"$(sed -n \"s/^ends //p\" out | tail -n 1)\" -gt "
         "$(date +%s) ]' 2>/dev/null\n"
         "scancel $main $other\n"
         "await 'the jobs end' '[ -z \"$(squeue -h -o %A)\" ]'\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_grows_into_idle_nodes_and_leaves_them),
        cmocka_unit_test(it_asks_for_nodes_that_are_wanted),
        cmocka_unit_test(it_has_the_nodes_that_its_members_need),
        cmocka_unit_test(a_cluster_is_shared_out_among_users),
        cmocka_unit_test(what_cannot_be_had_changes_nothing),
        cmocka_unit_test(it_leaves_nodes_that_are_preempted),
        cmocka_unit_test(it_goes_on_when_it_is_preempted_while_it_grows),
        cmocka_unit_test(it_goes_on_when_it_is_requeued),
        cmocka_unit_test(it_goes_on_when_its_time_was_up),
        cmocka_unit_test(requests_at_random_do_no_harm),
        cmocka_unit_test(a_controller_that_hangs_stops_nobody),
        cmocka_unit_test(nothing_is_left_whatever_is_done_to_it),
        cmocka_unit_test(a_killed_process_costs_time_alone),
        cmocka_unit_test(it_hears_of_switches),
        cmocka_unit_test(it_hears_when_a_job_without_a_limit_is_to_end),
        cmocka_unit_test(nothing_is_left_of_a_job_that_is_killed),
    };
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, start, stop);
}
