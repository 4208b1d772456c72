/* SPDX-License-Identifier: BSD-3-Clause
 * Tests of the model of programs whose data do not fit in memory: cases computed by hand from the
 * equations of the paper, and properties of its divisions. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decide/mheta/divide.h"
#include "decide/mheta/layouts.h"
#include "decide/mheta/mheta.h"
#include "decide/partition/partition.h"

enum { MEMBERS = 4, ROWS = 14 };

static void assert_near(double a, double b, double bound)
{
    if (!(fabs(a - b) <= bound))
        fail_msg("%.17g, expected %.17g", a, b);
}

typedef struct {
    xmpi_mheta_program_t program;
    xmpi_mheta_node_t node[MEMBERS];
    xmpi_mheta_link_t link[MEMBERS * MEMBERS];
    xmpi_mheta_t model;
} scene_t;

static void make(scene_t *scene, int n)
{
    xmpi_error_t error;
    scene->model = (xmpi_mheta_t){
        .program = &scene->program, .n = n, .node = scene->node, .link = scene->link};
    assert_int_equal(xmpi_mheta_make(&scene->model, &error), XMPI_OK);
}

/* An array of 8 bytes a row that one stage reads and writes; pieces of 25 rows. */
static void one_array(scene_t *scene, int n)
{
    *scene =
        (scene_t){.program = {.arrays = 1,
                              .stages = 1,
                              .sections = 1,
                              .array = {{.row_bytes = 8, .out = true, .uses = 1}},
                              .stage = {{.accesses = 1,
                                         .access = {{.array = 0, .reads = true, .writes = true}}}},
                              .section = {{.stages = 1, .sent = -1}}}};
    for (int i = 0; i < n; i++)
        scene->node[i] = (xmpi_mheta_node_t){.memory = 400,
                                             .piece_rows = 25,
                                             .read_seek = 3,
                                             .write_seek = 5,
                                             .read_byte = {0.25},
                                             .write_byte = {0.5},
                                             .issue = 0.125,
                                             .computation = {2},
                                             .send = 7,
                                             .receive = 11};
    make(scene, n);
}

/* Equation 5.1: N_L [(O_r + T_r) + (O_w + T_w)], in core 0. */
static void pieces_are_read_and_written(void **state)
{
    (void)state;
    scene_t scene;
    one_array(&scene, 1);
    double piece_read = 25 * 8 * 0.25, piece_written = 25 * 8 * 0.5;
    assert_near(xmpi_mheta_io(&scene.model, 0, 0, 100, 0),
                4 * ((3 + piece_read) + (5 + piece_written)), 1e-9);
    /* what is left for the last piece is one more access, and as many bytes as it has */
    assert_near(xmpi_mheta_io(&scene.model, 0, 0, 101, 0), 5 * (3 + 5) + 101 * 8 * (0.25 + 0.5),
                1e-9);
    assert_near(xmpi_mheta_io(&scene.model, 0, 0, 100, 1), 0, 0);
    scene.program.stage[0].access[0].writes = false;
    assert_near(xmpi_mheta_io(&scene.model, 0, 0, 100, 0), 4 * (3 + piece_read), 1e-9);
    /* and the computation, T_phi W' / W */
    assert_near(xmpi_mheta_alone(&scene.model, 0, 50, 150), 200 + 4 * (3 + piece_read), 1e-9);
}

/* Of 100 rows in three tiles there are 33, 33 and 34, two pieces each; in four, one each. */
static void pieces_end_with_their_tiles(void **state)
{
    (void)state;
    scene_t scene;
    static const struct {
        int tiles, rows, pieces;
    } some[] = {{1, 100, 4}, {3, 100, 6}, {4, 100, 4}, {4, 101, 5}, {7, 3, 3}};
    one_array(&scene, 1);
    scene.program.section[0].pattern = XMPI_MHETA_PIPELINE;
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
        scene.program.section[0].tiles = some[k].tiles;
        make(&scene, 1);
        assert_near(xmpi_mheta_io(&scene.model, 0, 0, some[k].rows, 0),
                    some[k].pieces * (3 + 5) + some[k].rows * 8 * (0.25 + 0.5), 1e-9);
    }
}

