/* SPDX-License-Identifier: BSD-3-Clause
 * Processor configurations that meet a goal, by integer linear programming. */
#include "decide/configurations/configurations.h"

#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "decide/configurations/glpk.h"

/* A program of GLPK: members of each class between bounds, a number n of members between LEAST and
 * MOST, power of at least NEED + n SLOPE, and, when CEILING is finite, an objective of at most
 * that.
 */
typedef struct {
    const xmpi_configurations_t *all;
    int least, most;
    double need, slope;
    double ceiling;
    bool of_power; /* minimise the power, else the objective */
} program_t;

/* Relative difference that counts as none; GLPK's own tolerances are 1e-7. */
static const double hair = 1e-7;

static double price(const xmpi_configurations_t *all, int class_index)
{
    return all->constraint == XMPI_CONSTRAINT_COST ? all->choice[class_index].cost : 1;
}

static double power_of(const xmpi_configurations_t *all, const int *count)
{
    double power = 0;
    for (int c = 0; c < all->classes; c++)
        power += count[c] * all->choice[c].speed;
    return power;
}

static double price_of(const xmpi_configurations_t *all, const int *count)
{
    double sum = 0;
    for (int c = 0; c < all->classes; c++)
        sum += count[c] * price(all, c);
    return sum;
}

static int members_of(const xmpi_configurations_t *all, const int *count)
{
    int n = 0;
    for (int c = 0; c < all->classes; c++)
        n += count[c];
    return n;
}

/* --- GLPK ---------------------------------------------------------------------------------------
 */

/* XMPI is built where GLPK is not, too. */
#ifdef XMPI_HAS_GLPK

enum { ROW_POWER = 1, ROW_MEMBERS, ROW_PRICE, ROWS = ROW_PRICE };

/* A bound of GLPK: no difference between the two ends is another kind. */
static int bound_kind(double low, double high)
{
    return low < high ? GLP_DB : GLP_FX;
}

/* The numbers are of magnitude 1, whatever the units of work and cost are. */
static void load(glp_prob *lp, const program_t *p)
{
    const xmpi_configurations_t *all = p->all;
    const xmpi_glpk_t *glpk = all->glpk;
    double most_price = 0;
    for (int c = 0; c < all->classes; c++)
        most_price = fmax(most_price, price(all, c));
    most_price = most_price > 0 ? most_price : 1;
    glpk->glp_set_obj_dir(lp, GLP_MIN);
    glpk->glp_add_rows(lp, ROWS);
    double unit = fabs(p->need) + fabs(p->slope) * p->most;
    glpk->glp_set_row_bnds(lp, ROW_POWER, GLP_LO, p->need / unit, 0);
    glpk->glp_set_row_bnds(lp, ROW_MEMBERS, bound_kind(p->least, p->most), p->least, p->most);
    if (isfinite(p->ceiling))
        glpk->glp_set_row_bnds(lp, ROW_PRICE, GLP_UP, 0, p->ceiling / most_price + hair);
    else
        glpk->glp_set_row_bnds(lp, ROW_PRICE, GLP_FR, 0, 0);
    glpk->glp_add_cols(lp, all->classes);
    for (int c = 0; c < all->classes; c++) {
        const xmpi_choice_t *choice = &all->choice[c];
        double power = choice->speed / unit, share = price(all, c) / most_price;
        int rows[] = {0, ROW_POWER, ROW_MEMBERS, ROW_PRICE};
        double values[] = {0, power - p->slope / unit, 1, share};
        glpk->glp_set_col_kind(lp, c + 1, GLP_IV);
        glpk->glp_set_col_bnds(lp, c + 1, bound_kind(choice->least, choice->most), choice->least,
                               choice->most);
        glpk->glp_set_obj_coef(lp, c + 1, p->of_power ? power : share);
        glpk->glp_set_mat_col(lp, c + 1, ROWS, rows, values);
    }
}

