/* SPDX-License-Identifier: BSD-3-Clause
 * What an iteration computes: contraction maps, so that the last digits of sums stay the last
 * digits. */
#include <string.h>

#include "fuzz/generate_program.h"

/* Something small of the row at hand and the iteration. */
static const char *forcing(program_t *p, const array_t *a, const char *name)
{
    static const char *const reals[] = {"0.01 * (%s %% 7)", "0.1 * sin(0.2 * %s)",
                                        "0.01 * ((%s + k) %% 5)", "0.3 / (1 + %s + k)",
                                        "(%s == 0 || k %% 3 == 0 ? 0.05 : 0.0)"};
    static const char *const integers[] = {"%s %% 7", "3 * %s", "(%s + k) %% 5", "k + %s",
                                           "(%s == 0 ? k : 1)"};
    unsigned which = pick(p, 5, "%s.forcing", name);
    return with(is_integer(a) ? integers[which] : reals[which], global_row());
}

/* Of an array made earlier, what belongs to the row at hand. */
static const char *coupling(program_t *p, const array_t *a, const char *name)
{
    size_t which = pick(p, MAX_ARRAYS, "%s.coupled", name);
    if (which >= p->arrays || &p->array[which] == a || p->array[which].columns > a->columns)
        return "";
    const array_t *other = &p->array[which];
    if (is_integer(a) != is_integer(other))
        return "";
    return with(is_integer(a) ? " + %s %% 13" : " + 0.01 * %s", at(p, other, 0));
}

static void set(program_t *p, const array_t *to, const char *value, const char *name)
{
    if (is_integer(to))
        say(p, p->out, "            %s = (%s + %s%s) %% 1009;\n", at(p, to, 0), value,
            forcing(p, to, name), coupling(p, to, name));
    else
        say(p, p->out, "            %s = %s + %s%s;\n", at(p, to, 0), value, forcing(p, to, name),
            coupling(p, to, name));
    if (to->element == CELL && chance(p, 50, "%s.tag", name) &&
        strstr(at(p, to, 0), ".x") != NULL) {
        const char *x = at(p, to, 0);
        say(p, p->out, "            %.*s.tag += 1;\n", (int)strlen(x) - 2, x);
    }
}

/* The mean with the neighbours, up to two on each side. */
static const char *stencil(program_t *p, const array_t *a, int reach)
{
    const char *reals = "0.5 * %s + 0.2 * (%s + %s)", *integers = "3 * %s + %s + %s";
    if (reach > 1)
        return with(is_integer(a) ? "3 * %s + %s + %s + %s + %s"
                                  : "0.4 * %s + 0.2 * (%s + %s) + 0.05 * (%s + %s)",
                    at(p, a, 0), at(p, a, -1), at(p, a, 1), at(p, a, -2), at(p, a, 2));
    return with(is_integer(a) ? integers : reals, at(p, a, 0), at(p, a, -1), at(p, a, 1));
}

void set_from_neighbours(program_t *p, const array_t *to, const array_t *a, const char *name)
{
    set(p, to, stencil(p, a, a->ghosts), name);
}

static const char *damped(program_t *p, const array_t *a)
{
    return with(is_integer(a) ? "5 * %s" : "0.9 * %s", at(p, a, 0));
}

/* u = f(u), row by row. */
static void map(program_t *p, int kernel)
{
    char name[NAME];
    snprintf(name, sizeof name, "map%d", kernel);
    array_t *a = make_array(p, OWN_ROWS, 0, NULL);
    stage_begin(p, true);
    row_loop_begin(p, a, name);
    set(p, a, damped(p, a), name);
    row_loop_end(p);
    stage_end(p);
}

/* The array that takes new values, of the same shape. */
static array_t *twin(program_t *p, array_t *a, bool whole)
{
    size_t before = p->arrays;
    array_t *b = make_array(p, whole ? a->storage : OWN_ROWS, whole ? a->ghosts : 0, a);
    return p->arrays > before ? b : NULL;
}

