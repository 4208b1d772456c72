/* SPDX-License-Identifier: BSD-3-Clause
 * Arrays: how they are declared, allocated, filled and reached. */
#include <string.h>

#include "fuzz/generate_program.h"

const char *const array_names[MAX_ARRAYS] = {"u", "v", "x", "y", "z", "q", "f", "h"};

/* -- elements */

const char *element_type(const array_t *a)
{
    static const char *const types[ELEMENTS] = {"double", "float", "int", "long", "struct cell"};
    return types[a->element];
}

const char *element_mpi(const array_t *a)
{
    static const char *const types[ELEMENTS] = {"MPI_DOUBLE", "MPI_FLOAT", "MPI_INT", "MPI_LONG",
                                                "MPI_BYTE"};
    return types[a->element];
}

bool is_integer(const array_t *a)
{
    return a->element == INT || a->element == LONG;
}

/* -- loops over the own rows */

static struct {
    enum { FROM_ZERO, GLOBAL, FROM_ONE_ON, BY_WHILE, STYLES } style;
    bool columns;
} loop;

const char *local_row(void)
{
    return loop.style == GLOBAL ? "(g - $FIRST)" : loop.style == FROM_ONE_ON ? "(i - 1)" : "i";
}

const char *global_row(void)
{
    return loop.style == GLOBAL        ? "g"
           : loop.style == FROM_ONE_ON ? "($FIRST + i - 1)"
                                       : "($FIRST + i)";
}

static const char *plus(const char *text, int offset)
{
    return offset == 0
               ? text
               : with("%s %c %d", text, offset < 0 ? '-' : '+', offset < 0 ? -offset : offset);
}

/* The index in storage of the row at hand plus OFFSET. */
static const char *row_index(program_t *p, const array_t *a, int offset)
{
    const char *g = global_row();
    if (a->storage == ALL_ROWS && offset != 0 && p->ring)
        return with("(%s + $n) %% $n", plus(g, offset));
    if (a->storage == ALL_ROWS && offset < 0)
        return with("(%s < 0 ? 0 : %s)", plus(g, offset), plus(g, offset));
    if (a->storage == ALL_ROWS && offset > 0)
        return with("(%s >= $n ? $n - 1 : %s)", plus(g, offset), plus(g, offset));
    if (a->storage == ALL_ROWS)
        return g;
    offset += a->storage == WITH_GHOSTS ? a->ghosts : 0;
    if (loop.style == GLOBAL)
        return plus("g - $FIRST", offset);
    return plus("i", loop.style == FROM_ONE_ON ? offset - 1 : offset);
}

const char *element_at(const array_t *a, const char *row, const char *column)
{
    const char *dot = a->element == CELL ? ".x" : "";
    if (a->columns == 1)
        return with("$%s[%s]%s", a->name, row, dot);
    switch (a->access) {
    case FLAT:
        return with("$%s[(%s) * COLUMNS + %s]%s", a->name, row, column, dot);
    case BY_MACRO:
        return with("$%s[AT(%s, %s)]%s", a->name, row, column, dot);
    case BY_FUNCTION:
        return with("$%s[place(%s, %s)]%s", a->name, row, column, dot);
    default:
        return with("$%s[%s][%s]%s", a->name, row, column, dot);
    }
}

const char *at(program_t *p, const array_t *a, int offset)
{
    return element_at(a, row_index(p, a, offset), loop.columns ? "j" : "0");
}

const char *row_address(program_t *p, const array_t *a, const char *row)
{
    (void)p;
    if (a->columns == 1)
        return with("&$%s[%s]", a->name, row);
    if (a->access == ROW_POINTERS)
        return with("$%s[%s]", a->name, row);
    if (a->access >= POINTER_TO_ROWS)
        return with("&$%s[%s][0]", a->name, row);
    return with("&$%s[(%s) * COLUMNS]", a->name, row);
}

const char *own_rows(program_t *p, const array_t *a)
{
    return row_address(p, a,
                       a->storage == WITH_GHOSTS ? with("%d", a->ghosts)
                       : a->storage == ALL_ROWS  ? "$FIRST"
                                                 : "0");
}

