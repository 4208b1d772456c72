/* SPDX-License-Identifier: BSD-3-Clause
 * The probe: gives each member in turn as many rows as it can do within a makespan.
 *
 * Why it is exact in floating point: subtraction and division round monotonically, so the computed
 * time of a block never falls when a row is added at either side; the greedy argument needs no
 * more. And the makespan is used in comparisons of computed times with it alone (guesses decide
 * where to look, not what is found): the smallest time that was found too long is therefore the
 * least makespan with which the probe, and so the answer, could be another. */
#include "decide/chain.h"

#include <math.h>
#include <string.h>

typedef struct {
    const xmpi_chain_t *chain;
    double makespan;
    double next; /* the smallest time found to be longer than MAKESPAN */
    const int64_t *low;
    int64_t *limit; /* the largest end that is still possible for each member */
    int64_t *end;
} search_t;

double xmpi_chain_time(const xmpi_chain_t *chain, int i, int64_t begin, int64_t end)
{
    return (chain->prefix[end] - chain->prefix[begin]) / chain->speeds[i];
}

void xmpi_chain_limits(const xmpi_chain_t *chain, int64_t *limits)
{
    for (int i = 0; i < chain->n; i++)
        limits[i] = chain->domain - chain->least * (chain->n - 1 - i);
}

static int64_t begin_of(const search_t *search, int i)
{
    return i == 0 ? 0 : search->end[i - 1];
}

static bool keeps(search_t *search, int i, int64_t begin, int64_t end)
{
    double time = xmpi_chain_time(search->chain, i, begin, end);
    if (time <= search->makespan)
        return true;
    if (time < search->next)
        search->next = time;
    return false;
}

/* Where the block of member I should end if all rows from FROM to TO were alike; in FROM + 1 to
 * TO. */
static int64_t guess_end(const search_t *search, int i, int64_t begin, int64_t from, int64_t to)
{
    const double *prefix = search->chain->prefix;
    double room = prefix[begin] + search->makespan * search->chain->speeds[i] - prefix[from];
    double work = prefix[to] - prefix[from];
    if (!(room < work))
        return to;
    if (room <= 0)
        return from + 1;
    int64_t guess = from + (int64_t)(room / work * (double)(to - from));
    return guess > from ? guess : from + 1;
}

/* The largest end of a block of member I from row BEGIN on. Strides of growing length from the
 * guess until the end is passed, then halves: the guess is good, and memory is far away. */
static int64_t reach(search_t *search, int i, int64_t begin)
{
    int64_t inside = search->low[i] > begin ? search->low[i] : begin;
    int64_t outside = search->limit[i] + 1;
    if (inside + 1 >= outside)
        return inside;
    int64_t guess = guess_end(search, i, begin, inside, outside - 1);
    for (int64_t stride = 4; inside + 1 < outside; stride *= 2) {
        if (guess <= inside || guess >= outside)
            guess = inside + (outside - inside) / 2;
        if (keeps(search, i, begin, guess)) {
            inside = guess;
            guess += stride;
        } else {
            outside = guess;
            guess -= stride;
        }
    }
    return inside;
}

/* The last row before BEFORE that member I can do, -1 if there is none that leaves a row to each
 * member before it. */
static int64_t last_possible_row(search_t *search, int i, int64_t before)
{
    int64_t row = before - 1;
    while (row >= i && !keeps(search, i, row, row + 1))
        row--;
    return row >= i ? row : -1;
}

/* Gives each member from FIRST on all it can do, and the last one the rest. A member that cannot do
 * the next row stays without any for now. Whether the last one can do it. */
static bool fill(search_t *search, int first)
{
    const xmpi_chain_t *chain = search->chain;
    for (int i = first; i < chain->n - 1; i++)
        search->end[i] = reach(search, i, begin_of(search, i));
    search->end[chain->n - 1] = chain->domain;
    return keeps(search, chain->n - 1, begin_of(search, chain->n - 1), chain->domain);
}

static bool all_have_rows(const search_t *search)
{
    for (int i = 0; i < search->chain->n; i++)
        if (search->end[i] < begin_of(search, i) + search->chain->least)
            return false;
    return true;
}

/* From the last member to the first: one without a row must end with one it can do, and so before
 * the rows it cannot do; those before it make room. Returns the first member whose limit fell, -1
 * if there is no such row. */
static int make_room(search_t *search)
{
    int first = search->chain->n;
    for (int i = search->chain->n - 2; i >= 0; i--) {
        if (search->end[i] > search->limit[i])
            search->end[i] = search->limit[i];
        if (search->end[i] > begin_of(search, i))
            continue;
        int64_t row = last_possible_row(search, i, search->end[i]);
        if (row < 0)
            return -1;
        search->limit[i] = row + 1;
        first = i;
        if (i > 0 && search->limit[i - 1] > row)
            search->limit[--first] = row;
    }
    return first;
}

static double makespan_of(const xmpi_chain_t *chain, const int64_t *end)
{
    double makespan = 0;
    for (int i = 0; i < chain->n; i++) {
        double time = xmpi_chain_time(chain, i, i == 0 ? 0 : end[i - 1], end[i]);
        if (time > makespan)
            makespan = time;
    }
    return makespan;
}

xmpi_probe_t xmpi_chain_probe(const xmpi_chain_t *chain, double makespan, xmpi_bracket_t bracket,
                              int64_t *limit, int64_t *end)
{
    search_t search = {chain, makespan, INFINITY, bracket.low, limit, end};
    int last = chain->n - 1;
    memcpy(limit, bracket.high, (size_t)chain->n * sizeof *limit);
    bool kept = fill(&search, 0);
    bool complete = all_have_rows(&search);
    for (int first = 0; kept && !all_have_rows(&search);) {
        first = make_room(&search);
        kept = first >= 0 && fill(&search, first);
    }
    return (xmpi_probe_t){.kept = kept,
                          .complete = complete,
                          .value = kept ? makespan_of(chain, end) : search.next,
                          .excess = chain->prefix[chain->domain] - chain->prefix[begin_of(&search, last)] -
                                    makespan * chain->speeds[last]};
}