/* Equation 5.2: N_L (O_r + O_A + O_w + T_w) + T_r + (N_L - 1) T_s, T_s = max(0, T_r - T_A). */
static void pieces_are_read_ahead(void **state)
{
    (void)state;
    scene_t scene;
    one_array(&scene, 1);
    double read = 25 * 8 * 0.25, written = 25 * 8 * 0.5;
    scene.program.stage[0].access[0].ahead = true;
    scene.node[0].overlap[0] = 0.5; /* T_A = 12.5 of a piece */
    assert_near(xmpi_mheta_io(&scene.model, 0, 0, 100, 0),
                4 * (3 + 0.125 + 5 + written) + read + 3 * (read - 12.5), 1e-9);
    scene.node[0].overlap[0] = 3; /* all is hidden, but the first piece */
    assert_near(xmpi_mheta_io(&scene.model, 0, 0, 100, 0), 4 * (3 + 0.125 + 5 + written) + read,
                1e-9);
}

/* One disk reads two arrays one after the other: T_A of 3 a row hides as much of 2 + 2 a row. */
static void computation_hides_its_time_once(void **state)
{
    (void)state;
    scene_t scene;
    one_array(&scene, 1);
    xmpi_mheta_stage_t *stage = &scene.program.stage[0];
    scene.program.arrays = stage->accesses = 2;
    scene.program.array[1] = scene.program.array[0];
    stage->access[0] = (xmpi_mheta_access_t){.array = 0, .reads = true, .ahead = true};
    stage->access[1] = (xmpi_mheta_access_t){.array = 1, .reads = true, .ahead = true};
    scene.node[0].read_byte[1] = 0.25;
    scene.node[0].overlap[0] = 3;
    make(&scene, 1);
    assert_near(xmpi_mheta_io(&scene.model, 0, 0, 100, 0),
                2 * 4 * (3 + 0.125) + 25 * 4 + 75 * (4 - 3), 1e-9);
}

/* Memory of 400 bytes has room for 50 rows of 8, of which 30 come and go: 20 stay. What is read and
 * written of the others takes one disk, which computing hides as far as it goes; the first piece is
 * waited for. */
static void some_rows_of_paged_arrays_stay(void **state)
{
    (void)state;
    scene_t scene;
    one_array(&scene, 1);
    scene.program.array[0].paged = true;
    scene.program.stage[0].access[0].ahead = true;
    scene.node[0].passing_rows = 30;
    scene.node[0].read_seek = scene.node[0].write_seek = scene.node[0].issue = 0;
    scene.node[0].overlap[0] = 1;
    make(&scene, 1);
    double read = 8 * 0.25, written = 8 * 0.5;
    assert_int_equal(xmpi_mheta_in_core(&scene.model, 0, 50), 1);
    assert_int_equal(xmpi_mheta_in_core(&scene.model, 0, 51), 0);
    assert_near(xmpi_mheta_io(&scene.model, 0, 0, 100, 0),
                25 * read + 80 * (read + written) - 25 * read - 75, 1e-9);
    scene.node[0].overlap[0] = 20; /* all of it */
    assert_near(xmpi_mheta_io(&scene.model, 0, 0, 100, 0), 25 * read, 1e-9);
    scene.program.stage[0].access[0].reads = 2; /* passes */
    assert_near(xmpi_mheta_io(&scene.model, 0, 0, 100, 0), 25 * 2 * read, 1e-9);
}

/* Paged arrays are out of core together, however seldom others are used. */
static void paged_arrays_leave_memory_first(void **state)
{
    (void)state;
    scene_t scene;
    one_array(&scene, 1);
    scene.program.arrays = 3;
    scene.program.array[0] =
        (xmpi_mheta_array_t){.row_bytes = 1, .out = true, .uses = 9, .paged = true};
    scene.program.array[1] = (xmpi_mheta_array_t){.row_bytes = 2, .out = true, .uses = 1};
    scene.program.array[2] =
        (xmpi_mheta_array_t){.row_bytes = 1, .out = true, .uses = 1, .paged = true};
    make(&scene, 1);
    assert_int_equal(scene.model.order[0], 1);
    assert_int_equal(xmpi_mheta_in_core(&scene.model, 0, 100), 3);
    assert_int_equal(xmpi_mheta_in_core(&scene.model, 0, 101), 1);
}