static bool alike(const array_t *a, const array_t *b)
{
    return a->storage == b->storage && a->element == b->element && a->columns == b->columns &&
           a->access == b->access;
}

static void copy_back(program_t *p, array_t *a, array_t *b, const char *name)
{
    bool bytes = alike(a, b) && chance(p, 50, "%s.memcpy", name);
    stage_begin(p, true);
    if (bytes) {
        const char *from = a->storage == WITH_GHOSTS ? with("%d", a->ghosts) : "0";
        say(p, p->out, "        memcpy(%s, %s, (size_t)$COUNT * %d * sizeof(%s));\n",
            row_address(p, a, from), row_address(p, b, from), a->columns, element_type(a));
    } else {
        row_loop_begin(p, a, with("%s_back", name));
        say(p, p->out,
            is_integer(a) ? "            %s = (long)%s %% 1009;\n" : "            %s = %s;\n",
            at(p, a, 0), at(p, b, 0));
        row_loop_end(p);
    }
    stage_end(p);
}

static void swap(program_t *p, const array_t *a, const array_t *b)
{
    say(p, p->body,
        "        {\n            void *swap = $%s;\n            $%s = $%s;\n            $%s = "
        "swap;\n        }\n",
        a->name, a->name, b->name, b->name);
}

/* The ghost rows of an array that is there, 0 where none has any. */
static int known_ghosts(const program_t *p)
{
    for (size_t i = 0; i < p->arrays; i++)
        if (p->array[i].storage == WITH_GHOSTS)
            return p->array[i].ghosts;
    return 0;
}

static void jacobi(program_t *p, int kernel)
{
    char name[NAME];
    snprintf(name, sizeof name, "jacobi%d", kernel);
    int known = p->body != LOOP ? known_ghosts(p) : 0;
    int ghosts = known > 0 ? known : 1 + chance(p, 25, "%s.wide", name);
    array_t *a = make_array(p, WITH_GHOSTS, ghosts, NULL);
    array_t *b = twin(p, a, p->body == LOOP && chance(p, 70, "%s.twin", name));
    if (b == NULL)
        return;
    if (b->columns < a->columns)
        b = a;
    bool swaps = a != b && !a->shared && alike(a, b) && a->access != FIXED_SIZE &&
                 (a->access != ROW_POINTERS || a->columns == 1) && p->swaps &&
                 chance(p, 50, "%s.swap", name);
    a->swapped = a->swapped || swaps;
    b->swapped = b->swapped || swaps;
    exchange_ghosts(p, a);
    stage_begin(p, true);
    row_loop_begin(p, b, name);
    set(p, b, a == b ? damped(p, a) : stencil(p, a, a->ghosts), name);
    row_loop_end(p);
    stage_end(p);
    if (swaps)
        swap(p, a, b);
    else if (a != b)
        copy_back(p, a, b, name);
}

/* Everybody has everything, and computes its own rows. */
static void replicated(program_t *p, int kernel)
{
    char name[NAME];
    snprintf(name, sizeof name, "whole%d", kernel);
    array_t *whole = make_array(p, ALL_ROWS, 0, NULL), *own = twin(p, whole, false);
    if (own == NULL)
        return;
    whole->ghosts = 1;
    bool same = own->element == whole->element && own->columns == whole->columns &&
                own->columns == 1 && own->element != CELL;
    if (!same) { /* then everybody makes all rows */
        stage_begin(p, true);
        say(p, p->out, "        for (int i = 0; i < $n; i++)\n            $%s[i%s]%s = %s;\n",
            whole->name,
            whole->columns == 1                ? ""
            : whole->access >= POINTER_TO_ROWS ? "][0"
                                               : " * COLUMNS",
            whole->element == CELL ? ".x" : "",
            is_integer(whole) ? "(k + i) % 11" : "0.1 * ((k + i) % 11)");
        stage_end(p);
        return;
    }
    tables_of_counts(p);
    stage_begin(p, true);
    row_loop_begin(p, own, name);
    set(p, own, stencil(p, whole, whole->ghosts), name);
    row_loop_end(p);
    stage_end(p);
    stage_begin(p, true);
    say(p, p->out,
        "        MPI_Allgatherv(%s, $COUNT, %s, %s, $counts, $displs, %s, MPI_COMM_WORLD);\n",
        row_address(p, own, "0"), element_mpi(own), row_address(p, whole, "0"), element_mpi(own));
    stage_end(p);
}

