/* SPDX-License-Identifier: BSD-3-Clause
 * Told: whether rows weigh what is said of them. */
#include "decide/density/told.h"

#include <math.h>

/* Changes that are looked at, at least; and the share of what was seen before that counts with the
 * next one, as work may become something else. */
enum { FEWEST = 4 };
static const double kept = 0.9;

/* Weights are mistaken where what they miss is more than half of what they say, and more than
 * blocks differ by their places and by chance; unless it is plain, by so many standard errors, that
 * they say something which the number of rows does not, about as much as there is of it: then what
 * they miss is something else. */
static const double good_share = 0.5, tolerated = 0.05, plain = 3, right_most = 2;

/* What is left of the sum of SQUARES of N numbers when what they have in common, a part of their
 * SUM, is taken out. */
static double apart(double squares, double sum, int n)
{
    return fmax(0, squares - sum * sum / n);
}

static bool is_seen(const xmpi_seen_block_t *block)
{
    return block->work > 0 && !block->brief;
}

static bool can_be_compared(const xmpi_seen_block_t *last, const xmpi_seen_block_t *now, int n)
{
    for (int i = 0; i < n; i++)
        if (last[i].pe != now[i].pe || !is_seen(&last[i]) || !is_seen(&now[i]))
            return false;
    return true;
}

static void add(xmpi_told_t *told, const xmpi_seen_block_t *last, const xmpi_seen_block_t *now,
                int n)
{
    enum { SAID, MISSED, UNEVEN, APART, SUMS };
    double squares[SUMS] = {0}, sum[SUMS] = {0};
    for (int i = 0; i < n; i++) {
        double said = log(now[i].work / last[i].work);
        double rows = log((double)now[i].block.count / (double)last[i].block.count);
        double changed = log(now[i].seconds / last[i].seconds);
        const double each[SUMS] = {said, changed - said, changed - rows, said - rows};
        for (int k = 0; k < SUMS; k++) {
            squares[k] += each[k] * each[k];
            sum[k] += each[k];
        }
    }
    told->changes++;
    told->blocks = kept * told->blocks + n;
    told->said = kept * told->said + apart(squares[SAID], sum[SAID], n);
    told->missed = kept * told->missed + apart(squares[MISSED], sum[MISSED], n);
    told->uneven = kept * told->uneven + apart(squares[UNEVEN], sum[UNEVEN], n);
    told->apart = kept * told->apart + apart(squares[APART], sum[APART], n);
}

/* Whether what rows miss is what weights say otherwise than rows do, and something else: the line
 * through 0 of the one over the other rises by about 1, and plainly. By much more it rises where
 * weights differ from rows by chance, and both miss most where most rows move. */
static bool say_more_than_rows(const xmpi_told_t *told)
{
    if (!(told->apart > 0))
        return false;
    double slope = (told->uneven - told->missed + told->apart) / 2 / told->apart;
    double error = sqrt(told->missed / told->blocks / told->apart);
    return slope > plain * error && slope < right_most;
}

bool xmpi_told_note(xmpi_told_t *told, const xmpi_density_t *density)
{
    int n = density->members;
    if (!density->moved || told->mistaken)
        return false;
    const xmpi_seen_block_t *now = &density->seen[(density->layouts - 1) * n], *last = now - n;
    if (!can_be_compared(last, now, n))
        return false;
    add(told, last, now, n);
    told->mistaken = told->changes >= FEWEST && told->missed > good_share * told->said &&
                     told->missed > tolerated * tolerated * told->blocks &&
                     !say_more_than_rows(told);
    return told->mistaken;
}