/* Those that are used most for their bytes stay in memory first; pieces need memory too. */
static void arrays_leave_memory_in_order(void **state)
{
    (void)state;
    scene_t scene;
    one_array(&scene, 1);
    scene.program.arrays = 3;
    scene.program.array[1] = (xmpi_mheta_array_t){.row_bytes = 2, .out = true, .uses = 1};
    scene.program.array[2] = (xmpi_mheta_array_t){.row_bytes = 1, .out = false, .uses = 1};
    make(&scene, 1);
    assert_int_equal(scene.model.outs, 2);
    assert_int_equal(scene.model.order[0], 1);
    /* memory 400: 11 bytes a row; pieces take 250, so 150 are left for 3 bytes a row, then for 1 */
    assert_int_equal(xmpi_mheta_capacity(&scene.model, 0, 1000), 36);
    assert_int_equal(xmpi_mheta_in_core(&scene.model, 0, 36), 2);
    assert_int_equal(xmpi_mheta_in_core(&scene.model, 0, 37), 1);
    assert_int_equal(xmpi_mheta_in_core(&scene.model, 0, 50), 1);
    assert_int_equal(xmpi_mheta_in_core(&scene.model, 0, 51), 0);
    assert_int_equal(xmpi_mheta_in_core(&scene.model, 0, 150), 0);
    assert_int_equal(xmpi_mheta_in_core(&scene.model, 0, 151), -1);
    assert_true(isinf(xmpi_mheta_alone(&scene.model, 0, 0, 151)));
    scene.program.array[0].uses = 5; /* 5 / 8 > 1 / 2 */
    make(&scene, 1);
    assert_int_equal(scene.model.order[0], 0);
}

static void set_link(scene_t *scene, int n, double latency, double byte_seconds)
{
    for (int i = 0; i < n * n; i++)
        scene->link[i] = (xmpi_mheta_link_t){latency, byte_seconds};
}

/* Three members with 10, 20 and 5 rows in core: ready at 20, 40 and 10. */
static void neighbours_wait(void **state)
{
    (void)state;
    scene_t scene;
    one_array(&scene, 3);
    xmpi_block_t blocks[3] = {{.count = 10}, {.count = 20}, {.count = 5}};
    double clock[9];
    xmpi_mheta_time_t member[3];
    xmpi_blocks_chain(3, blocks);
    set_link(&scene, 3, 1, 0.5);
    scene.program.section[0].pattern = XMPI_MHETA_NEIGHBOURS;
    scene.program.section[0].message_bytes = 6; /* 4 seconds */
    double seconds = xmpi_mheta_iteration(&scene.model, blocks, clock, member);
    /* 0: sent at 27; 1 has sent to it at 47, there at 51. 1: sent at 54, theirs are there at 31 and
     * 21. 2: sent at 17, that of 1 is there at 58. */
    assert_near(clock[0], 51 + 11, 1e-9);
    assert_near(clock[1], 54 + 2 * 11, 1e-9);
    assert_near(clock[2], 58 + 11, 1e-9);
    assert_near(seconds, 76, 1e-9);
    assert_near(member[0].waiting, 24, 1e-9);
    assert_near(member[1].waiting, 0, 0);
    assert_near(member[1].overhead, 2 * (7 + 11), 1e-9);
    assert_near(member[2].waiting, 41, 1e-9);
    assert_near(member[1].computation, 40, 1e-9);
}

