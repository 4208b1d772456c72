/* SPDX-License-Identifier: BSD-3-Clause
 * Wrong turns around the adaptive loop, and behind it: what a process keeps of
 * its own rows while the layout becomes another one. */
#include <string.h>

#include "fuzz/generate_program.h"

static void begin(program_t *p, section_t section)
{
    p->body = section;
    stage_begin(p, false);
}

/* Where what was kept is used: behind the adaptive loop, when all have ended,
 * or before it the next time. */
static section_t use_of(program_t *p)
{
    static const section_t uses[] = {BEHIND, FINALLY, BEFORE};
    return uses[pick(p, p->around != NOTHING ? 3 : 2, "wrong.use")];
}

/* Where it is made. */
static section_t origin_of(program_t *p)
{
    return p->around != NOTHING && chance(p, 50, "wrong.origin") ? BEHIND : BEFORE;
}

static void keep_number(program_t *p, const char *type)
{
    declare(p, 'd', "kept", with("%s %%s", type));
    say(p, START, "    $kept = 0;\n");
}

/* VALUE gets into the rows, or is added up over the processes and printed. */
static void use_value(program_t *p, const array_t *a, const char *value)
{
    if (chance(p, 50, "wrong.summed")) {
        say(p, p->out,
            "        double own_value = %s, of_all = 0;\n        MPI_Reduce(&own_value, &of_all, "
            "1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);\n        if ($rank == 0)\n            "
            "printf(\"of all %s%%.9g\\n\", of_all);\n",
            value, loosely(a));
        return;
    }
    damp(p, a, "wrong_use", with("fmod(%s, 5)", value));
}

static void use_at(program_t *p, const array_t *a, section_t section, const char *value)
{
    begin(p, section);
    use_value(p, a, value);
    stage_end(p);
}

static const char *dot_of(const array_t *a)
{
    return a->element == CELL ? ".x" : "";
}

/* -- numbers */

static void count_of_rows(program_t *p, const array_t *a)
{
    keep_number(p, chance(p, 50, "wrong.long") ? "long" : "double");
    begin(p, origin_of(p));
    if (chance(p, 50, "wrong.each")) {
        row_loop_begin(p, a, "wrong");
        say(p, p->out, "            $kept++;\n");
        row_loop_end(p);
    } else {
        say(p, p->out, "        $kept += $COUNT;\n");
    }
    stage_end(p);
    use_at(p, a, use_of(p), "$kept");
    strcpy(p->wrong, "own rows counted around the loop");
}

static void sum_of_rows(program_t *p, const array_t *a)
{
    bool anew = chance(p, 40, "wrong.anew");
    keep_number(p, "double");
    begin(p, origin_of(p));
    if (anew)
        say(p, p->out, "        $kept = 0;\n");
    row_loop_begin(p, a, "wrong");
    say(p, p->out, "            $kept += %s;\n", at(p, a, 0));
    row_loop_end(p);
    stage_end(p);
    use_at(p, a, use_of(p), "$kept");
    strcpy(p->wrong, "sum of own rows kept around the loop");
}

static void largest_of_rows(program_t *p, const array_t *a)
{
    keep_number(p, "double");
    begin(p, origin_of(p));
    row_loop_begin(p, a, "wrong");
    say(p, p->out, "            if (%s > $kept)\n                $kept = %s;\n", at(p, a, 0),
        at(p, a, 0));
    row_loop_end(p);
    stage_end(p);
    use_at(p, a, use_of(p), "$kept");
    strcpy(p->wrong, "largest of the own rows carried on");
}

static void edge_row(program_t *p, const array_t *a)
{
    keep_number(p, "double");
    begin(p, origin_of(p));
    say(p, p->out, "        $kept = (*(%s))%s;\n", own_rows(p, a), dot_of(a));
    stage_end(p);
    use_at(p, a, use_of(p), "$kept");
    strcpy(p->wrong, "first own row kept around the loop");
}

static void of_layout(program_t *p, const array_t *a)
{
    static const char *const values[] = {"$COUNT % 4", "$FIRST", "$rank", "$size",
                                         "$FIRST + $COUNT - 1"};
    section_t origin = origin_of(p);
    const char *value = values[pick(p, sizeof values / sizeof *values, "wrong.layout")];
    if (chance(p, 50, "wrong.kept")) {
        keep_number(p, "int");
        begin(p, origin);
        say(p, p->out, "        $kept = %s;\n", value);
        stage_end(p);
        value = "$kept";
        origin = use_of(p);
    }
    use_at(p, a, origin, with("(double)(%s)", value));
    strcpy(p->wrong, "number of the layout around the loop");
}

static void tally(program_t *p, const array_t *a)
{
    bool by_row = chance(p, 50, "wrong.each");
    say(p, HEAD,
        "static double tally(double x)\n{\n    static double all;\n    all += x;\n    return "
        "all;\n}\n\n");
    begin(p, origin_of(p));
    if (by_row) {
        row_loop_begin(p, a, "wrong");
        say(p, p->out, "            tally(%s);\n", at(p, a, 0));
        row_loop_end(p);
    } else {
        say(p, p->out, "        tally($COUNT);\n");
    }
    stage_end(p);
    use_at(p, a, use_of(p), "tally(0)");
    strcpy(p->wrong, "sum in a static variable of a function around the loop");
}

