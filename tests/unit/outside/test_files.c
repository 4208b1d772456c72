/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of machine files, schedule files and settings: what they mean, and that each mistake gives
 * one line that says where it is. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"
#include "files/machine_file.h"
#include "files/schedule_file.h"
#include "settings/settings.h"

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

static const char *file_of(const char *text)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/file", dir);
    write_file(path, text);
    return path;
}

static void assert_one_line(const xmpi_error_t *error, const char *part)
{
    if (strstr(error->text, part) == NULL || strchr(error->text, '\n') != NULL)
        fail_msg("message \"%s\" has no \"%s\"", error->text, part);
}

static void machine_files_give_pes(void **state)
{
    (void)state;
    xmpi_resources_t r;
    xmpi_error_t error;
    const char *path = file_of("# nodes\n\n n1:C1:2 \nn2:C8:1:0.462 # fast\n");
    assert_int_equal(xmpi_machines_read(path, &r, &error), XMPI_OK);
    assert_int_equal(r.pes, 3);
    assert_int_equal(r.classes, 2);
    assert_string_equal(r.pe[1].node, "n1");
    assert_string_equal(r.class_name[r.pe[2].class_index], "C8");
    assert_true(r.pe[2].cost == 0.462);
    assert_int_equal(xmpi_machines_place(path, &r, 0, "n2", false, &error), XMPI_OK);
    assert_int_equal(r.pe[2].process, 0);
    assert_int_equal(xmpi_machines_place(path, &r, 1, "n2", false, &error), XMPI_ERR_INPUT);
    assert_one_line(&error, "only 1 processing elements");
    assert_int_equal(xmpi_machines_place(path, &r, 1, "n3", false, &error), XMPI_ERR_INPUT);
    assert_one_line(&error, "not listed");
    xmpi_resources_free(&r);
}

