/* SPDX-License-Identifier: BSD-3-Clause
 * A slice of what make fuzz-programs tries: right programs print the same whatever happens to their
 * processes, and wrong turns are not believed. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/generate_program.h"
#include "fuzz/judge_program.h"
#include "support/command.h"

/* Right programs of many styles that are adaptive. */
static const unsigned right_seeds[] = {1,  3,  4,  6,  42, 13, 17, 21, 24, 26,
                                       30, 51, 37, 39, 54, 43, 45, 46, 57, 50};

/* Wrong turns of many kinds that are refused, while the same programs without them are accepted. */
static const unsigned wrong_seeds[] = {340, 50,  342, 67,  68,  70,  74, 92,
                                       136, 344, 156, 345, 162, 208, 337};

/* The same with loops around the adaptive one; right ones, and wrong turns there. */
static const unsigned right_around_seeds[] = {20001, 20005, 20008, 20015, 20022};
static const unsigned wrong_around_seeds[] = {20001, 20003, 20005, 20008, 20009,
                                              20012, 20015, 20016, 20020, 20022};

static const char plain_force[] = "around=0,finally=0,wrong.around=0";
static const char around_force[] = "around=99,movable=0,wrong.turn_around=99";

static char *scratch;

static verdict_t judge(uint64_t seed, const char *force, int wrong, const judgement_t *how)
{
    char path[400];
    program_t *program = program_make(seed, force, wrong);
    char *text = program_text(program);
    snprintf(path, sizeof path, "%s/program.c", scratch);
    write_file(path, text);
    verdict_t verdicts[MAX_CHECKS], verdict;
    judge_program(scratch, path, how, verdicts);
    verdict = verdicts[0];
    if (verdict.outcome >= SILENT)
        print_error("seed %llu: %s: %s\n%s", (unsigned long long)seed,
                    outcome_names[verdict.outcome], verdict.why, text);
    free(text);
    program_free(program);
    return verdict;
}

static void judge_right(const unsigned *seeds, size_t n, const char *force)
{
    for (size_t i = 0; i < n; i++) {
        unsigned seed = seeds[i];
        judgement_t how = {.checks = {"off"},
                           .processes = 2 + (int)(seed % 2),
                           .runs = 1,
                           .spawns = seed % 4 == 0};
        verdict_t verdict = judge(seed, force, 0, &how);
        if (verdict.outcome != SAME)
            print_error("seed %u: %s\n", seed, verdict.why);
        assert_int_equal(verdict.outcome, SAME);
    }
}

/* (Programs that start over may give what they give with another number of processes.) */
static void judge_wrong(const unsigned *seeds, size_t n, const char *force)
{
    for (size_t i = 0; i < n; i++) {
        judgement_t how = {.checks = {"off"}, .processes = 3, .runs = 2, .spawns = 0};
        verdict_t verdict = judge(seeds[i], force, 1, &how);
        assert_true(verdict.outcome == REFUSED || verdict.outcome == PINNED ||
                    verdict.outcome == REPORTED || verdict.outcome == OTHER);
    }
}

static void test_right_programs(void **state)
{
    (void)state;
    judge_right(right_seeds, sizeof right_seeds / sizeof right_seeds[0], plain_force);
}

static void test_right_programs_around(void **state)
{
    (void)state;
    judge_right(right_around_seeds, sizeof right_around_seeds / sizeof right_around_seeds[0],
                around_force);
}

static void test_wrong_turns(void **state)
{
    (void)state;
    judge_wrong(wrong_seeds, sizeof wrong_seeds / sizeof wrong_seeds[0], plain_force);
}

static void test_wrong_turns_around(void **state)
{
    (void)state;
    judge_wrong(wrong_around_seeds, sizeof wrong_around_seeds / sizeof wrong_around_seeds[0],
                around_force);
}

/* Of those below, such as are not to be found by a check alone. */
static const char *const unchecked[] = {"begin_of_block_in_attribute",
                                        "block_sum_of_thread",
                                        "block_sums_of_neighbours_in_grid",
                                        "count_by_assembler",
                                        "count_cut_off",
                                        "field_chosen_by_place",
                                        "first_row_by_another_formula",
                                        "first_row_by_another_formula_in_columns",
                                        "first_row_by_another_formula_of_message",
                                        "first_row_by_memset",
                                        "first_row_copied",
                                        "first_row_in_returned_struct",
                                        "first_row_of_rank_1_where_there_is_one",
                                        "first_row_of_two_elements",
                                        "first_row_of_whole_structs",
                                        "first_row_received_in_turn_by_function",
                                        "first_row_received_in_turn_by_pointer",
                                        "first_rows_received_from_anybody",
                                        "first_rows_received_while_there_are",
                                        "ghost_row_copied_from_own",
                                        "ghost_row_from_other_side",
                                        "ghost_row_halved_for_edge",
                                        "ghost_row_mixed_with_own",
                                        "ghost_row_of_own_row",
                                        "largest_from_neighbour_on",
                                        "largest_of_copied_rows",
                                        "last_row_of_copied_block",
                                        "mark_at_count",
                                        "message_added_at_edge",
                                        "message_of_the_last_iteration",
                                        "message_set_for_edge",
                                        "operation_prints",
                                        "pointer_stays_where_others_change_places",
                                        "rank_by_assembler_before",
                                        "remainder_of_block_sum",
                                        "row_behind_returned_pointer",
                                        "row_chosen_by_place",
                                        "row_of_neighbour_as_test",
                                        "row_of_neighbour_for_all",
                                        "row_of_the_last_but_one",
                                        "row_received_where_there_are_others",
                                        "row_sent_to_the_last_but_one",
                                        "row_set_where_blocks_are_long",
                                        "row_within_block_sent",
                                        "rows_to_all_by_place"};