static void of_each_rank(program_t *p, const array_t *a)
{
    declare(p, 'd', "of_rank", "double *%s");
    say(p, START, "    $of_rank = calloc(64, sizeof *$of_rank);\n");
    begin(p, origin_of(p));
    say(p, p->out, "        $of_rank[$rank] += $COUNT;\n");
    stage_end(p);
    use_at(p, a, use_of(p), "$of_rank[$rank]");
    strcpy(p->wrong, "table with an entry of the rank");
}

/* -- rows by their place */

static void colours(program_t *p, const array_t *a)
{
    section_t section = use_of(p);
    begin(p, section);
    row_loop_begin(p, a, "wrong");
    const char *e = at(p, a, 0);
    say(p, p->out, "            if ((%s) %% 2 == %u)\n                continue;\n", local_row(),
        pick(p, 2, "wrong.colour"));
    say(p, p->out,
        is_integer(a) ? "            %s = (3 * %s + 1) %% 1009;\n"
                      : "            %s = 0.9 * %s + 0.05;\n",
        e, e);
    row_loop_end(p);
    stage_end(p);
    strcpy(p->wrong, "colours by the place in the block around the loop");
}

static void pairs(program_t *p, const array_t *a)
{
    bool summed = chance(p, 50, "wrong.pairs");
    begin(p, use_of(p));
    const char *x = own_element(a, "i"), *y = own_element(a, "i + 1");
    if (summed) {
        say(p, p->out,
            "        double pairs = 0;\n        for (int i = 0; i + 1 < $COUNT; i += 2)\n          "
            "  pairs += fabs((double)%s - %s);\n",
            x, y);
        use_value(p, a, "pairs");
    } else {
        say(p, p->out,
            "        for (int i = 0; i + 1 < $COUNT; i += 2) {\n            %s = (%s + %s) / 2;\n  "
            "          %s = %s;\n        }\n",
            x, x, y, y, x);
    }
    stage_end(p);
    strcpy(p->wrong, "pairs of own rows around the loop");
}

/* Each own row goes by the one before it. */
static void one_after_another(program_t *p, const array_t *a)
{
    begin(p, use_of(p));
    const char *x = own_element(a, "i"), *y = own_element(a, "i - 1");
    say(p, p->out, "        for (int i = 1; i < $COUNT; i++)\n            %s = (%s + %s) / 2;\n", x,
        x, y);
    stage_end(p);
    strcpy(p->wrong, "own rows one after another around the loop");
}

/* The range, as it was. */
static void range_before(program_t *p, const array_t *a)
{
    declare(p, 'p', "began", "int %s");
    declare(p, 'p', "ended", "int %s");
    begin(p, BEFORE);
    say(p, p->out, "        $began = $FIRST;\n        $ended = $began + $COUNT;\n");
    stage_end(p);
    begin(p, BEHIND);
    say(p, p->out,
        "        double weighed = 0;\n        for (int g = $began; g < $ended; g++)\n            "
        "weighed += 1 + g %% 3 + (g - $began < $COUNT ? (double)%s : 0);\n",
        own_element(a, "g - $began"));
    use_value(p, a, "weighed");
    stage_end(p);
    strcpy(p->wrong, "range from before the loop");
}

/* -- rows that are kept elsewhere */

static void pointer_to_rows(program_t *p, const array_t *a)
{
    say(p, HEAD, "static %s *spot;\n", element_type(a));
    bool called = chance(p, 40, "wrong.called");
    if (called)
        say(p, HEAD, "static void remember(%s *at)\n{\n    spot = at;\n}\n\n", element_type(a));
    bool once = chance(p, 40, "wrong.once");
    const char *last = row_address(p, a,
                                   a->storage == WITH_GHOSTS ? with("$COUNT + %d", a->ghosts - 1)
                                   : a->storage == ALL_ROWS  ? "$FIRST + $COUNT - 1"
                                                             : "$COUNT - 1");
    say(p, once ? SETUP : BEFORE, called ? "        remember(%s);\n" : "        spot = %s;\n",
        chance(p, 50, "wrong.last") ? last : own_rows(p, a));
    begin(p, BEHIND);
    if (chance(p, 50, "wrong.written"))
        say(p, p->out, "        (*spot)%s = 1;\n", dot_of(a));
    else
        use_value(p, a, with("(double)(*spot)%s", dot_of(a)));
    stage_end(p);
    strcpy(p->wrong, "pointer into the rows in a static variable");
}

