/* SPDX-License-Identifier: BSD-3-Clause
 * What xmpicc prints about itself and about what it would do, and what it tells editors. */
#define _GNU_SOURCE
#include <cjson/cJSON.h>

#include "wrapper/fixture.h"

static char *output(const fixture_t *f, const char *line)
{
    return sh_output(sh(f, "%s", line));
}

static void check_output(const fixture_t *f, const char *line, const char *expected_line)
{
    char *out = output(f, line), *expected = output(f, expected_line);
    assert_string_equal(out, expected);
    free(out);
    free(expected);
}

static void test_show_of_a_plain_source(void **state)
{
    const fixture_t *f = *state;
    check_output(f, "$X -show -c plain.c -O2", "$M -show -c plain.c -O2");
    check_output(f, "$X --xmpi-dry-run -c plain.c", "$M -show -c plain.c");
    check_output(f, "$X -show plain.c -o p",
                 "$M -show plain.c -o p -L$P/lib -lxmpi -Wl,-rpath,$P/lib");
    sh_good(f, "test ! -e plain.o && test ! -e p");
}

/* Both commands, as a shell would read them: run by a shell, they do what they say. */
static void test_show_of_a_rewritten_source(void **state)
{
    const fixture_t *f = *state;
    sh_good(f, "cp adaptive.c 'my source.c'");
    char *out = output(f, "$X -show '-DTEXT=\"a b\"' 'my source.c' -o 'my prog'");
    assert_int_equal(strncmp(out, "'", 1) == 0 || strncmp(out, "/", 1) == 0, 1);
    assert_non_null(strstr(out, "/bin/xmpi-rewrite "));
    assert_non_null(strstr(out, "\ngcc -iquote . '-DTEXT=\"a b\"' "));
    assert_non_null(strstr(out, " -o 'my prog' "));
    assert_non_null(strstr(out, " -lxmpi "));
    assert_non_null(strstr(strstr(out, " -lxmpi "), " -lmpi"));
    free(out);
    sh_good(f, "test ! -e 'my prog'");
    assert_no_leftovers(f);
    sh_good(
        f, "mkdir -p $TMPDIR/xmpi.XXXXXX/0; $X -show -DTEXT='\"a b\"' 'my source.c' -o 'my prog' | "
           "sh && test \"$('./my prog' | tail -1)\" = '21 my source.c'; s=$?; rm -r $TMPDIR/*; "
           "exit $s");
    check_output(f, "$X --xmpi-dry-run -c adaptive.c", "$X -show -c adaptive.c");
    sh_fails(1, f, "$X -show --xmpi-mpicc=/bin/false -c adaptive.c");
}

static void test_show_of_several_commands(void **state)
{
    const fixture_t *f = *state;
    sh_good(f, "mkdir -p two; cp plain.c local.h two; "
               "$X -show adaptive.c two/plain.c -o two/prog | "
               "awk 'END { exit NR != 4 } /xmpi-rewrite/ {next} !/^gcc/ {exit 1}'");
}

static void test_flags_for_build_systems(void **state)
{
    const fixture_t *f = *state;
    check_output(f, "$X -show", "$M -show -I$P/include -L$P/lib -lxmpi -Wl,-rpath,$P/lib");
    check_output(f, "$X -compile_info", "$M -compile_info -I$P/include");
    check_output(f, "$X -compile-info", "$X -compile_info");
    check_output(f, "$X -link_info", "$M -link_info -L$P/lib -lxmpi -Wl,-rpath,$P/lib");
    check_output(f, "$X -link-info", "$X -link_info");
    /* Later releases leave the arguments out of what they print. */
    put(f, "../later", "#!/bin/sh\necho -I/mpi/include\n");
    check_output(f, "chmod +x ../later; $X --xmpi-mpicc=$R/later -show-compile-info",
                 "echo -I$P/include -I/mpi/include");
    sh_fails(1, f, "$X -showme");
    sh_fails(1, f, "$X --xmpi-mpicc=/bin/false -compile_info");
}

static void test_verbose(void **state)
{
    const fixture_t *f = *state;
    command_t command = sh(f, "$X --xmpi-verbose -c adaptive.c '-DA=b c'");
    assert_int_equal(command.status, 0);
    assert_string_equal(command.out, "");
    assert_non_null(strstr(command.err, "/bin/xmpi-rewrite --output="));
    assert_non_null(strstr(command.err, "/bin/mpicc -iquote . -c /"));
    assert_non_null(strstr(command.err, " '-DA=b c' "));
    command_free(&command);
    sh_good(f, "$X --xmpi-verbose -c plain.c 2>&1 | grep -q 'bin/mpicc -c plain.c$'");
}

static void test_help_and_version(void **state)
{
    const fixture_t *f = *state;
    sh_good(f, "$X --help | grep -q -- --xmpi-keep && $X --xmpi-help | head -1 | grep -q ^Usage");
    sh_good(f, "$X --xmpi-version | grep -q '^xmpicc [0-9]' && $X --xmpi-version | "
               "grep -q \"^mpicc: $P/bin/mpicc\"");
    check_output(f, "$X --version", "$M --version");
    check_output(f, "$X -help", "$M -help");
}

