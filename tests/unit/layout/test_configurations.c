/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of processor configurations: what GLPK finds is what trying all of them finds. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <glpk.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "decide/configurations/configurations.h"
#include "libraries/glpk_library.h"

enum { CLASSES = 4, PES = 8, MOST = CLASSES * PES };

typedef struct {
    xmpi_choice_t choice[CLASSES];
    double need[MOST + 1];
    xmpi_configurations_t all;
} problem_t;

/* The best of all configurations; their number is 0 when none meets its need by SLACK. */
typedef struct {
    int members;
    double price, power;
} optimum_t;

static uint64_t state = 1;

static double next_random(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / 9007199254740992.;
}

static int below(int n)
{
    return (int)(next_random() * n);
}

static double price_of(const problem_t *p, const int *count)
{
    double sum = 0;
    for (int c = 0; c < p->all.classes; c++)
        sum += count[c] * (p->all.constraint == XMPI_CONSTRAINT_COST ? p->choice[c].cost : 1);
    return sum;
}

static double power_of(const problem_t *p, const int *count)
{
    double sum = 0;
    for (int c = 0; c < p->all.classes; c++)
        sum += count[c] * p->choice[c].speed;
    return sum;
}

static int members_of(const problem_t *p, const int *count)
{
    int n = 0;
    for (int c = 0; c < p->all.classes; c++)
        n += count[c];
    return n;
}

static int suits(const problem_t *p, const int *count, double slack)
{
    int n = members_of(p, count);
    return n >= 1 && n >= p->all.least && n <= p->all.most &&
           power_of(p, count) >= p->need[n] * (1 - slack);
}

/* Counts up as a clock does; 0 after the last. */
static int advance(const problem_t *p, int *count)
{
    for (int c = 0; c < p->all.classes; c++) {
        if (++count[c] <= p->choice[c].most)
            return 1;
        count[c] = p->choice[c].least;
    }
    return 0;
}

static optimum_t try_all(const problem_t *p, double slack)
{
    int count[CLASSES];
    optimum_t best = {0, INFINITY, INFINITY};
    for (int c = 0; c < p->all.classes; c++)
        count[c] = p->choice[c].least;
    do {
        if (suits(p, count, slack) && price_of(p, count) < best.price)
            best = (optimum_t){members_of(p, count), price_of(p, count), 0};
    } while (advance(p, count));
    return best;
}

static const xmpi_glpk_t *glpk(void)
{
    xmpi_error_t error;
    const xmpi_glpk_t *functions = xmpi_glpk(&error);
#ifdef XMPI_WITHOUT_GLPK
    skip(); /* make GLPK=no */
#endif
    if (functions == NULL)
        fail_msg("%s", error.text);
    return functions;
}

static void make(problem_t *p)
{
    memset(p, 0, sizeof *p);
    p->all = (xmpi_configurations_t){.glpk = glpk(),
                                     .classes = 1 + below(CLASSES),
                                     .choice = p->choice,
                                     .constraint = below(2) ? XMPI_CONSTRAINT_COST
                                                            : XMPI_CONSTRAINT_EFFICIENCY,
                                     .need = p->need};
    double unit = pow(10, below(13) - 4), total = 0; /* any unit of work */
    int whole = below(3) == 0;                       /* exact ties */
    int sum = 0;
    for (int c = 0; c < p->all.classes; c++) {
        xmpi_choice_t *choice = &p->choice[c];
        choice->least = below(3);
        choice->most = choice->least + below(PES - choice->least + 1);
        choice->speed = unit * (whole ? 1 + below(4) : 0.5 + 5 * next_random());
        choice->cost = whole ? below(5) : next_random();
        total += choice->most * choice->speed;
        sum += choice->most;
    }
    p->all.least = below(4);
    p->all.most = sum - below(3) > 0 ? sum - below(3) : 0;
    double base = total * (whole ? 0.5 : 1.1 * next_random()), slope = next_random() * total / 60;
    for (int n = 0; n <= MOST; n++)
        p->need[n] = below(20) == 0 ? INFINITY : base + (whole ? 0 : slope * n * (1 + below(2)));
}

static void it_is_the_best_of_all(void **unused)
{
    (void)unused;
    int met = 0;
    for (int round = 0; round < 3000; round++) {
        problem_t p;
        int count[CLASSES] = {0};
        bool found;
        xmpi_error_t error = {""};
        make(&p);
        if (xmpi_configurations_find(&p.all, count, &found, &error) != XMPI_OK)
            fail_msg("round %d: %s", round, error.text);
        optimum_t strict = try_all(&p, 0), loose = try_all(&p, 2e-7);
        if (!found) {
            assert_int_equal(strict.members, 0);
            continue;
        }
        met++;
        assert_true(suits(&p, count, 2e-7));
        for (int c = 0; c < p.all.classes; c++)
            assert_in_range(count[c], p.choice[c].least, p.choice[c].most);
        if (price_of(&p, count) > strict.price * (1 + 1e-6) + 1e-9 ||
            price_of(&p, count) < loose.price * (1 - 1e-6) - 1e-9)
            fail_msg("round %d: %g instead of %g", round, price_of(&p, count), strict.price);
    }
    assert_in_range(met, 1000, 3000);
}

