/* SPDX-License-Identifier: BSD-3-Clause
 * MHETA beside reality (Nakazawa 2005, ch. 6): the programs of structures.h run on the emulated
 * clusters of architectures.h, with one instrumented iteration in equal blocks, from which the time
 * of all layouts is predicted, and then in the layouts from Blk over I-C, I-C/Bal and Bal back to
 * Blk, points between them included, and in the one that is predicted to be best. Then the searches
 * of the paper beside the exact one, on the same models.
 *
 * Usage: spectra [ARCHITECTURE...]: those alone. The file spectra in the folder of the measurement
 * has a line for each layout: architecture, program, layout, and the predicted and the measured
 * milliseconds of an iteration. */
#define _GNU_SOURCE
#include "bench/decide/anchors.h"
#include "bench/papers/architectures.h"
#include "bench/measure.h"
#include "bench/papers/structures.h"

#include "decide/mheta/divide.h"
#include "decide/mheta/layouts.h"

enum { ROWS = 480, ITERATIONS = 5, BETWEEN = 2, LIMIT = 300, POINTS = 4 * (BETWEEN + 1) + 1 };

static const double kappa = 5e-5;

/* The searches of the paper, those that go by chance with as many evaluations as it made in 50 ms
 * and in a second (5.4 ms each). */
enum { SEARCHES = 6 };

static const struct {
    const char *name;
    double (*find)(anchor_t *);
    int evaluations;
} search[SEARCHES] = {
    {"gbs", anchor_gbs, 0},    {"gs", anchor_gs, 0},      {"ga_50ms", anchor_ga, 9},
    {"ga_1s", anchor_ga, 185}, {"sa_50ms", anchor_sa, 9}, {"sa_1s", anchor_sa, 185},
};

/* What was found of some cases. */
typedef struct {
    double error; /* sum, as shares */
    int errors;   /* so many */
    series_t gap; /* by how much the layout that is predicted to be the best of the spectrum
                     takes longer than the best, percent */
    series_t searched[SEARCHES]; /* by how much what is found takes longer than the exact search's,
                                    without waiting, percent */
    series_t over, range; /* the chosen layout by the best of the four; the worst by the best */
} found_t;

typedef struct {
    architecture_t architecture;
    structure_t structure;
    xmpi_mheta_node_t node[NODES];
    xmpi_mheta_link_t link[NODES * NODES];
    xmpi_mheta_t model;
    int points;
    struct {
        char name[32];
        xmpi_block_t block[NODES];
        double predicted, measured;
        bool named; /* one of the four */
    } point[POINTS];
} scene_t;

static char *dir;

/* --- the cluster --------------------------------------------------------------------------------
 */

static double share_of_rows(const structure_t *structure)
{
    return (double)ROWS / NODES * structure->program.arrays * STRUCTURE_ROW;
}

/* In whole pages, as sysconf tells it. */
static double memory_of(const scene_t *scene, int i)
{
    double page = (double)sysconf(_SC_PAGESIZE);
    double bytes = scene->architecture.memory[i] * share_of_rows(&scene->structure);
    return floor(bytes / page) * page;
}

/* The class of each node is its own: p1, p2, ... Returns their speeds, as EMU_SPEEDS has them. */
static char *write_machines(const scene_t *scene)
{
    char *machines = NULL, *speeds = NULL;
    size_t length[2];
    FILE *file = open_memstream(&machines, &length[0]), *list = open_memstream(&speeds, &length[1]);
    if (file == NULL || list == NULL)
        measure_fail("there is not enough memory");
    for (int i = 0; i < NODES; i++) {
        const architecture_t *a = &scene->architecture;
        /* half a page more, which decimals may take */
        fprintf(file, "n%d:p%d:1:0::%.9f:%.9g:%.9g\n", i, i,
                (memory_of(scene, i) + 2048) / (1 << 20), a->bandwidth[i], a->latency[i]);
        fprintf(list, "%sp%d=%.9g", i > 0 ? "," : "", i, a->speed[i]);
    }
    if (fclose(file) != 0 || fclose(list) != 0)
        measure_fail("there is not enough memory");
    measure_write(dir, "machines", machines);
    free(machines);
    return speeds;
}

