/* SPDX-License-Identifier: BSD-3-Clause
 * How neighbours get one another's edge rows, and all processes all rows. */
#include <string.h>

#include "fuzz/generate_program.h"

/* The addresses of the rows that are sent and received, and how many of which type. */
typedef struct {
    const char *first, *last, *low, *high, *type;
    int items;
} edges_t;

static edges_t edges_of(program_t *p, const array_t *a)
{
    int w = a->ghosts, bytes = a->element == CELL;
    edges_t e = {.type = element_mpi(a), .items = w * a->columns * (bytes ? 16 : 1)};
    if (a->storage == ALL_ROWS) {
        e.first = row_address(p, a, "$FIRST");
        e.last = row_address(p, a, "$FIRST + $COUNT - 1");
        e.low = row_address(p, a, "($FIRST - 1 + $n) % $n");
        e.high = row_address(p, a, "($FIRST + $COUNT) % $n");
    } else {
        e.low = row_address(p, a, "0");
        e.first = row_address(p, a, with("%d", w));
        e.last = row_address(p, a, "$COUNT");
        e.high = row_address(p, a, with("$COUNT + %d", w));
    }
    return e;
}

static void sendrecv(program_t *p, const edges_t *e, bool guarded)
{
    say(p, p->out,
        "        MPI_Sendrecv(%s, %d, %s, $left, 0, %s, %d, %s, $right, 0, MPI_COMM_WORLD, "
        "MPI_STATUS_IGNORE);\n",
        e->first, e->items, e->type, e->high, e->items, e->type);
    if (guarded)
        say(p, p->out, "        if ($left != MPI_PROC_NULL || $right != MPI_PROC_NULL)\n    ");
    say(p, p->out,
        "        MPI_Sendrecv(%s, %d, %s, $right, 1, %s, %d, %s, $left, 1, MPI_COMM_WORLD, "
        "MPI_STATUS_IGNORE);\n",
        e->last, e->items, e->type, e->low, e->items, e->type);
}

static void requests(program_t *p, const edges_t *e, const char *name)
{
    say(p, p->out, "        MPI_Request r_%s[4];\n", name);
    say(p, p->out, "        MPI_Irecv(%s, %d, %s, $left, 1, MPI_COMM_WORLD, &r_%s[0]);\n", e->low,
        e->items, e->type, name);
    say(p, p->out, "        MPI_Irecv(%s, %d, %s, $right, 0, MPI_COMM_WORLD, &r_%s[1]);\n", e->high,
        e->items, e->type, name);
    say(p, p->out, "        MPI_Isend(%s, %d, %s, $left, 0, MPI_COMM_WORLD, &r_%s[2]);\n", e->first,
        e->items, e->type, name);
    say(p, p->out, "        MPI_Isend(%s, %d, %s, $right, 1, MPI_COMM_WORLD, &r_%s[3]);\n", e->last,
        e->items, e->type, name);
    say(p, p->out, "        MPI_Waitall(4, r_%s, MPI_STATUSES_IGNORE);\n", name);
}

/* With conditions in place of MPI_PROC_NULL. */
static void conditions(program_t *p, const edges_t *e, const char *name)
{
    say(p, p->out, "        MPI_Request r_%s[4];\n        int n_%s = 0;\n", name, name);
    say(p, p->out,
        "        if ($rank > 0) {\n            MPI_Irecv(%s, %d, %s, $rank - 1, 1, MPI_COMM_WORLD, "
        "&r_%s[n_%s++]);\n",
        e->low, e->items, e->type, name, name);
    say(p, p->out,
        "            MPI_Isend(%s, %d, %s, $rank - 1, 0, MPI_COMM_WORLD, &r_%s[n_%s++]);\n        "
        "}\n",
        e->first, e->items, e->type, name, name);
    say(p, p->out,
        "        if ($rank + 1 < $size) {\n            MPI_Irecv(%s, %d, %s, $rank + 1, 0, "
        "MPI_COMM_WORLD, &r_%s[n_%s++]);\n",
        e->high, e->items, e->type, name, name);
    say(p, p->out,
        "            MPI_Isend(%s, %d, %s, $rank + 1, 1, MPI_COMM_WORLD, &r_%s[n_%s++]);\n        "
        "}\n",
        e->last, e->items, e->type, name, name);
    say(p, p->out, "        MPI_Waitall(n_%s, r_%s, MPI_STATUSES_IGNORE);\n", name, name);
}

