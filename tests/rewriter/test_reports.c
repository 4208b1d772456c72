/* SPDX-License-Identifier: BSD-3-Clause
 * The report, as remarks and as JSON: of what was found, and of what was refused, with fixes that
 * help. */
#define _GNU_SOURCE
#include <cjson/cJSON.h>
#include <stdbool.h>

#include "rewriter/rewriting.h"

/* Rewrites prog.c of the fixture.scratch folder, with the status wanted; its report. */
static cJSON *report_of_scratch(int status)
{
    command_t command =
        command_shell(fixture.scratch, SECONDS,
                      "'%s/bin/xmpi-rewrite' --divisible --output=out.c --name=prog.c "
                      "--report=report.json prog.c -- "
                      "%s -std=gnu17",
                      build_dir(), fixture.includes);
    if (command.status != status)
        print_error("status %d\n%s", command.status, command.err);
    assert_int_equal(command.status, status);
    command_free(&command);
    char *path = formatted("%s/report.json", fixture.scratch), *content = read_file(path, NULL);
    assert_non_null(content);
    cJSON *report = cJSON_Parse(content);
    assert_non_null(report);
    remove(path);
    free(content);
    free(path);
    return report;
}

static cJSON *report_of(const char *source, int status)
{
    char *path = formatted("%s/prog.c", fixture.scratch),
         *from = formatted("%s/tests/%s", source_dir(), source);
    char *content = read_file(from, NULL);
    assert_non_null(content);
    write_file(path, content);
    free(content);
    free(from);
    free(path);
    return report_of_scratch(status);
}

static const char *string_of(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    assert_true(cJSON_IsString(item));
    return item->valuestring;
}

static int number_of(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    assert_true(cJSON_IsNumber(item));
    return item->valueint;
}

/* -- what was found */

static void expect_finding(const cJSON *report, const char *kind, const char *name, int line)
{
    const cJSON *finding;
    cJSON_ArrayForEach(finding, cJSON_GetObjectItem(report, "findings"))
    {
        if (strcmp(string_of(finding, "kind"), kind) == 0 &&
            strcmp(string_of(finding, "name"), name) == 0 && number_of(finding, "line") == line) {
            assert_string_equal(string_of(finding, "file"), "prog.c");
            assert_true(number_of(finding, "column") > 0);
            assert_non_null(strstr(string_of(finding, "text"), name));
            return;
        }
    }
    fail_msg("no finding %s '%s' in line %d", kind, name, line);
}

/* The line of prog.c in which NEEDLE first stands. */
static int line_with(const char *needle)
{
    char *path = formatted("%s/prog.c", fixture.scratch), *content = read_file(path, NULL);
    const char *found = strstr(content, needle);
    assert_non_null(found);
    int line = 1;
    for (const char *at = content; at < found; at++)
        line += *at == '\n';
    free(content);
    free(path);
    return line;
}

static void test_inferred(void **state)
{
    (void)state;
    cJSON *report = report_of("programs/life.c", 0);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(report, "accepted")));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(report, "diagnostics")), 0);
    expect_finding(report, "rank", "rank", line_with("MPI_Comm_rank"));
    expect_finding(report, "size", "size", line_with("MPI_Comm_size"));
    expect_finding(report, "displ", "lo", line_with("int lo ="));
    expect_finding(report, "end", "hi", line_with("int lo ="));
    expect_finding(report, "domain", "36", line_with("int lo ="));
    expect_finding(report, "table", "recvcounts", line_with("int *recvcounts"));
    expect_finding(report, "table", "offsets", line_with("int *offsets"));
    expect_finding(report, "live", "board", line_with("board[H * W]"));
    expect_finding(report, "iterations", "30", line_with("for (gen = 0"));
    const cJSON *structure = cJSON_GetObjectItem(report, "structure");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(structure, "sections")), 1);
    cJSON_Delete(report);
}

static void test_inferred_arrays(void **state)
{
    (void)state;
    cJSON *report = report_of("programs/kmeans.c", 0);
    expect_finding(report, "count", "job.local_n", line_with("partition(&job);"));
    expect_finding(report, "displ", "job.offset", line_with("partition(&job);"));
    expect_finding(report, "data", "points", line_with("double *points"));
    expect_finding(report, "constant", "points", line_with("double *points"));
    expect_finding(report, "data", "label", line_with("int *label"));
    expect_finding(report, "live", "centre", line_with("double centre"));
    cJSON_Delete(report);
}

/* How often an iteration does what begins in the first line with NEEDLE. */
static int passes_in(const cJSON *structure, const char *needle)
{
    const cJSON *section, *stage;
    int line = line_with(needle);
    cJSON_ArrayForEach(section, cJSON_GetObjectItem(structure, "sections"))
        cJSON_ArrayForEach(stage, cJSON_GetObjectItem(section, "stages"))
    {
        const cJSON *passes = cJSON_GetObjectItem(stage, "passes");
        if (number_of(stage, "line") == line)
            return passes != NULL ? number_of(stage, "passes") : 1;
    }
    fail_msg("no stage in line %d: %s", line, needle);
    return -1;
}

