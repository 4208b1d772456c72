/* SPDX-License-Identifier: BSD-3-Clause
 * Right work and wrong turns that rest on what is not in the rows: leaders, descriptors, the
 * environment, other files, orders of rows. */
#include <string.h>

#include "fuzz/generate_program.h"

void damp(program_t *p, const array_t *a, const char *name, const char *term)
{
    row_loop_begin(p, a, name);
    const char *e = at(p, a, 0);
    say(p, p->out,
        is_integer(a) ? "            %s = (5 * %s + (int)(7 * (%s))) %% 1009;\n"
                      : "            %s = 0.8 * %s + 0.01 * (%s);\n",
        e, e, term);
    row_loop_end(p);
}

static void define_order(program_t *p)
{
    say(p, HEAD,
        "static int by_size(const void *a, const void *b)\n{\n    const double *x = a, *y = b;\n"
        "    return *x < *y ? -1 : *x > *y;\n}\n\n");
}

/* -- right work */

/* Something else has as many elements as there are rows. */
static void equal_defaults(program_t *p, const array_t *a, const char *name)
{
    declare(p, 'd', "wide", "int %s");
    declare(p, 'd', name, "double *%s");
    say(p, START, "    $wide = %d;\n    $%s = calloc((size_t)$wide, sizeof(double));\n", p->rows,
        name);
    stage_begin(p, false);
    say(p, p->out,
        "        for (int c = 0; c < $wide; c++)\n            $%s[c] = 0.5 * $%s[c] + "
        "0.1 * ((c + k) %% 4);\n",
        name, name);
    damp(p, a, name, with("$%s[(k + %s) %% $wide]", name, "3"));
    stage_end(p);
    say(p, AFTER,
        "    if ($rank == 0)\n        printf(\"%s %%.9g %%.9g\\n\", $%s[0], $%s[$wide - 1]);\n",
        name, name, name);
}

/* Who and how many they are is asked in each iteration, and a number comes from rank 0. */
static void asks_inside(program_t *p, const array_t *a, const char *name)
{
    stage_begin(p, false);
    say(p, p->out,
        "        int who, all;\n        double from_root = 0;\n        "
        "MPI_Comm_rank(MPI_COMM_WORLD, &who);\n        MPI_Comm_size(MPI_COMM_WORLD, &all);\n"
        "        if (who == 0)\n            from_root = 0.1 * (k %% 5);\n");
    if (chance(p, 50, "%s.ring", name))
        say(p, p->out,
            "        int token = k, met = 0;\n        MPI_Sendrecv(&token, 1, MPI_INT, (who + 1) "
            "%% all, 8, &met, 1, MPI_INT, (who + all - 1) %% all, 8, MPI_COMM_WORLD, "
            "MPI_STATUS_IGNORE);\n        if (met != k)\n            MPI_Abort(MPI_COMM_WORLD, "
            "3);\n");
    say(p, p->out, "        MPI_Bcast(&from_root, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);\n");
    damp(p, a, name, "from_root");
    stage_end(p);
}

/* The row with the largest value, wherever it is. */
static void elects(program_t *p, const array_t *a, const char *name)
{
    stage_begin(p, false);
    say(p, p->out,
        "        struct {\n            double x;\n            int who;\n        } most = {-1e30, "
        "$rank}, best;\n        int row = 0;\n");
    row_loop_begin(p, a, with("%s_best", name));
    const char *e = at(p, a, 0), *g = global_row();
    say(p, p->out,
        "            if (%s > most.x) {\n                most.x = %s;\n                row = %s;\n "
        "  "
        "         }\n",
        e, e, g);
    row_loop_end(p);
    say(p, p->out,
        "        MPI_Allreduce(&most, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);\n"
        "        MPI_Bcast(&row, 1, MPI_INT, best.who, MPI_COMM_WORLD);\n");
    damp(p, a, name, "row % 5");
    stage_end(p);
}

/* The own rows, sorted aside, for the sake of their largest. */
static void sorts(program_t *p, const array_t *a, const char *name)
{
    define_order(p);
    declare(p, 'd', name, "double %s");
    say(p, START, "    $%s = 0;\n", name);
    stage_begin(p, false);
    say(p, p->out,
        "        double *sorted = malloc(((size_t)$COUNT * %d + 1) * sizeof *sorted), top = "
        "-1e30;\n        int items = 0;\n",
        a->columns);
    row_loop_begin(p, a, with("%s_copy", name));
    say(p, p->out, "            sorted[items++] = %s;\n", at(p, a, 0));
    row_loop_end(p);
    say(p, p->out,
        "        qsort(sorted, (size_t)items, sizeof *sorted, by_size);\n        if (items > 0)\n  "
        " "
        "         top = sorted[items - 1];\n        MPI_Allreduce(&top, &$%s, 1, MPI_DOUBLE, "
        "MPI_MAX, MPI_COMM_WORLD);\n        free(sorted);\n",
        name);
    damp(p, a, name, with("1 / (1 + fabs($%s))", name));
    stage_end(p);
}

