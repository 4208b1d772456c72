/* SPDX-License-Identifier: BSD-3-Clause
 * The calls that the rewriter inserts (xmpi_gen.h): thin doors to the registry and the loop. */
#include "act/world/world.h"
#include "xmpi_gen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "act/data/row_file.h"
#include "act/world/files.h"
#include "program/checkpoint/resume.h"
#include "program/context.h"
#include "base/export.h"
#include "observe/tools.h"
#include "program/loop/begin_end.h"
#include "program/loop/loop.h"
#include "program/members/out_of_core.h"
#include "base/misuse.h"
#include "xmpi.h"

/* Of the calls that the rewriter inserts: it rises when one of them changes its meaning. */
enum { GENERATION = 1 };

static bool is_plain(void)
{
    return xmpi_world.state == XMPI_STATE_PLAIN;
}

XMPI_EXPORT void xmpi_gen_link_this_with_xmpicc(void)
{
}

XMPI_EXPORT void xmpi_gen_program(int version)
{
    xmpi_context.annotated = true;
    if (version > GENERATION && xmpi_context.too_new == NULL)
        xmpi_context.too_new = "compiled by a newer xmpicc than this libxmpi belongs to";
}

XMPI_EXPORT void xmpi_gen_header(int version)
{
    if (version > XMPI_VERSION_NUM)
        xmpi_context.too_new = "compiled with a newer xmpi.h than this libxmpi belongs to";
}

XMPI_EXPORT void xmpi_gen_structure(const char *json)
{
    if (xmpi_context.structures < XMPI_STRUCTURES_MAX)
        xmpi_context.structure[xmpi_context.structures++] = json;
}

XMPI_EXPORT int xmpi_gen_initial(void)
{
    return xmpi_world.state != XMPI_STATE_JOINING && !xmpi_context.resume.on;
}

XMPI_EXPORT void xmpi_gen_live(const char *name, void *address, unsigned long size)
{
    if (is_plain())
        return;
    xmpi_registry_add_live(&xmpi_context.registry, name, address, size);
    if (xmpi_world.state == XMPI_STATE_JOINING) {
        xmpi_pack_t reading = xmpi_context.snapshot;
        xmpi_registry_get_lives(&reading, &xmpi_context.registry, name);
    }
    xmpi_resume_live(&xmpi_context, name);
}

XMPI_EXPORT void xmpi_gen_root(void)
{
    xmpi_resources_t *resources = &xmpi_context.shared.resources;
    xmpi_context.rooted = true;
    if (!is_plain() && resources->anchor < 0 && xmpi_context.shared.layout.members > 0)
        resources->anchor = xmpi_context.shared.layout.member[0].process;
}

XMPI_EXPORT void xmpi_gen_watch(void)
{
    xmpi_world.asked = 0;
}

XMPI_EXPORT void xmpi_gen_watched(const char *where)
{
    if (!is_plain() && xmpi_world.asked > 0 && xmpi_context.unseen == NULL)
        xmpi_context.unseen = where;
}

XMPI_EXPORT void xmpi_gen_relies(const char *record)
{
    if (!is_plain() && record[0] != '+' && xmpi_context.doubted == NULL)
        xmpi_context.doubted = record;
}

XMPI_EXPORT void xmpi_gen_library(const char *where, const char *name, const void *wrap,
                                  const void *replaced)
{
    static char record[512];
    if (replaced != NULL || is_plain() || xmpi_context.doubted != NULL ||
        (wrap == NULL && !xmpi_tools_are_of_program(name)))
        return;
    snprintf(record, sizeof record,
             "-%s%c%s%s%cis called in place of that of a library (--xmpi-replaced=%s, if it keeps "
             "nothing)",
             where, '\0', wrap != NULL ? "__wrap_" : "", name, '\0', name);
    xmpi_gen_relies(record);
}

XMPI_EXPORT void xmpi_gen_refresh(int kind, void *address, unsigned long size)
{
    if (is_plain())
        return;
    xmpi_registry_add_refresh(&xmpi_context.registry, kind, address, size);
    xmpi_loop_follow(&xmpi_context, kind);
}

XMPI_EXPORT void xmpi_gen_domain(long long extent)
{
    if (is_plain())
        return;
    if (extent < 0)
        xmpi_misuse("the domain has %lld rows", extent);
    xmpi_context.registry.domain = extent;
}