/* Loops that count to a constant around a pass over rows repeat it; others that do not say how
 * often, and branches, leave it unknown. */
static void test_passes(void **state)
{
    (void)state;
    static const char text[] =
        "#include <mpi.h>\n#include <stdlib.h>\n"
        "static void relax(double *u, int n)\n"
        "{\n    for (int i = 0; i < n; i++)\n        for (int j = 0; j < 8; j++)\n"
        "            u[i * 8 + j] += 1;\n}\n"
        "int main(int argc, char **argv)\n{\n"
        "    int rank, size, n = 100, sweeps = argc;\n"
        "    MPI_Init(&argc, &argv);\n"
        "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
        "    int count = n / size + (rank < n % size);\n"
        "    double *u = calloc((size_t)count * 8, sizeof *u);\n    double sum, all = 0;\n"
        "#pragma xmpi loop\n"
        "    for (int step = 0; step < 10; step++) {\n        sum = 0;\n"
        "        for (int i = 0; i < count * 8; i++)\n            sum += u[i]; /* once */\n"
        "        for (int three = 0; three < 3; three++)\n            relax(u, count);\n"
        "        for (int some = 0; some < sweeps; some++)\n            relax(u, count);\n"
        "        for (int half = 0; half < 2; half++)\n"
        "            for (int i = 0; i < count; i++)\n                u[i * 8 + half] = 1;\n"
        "        if (step == 3)\n            relax(u, count);\n"
        "        for (int round = 1; round <= 4; round++) {\n"
        "            for (int five = 5; five < 10; five++)\n                relax(u, count);\n"
        "            MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n"
        "        }\n    }\n    free(u);\n    MPI_Finalize();\n    return all < 0;\n}\n";
    char *path = formatted("%s/prog.c", fixture.scratch);
    write_file(path, text);
    free(path);
    cJSON *report = report_of_scratch(0);
    const cJSON *structure = cJSON_GetObjectItem(report, "structure");
    assert_int_equal(passes_in(structure, "for (int i = 0; i < count * 8"), 1);
    assert_int_equal(passes_in(structure, "for (int three"), 3);
    assert_int_equal(passes_in(structure, "for (int some"), 0);
    assert_int_equal(passes_in(structure, "for (int half"), 0);
    assert_int_equal(passes_in(structure, "if (step == 3)"), 0);
    assert_int_equal(passes_in(structure, "for (int five"), 20);
    cJSON_Delete(report);
}

/* -- what was refused */

/* The first diagnostic that is NAME; the note after it has the remedy. */
static const cJSON *diagnostic(const cJSON *report, const char *name)
{
    const cJSON *entry;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(report, "diagnostics"))
    {
        if (strcmp(string_of(entry, "name"), name) == 0)
            return entry;
    }
    return NULL;
}

static size_t offset_of(const char *content, int line, int column)
{
    const char *at = content;
    for (; line > 1; line--)
        at = strchr(at, '\n') + 1;
    return (size_t)(at - content) + (size_t)column - 1;
}

/* Writes prog.c anew with FIX in it, as an editor does. */
static void apply(const cJSON *fix)
{
    char *path = formatted("%s/prog.c", fixture.scratch), *content = read_file(path, NULL);
    size_t begin = offset_of(content, number_of(fix, "line"), number_of(fix, "column"));
    size_t end = offset_of(content, number_of(fix, "end_line"), number_of(fix, "end_column"));
    char *fixed = formatted("%.*s%s%s", (int)begin, content, string_of(fix, "text"), content + end);
    write_file(path, fixed);
    free(fixed);
    free(content);
    free(path);
}

static int count_named(const cJSON *report, const char *name)
{
    int count = 0;
    const cJSON *entry;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItem(report, "diagnostics")) count +=
        strcmp(string_of(entry, "name"), name) == 0;
    return count;
}

/* The fix of the first diagnostic NAME of the case leaves one less, or an accepted program. */
static void expect_fix(const char *source, const char *name, const char *expected)
{
    cJSON *report = report_of(source, 1);
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(report, "accepted")));
    const cJSON *error = diagnostic(report, name);
    assert_non_null(error);
    assert_string_equal(string_of(error, "severity"), "error");
    assert_true(number_of(error, "line") > 0);
    assert_non_null(error->next);
    assert_string_equal(string_of(error->next, "severity"), "note");
    const cJSON *fix = cJSON_GetArrayItem(cJSON_GetObjectItem(error->next, "fixes"), 0);
    assert_non_null(fix);
    assert_string_equal(string_of(fix, "text"), expected);
    apply(fix);
    int before = count_named(report, name);
    cJSON_Delete(report);
    command_t command =
        command_shell(fixture.scratch, SECONDS,
                      "'%s/bin/xmpi-rewrite' --divisible --output=out.c --name=prog.c "
                      "--report=report.json prog.c -- "
                      "%s -std=gnu17",
                      build_dir(), fixture.includes);
    int status = command.status;
    command_free(&command);
    report = report_of_scratch(status);
    assert_true(count_named(report, name) < before);
    cJSON_Delete(report);
}