/* All rows have a place everywhere; the own ones are right, and the neighbours'. */
static void owned(program_t *p, int kernel)
{
    char name[NAME];
    snprintf(name, sizeof name, "owned%d", kernel);
    array_t *a = make_array(p, ALL_ROWS, 0, NULL), *b = twin(p, a, false);
    if (b == NULL || b->columns < a->columns)
        return;
    a->ghosts = 1;
    exchange_ghosts(p, a);
    stage_begin(p, true);
    row_loop_begin(p, b, name);
    set(p, b, stencil(p, a, a->ghosts), name);
    row_loop_end(p);
    stage_end(p);
    if (b->columns == a->columns)
        copy_back(p, a, b, name);
}

static void red_black(program_t *p, int kernel)
{
    char name[NAME];
    snprintf(name, sizeof name, "colours%d", kernel);
    int known = p->body != LOOP ? known_ghosts(p) : 0;
    array_t *a = make_array(p, WITH_GHOSTS, known > 0 ? known : 1, NULL);
    for (int colour = 0; colour < 2; colour++) {
        exchange_ghosts(p, a);
        stage_begin(p, true);
        row_loop_begin(p, a, name);
        say(p, p->out, "            if ((%s) %% 2 != %d)\n                continue;\n",
            global_row(), colour);
        set(p, a, stencil(p, a, 1), name); /* rows of the other colour */
        row_loop_end(p);
        stage_end(p);
        if (a->swapped || pick(p, 7, "%s.exchange", a->name) == 6)
            break; /* one set of persistent requests */
    }
}

const char *reduced(program_t *p, const array_t *a, const char *name)
{
    static const char *const terms[] = {"t += %s", "t += (double)%s * %s", "t = %s > t ? %s : t",
                                        "t += fabs((double)%s)"};
    unsigned term = pick(p, 4, "%s.term", name);
    const char *op = term == 2 ? "MPI_MAX" : "MPI_SUM", *into = with("sum_%s", name);
    declare(p, 'd', into, "double %s");
    say(p, START, "    $%s = 0;\n", into);
    stage_begin(p, false);
    say(p, p->out, "        double t = 0;\n");
    row_loop_begin(p, a, with("%s_sum", name));
    say(p, p->out, "            ");
    say(p, p->out, terms[term], at(p, a, 0), at(p, a, 0));
    say(p, p->out, ";\n");
    row_loop_end(p);
    switch (pick(p, 3, "%s.reduction", name)) {
    case 0:
        say(p, p->out, "        MPI_Allreduce(&t, &$%s, 1, MPI_DOUBLE, %s, MPI_COMM_WORLD);\n",
            into, op);
        break;
    case 1:
        say(p, p->out,
            "        MPI_Allreduce(MPI_IN_PLACE, &t, 1, MPI_DOUBLE, %s, MPI_COMM_WORLD);\n        "
            "$%s = t;\n",
            op, into);
        break;
    default:
        say(p, p->out,
            "        MPI_Reduce(&t, &$%s, 1, MPI_DOUBLE, %s, 0, MPI_COMM_WORLD);\n"
            "        MPI_Bcast(&$%s, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);\n",
            into, op, into);
    }
    stage_end(p);
    return into;
}

/* The sum goes into the rows, in this iteration or in the next one. */
static void norm(program_t *p, int kernel)
{
    char name[NAME];
    snprintf(name, sizeof name, "norm%d", kernel);
    array_t *a = make_array(p, OWN_ROWS, 0, NULL);
    const char *into = with("sum_%s", name);
    if (chance(p, 50, "%s.after", name))
        reduced(p, a, name);
    else
        into = "";
    stage_begin(p, true);
    row_loop_begin(p, a, name);
    if (is_integer(a) || into[0] == '\0')
        set(p, a, damped(p, a), name);
    else
        set(p, a, with("0.8 * %s + 0.1 / (1 + fabs($%s))", at(p, a, 0), into), name);
    row_loop_end(p);
    stage_end(p);
    if (into[0] == '\0')
        reduced(p, a, name);
}

