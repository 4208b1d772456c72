/* SPDX-License-Identifier: BSD-3-Clause
 * What a program prints: numbers that do not depend on who has which rows. A ~ before a number says
 * that it comes from floats. */
#include <string.h>

#include "fuzz/generate_program.h"

const char *loosely(const array_t *a)
{
    return a->element == FLOAT ? "~" : "";
}

static void print_sum(program_t *p, section_t s, const array_t *a)
{
    bool everywhere = chance(p, 40, "%s.allreduce", a->name);
    say(p, s, "    {\n        double t = 0, all = 0;\n");
    p->out = s;
    row_loop_begin(p, a, with("%s_sum", a->name));
    say(p, s, "            t += (1 + %s %% 5) * (double)%s;\n", global_row(), at(p, a, 0));
    row_loop_end(p);
    say(p, s,
        everywhere ? "        MPI_Allreduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n"
                   : "        MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);\n");
    say(p, s,
        "        if ($rank == 0)\n            printf(\"sum of %s %s%%.9g\\n\", all);\n    }\n",
        a->name, loosely(a));
}

static void print_largest(program_t *p, section_t s, const array_t *a)
{
    say(p, s, "    {\n        double t = -1e30, all = 0;\n");
    p->out = s;
    row_loop_begin(p, a, with("%s_top", a->name));
    say(p, s, "            if (%s > t)\n                t = %s;\n", at(p, a, 0), at(p, a, 0));
    row_loop_end(p);
    say(p, s,
        "        MPI_Reduce(&t, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);\n"
        "        if ($rank == 0)\n            printf(\"largest of %s %s%%.9g\\n\", all);\n    }\n",
        a->name, loosely(a));
}

/* Rank 0 gets all rows, by counts that are gathered then. */
static void gather(program_t *p, section_t s, const array_t *a)
{
    const char *type = element_type(a), *dot = a->element == CELL ? ".x" : "";
    const char *own = own_rows(p, a);
    say(p, s,
        "    {\n        int mine = $COUNT * %d * (int)sizeof(%s), *of = malloc(2 * $size * sizeof "
        "*of), *from = of + $size;\n",
        a->columns, type);
    say(p, s, "        %s *all = malloc((size_t)$n * %d * sizeof *all);\n        double t = 0;\n",
        type, a->columns);
    say(p, s,
        "        MPI_Gather(&mine, 1, MPI_INT, of, 1, MPI_INT, 0, MPI_COMM_WORLD);\n"
        "        for (int r = 0; r < $size; r++)\n            from[r] = r == 0 ? 0 : from[r - 1] + "
        "of[r - 1];\n");
    say(p, s,
        "        MPI_Gatherv(%s, mine, MPI_BYTE, all, of, from, MPI_BYTE, 0, MPI_COMM_WORLD);\n",
        own);
    say(p, s,
        "        if ($rank == 0) {\n            for (int i = 0; i < $n * %d; i++)\n                "
        "t += (1 + i %% 7) * (double)all[i]%s;\n"
        "            printf(\"all of %s %s%%.9g\\n\", t);\n        }\n        free(all);\n        "
        "free(of);\n    }\n",
        a->columns, dot, a->name, loosely(a));
}

void print_array(program_t *p, section_t section, const array_t *a)
{
    switch (pick(p, 3, "%s.output", a->name)) {
    case 0:
        print_sum(p, section, a);
        break;
    case 1:
        print_largest(p, section, a);
        break;
    default:
        gather(p, section, a);
    }
}

void make_output(program_t *p)
{
    for (size_t i = 0; i < p->arrays; i++)
        print_array(p, AFTER, &p->array[i]);
}
