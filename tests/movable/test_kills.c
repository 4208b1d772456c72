/* SPDX-License-Identifier: BSD-3-Clause
 * Programs that move whole, of which one process is killed: whoever it is and whenever it happens,
 * in a move or while a checkpoint is written, xmpirun starts the job again, which ends with the
 * right result and leaves nothing behind. SOAK is how many are killed of each kind (3). */
#define _GNU_SOURCE
#include "run.h"

/* For each number a run, of which one process is killed: which and when follows from the number.
 * (What writes a checkpoint is a copy of a process, with its name: it is killed, too.) Prints
 * "number, xmpirun's status, right lines, processes left, how often it was started again". */
static const char kill_one[] =
    "one() { me=$PWD/run.$1/lists; mkdir run.$1; cp lists run.$1; "
    "    (cd run.$1; exec timeout -k 1 200 xmpirun -q %s --checkpoint saved "
    "        --checkpoint-interval 0 \"$me\" 150) >run.$1/out 2>run.$1/err & job=$!; "
    "    until [ -e run.$1/saved ] || [ $((tries += 1)) = 200 ]; do sleep 0.1; done; "
    "    sleep 0.0$(($1 * 5 %% 7)); pids=$(pgrep -f \"^$me\"); n=$(echo $pids | wc -w); "
    "    [ $n = 0 ] || kill -9 $(echo $pids | cut -d' ' -f$((1 + $1 * 7 %% n))) 2>/dev/null; "
    "    wait $job; status=$?; for try in $(seq 80); do left=$(pgrep -fc \"^$me\"); "
    "        [ $left = 0 ] && break; sleep 0.5; done; "
    "    echo $1 $status $(grep -cxFf plain run.$1/out) $left $(grep -c 'started again' "
    "run.$1/err); "
    "    [ $status = 0 ] || cat run.$1/err >&2; rm -r run.$1; }; "
    "export XMPI_TIMEOUT=5 XMPI_INTERVAL=3 %s; "
    "for number in $(seq %d); do XMPI_SEED=$number one $number & "
    "    [ $((number %% 3)) = 0 ] && wait; done; wait";

static void kill_many(const char *options, const char *settings)
{
    int kills = getenv("SOAK") != NULL ? atoi(getenv("SOAK")) : 3, lines = 0, again = 0;
    char *line = NULL, *rest = NULL;
    assert_true(asprintf(&line, kill_one, options, settings, kills) > 0);
    command_t got =
        command_shell(dir, 60 + 60 * kills, "PATH='%s/bin':$PATH; %s", build_dir(), line);
    free(line);
    for (char *text = strtok_r(got.out, "\n", &rest); text != NULL;
         text = strtok_r(NULL, "\n", &rest), lines++) {
        int number, status, right, left, times;
        if (sscanf(text, "%d %d %d %d %d", &number, &status, &right, &left, &times) != 5 ||
            status != 0 || right < PROCESSES || /* who is killed at the end has printed before */
            left != 0 || times > 1)
            fail_msg("%s: %s\n%s", options, text, got.err);
        again += times;
    }
    assert_int_equal(lines, kills);
    command_free(&got);
    print_message("%d of %d were started again\n", again, kills);
}

static int build_lists(void **state)
{
    setup_anywhere(state);
    build("lists", "");
    free(sh("mpiexec -n %d ./lists.plain 150 >plain", PROCESSES));
    return 0;
}

static void members_are_killed(void **state)
{
    (void)state;
    kill_many("-n 3", "XMPI_BACKEND=pool");
}

/* Also spares, and who a program goes to. */
static void some_of_a_pool_are_killed(void **state)
{
    (void)state;
    kill_many("-n 3 --policy random --spares 2", "XMPI_BACKEND=pool");
}

static void some_of_the_spawned_are_killed(void **state)
{
    (void)state;
    kill_many("-n 3 --policy random --max 5 --strategy concurrent", "XMPI_BACKEND=spawn");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_killed),
        cmocka_unit_test(some_of_a_pool_are_killed),
        cmocka_unit_test(some_of_the_spawned_are_killed),
    };
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, build_lists, teardown);
}