static bool is_unchecked(const char *path)
{
    bool is = false;
    for (size_t i = 0; i < sizeof unchecked / sizeof *unchecked; i++)
        is = is || strstr(path, unchecked[i]) != NULL;
    return is;
}

/* Small programs that some rewriter has taken for right, each with a value that follows the layout
 * in another disguise: it is refused, keeps its processes, or the check sees it, or the rewriter
 * warns of what it
 * prints. */
static void test_known_wrong_programs(void **state)
{
    (void)state;
    char pattern[400];
    glob_t found;
    judgement_t how = {.checks = {"first"}, .processes = 2, .runs = 2, .quickly = true};
    snprintf(pattern, sizeof pattern, "%s/tests/fuzz/wrong/*.c", source_dir());
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        verdict_t verdicts[MAX_CHECKS];
        how.checks[0] = is_unchecked(found.gl_pathv[i]) ? "off" : "first";
        judge_program(scratch, found.gl_pathv[i], &how, verdicts);
        outcome_t outcome = verdicts[0].outcome;
        if (outcome != REFUSED && outcome != REPORTED && outcome != PINNED && outcome != TOLD)
            fail_msg("%s: %s: %s", found.gl_pathv[i], outcome_names[outcome], verdicts[0].why);
    }
    globfree(&found);
}

/* Right programs that some rewriter has refused, spoilt or made no C of; this one where each change
 * was checked. */
static const char of_checks[] = "arrays_of_two_loops_around";

static void test_known_right_programs(void **state)
{
    (void)state;
    char pattern[400];
    glob_t found;
    judgement_t how = {.checks = {"off"}, .processes = 2, .runs = 1, .quickly = true};
    snprintf(pattern, sizeof pattern, "%s/tests/fuzz/right/*.c", source_dir());
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        verdict_t verdicts[MAX_CHECKS];
        how.checks[0] = strstr(found.gl_pathv[i], of_checks) != NULL ? "all" : "off";
        judge_program(scratch, found.gl_pathv[i], &how, verdicts);
        if (verdicts[0].outcome != SAME)
            fail_msg("%s: %s: %s", found.gl_pathv[i], outcome_names[verdicts[0].outcome],
                     verdicts[0].why);
    }
    globfree(&found);
}

/* The same seed is the same program, and an answer that is forced changes that one. */
static void test_seeds(void **state)
{
    (void)state;
    program_t *a = program_make(7, NULL, 0), *b = program_make(7, NULL, 0),
              *c = program_make(7, "rows=1", 0);
    char *of_a = program_text(a), *of_b = program_text(b), *of_c = program_text(c);
    assert_string_equal(of_a, of_b);
    assert_string_not_equal(of_a, of_c);
    assert_int_equal(c->rows, 14);
    assert_int_equal(a->place, c->place);
    free(of_a);
    free(of_b);
    free(of_c);
    program_free(a);
    program_free(b);
    program_free(c);
}

static void test_outputs(void **state)
{
    (void)state;
    assert_true(same_output("u 1.00000000\nv 2\n", "v 2\nu 1.000000001\n"));
    assert_false(same_output("u 1.0\n", "u 1.000001\n"));
    assert_true(same_output("u ~1.0\n", "u ~1.0001\n"));
    assert_false(same_output("u 1\n", "u 1\nu 1\n"));
    assert_false(same_output("u 1\n", "v 1\n"));
    assert_false(same_output("u 1\n", "u nan\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_seeds),
                                       cmocka_unit_test(test_outputs),
                                       cmocka_unit_test(test_right_programs),
                                       cmocka_unit_test(test_right_programs_around),
                                       cmocka_unit_test(test_wrong_turns),
                                       cmocka_unit_test(test_wrong_turns_around),
                                       cmocka_unit_test(test_known_wrong_programs),
                                       cmocka_unit_test(test_known_right_programs)};
    scratch = scratch_make();
    machine_invent();
    int failed = cmocka_run_group_tests_name("generated programs", tests, NULL, NULL);
    scratch_remove(scratch);
    return failed;
}
