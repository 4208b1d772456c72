/* SPDX-License-Identifier: BSD-3-Clause
 * Wrong turns that take a whole block for another one: blocks as if all were equal, a part of a
 * reduction, coordinates of the process. */
#include <string.h>

#include "fuzz/generate_program.h"

/* The first rows of the own block, as many as all would have if blocks were equal, in "block". */
static void copy_equal_block(program_t *p, section_t s, const array_t *a)
{
    const char *own = own_rows(p, a);
    say(p, s,
        "        int each = $n / $size;\n        %s *block = calloc((size_t)each * %d, sizeof "
        "*block);\n"
        "        memcpy(block, %s, (size_t)(each < $COUNT ? each : $COUNT) * %d * sizeof "
        "*block);\n",
        element_type(a), a->columns, own, a->columns);
}

static void add_to_rows(program_t *p, const array_t *a, const char *value)
{
    const char *e;
    row_loop_begin(p, a, "wrong_block");
    e = at(p, a, 0);
    say(p, p->out,
        is_integer(a) ? "            %s = (%s + (int)(%s)) %% 1009;\n"
                      : "            %s = 0.9 * %s + 0.01 * (%s);\n",
        e, e, value);
    row_loop_end(p);
}

/* All rows, gathered in equal blocks. */
static void equal_gather(program_t *p, const array_t *a)
{
    const char *dot = a->element == CELL ? ".x" : "";
    copy_equal_block(p, p->out, a);
    say(p, p->out,
        "        %s *whole = malloc((size_t)each * $size * %d * sizeof *whole);\n"
        "        MPI_Allgather(block, each * %d * (int)sizeof *block, MPI_BYTE, whole, each * %d * "
        "(int)sizeof *block, MPI_BYTE, MPI_COMM_WORLD);\n",
        element_type(a), a->columns, a->columns, a->columns);
    say(p, p->out,
        "        double weighed = 0;\n        for (int i = 0; i < each * $size * %d; i++)\n"
        "            weighed += (1 + i %% 3) * (double)whole[i]%s;\n        weighed = "
        "fmod(weighed, "
        "7);\n",
        a->columns, dot);
    add_to_rows(p, a, "weighed");
    say(p, p->out, "        free(whole);\n        free(block);\n");
    strcpy(p->wrong, "gather of equal blocks");
}

/* Blocks go round all processes. */
static void equal_ring(program_t *p, const array_t *a)
{
    const char *dot = a->element == CELL ? ".x" : "";
    copy_equal_block(p, p->out, a);
    say(p, p->out,
        "        double met = 0;\n        for (int r = 0; r < $size; r++) {\n            for (int "
        "i = 0; i "
        "< each; i++)\n                met += (double)block[i]%s * (1 + i %% 3);\n"
        "            MPI_Sendrecv_replace(block, each * %d * (int)sizeof *block, MPI_BYTE, ($rank "
        "+ 1) "
        "%% $size, 5, ($rank + $size - 1) %% $size, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);\n       "
        " }\n"
        "        met = fmod(met, 7);\n",
        dot, a->columns);
    add_to_rows(p, a, "met");
    say(p, p->out, "        free(block);\n");
    strcpy(p->wrong, "ring of equal blocks");
}

/* The second of two sums stays a process's own. */
static void partial_reduction(program_t *p, const array_t *a)
{
    say(p, p->out, "        double own_sums[2] = {0}, sums[2] = {0};\n");
    row_loop_begin(p, a, "wrong_sums");
    say(p, p->out, "            own_sums[0] += %s;\n            own_sums[1] += 1 + %s %% 3;\n",
        at(p, a, 0), global_row());
    row_loop_end(p);
    if (chance(p, 50, "wrong.in_place"))
        say(p, p->out,
            "        memcpy(sums, own_sums, sizeof sums);\n        MPI_Allreduce(MPI_IN_PLACE, "
            "sums, 1, "
            "MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);\n");
    else
        say(p, p->out,
            "        sums[1] = own_sums[1];\n        MPI_Allreduce(own_sums, sums, 1, MPI_DOUBLE, "
            "MPI_SUM, "
            "MPI_COMM_WORLD);\n");
    add_to_rows(p, a, "fmod(sums[1], 5)");
    strcpy(p->wrong, "second of two sums, of which one is reduced");
}

/* Where the process begins, as a number between 0 and 1. */
static void own_coordinate(program_t *p, const array_t *a)
{
    declare(p, 'd', "xlo", "double %s");
    say(p, START, "    $xlo = (double)$rank / $size;\n");
    row_loop_begin(p, a, "wrong_x");
    const char *e = at(p, a, 0), *i = local_row();
    say(p, p->out,
        is_integer(a) ? "            %s = (%s + (int)(9 * sin($xlo + %s * (1.0 / $n)))) %% 1009;\n"
                      : "            %s += 0.01 * sin($xlo + %s%s * (1.0 / $n));\n",
        e, is_integer(a) ? e : "", i);
    row_loop_end(p);
    strcpy(p->wrong, "coordinate of the process in double");
}

/* The number of a row in another process's block. */
static void block_of_another(program_t *p, const array_t *a)
{
    say(p, p->out, "        int other = ($rank + 1) %% $size;\n");
    row_loop_begin(p, a, "wrong_other");
    const char *e = at(p, a, 0), *i = local_row();
    say(p, p->out,
        is_integer(a) ? "            %s = (%s + (other * $COUNT + %s) %% 5) %% 1009;\n"
                      : "            %s = 0.9 * %s + 0.01 * ((other * $COUNT + %s) %% 5);\n",
        e, e, i);
    row_loop_end(p);
    strcpy(p->wrong, "row of another process by the own count");
}

/* At the end, rank 0 takes all blocks to be equal. */
static void equal_gather_after(program_t *p, const array_t *a)
{
    const char *dot = a->element == CELL ? ".x" : "";
    say(p, AFTER, "    {\n");
    copy_equal_block(p, AFTER, a);
    say(p, AFTER,
        "        %s *whole = calloc((size_t)each * $size * %d, sizeof *whole);\n"
        "        MPI_Gather(block, each * %d * (int)sizeof *block, MPI_BYTE, whole, each * %d * "
        "(int)sizeof *block, MPI_BYTE, 0, MPI_COMM_WORLD);\n",
        element_type(a), a->columns, a->columns, a->columns);
    say(p, AFTER,
        "        double t = 0;\n        for (int i = 0; i < each * $size * %d; i++)\n            t "
        "+= (1 + i "
        "%% 7) * (double)whole[i]%s;\n        if ($rank == 0)\n            printf(\"gathered "
        "~%%.9g\\n\", "
        "t);\n        free(whole);\n        free(block);\n    }\n",
        a->columns, dot);
    strcpy(p->wrong, "gather of equal blocks after the loop");
}

void take_block_turn(program_t *p, const array_t *a)
{
    static void (*const turns[])(program_t *, const array_t *) = {
        equal_gather,   equal_ring,       partial_reduction,
        own_coordinate, block_of_another, equal_gather_after};
    if (chance(p, 40, "wrong.block.other")) {
        take_turn_beside(p, a);
        return;
    }
    turns[pick(p, sizeof turns / sizeof turns[0], "wrong.block")](p, a);
}