static void build(void)
{
    free(measure_run(
        dir, LIMIT,
        measure_text("'%s/tests/cluster/build_pace' pace_synthetic.c && "
                     "'%s/bin/mpicc' -O2 -I '%s/tests' -I '%s/runtime' "
                     "'%s/tests/bench/programs/sections.c' '%s/tests/bench/programs/compute.c' "
                     "pace.o -Wl,--wrap=compute -ldl -lm -lpthread -o sections && "
                     "cc -O2 -shared -fPIC '%s/tests/cluster/emulation/disk.c' -o disk.so -lm",
                     source_dir(), build_dir(), source_dir(), source_dir(), source_dir(),
                     source_dir(), source_dir())));
}

/* What the program prints when it plays the file "layouts". */
static char *play(const scene_t *scene, const char *speeds)
{
    return measure_run(
        dir, LIMIT,
        measure_text("rm -rf shared disk && mkdir disk && EMU_SPEEDS=%s EMU_KAPPA=%g "
                     "EMU_PRELOAD=\"$PWD/disk.so\" EMU_DISKS=\"$PWD/shared\" "
                     "EMU_DISK_DIR=\"$PWD/disk\" %s '%s/tests/cluster/run' -m machines -n %d -- "
                     "./sections %s %d %d layouts",
                     speeds, kappa, measure_priority(), source_dir(), NODES, scene->structure.name,
                     ROWS, ITERATIONS));
}

/* --- the instrumented iteration (5.2.1) --------------------------------------------------------
 */

/* Seconds of a byte: what is not the seek. Where it is read ahead the seek is done meanwhile, too,
 * so that it belongs to what may be hidden: the mean of the pieces. */
static double byte_seconds(double bytes, double seconds, double calls, double seek)
{
    return bytes > 0 ? fmax(0, seconds - calls * seek) / bytes : 0;
}

static void take_stage(scene_t *scene, int i, int s, const double *value)
{
    const xmpi_mheta_stage_t *stage = &scene->structure.program.stage[s];
    xmpi_mheta_node_t *node = &scene->node[i];
    node->computation[s] = node->overlap[s] = value[0] / ((double)ROWS / NODES);
    for (int a = 0; a < stage->accesses; a++) {
        int array = stage->access[a].array;
        if (stage->access[a].reads)
            node->read_byte[array] = byte_seconds(value[1], value[2], value[3], node->read_seek);
        if (stage->access[a].writes)
            node->write_byte[array] = byte_seconds(value[4], value[5], value[6], node->write_seek);
    }
}

static bool reads_ahead(const scene_t *scene)
{
    return scene->structure.program.stage[0].access[0].ahead;
}

static void take_node(scene_t *scene, int i, const double *value)
{
    xmpi_mheta_node_t *node = &scene->node[i];
    *node = (xmpi_mheta_node_t){.memory = memory_of(scene, i),
                                .piece_rows = STRUCTURE_PIECE,
                                .read_seek = reads_ahead(scene) ? 0 : value[0],
                                .write_seek = value[1],
                                .issue = value[2]};
    for (int k = 0; k < NODES; k++)
        scene->link[i * NODES + k].latency = value[3];
}

/* Nodes come before their stages. */
static void take_instrumented(scene_t *scene, char *output)
{
    int taken = 0;
    for (int pass = 0; pass < 2; pass++)
        for (const char *line = output; line != NULL && *line != '\0';
             line = strchr(line, '\n') != NULL ? strchr(line, '\n') + 1 : NULL) {
            double v[7];
            int i, s;
            if (pass == 0 && sscanf(line, "node %d seek %lf %lf issue %lf message %lf", &i, &v[0],
                                    &v[1], &v[2], &v[3]) == 5) {
                take_node(scene, i, v);
                taken++;
            }
            if (pass == 1 &&
                sscanf(line, "stage %d %d computation %lf read %lf %lf %lf write %lf %lf %lf", &i,
                       &s, &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6]) == 9) {
                take_stage(scene, i, s, v);
                taken++;
            }
        }
    if (taken != NODES * (1 + scene->structure.program.stages))
        measure_fail("the instrumented iteration has not told all:\n%s", output);
}

static void instrument(scene_t *scene, const char *speeds)
{
    xmpi_error_t error = {""};
    char *layout = NULL;
    size_t length;
    FILE *file = open_memstream(&layout, &length);
    if (file == NULL)
        measure_fail("there is not enough memory");
    fprintf(file, "instrument");
    for (int i = 0; i < NODES; i++)
        fprintf(file, " %d", ROWS / NODES);
    fclose(file);
    measure_write(dir, "layouts", layout);
    free(layout);
    char *output = play(scene, speeds);
    take_instrumented(scene, output);
    free(output);
    scene->model = (xmpi_mheta_t){
        .program = &scene->structure.program, .n = NODES, .node = scene->node, .link = scene->link};
    if (xmpi_mheta_make(&scene->model, &error) != XMPI_OK)
        measure_fail("%s", error.text);
}

