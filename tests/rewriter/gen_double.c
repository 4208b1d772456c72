/* SPDX-License-Identifier: BSD-3-Clause
 * A stand-in for the runtime, to run rewritten programs in every role without reconfiguring.
 *
 * XMPI_DOUBLE=move FILE: an initial process. Every second iteration "reconfigures": all registered
 * arrays move to new memory and setup runs again. In the fourth it writes its state to FILE.RANK.
 * XMPI_DOUBLE=join FILE: a joining process. It skips what is initial, takes the state from the file
 * and goes on from there: it must come to the same result. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmpi_gen.h>

enum { MAX_SLOTS = 64, SAVED_POINT = 4 };

typedef struct {
    const char *name;
    void *address;
    unsigned long size;
    int frame;
} value_t;

typedef struct {
    const char *name;
    void *pointers[8]; /* addresses of the variables that point to it */
    int frames[8];
    int holders;
    unsigned long row_bytes;
    int scheme;
    long long rows, halo;
    unsigned long fixed; /* bytes; the pointer is where it is */
    int constant;
    unsigned long sum;       /* of the bytes of a constant array */
    const char *pointers_of; /* of a sparse matrix: the name of its row pointers */
} array_t;

static struct {
    int declared, inside, points, joined, frame;
    long long extent, bound;
    int values, refreshes, arrays;
    value_t value[MAX_SLOTS];
    value_t refresh[MAX_SLOTS]; /* NAME is unused */
    int kind[MAX_SLOTS];
    array_t array[MAX_SLOTS];
} state;

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "double: %s %s\n", what, name);
    MPI_Abort(MPI_COMM_WORLD, 99);
}

static int is_joiner(void)
{
    const char *mode = getenv("XMPI_DOUBLE");
    return mode != NULL && strncmp(mode, "join ", 5) == 0;
}

static FILE *state_file(const char *how)
{
    const char *mode = getenv("XMPI_DOUBLE");
    char path[4096];
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(path, sizeof path, "%s.%d", mode == NULL ? "state" : mode + 5, rank);
    FILE *file = fopen(path, how);
    if (file == NULL)
        fail("cannot open", path);
    return file;
}

/* -- the saved state: records of a name, a size and bytes */

static void save(FILE *file, const char *name, const void *bytes, unsigned long size)
{
    fprintf(file, "%s\n%lu\n", name, size);
    fwrite(bytes, 1, size, file);
}

/* The record NAME in a new block of memory, NULL without one. */
static void *load(const char *wanted, unsigned long *size)
{
    char name[1024];
    void *found = NULL;
    FILE *file = state_file("r");
    while (found == NULL && fscanf(file, "%1023s\n%lu", name, size) == 2 && fgetc(file) == '\n') {
        void *bytes = malloc(*size + 1);
        if (bytes == NULL || fread(bytes, 1, *size, file) != *size)
            fail("cannot read", name);
        if (strcmp(name, wanted) == 0)
            found = bytes;
        else
            free(bytes);
    }
    fclose(file);
    return found;
}

static void load_value(const char *name, void *address, unsigned long size, int needed)
{
    unsigned long length = 0;
    void *bytes = load(name, &length);
    if (bytes != NULL && length == size)
        memcpy(address, bytes, size);
    else if (needed || bytes != NULL)
        fail("no value or another size for", name);
    free(bytes);
}

/* -- values and arrays */

static long long integer_at(const value_t *slot)
{
    return slot->size == sizeof(int) ? *(int *)slot->address : *(long long *)slot->address;
}

static long long own_rows(const array_t *array);
static array_t *array_named(const char *name);

/* How many elements an array of a sparse matrix has here. */
static long long sparse_length(const array_t *array)
{
    array_t plain = *array;
    array_t *pointers = array_named(array->pointers_of);
    void *memory;
    plain.pointers_of = NULL;
    long long rows = own_rows(&plain);
    if (pointers == array)
        return rows + 1;
    memcpy(&memory, pointers->pointers[0], sizeof memory);
    return pointers->row_bytes == sizeof(int) ? ((int *)memory)[rows] : ((long long *)memory)[rows];
}

static long long own_rows(const array_t *array)
{
    if (array->pointers_of != NULL)
        return sparse_length(array);
    if (array->scheme != XMPI_GEN_DISTRIBUTED)
        return array->rows;
    for (int i = 0; i < state.refreshes; i++)
        if (state.kind[i] == XMPI_GEN_COUNT)
            return integer_at(&state.refresh[i]) + 2 * array->halo;
    fail("no count for", array->name);
    return 0;
}