XMPI_EXPORT void xmpi_gen_data(const char *name, void *pointer, unsigned long element_size,
                               int scheme, long long rows, long long row_length)
{
    if (is_plain())
        return;
    if (rows < 0 || row_length < 0)
        xmpi_misuse("the array %s has %lld rows of %lld elements", name, rows, row_length);
    xmpi_array_t *array = xmpi_registry_array(&xmpi_context.registry, name);
    xmpi_registry_set_slot(&xmpi_context.registry, array, pointer);
    array->constant = array->ghosts = array->outofcore = false;
    array->halo = array->fixed = 0;
    array->elements = NULL;
    array->holds = XMPI_SLOT_POINTER;
    array->scheme = scheme;
    array->rows = rows;
    array->row_length = row_length;
    array->row_bytes = row_length * (long long)element_size;
}

XMPI_EXPORT void xmpi_gen_csr(const char *ia, const char *ja, const char *a)
{
    if (is_plain())
        return;
    xmpi_registry_t *registry = &xmpi_context.registry;
    xmpi_array_t *pointers = xmpi_registry_array(registry, ia);
    int64_t bytes = pointers->row_bytes;
    int at = (int)(pointers - registry->array);
    pointers->shape = XMPI_SHAPE_OFFSETS;
    pointers->offsets = at;
    pointers->offset_bytes = (int)bytes;
    for (int i = 0; i < 2; i++) {
        xmpi_array_t *entries = xmpi_registry_array(registry, i == 0 ? ja : a);
        entries->shape = XMPI_SHAPE_ENTRIES;
        entries->offsets = at;
        entries->offset_bytes = (int)bytes;
    }
}

XMPI_EXPORT void xmpi_gen_halo(const char *name, long long rows)
{
    if (is_plain())
        return;
    if (rows < 0)
        xmpi_misuse("the array %s has a halo of %lld rows", name, rows);
    xmpi_array_t *array = xmpi_registry_array(&xmpi_context.registry, name);
    array->halo = rows;
    array->ghosts = true;
}

XMPI_EXPORT void xmpi_gen_fixed(const char *name, unsigned long bytes)
{
    if (!is_plain())
        xmpi_registry_array(&xmpi_context.registry, name)->fixed = (int64_t)bytes;
}

XMPI_EXPORT void xmpi_gen_alias(const char *name, void *pointer)
{
    if (is_plain())
        return;
    xmpi_array_t *array = xmpi_registry_array(&xmpi_context.registry, name);
    if (array->fixed == 0) /* else pointers to it stay right */
        xmpi_registry_add_alias(&xmpi_context.registry, array, pointer);
}

XMPI_EXPORT void xmpi_gen_constant(const char *name)
{
    if (!is_plain())
        xmpi_registry_array(&xmpi_context.registry, name)->constant = true;
}

XMPI_EXPORT void xmpi_gen_outofcore(const char *name)
{
    if (is_plain())
        return;
    xmpi_registry_array(&xmpi_context.registry, name)->outofcore = true;
    xmpi_out_of_core_follow(&xmpi_context);
}

_Static_assert(XMPI_GEN_DESCRIPTOR == (int)XMPI_SLOT_DESCRIPTOR &&
                   XMPI_GEN_STREAM == (int)XMPI_SLOT_STREAM,
               "what holds a file");

XMPI_EXPORT void xmpi_gen_file(const char *name, int holds)
{
    if (is_plain())
        return;
    const char *live = xmpi_row_file_register(&xmpi_context.registry, name, (xmpi_slot_t)holds);
    if (xmpi_world.state == XMPI_STATE_JOINING) {
        xmpi_pack_t reading = xmpi_context.snapshot;
        xmpi_registry_get_lives(&reading, &xmpi_context.registry, live);
    }
}

XMPI_EXPORT void xmpi_gen_elements(const char *name, const char *elements)
{
    if (!is_plain())
        xmpi_registry_set_elements(&xmpi_context.registry, name, elements);
}

XMPI_EXPORT void xmpi_gen_repeats(int how, const char *why)
{
    if (!is_plain())
        xmpi_context.repeats = (xmpi_repeats_t){true, how, why};
}

XMPI_EXPORT void xmpi_gen_least(long long rows)
{
    if (!is_plain())
        xmpi_context.least_rows = rows > 0 ? rows : 0;
}

XMPI_EXPORT void xmpi_gen_bound(long long iterations)
{
    if (!is_plain())
        xmpi_context.bound = iterations > 0 ? iterations : 0;
}