/* --- the spectrum (6.2.1) ----------------------------------------------------------------------
 */

static void add_point(scene_t *scene, const char *name, const xmpi_block_t *blocks, bool named)
{
    double clock[3 * NODES];
    int p = scene->points++;
    snprintf(scene->point[p].name, sizeof scene->point[p].name, "%s", name);
    memcpy(scene->point[p].block, blocks, sizeof scene->point[p].block);
    scene->point[p].named = named;
    scene->point[p].predicted = xmpi_mheta_iteration(&scene->model, blocks, clock, NULL);
}

/* PART of PARTS of the way from one layout to the other; what rounding leaves goes to the first. */
static void mix(const xmpi_block_t *from, const xmpi_block_t *to, int part, int parts,
                xmpi_block_t *mixed)
{
    int64_t sum = 0;
    for (int i = 0; i < NODES; i++) {
        mixed[i].count = (from[i].count * (parts - part) + to[i].count * part) / parts;
        sum += mixed[i].count;
    }
    for (int i = 0; sum < ROWS; i = (i + 1) % NODES, sum++)
        mixed[i].count++;
    xmpi_blocks_chain(NODES, mixed);
}

/* The best first, then those of the paper in its order, from each to the next and around. */
static void lay_out(scene_t *scene)
{
    static const xmpi_mheta_layout_t order[] = {XMPI_MHETA_BLK, XMPI_MHETA_IC, XMPI_MHETA_ICBAL,
                                                XMPI_MHETA_BAL};
    static const char *const name[] = {"Blk", "I-C", "I-C/Bal", "Bal"};
    xmpi_block_t corner[4][NODES], mixed[NODES];
    xmpi_error_t error = {""};
    if (xmpi_mheta_divide(&scene->model, ROWS, mixed, &error) != XMPI_OK)
        measure_fail("%s", error.text);
    scene->points = 0;
    add_point(scene, "chosen", mixed, false);
    for (int c = 0; c < 4; c++)
        if (xmpi_mheta_lay_out(&scene->model, order[c], ROWS, corner[c], &error) != XMPI_OK)
            measure_fail("%s: %s", name[c], error.text);
    for (int c = 0; c < 4; c++) {
        add_point(scene, name[c], corner[c], true);
        for (int k = 1; k <= BETWEEN; k++) {
            char *between = measure_text("%s+%d/%d", name[c], k, BETWEEN + 1);
            mix(corner[c], corner[(c + 1) % 4], k, BETWEEN + 1, mixed);
            add_point(scene, between, mixed, false);
            free(between);
        }
    }
}

static void measure(scene_t *scene, const char *speeds)
{
    char *layouts = NULL;
    size_t length;
    FILE *file = open_memstream(&layouts, &length);
    if (file == NULL)
        measure_fail("there is not enough memory");
    for (int p = 0; p < scene->points; p++) {
        fprintf(file, "p%d", p);
        for (int i = 0; i < NODES; i++)
            fprintf(file, " %d", (int)scene->point[p].block[i].count);
        fprintf(file, "\n");
    }
    fclose(file);
    measure_write(dir, "layouts", layouts);
    free(layouts);
    char *output = play(scene, speeds);
    for (int p = 0; p < scene->points; p++) {
        char *name = measure_text("layout p%d ", p), *at = strstr(output, name);
        if (at == NULL || sscanf(at + strlen(name), "%lf", &scene->point[p].measured) != 1)
            measure_fail("there is no line \"%s\" in:\n%s", name, output);
        free(name);
    }
    free(output);
}

/* --- what was found ----------------------------------------------------------------------------
 */

static double percent_over(double seconds, double best)
{
    return 100 * (seconds / best - 1);
}

/* The chosen layout is not of the spectrum. */
static void find(const scene_t *scene, found_t *found)
{
    int predicted = 1;
    double best = INFINITY, worst = 0, named = INFINITY;
    for (int p = 0; p < scene->points; p++) {
        double then = scene->point[p].predicted, now = scene->point[p].measured;
        found->error += fabs(then - now) / fmin(then, now);
        found->errors++;
        if (p == 0)
            continue;
        best = fmin(best, now);
        worst = fmax(worst, now);
        if (then < scene->point[predicted].predicted)
            predicted = p;
        if (scene->point[p].named)
            named = fmin(named, now);
    }
    series_add(&found->gap, percent_over(scene->point[predicted].measured, best));
    series_add(&found->over, scene->point[0].measured / named);
    series_add(&found->range, worst / best);
}