static void of_equally_good_ones_it_takes_the_weakest(void **unused)
{
    (void)unused;
    xmpi_choice_t choice[] = {{2, 2, 1, 0}, {0, 4, 3, 0}, {0, 4, 2, 0}};
    double need[] = {5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5};
    xmpi_configurations_t all = {glpk(), 3, choice, XMPI_CONSTRAINT_EFFICIENCY, 0, 10, need};
    int count[3];
    bool found;
    xmpi_error_t error;
    need[3] = 3.5;
    assert_int_equal(xmpi_configurations_find(&all, count, &found, &error), XMPI_OK);
    assert_true(found);
    assert_int_equal(count[0], 2);
    assert_int_equal(count[1], 0); /* 2 + 2 is enough */
    assert_int_equal(count[2], 1);
}

/* Table 6.4: to make up for power, cost takes the cheap and efficiency the strong. */
static void the_constraint_decides_on_the_classes(void **unused)
{
    (void)unused;
    xmpi_choice_t choice[] = {
        {2, 40, 1.90, 0.095}, {2, 40, 2.25, 0.115}, {2, 40, 2.90, 0.204}, {2, 40, 4.62, 0.462}};
    double need[161];
    xmpi_configurations_t all = {glpk(), 4, choice, XMPI_CONSTRAINT_EFFICIENCY, 0, 160, need};
    int few[4], cheap[4];
    bool found;
    xmpi_error_t error;
    for (int n = 0; n <= 160; n++)
        need[n] = 23.34 / 0.65;
    assert_int_equal(xmpi_configurations_find(&all, few, &found, &error), XMPI_OK);
    assert_true(found && few[0] == 2 && few[3] == 5);
    all.constraint = XMPI_CONSTRAINT_COST;
    assert_int_equal(xmpi_configurations_find(&all, cheap, &found, &error), XMPI_OK);
    assert_true(found && cheap[3] == 2 && cheap[2] == 2 && cheap[0] + cheap[1] > 9);
}

static void impossible_ones_are_not_found(void **unused)
{
    (void)unused;
    xmpi_choice_t choice[] = {{0, 2, 1, 1}};
    double need[] = {0, 3, 3, 3};
    xmpi_configurations_t all = {glpk(), 1, choice, XMPI_CONSTRAINT_COST, 0, 2, need};
    int count[1];
    bool found = true;
    xmpi_error_t error;
    assert_int_equal(xmpi_configurations_find(&all, count, &found, &error), XMPI_OK);
    assert_false(found);
    all.classes = 0;
    assert_int_equal(xmpi_configurations_find(&all, count, &found, &error), XMPI_OK);
    assert_false(found);
}

static void without_glpk_it_says_so(void **unused)
{
    (void)unused;
    problem_t p;
    int count[CLASSES];
    bool found = true;
    xmpi_error_t error;
    make(&p);
    p.all.glpk = NULL;
    assert_int_equal(xmpi_configurations_find(&p.all, count, &found, &error), XMPI_ERR_INPUT);
    assert_false(found);
    assert_string_equal(error.text, "GLPK is not here");
}

/* A program that uses GLPK too finds its problem and its settings as they were. */
static void glpk_is_left_as_it_was(void **unused)
{
    (void)unused;
    problem_t p;
    int count[CLASSES];
    bool found;
    xmpi_error_t error;
    make(&p);
    glp_prob *mine = glp_create_prob();
    glp_add_cols(mine, 3);
    assert_int_equal(xmpi_configurations_find(&p.all, count, &found, &error), XMPI_OK);
    assert_int_equal(glp_get_num_cols(mine), 3);
    assert_int_equal(glp_term_out(GLP_ON), GLP_ON);
    glp_delete_prob(mine);
    assert_int_equal(glp_free_env(), 0);
    assert_int_equal(xmpi_configurations_find(&p.all, count, &found, &error), XMPI_OK);
    assert_int_equal(glp_free_env(), 1); /* there is none */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_best_of_all),
        cmocka_unit_test(of_equally_good_ones_it_takes_the_weakest),
        cmocka_unit_test(the_constraint_decides_on_the_classes),
        cmocka_unit_test(impossible_ones_are_not_found),
        cmocka_unit_test(without_glpk_it_says_so),
        cmocka_unit_test(glpk_is_left_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
