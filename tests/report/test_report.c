/* SPDX-License-Identifier: BSD-3-Clause
 * xmpi-report: the page in a real browser, the other forms, and traces that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "support/command.h"

static char full[4096]; /* a trace with every kind of event */

static command_t report(const char *dir, const char *arguments)
{
    return command_shell(dir, 60, "'%s/bin/xmpi-report' %s", build_dir(), arguments);
}

static void assert_done(command_t command)
{
    if (command.status != 0)
        fail_msg("status %d: %s%s", command.status, command.out, command.err);
    command_free(&command);
}

static void assert_refused(command_t command, const char *words)
{
    assert_int_equal(command.status, 2);
    assert_non_null(strstr(command.err, words));
    assert_ptr_equal(strchr(command.err, '\n'), command.err + strlen(command.err) - 1);
    command_free(&command);
}

/* The four looks of look.mjs: phone and desktop, light and dark, without a network. */
static void look_at(const char *dir, const char *page)
{
    assert_done(command_shell(dir, 240, "node '%s/tests/report/look.mjs' %s", build_dir(), page));
}

static void page_is_drawn_in_a_browser(void **state)
{
    char *dir = scratch_make();
    char arguments[8192];
    (void)state;
    snprintf(arguments, sizeof arguments, "-o page.html '%s'", full);
    assert_done(report(dir, arguments));
    look_at(dir, "page.html '' '% used, 0.056 lost (stood still, or done again), 0.3 given back' equal 'not checked: it writes to a file' "
                 "'blocks from iteration 40 on: an iteration comes out differently'");
    scratch_remove(dir);
}

/* The end tells of all of them. */
static void changes_that_are_left_out_are_counted(void **state)
{
    char *dir = scratch_make();
    (void)state;
    assert_done(command_shell(dir, 60, "grep -v '\"event\":\"reconfiguration\"' '%s' >cut", full));
    assert_done(report(dir, "cut"));
    look_at(dir, "cut.html '' '1 of 1 reconfigurations are not in the trace'");
    scratch_remove(dir);
}

/* The job was killed while it wrote, and a node's name tries to be a script. */
static void page_of_a_killed_job_is_drawn(void **state)
{
    char *dir = scratch_make(), path[4096];
    (void)state;
    snprintf(path, sizeof path, "%s/killed", dir);
    write_file(
        path, "{\"event\":\"start\",\"time\":0.1,\"version\":1,\"loop\":\"a.c:1\",\"members\":1,"
              "\"domain\":10,\"policy\":\"balance\",\"backend\":\"pool\",\"counter\":\"x\"}\n"
              "{\"event\":\"interval\",\"time\":0.3,\"number\":0,\"iteration\":5,\"iterations\":5,"
              "\"seconds\":0.1,\"members\":[{\"process\":0,\"node\":\"</script><script>throw 1\","
              "\"class\":\"<!--<script>\",\"count\":10,\"displ\":0,\"work\":1,\"computation\":0.05,"
              "\"cpu\":0.05,\"communication\":0.05}]}\n"
              "{\"event\":\"interval\",\"time\":0.4,\"numb");
    assert_done(report(dir, "killed"));
    look_at(dir, "killed.html");
    scratch_remove(dir);
}

/* Of a hundred members on nodes, and in every text of it, what would be a script if it were not
 * text. Figures of so many are drawn by node, and tell its name under the mouse. */