static void *memory_of(const array_t *array)
{
    void *memory;
    if (array->fixed > 0)
        return array->pointers[0];
    memcpy(&memory, array->pointers[0], sizeof memory);
    return memory;
}

static void place(const array_t *array, void *memory)
{
    if (array->fixed > 0) {
        memcpy(array->pointers[0], memory, (unsigned long)own_rows(array) * array->row_bytes);
        free(memory);
        return;
    }
    for (int i = 0; i < array->holders; i++)
        memcpy(array->pointers[i], &memory, sizeof memory);
}

/* All holders must agree; then the array moves, and its old place is spoilt. */
static void move(const array_t *array)
{
    unsigned long size = (unsigned long)own_rows(array) * array->row_bytes;
    void *old = memory_of(array), *other, *memory = malloc(size + 1);
    for (int i = 1; i < array->holders; i++) {
        memcpy(&other, array->pointers[i], sizeof other);
        if (other != old)
            fail("different pointers for", array->name);
    }
    memcpy(memory, old, size);
    memset(old, 0xff, array->fixed > 0 ? array->fixed : size);
    if (array->fixed == 0)
        free(old);
    place(array, memory);
}

static void save_all(void)
{
    FILE *file = state_file("w");
    for (int i = 0; i < state.values; i++)
        save(file, state.value[i].name, state.value[i].address, state.value[i].size);
    for (int i = 0; i < state.refreshes; i++) {
        char name[32];
        long long value = integer_at(&state.refresh[i]);
        snprintf(name, sizeof name, "kind%d", state.kind[i]);
        save(file, name, &value, sizeof value);
    }
    for (int i = 0; i < state.arrays; i++) {
        save(file, state.array[i].name, memory_of(&state.array[i]),
             (unsigned long)own_rows(&state.array[i]) * state.array[i].row_bytes);
    }
    fclose(file);
}

static void load_refresh(int i)
{
    char name[32];
    long long value = 0;
    snprintf(name, sizeof name, "kind%d", state.kind[i]);
    load_value(name, &value, sizeof value, 1);
    if (state.refresh[i].size == sizeof(int))
        *(int *)state.refresh[i].address = (int)value;
    else
        *(long long *)state.refresh[i].address = value;
}

static void load_all(void)
{
    for (int i = 0; i < state.values; i++)
        load_value(state.value[i].name, state.value[i].address, state.value[i].size, 1);
    for (int i = 0; i < state.refreshes; i++)
        load_refresh(i);
    for (int i = 0; i < state.arrays; i++) {
        unsigned long size = 0;
        void *memory = load(state.array[i].name, &size);
        if (memory == NULL)
            fail("no array", state.array[i].name);
        place(&state.array[i], memory);
    }
}

/* -- what the rewritten program calls */

void xmpi_gen_structure(const char *json)
{
    if (json[0] != '{' || strchr(json, '\n') != NULL)
        fail("structure", "is no JSON in a line");
}

void xmpi_gen_link_this_with_xmpicc(void)
{
}

void xmpi_gen_program(int version)
{
    state.declared = version == 1;
}

int xmpi_gen_initial(void)
{
    return !is_joiner() || state.joined;
}

void xmpi_gen_live(const char *name, void *address, unsigned long size)
{
    int i = 0;
    while (i < state.values && strcmp(state.value[i].name, name) != 0)
        i++;
    if (i == MAX_SLOTS)
        fail("too many values at", name);
    state.values += i == state.values;
    state.value[i] = (value_t){name, address, size, state.frame};
    if (is_joiner() && !state.joined)
        load_value(name, address, size, 0);
}

void xmpi_gen_refresh(int kind, void *address, unsigned long size)
{
    int i = 0;
    while (i < state.refreshes && state.refresh[i].address != address)
        i++;
    if (i == MAX_SLOTS || (size != sizeof(int) && size != sizeof(long long)))
        fail("bad", "refresh");
    state.refreshes += i == state.refreshes;
    state.refresh[i] = (value_t){"", address, size, state.frame};
    state.kind[i] = kind;
}

void xmpi_gen_domain(long long extent)
{
    state.extent = extent;
}

