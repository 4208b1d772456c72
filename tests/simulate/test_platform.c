/* SPDX-License-Identifier: BSD-3-Clause
 * xmpi-simulate with platform files of SimGrid's: seconds that can be calculated by hand, and files
 * that are none. */
#define _GNU_SOURCE
#include "support/shell.h"

#include <math.h>
#include <unistd.h>

/* Two hosts of 100 flop/s, beside one another, and one of 200, further away, which is named before
 * the others but counts behind them. */
static const char platform[] = "<?xml version='1.0'?>\n"
                               "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                               "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">\n"
                               "<host id=\"h10\" speed=\"200f\"/><host id=\"h2\" speed=\"100f\"/>\n"
                               "<host id=\"h3\" speed=\"100f\"/>\n"
                               "<link id=\"near\" bandwidth=\"6MBps\" latency=\"1ms\"/>\n"
                               "<link id=\"far\" bandwidth=\"3MBps\" latency=\"2ms\"/>\n"
                               "<route src=\"h2\" dst=\"h3\"><link_ctn id=\"near\"/></route>\n"
                               "<route src=\"h2\" dst=\"h10\"><link_ctn id=\"far\"/></route>\n"
                               "<route src=\"h3\" dst=\"h10\"><link_ctn id=\"far\"/></route>\n"
                               "</zone></platform>\n";

static const char scenario[] = "nodes 77\nspeed 5\nplatform p.xml\nactive 2\nrows 2\nwork 400\n"
                               "iterations 10\nstart order\npattern ring\nbytes 6e6\n"
                               "technique nop policy=off\n";

static void write_in(const char *name, const char *text)
{
    char *path = NULL;
    assert_true(asprintf(&path, "%s/%s", dir, name) >= 0);
    write_file(path, text);
    free(path);
}

static void assert_seconds(const char *options, double expected)
{
    char *out =
        sh("xmpi-simulate -q -n 1 -o table --runs - %s s | tail -n 1 | cut -d, -f4", options);
    double seconds = atof(out);
    if (!(fabs(seconds - expected) < 1e-6))
        fail_msg("%s: %.9f s instead of %.9f s", options, seconds, expected);
    free(out);
}

static void hosts_and_links_are_those_of_the_file(void **state)
{
    (void)state;
    write_in("p.xml", platform);
    write_in("s", scenario);
    /* 2 s, and 6 MB from each to the other over the link near by. */
    assert_seconds("", 10 * (2 + 2 + 0.001));
    /* The quickest first: 2 s of the other, and the link that is further away. */
    assert_seconds("--set start=fastest", 10 * (2 + 4 + 0.002));
    /* All of them: two of the three messages go over the far link. */
    assert_seconds("--set active=3 --set rows=3 --set work=600", 10 * (2 + 4 + 0.002));
    assert_seconds("--set pattern=none --set active=1 --set start=fastest", 10 * 2);
}

static void bad_platforms_are_one_line(void **state)
{
    static const struct {
        const char *make, *words;
    } bad[] = {
        {"rm p.xml", "p.xml: No such file"},
        {"echo hosts >p.xml", "p.xml: SimGrid: "},
        {"sed '/src=\"h3\"/d' good >p.xml", "there is no route from h3 to h10"},
        {"sed 's/id=\"h2\"/id=\"h2\" core=\"4\"/' good >p.xml", "different numbers of cores"},
        {"sed 's/id=\"h2\"/id=\"h2\" speed_file=\"x\"/' good >p.xml", "a platform that changes"},
        {"sed 's/<host.*>//' good >p.xml", "p.xml: SimGrid"},
        {"cp good p.xml; echo jobs 4 >>s", "platform is for one program"}};
    (void)state;
    write_in("good", platform);
    write_in("s", scenario);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        free(sh_line(bad[i].make));
        command_t command = shell_run("xmpi-simulate -q -n 1 s");
        const char *end = strchr(command.err, '\n');
        if (command.status != 2 || strstr(command.err, bad[i].words) == NULL || end == NULL ||
            end[1] != '\0')
            fail_msg("%s: status %d\n%s", bad[i].make, command.status, command.err);
        command_free(&command);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hosts_and_links_are_those_of_the_file),
        cmocka_unit_test(bad_platforms_are_one_line),
    };
    char path[4096];
    snprintf(path, sizeof path, "%s/obj/xmpicc/simulate/network/simgrid.o", build_dir());
    if (access(path, R_OK) != 0)
        return 0; /* test_simulate says what is missing then */
    return cmocka_run_group_tests(tests, setup, teardown);
}
