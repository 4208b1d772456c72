/* SPDX-License-Identifier: BSD-3-Clause
 * MHETA: what a member does by itself: which arrays fit, computation, I/O. */
#include <math.h>
#include <string.h>

#include "decide/mheta/member.h"
#include "decide/mheta/mheta.h"

/* --- the model ----------------------------------------------------------------------------------
 */

static bool sound(double value)
{
    return value >= 0 && !isinf(value);
}

static bool sound_program(const xmpi_mheta_program_t *program)
{
    int stages = 0;
    if (program->arrays < 0 || program->arrays > XMPI_MHETA_ARRAYS || program->stages < 0 ||
        program->stages > XMPI_MHETA_STAGES || program->sections < 1 ||
        program->sections > XMPI_MHETA_SECTIONS)
        return false;
    for (int m = 0; m < program->arrays; m++)
        if (!(program->array[m].row_bytes > 0) || !sound(program->array[m].uses))
            return false;
    for (int s = 0; s < program->stages; s++)
        for (int a = 0; a < program->stage[s].accesses; a++)
            if (program->stage[s].access[a].array < 0 ||
                program->stage[s].access[a].array >= program->arrays)
                return false;
    for (int t = 0; t < program->sections; t++) {
        const xmpi_mheta_section_t *section = &program->section[t];
        stages += section->stages;
        if (section->stages < 0 || section->sent >= program->arrays ||
            !sound(section->message_bytes) ||
            (section->pattern >= XMPI_MHETA_PIPELINE && section->tiles < 1))
            return false;
    }
    return stages == program->stages;
}

static bool sound_node(const xmpi_mheta_program_t *program, const xmpi_mheta_node_t *node)
{
    bool right = node->memory >= 0 && node->piece_rows > 0 && node->passing_rows >= 0 &&
                 sound(node->read_seek) && sound(node->write_seek) && sound(node->issue) &&
                 sound(node->send) && sound(node->receive) && sound(node->reduce);
    for (int m = 0; m < program->arrays; m++)
        right = right && sound(node->read_byte[m]) && sound(node->write_byte[m]);
    for (int s = 0; s < program->stages; s++)
        right = right && sound(node->computation[s]) && sound(node->overlap[s]);
    return right;
}

static double worth(const xmpi_mheta_array_t *array)
{
    return array->uses / array->row_bytes;
}

/* Whether M is in memory longer than OTHER. */
static bool stays_longer(const xmpi_mheta_array_t *m, const xmpi_mheta_array_t *other)
{
    return m->paged != other->paged ? other->paged : worth(m) > worth(other);
}

static void set_order(xmpi_mheta_t *model)
{
    const xmpi_mheta_program_t *program = model->program;
    model->outs = model->paged = 0;
    model->bytes[0] = 0;
    for (int m = 0; m < program->arrays; m++) {
        int at = model->outs;
        if (!program->array[m].out) {
            model->bytes[0] += program->array[m].row_bytes;
            continue;
        }
        for (; at > 0 && stays_longer(&program->array[m], &program->array[model->order[at - 1]]);
             at--)
            model->order[at] = model->order[at - 1];
        model->order[at] = m;
        model->outs++;
        model->paged += program->array[m].paged;
    }
    for (int k = 0; k < model->outs; k++)
        model->bytes[k + 1] = model->bytes[k] + program->array[model->order[k]].row_bytes;
}

static void set_tiles(xmpi_mheta_t *model)
{
    const xmpi_mheta_program_t *program = model->program;
    for (int t = 0, s = 0; t < program->sections; t++)
        for (int end = s + program->section[t].stages; s < end; s++)
            model->tiles[s] =
                program->section[t].pattern >= XMPI_MHETA_PIPELINE ? program->section[t].tiles : 1;
}