static array_t *array_named(const char *name)
{
    int i = 0;
    while (i < state.arrays && strcmp(state.array[i].name, name) != 0)
        i++;
    if (i == MAX_SLOTS)
        fail("too many arrays at", name);
    state.arrays += i == state.arrays;
    state.array[i].name = name;
    return &state.array[i];
}

void xmpi_gen_data(const char *name, void *pointer, unsigned long element_size, int scheme,
                   long long rows, long long row_length)
{
    array_t *array = array_named(name);
    xmpi_gen_alias(name, pointer);
    array->row_bytes = element_size * (unsigned long)row_length;
    array->scheme = scheme;
    array->halo = 0;
    array->rows = rows;
}

void xmpi_gen_csr(const char *ia, const char *ja, const char *a)
{
    array_named(ia)->pointers_of = ia;
    array_named(ja)->pointers_of = ia;
    array_named(a)->pointers_of = ia;
}

void xmpi_gen_fixed(const char *name, unsigned long bytes)
{
    array_named(name)->fixed = bytes;
    array_named(name)->holders = 1;
}

void xmpi_gen_least(long long rows)
{
    if (rows <= 0 || state.inside)
        fail("least", "out of place");
}

void xmpi_gen_halo(const char *name, long long rows)
{
    array_named(name)->halo = rows;
}

void *xmpi_gen_rows(void *table, void *block, long long rows, unsigned long bytes)
{
    void **row = realloc(table, (size_t)(rows + 1) * sizeof *row);
    if (row == NULL)
        fail("no memory for", "rows");
    for (long long i = 0; i < rows; i++)
        row[i] = (char *)block + (size_t)i * bytes;
    return row;
}

int xmpi_gen_gone(void)
{
    return 0;
}

int xmpi_gen_restore(const char *where)
{
    return where == NULL; /* the layout is that of the program */
}

void xmpi_gen_outofcore(const char *name)
{
    array_named(name); /* where its rows are makes no difference */
}

void xmpi_gen_constant(const char *name)
{
    array_named(name)->constant = 1;
}