static void texts_stay_texts(void **state)
{
    enum { MEMBERS = 100 };
    static const char hostile[] = "<img src=x onerror=1>";
    char *dir = scratch_make(), path[4096];
    (void)state;
    snprintf(path, sizeof path, "%s/hostile", dir);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "{\"event\":\"start\",\"time\":0.1,\"version\":1,\"loop\":\"%s\",\"members\":%d,"
            "\"domain\":%d,\"policy\":\"%s\",\"backend\":\"%s\",\"counter\":\"%s\"}\n",
            hostile, MEMBERS, MEMBERS, hostile, hostile, hostile);
    for (int i = 0; i < 3; i++) {
        fprintf(file,
                "{\"event\":\"interval\",\"time\":%d,\"number\":%d,\"iteration\":%d,"
                "\"iterations\":5,\"seconds\":0.9,\"kept\":\"%s\",\"members\":[",
                i + 1, i, 5 * i, hostile);
        for (int m = 0; m < MEMBERS; m++)
            fprintf(file,
                    "%s{\"process\":%d,\"node\":\"%s%d\",\"class\":\"%s\",\"count\":1,"
                    "\"displ\":%d,\"work\":1,\"computation\":0.5,\"cpu\":0.5,"
                    "\"communication\":0.4}",
                    m > 0 ? "," : "", m, hostile, m / 50, hostile, m);
        fprintf(file, "]}\n");
    }
    fprintf(file,
            "{\"event\":\"reconfiguration\",\"time\":3.5,\"iteration\":15,\"kind\":\"%s\","
            "\"from\":1,\"to\":1,\"seconds\":0.1,\"outcome\":\"%s\",\"reason\":\"%s\"}\n",
            hostile, hostile, hostile);
    fclose(file);
    assert_done(report(dir, "hostile"));
    look_at(dir, "hostile.html");
    scratch_remove(dir);
}

/* Numbers that are texts, lists that are numbers, what is missing: left out, and the page says so.
 */
static void page_of_a_broken_trace_says_so(void **state)
{
    char *dir = scratch_make(), path[4096];
    (void)state;
    snprintf(path, sizeof path, "%s/broken", dir);
    write_file(path,
               "{\"event\":\"start\",\"time\":0.1,\"version\":1,\"members\":1,\"domain\":10}\n"
               "{\"event\":\"interval\",\"time\":1,\"seconds\":1,\"iterations\":1,\"members\":7}\n"
               "{\"event\":\"interval\",\"time\":1,\"seconds\":1,\"iterations\":1,"
               "\"members\":[null]}\n"
               "{\"event\":\"interval\",\"time\":\"<b>\",\"members\":[{}]}\n"
               "{\"event\":\"reconfiguration\",\"time\":2,\"seconds\":1,\"outcome\":\"done\","
               "\"layout\":{\"length\":3}}\n"
               "{\"event\":\"decision\",\"time\":2,\"iteration\":1,\"alternatives\":\"all\"}\n"
               "{\"event\":\"resources\",\"time\":2,\"nodes\":[4]}\n"
               "{\"event\":\"matrix\",\"time\":2,\"members\":4,\"rows\":[{\"rank\":0}]}\n"
               "{\"event\":\"matrix\",\"time\":2,\"members\":4,\"rows\":[{\"rank\":9,"
               "\"peers\":[7],\"messages\":[\"<b>\"],\"bytes\":[1]}]}\n"
               "{\"event\":\"end\"}\n");
    assert_done(report(dir, "broken"));
    command_t command = command_shell(
        dir, 60,
        "chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=5000 --dump-dom "
        "\"file://$PWD/broken.html\" 2>/dev/null");
    assert_non_null(strstr(command.out, "data-drawn=\"yes\""));
    assert_non_null(strstr(command.out, "The trace is damaged: 8 of its lines"));
    command_free(&command);
    assert_done(report(dir, "--svg -o figures broken"));
    scratch_remove(dir);
}

/* What others may have put there under a name that can be guessed. */
static void links_are_not_written_through(void **state)
{
    char *dir = scratch_make(), line[8192];
    (void)state;
    snprintf(line, sizeof line,
             "echo mine >victim; cp '%s' t; mkdir figures; for name in t.html.new t.html "
             "figures/members.svg figures/rows.svg; do ln -s \"$PWD/victim\" $name; done; "
             "'%s/bin/xmpi-report' t && '%s/bin/xmpi-report' --svg -o figures t && cat victim && "
             "test -f t.html -a ! -L t.html -a ! -L figures/rows.svg && ls | grep -c new",
             full, build_dir(), build_dir());
    command_t command = command_shell(dir, 60, "%s", line);
    assert_string_equal(command.out, "t.html\nfigures\nmine\n1\n"); /* the link that was there */
    command_free(&command);
    scratch_remove(dir);
}

