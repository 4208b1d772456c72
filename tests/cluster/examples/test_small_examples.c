/* SPDX-License-Identifier: BSD-3-Clause
 * The examples life, ring, himeno and ft: known numbers, as plain MPI programs and adaptive, and
 * who of them talks to whom. */
#define _GNU_SOURCE
#include "cluster/examples/example.h"

#include <cjson/cJSON.h>

#include "support/trace_schema.h"

static const char *const names[] = {"life", "ring", "himeno", "ft"};

static char *dir;

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        must_succeed(command_shell(
            dir, LIMIT,
            "make -s -C '%s/examples/%s' CC='%s/bin/mpicc' BUILD=\"$PWD/plain\" && "
            "make -s -C '%s/examples/%s' CC='%s/bin/xmpicc' BUILD=\"$PWD/adaptive\"",
            source_dir(), names[i], build_dir(), source_dir(), names[i], build_dir()));
    return 0;
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

/* PROGRAM, with its arguments, on N processes. */
static command_t run(const char *settings, int n, const char *program)
{
    return command_shell(dir, LIMIT, "%s exec '%s/bin/mpiexec' -n %d ./%s", settings, build_dir(),
                         n, program);
}

static void prints(const char *settings, int n, const char *program, const char *words)
{
    command_t result = run(settings, n, program);
    if (result.status != 0 || strstr(result.out, words) == NULL)
        fail_msg("%s on %d: status %d, not \"%s\":\n%s%s", program, n, result.status, words,
                 result.out, result.err);
    command_free(&result);
}

static void refuses(int n, const char *program)
{
    command_t result = run("", n, program);
    assert_int_equal(result.status, 2);
    assert_string_equal(result.out, "");
    assert_ptr_equal(strchr(result.err, '\n'), result.err + strlen(result.err) - 1);
    command_free(&result);
}

/* How many changes were made in the run that has written the trace. */
static int changes(void)
{
    char *trace = content(dir, "trace", NULL), *at = trace;
    int n = 0;
    trace_schema_check_lines(trace);
    for (; (at = strstr(at, "\"outcome\":\"done\"")) != NULL; at++)
        n++;
    free(trace);
    return n;
}

/* --- life ----------------------------------------------------------------------------------------
 */

static void patterns_become_what_is_known(void **state)
{
    (void)state;
    prints("", 3, "plain/life -n 560 -g 1103 -p pentomino", "alive 116\n");
    prints("", 2, "plain/life -n 32 -g 1000 -p glider", "alive 5\n");
    prints("", 1, "plain/life -n 64 -g 10 -p acorn", "generations 10\nalive ");
    refuses(2, "plain/life -n 7");
    refuses(2, "plain/life -p nonsense");
}

static void boards_do_not_depend_on_processes(void **state)
{
    static const char arguments[] = "-n 64 -g 200 -p random";
    char alive[64], program[128];
    (void)state;
    snprintf(program, sizeof program, "plain/life %s", arguments);
    command_t result = run("", 1, program);
    assert_int_equal(sscanf(result.out, "generations 200 %63[^\n]", alive), 1);
    command_free(&result);
    prints("", 4, program, alive);
    snprintf(program, sizeof program, "adaptive/life %s", arguments);
    prints("XMPI_POLICY=random XMPI_MAX=4 XMPI_INTERVAL=20 XMPI_TRACE=trace", 2, program, alive);
    assert_true(changes() > 0);
}

/* --- ring ----------------------------------------------------------------------------------------
 */

static void blocks_arrive_where_they_belong(void **state)
{
    (void)state;
    prints("", 4, "plain/ring -i 101 -b 1000 -w 2", "wrong 0\n");
    prints("XMPI_POLICY=random XMPI_ACTIVE=2 XMPI_INTERVAL=10 XMPI_TRACE=trace", 4,
           "adaptive/ring -i 61", "wrong 0\n");
    assert_true(changes() > 0);
    refuses(1, "plain/ring -i 0");
}

/* --- himeno --------------------------------------------------------------------------------------
 */

enum { X = 12, Y = 10, Z = 8, TIMES = 7 };

/* The benchmark as it is defined, where a, b and c are what they are at first: the sum of the six
 * neighbours, divided by six. */
static double residual_by_definition(void)
{
    static float p[X][Y][Z], next[X][Y][Z];
    double residual = 0;
    for (int i = 0; i < X; i++)
        for (int j = 0; j < Y; j++)
            for (int k = 0; k < Z; k++)
                p[i][j][k] = next[i][j][k] = (float)(i * i) / (float)((X - 1) * (X - 1));
    for (int n = 0; n < TIMES; n++) {
        residual = 0;
        for (int i = 1; i < X - 1; i++)
            for (int j = 1; j < Y - 1; j++)
                for (int k = 1; k < Z - 1; k++) {
                    float sum = p[i + 1][j][k] + p[i][j + 1][k] + p[i][j][k + 1] + p[i - 1][j][k] +
                                p[i][j - 1][k] + p[i][j][k - 1];
                    float off = sum * (1.0f / 6) - p[i][j][k];
                    residual += (double)(off * off);
                    next[i][j][k] = p[i][j][k] + 0.8f * off;
                }
        memcpy(p, next, sizeof p);
    }
    return residual;
}

