# SPDX-License-Identifier: BSD-3-Clause
# What the tests with a real Slurm share, read by a shell in the folder of the test: the cluster is in
# slurm/, programs are rows and plain.
SLURM_CONF=$PWD/slurm/slurm.conf
XDG_RUNTIME_DIR=$PWD
PATH=$PATH:/usr/sbin:/sbin
export SLURM_CONF XDG_RUNTIME_DIR PATH

fail() {
    echo "$*"
    squeue -o '%A %j %t %N %r'
    squeue -s -o '%i %N'
    sinfo -N
    cat out
    touch stop
    scancel --me
    [ -z "${sharer-}" ] || kill "$sharer"
    exit 1
}

# Repeats a line until it succeeds: await WHAT LINE.
await() {
    for i in $(seq 600); do
        eval "$2" && return
        sleep 0.1
    done
    fail "not seen: $1"
}

# A job of one node that runs rows, with as many processes as PROCESSES says (one) and the SETTINGS:
# submit NODES [SETTING=VALUE...]
submit() {
    rm -f stop out
    nodes=$1
    shift
    cat >job.sh <<END
#!/bin/sh
export XMPI_SLURM_PERIOD=0.2 XMPI_GRACE=30 XMPI_INTERVAL=10 XMPI_TRACE=$PWD/trace $*
exec xmpirun --quiet -n ${PROCESSES:-1} ./rows 1000000 10
END
    job=$(sbatch --parsable -N"$nodes" --exclusive -o out --job-name=job job.sh) || fail "sbatch"
}

# How many nodes the job has that was submitted last, and on how many of them it has processes.
held() {
    squeue -h -t R -o '%A %j %D' | awk -v job="$job" '$1 == job || $2 ~ "^xmpi-" job "-[0-9]*$" { n += $3 } END { print n + 0 }'
}

used() {
    squeue -h -s -o '%i %N' | grep -v batch | awk '{ print $2 }' | sort -u | wc -l
}

# How many members it has.
members() {
    xmpictl status 2>/dev/null | grep -cE '^ *[0-9]+ +[0-9]+ +[0-9]+ node'
}

# The one that leads it.
leader() {
    xmpictl status 2>/dev/null | sed -n 's/^program.*(process \([0-9]*\) leads)/\1/p'
}