static double alone(const void *context, int i, int64_t rows)
{
    return rows > 0 ? xmpi_mheta_alone(context, i, 0, rows) : 0;
}

/* From a start by chance, as they have it. */
static void run_searches(const scene_t *scene, found_t *found)
{
    xmpi_error_t error = {""};
    xmpi_block_t blocks[NODES];
    double best = 0;
    if (xmpi_mheta_lay_out(&scene->model, XMPI_MHETA_BEST, ROWS, blocks, &error) != XMPI_OK)
        measure_fail("%s", error.text);
    for (int i = 0; i < NODES; i++)
        best = fmax(best, alone(&scene->model, i, blocks[i].count));
    for (int k = 0; k < SEARCHES; k++) {
        anchor_t anchor = {.n = NODES,
                           .rows = ROWS,
                           .seconds = alone,
                           .context = &scene->model,
                           .seed = 7,
                           .evaluations = search[k].evaluations};
        series_add(&found->searched[k], percent_over(search[k].find(&anchor), best));
    }
}

static void write_points(const scene_t *scene, FILE *file)
{
    for (int p = 0; p < scene->points; p++)
        fprintf(file, "%s %s %s %.3f %.3f\n", scene->architecture.name, scene->structure.name,
                scene->point[p].name, 1e3 * scene->point[p].predicted,
                1e3 * scene->point[p].measured);
    fflush(file);
}

static double most(const series_t *series)
{
    double found = -INFINITY;
    for (int i = 0; i < series->n; i++)
        found = fmax(found, series->value[i]);
    return found;
}

static double accuracy(const found_t *found)
{
    return 100 * (1 - found->error / found->errors);
}

static void figure_of(const char *program, const char *what, double value, const char *unit)
{
    char *name = measure_text("mheta.%s.%s", program, what);
    measure_figure(name, value, unit);
    free(name);
}

static void print(const found_t *found)
{
    double sum = 0, worst = 100, gap = 0, over = 0;
    for (int s = 0; s < STRUCTURES; s++) {
        const char *program = structure_make(s).name;
        double mean = accuracy(&found[s]);
        figure_of(program, "accuracy_percent", mean, "%");
        figure_of(program, "best_gap_percent", most(&found[s].gap), "%");
        figure_of(program, "over_best", most(&found[s].over), "ratio");
        figure_of(program, "worst_by_best", most(&found[s].range), "ratio");
        sum += mean;
        worst = fmin(worst, mean);
        gap = fmax(gap, most(&found[s].gap));
        over = fmax(over, most(&found[s].over));
    }
    measure_figure("mheta.mean_percent", sum / STRUCTURES, "%");
    measure_figure("mheta.worst_percent", worst, "%");
    measure_figure("mheta.best_gap_percent", gap, "%");
    measure_figure("mheta.over_best", over, "ratio");
}

static void print_searches(found_t *found)
{
    for (int k = 0; k < SEARCHES; k++) {
        series_t all = {0};
        for (int s = 0; s < STRUCTURES; s++)
            for (int i = 0; i < found[s].searched[k].n; i++)
                series_add(&all, found[s].searched[k].value[i]);
        char *name = measure_text("mheta.%s.median_gap_percent", search[k].name);
        measure_figure(name, series_median(&all), "%");
        free(name);
        series_free(&all);
    }
}

static bool is_asked_for(int argc, char **argv, const char *name)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return true;
    return argc == 1;
}

int main(int argc, char **argv)
{
    static found_t found[STRUCTURES];
    static scene_t scene;
    dir = measure_begin("spectra");
    char *name = measure_text("%s/spectra", dir);
    FILE *file = fopen(name, "w");
    if (file == NULL)
        measure_fail("%s: cannot be written", name);
    build();
    for (int a = 0; a < ARCHITECTURES; a++) {
        scene.architecture = architecture_make(a);
        if (!is_asked_for(argc, argv, scene.architecture.name))
            continue;
        for (int s = 0; s < STRUCTURES; s++) {
            scene.structure = structure_make(s);
            char *speeds = write_machines(&scene);
            instrument(&scene, speeds);
            lay_out(&scene);
            measure(&scene, speeds);
            find(&scene, &found[s]);
            run_searches(&scene, &found[s]);
            write_points(&scene, file);
            free(speeds);
        }
    }
    fclose(file);
    if (found[0].errors == 0)
        measure_fail("there is no such architecture");
    print(found);
    print_searches(found);
    free(name);
    free(dir);
    return 0;
}