static void switches_are_numbered_by_their_way(void **state)
{
    (void)state;
    static const uint16_t expected[][XMPI_SWITCHES_MAX] = {{1, 1}, {1, 2}, {2, 3}, {1, 1}, {0}};
    xmpi_resources_t r;
    xmpi_error_t error = {""};
    const char *path = file_of("n1:C1:1:2:r1/s1\nn2:C1:1::r1/s2\nn3:C1:1::r2/s1\n"
                               "n4:C1:1:0:r1/s1\nn5:C1:1:3\nn6:C1:0:1:r9/s9\n");
    if (xmpi_machines_read(path, &r, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    assert_int_equal(r.pes, 5); /* a host with none is as one that is not there */
    assert_true(r.pe[0].cost == 2 && r.pe[1].cost == 0 && r.pe[4].cost == 3);
    for (int i = 0; i < r.pes; i++)
        assert_memory_equal(r.pe[i].switches, expected[i], sizeof expected[i]);
    xmpi_resources_free(&r);
}

static void memory_and_disks_are_read(void **state)
{
    (void)state;
    xmpi_resources_t r;
    xmpi_error_t error = {""};
    const char *path = file_of("n1:C1:2:2:r1/s1:512:150:8\nn2:C1:1:::64:2000\nn3:C1:1\n");
    if (xmpi_machines_read(path, &r, &error) != XMPI_OK)
        fail_msg("%s", error.text);
    assert_int_equal(r.pes, 4);
    assert_true(r.pe[1].memory == 512. * 1048576 && r.pe[1].disk_bandwidth == 150e6);
    assert_true(r.pe[1].disk_latency == 8e-3 && r.pe[1].switches[0] == 1);
    assert_true(r.pe[2].memory == 64. * 1048576 && r.pe[2].disk_bandwidth == 2e9);
    assert_true(r.pe[2].disk_latency == 0 && r.pe[2].switches[0] == 0 && r.pe[2].cost == 0);
    assert_true(r.pe[3].memory == 0 && r.pe[3].disk_bandwidth == 0);
    xmpi_resources_free(&r);
}

static void mistakes_in_machine_files_are_named(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"n1:C1\n", ":1: 2 fields"},
        {"n1:C1:2:3:4:5:6:7:8\n", ":1: 9 fields"},
        {"n1:C1:2:3:4:0:6\n", ":1: \"0\" is no memory"},
        {"n1:C1:2:::x:6\n", ":1: \"x\" is no memory"},
        {"n1:C1:2:3:4:5\n", ":1: memory needs the bandwidth"},
        {"n1:C1:2:3:4:5:0\n", ":1: memory needs the bandwidth"},
        {"n1:C1:2:3:4:5:6:-1\n", ":1: \"-1\" is no latency"},
        {"n1:C1:2:x:a/b\n", ":1: \"x\" is no cost"},
        {"n1:C1:2::\n", ":1: \"\" are no switches"},
        {"n1:C1:2::/a\n", ":1: \"/a\" are no switches"},
        {"n1:C1:2::a//b\n", ":1: \"a//b\" are no switches"},
        {"n1:C1:2::a/\n", ":1: \"a/\" are no switches"},
        {"n1:C1:2::a/b/c/d/e\n", ":1: \"a/b/c/d/e\" are no switches"},
        {"\n:C1:2\n", ":2: a host name"},
        {"n1::2\n", ":1: \"\" cannot be the name"},
        {"n1:any:2\n", ":1: \"any\" cannot be the name"},
        {"n1:C1:0\nn2:C1:0\n", "no host has a processing element"},
        {"n1:C1:0\nn1:C1:2\n", ":2: host n1 stands there twice"},
        {"n1:C1:-1\n", ":1: \"-1\" is no number"},
        {"n1:C1:2x\n", ":1: \"2x\" is no number"},
        {"n1:C1:99999999999999999999\n", ":1: "},
        {"n1:C1:1:-1\n", ":1: \"-1\" is no cost"},
        {"n1:C1:1:nan\n", ":1: \"nan\" is no cost"},
        {"n1:C1:1\nn1:C1:1\n", ":2: host n1 stands there twice"},
        {"# nothing\n", "no host"},
        {"", "no host"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        xmpi_resources_t r;
        xmpi_error_t error = {""};
        assert_int_equal(xmpi_machines_read(file_of(cases[i][0]), &r, &error), XMPI_ERR_INPUT);
        assert_one_line(&error, cases[i][1]);
        assert_null(r.pe);
    }
    xmpi_resources_t r;
    xmpi_error_t error;
    assert_int_equal(xmpi_machines_read("/nonexistent/file", &r, &error), XMPI_ERR_INPUT);
    assert_one_line(&error, "/nonexistent/file: No such file");
}

/* Two members of class C1, two free PEs of C1 and one of C8. */
static void some_resources(xmpi_resources_t *r)
{
    xmpi_error_t error;
    const char *path = file_of("n1:C1:4\nn2:C8:1\n");
    assert_int_equal(xmpi_machines_read(path, r, &error), XMPI_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(xmpi_machines_place(path, r, i, "n1", false, &error), XMPI_OK);
    r->can_spawn = true;
    r->max_members = 5;
    r->anchor = 0;
}

static void schedules_are_read_in_order_of_iteration(void **state)
{
    (void)state;
    xmpi_resources_t r;
    xmpi_schedule_t s;
    xmpi_error_t error;
    some_resources(&r);
    const char *path = file_of("remove 1 any 500\n# grow first\nspawn\t2  C1  100\n");
    assert_int_equal(xmpi_schedule_read(path, &r, &s, &error), XMPI_OK);
    assert_int_equal(s.actions, 2);
    assert_int_equal(s.action[0].kind, XMPI_ACTION_SPAWN);
    assert_int_equal(s.action[0].iteration, 100);
    assert_int_equal(s.action[1].class_index, XMPI_ANY_CLASS);
    assert_int_equal(xmpi_schedule_check(path, &s, &r, 2, &error), XMPI_OK);
    xmpi_schedule_free(&s);
    xmpi_resources_free(&r);
}

static void schedules_may_list_layouts(void **state)
{
    (void)state;
    xmpi_resources_t r;
    xmpi_schedule_t s;
    xmpi_error_t error;
    some_resources(&r);
    const char *path = file_of("layout 2 1\nlayout 1 30 4:1  0:9\n layout\t1 7 1:10 # first\n");
    assert_int_equal(xmpi_schedule_read(path, &r, &s, &error), XMPI_OK);
    assert_int_equal(s.appointments, 3);
    assert_int_equal(s.appointment[0].iteration, 7);
    assert_int_equal(s.appointment[0].places, 1);
    assert_int_equal(s.share[s.appointment[0].first].rows, 10);
    assert_int_equal(s.appointment[1].places, 2);
    assert_int_equal(s.share[s.appointment[1].first].pe, 4);
    assert_int_equal(s.share[s.appointment[1].first + 1].rows, 9);
    assert_int_equal(s.appointment[2].loop, 2);
    assert_int_equal(s.appointment[2].places, 0);
    assert_int_equal(xmpi_schedule_check(path, &s, &r, 2, &error), XMPI_OK);
    xmpi_schedule_free(&s);
    xmpi_resources_free(&r);
}

static void mistakes_in_schedules_are_named(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"spawn 2 C1\n", ":1: fewer than four words"},
        {"spawn 2 C1 100 5\n", ":1: more than four words"},
        {"\ngrow 2 C1 100\n", ":2: \"grow\" is no action"},
        {"spawn two C1 100\n", ":1: \"two\" is no number"},
        {"spawn 0 C1 100\n", ":1: \"0\" is no number"},
        {"spawn -2 C1 100\n", ":1: \"-2\" is no number"},
        {"spawn 2 C9 100\n", ":1: no processor class \"C9\""},
        {"spawn 2 C1 0\n", ":1: \"0\" is no iteration"},
        {"spawn 2 C1 1e3\n", ":1: \"1e3\" is no iteration"},
        {"#\n", "no action"},
        {"", "no action"},
        {"layout\n", ":1: write: layout LOOP ITERATION"},
        {"layout 1 0 0:5\n", ":1: write: layout LOOP ITERATION"},
        {"layout 0 1 0:5\n", ":1: write: layout LOOP ITERATION"},
        {"layout 1 1 5\n", ":1: \"5\" is no PE:ROWS"},
        {"layout 1 1 5:3\n", ":1: \"5:3\" is no PE:ROWS with a processing element from 0 to 4"},
        {"layout 1 1 0:x\n", ":1: \"0:x\" is no PE:ROWS"},
        {"layout 1 1 0:5 0:5\n", ":1: processing element 0 stands there twice"},
        {"layout 1 1 0:5\nspawn 1 any 5\n", ":2: layouts and actions"},
        {"layouts 1 1 0:5\n", "\"layouts\" is no action"},
    };
    xmpi_resources_t r;
    some_resources(&r);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        xmpi_schedule_t s;
        xmpi_error_t error = {""};
        assert_int_equal(xmpi_schedule_read(file_of(cases[i][0]), &r, &s, &error), XMPI_ERR_INPUT);
        assert_one_line(&error, cases[i][1]);
        assert_null(s.action);
        assert_null(s.share);
    }
    xmpi_resources_free(&r);
}