# All processes of programs here, whose folders are this one or in it.
processes() {
    for pid in $(pgrep -f '^[^ ]*/rows '); do
        case $(readlink "/proc/$pid/cwd") in "$PWD" | "$PWD"/*) echo "$pid" ;; esac
    done
}

# The helpers of its leaders, and what starts its processes, by the environment that these were started in.
helpers() {
    for pid in $(pgrep -f 'xmpi-slurm (watch|launch) '); do
        ! grep -qsxzF "SLURM_CONF=$SLURM_CONF" "/proc/$pid/environ" || echo "$pid"
    done
}

# N requests at random, each with its own pause; every third time a job of another user.
harass() {
    awk -v n="$1" -v seed="${SEED:-1}" 'BEGIN {
        srand(seed)
        for (i = 0; i < n; i++)
            print rand() < 0.55 ? "grow" : "shrink", 1 + int(3 * rand()), rand() < 0.33 ? 1 + int(3 * rand()) : 0, 0.1 + 1.4 * rand()
    }' >requests
    while read -r what number others pause; do
        [ "$others" = 0 ] || sbatch --quiet --uid=65534 --chdir=/ -N"$others" --exclusive -o /dev/null --wrap 'sleep 1'
        xmpictl "$what" "$number" >answer 2>&1
        sleep "$pause"
    done <requests
}

# N jobs, to each of which something is done at a random moment: it is cancelled, one of its nodes is
# drained, it is put back into the queue, from where it goes on, or one of its nodes is lost. Nothing is left of any.
meddle() {
    awk -v n="$1" -v seed="${SEED:-1}" 'BEGIN {
        srand(seed)
        for (i = 0; i < n; i++)
            print i % 4 == 0 ? "cancel" : i % 4 == 1 ? "drain" : i % 4 == 2 ? "requeue" : "lose", 0.2 + 4 * rand(), 1 + int(4 * rand())
    }' >meddling
    meddled=0
    while read -r what pause which <&3; do # (mpiexec reads what there is on its standard input)
        rm -rf sets
        submit 1 XMPI_NODES=4 XMPI_POLICY=smp XMPI_CHECKPOINT="$PWD/sets" XMPI_CHECKPOINT_INTERVAL=0.5
        await 'the job runs' '[ "$(squeue -h -j $job -o %t)" = R ]'
        sleep "$pause"
        "do_$what" "$which"
        meddled=$((meddled + 1))
    done 3<meddling
    [ "$meddled" = "$1" ] || fail "only $meddled were seen to"
}

do_cancel() {
    scancel "$job"
    await 'all is gone' '[ -z "$(squeue -h -o %A)" ]'
    nothing_left
}

# Also the node of the allocation, from where all go elsewhere, if there is an elsewhere.
do_drain() { # WHICH
    node=$(squeue -h -t R -o %N | sort | sed -n "$1p")
    node=${node:-$(squeue -h -j "$job" -o %N)}
    scontrol update NodeName="$node" State=DRAIN Reason=test
    sleep 2
    [ "$(squeue -h -j "$job" -o %t)" = R ] || fail "the job has ended"
    scontrol update NodeName="$node" State=RESUME
    finish
}

# A node that it has asked for is lost, with all that runs there, and Slurm's daemon, of which Slurm hears later. Where there
# was a member xmpirun starts the program again, without a new submission. (Who is about to join is not waited for.)
do_lose() { # WHICH
    further=$(squeue -h -t R -n "xmpi-$job-0" -o %A | sort | sed -n "$(($1 > 3 ? 1 : $1))p")
    node=$([ -z "$further" ] || squeue -h -j "$further" -o %N)
    runs=$([ -z "$node" ] || xmpictl status 2>/dev/null | grep -E "^ *[0-9]+ +[0-9]+ +[0-9]+ $node ")
    [ -z "$node" ] || lose_node "$node" "$further"
    [ -z "$runs" ] || await 'it is started again' 'grep -q "lost a process.*started again" out'
    await 'it iterates' 'xmpictl status 2>/dev/null | grep -q "^loop.*rows.c"'
    [ "$(squeue -h -j "$job" -o %t)" = R ] || fail "the job has ended"
    sleep 3
    [ "$(squeue -h -j "$job" -o %t)" = R ] || fail "the job has ended"
    [ -z "$node" ] || scontrol update NodeName="$node" State=DOWN Reason=lost
    await 'it grows elsewhere' '[ $(used) -ge 3 ]'
    [ -z "$node" ] || slurmd -f "$SLURM_CONF" -N "$node" >/dev/null 2>&1 || fail "slurmd of $node does not start"
    [ -z "$node" ] || scontrol update NodeName="$node" State=RESUME 2>/dev/null # if it is not there by itself
    finish
}

# (scancel would tell processes before, so that they leave in time.)
lose_node() { # NODE JOB
    kill -9 $(cat "slurm/pids/slurmd.$1") $(pgrep -f "^slurmstepd: \[$2\.") $(of_node "$1") 2>/dev/null
}

# Processes that Slurm has started on NODE.
of_node() { # NODE
    grep -lsxzF "SLURMD_NODENAME=$1" /proc/[0-9]*/environ | while IFS=/ read -r _ _ pid _; do
        ! grep -qsxzF "SLURM_CONF=$SLURM_CONF" "/proc/$pid/environ" || echo "$pid"
    done
}

# Slurm counts in seconds: a job that starts in that in which it was ended is taken for the one that was, and is
# ended, too. (By itself it waits for two minutes.)
do_requeue() {
    scontrol requeue "$job"
    await 'it is in the queue again' '[ "$(squeue -h -j $job -o %t)" = PD ]'
    sleep 2
    await 'it runs again' 'scontrol update JobId=$job StartTime=now 2>/dev/null; [ "$(squeue -h -j $job -o %t)" = R ]'
    await 'it iterates' 'xmpictl status 2>/dev/null | grep -q "^loop.*rows.c"'
    finish
}

# N jobs, of each of which a process is killed at a random moment: who leads, any of them while it grows, one that is
# parked and perhaps called, or one that has just been started. Each comes to the right result, after one start by
# xmpirun at most.
kill_some() {
    awk -v n="$1" -v seed="${SEED:-1}" 'BEGIN {
        srand(seed)
        split("leader any parked comer", who, " ")
        for (i = 0; i < n; i++)
            print who[i % 4 + 1], 4 * rand(), int(1000 * rand())
    }' >killing
    killed=0 again=0
    while read -r who pause which <&3; do
        rm -rf sets
        "kill_$who" "$pause" "$which"
        await 'it iterates' 'xmpictl status 2>/dev/null | grep -q "^loop.*rows.c"'
        finish
        starts=$(grep -c 'started again' out)
        [ "$starts" -le 1 ] || fail "it was started $starts times again when $who was killed"
        killed=$((killed + 1)) again=$((again + starts))
    done 3<killing
    [ "$killed" = "$1" ] || fail "of only $killed one was killed"
    echo "# $again of $killed were started again"
}

# To be killed: it saves itself, and does not wait long for who does not come. [SETTING=VALUE...]
submit_mortal() {
    submit 1 XMPI_NODES=4 XMPI_TIMEOUT=20 XMPI_CHECKPOINT="$PWD/sets" XMPI_CHECKPOINT_INTERVAL=0.5 "$@"
    await 'it iterates' 'xmpictl status 2>/dev/null | grep -q "^loop.*rows.c"'
}