/* What is sent is read first where it is on the disk: O_S + O_r + r M_q. */
static void what_is_sent_is_read(void **state)
{
    (void)state;
    scene_t scene;
    one_array(&scene, 2);
    xmpi_block_t blocks[2] = {{.count = 100}, {.count = 10}};
    double clock[6];
    xmpi_mheta_time_t member[2];
    xmpi_blocks_chain(2, blocks);
    scene.program.section[0].pattern = XMPI_MHETA_NEIGHBOURS;
    scene.program.section[0].message_bytes = 8;
    scene.program.section[0].sent = 0;
    xmpi_mheta_iteration(&scene.model, blocks, clock, member);
    assert_near(member[0].overhead, 7 + 3 + 0.25 * 8 + 11, 1e-9);
    assert_near(member[1].overhead, 7 + 11, 1e-9);
    assert_near(member[0].io, 4 * (3 + 50 + 5 + 100), 1e-9);
}

static void a_reduction_is_waited_for(void **state)
{
    (void)state;
    scene_t scene;
    one_array(&scene, 3);
    xmpi_block_t blocks[3] = {{.count = 10}, {.count = 20}, {.count = 5}};
    double clock[9];
    xmpi_mheta_time_t member[3];
    xmpi_blocks_chain(3, blocks);
    set_link(&scene, 3, 1, 0.5);
    scene.program.section[0].pattern = XMPI_MHETA_REDUCTION;
    scene.program.section[0].message_bytes = 6;
    scene.node[0].reduce = 2;
    double seconds = xmpi_mheta_iteration(&scene.model, blocks, clock, member);
    /* The last message, of member 1, is there at 40 + 7 + 4 = 51; two are received and reduced
     * until 77; sent back at 84 and 91, there at 88 and 95. */
    assert_near(clock[0], 91, 1e-9);
    assert_near(clock[1], 88 + 11, 1e-9);
    assert_near(clock[2], 95 + 11, 1e-9);
    assert_near(seconds, 106, 1e-9);
    assert_near(member[0].waiting, 31, 1e-9);
    assert_near(member[2].waiting, 95 - 17, 1e-9);
}

/* Two members, two tiles of 10 and 20 seconds. */
static void a_pipeline_fills(void **state)
{
    (void)state;
    scene_t scene;
    one_array(&scene, 2);
    xmpi_block_t blocks[2] = {{.count = 10}, {.count = 20}};
    double clock[6];
    xmpi_mheta_time_t member[2];
    xmpi_blocks_chain(2, blocks);
    set_link(&scene, 2, 4, 0);
    scene.program.section[0].pattern = XMPI_MHETA_PIPELINE;
    scene.program.section[0].tiles = 2;
    double seconds = xmpi_mheta_iteration(&scene.model, blocks, clock, member);
    /* 0 has sent at 17 and 34. 1 has the first at 21 and is done with it at 21 + 11 + 20 = 52; the
     * second is there by then. */
    assert_near(clock[0], 34, 1e-9);
    assert_near(clock[1], 52 + 31, 1e-9);
    assert_near(seconds, 83, 1e-9);
    assert_near(member[1].waiting, 21, 1e-9);
    assert_near(member[0].overhead, 14, 1e-9);
}

/* The equations as they stand (5.11, 5.12), tile by tile. */
static double tile_by_tile(const scene_t *scene, const xmpi_block_t *blocks, bool back)
{
    const xmpi_mheta_section_t *section = &scene->program.section[0];
    int n = scene->model.n;
    double end[MEMBERS] = {0}, last = 0;
    for (int tile = 0; tile < section->tiles; tile++)
        for (int place = 0; place < n; place++) {
            int i = back ? n - 1 - place : place, before = back ? i + 1 : i - 1;
            const xmpi_mheta_node_t *node = &scene->node[i];
            if (place > 0) {
                const xmpi_mheta_link_t *link = &scene->link[before * n + i];
                double there =
                    end[before] + link->latency + section->message_bytes * link->byte_seconds;
                end[i] = fmax(end[i], there) + node->receive;
            }
            end[i] += node->computation[0] * (double)blocks[i].count / section->tiles +
                      (place < n - 1 ? node->send : 0);
            last = fmax(last, end[i]);
        }
    return last;
}

