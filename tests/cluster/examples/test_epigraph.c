/* SPDX-License-Identifier: BSD-3-Clause
 * The example epigraph as a plain MPI program: its random numbers, its epidemics, its populations,
 * its refusals. */
#define _GNU_SOURCE
#include "cluster/examples/example.h"

#include "../../examples/epigraph/draw.c"
#include "../../examples/epigraph/population.h"

#define PROGRAM "epigraph"

static char *epigraph(const char *dir, int ranks, const char *arguments)
{
    return output_of(dir, PROGRAM, ranks, arguments);
}

static void generate(const char *dir, const char *arguments)
{
    must_succeed(command_shell(dir, LIMIT, "./generate %s", arguments));
}

static double infections(const char *dir, const char *arguments)
{
    char *output = epigraph(dir, 2, arguments);
    double value = figure(output, "infections");
    free(output);
    return value;
}

/* -- random numbers */

/* Known answers of Random123, the authors' implementation. */
static void philox_is_philox(void **state)
{
    static const struct {
        struct words counter;
        uint32_t key[2];
        struct words expected;
    } cases[] = {
        {{{0, 0, 0, 0}}, {0, 0}, {{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}}},
        {{{~0u, ~0u, ~0u, ~0u}},
         {~0u, ~0u},
         {{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}}},
        {{{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}},
         {0xa4093822u, 0x299f31d0u},
         {{0xd16cfe09u, 0x94fdcceb, 0x5001e420u, 0x24126ea1u}}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct words words = philox(cases[i].counter, cases[i].key);
        assert_memory_equal(&words, &cases[i].expected, sizeof words);
    }
}

static void draws_are_uniform_and_differ_with_every_argument(void **state)
{
    enum { DRAWS = 100000, BINS = 16 };
    int bin[BINS] = {0};
    (void)state;
    for (uint32_t i = 0; i < DRAWS; i++)
        bin[below(draw(7, DRAW_SPREAD, i, 3, 9).word[i % 4], BINS)]++;
    double chi = 0, mean = (double)DRAWS / BINS;
    for (int i = 0; i < BINS; i++)
        chi += (bin[i] - mean) * (bin[i] - mean) / mean;
    assert_true(chi < 44); /* 15 degrees of freedom: more once in 10,000 seeds */
    struct words same = draw(1, 2, 3, 4, 5);
    struct words other[] = {draw(2, 2, 3, 4, 5), draw(1 + (UINT64_C(1) << 32), 2, 3, 4, 5),
                            draw(1, 3, 3, 4, 5), draw(1, 2, 4, 4, 5),
                            draw(1, 2, 3, 5, 5), draw(1, 2, 3, 4, 6)};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        assert_memory_not_equal(&same, &other[i], sizeof same);
}

static void units_are_below_one(void **state)
{
    (void)state;
    assert_true(unit(0) == 0 && unit(~0u) < 1);
    assert_int_equal(below(~0u, 6), 5);
    assert_int_equal(below(0, 6), 0);
}

/* -- epidemics */

static void any_number_of_ranks_gives_the_same_epidemic(void **state)
{
    const char *dir = *state;
    const char *options = "-d 20 -p vaccination_day=5 -p vaccination_rate=0.01 "
                          "-p distancing_threshold=0.01 -p transmission=0.01 -p travel_rate=0.1";
    double first = 0;
    for (int ranks = 1; ranks <= 7; ranks += 2) {
        char *arguments;
        if (asprintf(&arguments, "%s -o counts.%d town", options, ranks) < 0)
            abort();
        char *output = epigraph(dir, ranks, arguments);
        const char *at = strstr(output, "fingerprint ");
        assert_non_null(at);
        double fingerprint = (double)strtoull(at + strlen("fingerprint "), NULL, 16);
        if (ranks == 1)
            first = fingerprint;
        assert_true(fingerprint == first && first > 0);
        assert_true(figure(output, "infections") > 100);
        assert_true(figure(output, "vaccinated") > 100);
        free(arguments);
        free(output);
    }
    assert_same_files(dir, "counts.1", "counts.3");
    assert_same_files(dir, "counts.1", "counts.5");
    assert_same_files(dir, "counts.1", "counts.7");
}

static void more_ranks_than_persons(void **state)
{
    const char *dir = *state;
    generate(dir, "-n 3 -r 2 three");
    free(epigraph(dir, 1, "-d 3 -p transmission=1 -o one three"));
    free(epigraph(dir, 6, "-d 3 -p transmission=1 -o six three"));
    assert_same_files(dir, "one", "six");
}

/* Columns of the counts, in the order in which they are written. */
enum { DAY, REGION, FIRST, STATE_COLUMNS = 8, VACCINATED_AT = FIRST + STATE_COLUMNS, NEW, ALL };

static int read_row(const char *line, long row[ALL])
{
    char *end;
    for (int c = 0; c < ALL; c++) {
        if (strncmp(line, "all,", 4) == 0 && c == REGION) {
            row[c] = -1;
            line += 4;
            continue;
        }
        row[c] = strtol(line, &end, 10);
        if (end == line || (*end != ',' && *end != '\n'))
            return 0;
        line = end + 1;
    }
    return 1;
}

static void nobody_is_lost_or_counted_twice(void **state)
{
    const char *dir = *state;
    long row[ALL], infected = 0, rows = 0, last[ALL] = {0};
    free(epigraph(dir, 3, "-d 30 -p transmission=0.02 -o counts town"));
    char *text = content(dir, "counts", NULL), *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        char copy[256];
        snprintf(copy, sizeof copy, "%s\n", line);
        if (!read_row(copy, row) || row[REGION] != -1)
            continue;
        long sum = 0;
        for (int c = FIRST; c < VACCINATED_AT; c++)
            sum += row[c];
        assert_int_equal(sum, 2000);
        infected += row[NEW];
        rows++;
        memcpy(last, row, sizeof last);
    }
    assert_int_equal(rows, 30);
    assert_int_equal(infected, 2000 - last[FIRST]); /* immunity is for ever */
    assert_true(infected > 500);
    free(text);
}