/* Of two loops, ten thousand intervals and as many changes: each event has all that there can be.
 */
static void write_long(const char *path)
{
    enum { INTERVALS = 10000 };
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < INTERVALS; i++) {
        double time = 0.01 * i;
        int first = 40 + i % 20;
        if (i % (INTERVALS / 2) == 0)
            fprintf(
                file,
                "{\"event\":\"start\",\"time\":%g,\"version\":1,\"loop\":\"a.c:%d\",\"members\":2,"
                "\"domain\":100,\"policy\":\"balance\",\"backend\":\"pool\",\"counter\":\"x\"}\n",
                time, i + 1);
        fprintf(
            file,
            "{\"event\":\"decision\",\"time\":%g,\"iteration\":%d,\"policy\":\"amp\","
            "\"reason\":\"late\",\"chosen\":0,\"alternatives\":[{\"label\":\"as it is\","
            "\"members\":2,\"seconds\":1,\"reconfiguration\":0,\"cost\":1,\"feasible\":true}]}\n",
            time, i);
        fprintf(
            file,
            "{\"event\":\"interval\",\"time\":%g,\"number\":%d,\"iteration\":%d,\"iterations\":1,"
            "\"seconds\":0.008,\"cost\":%d,\"members\":["
            "{\"process\":0,\"node\":\"n\",\"class\":\"c\",\"count\":%d,\"displ\":0,\"work\":1,"
            "\"computation\":0.005,\"cpu\":0.005,\"communication\":0.003},"
            "{\"process\":1,\"node\":\"n\",\"class\":\"c\",\"count\":%d,\"displ\":%d,\"work\":1,"
            "\"computation\":0.004,\"cpu\":0.004,\"communication\":0.004}]}\n",
            time + 0.009, i, i, i, first, 100 - first, first);
        fprintf(
            file,
            "{\"event\":\"reconfiguration\",\"time\":%g,\"iteration\":%d,\"kind\":\"rebalance\","
            "\"from\":2,\"to\":2,\"seconds\":0.001,\"processes\":0,\"redistribution\":0.001,"
            "\"bytes\":100,\"messages\":1,\"outcome\":\"done\",\"reason\":\"uneven\"}\n",
            time + 0.01, i);
        if ((i + 1) % (INTERVALS / 2) == 0)
            fprintf(
                file,
                "{\"event\":\"end\",\"time\":%g,\"iterations\":5000,\"seconds\":50,\"members\":2,"
                "\"reconfigurations\":5000,\"reconfiguration_seconds\":5,\"cost\":%d}\n",
                time + 0.01, i);
    }
    fclose(file);
}

/* However long the run was, a browser draws the page at once (look.mjs waits 30 s). */
static void page_of_a_long_run_is_drawn(void **state)
{
    char *dir = scratch_make(), path[4096];
    (void)state;
    snprintf(path, sizeof path, "%s/long", dir);
    write_long(path);
    assert_done(report(dir, "long"));
    look_at(dir, "long.html");
    scratch_remove(dir);
}

/* The test of the test: a page whose script fails is found out. */
static void browser_finds_faults(void **state)
{
    char *dir = scratch_make(), path[4096];
    (void)state;
    snprintf(path, sizeof path, "%s/bad.html", dir);
    write_file(path,
               "<!doctype html><p style='width:3000px'>wide</p><script>throw Error(1)</script>");
    snprintf(path, sizeof path, "%s/over.html", dir);
    write_file(path, "<!doctype html><figure id='f'><svg width=300 height=200><text y=20>one</text>"
                     "<text y=22>two</text></svg></figure>");
    command_t command =
        command_shell(dir, 240, "node '%s/tests/report/look.mjs' bad.html", build_dir());
    assert_int_equal(command.status, 1);
    assert_non_null(strstr(command.out, "phone, light: script error"));
    assert_non_null(strstr(command.out, "desktop, dark: it has no figure"));
    assert_non_null(strstr(command.out, "phone, dark: it is 30"));
    command_free(&command);
    command = command_shell(dir, 240, "node '%s/tests/report/look.mjs' over.html", build_dir());
    assert_non_null(strstr(command.out, "phone, light: f writes \"two\" over \"one\""));
    command_free(&command);
    scratch_remove(dir);
}

