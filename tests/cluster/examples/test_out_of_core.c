/* SPDX-License-Identifier: BSD-3-Clause
 * The examples whose data need not fit in memory, plate, diskcg, lanczos and duplex: what is known
 * of their results, as plain MPI programs and adaptive, with rows in memory, on a disk of the node
 * and in files of their own. XMPI_OOC_DIR is a folder in /var/tmp, as /tmp may be in memory;
 * nothing may be left in it. */
#define _GNU_SOURCE
#include <dirent.h>

#include "cluster/examples/example.h"
#include "support/trace_schema.h"

static const char *const names[] = {"plate", "diskcg", "lanczos", "duplex"};

static char *dir;
static char folder[] = "/var/tmp/xmpi-test.XXXXXX";

static int build(void **state)
{
    (void)state;
    dir = scratch_make();
    if (mkdtemp(folder) == NULL)
        return 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        build_example(dir, names[i], "mpicc", "plain");
        build_example(dir, names[i], "xmpicc", "adaptive");
    }
    return 0;
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return rmdir(folder);
}

/* What PROGRAM, with its arguments, prints on N processes; malloc. */
static char *run(const char *settings, int n, const char *program)
{
    command_t result =
        command_shell(dir, LIMIT, "env XMPI_OOC_DIR=%s %s '%s/bin/mpiexec' -n %d ./%s", folder,
                      settings, build_dir(), n, program);
    if (result.status != 0)
        fail_msg("%s %s on %d: status %d:\n%s%s", settings, program, n, result.status, result.out,
                 result.err);
    free(result.err);
    return result.out;
}

static void refuses(int n, const char *program)
{
    command_t result = command_shell(dir, LIMIT, "exec '%s/bin/mpiexec' -n %d ./plain/%s",
                                     build_dir(), n, program);
    assert_int_equal(result.status, 2);
    assert_string_equal(result.out, "");
    assert_ptr_equal(strchr(result.err, '\n'), result.err + strlen(result.err) - 1);
    command_free(&result);
}

/* Changes that move rows in the run that has written the trace: the loop is more than movable. */
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

static const char changing[] = "XMPI_POLICY=random XMPI_ACTIVE=2 XMPI_SEED=3 XMPI_TRACE=trace";

static void expect_nothing_left(void)
{
    struct dirent *entry;
    DIR *files = opendir(folder);
    assert_non_null(files);
    while ((entry = readdir(files)) != NULL)
        if (entry->d_name[0] != '.')
            fail_msg("%s/%s is left", folder, entry->d_name);
    closedir(files);
}

/* The line of OUTPUT that begins with NAME, into LINE. */
static void line_of(const char *output, const char *name, char line[256])
{
    const char *at = strstr(output, name);
    if (at == NULL || sscanf(at, "%255[^\n]", line) != 1)
        fail_msg("there is no \"%s\" in:\n%s", name, output);
}

/* --- plate ---------------------------------------------------------------------------------------
 */

/* A wave stays one, and no element depends on the blocks, or on what the disk is asked for. */
static void a_wave_decays_as_is_known(void **state)
{
    static const char *const ways[] = {"-n 60 -s 40", "-n 60 -s 40 -a 8"};
    char hottest[256], other[256], program[128];
    (void)state;
    for (int i = 0; i < 2; i++)
        for (int n = 1; n <= 4; n++) {
            snprintf(program, sizeof program, "plain/plate %s", ways[i]);
            char *output = run("", n, program);
            assert_true(figure(output, "error") < 1e-14);
            line_of(output, "hottest", i == 0 && n == 1 ? hottest : other);
            assert_string_equal(i == 0 && n == 1 ? hottest : other, hottest);
            free(output);
            snprintf(program, sizeof program, "adaptive/plate %s", ways[i]);
            output = run(n > 2 ? "XMPI_INTERVAL=4 XMPI_POLICY=random XMPI_ACTIVE=2 XMPI_TRACE=trace"
                               : "XMPI_POLICY=off",
                         n, program);
            line_of(output, "hottest", other);
            assert_string_equal(other, hottest);
            assert_true(n <= 2 || changes() > 0);
            free(output);
        }
    assert_true(atof(hottest + strlen("hottest ")) > 0.5);
    refuses(2, "plate -n 1");
    refuses(4, "plate -n 3");
    refuses(1, "plate -z");
}

/* --- diskcg and lanczos --------------------------------------------------------------------------
 */