static void schedules_that_ask_for_too_much_are_found(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"spawn 4 any 10\n", ":1: 4 processes to spawn at iteration 10, but there are only 3"},
        {"spawn 2 C8 10\n", "only 1 of that class"},
        {"spawn 1 C8 10\nremove 2 C8 20\n", ":2: 2 processes to remove"},
        {"remove 2 any 10\n", ":1: no process would be left"},
        {"spawn 3 any 10\nspawn 1 any 20\n", ":2: "},
    };
    xmpi_resources_t r;
    some_resources(&r);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        xmpi_schedule_t s;
        xmpi_error_t error = {""};
        const char *path = file_of(cases[i][0]);
        assert_int_equal(xmpi_schedule_read(path, &r, &s, &error), XMPI_OK);
        assert_int_equal(xmpi_schedule_check(path, &s, &r, 2, &error), XMPI_ERR_INPUT);
        assert_one_line(&error, cases[i][1]);
        xmpi_schedule_free(&s);
    }
    r.max_members = 3;
    xmpi_schedule_t s;
    xmpi_error_t error;
    const char *path = file_of("spawn 2 any 10\n");
    assert_int_equal(xmpi_schedule_read(path, &r, &s, &error), XMPI_OK);
    assert_int_equal(xmpi_schedule_check(path, &s, &r, 2, &error), XMPI_ERR_INPUT);
    assert_one_line(&error, "no more than 3 are allowed; see XMPI_MAX");
    xmpi_schedule_free(&s);
    xmpi_resources_free(&r);
}