xmpi_status_t xmpi_mheta_make(xmpi_mheta_t *model, xmpi_error_t *error)
{
    if (model->n < 1 || !sound_program(model->program))
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "memory: the structure of the loop makes no sense");
    for (int i = 0; i < model->n; i++)
        if (!sound_node(model->program, &model->node[i]))
            return xmpi_error_set(error, XMPI_ERR_INPUT,
                                  "memory: what is known of member %d makes no sense", i);
    for (int i = 0; model->link != NULL && i < model->n * model->n; i++)
        if (!sound(model->link[i].latency) || !sound(model->link[i].byte_seconds))
            return xmpi_error_set(
                error, XMPI_ERR_INPUT,
                "memory: what a message from member %d to %d takes makes no sense", i / model->n,
                i % model->n);
    set_order(model);
    set_tiles(model);
    return XMPI_OK;
}

/* --- memory -------------------------------------------------------------------------------------
 */

/* Whether the first K arrays in ORDER fit, and those that stay in memory, with pieces of the
 * others.
 */
static bool fits(const xmpi_mheta_t *model, int i, int64_t rows, int k)
{
    const xmpi_mheta_node_t *node = &model->node[i];
    double pieces = 0;
    if (k < model->outs)
        pieces = (double)node->piece_rows * (model->bytes[model->outs] - model->bytes[0]);
    return (double)rows * model->bytes[k] + pieces <= node->memory;
}

/* Whether of the paged arrays only the first would be in memory with K arrays there. */
static bool parts_paged(const xmpi_mheta_t *model, int k)
{
    return k < model->outs && k > model->outs - model->paged;
}

int xmpi_mheta_in_core(const xmpi_mheta_t *model, int i, int64_t rows)
{
    int k = model->outs;
    while (k >= 0 && (parts_paged(model, k) || !fits(model, i, rows, k)))
        k--;
    return k;
}

int64_t xmpi_mheta_capacity(const xmpi_mheta_t *model, int i, int64_t domain)
{
    int64_t inside = 0, outside = domain + 1;
    while (inside + 1 < outside) {
        int64_t rows = inside + (outside - inside) / 2;
        if (fits(model, i, rows, model->outs))
            inside = rows;
        else
            outside = rows;
    }
    return inside;
}

bool xmpi_mheta_is_out(const xmpi_mheta_t *model, int array, int in_core)
{
    for (int a = in_core < 0 ? 0 : in_core; a < model->outs; a++)
        if (model->order[a] == array)
            return true;
    return false;
}

/* --- stages -------------------------------------------------------------------------------------
 */

/* How many of so many rows of paged arrays stay in memory where these are out of core. Others have
 * room for all of their rows first, in memory or not: never more for more rows. */
static int64_t kept_rows(const xmpi_mheta_t *model, int i, int64_t rows)
{
    const xmpi_mheta_node_t *node = &model->node[i];
    double others = model->bytes[model->outs - model->paged];
    double paged = model->bytes[model->outs] - others;
    double kept = (node->memory - (double)rows * others) / paged - (double)node->passing_rows;
    return (int64_t)fmax(0, fmin(floor(kept), (double)rows));
}

/* What a disk does while the program computes. */
typedef struct {
    double first; /* seconds of the first pieces, which are waited for */
    double all;   /* of all */
} disk_t;

/* Tiles have as many rows as one another, or one more. So more rows never have fewer pieces. */
static double pieces_in_tiles(int64_t rows, int tiles, int64_t piece)
{
    int64_t each = rows / tiles, longer = rows % tiles;
    return (double)((tiles - longer) * ((each + piece - 1) / piece) +
                    longer * ((each + piece) / piece));
}

/* What of an access is waited for; what is read ahead, or written behind, goes to DISK. */
static double waited_for(const xmpi_mheta_t *model, int i, int stage,
                         const xmpi_mheta_access_t *access, int64_t rows, disk_t *disk)
{
    const xmpi_mheta_node_t *node = &model->node[i];
    const xmpi_mheta_array_t *array = &model->program->array[access->array];
    double out = (double)(array->paged ? rows - kept_rows(model, i, rows) : rows);
    double first = fmin((double)node->piece_rows, out), sum = 0;
    double pieces = array->paged ? ceil(out / (double)node->piece_rows)
                                 : pieces_in_tiles(rows, model->tiles[stage], node->piece_rows);
    double read = access->reads * array->row_bytes * node->read_byte[access->array];
    double written = access->writes * array->row_bytes * node->write_byte[access->array];
    sum += access->writes * pieces * node->write_seek;
    sum += access->reads * pieces * (node->read_seek + (access->ahead ? node->issue : 0));
    if (array->paged)
        disk->all += out * written;
    else
        sum += out * written;
    if (!access->ahead)
        return sum + out * read;
    disk->first += first * read;
    disk->all += out * read;
    return sum;
}