static void nothing_spreads_without_transmission(void **state)
{
    assert_true(infections(*state, "-d 10 -i 5 -p transmission=0 town") <= 5);
    assert_true(infections(*state, "-d 10 -i 0 town") == 0);
}

static void the_epidemic_travels(void **state)
{
    const char *dir = *state;
    const char *elsewhere = "awk -F, '$2 > 0 && $2 != \"all\" { n += $12 } END { print n }' home";
    command_t command;
    free(epigraph(dir, 2, "-d 30 -i 20 -p transmission=0.02 -p travel_rate=0 -o home town"));
    command = command_shell(dir, LIMIT, "%s", elsewhere);
    assert_string_equal(command.out, "0\n");
    command_free(&command);
    free(epigraph(dir, 2, "-d 30 -i 20 -p transmission=0.02 -p travel_rate=0.2 -o home town"));
    command = command_shell(dir, LIMIT, "%s", elsewhere);
    assert_true(strtol(command.out, NULL, 10) > 50);
    command_free(&command);
}

static void interventions_help(void **state)
{
    const char *dir = *state;
    double free_run = infections(dir, "-d 40 -p transmission=0.01 town");
    assert_true(free_run > 500);
    assert_true(infections(dir, "-d 40 -p transmission=0.01 -p vaccination_day=0 "
                                "-p vaccination_rate=0.2 -p vaccination_delay=0 "
                                "-p vaccine_efficacy=1 town") < 0.5 * free_run);
    assert_true(infections(dir, "-d 40 -p transmission=0.01 -p distancing_threshold=0.001 "
                                "-p distancing_reduction=1 town") < 0.5 * free_run);
}

static void seeds_matter_and_nothing_else_does(void **state)
{
    const char *dir = *state;
    free(epigraph(dir, 2, "-d 15 -s 5 -p transmission=0.02 -o one town"));
    free(epigraph(dir, 2, "-d 15 -s 5 -p transmission=0.02 -o again town"));
    free(epigraph(dir, 2, "-d 15 -s 6 -p transmission=0.02 -o other town"));
    must_succeed(command_shell(dir, LIMIT, "cmp one again && ! cmp -s one other"));
}

static void immunity_can_wane(void **state)
{
    assert_true(infections(*state, "-d 60 -p transmission=0.05 -p immunity_days=5 town") > 2500);
}

static void all_steps_of_a_day_are_possible(void **state)
{
    free(epigraph(*state, 2, "-d 3 -t 1 town"));
    free(epigraph(*state, 2, "-d 1 -t 1440 town"));
}