/* The simplex method, and then branch and bound from its solution; 0, or a code of GLPK's. FOUND is
 * false when nothing is feasible. */
static int optimise(const xmpi_glpk_t *glpk, glp_prob *lp, bool *found)
{
    glp_smcp simplex;
    glp_iocp integer;
    *found = false;
    glpk->glp_init_smcp(&simplex);
    glpk->glp_init_iocp(&integer);
    simplex.msg_lev = integer.msg_lev = GLP_MSG_OFF;
    int code = glpk->glp_simplex(lp, &simplex);
    if (code != 0 || glpk->glp_get_status(lp) != GLP_OPT)
        return code;
    code = glpk->glp_intopt(lp, &integer);
    *found = code == 0 && glpk->glp_mip_status(lp) == GLP_OPT;
    return code;
}

/* GLPK ends the process when it has no memory; here it comes back. */
static void come_back(void *where)
{
    longjmp(*(jmp_buf *)where, 1);
}

/* One program. The environment of GLPK, which belongs to the thread, is as it was before: a program
 * that uses GLPK itself does not notice. */
static xmpi_status_t solve(const program_t *p, int *count, bool *found, xmpi_error_t *error)
{
    const xmpi_glpk_t *glpk = p->all->glpk;
    jmp_buf out_of_memory;
    bool ours = glpk->glp_init_env() == 0;
    int printing = glpk->glp_term_out(GLP_OFF);
    volatile int code = 0;
    *found = false;
    if (setjmp(out_of_memory) != 0) {
        glpk->glp_free_env(); /* GLPK is of no use any more */
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for a processor configuration");
    }
    glpk->glp_error_hook(come_back, &out_of_memory);
    glp_prob *lp = glpk->glp_create_prob();
    load(lp, p);
    code = optimise(glpk, lp, found);
    for (int c = 0; c < p->all->classes && *found; c++)
        count[c] = (int)lround(glpk->glp_mip_col_val(lp, c + 1));
    glpk->glp_delete_prob(lp);
    glpk->glp_error_hook(NULL, NULL);
    glpk->glp_term_out(printing);
    if (ours)
        glpk->glp_free_env();
    if (code == 0 || code == GLP_ENOPFS || code == GLP_ENODFS)
        return XMPI_OK;
    return xmpi_error_set(error, XMPI_ERR_INTERNAL, "GLPK: code %d for a processor configuration",
                          code);
}

#else

static xmpi_status_t solve(const program_t *p, int *count, bool *found, xmpi_error_t *error)
{
    (void)p, (void)count, (void)error;
    *found = false;
    return XMPI_ERR_INTERNAL; /* there is none to hand in */
}

#endif

/* --- the search over numbers of members ---------------------------------------------------------
 */

/* The best so far. */
typedef struct {
    const xmpi_configurations_t *all;
    const double *need; /* of the problem, INFINITY where even the strongest do not meet it */
    int *trial;
    int *best;
    bool found;
    double price;
} search_t;

/* The numbers between FIRST and LAST that are not out of the question; false: there are none. */
static bool shorten(const search_t *search, int *first, int *last)
{
    while (*first <= *last && !isfinite(search->need[*first]))
        ++*first;
    while (*first <= *last && !isfinite(search->need[*last]))
        --*last;
    return *first <= *last;
}

/* A straight line below what all of them need: members add up to their number, so that this is a
 * linear constraint too. */
static void bound_need(const search_t *search, program_t *program)
{
    int first = program->least, last = program->most;
    program->slope = first < last ? (search->need[last] - search->need[first]) / (last - first) : 0;
    program->need = INFINITY;
    for (int n = first; n <= last; n++)
        program->need = fmin(program->need, search->need[n] - program->slope * n);
}

/* Looks for something better with FIRST to LAST members. The line below their needs gives a bound;
 * where that is met by a number that needs more, the range is divided there. */
