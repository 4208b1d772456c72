/* SPDX-License-Identifier: BSD-3-Clause
 * The programs of the paper (Nakazawa 2005, ch. 6) as the model sees them: sections, stages and
 * arrays. What plays them (programs/sections.c) and what predicts them (spectra.c) read the same.
 * The numbers of sections, and which of them go through large arrays, are the paper's; which
 * communication ends which section, and what rows weigh, is not said there. */
#ifndef XMPI_TESTS_BENCH_STRUCTURES_H
#define XMPI_TESTS_BENCH_STRUCTURES_H

#include <string.h>

#include "decide/mheta/mheta.h"

typedef struct {
    const char *name;
    int work[XMPI_MHETA_STAGES]; /* units for each row */
    xmpi_mheta_program_t program;
} structure_t;

enum { STRUCTURES = 5, STRUCTURE_ROW = 4096, STRUCTURE_PIECE = 6 };

static inline void structure_array(structure_t *s, double uses)
{
    s->program.array[s->program.arrays++] =
        (xmpi_mheta_array_t){.row_bytes = STRUCTURE_ROW, .out = true, .uses = uses};
}

/* A section of one stage, which reads one array (-1: none) and writes another one. */
static inline void structure_section(structure_t *s, int work, int read, int written, bool ahead,
                                     xmpi_mheta_pattern_t pattern, int tiles)
{
    xmpi_mheta_program_t *p = &s->program;
    xmpi_mheta_stage_t *stage = &p->stage[p->stages];
    s->work[p->stages++] = work;
    if (read >= 0)
        stage->access[stage->accesses++] = (xmpi_mheta_access_t){
            .array = read, .reads = true, .writes = read == written, .ahead = ahead};
    if (written >= 0 && written != read)
        stage->access[stage->accesses++] = (xmpi_mheta_access_t){.array = written, .writes = true};
    p->section[p->sections++] = (xmpi_mheta_section_t){
        .stages = 1, .pattern = pattern, .sent = -1, .message_bytes = 8, .tiles = tiles};
}

/* Jacobi: B = f(A), and A = f(B). */
static inline void structure_jacobi(structure_t *s, bool ahead)
{
    structure_array(s, 2);
    structure_array(s, 2);
    structure_section(s, 4, 0, 1, ahead, XMPI_MHETA_NEIGHBOURS, 0);
    structure_section(s, 4, 1, 0, ahead, XMPI_MHETA_NEIGHBOURS, 0);
}

/* CG: 7 sections, of which 2 go through the matrix, that is only read. */
static inline void structure_cg(structure_t *s)
{
    structure_array(s, 2);
    for (int i = 0; i < 7; i++)
        structure_section(s, i % 4 == 0 ? 4 : 1, i % 4 == 0 ? 0 : -1, -1, false,
                          i % 4 == 0 ? XMPI_MHETA_NEIGHBOURS : XMPI_MHETA_REDUCTION, 0);
}

/* Lanczos: 15 sections, of which 14 go through the matrix. */
static inline void structure_lanczos(structure_t *s)
{
    structure_array(s, 14);
    for (int i = 0; i < 15; i++)
        structure_section(s, 2, i > 0 ? 0 : -1, -1, false,
                          i % 3 == 0 ? XMPI_MHETA_REDUCTION : XMPI_MHETA_NEIGHBOURS, 0);
}

/* RNA: a pipeline over an array that is read and written, and a reduction. */
static inline void structure_rna(structure_t *s)
{
    structure_array(s, 1);
    structure_section(s, 8, 0, 0, false, XMPI_MHETA_PIPELINE, 5);
    structure_section(s, 1, -1, -1, false, XMPI_MHETA_REDUCTION, 0);
}

static inline structure_t structure_make(int which)
{
    static const char *const name[STRUCTURES] = {"jacobi", "prefetch", "cg", "lanczos", "rna"};
    structure_t s = {.name = name[which]};
    if (which < 2)
        structure_jacobi(&s, which == 1);
    else if (which == 2)
        structure_cg(&s);
    else if (which == 3)
        structure_lanczos(&s);
    else
        structure_rna(&s);
    return s;
}

#endif
