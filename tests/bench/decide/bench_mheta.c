/* SPDX-License-Identifier: BSD-3-Clause
 * The model of programs whose data do not fit: how long an evaluation and the exact search take,
 * and how far from its optimum the searches of the paper are (its ch. 4), after as many evaluations
 * as it made in a second (5.4 ms each). Scenes are drawn with the seeds that stand here. */
#define _GNU_SOURCE
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench/decide/anchors.h"
#include "decide/mheta/divide.h"
#include "decide/mheta/mheta.h"
#include "decide/partition/partition.h"

enum { RUNS = 9, SCENES = 30, MOST = 128, SECTIONS = 15, EVALUATIONS = 185 };

typedef struct {
    xmpi_mheta_program_t program;
    xmpi_mheta_node_t node[MOST];
    xmpi_mheta_link_t link[MOST * MOST];
    xmpi_mheta_t model;
    int64_t rows;
} scene_t;

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

/* Processor time: other programs may run beside it. */
static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* As Lanczos in the paper: 15 sections, of which 14 go through a large array that is only read,
 * some end with neighbours or reductions; and a small one that is read and written. */
static void set_program(xmpi_mheta_program_t *program)
{
    program->arrays = 2;
    program->array[0] = (xmpi_mheta_array_t){.row_bytes = 8000, .out = true, .uses = 14};
    program->array[1] = (xmpi_mheta_array_t){.row_bytes = 800, .out = true, .uses = 2};
    program->stages = program->sections = SECTIONS;
    for (int s = 0; s < SECTIONS; s++) {
        program->stage[s] = (xmpi_mheta_stage_t){
            1, {{.array = s > 0 ? 0 : 1, .reads = true, .writes = s == 0, .ahead = s % 2}}};
        program->section[s] = (xmpi_mheta_section_t){.stages = 1,
                                                     .pattern = s % 3 == 0 ? XMPI_MHETA_REDUCTION
                                                                           : XMPI_MHETA_NEIGHBOURS,
                                                     .sent = -1,
                                                     .message_bytes = 800};
    }
}

/* Processors that differ up to four times, memory for half to twice an equal share, disks of 50 to
 * 500 MB/s. */
static void make_scene(scene_t *scene, int n, int64_t rows, uint64_t seed)
{
    xmpi_error_t error;
    *scene = (scene_t){.rows = rows};
    set_program(&scene->program);
    for (int i = 0; i < n; i++) {
        double share = (double)rows / n * 8800, bandwidth = 50e6 * (1 + 9 * uniform(&seed));
        double row = 1e-6 * (1 + 3 * uniform(&seed));
        scene->node[i] = (xmpi_mheta_node_t){.memory = share * (0.5 + 1.5 * uniform(&seed)),
                                             .piece_rows = 128,
                                             .read_seek = 1e-3 * uniform(&seed),
                                             .write_seek = 1e-3 * uniform(&seed),
                                             .read_byte = {1 / bandwidth, 1 / bandwidth},
                                             .write_byte = {1 / bandwidth, 1 / bandwidth},
                                             .issue = 1e-5,
                                             .send = 1e-5,
                                             .receive = 1e-5};
        for (int s = 0; s < SECTIONS; s++) {
            scene->node[i].computation[s] = row;
            scene->node[i].overlap[s] = row;
        }
    }
    for (int i = 0; i < n * n; i++)
        scene->link[i] = (xmpi_mheta_link_t){5e-5, 1e-8};
    scene->model = (xmpi_mheta_t){
        .program = &scene->program, .n = n, .node = scene->node, .link = scene->link};
    if (xmpi_mheta_make(&scene->model, &error) != XMPI_OK) {
        fprintf(stderr, "bench_mheta: %s\n", error.text);
        exit(1);
    }
}

static double seconds(const void *context, int i, int64_t rows)
{
    return rows > 0 ? xmpi_mheta_alone(context, i, 0, rows) : 0;
}

static double search(const scene_t *scene, xmpi_block_t *blocks)
{
    xmpi_error_t error;
    double most = 0;
    if (xmpi_partition_costs(scene->rows, scene->model.n, xmpi_mheta_alone, &scene->model, blocks,
                             &error) != XMPI_OK) {
        fprintf(stderr, "bench_mheta: %s\n", error.text);
        exit(1);
    }
    for (int i = 0; i < scene->model.n; i++)
        most = fmax(most, seconds(&scene->model, i, blocks[i].count));
    return most;
}

static double median_search_ms(scene_t *scene, int n, int64_t rows, int with_waiting)
{
    double ms[RUNS];
    xmpi_block_t blocks[MOST];
    xmpi_error_t error;
    for (int run = 0; run < RUNS; run++) {
        make_scene(scene, n, rows, (uint64_t)run + 1);
        double start = now_us();
        if (with_waiting)
            xmpi_mheta_divide(&scene->model, rows, blocks, &error);
        else
            search(scene, blocks);
        ms[run] = (now_us() - start) / 1e3;
    }
    qsort(ms, RUNS, sizeof *ms, ascending);
    return ms[RUNS / 2];
}

static double median_evaluation_us(scene_t *scene)
{
    enum { N = 8, TIMES = 200 };
    double us[RUNS], clock[3 * N], sum = 0;
    xmpi_block_t blocks[N];
    for (int run = 0; run < RUNS; run++) {
        make_scene(scene, N, 100000, (uint64_t)run + 1);
        search(scene, blocks);
        double start = now_us();
        for (int k = 0; k < TIMES; k++)
            sum += xmpi_mheta_iteration(&scene->model, blocks, clock, NULL);
        us[run] = (now_us() - start) / TIMES;
    }
    if (!(sum > 0))
        exit(1);
    qsort(us, RUNS, sizeof *us, ascending);
    return us[RUNS / 2];
}

/* Mean percentage by which what is found takes longer than the optimum. */
static double gap(scene_t *scene, double (*find)(anchor_t *))
{
    double sum = 0;
    xmpi_block_t blocks[MOST];
    for (int k = 0; k < SCENES; k++) {
        make_scene(scene, 8, 100000, 100 + (uint64_t)k);
        anchor_t anchor = {.n = 8,
                           .rows = scene->rows,
                           .seconds = seconds,
                           .context = &scene->model,
                           .seed = 7 + (uint64_t)k,
                           .evaluations = EVALUATIONS};
        double best = search(scene, blocks);
        sum += 100 * (find(&anchor) / best - 1) / SCENES;
    }
    return sum;
}

int main(void)
{
    scene_t *scene = malloc(sizeof *scene);
    if (scene == NULL)
        return 1;
    printf("figure\tmheta.evaluation.us\t%.2f\tus\n", median_evaluation_us(scene));
    printf("figure\tmheta.search128.ms\t%.3f\tms\n", median_search_ms(scene, 128, 1000000, 0));
    printf("figure\tmheta.divide8.ms\t%.3f\tms\n", median_search_ms(scene, 8, 100000, 1));
    printf("figure\tmheta.gbs.gap_percent\t%.2f\t%%\n", gap(scene, anchor_gbs));
    printf("figure\tmheta.gs.gap_percent\t%.2f\t%%\n", gap(scene, anchor_gs));
    printf("figure\tmheta.ga.gap_percent\t%.2f\t%%\n", gap(scene, anchor_ga));
    printf("figure\tmheta.sa.gap_percent\t%.2f\t%%\n", gap(scene, anchor_sa));
    free(scene);
    return 0;
}