const char *own_element(const array_t *a, const char *local)
{
    return element_at(a,
                      a->storage == ALL_ROWS      ? with("$FIRST + %s", local)
                      : a->storage == WITH_GHOSTS ? with("%s + %d", local, a->ghosts)
                                                  : local,
                      "0");
}

void row_loop_begin(program_t *p, const array_t *a, const char *name)
{
    loop.style = chance(p, 6, "%s.while", name) ? BY_WHILE : pick(p, BY_WHILE, "%s.loop", name);
    loop.columns = a->columns > 1;
    static const char *const heads[STYLES] = {
        "        for (int i = 0; i < $COUNT; i++) {\n",
        "        for (int g = $FIRST; g < $FIRST + $COUNT; g++) {\n",
        "        for (int i = 1; i <= $COUNT; i++) {\n",
        "        int i_%s = 0;\n        while (i_%s < $COUNT) {\n            int i = i_%s++;\n"};
    if (loop.style == BY_WHILE)
        say(p, p->out, heads[BY_WHILE], name, name, name);
    else
        say(p, p->out, "%s", heads[loop.style]);
    if (loop.columns)
        say(p, p->out, "        for (int j = 0; j < COLUMNS; j++) {\n");
}

void row_loop_end(program_t *p)
{
    say(p, p->out, loop.columns ? "        }}\n" : "        }\n");
}

/* -- allocation */

static const char *rows_of(const array_t *a)
{
    return a->storage == ALL_ROWS      ? "$n"
           : a->storage == WITH_GHOSTS ? with("($COUNT + %d)", 2 * a->ghosts)
                                       : "$COUNT";
}

static const char *declarator(const array_t *a)
{
    const char *type = element_type(a);
    if (a->access == FIXED_SIZE)
        return with(a->columns > 1 ? "%s %%s[MOST][COLUMNS]" : "%s %%s[MOST]", type);
    if (a->columns > 1 && a->access == POINTER_TO_ROWS)
        return with("%s (*%%s)[COLUMNS]", type);
    if (a->columns > 1 && a->access == ROW_POINTERS)
        return with("%s **%%s", type);
    return with("%s *%%s", type);
}

static void say_once(program_t *p, const char *mark, const char *text)
{
    fflush(p->stream[HEAD]);
    if (strstr(p->text[HEAD], mark) == NULL)
        say(p, HEAD, "%s", text);
}

static void define_access(program_t *p, const array_t *a)
{
    say_once(p, "COLUMNS", with("#define COLUMNS %d\n", p->columns));
    if (a->access == FIXED_SIZE)
        say_once(p, "MOST", with("#define MOST %d\n", p->rows + 4));
    if (a->access == BY_MACRO)
        say_once(p, "AT(", "#define AT(i, j) ((i) * COLUMNS + (j))\n");
    if (a->access == BY_FUNCTION)
        say_once(p, "place(",
                 "static inline int place(int i, int j)\n{\n    return i * COLUMNS + j;\n}\n\n");
    if (a->element == CELL)
        say_once(p, "struct cell", "struct cell {\n    double x;\n    int tag;\n};\n");
}

static void allocate_row_pointers(program_t *p, const array_t *a, const char *type)
{
    declare(p, 'd', with("%s_block", a->name), with("%s *%%s", type));
    say(p, START, "    $%s_block = calloc((size_t)%s * COLUMNS, sizeof(%s));\n", a->name,
        rows_of(a), type);
    say(p, START, "    $%s = malloc((size_t)%s * sizeof(%s *));\n", a->name, rows_of(a), type);
    say(p, START, "    for (int i = 0; i < %s; i++)\n        $%s[i] = $%s_block + i * COLUMNS;\n",
        rows_of(a), a->name, a->name);
}