static xmpi_status_t look(search_t *search, int first, int last, xmpi_error_t *error)
{
    const xmpi_configurations_t *all = search->all;
    bool found;
    if (!shorten(search, &first, &last))
        return XMPI_OK;
    program_t program = {.all = all, .least = first, .most = last, .ceiling = INFINITY};
    bound_need(search, &program);
    xmpi_status_t status = solve(&program, search->trial, &found, error);
    if (status != XMPI_OK || !found)
        return status;
    double price = price_of(all, search->trial);
    if (search->found && price >= search->price * (1 - hair))
        return XMPI_OK;
    int n = members_of(all, search->trial);
    if (power_of(all, search->trial) >= search->need[n] * (1 - hair)) {
        memcpy(search->best, search->trial, (size_t)all->classes * sizeof *search->best);
        search->found = true;
        search->price = price;
        return XMPI_OK;
    }
    if (first == last)
        return XMPI_OK; /* by less than what GLPK can tell */
    status = look(search, n, n, error);
    if (status == XMPI_OK)
        status = look(search, first, n - 1, error);
    return status == XMPI_OK ? look(search, n + 1, last, error) : status;
}

/* Of equally good ones that with the least power: it comes nearest to the goal. */
static xmpi_status_t trim(search_t *search, xmpi_error_t *error)
{
    int n = members_of(search->all, search->best);
    bool found;
    program_t program = {search->all, n, n, search->need[n], 0, search->price, true};
    xmpi_status_t status = solve(&program, search->trial, &found, error);
    if (status == XMPI_OK && found &&
        power_of(search->all, search->trial) < power_of(search->all, search->best))
        memcpy(search->best, search->trial, (size_t)search->all->classes * sizeof *search->best);
    return status;
}

/* Numbers of members that cannot meet their need by any choice are left out from the start. */
static void narrow(const xmpi_configurations_t *all, double *need, int *scratch)
{
    for (int n = 0; n <= all->most; n++) {
        double most = n < all->least || n < 1 || !(all->need[n] < INFINITY)
                          ? -1
                          : xmpi_configurations_strongest(all->classes, all->choice, n, scratch);
        need[n] = most >= all->need[n] * (1 - hair) ? fmax(all->need[n], 1e-300) : INFINITY;
    }
}

xmpi_status_t xmpi_configurations_find(const xmpi_configurations_t *all, int *count, bool *found,
                                       xmpi_error_t *error)
{
    double *need = calloc((size_t)all->most + 1, sizeof *need);
    int *trial = calloc((size_t)all->classes + 1, sizeof *trial);
    xmpi_status_t status = need == NULL || trial == NULL ? XMPI_ERR_MEMORY : XMPI_OK;
    search_t search = {.all = all, .need = need, .trial = trial, .best = count};
    *found = false;
    if (all->glpk == NULL) {
        status = xmpi_error_set(error, XMPI_ERR_INPUT, "GLPK is not here");
    } else if (status == XMPI_OK) {
        narrow(all, need, trial);
        status = look(&search, all->least > 1 ? all->least : 1, all->most, error);
    } else {
        xmpi_error_set(error, status, "no memory for a processor configuration");
    }
    if (status == XMPI_OK && search.found)
        status = trim(&search, error);
    *found = status == XMPI_OK && search.found;
    free(need);
    free(trial);
    return status;
}

double xmpi_configurations_strongest(int classes, const xmpi_choice_t *choice, int members,
                                     int *count)
{
    double power = 0;
    int left = members;
    for (int c = 0; c < classes; c++) {
        count[c] = choice[c].least;
        left -= choice[c].least;
        power += choice[c].least * choice[c].speed;
    }
    if (left < 0)
        return -1;
    while (left > 0) {
        int best = -1;
        for (int c = 0; c < classes; c++)
            if (count[c] < choice[c].most && (best < 0 || choice[c].speed > choice[best].speed))
                best = c;
        if (best < 0)
            return -1;
        int more = choice[best].most - count[best];
        more = more < left ? more : left;
        count[best] += more;
        power += more * choice[best].speed;
        left -= more;
    }
    return power;
}