static void parameters_are_listed(void **state)
{
    char *output = epigraph(*state, 2, "-p transmission=0.25 -p help");
    assert_non_null(strstr(output, "transmission=0.25  probability"));
    assert_non_null(strstr(output, "distancing_days=14  "));
    free(output);
}

/* -- the generator */

/* A population in memory. */
struct whole {
    char *text;
    int64_t persons, regions, contacts;
    const struct region *region;
    const int64_t *first;
    const int32_t *other;
    const uint8_t *kind;
};

static void *copy_part(const char **at, size_t size)
{
    void *part = malloc(size + 1);
    assert_non_null(part);
    memcpy(part, *at, size);
    *at += size;
    return part;
}

/* What it points to is malloc, for the alignment. */
static struct whole read_whole(const char *dir, const char *name)
{
    size_t length;
    struct whole whole = {.text = content(dir, name, &length)};
    const char *at = whole.text + 8;
    memcpy(&whole.persons, at, 8);
    memcpy(&whole.regions, at + 8, 8);
    memcpy(&whole.contacts, at + 16, 8);
    at += 24;
    whole.region = copy_part(&at, (size_t)whole.regions * sizeof *whole.region);
    at += whole.persons;
    whole.first = copy_part(&at, ((size_t)whole.persons + 1) * sizeof *whole.first);
    whole.other = copy_part(&at, (size_t)whole.contacts * sizeof *whole.other);
    whole.kind = copy_part(&at, (size_t)whole.contacts);
    assert_int_equal(at - whole.text, length);
    return whole;
}

static void free_whole(struct whole *whole)
{
    free(whole->text);
    free((void *)(uintptr_t)whole->region);
    free((void *)(uintptr_t)whole->first);
    free((void *)(uintptr_t)whole->other);
    free((void *)(uintptr_t)whole->kind);
}

static int knows(const struct whole *whole, int64_t one, int32_t other, uint8_t kind)
{
    for (int64_t k = whole->first[one]; k < whole->first[one + 1]; k++)
        if (whole->other[k] == other)
            return whole->kind[k] == kind;
    return 0;
}

static void contacts_are_mutual_and_skewed(void **state)
{
    struct whole whole = read_whole(*state, "town");
    int64_t most = 0, seen[KINDS] = {0};
    assert_int_equal(whole.persons, 2000);
    assert_int_equal(whole.regions, 3);
    for (int64_t i = 0; i < whole.persons; i++) {
        int64_t n = whole.first[i + 1] - whole.first[i];
        most = n > most ? n : most;
        for (int64_t k = whole.first[i]; k < whole.first[i + 1]; k++) {
            assert_true(knows(&whole, whole.other[k], (int32_t)i, whole.kind[k]));
            seen[whole.kind[k]]++;
        }
    }
    assert_true(seen[AT_HOME] > 2000 && seen[AT_WORK] > 2000 && seen[AT_LEISURE] > 2000);
    assert_true(most > 5 * whole.contacts / whole.persons);
    free_whole(&whole);
}

/* The share of pairs of contacts of a person who know one another: in a random graph of this size
 * it would be below 0.02. */
static void people_cluster(void **state)
{
    struct whole whole = read_whole(*state, "town");
    double pairs = 0, closed = 0;
    for (int64_t i = 0; i < whole.persons; i += 10)
        for (int64_t k = whole.first[i]; k < whole.first[i + 1]; k++)
            for (int64_t l = k + 1; l < whole.first[i + 1]; l++) {
                int32_t one = whole.other[k], other = whole.other[l];
                pairs++;
                for (uint8_t kind = 0; kind < KINDS; kind++)
                    closed += knows(&whole, one, other, kind);
            }
    assert_true(closed / pairs > 0.1);
    free_whole(&whole);
}

static void regions_are_unequal(void **state)
{
    struct whole whole = read_whole(*state, "town");
    assert_true(whole.region[0].persons > 2 * whole.region[2].persons);
    free_whole(&whole);
}

static void generator_depends_on_nothing_but_its_options(void **state)
{
    const char *dir = *state;
    generate(dir, "-n 500 -s 5 one");
    generate(dir, "-n 500 -s 5 again");
    generate(dir, "-n 500 -s 6 other");
    must_succeed(command_shell(dir, LIMIT, "cmp one again && ! cmp -s one other"));
    generate(dir, "-n 1 -r 1 single");
    free(epigraph(dir, 2, "-d 2 single"));
}