static void settings_have_defaults_and_values(void **state)
{
    (void)state;
    xmpi_settings_t s;
    xmpi_error_t error;
    char *const none[] = {NULL};
    char *const some[] = {"PATH=/bin",
                          "XMPI_INTERVAL=25",
                          "XMPI_BACKEND=pool",
                          "XMPI_IMBALANCE=0.1",
                          "XMPI_HISTORY=0",
                          "XMPI_PAYBACK=0.5",
                          NULL};
    assert_int_equal(xmpi_settings_read(none, &s, &error), XMPI_OK);
    assert_string_equal(s.policy, "balance");
    assert_int_equal(s.interval, 0); /* auto */
    assert_int_equal(s.window, 3);
    assert_int_equal(s.lb, XMPI_LB_AUTO);
    assert_true(s.history < 0 && s.payback < 0); /* auto */
    assert_int_equal(s.backend, XMPI_BACKEND_AUTO);
    assert_int_equal(xmpi_settings_read(some, &s, &error), XMPI_OK);
    assert_int_equal(s.interval, 25);
    assert_int_equal(s.backend, XMPI_BACKEND_POOL);
    assert_true(s.imbalance == 0.1 && s.history == 0 && s.payback == 0.5);
    assert_int_equal(xmpi_settings_change(&s, "XMPI_PAYBACK", "auto", &error), XMPI_OK);
    assert_true(s.payback < 0);
}

static void sizes_have_units(void **state)
{
    (void)state;
    xmpi_settings_t s;
    xmpi_error_t error;
    char *const some[] = {"XMPI_MEMORY=4M", "XMPI_MEMORY_LIMIT=1.5GiB", "XMPI_TRACE_LIMIT=2048k",
                          "XMPI_MOVE_BACKGROUND=512K", NULL};
    assert_int_equal(xmpi_settings_read(some, &s, &error), XMPI_OK);
    assert_int_equal(s.memory, 4);
    assert_int_equal(s.memory_limit, 1536);
    assert_int_equal(s.trace_limit, 2);
    assert_true(s.move_background == 0.5);
    assert_int_equal(xmpi_settings_change(&s, "XMPI_MEMORY", "2t", &error), XMPI_OK);
    assert_int_equal(s.memory, 2 << 20);
    assert_int_equal(xmpi_settings_change(&s, "XMPI_MEMORY", "300", &error), XMPI_OK);
    assert_int_equal(s.memory, 300);
}

