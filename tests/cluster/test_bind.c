/* SPDX-License-Identifier: BSD-3-Clause
 * Processes that are bound to cores: on an emulated cluster whose nodes are said to have two
 * packages, those that come to a node share one; and what a launcher has bound stays as it is. */
#define _GNU_SOURCE
#include "cluster/scenario.h"
#include "movable/run.h"

/* Firmware that numbers CPUs in turns: PEs 0 and 2 of a node are in one package, 1 and 3 in the
 * other one. */
static const char machine[] = "HWLOC_SYNTHETIC='pack:2 core:2 pu:1(indexes=0,2,1,3)'";

/* Two ranks that talk leave node a for one that nobody knows, come back, and leave again: by then
 * both are known. The PEs of each time in words: 0 to 3 are those of a. */
static void ranks_that_talk_share_a_package(void **state)
{
    (void)state;
    build("halo", "");
    char *pes =
        sh("S='%s'; cores=4; rm -f stop t; " SCENARIO_WORDS "there_are 'a b'\n"
           "env %s XMPI_BIND=core XMPI_POLICY=migrate XMPI_INTERVAL=5 XMPI_TRACE=t "
           "XMPI_BACKEND=spawn XMPI_WAIT=sleep XMPI_CONTROL=off $S/tests/cluster/run -m machines "
           "-n 2 -- ./halo 0 >out 2>&1 &\n"
           "await \"grep -q '\\\"interval\\\"' t 2>/dev/null\"\n"
           "there_are b a; done_with 1\nthere_are a b; done_with 2\nthere_are b a; done_with 3\n"
           "touch stop; wait; rm stop\n"
           "grep '\"outcome\":\"done\"' t | sed 's/.*\"layout\"//' | while read -r layout; do "
           "echo \"$layout\" | grep -o '\"pe\":[0-9]*' | cut -d: -f2 | tr '\\n' ' '; done",
           source_dir(), machine);
    int pe[6];
    if (sscanf(pes, "%d %d %d %d %d %d", &pe[0], &pe[1], &pe[2], &pe[3], &pe[4], &pe[5]) != 6)
        fail_msg("%s", pes);
    for (int i = 0; i < 6; i++)
        assert_in_range(pe[i], i / 2 == 1 ? 0 : 4, i / 2 == 1 ? 3 : 7);
    assert_int_equal(pe[0] + pe[1], 9); /* in order */
    assert_int_equal((pe[2] - pe[3]) % 2, 0);
    assert_int_equal((pe[4] - pe[5]) % 2, 0);
    free(pes);
}

/* Where there is one core they cannot have been given different ones. */
static void what_the_launcher_has_bound_stays(void **state)
{
    (void)state;
    static const char cpus[] =
        "for pid in $(ls /proc | grep '^[0-9]'); do "
        "grep -qx halo /proc/$pid/comm && [ /proc/$pid/cwd -ef . ] && "
        "sed -n 's/^Cpus_allowed_list:.//p' /proc/$pid/status; done 2>/dev/null | sort | "
        "tr '\\n' ' '";
    build("halo", "");
    char *said = sh("[ $(nproc) -ge 2 ] || exit 0; rm -f stop t; " SCENARIO_WORDS
                    "env XMPI_BIND=core XMPI_TRACE=t mpiexec -bind-to user:1,0 -n 2 ./halo 0 >out "
                    "2>&1 &\nawait \"grep -q '\\\"interval\\\"' t 2>/dev/null\"\n"
                    "echo cpus $(%s); touch stop; wait; rm stop; grep xmpi: out",
                    cpus);
    if (said[0] != '\0' && (strstr(said, "cpus 0 1") == NULL ||
                            strstr(said, "have been bound already, to different CPUs") == NULL))
        fail_msg("%s", said);
    free(said);
    said = sh("XMPI_BIND=core mpiexec -n 2 ./halo 20 2>&1 >/dev/null");
    assert_string_equal(said, "");
    free(said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_that_talk_share_a_package),
        cmocka_unit_test(what_the_launcher_has_bound_stays),
    };
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, setup, teardown);
}