/* The bytes of one word of what elements are made of ("3f8"); 0 when it is none. */
static unsigned long bytes_of_word(const char *word, unsigned long length)
{
    char kind = 0, extra = 0;
    unsigned long count = 1, bytes = 0;
    char copy[32] = "";
    if (length >= sizeof copy)
        return 0;
    memcpy(copy, word, length);
    int at = copy[0] >= '0' && copy[0] <= '9'
                 ? sscanf(copy, "%lu%c%lu%c", &count, &kind, &bytes, &extra) - 1
                 : sscanf(copy, "%c%lu%c", &kind, &bytes, &extra);
    if (at != 2 || count == 0 || bytes == 0 || strchr("fix", kind) == NULL)
        return 0;
    return (kind == 'f' && bytes != 4 && bytes != 8 && bytes != 16) ||
                   (kind == 'i' && bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
               ? 0
               : count * bytes;
}

static unsigned long bytes_of_elements(const char *elements)
{
    unsigned long all = 0;
    if (*elements == '?' || *elements == '~')
        elements++;
    while (*(elements += strspn(elements, " ")) != '\0') {
        unsigned long length = strcspn(elements, " "), bytes = bytes_of_word(elements, length);
        if (bytes == 0)
            fail("bad elements", elements);
        all += bytes;
        elements += length;
    }
    return all;
}

/* Every name is that of a live value or of an array, and its elements fill it. */
void xmpi_gen_elements(const char *name, const char *elements)
{
    unsigned long bytes = bytes_of_elements(elements), size = 0;
    int found = 0;
    for (int i = 0; i < state.values; i++)
        if (strcmp(state.value[i].name, name) == 0 && ++found)
            size = state.value[i].size;
    for (int i = 0; i < state.arrays; i++)
        if (strcmp(state.array[i].name, name) == 0 && ++found)
            size = state.array[i].row_bytes;
    if (found != 1 || bytes == 0 || size % bytes != 0)
        fail("elements that do not fill", name);
}

void xmpi_gen_repeats(int how, const char *why)
{
    if (how < XMPI_GEN_NEVER_REPEATS || how > XMPI_GEN_REPEATS || state.inside ||
        (how != XMPI_GEN_REPEATS && (why == NULL || *why == '\0')))
        fail("bad", "repeats");
}

void xmpi_gen_policy(const char *clause)
{
    (void)clause;
}

void xmpi_gen_bound(long long iterations)
{
    if (is_joiner() || state.inside)
        fail("bound", "out of place");
    state.bound = iterations;
}

void xmpi_gen_alias(const char *name, void *pointer)
{
    array_t *array = array_named(name);
    if (array->fixed > 0)
        return;
    for (int i = 0; i < array->holders; i++)
        if (array->pointers[i] == pointer)
            return;
    array->frames[array->holders] = state.frame;
    array->pointers[array->holders++] = pointer;
}

void xmpi_gen_weight(void *pointer, int type, int scheme)
{
    if (pointer == NULL || type < 0 || type > 3 || (scheme != 0 && scheme != 1) || state.inside)
        fail("weight out of place", "");
}

/* -- functions that return, and several loops: a joiner is always called to the first */

static void keep(int frame)
{
    int n = 0;
    for (int i = 0; i < state.values; i++)
        if (state.value[i].frame <= frame)
            state.value[n++] = state.value[i];
    state.values = n;
    n = 0;
    for (int i = 0; i < state.refreshes; i++)
        if (state.refresh[i].frame <= frame) {
            state.kind[n] = state.kind[i];
            state.refresh[n++] = state.refresh[i];
        }
    state.refreshes = n;
    n = 0;
    for (int i = 0; i < state.arrays; i++) {
        array_t array = state.array[i];
        array.holders = 0;
        for (int j = 0; j < state.array[i].holders; j++)
            if (state.array[i].frames[j] <= frame) {
                array.frames[array.holders] = state.array[i].frames[j];
                array.pointers[array.holders++] = state.array[i].pointers[j];
            }
        if (array.holders > 0)
            state.array[n++] = array;
    }
    state.arrays = n;
}

int xmpi_gen_enter(const char *where)
{
    return where != NULL;
}

int xmpi_gen_elsewhere(const char *where)
{
    return where == NULL;
}

void xmpi_gen_call(int depth)
{
    keep(depth);
    state.frame = depth + 1;
}

void xmpi_gen_return(int depth)
{
    keep(depth);
    state.frame = depth;
}

void xmpi_gen_library(const char *where, const char *name, const void *wrap, const void *replaced)
{
    (void)where;
    (void)replaced;
    if (wrap != NULL)
        fail("wrapped", name);
}

void xmpi_gen_drop(const char *name)
{
    for (int i = state.arrays; i-- > 0;)
        if (strcmp(state.array[i].name, name) == 0)
            state.array[i] = state.array[--state.arrays];
}

void xmpi_gen_loop_begin(const char *where, long long interval)
{
    if (!state.declared || state.inside || interval < 0)
        fail("loop_begin out of place at", where);
    state.inside = 1;
}

long long xmpi_gen_interval(long long interval)
{
    if (interval < 1)
        fail("interval", "below 1");
    return interval;
}

int xmpi_gen_joining(void)
{
    return is_joiner() && !state.joined;
}

static unsigned long sum_of(const array_t *array)
{
    unsigned long size = (unsigned long)own_rows(array) * array->row_bytes, sum = 5381;
    unsigned char *bytes;
    memcpy(&bytes, array->pointers[0], sizeof bytes);
    for (unsigned long i = 0; i < size; i++)
        sum = sum * 33 + bytes[i];
    return sum;
}

/* From one iteration to the next, nothing may have changed a constant array. */
static void check_constants(int first)
{
    for (int i = 0; i < state.arrays; i++) {
        array_t *array = &state.array[i];
        if (!array->constant)
            continue;
        if (!first && sum_of(array) != array->sum)
            fail("the loop changes", array->name);
        array->sum = sum_of(array);
    }
}

int xmpi_gen_point(void)
{
    if (!state.inside)
        fail("point", "outside the loop");
    state.points++;
    if (state.bound > 0 && state.points > state.bound)
        fail("more iterations than", "the bound");
    if (xmpi_gen_joining()) {
        load_all();
        check_constants(1);
        state.joined = 1;
        state.points = SAVED_POINT;
        return 1;
    }
    check_constants(state.points == 1);
    if (state.points == SAVED_POINT)
        save_all();
    if (state.points % 2 != 0)
        return 0;
    for (int i = 0; i < state.arrays; i++)
        move(&state.array[i]);
    return 1;
}

void xmpi_gen_root(void)
{
}

void xmpi_gen_loop_end(void)
{
    if (!state.inside)
        fail("loop_end", "out of place");
    state.inside = 0;
}

void xmpi_gen_free(void *pointer)
{
    free(pointer);
}