static void generator_refuses_bad_usage(void **state)
{
    static const char *const cases[] = {"",
                                        "x",
                                        "-n 0 x",
                                        "-n 5",
                                        "-n 5k x",
                                        "-n 5 -s -1 x",
                                        "-n 5 -r 6 x",
                                        "-n 5 -k 2 x",
                                        "-n 5 -q x",
                                        "-n 5 x y",
                                        "-n 5 missing/x"};
    const char *dir = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        command_t command = command_shell(dir, LIMIT, "./generate %s", cases[i]);
        assert_int_equal(command.status, 2);
        assert_true(strlen(command.err) > 0);
        assert_false(exists(dir, "x"));
        command_free(&command);
    }
}

static void generator_leaves_nothing_half_done(void **state)
{
    command_t command = command_shell(
        *state, LIMIT, "trap '' XFSZ; ulimit -f 8; ./generate -n 2000 large 2>&1; echo $?");
    assert_string_equal(command.out, "generate: large: File too large\n2\n");
    assert_false(exists(*state, "large"));
    command_free(&command);
}

/* -- refusals */

static void truncated_populations_are_refused(void **state)
{
    static const struct {
        int bytes;
        const char *expected;
    } cases[] = {
        {0, "is not a population"},
        {7, "is not a population"},
        {8, "is truncated: it ends inside its header"},
        {31, "is truncated: it ends inside its header"},
        {32, "contacts are more than the file can hold"},
        {20000, "contacts are more than the file can hold"},
        {200000, "is truncated: it has 200000 bytes"},
    };
    const char *dir = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        must_succeed(command_shell(dir, LIMIT, "head -c %d town >short", cases[i].bytes));
        assert_refused(dir, PROGRAM, 3, "-o refused short", 2, cases[i].expected);
    }
    must_succeed(command_shell(dir, LIMIT, "cp town long && echo >>long"));
    assert_refused(dir, PROGRAM, 3, "-o refused long", 2, "is too long: it has");
}

/* Overwrites the population "bad", a copy of town, at OFFSET. */
static void damage(const char *dir, int64_t offset, const void *bytes, size_t size)
{
    char *path = path_of(dir, "bad");
    must_succeed(command_shell(dir, LIMIT, "cp town bad"));
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, offset, SEEK_SET), 0);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    free(path);
}