static void csv_has_a_line_for_each_member(void **state)
{
    char *dir = scratch_make(), arguments[8192];
    int lines = 0;
    (void)state;
    snprintf(arguments, sizeof arguments, "--csv -o - '%s'", full);
    command_t command = report(dir, arguments);
    assert_int_equal(command.status, 0);
    for (const char *at = command.out; (at = strchr(at, '\n')) != NULL; at++)
        lines++;
    assert_int_equal(lines, 1 + 2 + 4 + 4);
    assert_non_null(strstr(command.out, "\n1,40,20,0.2,0.06,3,3,node4,II,200,800,200000,0.042,"));
    command_free(&command);
    scratch_remove(dir);
}

static void chrome_trace_has_slices(void **state)
{
    char *dir = scratch_make(), arguments[8192];
    int slices = 0, changes = 0;
    const cJSON *entry;
    (void)state;
    snprintf(arguments, sizeof arguments, "--chrome -o - '%s'", full);
    command_t command = report(dir, arguments);
    cJSON *whole = cJSON_Parse(command.out);
    assert_non_null(whole);
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(whole, "traceEvents"))
    {
        const char *name = cJSON_GetStringValue(cJSON_GetObjectItem(entry, "name"));
        slices += strcmp(name, "computation") == 0;
        changes += strcmp(name, "grow") == 0 || strcmp(name, "shrink") == 0;
        if (strcmp(name, "grow") == 0)
            assert_int_equal(cJSON_GetObjectItem(entry, "dur")->valueint, 28000);
    }
    assert_int_equal(slices, 10);
    assert_int_equal(changes, 2);
    assert_non_null(strstr(command.out, "\"name\":\"waiting\""));
    assert_non_null(strstr(command.out, "\"name\":\"io\""));
    assert_non_null(strstr(command.out, "\"ph\":\"i\",\"name\":\"decision\""));
    cJSON_Delete(whole);
    command_free(&command);
    scratch_remove(dir);
}

static void figures_are_svg_files(void **state)
{
    static const char *const names[] = {"members", "rows",       "computation", "imbalance",
                                        "time",    "prediction", "cost",        "talk"};
    char *dir = scratch_make(), arguments[8192], path[4096];
    (void)state;
    snprintf(arguments, sizeof arguments, "--svg -o figures '%s'", full);
    assert_done(report(dir, arguments));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/figures/%s.svg", dir, names[i]);
        char *text = read_file(path, NULL);
        assert_non_null(text);
        assert_int_equal(strncmp(text, "<svg ", 5), 0);
        free(text);
    }
    scratch_remove(dir);
}

/* Rank RANK is on the processing element PE of its node. */
static void write_place(FILE *file, int rank, int pe, const char *more)
{
    fprintf(file,
            "%s{\"process\":%d,\"pe\":%d,\"node\":\"<b>n%d\",\"class\":\"any\",\"count\":1,"
            "\"displ\":%d%s}",
            rank > 0 ? "," : "", pe, pe, pe / 2, rank, more);
}

static void write_interval(FILE *file, double time, const int pe[3])
{
    fprintf(file,
            "{\"event\":\"interval\",\"time\":%g,\"number\":0,\"iteration\":5,\"iterations\":5,"
            "\"seconds\":0.4,\"members\":[",
            time);
    for (int rank = 0; rank < 3; rank++)
        write_place(file, rank, pe[rank],
                    ",\"work\":1,\"computation\":0.3,\"cpu\":0.3,\"communication\":0.1");
    fprintf(file, "]}\n");
}

/* Three ranks: one goes to an idle processing element, then two share one. Where nobody moves there
 * is no such figure. */