static void expect_solved(const char *settings, int n, const char *program)
{
    char *output = run(settings, n, program), converged[256];
    line_of(output, "converged", converged);
    assert_string_equal(converged, "converged yes");
    if (!(figure(output, "residual") < 1e-7) || !(figure(output, "error") < 1e-8))
        fail_msg("%s %s on %d:\n%s", settings, program, n, output);
    free(output);
}

static void a_matrix_in_a_file_is_solved(void **state)
{
    char settings[256];
    (void)state;
    snprintf(settings, sizeof settings, "XMPI_INTERVAL=3 %s", changing);
    for (int n = 1; n <= 3; n++)
        expect_solved("", n, "plain/diskcg -n 203 matrix");
    expect_solved(settings, 4, "adaptive/diskcg -n 203 matrix");
    assert_true(changes() > 0);
    assert_false(exists(dir, "matrix"));
    refuses(1, "diskcg");
    refuses(2, "diskcg -n 1 matrix");
}

/* The matrix has as many different eigenvalues as one cycle has steps: it finds all of them. */
static void eigenvalues_are_those_of_the_matrix(void **state)
{
    static const char *const ways[] = {"plain/lanczos -n 300 -k 5", "adaptive/lanczos -n 300 -k 5"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        char *output = run("XMPI_MEMORY=1", 2, ways[i]), *at = strstr(output, "eigenvalues ");
        double value[5];
        assert_non_null(at);
        assert_int_equal(sscanf(at, "eigenvalues %lf %lf %lf %lf %lf", &value[0], &value[1],
                                &value[2], &value[3], &value[4]),
                         5);
        for (int k = 0; k < 5; k++)
            assert_true(fabs(value[k] - (1 + 4.75 * k)) < 1e-7);
        free(output);
    }
}

static void a_matrix_on_a_disk_is_solved(void **state)
{
    char settings[256];
    (void)state;
    snprintf(settings, sizeof settings, "XMPI_INTERVAL=1 XMPI_MEMORY=1 %s", changing);
    for (int n = 1; n <= 3; n++)
        expect_solved("", n, "plain/lanczos -n 600");
    expect_solved(settings, 4, "adaptive/lanczos -n 600");
    assert_true(changes() > 0);
    expect_nothing_left();
    refuses(1, "lanczos -k 1");
    refuses(2, "lanczos file");
}

/* --- duplex --------------------------------------------------------------------------------------
 */

enum { BASES = 150, OTHERS = 80, SPECIES = 6 };

static unsigned mixed(unsigned x)
{
    x = (x ^ (x >> 16)) * 0x7feb352dU;
    x = (x ^ (x >> 15)) * 0x846ca68bU;
    return x ^ (x >> 16);
}

static char base(unsigned species, unsigned strand, unsigned i)
{
    unsigned own = mixed(2 * i + strand + 0x9e3779b9U * (species + 1));
    return "ACGU"[(own % 8 == 0 ? own >> 8 : mixed(2 * i + strand)) % 4];
}

static int strength(char one, char other)
{
    char pair[3] = {one, other, '\0'};
    if (strcmp(pair, "CG") == 0 || strcmp(pair, "GC") == 0)
        return 3;
    if (strcmp(pair, "AU") == 0 || strcmp(pair, "UA") == 0)
        return 2;
    return strcmp(pair, "GU") == 0 || strcmp(pair, "UG") == 0 ? 1 : -2;
}

static int larger(int one, int other)
{
    return one > other ? one : other;
}

/* The best duplex of a species, and what each pair of bases ends, added to SUM. */
static int add_species(unsigned species, long sum[BASES][OTHERS])
{
    static int ends[BASES + 1][OTHERS + 1]; /* with a row and a column of zeros */
    int best = 0;
    for (unsigned i = 1; i <= BASES; i++)
        for (unsigned j = 1; j <= OTHERS; j++) {
            int bond = strength(base(species, 0, i - 1), base(species, 1, j - 1));
            int bulge = larger(ends[i - 1][j], ends[i][j - 1]) - 2;
            ends[i][j] = larger(0, larger(ends[i - 1][j - 1] + bond, bulge));
            sum[i - 1][j - 1] += ends[i][j];
            best = larger(best, ends[i][j]);
        }
    return best;
}

/* What duplex prints, by one process and the definition. */
static void reference(char *text, size_t size)
{
    static long sum[BASES][OTHERS];
    long total = 0, most = 0, place = 0, checksum = 0;
    memset(sum, 0, sizeof sum);
    for (unsigned species = 0; species < SPECIES; species++)
        total += add_species(species, sum);
    for (long k = 0; k < BASES * OTHERS; k++) {
        long value = sum[k / OTHERS][k % OTHERS];
        checksum += value * (k % 1009 + 1);
        place = value > most ? k : place;
        most = value > most ? value : most;
    }
    snprintf(text, size, "strength %ld\nmost %ld\npair %ld %ld\nchecksum %ld\n", total, most,
             place / OTHERS, place % OTHERS, checksum);
}