static void a_pipeline_is_as_its_tiles_are(void **state)
{
    (void)state;
    srand(7);
    for (int round = 0; round < 2000; round++) {
        scene_t scene;
        xmpi_block_t blocks[MEMBERS];
        double clock[3 * MEMBERS];
        xmpi_mheta_time_t member[MEMBERS];
        int n = 1 + rand() % MEMBERS;
        bool back = rand() % 2;
        one_array(&scene, n);
        scene.program.section[0].pattern = back ? XMPI_MHETA_PIPELINE_BACK : XMPI_MHETA_PIPELINE;
        scene.program.section[0].tiles = 1 + rand() % 9;
        scene.program.section[0].message_bytes = rand() % 9;
        for (int i = 0; i < n * n; i++)
            scene.link[i] = (xmpi_mheta_link_t){rand() % 20, rand() % 5};
        for (int i = 0; i < n; i++) {
            blocks[i].count = 1 + rand() % 40;
            scene.node[i].computation[0] = 1 + rand() % 9;
        }
        xmpi_blocks_chain(n, blocks);
        double expected = tile_by_tile(&scene, blocks, back);
        assert_near(xmpi_mheta_iteration(&scene.model, blocks, clock, member), expected,
                    1e-9 * expected);
        for (int i = 0; i < n; i++)
            assert_near(member[i].computation + member[i].overhead + member[i].waiting, clock[i],
                        1e-9 * expected);
    }
}

/* Who is late at the end of a section begins the next one late. */
static void delays_go_on(void **state)
{
    (void)state;
    scene_t scene;
    one_array(&scene, 2);
    xmpi_block_t blocks[2] = {{.count = 10}, {.count = 20}};
    double clock[6];
    xmpi_blocks_chain(2, blocks);
    scene.program.sections = 2;
    scene.program.stages = 2;
    scene.program.section[1] = scene.program.section[0];
    scene.program.section[1].pattern = XMPI_MHETA_NEIGHBOURS;
    for (int i = 0; i < 2; i++)
        scene.node[i].computation[1] = i == 0 ? 4 : 2;
    make(&scene, 2);
    /* ready at 20 + 40 and 40 + 40 */
    assert_near(xmpi_mheta_iteration(&scene.model, blocks, clock, NULL), 80 + 7 + 11, 1e-9);
    assert_near(clock[0], 80 + 7 + 11, 1e-9);
}

static double uniform(void)
{
    return (double)rand() / RAND_MAX;
}

static void random_scene(scene_t *scene, int n, bool waits)
{
    *scene = (scene_t){.program = {.arrays = 1 + rand() % 3, .stages = 3, .sections = 2}};
    xmpi_mheta_program_t *program = &scene->program;
    for (int m = 0; m < program->arrays; m++)
        program->array[m] = (xmpi_mheta_array_t){.row_bytes = 1 + rand() % 8,
                                                 .out = rand() % 4 > 0,
                                                 .uses = 1 + rand() % 3,
                                                 .paged = rand() % 3 == 0};
    for (int s = 0; s < 3; s++)
        program->stage[s] = (xmpi_mheta_stage_t){1,
                                                 {{.array = rand() % program->arrays,
                                                   .reads = 1 + rand() % 3,
                                                   .writes = rand() % 3,
                                                   .ahead = rand() % 2}}};
    for (int t = 0; t < 2; t++)
        program->section[t] = (xmpi_mheta_section_t){.stages = 1 + t,
                                                     .pattern = waits ? rand() % 5 : 0,
                                                     .sent = rand() % 2 - 1,
                                                     .message_bytes = rand() % 9,
                                                     .tiles = 1 + rand() % 4};
    for (int i = 0; i < n; i++) {
        xmpi_mheta_node_t *node = &scene->node[i];
        *node = (xmpi_mheta_node_t){.memory = 20 + rand() % 200,
                                    .piece_rows = 1 + rand() % 3,
                                    .passing_rows = rand() % 9,
                                    .read_seek = uniform(),
                                    .write_seek = uniform(),
                                    .issue = uniform() / 4,
                                    .send = uniform() / 4,
                                    .receive = uniform() / 4};
        for (int k = 0; k < 3; k++) {
            node->read_byte[k] = uniform() / 8;
            node->write_byte[k] = uniform() / 8;
            node->computation[k] = 0.2 + uniform();
            node->overlap[k] = uniform();
        }
    }
    set_link(scene, n, uniform() / 4, uniform() / 16);
    make(scene, n);
}