static cJSON *read_list(const fixture_t *f, const char *name)
{
    char *path;
    assert_true(asprintf(&path, "%s/%s", f->work, name) > 0);
    char *text = read_file(path, NULL);
    assert_non_null(text);
    cJSON *list = cJSON_Parse(text);
    assert_true(cJSON_IsArray(list));
    free(text);
    free(path);
    return list;
}

/* An entry names this file of the work folder and holds these words. */
static void check_entry(const fixture_t *f, const cJSON *entry, const char *file, const char *words)
{
    char line[4096] = "";
    const cJSON *word;
    assert_string_equal(cJSON_GetObjectItem(entry, "directory")->valuestring, f->work);
    assert_string_equal(cJSON_GetObjectItem(entry, "file")->valuestring, file);
    cJSON_ArrayForEach(word, cJSON_GetObjectItem(entry, "arguments"))
    {
        strcat(line, word->valuestring);
        strcat(line, "|");
    }
    char *expected = sh_output(sh(f,
                                  "I=$($M -show -c | sed 's/^gcc -c //; s/ /|/g'); "
                                  "printf '%%s|' \"%s\" \"$I\" -isystem $P/include",
                                  words));
    assert_string_equal(line, expected);
    free(expected);
}

static void test_compile_commands(void **state)
{
    const fixture_t *f = *state;
    sh_good(f, "$X --xmpi-commands=cc.json -c adaptive.c -O3 && "
               "$X --xmpi-commands=cc.json -c plain.c '-DQ=\"x\\y\"' -cc=gcc && "
               "$X --xmpi-commands=cc.json -c adaptive.c -O1");
    cJSON *list = read_list(f, "cc.json");
    assert_int_equal(cJSON_GetArraySize(list), 2);
    check_entry(f, cJSON_GetArrayItem(list, 0), "plain.c", "gcc|-c|plain.c|-DQ=\\\"x\\\\y\\\"");
    check_entry(f, cJSON_GetArrayItem(list, 1), "adaptive.c", "gcc|-c|adaptive.c|-O1");
    cJSON_Delete(list);
}

static void test_compile_commands_of_concurrent_makes(void **state)
{
    const fixture_t *f = *state;
    sh_good(f, "for i in 1 2 3 4 5 6; do cp plain.c p$i.c; done; rm -f cc.json; "
               "for i in 1 2 3 4 5 6; do $X --xmpi-commands=cc.json -c p$i.c & done; wait");
    cJSON *list = read_list(f, "cc.json");
    assert_int_equal(cJSON_GetArraySize(list), 6);
    cJSON_Delete(list);
}

static void test_compile_commands_elsewhere(void **state)
{
    const fixture_t *f = *state;
    sh_good(f, "echo 'no list' >other.json");
    sh_fails(1, f, "$X --xmpi-commands=other.json -c plain.c");
    sh_fails(1, f, "$X --xmpi-commands=no/such/folder/cc.json -c plain.c");
    sh_good(f, "test \"$(cat other.json)\" = 'no list'");
}

/* Who watches what is compiled sees the sources, and none of the texts made of them. */
static void test_bear(void **state)
{
    const fixture_t *f = *state;
    command_t command = sh(f, "bear --version");
    int missing = command.status;
    command_free(&command);
    if (missing)
        skip();
    sh_good(f, "mkdir -p links out && ln -sfn $X links/mpicc && "
               "printf 'all:\\n\\t$X -O1 -MMD -c adaptive.c -o out/a.o\\n\\t$X -c plain.c\\n"
               "\\tmpicc -DLINKED=1 -c two.c\\n' >watched.mk && cp adaptive.c two.c && "
               "sed -i \"s,\\$X,$X,\" watched.mk && "
               "PATH=$PWD/links:$PATH bear --output watched.json -- make -f watched.mk && "
               "nm out/a.o | grep -q xmpi_rewritten && test -s out/a.d && ! ls adaptive.d");
    cJSON *list = read_list(f, "watched.json");
    char *text = cJSON_PrintUnformatted(list);
    assert_int_equal(cJSON_GetArraySize(list), 3);
    assert_non_null(strstr(text, "/place/adaptive.c\"}"));
    assert_non_null(strstr(text, "/place/plain.c\""));
    assert_non_null(strstr(text, "\"-DLINKED=1\""));
    cJSON_free(text);
    cJSON_Delete(list);
    assert_no_leftovers(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_show_of_a_plain_source),
        cmocka_unit_test(test_show_of_a_rewritten_source),
        cmocka_unit_test(test_show_of_several_commands),
        cmocka_unit_test(test_flags_for_build_systems),
        cmocka_unit_test(test_verbose),
        cmocka_unit_test(test_help_and_version),
        cmocka_unit_test(test_compile_commands),
        cmocka_unit_test(test_compile_commands_of_concurrent_makes),
        cmocka_unit_test(test_compile_commands_elsewhere),
        cmocka_unit_test(test_bear),
    };
    return cmocka_run_group_tests(tests, fixture_make, fixture_remove);
}
