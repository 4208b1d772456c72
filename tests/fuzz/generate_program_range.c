/* SPDX-License-Identifier: BSD-3-Clause
 * Which rows a process has: what variables say it, and how they are computed. */
#include <string.h>

#include "fuzz/generate_program.h"

typedef enum { COUNT_DISPL, BEGIN_END, FIRST_LAST, FROM_ONE, TABLES, STARTS, SPELLINGS } spelling_t;

/* The first row of rank R among SIZE, and, with R + 1, the row after its last. */
static const char *const formula[] = {
    "%1$s * ($n / $size) + (%1$s < $n %% $size ? %1$s : $n %% $size)",
    "%1$s * $n / $size",
    "(%1$s == $size ? $n : %1$s * ($n / $size))",
    "(%1$s * (($n + $size - 1) / $size) < $n ? %1$s * (($n + $size - 1) / $size) : $n)",
    "(int)((long)%1$s * $n / $size)",
};
enum { FORMULAS = sizeof formula / sizeof formula[0] };

/* Texts of the first row of rank R. */
static const char *begin_of(program_t *p, const char *r)
{
    switch (pick(p, 4, "range.by")) {
    case 1:
        return with("block_begin(%s, $n, $size)", r);
    case 2:
        return with("BLOCK_BEGIN(%s, $n, $size)", r);
    default:
        return with(formula[pick(p, FORMULAS, "range.formula")], r);
    }
}

static void put_without_marks(program_t *p, section_t section, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text != '$')
            say(p, section, "%c", *text);
}

static void define_begin(program_t *p)
{
    const char *body = formula[pick(p, FORMULAS, "range.formula")];
    unsigned by = pick(p, 4, "range.by");
    if (by == 1) {
        say(p, HEAD, "static int block_begin(int r, int n, int size)\n{\n    return ");
        put_without_marks(p, HEAD, with(body, "r"));
        say(p, HEAD, ";\n}\n\n");
    } else if (by == 2) {
        say(p, HEAD, "#define BLOCK_BEGIN(r, n, size) (");
        put_without_marks(p, HEAD, with(body, "(r)"));
        say(p, HEAD, ")\n");
    }
}

static void declare_range(program_t *p, spelling_t spelling)
{
    static const struct {
        const char *a, *b, *type, *count, *first;
    } of[SPELLINGS] = {
        {"count", "displ", "int %s", "$count", "$displ"},
        {"lo", "hi", "int %s", "($hi - $lo)", "$lo"},
        {"first", "last", "int %s", "($last - $first + 1)", "$first"},
        {"s", "e", "int %s", "($e - $s + 1)", "($s - 1)"},
        {"counts", "displs", "int *%s", "$counts[$rank]", "$displs[$rank]"},
        {"starts", NULL, "int *%s", "($starts[$rank + 1] - $starts[$rank])", "$starts[$rank]"},
    };
    declare(p, 'p', of[spelling].a, of[spelling].type);
    if (of[spelling].b != NULL)
        declare(p, 'p', of[spelling].b, of[spelling].type);
    strcpy(p->count, of[spelling].count);
    strcpy(p->first, of[spelling].first);
}

static void compute_range(program_t *p, section_t s, spelling_t spelling)
{
    const char *begin = begin_of(p, "$rank"), *end = begin_of(p, "($rank + 1)");
    switch (spelling) {
    case COUNT_DISPL:
        say(p, s, "    $displ = %s;\n    $count = %s - $displ;\n", begin, end);
        break;
    case BEGIN_END:
        say(p, s, "    $lo = %s;\n    $hi = %s;\n", begin, end);
        break;
    case FIRST_LAST:
        say(p, s, "    $first = %s;\n    $last = %s - 1;\n", begin, end);
        break;
    case FROM_ONE:
        say(p, s, "    $s = %s + 1;\n    $e = %s;\n", begin, end);
        break;
    case TABLES:
        say(p, s,
            "    $counts = malloc($size * sizeof(int));\n    $displs = malloc($size * "
            "sizeof(int));\n"
            "    for (int r = 0; r < $size; r++) {\n        $displs[r] = %s;\n"
            "        $counts[r] = %s - $displs[r];\n    }\n",
            begin_of(p, "r"), begin_of(p, "(r + 1)"));
        break;
    default:
        say(p, s,
            "    $starts = malloc(($size + 1) * sizeof(int));\n"
            "    for (int r = 0; r <= $size; r++)\n        $starts[r] = %s;\n",
            begin_of(p, "r"));
    }
}

