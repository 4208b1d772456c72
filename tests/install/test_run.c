/* SPDX-License-Identifier: BSD-3-Clause
 * tests/run: in what order it begins tests, how many of them at a time, and that what fails or says
 * nothing is counted. The tests are lines of the shell here, and how long processors were idle is
 * what the file "stat" says. And tests/bench/table: that figures become tables. */
#define _GNU_SOURCE
#include "support/shell.h"

#include <unistd.h>

/* A test NAME that runs LINE. */
static void put(const char *name, const char *line)
{
    char *path = formatted("%s/tests/a/%s", dir, name), *text = formatted("#!/bin/sh\n%s\n", line);
    write_file(path, text);
    free(sh("chmod +x tests/a/%s", name));
    free(text);
    free(path);
}

static int copy(void **state)
{
    setup(state);
    free(sh("mkdir -p tests/a && cp $S/tests/run tests"));
    return 0;
}

/* Processors are idle all the time; two tests wait for what the third one does. */
static void others_begin_where_tests_wait(void **state)
{
    (void)state;
    static const char waits[] =
        "for i in $(seq 1200); do [ -e event ] && break; "
        "echo cpu 1 2 3 $(date +%s%N | cut -c 1-12) 5 >stat.$$ && mv stat.$$ stat; sleep 0.05; "
        "done; [ -e event ] && echo ok 1 - seen";
    put("test_one", waits);
    put("test_two", waits);
    put("test_third", "touch event; echo ok 1 - done");
    free(sh(">tests/order; rm -f event; echo cpu 1 2 3 4 5 >stat"));
    free(sh("STAT=stat tests/run -j 2 tests/a/test_one tests/a/test_two tests/a/test_third"));
}

/* No processor is idle, whatever the tests do. */
static void no_more_begin_than_were_asked_for(void **state)
{
    (void)state;
    free(sh(">tests/order; echo cpu 1 2 3 4 5 >stat; mkdir -p there; rm -f most"));
    for (int i = 0; i < 6; i++) {
        char *name = formatted("test_%d", i);
        put(name, "mkdir there/$$; ls there | wc -l >>most; sleep 0.3; ls there | wc -l >>most; "
                  "rmdir there/$$; echo ok 1 - x");
        free(name);
    }
    free(sh("STAT=stat tests/run -j 2 tests/a/test_[0-5]"));
    assert_in_range(count_of("sort -n most | tail -n 1"), 1, 2);
    free(sh("rm most; STAT=stat tests/run tests/a/test_[0-5]"));
    assert_int_equal(count_of("sort -n most | tail -n 1"), 1);
}

static void what_takes_long_begins_first(void **state)
{
    (void)state;
    static const char *const names[] = {"last", "second", "first"};
    for (size_t i = 0; i < 3; i++) {
        char *name = formatted("test_%s", names[i]);
        char *line = formatted("echo %s >>begun; echo ok 1 - x; "
                               "[ %s = last ] || for i in $(seq 1200); do grep -q last begun && "
                               "break; [ $(wc -l <begun) = 2 ] && break; sleep 0.05; done",
                               names[i], names[i]);
        put(name, line);
        free(line);
        free(name);
    }
    free(sh("printf '# Long ones.\\na/test_first\\na/test_second\\n' >tests/order; rm -f begun"));
    free(sh("echo >stat; STAT=stat tests/run -j 2 tests/a/test_last ./tests/a/test_second "
            "tests/a/test_first"));
    free(sh("tail -n 1 begun | grep -qx last"));
    free(sh("rm begun; tests/run tests/a/test_last")); /* as given, one at a time */
}

static void failures_are_counted(void **state)
{
    (void)state;
    put("test_good", "echo ok 1 - x; echo ok 2 - y");
    put("test_bad", "echo ok 1 - x; echo not ok 2 - y; exit 1");
    put("test_crashing", "echo ok 1 - x; kill -9 $$");
    put("test_silent", "");
    free(sh(">tests/order; ! tests/run -j 3 tests/a/test_bad tests/a/test_crashing "
            "tests/a/test_silent tests/a/test_good >said"));
    free(sh("grep -q '^4 passed, 3 failed$' said && [ $(grep -c ^FAILED said) = 3 ] || "
            "{ cat said >&2; exit 1; }"));
}

/* Medians with their ranges, whatever single runs came to; one table of all that was measured of a
 * case; and nothing where there is no such figure. */
static void figures_become_tables(void **state)
{
    (void)state;
    free(sh("printf '%%s\\t%%s\\t%%s\\t%%s\\t%%s\\t%%s\\t%%s\\n' "
            "figure a.x 9 s '' '' '' again a.x 2 1 3 s 4 figure a.x 8 s '' '' '' "
            "figure b.y 7 ms '' '' '' again c.J.4.share 0.9 0.8 1 ratio '30 busy' "
            "again c.J.4.moves 1 1 1 1 '30 busy' >figures"));
    free(sh("$S/tests/bench/table -f figures >said && "
            "grep -qx '| `a.x` | 2 | 1–3 | s | 4 |' said && "
            "grep -qx '| `b.y` | 7 |  | ms |  |' said && [ $(wc -l <said) = 6 ]"));
    free(sh("$S/tests/bench/table -f figures c: >said && "
            "grep -qx '| | share | moves |' said && "
            "grep -qx '| J.4 | 0.9 (0.8–1) | 1 |' said && [ $(wc -l <said) = 3 ]"));
    free(sh("! $S/tests/bench/table -f figures d"));
}

/* A name that no test has would be without effect. */
static void all_that_are_named_are_there(void **state)
{
    (void)state;
    free(sh("grep -v '^#' $S/tests/order >named && "
            "[ $(sort -u named | wc -l) = $(wc -l <named) ] && "
            "while read -r name; do ls \"$S/tests/$name.c\" || exit 1; done <named"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_begin_where_tests_wait),
        cmocka_unit_test(no_more_begin_than_were_asked_for),
        cmocka_unit_test(what_takes_long_begins_first),
        cmocka_unit_test(failures_are_counted),
        cmocka_unit_test(figures_become_tables),
        cmocka_unit_test(all_that_are_named_are_there),
    };
    cmocka_set_test_filter(getenv("TEST"));
    return cmocka_run_group_tests(tests, copy, teardown);
}