/* What the search rests on. */
static void a_block_never_takes_less_with_a_row_more(void **state)
{
    (void)state;
    srand(3);
    for (int round = 0; round < 2000; round++) {
        scene_t scene;
        random_scene(&scene, 3, true);
        for (int i = 0; i < 3; i++)
            for (int64_t rows = 1; rows < 60; rows++)
                assert_true(xmpi_mheta_alone(&scene.model, i, 0, rows) <=
                            xmpi_mheta_alone(&scene.model, i, 0, rows + 1));
    }
}

/* The shortest iteration of all divisions, where the counts before member FROM are set. */
static double brute_force(const xmpi_mheta_t *model, int from, int64_t rest, xmpi_block_t *blocks)
{
    double best = INFINITY, clock[3 * MEMBERS];
    if (from == model->n - 1) {
        blocks[from].count = rest;
        xmpi_blocks_chain(model->n, blocks);
        return xmpi_mheta_iteration(model, blocks, clock, NULL);
    }
    for (int64_t count = 1; count <= rest - (model->n - 1 - from); count++) {
        blocks[from].count = count;
        best = fmin(best, brute_force(model, from + 1, rest - count, blocks));
    }
    return best;
}

/* Where nobody waits the division is the best there is. Where they do, it is not worse than any of
 * the layouts, and seldom than the best. */
static void the_division_is_the_best(void **state)
{
    (void)state;
    srand(5);
    int best_found = 0, rounds = 0;
    for (int round = 0; round < 600; round++) {
        scene_t scene;
        int n = 2 + rand() % (MEMBERS - 1);
        int64_t domain = n + rand() % (ROWS - n);
        bool waits = round % 2;
        double clock[3 * MEMBERS];
        xmpi_block_t blocks[MEMBERS], tried[MEMBERS];
        xmpi_error_t error;
        random_scene(&scene, n, waits);
        double best = brute_force(&scene.model, 0, domain, tried);
        xmpi_status_t status = xmpi_mheta_divide(&scene.model, domain, blocks, &error);
        assert_int_equal(status, isinf(best) ? XMPI_ERR_INPUT : XMPI_OK);
        if (isinf(best))
            continue;
        double found = xmpi_mheta_iteration(&scene.model, blocks, clock, NULL);
        if (!waits)
            assert_near(found, best, 1e-9 * best);
        rounds += waits;
        best_found += waits && found <= best * (1 + 1e-9);
        for (int layout = XMPI_MHETA_BLK; layout <= XMPI_MHETA_ICBAL; layout++)
            if (xmpi_mheta_lay_out(&scene.model, (xmpi_mheta_layout_t)layout, domain, tried,
                                   &error) == XMPI_OK)
                assert_true(found <= xmpi_mheta_iteration(&scene.model, tried, clock, NULL));
    }
    if (best_found < rounds * 9 / 10)
        fail_msg("the best division in %d of %d", best_found, rounds);
}