static void expect_reference(const char *expected, const char *settings, int n, const char *program)
{
    char *output = run(settings, n, program);
    if (strncmp(output, expected, strlen(expected)) != 0)
        fail_msg("%s %s on %d:\n%sexpected\n%s", settings, program, n, output, expected);
    free(output);
}

static void duplexes_are_those_of_a_serial_program(void **state)
{
    char expected[256], settings[256], program[128];
    (void)state;
    reference(expected, sizeof expected);
    snprintf(settings, sizeof settings, "XMPI_INTERVAL=1 %s", changing);
    for (int tiles = 1; tiles <= 9; tiles += 4) {
        snprintf(program, sizeof program, "plain/duplex -n %d -m %d -k %d -t %d", BASES, OTHERS,
                 SPECIES, tiles);
        expect_reference(expected, "", 1, program);
        expect_reference(expected, "", 4, program);
        snprintf(program, sizeof program, "adaptive/duplex -n %d -m %d -k %d -t %d", BASES, OTHERS,
                 SPECIES, tiles);
        expect_reference(expected, settings, 4, program);
        assert_true(changes() > 0);
    }
    refuses(3, "duplex -n 2");
    refuses(1, "duplex -t 0");
}

/* The same result with tables on a disk. */
static void tables_on_a_disk_are_the_same(void **state)
{
    static const char more[] = "-n 1500 -m 1200 -k 5";
    char program[128], settings[256], checksum[256], other[256];
    (void)state;
    snprintf(program, sizeof program, "plain/duplex %s", more);
    char *output = run("", 3, program);
    line_of(output, "checksum", checksum);
    free(output);
    snprintf(program, sizeof program, "adaptive/duplex %s", more);
    snprintf(settings, sizeof settings, "XMPI_INTERVAL=1 XMPI_MEMORY=1 %s", changing);
    output = run(settings, 4, program);
    line_of(output, "checksum", other);
    assert_string_equal(other, checksum);
    assert_true(changes() > 0);
    free(output);
    expect_nothing_left();
}

/* --- all -----------------------------------------------------------------------------------------
 */

/* What the pragma says to be out of core does not fit: a folder that is missing is named. */
static void what_does_not_fit_goes_to_the_disk(void **state)
{
    static const char *const programs[] = {"lanczos -n 600 -i 3", "duplex -n 1500 -m 1200 -k 2"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        command_t result = command_shell(
            dir, LIMIT, "XMPI_OOC_DIR=/nowhere XMPI_MEMORY=1 '%s/bin/mpiexec' -n 2 ./adaptive/%s",
            build_dir(), programs[i]);
        assert_int_equal(result.status, 0);
        if (strstr(result.err, "/nowhere (XMPI_OOC_DIR)") == NULL)
            fail_msg("%s:\n%s%s", programs[i], result.out, result.err);
        command_free(&result);
    }
}

/* As users check them: not so many iterations that what is left of a residual is rounding. */
static void checks_find_no_difference(void **state)
{
    static const char *const programs[] = {"plate -n 40 -s 24", "diskcg -n 120 -i 8 matrix",
                                           "lanczos -n 300 -i 7", "duplex -n 300 -m 200 -k 12"};
    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        must_succeed(command_shell(dir, 4 * LIMIT,
                                   "XMPI_OOC_DIR=%s '%s/bin/xmpirun' -n 2 --check=2 ./adaptive/%s",
                                   folder, build_dir(), programs[i]));
}

static void examples_build_cleanly(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_builds_cleanly(dir, names[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wave_decays_as_is_known),
        cmocka_unit_test(a_matrix_in_a_file_is_solved),
        cmocka_unit_test(eigenvalues_are_those_of_the_matrix),
        cmocka_unit_test(a_matrix_on_a_disk_is_solved),
        cmocka_unit_test(duplexes_are_those_of_a_serial_program),
        cmocka_unit_test(tables_on_a_disk_are_the_same),
        cmocka_unit_test(what_does_not_fit_goes_to_the_disk),
        cmocka_unit_test(checks_find_no_difference),
        cmocka_unit_test(examples_build_cleanly),
    };
    return cmocka_run_group_tests(tests, build, clean);
}
