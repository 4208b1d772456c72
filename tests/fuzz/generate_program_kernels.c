/* SPDX-License-Identifier: BSD-3-Clause
 * Further kinds of work of an iteration: loops inside the loop, rows by their owner, and histories
 * of several values. */
#include <string.h>

#include "fuzz/generate_program.h"

static array_t *ghosted_and_twin(program_t *p, array_t **twin)
{
    array_t *a = make_array(p, WITH_GHOSTS, 1, NULL);
    *twin = make_array(p, OWN_ROWS, 0, a);
    return a;
}

/* New values of A from itself and its neighbours, by way of B. */
static void sweep(program_t *p, array_t *a, array_t *b, const char *name)
{
    exchange_ghosts(p, a);
    stage_begin(p, true);
    row_loop_begin(p, b, name);
    set_from_neighbours(p, b, a, name);
    row_loop_end(p);
    stage_end(p);
    stage_begin(p, true);
    row_loop_begin(p, a, with("%s_back", name));
    say(p, p->out,
        is_integer(a) ? "            %s = (long)%s %% 1009;\n" : "            %s = %s;\n",
        at(p, a, 0), at(p, b, 0));
    row_loop_end(p);
    stage_end(p);
}

static void sweeps(program_t *p, const char *name)
{
    array_t *b, *a = ghosted_and_twin(p, &b);
    bool until = !is_integer(a) && chance(p, 40, "%s.until", name);
    if (until)
        say(p, p->body, "        {\n        int sweep = 0;\n        do {\n");
    else
        say(p, p->body, "        for (int sweep = 0; sweep < %u; sweep++) {\n",
            1 + pick(p, 3, "%s.sweeps", name));
    sweep(p, a, b, name);
    if (until)
        say(p, p->body, "        } while (++sweep < 3 && fabs($%s) > 1e-2);\n        }\n",
            reduced(p, a, name));
    else
        say(p, p->body, "        }\n");
}

/* All rows are looked at, and those that are the process's own are changed. */
static void by_owner(program_t *p, const char *name)
{
    array_t *a = make_array(p, ALL_ROWS, 0, NULL);
    bool table = chance(p, 60, "%s.table", name);
    if (table) {
        tables_of_counts(p);
        declare(p, 'd', "owner", "int *%s");
        say(p, SETUP,
            "    $owner = malloc($n * sizeof(int));\n    for (int r = 0; r < $size; r++)\n"
            "        for (int i = 0; i < $counts[r]; i++)\n            $owner[$displs[r] + i] = "
            "r;\n");
    }
    stage_begin(p, true);
    say(p, p->out,
        "        for (int i = 0; i < $n; i++) {\n            if (%s)\n                continue;\n",
        table ? "$owner[i] != $rank" : "i < $FIRST || i >= $FIRST + $COUNT");
    const char *e = element_at(a, "i", "0");
    say(p, p->out,
        is_integer(a) ? "            %s = (3 * %s + (i + k) %% 5) %% 1009;\n        }\n"
                      : "            %s = 0.9 * %s + 0.01 * ((i + k) %% 5);\n        }\n",
        e, e);
    stage_end(p);
}

/* Some values of each iteration are kept, and printed at the end. */
static void trail(program_t *p, const char *name)
{
    enum { VALUES = 3 };
    array_t *a = make_array(p, OWN_ROWS, 0, NULL);
    declare(p, 'd', name, "double *%s");
    say(p, START, "    $%s = calloc(STEPS * %d, sizeof(double));\n", name, VALUES);
    const char *into = reduced(p, a, name);
    say(p, p->body,
        "        for (int j = 0; j < %d; j++)\n            $%s[k * %d + j] = $%s * (j + 1);\n",
        VALUES, name, VALUES, into);
    stage_begin(p, true);
    row_loop_begin(p, a, name);
    const char *e = at(p, a, 0);
    say(p, p->out,
        is_integer(a) ? "            %s = (5 * %s + k) %% 1009;\n"
                      : "            %s = 0.9 * %s + 0.01 * (k %% 3);\n",
        e, e);
    row_loop_end(p);
    stage_end(p);
    say(p, AFTER,
        "    if ($rank == 0) {\n        double t = 0;\n        for (int i = 0; i < STEPS * %d; "
        "i++)\n"
        "            t += (1 + i %% 4) * $%s[i];\n        printf(\"%s %%.9g\\n\", t);\n    }\n",
        VALUES, name, name);
}

void make_further_work(program_t *p, int kernel)
{
    switch (pick(p, 3, "further%d", kernel)) {
    case 0:
        sweeps(p, with("sweeps%d", kernel));
        break;
    case 1:
        if (p->owners++ == 0)
            by_owner(p, with("owner%d", kernel));
        break;
    default:
        trail(p, with("trail%d", kernel));
    }
}
