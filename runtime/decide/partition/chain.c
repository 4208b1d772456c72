/* SPDX-License-Identifier: BSD-3-Clause
 * The probe: gives each member in turn as many rows as it can do within a makespan.
 *
 * Why it is exact in floating point: subtraction and division round monotonically, so the computed
 * time of a block never falls when a row is added at either side (a cost promises that); the greedy
 * argument needs no more. And the makespan is used in comparisons of computed times with it alone
 * (guesses decide where to look, not what is found): the smallest time that was found too long is
 * therefore the least makespan with which the probe, and so the answer, could be another. */
#include "decide/partition/chain.h"

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
    if (chain->cost != NULL)
        return end > begin ? chain->cost(chain->context, i, begin, end) : 0;
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

/* Where the block of member I should end if all rows from FROM to TO were alike; in FROM + 1 to TO.
 * (With a cost nobody knows.) */
static int64_t guess_end(const search_t *search, int i, int64_t begin, int64_t from, int64_t to)
{
    const double *prefix = search->chain->prefix;
    if (search->chain->cost != NULL)
        return from + (to - from) / 2;
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
    int64_t stride = 4;
    while (inside + 1 < outside) {
        if (guess <= inside || guess >= outside)
            guess = inside + (outside - inside) / 2;
        if (keeps(search, i, begin, guess)) {
            inside = guess;
            guess += stride;
        } else {
            outside = guess;
            guess -= stride;
        }
        if (stride < search->chain->domain)
            stride *= 2;
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

static bool has_rows(const search_t *search, int i)
{
    return search->end[i] >= begin_of(search, i) + search->chain->least;
}

static int first_without_rows(const search_t *search)
{
    int i = 0;
    while (i < search->chain->n && has_rows(search, i))
        i++;
    return i;
}

static void set_end(search_t *search, int i)
{
    const xmpi_chain_t *chain = search->chain;
    search->end[i] = i == chain->n - 1 ? chain->domain : reach(search, i, begin_of(search, i));
}

/* Gives each member all it can do, and the last one the rest. A member that cannot do the next row
 * stays without rows. Whether the last one can do it. */
static bool fill(search_t *search)
{
    const xmpi_chain_t *chain = search->chain;
    for (int i = 0; i < chain->n; i++)
        set_end(search, i);
    return keeps(search, chain->n - 1, begin_of(search, chain->n - 1), chain->domain);
}

/* Member I, the last of some without rows, must end with a row it can do, and so before those it
 * cannot do; the same holds for the members before it, as far as they are in the way. Returns the
 * member from which the ends are to be set anew, -1 if there is no such row. */
static int make_room(search_t *search, int i)
{
    for (;; i--) {
        if (search->end[i] > search->limit[i])
            search->end[i] = search->limit[i];
        if (has_rows(search, i))
            return i;
        int64_t row = last_possible_row(search, i, search->end[i]);
        if (row < 0)
            return -1;
        search->limit[i] = row + 1;
        search->limit[i - 1] = row;
    }
}

/* The same for all members at once, from the last on. It leaves little to do one by one where the
 * rows of many are in the way of others. */
static bool make_room_for_all(search_t *search)
{
    int i = search->chain->n - 2;
    while (i >= 0)
        if (has_rows(search, i))
            i--;
        else if ((i = make_room(search, i)) < 0)
            return false;
    return true;
}

/* Sets the ends anew from member I, the first without rows, on: whenever some without rows precede
 * one that can do the next row, room is made for them. Whether everyone gets a row. */
static bool settle(search_t *search, int i)
{
    const xmpi_chain_t *chain = search->chain;
    while (i >= 0 && i < chain->n) {
        set_end(search, i);
        if (i > 0 && has_rows(search, i) && !has_rows(search, i - 1))
            i = make_room(search, i - 1);
        else
            i++;
    }
    return i >= 0 && keeps(search, chain->n - 1, begin_of(search, chain->n - 1), chain->domain);
}

/* The makespan of the blocks with these ends. */
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

/* Of the block of the last member, from row BEGIN on. */
static double excess_of(const xmpi_chain_t *chain, int64_t begin, double makespan)
{
    int last = chain->n - 1;
    if (chain->cost != NULL)
        return xmpi_chain_time(chain, last, begin, chain->domain) - makespan;
    return chain->prefix[chain->domain] - chain->prefix[begin] - makespan * chain->speeds[last];
}

xmpi_probe_t xmpi_chain_probe(const xmpi_chain_t *chain, double makespan, xmpi_bracket_t bracket,
                              int64_t *limit, int64_t *end)
{
    search_t search = {chain, makespan, INFINITY, bracket.low, limit, end};
    memcpy(limit, bracket.high, (size_t)chain->n * sizeof *limit);
    bool kept = fill(&search);
    bool complete = first_without_rows(&search) == chain->n;
    int64_t begin = begin_of(&search, chain->n - 1);
    double excess = excess_of(chain, begin, makespan);
    if (kept && !complete)
        kept = make_room_for_all(&search) && fill(&search) &&
               settle(&search, first_without_rows(&search));
    return (xmpi_probe_t){.kept = kept,
                          .complete = complete,
                          .value = kept ? makespan_of(chain, end) : search.next,
                          .excess = excess};
}