/* The last four sums. */
static void shifts(program_t *p, const array_t *a, const char *name)
{
    bool fixed = chance(p, 50, "%s.fixed", name);
    declare(p, 'd', name, fixed ? "double %s[4]" : "double *%s");
    if (fixed)
        say(p, START, "    memset($%s, 0, sizeof $%s);\n", name, name);
    else
        say(p, START, "    $%s = calloc(4, sizeof(double));\n", name);
    const char *into = reduced(p, a, name);
    stage_begin(p, false);
    say(p, p->out,
        "        memmove(&$%s[0], &$%s[1], 3 * sizeof(double));\n        $%s[3] = $%s;\n", name,
        name, name, into);
    damp(p, a, name, with("1 / (1 + fabs($%s[k %% 4]))", name));
    stage_end(p);
    say(p, AFTER, "    if ($rank == 0)\n        printf(\"%s %%.9g %%.9g\\n\", $%s[0], $%s[3]);\n",
        name, name, name);
}

/* A function that computes, of another file. */
static void calls_elsewhere(program_t *p, const array_t *a, const char *name)
{
    say(p, HEAD, "double of_row(int row, int step);\n");
    say(p, ELSEWHERE,
        "double of_row(int row, int step)\n{\n    return (row * 3 + step) %% 7;\n}\n\n");
    stage_begin(p, true);
    row_loop_begin(p, a, name);
    const char *e = at(p, a, 0), *g = global_row();
    say(p, p->out,
        is_integer(a) ? "            %s = (5 * %s + (int)of_row(%s, k)) %% 1009;\n"
                      : "            %s = 0.8 * %s + 0.01 * of_row(%s, k);\n",
        e, e, g);
    row_loop_end(p);
    stage_end(p);
}

/* Rank 0 writes to what was opened before the loop. */
static void writes_by_number(program_t *p, const array_t *a, const char *name)
{
    declare(p, 'd', "journal", "int %s");
    say(p, HEAD, "#include <fcntl.h>\n#include <unistd.h>\n");
    say(p, START, "    $journal = open(\"/dev/null\", O_WRONLY);\n");
    stage_begin(p, false);
    damp(p, a, name, "k % 3");
    say(p, p->out,
        "        if ($rank == 0 && write($journal, \"one\\n\", 4) != 4)\n            "
        "MPI_Abort(MPI_COMM_WORLD, 4);\n");
    stage_end(p);
    say(p, END, "    close($journal);\n");
}

void make_work_beside(program_t *p, int kernel)
{
    static const struct {
        const char *name;
        void (*make)(program_t *, const array_t *, const char *);
        bool once; /* it defines something */
    } kinds[] = {{"equal", equal_defaults, true},   {"asks", asks_inside, false},
                 {"elects", elects, false},         {"sorts", sorts, true},
                 {"shifts", shifts, false},         {"other", calls_elsewhere, true},
                 {"number", writes_by_number, true}};
    unsigned which = pick(p, sizeof kinds / sizeof *kinds, "beside%d", kernel);
    if (kinds[which].once && (p->beside & 1u << which))
        return;
    p->beside |= 1u << which;
    char name[NAME];
    snprintf(name, sizeof name, "%s%d", kinds[which].name, kernel);
    kinds[which].make(p, make_array(p, OWN_ROWS, 0, NULL), name);
}

/* -- values that belong to one process, or to nobody */

typedef struct {
    const char *words, *value, *before; /* as in generate_program_wrong.c */
    section_t where;                    /* of DEFINITION */
    const char *definition;
    section_t other_where;
    const char *other;
} turn_t;