static void the_residual_is_that_of_the_definition(void **state)
{
    static const struct {
        int n;
        const char *more;
    } ways[] = {{1, ""}, {4, ""}, {6, "-p 1,2,3"}, {8, "-p 2,2,2"}};
    double defined = residual_by_definition(), residual;
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char program[128];
        snprintf(program, sizeof program, "plain/himeno -d %d,%d,%d -i %d %s", X, Y, Z, TIMES,
                 ways[i].more);
        command_t result = run("", ways[i].n, program);
        const char *line = strstr(result.out, "residual ");
        assert_non_null(line);
        assert_int_equal(sscanf(line, "residual %lf", &residual), 1);
        assert_true(fabs(residual - defined) < 1e-5 * defined);
        command_free(&result);
    }
    refuses(2, "plain/himeno -p 2,2,2");
    refuses(4, "plain/himeno -d 3,3,3");
}

static void a_grid_moves(void **state)
{
    char residual[64];
    (void)state;
    command_t result = run("", 2, "plain/himeno -i 40");
    assert_int_equal(sscanf(strstr(result.out, "residual"), "%63[^\n]", residual), 1);
    command_free(&result);
    prints("XMPI_POLICY=random XMPI_ACTIVE=2 XMPI_INTERVAL=8 XMPI_TRACE=trace", 4,
           "adaptive/himeno -i 40", residual);
    assert_true(changes() > 0);
}

/* --- ft ------------------------------------------------------------------------------------------
 */

static void sums_are_the_published_ones(void **state)
{
    (void)state;
    prints("", 1, "plain/ft S", "verified yes\n");
    prints("", 4, "plain/ft S", "verified yes\n");
    prints("", 8, "plain/ft W", "verified yes\n");
    refuses(3, "plain/ft S");
    refuses(1, "plain/ft X");
}

/* Each of four has 16 planes across one dimension and gets 16 across another one. The sum goes to
 * the two that are one bit away. */
static void all_send_a_slab_to_all(void **state)
{
    enum { N = 4, ITERATIONS = 6, SLAB = 16 * 16 * 64 * 16 };
    (void)state;
    prints("XMPI_POLICY=balance XMPI_MATRIX=1 XMPI_TRACE=trace", N, "adaptive/ft S",
           "verified yes\n");
    char *trace = content(dir, "trace", NULL), *line = strstr(trace, "{\"event\":\"matrix\"");
    assert_non_null(line);
    line[strcspn(line, "\n")] = '\0';
    cJSON *event = cJSON_Parse(line);
    assert_int_equal(cJSON_GetObjectItem(event, "iterations")->valuedouble, ITERATIONS);
    const cJSON *row, *rows = cJSON_GetObjectItem(event, "rows");
    assert_int_equal(cJSON_GetArraySize(rows), N);
    cJSON_ArrayForEach(row, rows)
    {
        int rank = (int)cJSON_GetObjectItem(row, "rank")->valuedouble;
        assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(row, "peers")), N - 1);
        for (int i = 0; i < N - 1; i++) {
            int peer = (int)cJSON_GetArrayItem(cJSON_GetObjectItem(row, "peers"), i)->valuedouble;
            double bytes = cJSON_GetArrayItem(cJSON_GetObjectItem(row, "bytes"), i)->valuedouble;
            int sums = (rank ^ peer) == 1 || (rank ^ peer) == 2;
            assert_true(bytes == (double)ITERATIONS * (SLAB + 16 * sums));
        }
    }
    cJSON_Delete(event);
    free(trace);
}

static void a_field_moves(void **state)
{
    (void)state;
    prints("XMPI_POLICY=random XMPI_ACTIVE=2 XMPI_INTERVAL=2 XMPI_TRACE=trace", 4,
           "adaptive/ft S 12", "verified yes\n");
    assert_true(changes() > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_become_what_is_known),
        cmocka_unit_test(boards_do_not_depend_on_processes),
        cmocka_unit_test(blocks_arrive_where_they_belong),
        cmocka_unit_test(the_residual_is_that_of_the_definition),
        cmocka_unit_test(a_grid_moves),
        cmocka_unit_test(sums_are_the_published_ones),
        cmocka_unit_test(all_send_a_slab_to_all),
        cmocka_unit_test(a_field_moves),
    };
    return cmocka_run_group_tests(tests, build, clean);
}