static void who_was_where_is_drawn(void **state)
{
    static const int where[][3] = {{0, 1, 2}, {0, 5, 2}, {0, 5, 5}};
    char *dir = scratch_make(), path[4096];
    (void)state;
    for (int stays = 0; stays < 2; stays++) {
        snprintf(path, sizeof path, "%s/%s", dir, stays ? "stays" : "moves");
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fprintf(file, "{\"event\":\"start\",\"time\":0,\"version\":1,\"loop\":\"a.c:1\","
                      "\"members\":3,\"domain\":3,\"policy\":\"random\",\"backend\":\"pool\","
                      "\"counter\":\"x\"}\n");
        for (int i = 0; i < 3; i++)
            write_interval(file, 0.5 * (i + 1), where[stays ? 0 : i]);
        fclose(file);
    }
    assert_done(report(dir, "moves"));
    look_at(dir, "moves.html '' 'Which rank was where' 'PE 5'");
    assert_done(report(dir, "--svg -o figures moves"));
    assert_done(report(dir, "--svg -o none stays"));
    assert_done(command_shell(dir, 60,
                              "grep -q 'n2, PE 5' figures/places.svg && "
                              "grep -q 'rank 2' figures/places.svg && "
                              "! grep -q 'PE 4' figures/places.svg && "
                              "test -f none/rows.svg -a ! -e none/places.svg"));
    scratch_remove(dir);
}

static void without_node_it_says_so(void **state)
{
    char *dir = scratch_make();
    (void)state;
    assert_refused(
        command_shell(dir, 60, "PATH=/nowhere '%s/bin/xmpi-report' --svg '%s'", build_dir(), full),
        "install nodejs");
    scratch_remove(dir);
}

static void what_is_no_trace_is_refused(void **state)
{
    char *dir = scratch_make(), path[4096];
    (void)state;
    assert_refused(report(dir, "missing"), "missing: No such file");
    assert_refused(report(dir, "."), "Is a directory");
    snprintf(path, sizeof path, "%s/empty", dir);
    write_file(path, "");
    assert_refused(report(dir, "empty"), "empty: this is not a trace of XMPI");
    snprintf(path, sizeof path, "%s/garbage", dir);
    write_file(path, "\x01\x02{{{{\n[1]\n{\"event\":7}\nnull\n");
    assert_refused(report(dir, "garbage"), "this is not a trace of XMPI");
    snprintf(path, sizeof path, "%s/new", dir);
    write_file(path, "{\"event\":\"start\",\"version\":99}\n");
    assert_refused(report(dir, "new"), "version 99");
    snprintf(path, sizeof path, "%s/full", dir);
    write_file(path, "{\"event\":\"end\"}\n");
    assert_refused(report(dir, "-o /nowhere/x full"), "/nowhere/x: No such file");
    assert_refused(report(dir, "-o /dev/full.d/x full"), "/dev/full.d/x: ");
    scratch_remove(dir);
}

static void misuse_is_explained(void **state)
{
    char *dir = scratch_make();
    (void)state;
    command_t command = report(dir, "--frobnicate x");
    assert_int_equal(command.status, 2);
    assert_non_null(strstr(command.err, "--frobnicate"));
    command_free(&command);
    command = report(dir, "");
    assert_int_equal(command.status, 2);
    assert_non_null(strstr(command.err, "XMPI_TRACE"));
    command_free(&command);
    scratch_remove(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(page_is_drawn_in_a_browser),
        cmocka_unit_test(changes_that_are_left_out_are_counted),
        cmocka_unit_test(page_of_a_killed_job_is_drawn),
        cmocka_unit_test(texts_stay_texts),
        cmocka_unit_test(page_of_a_broken_trace_says_so),
        cmocka_unit_test(links_are_not_written_through),
        cmocka_unit_test(page_of_a_long_run_is_drawn),
        cmocka_unit_test(browser_finds_faults),
        cmocka_unit_test(csv_has_a_line_for_each_member),
        cmocka_unit_test(chrome_trace_has_slices),
        cmocka_unit_test(figures_are_svg_files),
        cmocka_unit_test(who_was_where_is_drawn),
        cmocka_unit_test(without_node_it_says_so),
        cmocka_unit_test(what_is_no_trace_is_refused),
        cmocka_unit_test(misuse_is_explained),
    };
    snprintf(full, sizeof full, "%s/tests/report/traces/full.trace", source_dir());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