static const turn_t turns[] = {
    {"leader of the iteration before", "(led_by == $rank)", "        led_by = led_next;\n", HEAD,
     "static int led_by, led_next;\n", LOOP, ""},
    {"next byte of a descriptor", "next_byte()", "", HEAD,
     "#include <fcntl.h>\n#include <unistd.h>\nstatic int source = -1;\nstatic int "
     "next_byte(void)\n{\n    char c = 0;\n    if (read(source, &c, 1) != 1) {\n        "
     "lseek(source, 0, SEEK_SET);\n        if (read(source, &c, 1) != 1)\n            return 0;\n  "
     " "
     " }\n    return c %% 7;\n}\n\n",
     START, "    source = open(\"/proc/sys/kernel/ostype\", O_RDONLY);\n"},
    {"counter in the environment", "count_by_name()", "", HEAD,
     "static int count_by_name(void)\n{\n    char text[20];\n    const char *was = "
     "getenv(\"COUNTED\");\n    int n = was != NULL ? atoi(was) : 0;\n    snprintf(text, sizeof "
     "text, \"%%d\", (n + 1) %% 7);\n    setenv(\"COUNTED\", text, 1);\n    return n;\n}\n\n",
     LOOP, ""},
    {"counter of another file", "count_elsewhere()", "", HEAD, "int count_elsewhere(void);\n",
     ELSEWHERE,
     "int count_elsewhere(void)\n{\n    static int calls;\n    return calls++ %% 7;\n}\n\n"},
    {"rank that another file asks for", "rank_elsewhere()", "", HEAD, "int rank_elsewhere(void);\n",
     ELSEWHERE,
     "#include <mpi.h>\nint rank_elsewhere(void)\n{\n    int rank;\n    "
     "MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    return rank;\n}\n\n"},
    {"size that another file keeps", "size_elsewhere()", "", HEAD, "int size_elsewhere(void);\n",
     ELSEWHERE,
     "#include <mpi.h>\nint size_elsewhere(void)\n{\n    static int size;\n    if (size == 0)\n    "
     " "
     "   MPI_Comm_size(MPI_COMM_WORLD, &size);\n    return size;\n}\n\n"},
};
enum { TURNS = sizeof turns / sizeof turns[0] };

const char *value_from_beside(program_t *p, const char **before)
{
    const turn_t *turn = &turns[pick(p, TURNS, "wrong.beside")];
    say(p, turn->where, turn->definition, "");
    if (*turn->other != '\0')
        say(p, turn->other_where, turn->other, "");
    if (turn == &turns[0])
        say(p, p->body, "        led_next = (k + 1) %% $size;\n");
    *before = turn->before;
    strcpy(p->wrong, turn->words);
    return turn->value;
}

/* -- rows of one block that change places, and sums without some */

static void sorted_rows(program_t *p, const array_t *a)
{
    say(p, p->out, "        qsort(%s, (size_t)$COUNT, %d * sizeof(%s), by_bytes);\n",
        own_rows(p, a), a->columns, element_type(a));
    say(p, HEAD,
        "static int by_bytes(const void *a, const void *b)\n{\n    return memcmp(a, b, 4);\n}\n\n");
    damp(p, a, "wrong_sorted", "k % 3");
    strcpy(p->wrong, "own rows in order");
}

static void moved_rows(program_t *p, const array_t *a)
{
    const char *first = own_rows(p, a);
    say(p, p->out,
        "        if ($COUNT > 1)\n            memmove((char *)(%s) + %d * sizeof(%s), %s, "
        "((size_t)$COUNT - 1) * %d * sizeof(%s));\n",
        first, a->columns, element_type(a), first, a->columns, element_type(a));
    damp(p, a, "wrong_moved", "k % 3");
    strcpy(p->wrong, "own rows moved on by one");
}

static void sum_without_one(program_t *p, const array_t *a)
{
    static const char *const who[] = {"$rank > 0", "$rank < $size - 1", "$rank % 2 == 0",
                                      "$rank == 0"};
    const char *which = who[pick(p, 4, "wrong.without")];
    say(p, p->out, "        double of_some = 0, some = 0;\n        if (%s) {\n", which);
    row_loop_begin(p, a, "wrong_some");
    say(p, p->out, "            of_some += %s;\n", at(p, a, 0));
    row_loop_end(p);
    say(p, p->out,
        "        }\n        MPI_Allreduce(&of_some, &some, 1, MPI_DOUBLE, MPI_SUM, "
        "MPI_COMM_WORLD);\n");
    damp(p, a, "wrong_sum", "fmod(some, 5)");
    strcpy(p->wrong, "sum without some ranks");
}

static void own_formula_inside(program_t *p, const array_t *a)
{
    say(p, p->out,
        "        int who, all;\n        MPI_Comm_rank(MPI_COMM_WORLD, &who);\n        "
        "MPI_Comm_size(MPI_COMM_WORLD, &all);\n        int here = who * ($n / all);\n");
    row_loop_begin(p, a, "wrong_here");
    const char *e = at(p, a, 0), *i = local_row();
    say(p, p->out,
        is_integer(a) ? "            %s = (%s + (here + %s) %% 5) %% 1009;\n"
                      : "            %s = 0.9 * %s + 0.01 * ((here + %s) %% 5);\n",
        e, e, i);
    row_loop_end(p);
    strcpy(p->wrong, "rows by rank and size that are asked for in the iteration");
}

void take_turn_beside(program_t *p, const array_t *a)
{
    static void (*const kinds[])(program_t *, const array_t *) = {
        sorted_rows, moved_rows, sum_without_one, own_formula_inside};
    unsigned which = pick(p, 4, "wrong.block.beside");
    bool rows_apart = a->access == ROW_POINTERS && a->columns > 1; /* they are not in one piece */
    kinds[rows_apart && which < 2 ? 2 : which](p, a);
}