/* Two quick nodes with little memory and two slow ones with much: 4 bytes a row. */
static void the_layouts_are_those_of_the_paper(void **state)
{
    (void)state;
    scene_t scene;
    xmpi_block_t blocks[4];
    xmpi_error_t error;
    one_array(&scene, 4);
    scene.program.array[0].row_bytes = 4;
    for (int i = 0; i < 4; i++) {
        scene.node[i].memory = i < 2 ? 80 : 400; /* 20 and 100 rows */
        scene.node[i].piece_rows = 5;
        scene.node[i].computation[0] = i < 2 ? 1 : 2;
    }
    make(&scene, 4);
    static const int64_t expected[][4] = {
        [XMPI_MHETA_BLK] = {30, 30, 30, 30},
        [XMPI_MHETA_BAL] = {40, 40, 20, 20},
        [XMPI_MHETA_IC] = {10, 10, 50, 50},
        [XMPI_MHETA_ICBAL] = {20, 20, 40, 40},
    };
    for (int layout = XMPI_MHETA_BLK; layout <= XMPI_MHETA_ICBAL; layout++) {
        assert_int_equal(
            xmpi_mheta_lay_out(&scene.model, (xmpi_mheta_layout_t)layout, 120, blocks, &error),
            XMPI_OK);
        for (int i = 0; i < 4; i++)
            assert_int_equal(blocks[i].count, expected[layout][i]);
    }
    /* More than all memory: one is out of core at least, which takes the rest. */
    assert_int_equal(xmpi_mheta_lay_out(&scene.model, XMPI_MHETA_ICBAL, 300, blocks, &error),
                     XMPI_OK);
    int out = 0;
    for (int i = 0; i < 4; i++)
        out += xmpi_mheta_in_core(&scene.model, i, blocks[i].count) < 1;
    assert_int_equal(out, 1);
}

/* However little memory one has: here for 3, 3, 3 and 4000 rows. */
static void every_member_gets_a_row(void **state)
{
    (void)state;
    scene_t scene;
    xmpi_block_t blocks[4];
    xmpi_error_t error;
    one_array(&scene, 4);
    for (int i = 0; i < 4; i++)
        scene.node[i].memory = scene.program.array[0].row_bytes * (i < 3 ? 3 : 4000);
    make(&scene, 4);
    for (int layout = XMPI_MHETA_BEST; layout <= XMPI_MHETA_ICBAL; layout++) {
        int64_t sum = 0;
        assert_int_equal(
            xmpi_mheta_lay_out(&scene.model, (xmpi_mheta_layout_t)layout, 500, blocks, &error),
            XMPI_OK);
        for (int i = 0; i < 4; i++) {
            assert_true(blocks[i].count >= 1);
            assert_int_equal(blocks[i].displ, sum);
            sum += blocks[i].count;
        }
        assert_int_equal(sum, 500);
    }
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    scene_t scene;
    xmpi_error_t error;
    one_array(&scene, 2);
    scene.node[1].piece_rows = 0;
    assert_int_equal(xmpi_mheta_make(&scene.model, &error), XMPI_ERR_INPUT);
    one_array(&scene, 2);
    scene.node[0].read_byte[0] = NAN;
    assert_int_equal(xmpi_mheta_make(&scene.model, &error), XMPI_ERR_INPUT);
    one_array(&scene, 2);
    scene.program.stage[0].access[0].array = 1;
    assert_int_equal(xmpi_mheta_make(&scene.model, &error), XMPI_ERR_INPUT);
    one_array(&scene, 2);
    scene.program.section[0].stages = 2;
    assert_int_equal(xmpi_mheta_make(&scene.model, &error), XMPI_ERR_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_read_and_written),
        cmocka_unit_test(pieces_end_with_their_tiles),
        cmocka_unit_test(pieces_are_read_ahead),
        cmocka_unit_test(computation_hides_its_time_once),
        cmocka_unit_test(some_rows_of_paged_arrays_stay),
        cmocka_unit_test(paged_arrays_leave_memory_first),
        cmocka_unit_test(arrays_leave_memory_in_order),
        cmocka_unit_test(neighbours_wait),
        cmocka_unit_test(what_is_sent_is_read),
        cmocka_unit_test(a_reduction_is_waited_for),
        cmocka_unit_test(a_pipeline_fills),
        cmocka_unit_test(a_pipeline_is_as_its_tiles_are),
        cmocka_unit_test(delays_go_on),
        cmocka_unit_test(a_block_never_takes_less_with_a_row_more),
        cmocka_unit_test(the_division_is_the_best),
        cmocka_unit_test(the_layouts_are_those_of_the_paper),
        cmocka_unit_test(every_member_gets_a_row),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
