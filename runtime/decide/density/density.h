/* SPDX-License-Identifier: BSD-3-Clause
 * Density: the work of rows, where it differs and nobody has said so. From the times of one layout
 * nobody can tell a slow processor from heavy rows, and policies go by the speeds of PEs (thesis
 * Alg. 5). When the blocks have changed, speeds alone foretell what each member takes; where two or
 * more take something else, by much or again and again, rows differ. From then on both are sought
 * that explain all layouts seen: a density that is constant between the borders there have been,
 * and a speed for each PE. As borders move to where the work is found, each layout makes it finer
 * there.
 *
 * What an earlier run has learnt, a profile tells: then that density is where fitting begins.
 *
 * Where hardware counts the work, blocks of different work per row tell at once. */
#ifndef XMPI_DECIDE_DENSITY_DENSITY_H
#define XMPI_DECIDE_DENSITY_DENSITY_H

#include <stdbool.h>

#include "decide/density/fit.h"
#include "decide/layout/layout.h"
#include "decide/layout/resources.h"
#include "decide/model/profile.h"
#include "decide/model/sample.h"

/* So many layouts are kept. */
enum { XMPI_DENSITY_LAYOUTS = 8 };

/* What a leader knows of it. Plain data but for what was seen; all zeros at first. */
typedef struct {
    bool differs;   /* rows differ in work */
    bool counted;   /* which the counter of work tells */
    bool exhausted; /* and yet no layout was better than BEST for a while: the work wanders */
    int odd;        /* changes in a row in which they seemed to */
    int tried;      /* layouts since BEST */
    double behind;  /* by how much they were slower than BEST would have been, logarithms */
    int given_up;   /* how often it has come to that */
    int rested;     /* intervals since */
    double best;    /* how many times as long as the mean the slowest member of the best layout
                       since they differ takes; 0: none yet */
    bool moved;     /* the last interval that was taken in is the first one of its layout */
    int layouts;    /* kept, of MEMBERS blocks each */
    int members;
    int seen_blocks;
    xmpi_seen_block_t *seen; /* malloc: the oldest layout first */
    int best_blocks;
    xmpi_block_t *best_block; /* malloc: of the best layout */
    bool known;               /* from an earlier run: the shares of the work before parts of the */
    double before[XMPI_PROFILE_PARTS + 1]; /* domain (decide/model/profile.h) */
} xmpi_density_t;

/* The loop begins, and rows weigh what PROFILE has of them, as far as times do not say otherwise.
 */
void xmpi_density_begin(xmpi_density_t *density, const xmpi_profile_t *profile);

/* Takes in an interval of LAYOUT's members, whose samples are in rank order, unless one of them had
 * its PE for less than half of the time. TOLD: their work is what is said of the rows; nothing has
 * counted it. XMPI_ERR_MEMORY leaves it as it was. */
xmpi_status_t xmpi_density_note(xmpi_density_t *density, const xmpi_layout_t *layout,
                                const xmpi_resources_t *resources, const xmpi_sample_t *samples,
                                bool told);

/* Compares the newest layout with what the best one would take, as rows weigh by the sums PREFIX.
 */
void xmpi_density_judge(xmpi_density_t *density, const double *prefix);

/* Rows differ, and from now on are to be weighed by what was seen and is going to be. */
void xmpi_density_begin_learning(xmpi_density_t *density);

/* The DOMAIN + 1 prefix sums of the weights of rows that are found, in rows of mean weight.
 * XMPI_ERR_INPUT where rows do not differ as far as is known. */
xmpi_status_t xmpi_density_prefix(const xmpi_density_t *density, int64_t domain, double *prefix);

/* Forgets all. */
void xmpi_density_free(xmpi_density_t *density);

#endif