static void allocate(program_t *p, const array_t *a)
{
    const char *type = element_type(a), *rows = rows_of(a);
    const char *times = a->columns > 1 ? " * COLUMNS" : "";
    if (a->access == FIXED_SIZE)
        say(p, START, "    memset($%s, 0, sizeof $%s);\n", a->name, a->name);
    else if (a->access == ROW_POINTERS && a->columns > 1)
        allocate_row_pointers(p, a, type);
    else
        switch (chance(p, 4, "%s.helper", a->name) ? 3 : pick(p, 3, "%s.allocation", a->name)) {
        case 0:
            say(p, START, "    $%s = calloc((size_t)%s%s, sizeof(%s));\n", a->name, rows, times,
                type);
            break;
        case 1:
            say(p, START,
                "    $%s = malloc((size_t)%s%s * sizeof(%s));\n    memset($%s, 0, (size_t)%s%s * "
                "sizeof(%s));\n",
                a->name, rows, times, type, a->name, rows, times, type);
            break;
        case 2:
            say(p, START,
                "    $%s = (%s)calloc((size_t)(%s%s), sizeof(%s));\n    if ($%s == NULL)\n"
                "        MPI_Abort(MPI_COMM_WORLD, 1);\n",
                a->name,
                a->columns > 1 && a->access == POINTER_TO_ROWS ? with("%s (*)[COLUMNS]", type)
                                                               : with("%s *", type),
                rows, times, type, a->name);
            break;
        default:
            say_once(
                p, "get_memory",
                "static void *get_memory(size_t n, size_t of)\n{\n    void *p = calloc(n, of);\n"
                "    if (p == NULL)\n        exit(1);\n    return p;\n}\n\n");
            say(p, START, "    $%s = get_memory((size_t)%s%s, sizeof(%s));\n", a->name, rows, times,
                type);
        }
}

/* -- what is in them at first */

/* A value of row G, column J. */
static const char *value(program_t *p, const array_t *a, const char *g, const char *j)
{
    static const char *const reals[] = {"1 + 0.1 * ((%s * 7 + %s) %% 11)", "sin(0.3 * %s + %s)",
                                        "1.0 / (1 + %s + %s)", "(%s %% 2 ? 0.5 : 1.5) + 0.01 * %s"};
    if (is_integer(a))
        return with("(%s * 7 + %s) %% 101", g, j);
    return with(reals[pick(p, 4, "%s.value", a->name)], g, j);
}

static void fill_own_rows(program_t *p, array_t *a)
{
    char name[NAME];
    snprintf(name, sizeof name, "%s.fill", a->name);
    p->out = START;
    bool apart = p->place != IN_MAIN && chance(p, 30, "%s.fill.function", a->name);
    if (apart) {
        p->out = FUNCTIONS;
        say(p, FUNCTIONS, "static void fill_%s(int k$PARAMETERS)\n{\n", a->name);
        say(p, START, "    fill_%s(0$ARGUMENTS);\n", a->name);
    } else {
        say(p, START, "    {\n");
    }
    row_loop_begin(p, a, with("fill_%s", a->name));
    say(p, p->out, "            %s = %s;\n", at(p, a, 0),
        value(p, a, global_row(), loop.columns ? "j" : "1"));
    row_loop_end(p);
    say(p, p->out, apart ? "}\n\n" : "    }\n");
}

static void fill_all_rows(program_t *p, array_t *a, bool on_root)
{
    if (on_root)
        say(p, START, "    if ($rank == 0)\n");
    say(p, START, "    for (int i = 0; i < $n; i++)\n");
    if (a->columns > 1)
        say(p, START, "        for (int j = 0; j < COLUMNS; j++)\n");
    say(p, START, "            %s = %s;\n", element_at(a, "i", "j"),
        value(p, a, "i", a->columns > 1 ? "j" : "1"));
    if (on_root)
        say(p, START,
            "    MPI_Bcast(%s, $n * %d * (int)sizeof(%s), MPI_BYTE, 0, MPI_COMM_WORLD);\n",
            row_address(p, a, "0"), a->columns, element_type(a));
}

