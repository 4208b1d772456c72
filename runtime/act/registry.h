/* SPDX-License-Identifier: BSD-3-Clause
 * Registry: the arrays and variables of the program that a reconfiguration moves or writes. */
#ifndef XMPI_ACT_REGISTRY_H
#define XMPI_ACT_REGISTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "act/pack.h"
#include "xmpi_gen.h"

enum { XMPI_ALIASES_MAX = 16 };

/* An array. Its slot and aliases are the variables that hold its address; they agree at every
 * point. */
typedef struct {
    const char *name;
    int scheme; /* XMPI_GEN_DISTRIBUTED or XMPI_GEN_REPLICATED */
    int64_t rows;
    int64_t row_length; /* elements */
    int64_t row_bytes;
    void *slot; /* NULL: only aliases so far */
    int aliases;
    void *alias[XMPI_ALIASES_MAX];
} xmpi_array_t;

/* A variable whose value joiners take over. */
typedef struct {
    const char *name;
    void *address;
    uint64_t size;
} xmpi_live_t;

/* An integer variable for the rank, size, count or displ. */
typedef struct {
    int kind;
    void *address;
    uint64_t size;
} xmpi_refresh_t;

typedef struct {
    int arrays, lives, refreshes;
    xmpi_array_t *array;     /* malloc, like the others */
    xmpi_live_t *live;
    xmpi_refresh_t *refresh;
    int64_t domain; /* 0: not given yet */
} xmpi_registry_t;

/* The array NAME, made when it is new. Ends the job when there is no memory: nothing could be
 * adapted, and the program could not go on as it was promised. */
xmpi_array_t *xmpi_registry_array(xmpi_registry_t *registry, const char *name);
void xmpi_registry_add_alias(xmpi_array_t *array, void *slot);
void xmpi_registry_add_live(xmpi_registry_t *registry, const char *name, void *address,
                            uint64_t size);
void xmpi_registry_add_refresh(xmpi_registry_t *registry, int kind, void *address, uint64_t size);

/* The pointer in the slots of an array, and changing it in all of them. */
void *xmpi_array_pointer(const xmpi_array_t *array);
void xmpi_array_set_pointer(const xmpi_array_t *array, void *pointer);

/* Writes VALUE to all refreshed variables of KIND. */
void xmpi_registry_refresh(const xmpi_registry_t *registry, int kind, int64_t value);

/* The integer in the last registered variable of KIND; whether there is one. */
bool xmpi_registry_value(const xmpi_registry_t *registry, int kind, int64_t *value);

/* The values of all live variables, and writing them back by name. With ONLY not NULL just that
 * one. A name that the reader does not know is skipped. */
void xmpi_registry_put_lives(xmpi_pack_t *pack, const xmpi_registry_t *registry);
void xmpi_registry_get_lives(xmpi_pack_t *pack, const xmpi_registry_t *registry, const char *only);

void xmpi_registry_free(xmpi_registry_t *registry);

#endif