static void history(program_t *p, int kernel)
{
    char name[NAME];
    snprintf(name, sizeof name, "past%d", kernel);
    array_t *a = make_array(p, OWN_ROWS, 0, NULL);
    bool fixed = chance(p, p->body == LOOP ? 50 : 90, "%s.fixed", name);
    declare(p, 'd', name, fixed ? "double %s[STEPS]" : "double *%s");
    if (fixed)
        say(p, START, "    memset($%s, 0, sizeof $%s);\n", name, name);
    else
        say(p, START, "    $%s = calloc(STEPS, sizeof(double));\n", name);
    const char *into = reduced(p, a, name);
    say(p, p->body, "        $%s[k] = $%s;\n", name, into);
    stage_begin(p, true);
    row_loop_begin(p, a, name);
    set(p, a,
        is_integer(a) ? damped(p, a)
                      : with("0.8 * %s + 0.1 / (1 + fabs($%s[k / 2]))", at(p, a, 0), name),
        name);
    row_loop_end(p);
    stage_end(p);
    say(p, AFTER,
        "    if ($rank == 0) {\n        double t = 0;\n        for (int i = 0; i < STEPS; i++)\n   "
        "         t += $%s[i];\n"
        "        printf(\"%s %%.9g\\n\", t);\n    }\n",
        name, name);
}

/* Sums over all rows before this one. */
static void prefix_sums(program_t *p, int kernel)
{
    char name[NAME];
    snprintf(name, sizeof name, "scan%d", kernel);
    array_t *a = make_array(p, OWN_ROWS, 0, NULL);
    if (is_integer(a) || a->columns > 1)
        return;
    stage_begin(p, true);
    say(p, p->out, "        double part = 0, before = 0;\n");
    row_loop_begin(p, a, with("%s_sum", name));
    say(p, p->out, "            part += %s;\n", at(p, a, 0));
    row_loop_end(p);
    if (chance(p, 50, "%s.inclusive", name))
        say(p, p->out,
            "        MPI_Scan(&part, &before, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n        "
            "before -= part;\n");
    else
        say(p, p->out,
            "        MPI_Exscan(&part, &before, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n"
            "        if ($rank == 0)\n            before = 0;\n");
    row_loop_begin(p, a, name);
    say(p, p->out, "            before += %s;\n", at(p, a, 0));
    set(p, a, with("0.8 * %s + 0.1 / (1 + fabs(before))", at(p, a, 0)), name);
    row_loop_end(p);
    stage_end(p);
}