static void make_domain(program_t *p)
{
    declare(p, 'p', "n", "int %s");
    switch (pick(p, 4, "range.n")) {
    case 0:
        say(p, START, "    $n = %d;\n", p->rows);
        break;
    case 1:
        say(p, HEAD, "#define ROWS %d\n", p->rows);
        say(p, START, "    $n = ROWS;\n");
        break;
    case 2:
        say(p, START, "    $n = argc > 1 ? atoi(argv[1]) : %d;\n", p->rows);
        break;
    default:
        say(p, START,
            "    $n = 0;\n    if ($rank == 0)\n        $n = %d;\n"
            "    MPI_Bcast(&$n, 1, MPI_INT, 0, MPI_COMM_WORLD);\n",
            p->rows);
    }
}

void make_range(program_t *p)
{
    spelling_t spelling = (spelling_t)pick(p, SPELLINGS, "range.spelling");
    make_domain(p);
    define_begin(p);
    declare_range(p, spelling);
    if (p->place != IN_MAIN && chance(p, 40, "range.function")) {
        say(p, FUNCTIONS, "static void divide(int k$PARAMETERS)\n{\n");
        compute_range(p, FUNCTIONS, spelling);
        say(p, FUNCTIONS, "}\n\n");
        say(p, START, "    divide(0$ARGUMENTS);\n");
    } else {
        compute_range(p, START, spelling);
    }
}

/* The ranks before and after; nobody beyond the ends, or a ring. */
void make_neighbours(program_t *p)
{
    static const char *const lines[] = {
        "    $left = $rank > 0 ? $rank - 1 : MPI_PROC_NULL;\n"
        "    $right = $rank < $size - 1 ? $rank + 1 : MPI_PROC_NULL;\n",
        "    $left = $rank - 1;\n    $right = $rank + 1;\n    if ($left < 0)\n"
        "        $left = MPI_PROC_NULL;\n    if ($right >= $size)\n        $right = "
        "MPI_PROC_NULL;\n",
    };
    for (size_t i = 0; i < p->variables; i++)
        if (strcmp(p->variable[i].name, "left") == 0)
            return;
    declare(p, 'p', "left", "int %s");
    declare(p, 'p', "right", "int %s");
    if (p->ring)
        say(p, SETUP,
            "    $left = ($rank + $size - 1) %% $size;\n    $right = ($rank + 1) %% $size;\n");
    else
        say(p, SETUP, "%s", lines[pick(p, 2, "neighbours")]);
}

/* Counts and first rows of all ranks, for collectives with blocks of different sizes. */
void tables_of_counts(program_t *p)
{
    for (size_t i = 0; i < p->variables; i++)
        if (strcmp(p->variable[i].name, "counts") == 0)
            return;
    declare(p, 'p', "counts", "int *%s");
    declare(p, 'p', "displs", "int *%s");
    say(p, SETUP,
        "    $counts = malloc($size * sizeof(int));\n    $displs = malloc($size * sizeof(int));\n");
    switch (pick(p, 3, "tables")) {
    case 0:
        say(p, SETUP,
            "    {\n        int mine = $COUNT, from = $FIRST;\n"
            "        MPI_Allgather(&mine, 1, MPI_INT, $counts, 1, MPI_INT, MPI_COMM_WORLD);\n"
            "        MPI_Allgather(&from, 1, MPI_INT, $displs, 1, MPI_INT, MPI_COMM_WORLD);\n    "
            "}\n");
        break;
    case 1:
        say(p, SETUP,
            "    for (int r = 0; r < $size; r++) {\n        $displs[r] = %s;\n"
            "        $counts[r] = %s - $displs[r];\n    }\n",
            begin_of(p, "r"), begin_of(p, "(r + 1)"));
        break;
    default:
        say(p, SETUP,
            "    {\n        int mine = $COUNT;\n"
            "        MPI_Allgather(&mine, 1, MPI_INT, $counts, 1, MPI_INT, MPI_COMM_WORLD);\n"
            "        $displs[0] = 0;\n        for (int r = 1; r < $size; r++)\n"
            "            $displs[r] = $displs[r - 1] + $counts[r - 1];\n    }\n");
    }
}