static void mistakes_in_settings_are_named(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"XMPI_INTERVAL=0", "XMPI_INTERVAL=0: must be auto or a whole number from 1"},
        {"XMPI_INTERVAL=ten", "XMPI_INTERVAL=ten"},
        {"XMPI_INTERVAL=", "XMPI_INTERVAL="},
        {"XMPI_INTERVAL=10 ", "XMPI_INTERVAL="},
        {"XMPI_INTERVAL=99999999999999999999", "XMPI_INTERVAL="},
        {"XMPI_MAX=-1", "XMPI_MAX=-1"},
        {"XMPI_IMBALANCE=2", "XMPI_IMBALANCE=2: must be a number from 0 to 1"},
        {"XMPI_IMBALANCE=nan", "XMPI_IMBALANCE=nan"},
        {"XMPI_WINDOW=0", "XMPI_WINDOW=0: must be a whole number from 1 to 64"},
        {"XMPI_INTERFERENCE=-1", "XMPI_INTERFERENCE=-1: must be a number from 0 to 1"},
        {"XMPI_PAYBACK=-1", "XMPI_PAYBACK=-1: must be auto or a number from 0 to 1e+15"},
        {"XMPI_WAIT=poll", "XMPI_WAIT=poll: must be auto, spin or sleep"},
        {"XMPI_LB=nnn", "XMPI_LB=nnn: must be auto, rows, nnz or weight"},
        {"XMPI_BACKEND=fork", "XMPI_BACKEND=fork: must be auto, spawn or pool"},
        {"XMPI_PLACEMENT=best", "XMPI_PLACEMENT=best: must be all or occupied"},
        {"XMPI_POLICY=fast", "XMPI_POLICY=fast: must be one of off, balance"},
        {"XMPI_POLICY=schedule", "set XMPI_SCHEDULE"},
        {"XMPI_POLICY=amp", "XMPI_POLICY=amp needs a goal: set XMPI_GOAL"},
        {"XMPI_GOAL=soon", "XMPI_GOAL=soon: must be a time"},
        {"XMPI_CONSTRAINT=speed", "XMPI_CONSTRAINT=speed: must be efficiency or cost"},
        {"XMPI_TOLERANCE=-1", "XMPI_TOLERANCE=-1"},
        {"XMPI_GRACE=-1", "XMPI_GRACE=-1"},
        {"XMPI_MEMORY=4X", "XMPI_MEMORY=4X: must be a whole number of MiB from 0 to 1000000000, or "
                           "of what stands behind it: 512, 512M or 4G"},
        {"XMPI_MEMORY=512K", "XMPI_MEMORY=512K: must be a whole number of MiB"},
        {"XMPI_MEMORY=4Mi", "XMPI_MEMORY=4Mi"},
        {"XMPI_MEMORY=M", "XMPI_MEMORY=M"},
        {"XMPI_MEMORY=-1G", "XMPI_MEMORY=-1G"},
        {"XMPI_TRACE_LIMIT=512K", "XMPI_TRACE_LIMIT=512K: must be a whole number of MiB from 1"},
        {"XMPI_MOVE_BACKGROUND=nan", "XMPI_MOVE_BACKGROUND=nan: must be a number of MiB"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        xmpi_settings_t s;
        xmpi_error_t error = {""};
        char text[64];
        char *const env[] = {text, NULL};
        snprintf(text, sizeof text, "%s", cases[i][0]);
        assert_int_equal(xmpi_settings_read(env, &s, &error), XMPI_ERR_INPUT);
        assert_one_line(&error, cases[i][1]);
    }
}

static void pragmas_of_loops_set_what_the_user_has_not(void **state)
{
    (void)state;
    xmpi_settings_t s;
    xmpi_error_t error = {""};
    char *const env[] = {"XMPI_TOLERANCE=0.2", NULL};
    assert_int_equal(xmpi_settings_read(env, &s, &error), XMPI_OK);
    s.backend = XMPI_BACKEND_POOL; /* chosen when the job began */
    s.strategy = XMPI_SPAWN_GROUP;
    assert_int_equal(
        xmpi_settings_of_loop(&s, "amp goal=30% constraint=cost tolerance=0.5 window=5", &error),
        XMPI_OK);
    assert_string_equal(s.policy, "amp");
    assert_int_equal(s.goal.kind, XMPI_GOAL_SAVE);
    assert_int_equal(s.constraint, XMPI_CONSTRAINT_COST);
    assert_int_equal(s.window, 5);
    assert_true(s.tolerance == 0.2);
    assert_int_equal(s.backend, XMPI_BACKEND_POOL);
    assert_int_equal(s.strategy, XMPI_SPAWN_GROUP);
    assert_int_equal(xmpi_settings_of_loop(&s, "hpmp window=7", &error), XMPI_OK);
    assert_string_equal(s.policy, "hpmp");
    assert_int_equal(s.window, 7);
    assert_int_equal(s.goal.kind, XMPI_GOAL_NONE);
    assert_int_equal(xmpi_settings_of_loop(&s, NULL, &error), XMPI_OK); /* as without pragmas */
    assert_string_equal(s.policy, "balance");
    assert_int_equal(s.window, 3);
    assert_int_equal(s.constraint, XMPI_CONSTRAINT_EFFICIENCY);
    assert_int_equal(xmpi_settings_change(&s, "XMPI_POLICY", "random", &error), XMPI_OK);
    assert_int_equal(xmpi_settings_of_loop(&s, "hpmp", &error), XMPI_OK); /* xmpictl counts more */
    assert_string_equal(s.policy, "random");
}