static void sparse(program_t *p, int kernel)
{
    char name[NAME];
    snprintf(name, sizeof name, "sparse%d", kernel);
    const char *type = chance(p, 30, "%s.long", name) ? "long" : "int";
    declare(p, 'd', "ia", with("%s *%%s", type));
    declare(p, 'd', "ja", "int *%s");
    declare(p, 'd', "val", "double *%s");
    declare(p, 'd', "vec", "double *%s");
    declare(p, 'd', "res", "double *%s");
    tables_of_counts(p);
    say(p, START,
        "    $ia = malloc(($COUNT + 1) * sizeof *$ia);\n    $ia[0] = 0;\n"
        "    for (int i = 0; i < $COUNT; i++)\n        $ia[i + 1] = $ia[i] + 1 + ($FIRST + i) %% "
        "3;\n");
    say(p, START,
        "    $ja = malloc((size_t)$ia[$COUNT] * sizeof *$ja);\n    $val = "
        "malloc((size_t)$ia[$COUNT] * sizeof *$val);\n"
        "    for (int i = 0; i < $COUNT; i++)\n        for (int e = (int)$ia[i]; e < $ia[i + 1]; "
        "e++) {\n"
        "            $ja[e] = (($FIRST + i) * 3 + (int)(e - $ia[i]) * 5) %% $n;\n            "
        "$val[e] = 0.2 / (1 + e - $ia[i]);\n        }\n");
    say(p, START,
        "    $vec = malloc($n * sizeof *$vec);\n    $res = malloc($COUNT * sizeof *$res);\n"
        "    for (int i = 0; i < $n; i++)\n        $vec[i] = 1 + i %% 4;\n");
    stage_begin(p, true);
    say(p, p->out,
        "        for (int i = 0; i < $COUNT; i++) {\n            double t = 0;\n            for "
        "(%s e = $ia[i]; e < $ia[i + 1]; e++)\n"
        "                t += $val[e] * $vec[$ja[e]];\n            $res[i] = 0.3 * $vec[$FIRST + "
        "i] + t;\n        }\n",
        type);
    stage_end(p);
    stage_begin(p, true);
    say(p, p->out,
        "        MPI_Allgatherv($res, $COUNT, MPI_DOUBLE, $vec, $counts, $displs, MPI_DOUBLE, "
        "MPI_COMM_WORLD);\n");
    stage_end(p);
    say(p, AFTER,
        "    if ($rank == 0)\n        printf(\"vec %%.9g %%.9g\\n\", $vec[0], $vec[$n - 1]);\n");
}

/* Ends when the largest change is small. */
static void until_small(program_t *p, int kernel)
{
    char name[NAME];
    snprintf(name, sizeof name, "small%d", kernel);
    array_t *a = make_array(p, OWN_ROWS, 0, NULL);
    if (is_integer(a))
        return;
    stage_begin(p, true);
    row_loop_begin(p, a, name);
    say(p, p->out, "            %s *= 0.5;\n", at(p, a, 0));
    row_loop_end(p);
    stage_end(p);
    const char *into = reduced(p, a, name);
    say(p, LOOP, "        if (fabs($%s) < 1e-3)\n            break;\n", into);
}

enum { KERNELS = 10, OF_THE_LOOP = 2 }; /* the last ones are made for the loop only */

static void (*const kernels[KERNELS])(program_t *, int) = {
    map, jacobi, replicated, owned, red_black, norm, history, prefix_sums, sparse, until_small};

void make_work(program_t *p)
{
    int n = 1 + (int)pick(p, 3, "kernels");
    bool used[KERNELS] = {false};
    map(p, 9);
    for (int i = 0; i < n; i++) {
        unsigned which = pick(p, KERNELS, "kernel%d", i);
        if (p->arrays + 2 < MAX_ARRAYS && chance(p, 20, "kernel%d.further", i)) {
            make_further_work(p, i);
            continue;
        }
        if (p->arrays + 2 < MAX_ARRAYS && chance(p, 15, "kernel%d.beside", i)) {
            make_work_beside(p, i);
            continue;
        }
        if (!(used[which] && which >= KERNELS - OF_THE_LOOP) && p->arrays + 2 < MAX_ARRAYS)
            kernels[which](p, i);
        used[which] = true;
    }
}

/* Mostly what works on arrays of the loop, and what needs no setup where that is in a function. */
void make_any_work(program_t *p, int kernel)
{
    static void (*const alone[])(program_t *, int) = {map, norm, history, prefix_sums};
    bool room = p->arrays + 2 < MAX_ARRAYS;
    bool reached = p->body == SECOND || p->around != AROUND_CALL;
    bool beside = chance(p, 20, "kernel%d.beside", kernel);
    if (room && reached && chance(p, 5, "kernel%d.any", kernel))
        kernels[pick(p, KERNELS - OF_THE_LOOP, "kernel%d", kernel)](p, kernel);
    else if (beside)
        make_work_beside(p, kernel);
    else if (room && reached && known_ghosts(p) > 0 && chance(p, 50, "kernel%d.ghosts", kernel))
        (chance(p, 30, "kernel%d.colours", kernel) ? red_black : jacobi)(p, kernel);
    else
        alone[pick(p, 4, "kernel%d.alone", kernel)](p, kernel);
}