static void send_and_wait(program_t *p, const edges_t *e, const char *name)
{
    say(p, p->out, "        MPI_Request r_%s;\n", name);
    say(p, p->out, "        MPI_Isend(%s, %d, %s, $left, 0, MPI_COMM_WORLD, &r_%s);\n", e->first,
        e->items, e->type, name);
    say(p, p->out, "        MPI_Recv(%s, %d, %s, $right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n",
        e->high, e->items, e->type);
    say(p, p->out, "        MPI_Wait(&r_%s, MPI_STATUS_IGNORE);\n", name);
    say(p, p->out, "        MPI_Isend(%s, %d, %s, $right, 1, MPI_COMM_WORLD, &r_%s);\n", e->last,
        e->items, e->type, name);
    say(p, p->out, "        MPI_Recv(%s, %d, %s, $left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n",
        e->low, e->items, e->type);
    say(p, p->out, "        MPI_Wait(&r_%s, MPI_STATUS_IGNORE);\n", name);
}

static void persistent(program_t *p, const edges_t *e, const char *name)
{
    declare(p, 'd', with("requests_%s", name), "MPI_Request %s[4]");
    say(p, SETUP, "    MPI_Recv_init(%s, %d, %s, $left, 1, MPI_COMM_WORLD, &$requests_%s[0]);\n",
        e->low, e->items, e->type, name);
    say(p, SETUP, "    MPI_Recv_init(%s, %d, %s, $right, 0, MPI_COMM_WORLD, &$requests_%s[1]);\n",
        e->high, e->items, e->type, name);
    say(p, SETUP, "    MPI_Send_init(%s, %d, %s, $left, 0, MPI_COMM_WORLD, &$requests_%s[2]);\n",
        e->first, e->items, e->type, name);
    say(p, SETUP, "    MPI_Send_init(%s, %d, %s, $right, 1, MPI_COMM_WORLD, &$requests_%s[3]);\n",
        e->last, e->items, e->type, name);
    say(p, p->out,
        "        MPI_Startall(4, $requests_%s);\n        MPI_Waitall(4, $requests_%s, "
        "MPI_STATUSES_IGNORE);\n",
        name, name);
    say(p, END, "    for (int r = 0; r < 4; r++)\n        MPI_Request_free(&$requests_%s[r]);\n",
        name);
}

/* Edge rows go through buffers: those of the iteration, or made before the loop. */
static void packed(program_t *p, const array_t *a, const edges_t *e, const char *name)
{
    const char *type = element_type(a),
               *bytes = with("%d * sizeof(%s)", a->ghosts * a->columns, type);
    bool before = chance(p, 50, "%s.packed", a->name);
    const char *d = before ? "$" : "";
    for (int i = 0; i < 4; i++) {
        const char *buffer = with("buffer%d_%s", i, name);
        if (before) {
            declare(p, 'd', buffer, with("%s *%%s", type));
            say(p, SETUP, "    $%s = malloc(%s);\n", buffer, bytes);
        } else {
            say(p, p->out, "        %s *%s = malloc(%s);\n", type, buffer, bytes);
        }
    }
    say(p, p->out, "        memcpy(%sbuffer0_%s, %s, %s);\n        memcpy(%sbuffer1_%s, %s, %s);\n",
        d, name, e->first, bytes, d, name, e->last, bytes);
    edges_t through = *e;
    through.first = with("%sbuffer0_%s", d, name);
    through.last = with("%sbuffer1_%s", d, name);
    through.low = with("%sbuffer2_%s", d, name);
    through.high = with("%sbuffer3_%s", d, name);
    sendrecv(p, &through, false);
    say(p, p->out, "        if ($left != MPI_PROC_NULL)\n            memcpy(%s, %s, %s);\n", e->low,
        through.low, bytes);
    say(p, p->out, "        if ($right != MPI_PROC_NULL)\n            memcpy(%s, %s, %s);\n",
        e->high, through.high, bytes);
    for (int i = 0; i < 4 && !before; i++)
        say(p, p->out, "        free(buffer%d_%s);\n", i, name);
}