static void packed_list(program_t *p, const array_t *a)
{
    declare(p, 'd', "packed", "double *%s");
    declare(p, 'd', "items", "int %s");
    say(p, START, "    $packed = malloc($n * 8 * sizeof *$packed);\n    $items = 0;\n");
    begin(p, BEFORE);
    say(p, p->out, "        double *end = $packed;\n");
    row_loop_begin(p, a, "wrong");
    say(p, p->out, "            if ((%s) %% 3 != 0)\n                *end++ = %s;\n", global_row(),
        at(p, a, 0));
    row_loop_end(p);
    say(p, p->out, "        $items = (int)(end - $packed);\n");
    stage_end(p);
    begin(p, use_of(p));
    say(p, p->out,
        "        double listed = 0;\n        for (const double *item = $packed; item < $packed + "
        "$items; item++)\n            listed += *item;\n");
    use_value(p, a, "listed");
    stage_end(p);
    strcpy(p->wrong, "packed list of own rows around the loop");
}

static void table_of_owners(program_t *p, const array_t *a)
{
    declare(p, 'd', "whose", "int *%s");
    say(p, START, "    $whose = malloc($n * sizeof *$whose);\n");
    begin(p, BEFORE);
    say(p, p->out,
        "        for (int i = 0; i < $n; i++)\n            $whose[i] = i >= $FIRST && i < $FIRST + "
        "$COUNT ? $rank : -1;\n        MPI_Allreduce(MPI_IN_PLACE, $whose, $n, MPI_INT, MPI_MAX, "
        "MPI_COMM_WORLD);\n");
    stage_end(p);
    begin(p, use_of(p));
    say(p, p->out,
        "        double owned = 0;\n        for (int i = 0; i < $n; i++)\n            if "
        "($whose[i] == $rank)\n                owned += 1 + i %% 3;\n");
    use_value(p, a, "owned");
    stage_end(p);
    strcpy(p->wrong, "table of owners from before the loop");
}

static void fixed_copy(program_t *p, const array_t *a)
{
    bool bytes = a->columns == 1 && chance(p, 60, "wrong.memcpy");
    say(p, HEAD, "static %s saved[%d];\n", element_type(a), p->rows + 4);
    begin(p, origin_of(p));
    if (bytes) {
        say(p, p->out, "        memcpy(saved, %s, (size_t)$COUNT * sizeof *saved);\n",
            own_rows(p, a));
    } else {
        say(p, p->out, "        for (int i = 0; i < $COUNT; i++)\n            saved[i]%s = %s;\n",
            dot_of(a), own_element(a, "i"));
    }
    stage_end(p);
    begin(p, use_of(p));
    say(p, p->out,
        "        double saved_sum = 0;\n        for (int i = 0; i < $COUNT; i++)\n            "
        "saved_sum += (1 + ($FIRST + i) %% 3) * (double)saved[i]%s;\n",
        dot_of(a));
    use_value(p, a, "saved_sum");
    stage_end(p);
    strcpy(p->wrong, "own rows in an array of fixed size around the loop");
}

static void places(program_t *p, const array_t *a)
{
    declare(p, 'd', "places", "int *%s");
    say(p, START, "    $places = calloc($COUNT, sizeof *$places);\n");
    begin(p, origin_of(p));
    say(p, p->out, "        for (int i = 0; i < $COUNT; i++)\n            $places[i] = i;\n");
    stage_end(p);
    begin(p, use_of(p));
    say(p, p->out,
        "        double placed = 0;\n        for (int i = 0; i < $COUNT; i++)\n            placed "
        "+= (double)$places[i] * %s;\n",
        own_element(a, "i"));
    use_value(p, a, "placed");
    stage_end(p);
    strcpy(p->wrong, "places in the block kept around the loop");
}

static void sums_up_to(program_t *p, const array_t *a)
{
    declare(p, 'd', "up_to", "double *%s");
    say(p, START, "    $up_to = calloc($COUNT, sizeof *$up_to);\n");
    begin(p, origin_of(p));
    say(p, p->out,
        "        double up = 0;\n        for (int i = 0; i < $COUNT; i++) {\n            up += "
        "%s;\n            $up_to[i] = up;\n        }\n",
        own_element(a, "i"));
    stage_end(p);
    use_at(p, a, use_of(p), "$up_to[$COUNT - 1]");
    strcpy(p->wrong, "sums of own rows up to each around the loop");
}

typedef void (*turn_t)(program_t *, const array_t *);

static const turn_t turns[] = {
    count_of_rows, sum_of_rows, largest_of_rows, edge_row,          of_layout,    tally,
    of_each_rank,  colours,     pairs,           one_after_another, range_before, pointer_to_rows,
    packed_list,   places,      sums_up_to,      table_of_owners,   fixed_copy};

/* A turn around the loop, or one of the loop, there, around it or behind it. */
void take_turn_around(program_t *p)
{
    static const section_t places_of_turns[] = {LOOP, BEFORE, BEHIND, FINALLY};
    const array_t *a = &p->array[pick(p, (unsigned)p->arrays, "wrong.array")];
    bool around = p->around != NOTHING || chance(p, 10, "wrong.around");
    if (around && chance(p, 60, "wrong.turn_around")) {
        turns[pick(p, sizeof turns / sizeof *turns, "wrong.turn")](p, a);
    } else {
        p->body = around ? places_of_turns[pick(p, 4, "wrong.place")] : LOOP;
        take_wrong_turn(p);
    }
    p->body = LOOP;
}