static void test_fixes(void **state)
{
    (void)state;
    expect_fix("rewriter/errors/communicates.c", "xmpi-communicates", "#pragma xmpi initial\n");
    expect_fix("rewriter/errors/rank_condition.c", "xmpi-rank-condition", "#pragma xmpi initial\n");
    expect_fix("rewriter/errors/stale_pointer.c", "xmpi-stale-pointer", "#pragma xmpi setup\n");
    expect_fix("rewriter/errors/skipped_pointer.c", "xmpi-skipped-pointer", "#pragma xmpi setup\n");
    expect_fix("rewriter/errors/pragma_name.c", "xmpi-pragma-name", "xmpi");
}

/* What would be counted twice when it is run again gets no such advice. */
static void test_no_fix(void **state)
{
    (void)state;
    cJSON *report = report_of("rewriter/errors/rank_dependent.c", 1);
    const cJSON *error = diagnostic(report, "xmpi-rank-dependent");
    while (error != NULL && strstr(string_of(error, "text"), "'total'") == NULL)
        error = error->next;
    assert_non_null(error);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(error->next, "fixes")), 0);
    cJSON_Delete(report);
}

static void test_clang_error(void **state)
{
    (void)state;
    cJSON *report = report_of("rewriter/errors/syntax.c", 1);
    const cJSON *error = cJSON_GetArrayItem(cJSON_GetObjectItem(report, "diagnostics"), 0);
    assert_non_null(error);
    assert_string_equal(string_of(error, "severity"), "error");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(report, "structure")));
    cJSON_Delete(report);
}

/* -- golden files */

static void test_remarks(void **state)
{
    (void)state;
    char *where = folder("cases"), *expected = folder("cases/structs.remarks.txt");
    command_t command = rewrite(where, "structs.c", "remarks.c", "--report");
    assert_int_equal(command.status, 0);
    char *remarks = lines_with(command.err, "structs.c:");
    expect_file(expected, remarks);
    free(remarks);
    command_free(&command);
    free(expected);
    free(where);
}

static void test_json(void **state)
{
    (void)state;
    char *where = folder("cases"), *expected = folder("cases/function.report.json");
    char *option = formatted("--report='%s/report.json'", fixture.scratch);
    char *path = formatted("%s/report.json", fixture.scratch);
    expect_success(rewrite(where, "function.c", "json.c", option));
    char *report = read_file(path, NULL);
    assert_non_null(report);
    expect_file(expected, report);
    free(report);
    free(path);
    free(option);
    free(expected);
    free(where);
}

/* -- the examples */

/* What the remarks about SOURCE of an example say. */
static char *remarks_of_example(const char *where, const char *source)
{
    command_t command =
        command_shell(fixture.scratch, SECONDS,
                      "'%s/bin/xmpi-rewrite' --report --output=out.c '%s/examples/%s/%s' -- -I "
                      "'%s/examples/common' "
                      "%s -std=gnu17",
                      build_dir(), source_dir(), where, source, source_dir(), fixture.includes);
    assert_int_equal(command.status, 0);
    free(command.out);
    return command.err;
}

/* The matrices of the examples go to functions of other files, and are known not to change there by
 * the prototypes: they may move while the loop goes on. What the loop changes may not. */
static void test_constants_of_the_examples(void **state)
{
    (void)state;
    char *jacobi = remarks_of_example("jacobi", "jacobi.c"), *cg = remarks_of_example("cg", "cg.c");
    static const char *const kept[] = {"ia", "ja", "a", "b"}, *const changed[] = {"x", "r", "v"};
    assert_non_null(strstr(jacobi, "'A' is not changed by the loop"));
    assert_non_null(strstr(jacobi, "'b' is not changed by the loop"));
    assert_null(strstr(jacobi, "'x' is not changed by the loop"));
    for (size_t i = 0; i < 4; i++) {
        char *remark = formatted("'%s' is not changed by the loop", kept[i]);
        assert_non_null(strstr(cg, remark));
        free(remark);
    }
    for (size_t i = 0; i < 3; i++) {
        char *remark = formatted("'%s' is not changed by the loop", changed[i]);
        assert_null(strstr(cg, remark));
        free(remark);
    }
    free(jacobi);
    free(cg);
}

/* Who builds them for the first time is told of nothing that is wrong: nothing is. */
static void test_no_warning_of_the_examples(void **state)
{
    (void)state;
    static const char *const names[] = {"jacobi", "cg", "epigraph"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *source = formatted("%s.c", names[i]), *said = remarks_of_example(names[i], source);
        assert_null(strstr(said, "warning: "));
        free(said);
        free(source);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inferred),
        cmocka_unit_test(test_inferred_arrays),
        cmocka_unit_test(test_passes),
        cmocka_unit_test(test_fixes),
        cmocka_unit_test(test_no_fix),
        cmocka_unit_test(test_clang_error),
        cmocka_unit_test(test_remarks),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_constants_of_the_examples),
        cmocka_unit_test(test_no_warning_of_the_examples),
    };
    set_up();
    int failed = cmocka_run_group_tests_name("reports", tests, NULL, NULL);
    scratch_remove(fixture.scratch);
    return failed;
}