/* Everybody gets the edge rows of all. */
static void gathered(program_t *p, const array_t *a, const edges_t *e, const char *name)
{
    const char *type = element_type(a);
    int items = a->ghosts * a->columns;
    say(p, p->out, "        %s mine_%s[%d], *edges_%s = malloc($size * sizeof mine_%s);\n", type,
        name, 2 * items, name, name);
    say(p, p->out,
        "        memcpy(mine_%s, %s, sizeof mine_%s / 2);\n        memcpy(mine_%s + %d, %s, sizeof "
        "mine_%s / 2);\n",
        name, e->first, name, name, items, e->last, name);
    say(p, p->out,
        "        MPI_Allgather(mine_%s, sizeof mine_%s, MPI_BYTE, edges_%s, sizeof mine_%s, "
        "MPI_BYTE, MPI_COMM_WORLD);\n",
        name, name, name, name);
    say(p, p->out,
        "        if ($left != MPI_PROC_NULL)\n            memcpy(%s, edges_%s + %d * $left + %d, "
        "sizeof mine_%s / 2);\n",
        e->low, name, 2 * items, items, name);
    say(p, p->out,
        "        if ($right != MPI_PROC_NULL)\n            memcpy(%s, edges_%s + %d * $right, "
        "sizeof mine_%s / 2);\n        free(edges_%s);\n",
        e->high, name, 2 * items, name, name);
}

/* By a datatype of the program's own. */
static void typed(program_t *p, const array_t *a, const edges_t *e, const char *name)
{
    const char *type = with("row_%s", name);
    edges_t rows = *e;
    declare(p, 'd', type, "MPI_Datatype %s");
    if (chance(p, 40, "%s.vector", a->name))
        say(p, START, "    MPI_Type_vector(%d, 1, 1, %s, &$%s);\n", e->items, e->type, type);
    else
        say(p, START, "    MPI_Type_contiguous(%d, %s, &$%s);\n", e->items, e->type, type);
    say(p, START, "    MPI_Type_commit(&$%s);\n", type);
    say(p, END, "    MPI_Type_free(&$%s);\n", type);
    rows.items = 1;
    rows.type = with("$%s", type);
    if (chance(p, 50, "%s.typed_requests", a->name))
        requests(p, &rows, name);
    else
        sendrecv(p, &rows, false);
}

/* Which way the rows of A are exchanged: what is rare among programs is rare here. */
static unsigned exchange_of(program_t *p, const array_t *a)
{
    if (chance(p, 10, "%s.datatype", a->name))
        return 8;
    return chance(p, 4, "%s.gathered", a->name) ? 7 : pick(p, 7, "%s.exchange", a->name);
}

void exchange_ghosts(program_t *p, array_t *a)
{
    unsigned way = exchange_of(p, a);
    const char *name = with("%s%d", a->name, p->helpers++);
    bool itself =
        a->storage == ALL_ROWS && p->ring; /* alone, it would send rows into the same rows */
    if (way == 6 && (a->swapped || p->body != LOOP || p->around == AROUND_CALL))
        way = 0;
    if (way == 3 && p->ring)
        way = 2;
    make_neighbours(p);
    stage_begin(p, true);
    if (itself)
        say(p, p->out, "        if ($size > 1) {\n");
    edges_t e = edges_of(p, a);
    switch (way) {
    case 0:
    case 1:
        sendrecv(p, &e, way == 1);
        break;
    case 2:
        requests(p, &e, name);
        break;
    case 3:
        conditions(p, &e, name);
        break;
    case 4:
        send_and_wait(p, &e, name);
        break;
    case 5:
        packed(p, a, &e, name);
        break;
    case 6:
        persistent(p, &e, name);
        break;
    case 8:
        typed(p, a, &e, name);
        break;
    default:
        gathered(p, a, &e, name);
    }
    if (itself)
        say(p, p->out, "        }\n");
    stage_end(p);
}