static void mistakes_in_pragmas_of_loops_change_nothing(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"amp", "XMPI_POLICY=amp needs a goal"},
                                           {"amp goal=soon", "XMPI_GOAL=soon: must be a time"},
                                           {"hpmp window=0", "XMPI_WINDOW=0"},
                                           {"fast", "XMPI_POLICY=fast: must be one of"},
                                           {"amp gaol=1h", "there is no setting XMPI_GAOL"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        xmpi_settings_t s, before;
        xmpi_error_t error = {""};
        char *const none[] = {NULL};
        assert_int_equal(xmpi_settings_read(none, &s, &error), XMPI_OK);
        before = s;
        assert_int_equal(xmpi_settings_of_loop(&s, cases[i][0], &error), XMPI_ERR_INPUT);
        assert_one_line(&error, cases[i][1]);
        assert_memory_equal(&s, &before, sizeof s);
    }
}

static void unknown_settings_are_warned_about(void **state)
{
    (void)state;
    char *const env[] = {"XMPI_POLICI=off", "XMPI_POLICY=off", "XMPICC=off", "XMPI_MPICC=mpicc",
                         NULL};
    char path[256];
    snprintf(path, sizeof path, "%s/warnings", dir);
    FILE *file = fopen(path, "w");
    xmpi_settings_warn_unknown(env, file);
    fclose(file);
    char *text = read_file(path, NULL);
    assert_string_equal(text, "xmpi: warning: unknown setting XMPI_POLICI is ignored\n");
    free(text);
}

/* Every setting gets through as it is, and nothing that is none. */
static void settings_travel(void **state)
{
    static char all[16 << 10], again[16 << 10];
    static xmpi_settings_t settings, copy;
    size_t n;
    const xmpi_setting_t *table = xmpi_settings_table(&n);
    xmpi_pack_t pack = {0};
    (void)state;
    memset(&settings, 0, sizeof settings);
    for (size_t i = 0; i < n; i++) {
        char *to = (char *)&settings + table[i].offset;
        if (table[i].type == XMPI_SETTING_TEXT)
            memset(to, 'a' + (int)i % 26, XMPI_TEXT_MAX - 1);
        else if (table[i].type == XMPI_SETTING_CHOICE)
            *(int *)to = 1;
        else
            memset(to, (int)i + 1, sizeof(int64_t));
    }
    strcpy(settings.folder, "/somewhere");
    settings.goal = (xmpi_goal_t){XMPI_GOAL_SECONDS, 5};
    for (int i = 0; i < (int)n; i += 2)
        xmpi_mark(&settings.given, i), xmpi_mark(&settings.by_pragma, (int)n - 1 - i);
    xmpi_settings_put(&pack, &settings);
    xmpi_settings_get(&pack, &copy);
    assert_int_equal(pack.status, XMPI_OK);
    assert_int_equal(pack.at, pack.size);
    assert_memory_equal(&copy, &settings, sizeof settings);
    memcpy(all, pack.data, pack.size < sizeof all ? pack.size : 0);
    for (size_t cut = 0; cut < pack.size && pack.size < sizeof all; cut += 1 + cut / 7) {
        xmpi_pack_t less = {.data = memcpy(again, all, cut), .size = cut};
        xmpi_settings_get(&less, &copy);
        assert_int_not_equal(less.status, XMPI_OK);
    }
    xmpi_pack_free(&pack);
    settings.lb = 99;
    xmpi_settings_put(&pack, &settings);
    xmpi_settings_get(&pack, &copy);
    assert_int_equal(pack.status, XMPI_ERR_INTERNAL);
    xmpi_pack_free(&pack);
}

/* Whatever its place in the table: what the user has set stays when the pragmas of loops come and
 * go, anything else is what a pragma says and then as by default. */