double xmpi_mheta_io(const xmpi_mheta_t *model, int i, int stage, int64_t rows, int in_core)
{
    const xmpi_mheta_node_t *node = &model->node[i];
    const xmpi_mheta_stage_t *s = &model->program->stage[stage];
    double sum = 0, first = fmin((double)node->piece_rows, (double)rows);
    disk_t disk = {0};
    for (int a = 0; a < s->accesses; a++)
        if (xmpi_mheta_is_out(model, s->access[a].array, in_core))
            sum += waited_for(model, i, stage, &s->access[a], rows, &disk);
    double hidden = ((double)rows - first) * node->overlap[stage];
    return sum + disk.first + fmax(0, disk.all - disk.first - hidden);
}

double xmpi_mheta_weight(const xmpi_mheta_t *model, int64_t begin, int64_t end)
{
    return model->prefix != NULL ? model->prefix[end] - model->prefix[begin]
                                 : (double)(end - begin);
}

double xmpi_mheta_send(const xmpi_mheta_t *model, int i, const xmpi_mheta_section_t *section,
                       int in_core)
{
    const xmpi_mheta_node_t *node = &model->node[i];
    if (section->sent < 0 || !xmpi_mheta_is_out(model, section->sent, in_core))
        return node->send;
    return node->send + node->read_seek + node->read_byte[section->sent] * section->message_bytes;
}

int xmpi_mheta_neighbours(const xmpi_mheta_t *model, int i)
{
    return (i > 0) + (i < model->n - 1);
}

/* Of its own messages of the section. */
static double overhead(const xmpi_mheta_t *model, int i, const xmpi_mheta_section_t *section,
                       int in_core)
{
    const xmpi_mheta_node_t *node = &model->node[i];
    double send = xmpi_mheta_send(model, i, section, in_core), both = send + node->receive;
    switch (section->pattern) {
    case XMPI_MHETA_NEIGHBOURS:
        return xmpi_mheta_neighbours(model, i) * both;
    case XMPI_MHETA_REDUCTION:
        return i == 0 ? (model->n - 1) * (both + node->reduce) : both;
    case XMPI_MHETA_PIPELINE:
        return section->tiles * ((i > 0) * node->receive + (i < model->n - 1) * send);
    case XMPI_MHETA_PIPELINE_BACK:
        return section->tiles * ((i < model->n - 1) * node->receive + (i > 0) * send);
    case XMPI_MHETA_ALONE:
        break;
    }
    return 0;
}

double xmpi_mheta_computation(const void *context, int i, int64_t begin, int64_t end)
{
    const xmpi_mheta_t *model = context;
    double row = 0;
    for (int s = 0; s < model->program->stages; s++)
        row += model->node[i].computation[s];
    return row * xmpi_mheta_weight(model, begin, end);
}

static double all_io(const xmpi_mheta_t *model, int i, int64_t rows, int in_core)
{
    double sum = in_core < 0 ? INFINITY : 0;
    for (int s = 0; s < model->program->stages && in_core >= 0 && in_core < model->outs; s++)
        sum += xmpi_mheta_io(model, i, s, rows, in_core);
    return sum;
}

double xmpi_mheta_all_io(const void *context, int i, int64_t begin, int64_t end)
{
    const xmpi_mheta_t *model = context;
    return all_io(model, i, end - begin, xmpi_mheta_in_core(model, i, end - begin));
}

double xmpi_mheta_alone(const void *context, int i, int64_t begin, int64_t end)
{
    const xmpi_mheta_t *model = context;
    int in_core = xmpi_mheta_in_core(model, i, end - begin);
    double sum =
        xmpi_mheta_computation(model, i, begin, end) + all_io(model, i, end - begin, in_core);
    for (int t = 0; t < model->program->sections; t++)
        sum += overhead(model, i, &model->program->section[t], in_core);
    return sum;
}