XMPI_EXPORT void xmpi_gen_policy(const char *clause)
{
    if (!is_plain())
        xmpi_context.policy_clause = clause;
}

XMPI_EXPORT void xmpi_gen_weight(void *pointer, int type, int scheme)
{
    if (!is_plain())
        xmpi_context.weights = (xmpi_given_weights_t){pointer, type, scheme};
}

XMPI_EXPORT void xmpi_gen_loop_begin(const char *where, long long interval)
{
    xmpi_files_forget();
    if (!is_plain())
        xmpi_loop_begin(&xmpi_context, where, interval, __builtin_frame_address(0));
    else
        xmpi_part_check(&xmpi_context.part, where);
}

XMPI_EXPORT long long xmpi_gen_interval(long long interval)
{
    if (!is_plain() && interval < 1)
        xmpi_misuse("the loop's interval is %lld: it must be at least 1", interval);
    return interval;
}

XMPI_EXPORT void xmpi_gen_every(long long interval)
{
    if (!is_plain())
        xmpi_context.every = xmpi_gen_interval(interval);
}

XMPI_EXPORT int xmpi_gen_enter(const char *where)
{
    return !xmpi_loop_is_elsewhere(&xmpi_context, where);
}

XMPI_EXPORT int xmpi_gen_elsewhere(const char *where)
{
    return xmpi_loop_is_elsewhere(&xmpi_context, where);
}

XMPI_EXPORT void xmpi_gen_call(int depth)
{
    if (!is_plain())
        xmpi_registry_enter_frame(&xmpi_context.registry, depth, depth + 1);
}

XMPI_EXPORT void xmpi_gen_return(int depth)
{
    if (!is_plain())
        xmpi_registry_enter_frame(&xmpi_context.registry, depth, depth);
}

XMPI_EXPORT void xmpi_gen_drop(const char *name)
{
    xmpi_registry_t *registry = &xmpi_context.registry;
    for (int i = registry->arrays; i-- > 0;)
        if (strcmp(registry->array[i].name, name) == 0)
            xmpi_registry_remove(registry, i, 1);
    xmpi_registry_drop_live(registry, name);
}

XMPI_EXPORT void *xmpi_gen_rows(void *table, void *block, long long rows, unsigned long bytes)
{
    void **row = realloc(table, (size_t)(rows > 0 ? rows : 1) * sizeof *row);
    if (row == NULL)
        xmpi_misuse("no memory for pointers to %lld rows", rows);
    for (long long i = 0; i < rows; i++)
        row[i] = (char *)block + (size_t)i * bytes;
    return row;
}

XMPI_EXPORT int xmpi_gen_restore(const char *where)
{
    return !is_plain() && xmpi_loop_restore(&xmpi_context, where);
}

XMPI_EXPORT int xmpi_gen_joining(void)
{
    return xmpi_world.state == XMPI_STATE_JOINING || xmpi_resume_is_on(&xmpi_context);
}

XMPI_EXPORT int xmpi_gen_gone(void)
{
    return xmpi_context.gone;
}

/* Its frame keeps what the caller has in registers, and stands between the caller's frame and ours:
 * the stack from there on is the program's. */
XMPI_EXPORT int xmpi_gen_point(void)
{
    enum { SAVED_REGISTERS = 5 };
    if (is_plain())
        return 0;
    __builtin_unwind_init();
    xmpi_context.point_frame =
        (const char *)__builtin_frame_address(0) - SAVED_REGISTERS * sizeof(void *);
    xmpi_context.point_site = __builtin_return_address(0);
    int changed = xmpi_loop_point(&xmpi_context);
    xmpi_context.point_frame = NULL; /* and no tail call */
    return changed;
}

XMPI_EXPORT void xmpi_gen_loop_end(void)
{
    if (!is_plain())
        xmpi_loop_end(&xmpi_context);
}

XMPI_EXPORT void xmpi_gen_free(void *pointer)
{
    free(pointer);
}

XMPI_EXPORT void xmpi_gen_close(int descriptor)
{
    if (descriptor > STDERR_FILENO)
        close(descriptor);
}

XMPI_EXPORT void xmpi_gen_close_stream(void *stream)
{
    if (stream != NULL)
        fclose(stream);
}

XMPI_EXPORT void xmpi_gen_reopens(void *file)
{
    if (!is_plain())
        xmpi_files_reopened(file);
}