static void pragmas_spare_what_the_user_has_set(void **state)
{
    size_t n;
    const xmpi_setting_t *table = xmpi_settings_table(&n);
    xmpi_error_t error;
    int compared = 0;
    (void)state;
    for (size_t i = 0; i < n; i++) {
        char given[96], clause[96];
        static xmpi_settings_t settings, standard;
        char *nothing[] = {NULL}, *env[] = {given, NULL};
        if (table[i].type != XMPI_SETTING_INTEGER)
            continue;
        const int64_t *value = (const int64_t *)((char *)&settings + table[i].offset);
        snprintf(given, sizeof given, "%s=%.0f", table[i].name, table[i].most);
        snprintf(clause, sizeof clause, "%s=%.0f", table[i].name + strlen("XMPI_"), table[i].least);
        assert_int_equal(xmpi_settings_read(env, &settings, &error), XMPI_OK);
        assert_true(xmpi_settings_given(&settings, table[i].name));
        assert_int_equal(xmpi_settings_of_loop(&settings, clause, &error), XMPI_OK);
        assert_true(*value == (int64_t)table[i].most);
        assert_int_equal(xmpi_settings_of_loop(&settings, NULL, &error), XMPI_OK);
        assert_true(*value == (int64_t)table[i].most);
        assert_int_equal(xmpi_settings_read(nothing, &standard, &error), XMPI_OK);
        settings = standard;
        assert_int_equal(xmpi_settings_of_loop(&settings, clause, &error), XMPI_OK);
        assert_true(*value == (int64_t)table[i].least);
        assert_int_equal(xmpi_settings_of_loop(&settings, NULL, &error), XMPI_OK);
        assert_memory_equal(&settings, &standard, sizeof settings);
        compared++;
    }
    assert_true(compared > 5);
}

/* A mark is its own and no other's, beyond a word too. */
static void a_mark_is_one_setting(void **state)
{
    (void)state;
    for (int i = 0; i < XMPI_MARKS_MAX; i++) {
        xmpi_marks_t marks = {0};
        xmpi_mark(&marks, i);
        for (int k = 0; k < XMPI_MARKS_MAX; k++)
            assert_int_equal(xmpi_is_marked(&marks, k), k == i);
    }
}

/* A text that does not end in the room for it. */
static void texts_that_are_too_long_do_not_travel(void **state)
{
    static xmpi_settings_t settings;
    xmpi_pack_t pack = {0};
    char *text = calloc(1, 3 * XMPI_TEXT_MAX);
    (void)state;
    memset(text, 'x', 2 * XMPI_TEXT_MAX);
    xmpi_pack_put_text(&pack, text);
    for (int i = 0; i < 100; i++)
        xmpi_pack_put_text(&pack, "");
    xmpi_settings_get(&pack, &settings);
    assert_int_equal(pack.status, XMPI_ERR_INTERNAL);
    xmpi_pack_free(&pack);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_travel),
        cmocka_unit_test(pragmas_spare_what_the_user_has_set),
        cmocka_unit_test(a_mark_is_one_setting),
        cmocka_unit_test(texts_that_are_too_long_do_not_travel),
        cmocka_unit_test(machine_files_give_pes),
        cmocka_unit_test(switches_are_numbered_by_their_way),
        cmocka_unit_test(memory_and_disks_are_read),
        cmocka_unit_test(mistakes_in_machine_files_are_named),
        cmocka_unit_test(schedules_are_read_in_order_of_iteration),
        cmocka_unit_test(schedules_may_list_layouts),
        cmocka_unit_test(mistakes_in_schedules_are_named),
        cmocka_unit_test(schedules_that_ask_for_too_much_are_found),
        cmocka_unit_test(settings_have_defaults_and_values),
        cmocka_unit_test(sizes_have_units),
        cmocka_unit_test(mistakes_in_settings_are_named),
        cmocka_unit_test(pragmas_of_loops_set_what_the_user_has_not),
        cmocka_unit_test(mistakes_in_pragmas_of_loops_change_nothing),
        cmocka_unit_test(unknown_settings_are_warned_about),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