static void impossible_populations_are_refused(void **state)
{
    const char *dir = *state;
    struct whole whole = read_whole(dir, "town");
    int64_t ages = 32 + whole.regions * (int64_t)sizeof(struct region);
    int64_t firsts = ages + whole.persons, others = firsts + 8 * (whole.persons + 1);
    int64_t kinds = others + 4 * whole.contacts;
    const struct {
        int64_t offset, value;
        size_t size;
        const char *expected;
    } cases[] = {
        {8, 0, 8, "number of persons 0 is not in"},
        {8, -1, 8, "number of persons -1 is not in"},
        {16, 0, 8, "number of regions 0 is not in"},
        {24, -5, 8, "-5 contacts are more"},
        {24, 1, 8, "is too long"},
        {32 + 8, 5000, 8, "region 0 does not follow the one before it"},
        {32 + 32, 7, 8, "region 1 does not follow the one before it"},
        {32 + 16, 0x7ff8000000000000, 8, "region 0 is nowhere"},
        {ages + 50, 200, 1, "person 50 is 200 years old"},
        {firsts, 1, 8, "the contacts of person 0 are out of order"},
        {firsts + 8 * 1000, -1, 8, "the contacts of person "},
        {firsts + 8 * 1500, 99999999, 8, "the contacts of person "},
        {firsts + 8 * whole.persons, whole.contacts + 1, 8, "are out of order"},
        {others, 2000, 4, "person 0 has a contact with 2000"},
        {others, -1, 4, "person 0 has a contact with -1"},
        {others, 0, 4, "person 0 has a contact with 0"},
        {kinds + 10, 3, 1, "has a contact of kind 3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        damage(dir, cases[i].offset, &cases[i].value, cases[i].size);
        assert_refused(dir, PROGRAM, 3, "-o refused bad", 2, cases[i].expected);
    }
    free_whole(&whole);
}

/* Whatever is in a file: one line and status 2, or an epidemic. */
static void garbage_never_crashes(void **state)
{
    const char *dir = *state;
    for (uint32_t i = 0; i < 20; i++) {
        struct words words = draw(99, DRAW_GENERATE, i, 0, 0);
        damage(dir, 8 + below(words.word[0], 30000), &words.word[1], 1 + i % 8);
        command_t command = command_shell(
            dir, LIMIT, "exec $(readlink -f '%s/bin/mpiexec') -n 2 ./epigraph -d 2 bad",
            build_dir());
        if (command.status != 0 && command.status != 2)
            fail_msg("status %d: %s", command.status, command.err);
        command_free(&command);
    }
    must_succeed(command_shell(dir, LIMIT, "head -c 100000 /dev/urandom >noise"));
    assert_refused(dir, PROGRAM, 2, "noise", 2, "is not a population");
}

static void other_things_than_files_are_refused(void **state)
{
    assert_refused(*state, PROGRAM, 3, "missing", 2, "missing: No such file or directory");
    assert_refused(*state, PROGRAM, 3, ".", 2, ".: is not an ordinary file");
}

static void bad_usage_is_refused(void **state)
{
    static const char *const cases[][2] = {
        {"", "usage: epigraph"},
        {"town town", "usage: epigraph"},
        {"-z town", "usage: epigraph"},
        {"-d 0 town", "-d 0: expected a number of days"},
        {"-d 5x town", "-d 5x: expected a number of days"},
        {"-t 7 town", "-t 7: expected a number that divides 1440"},
        {"-d 100000 -t 1440 town", "these are more than"},
        {"-s -3 town", "-s -3: expected a number that is not negative"},
        {"-r 3 town", "-r 3: town has regions 0 to 2"},
        {"-p nothing=1 town", "-p nothing=1: there is no such parameter"},
        {"-p transmission town", "-p transmission: expected transmission=VALUE from 0 to 1"},
        {"-p transmission=2 town", "expected transmission=VALUE from 0 to 1"},
        {"-p transmission=nan town", "expected transmission=VALUE from 0 to 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_refused(*state, PROGRAM, 2, cases[i][0], 2, cases[i][1]);
}

static void counts_that_cannot_be_written_are_told(void **state)
{
    assert_refused(*state, PROGRAM, 3, "-d 1 -o missing/refused town", 1,
                   "missing/refused: No such file");
}

static void builds_without_a_warning_in_its_own_folder(void **state)
{
    assert_builds_cleanly(*state, "epigraph");
}

static int set_up(void **state)
{
    char *dir = scratch_make();
    *state = dir;
    build_example(dir, "epigraph", "mpicc", ".");
    generate(dir, "-n 2000 -r 3 town");
    return 0;
}

static int tear_down(void **state)
{
    scratch_remove(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_is_philox),
        cmocka_unit_test(draws_are_uniform_and_differ_with_every_argument),
        cmocka_unit_test(units_are_below_one),
        cmocka_unit_test(any_number_of_ranks_gives_the_same_epidemic),
        cmocka_unit_test(more_ranks_than_persons),
        cmocka_unit_test(nobody_is_lost_or_counted_twice),
        cmocka_unit_test(nothing_spreads_without_transmission),
        cmocka_unit_test(the_epidemic_travels),
        cmocka_unit_test(interventions_help),
        cmocka_unit_test(seeds_matter_and_nothing_else_does),
        cmocka_unit_test(immunity_can_wane),
        cmocka_unit_test(all_steps_of_a_day_are_possible),
        cmocka_unit_test(parameters_are_listed),
        cmocka_unit_test(contacts_are_mutual_and_skewed),
        cmocka_unit_test(people_cluster),
        cmocka_unit_test(regions_are_unequal),
        cmocka_unit_test(generator_depends_on_nothing_but_its_options),
        cmocka_unit_test(generator_refuses_bad_usage),
        cmocka_unit_test(generator_leaves_nothing_half_done),
        cmocka_unit_test(truncated_populations_are_refused),
        cmocka_unit_test(impossible_populations_are_refused),
        cmocka_unit_test(garbage_never_crashes),
        cmocka_unit_test(other_things_than_files_are_refused),
        cmocka_unit_test(bad_usage_is_refused),
        cmocka_unit_test(counts_that_cannot_be_written_are_told),
        cmocka_unit_test(builds_without_a_warning_in_its_own_folder),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
