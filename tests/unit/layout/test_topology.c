/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the switches between nodes, as Slurm lists them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "files/machine_file.h"
#include "files/topology_file.h"
#include "support/command.h"

static char *dir;

static int make_dir(void **state)
{
    (void)state;
    dir = scratch_make();
    return 0;
}

static int remove_dir(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

static xmpi_status_t read_both(const char *machines, const char *topology, xmpi_resources_t *r,
                               xmpi_error_t *error)
{
    char path[256];
    snprintf(path, sizeof path, "%s/machines", dir);
    write_file(path, machines);
    assert_int_equal(xmpi_machines_read(path, r, error), XMPI_OK);
    snprintf(path, sizeof path, "%s/topology", dir);
    write_file(path, topology);
    return xmpi_topology_read(path, r, error);
}

/* WAY: the switches of each PE as letters, a for the first line of the file, in words. */
static void assert_ways(const char *machines, const char *topology, const char *ways)
{
    char found[512] = "";
    xmpi_resources_t r;
    xmpi_error_t error;
    if (read_both(machines, topology, &r, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    for (int i = 0; i < r.pes; i++) {
        strcat(found, i > 0 ? " " : "");
        for (int k = 0; k < XMPI_SWITCHES_MAX && r.pe[i].switches[k] > 0; k++)
            strncat(found, &"abcdefgh"[r.pe[i].switches[k] - 1], 1);
        strcat(found, r.pe[i].switches[0] == 0 ? "-" : "");
    }
    assert_string_equal(found, ways);
    xmpi_resources_free(&r);
}

static void nodes_are_behind_switches(void **state)
{
    (void)state;
    assert_ways("tux0:C:1\ntux5:C:2\ntux9:C:1\n",
                "# as in the manual\nSwitchName=s0 Nodes=tux[0-2]\nSwitchName=s1 Nodes=tux[3-5]\n"
                "SwitchName=s2 Switches=s[0-1]\n",
                "ca cb cb -");
    assert_ways("r1n08:C:1\nr1n8:C:1\nr2n12:C:1\nx:C:1\ny.far.away:C:1\ny-1:C:1\n",
                "SWITCHNAME=top switches=l1,l2 LinkSpeed=1\n"
                "switchname=l1 nodes=r1n[01-08,20],x\nSwitchName=l2 Nodes=r[1-2]n[11-12],y\n",
                "ab - ac ab ac -");
    assert_ways("a:C:1\nb:C:1\n", "SwitchName=s0 Nodes=a\nSwitchName=s1 Nodes=b\n", "a b");
}

/* What the command prints has the nodes of all levels. */
static void output_of_scontrol_is_read(void **state)
{
    (void)state;
    assert_ways("tux0:C:1\ntux3:C:1\n",
                "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=tux[0-2]\n"
                "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=tux[3-5]\n"
                "SwitchName=s2 Level=1 LinkSpeed=1 Nodes=tux[0-5] Switches=s[0-1]\n",
                "ca cb");
}

/* As the helper of a leader in Slurm hands it over. */
static void switches_are_read_from_a_text(void **state)
{
    (void)state;
    char path[256];
    xmpi_resources_t r;
    xmpi_error_t error = {""};
    snprintf(path, sizeof path, "%s/machines", dir);
    write_file(path, "a:C:1\nb:C:1\n");
    assert_int_equal(xmpi_machines_read(path, &r, &error), XMPI_OK);
    assert_int_equal(xmpi_topology_read_text("", "Slurm", &r, &error), XMPI_OK);
    assert_int_equal(r.pe[0].switches[0], 0);
    assert_int_equal(
        xmpi_topology_read_text("SwitchName=s Nodes=a\nSwitchName=t\n", "Slurm", &r, &error),
        XMPI_ERR_INPUT);
    assert_non_null(strstr(error.text, "Slurm:2: write SwitchName"));
    assert_int_equal(xmpi_topology_read_text("SwitchName=s Nodes=b\nSwitchName=t Switches=s\n",
                                             "Slurm", &r, &error),
                     XMPI_OK);
    assert_int_equal(r.pe[0].switches[0], 0);
    assert_int_equal(r.pe[1].switches[0], 2);
    assert_int_equal(r.pe[1].switches[1], 1);
    xmpi_resources_free(&r);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"SwitchName=s0\n", ":1: write SwitchName"},
        {"\nNodes=a\n", ":2: write SwitchName"},
        {"BlockName=b Nodes=a\n", ":1: write SwitchName"},
        {"SwitchName=s Nodes=a\nSwitchName=s Nodes=b\n", ":2: switch s stands there twice"},
        {"SwitchName=s Nodes=a\nSwitchName=t Nodes=b,a\n", ":2: a is behind another switch"},
        {"SwitchName=s Switches=t\n", ":1: there is no line of switch t"},
        {"SwitchName=s Nodes=a[1\n", ":1: \"a[1\" is no list"},
        {"SwitchName=s Nodes=a]\n", "is no list"},
        {"SwitchName=s Nodes=a[2-1]\n", "is no list"},
        {"SwitchName=s Nodes=a[x]\n", "is no list"},
        {"SwitchName=s Nodes=a,,b\n", "is no list"},
        {"SwitchName=s Nodes=\n", "is no list"},
        {"SwitchName=s Nodes=a[1-999999999]\n", "is no list"},
        {"SwitchName=s Nodes=a\nSwitchName=t Switches=s,u\nSwitchName=u Switches=t\n",
         ":1: node a is behind more than 4 switches"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        xmpi_resources_t r;
        xmpi_error_t error = {""};
        xmpi_status_t status = read_both("a:C:1\nb:C:1\n", cases[i][0], &r, &error);
        if (status != XMPI_ERR_INPUT || strstr(error.text, cases[i][1]) == NULL)
            fail_msg("%s: %d, %s", cases[i][0], status, error.text);
        xmpi_resources_free(&r);
    }
    xmpi_resources_t r;
    xmpi_error_t error;
    assert_int_equal(read_both("a:C:1::x\n", "SwitchName=s Nodes=a\n", &r, &error), XMPI_ERR_INPUT);
    assert_non_null(strstr(error.text, "the machine file says"));
    xmpi_resources_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_behind_switches),
        cmocka_unit_test(output_of_scontrol_is_read),
        cmocka_unit_test(switches_are_read_from_a_text),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