/* Rank 0 makes all rows, and each process takes its own from what it is sent. */
static void fill_from_root(program_t *p, array_t *a, bool scatter)
{
    const char *type = element_type(a), *dot = a->element == CELL ? ".x" : "";
    say(p, START, "    {\n        %s *all = calloc((size_t)$n * %d, sizeof *all);\n", type,
        a->columns);
    say(p, START, "        if ($rank == 0)\n            for (int i = 0; i < $n * %d; i++)\n",
        a->columns);
    say(p, START, "                all[i]%s = %s;\n", dot, value(p, a, "i", "2"));
    const char *own = row_address(p, a, a->storage == WITH_GHOSTS ? with("%d", a->ghosts) : "0");
    if (scatter)
        say(p, START,
            "        int own = $COUNT, *of = malloc(2 * $size * sizeof *of), *from = of + $size;\n"
            "        MPI_Allgather(&own, 1, MPI_INT, of, 1, MPI_INT, MPI_COMM_WORLD);\n"
            "        from[0] = 0;\n        for (int r = 1; r < $size; r++)\n            from[r] = "
            "from[r - 1] + of[r - 1];\n"
            "        MPI_Scatterv(all, of, from, %s, %s, own, %s, 0, MPI_COMM_WORLD);\n        "
            "free(of);\n",
            element_mpi(a), own, element_mpi(a));
    else
        say(p, START,
            "        MPI_Bcast(all, $n * %d * (int)sizeof *all, MPI_BYTE, 0, MPI_COMM_WORLD);\n"
            "        memcpy(%s, all + $FIRST * %d, (size_t)$COUNT * %d * sizeof *all);\n",
            a->columns, own, a->columns, a->columns);
    say(p, START, "        free(all);\n    }\n");
}

static void fill(program_t *p, array_t *a)
{
    unsigned way = pick(p, 6, "%s.fill", a->name);
    if (a->storage == ALL_ROWS)
        fill_all_rows(p, a, way >= 4);
    else if (way < 4)
        fill_own_rows(p, a);
    else
        fill_from_root(p, a, way == 5 && a->columns == 1 && a->element != CELL);
}

/* An array of the loop that what is around it works on as well. (Where processes store all rows,
 * those of others are not known everywhere.) */
static array_t *known_array(program_t *p, storage_t storage, int ghosts)
{
    if (p->body == LOOP || storage == ALL_ROWS || chance(p, 8, "known%d.new", p->stages))
        return NULL;
    size_t first = pick(p, MAX_ARRAYS, "known%d.array", p->stages);
    for (size_t i = 0; i < p->arrays; i++) {
        array_t *a = &p->array[(first + i) % p->arrays];
        if (storage == OWN_ROWS ? a->storage != ALL_ROWS
                                : a->storage == storage && a->ghosts == ghosts) {
            a->shared = true;
            return a;
        }
    }
    return NULL;
}

array_t *make_array(program_t *p, storage_t storage, int ghosts, const array_t *like)
{
    array_t *known = like == NULL ? known_array(p, storage, ghosts) : NULL;
    if (known != NULL || p->arrays == MAX_ARRAYS)
        return known != NULL ? known : &p->array[0];
    array_t *a = &p->array[p->arrays];
    snprintf(a->name, sizeof a->name, "%s", array_names[p->arrays++]);
    a->storage = storage;
    a->ghosts = ghosts;
    a->element = chance(p, 40, "%s.typed", a->name)
                     ? (element_t)pick(p, ELEMENTS, "%s.element", a->name)
                     : DOUBLE;
    a->columns = chance(p, 40, "%s.columns", a->name) ? p->columns : 1;
    a->access = (access_t)pick(
        p, p->place >= IN_STRUCT && !chance(p, 5, "%s.inside", a->name) ? FIXED_SIZE : ACCESSES,
        "%s.access", a->name);
    if (p->body != LOOP && a->access == ROW_POINTERS)
        a->access = FLAT;
    if (like != NULL) {
        bool same = chance(p, 60, "%s.like", a->name);
        a->element = like->element;
        a->columns = like->columns;
        a->access = same ? like->access : a->access;
    }
    define_access(p, a);
    declare(p, 'd', a->name, declarator(a));
    allocate(p, a);
    fill(p, a);
    if (a->access != FIXED_SIZE)
        say(p, END, "    free(%s);\n",
            with(a->access == ROW_POINTERS && a->columns > 1 ? "$%s_block" : "$%s", a->name));
    return a;
}