# One of the numbers that follow, as WHICH says; nobody where there is none.
kill_one_of() { # WHICH PID...
    which=$1
    shift
    [ $# = 0 ] || eval "kill -9 \${$((1 + which % $#))}" 2>/dev/null
}

kill_leader() { # PAUSE
    submit_mortal XMPI_POLICY=smp
    sleep "$1"
    kill_one_of 0 $(leader)
}

kill_any() { # PAUSE WHICH
    submit_mortal XMPI_POLICY=smp
    sleep "$1"
    kill_one_of "$2" $(processes)
}

kill_parked() { # PAUSE WHICH
    PROCESSES=2 submit_mortal XMPI_POLICY=balance
    xmpictl --wait shrink 1 >answer 2>&1 || fail "$(cat answer)"
    parked=$(processes | grep -vx "$(leader)")
    [ $(($2 % 2)) = 0 ] || xmpictl grow 3 >answer 2>&1 || fail "$(cat answer)"
    sleep "$(awk -v pause="$1" 'BEGIN { print pause / 8 }')"
    kill_one_of "$2" $parked
}

kill_comer() { # PAUSE WHICH
    submit_mortal XMPI_POLICY=balance
    before=$(processes)
    xmpictl grow 6 >answer 2>&1 || fail "$(cat answer)"
    comers() { processes | grep -vxF "$before"; }
    await 'one comes' '[ -n "$(comers)" ]'
    sleep "$(awk -v pause="$1" 'BEGIN { print pause / 8 }')"
    kill_one_of "$2" $(comers)
}

# Two users, a, who is this one, and b, nobody, with a folder each, and what is needed of the MPI where both can
# read it. Where nobody cannot read XMPI either b is this one, too.
prepare_users() {
    rm -rf a b jobs mpi shares
    mpi=$(dirname "$(dirname "$(realpath "$(command -v mpiexec)")")")
    mkdir -p a b jobs/a jobs/b mpi/bin mpi/lib shares
    cp -a "$mpi"/bin/mpiexec* "$mpi"/bin/hydra* mpi/bin
    cp -a "$mpi"/lib/libmpi*.so* mpi/lib
    chmod 755 . a b jobs mpi
    echo 'shift; exec sh -c "$*"' >reach
    chmod 700 jobs/a jobs/b
    nobody=0
    if setpriv --reuid=65534 --regid=65534 --clear-groups "$(command -v xmpirun)" --version >/dev/null 2>&1; then
        nobody=65534
        chown 65534:65534 b jobs/b
    else
        echo "# nobody cannot read XMPI: both jobs are of one user"
    fi
}

# A job of one node of USER, which has at most four.
submit_of() {
    [ "$1" = a ] && uid=0 || uid=$nobody
    cat >"$1/job.sh" <<END
#!/bin/sh
export XMPI_SLURM_PERIOD=0.2 XMPI_GRACE=30 XMPI_INTERVAL=10 XMPI_NODES=4 XMPI_JOBS=$PWD/jobs/$1 XDG_RUNTIME_DIR=$PWD/$1
export LD_LIBRARY_PATH=$PWD/mpi/lib PATH=$PATH SLURM_CONF=$SLURM_CONF
cd $PWD/$1 && exec xmpirun --quiet --mpiexec $PWD/mpi/bin/mpiexec -n 1 $PWD/rows 1000000 10
END
    number=$(sbatch --parsable --uid="$uid" --chdir=/ -N1 --exclusive -o "$PWD/$1/out" "$1/job.sh") || fail "sbatch"
    echo "$number" >"$1.number"
}

shares() {
    XMPI_RSH="sh $PWD/reach" XDG_RUNTIME_DIR=$PWD/shares exec xmpi-share --slurm main --users --jobs "$PWD/jobs" "$@"
}

nodes_of() {
    squeue -h -t R -o '%A %j %D' | awk -v job="$(cat "$1.number")" '$1 == job || $2 ~ "^xmpi-" job "-" { n += $3 } END { print n + 0 }'
}

finish_of() {
    touch "$1/stop"
    await "the job of $1 ends" '[ -z "$(squeue -h -j $(cat '"$1"'.number) -o %A 2>/dev/null)" ]'
    check_result "$1/out"
}

# Who has lost a process when its end was printed prints another one, of as many iterations as there were then.
check_result() {
    ends=$(sed -n 's/^sum .* of //p' "$1")
    [ -n "$ends" ] || fail "there is no result"
    for iterations in $ends; do
        grep -qxF "$(mpiexec -n 2 ./plain "$iterations" 0)" "$1" || fail "the result is wrong"
    done
}

# Ends the job, and compares what it has computed.
finish() {
    touch stop
    await "the job ends" '[ -z "$(squeue -h -t PD,R,CG -o %A)" ]'
    rm -f stop
    check_result out
    nothing_left
}

nothing_left() {
    await "all nodes are idle" '! sinfo -h -N -o %t | grep -qv "^idle$"'
    await "no process is left" '[ -z "$(processes)$(helpers)" ]'
}
