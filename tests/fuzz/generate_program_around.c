/* SPDX-License-Identifier: BSD-3-Clause
 * Loops around the adaptive one, the work in them, before it and behind it, and work that comes
 * when all of them have ended. */
#include <string.h>

#include "fuzz/generate_program.h"

/* -- the frame */

/* The program is of styles that are seldom refused for themselves, so that it matters what is
 * around its loop. */
static void choose_plainly(program_t *p)
{
    static const unsigned kernels[] = {0, 1, 1, 4, 5, 6, 7}; /* as make_work numbers them */
    settle(p, pick(p, 2, "around.kernels"), "kernels");
    for (int i = 0; i < 2; i++) {
        unsigned which = pick(p, sizeof kernels / sizeof *kernels, "around.kernel%d", i);
        settle(p, kernels[which], "kernel%d", i);
        settle(p, 0, "kernel%d.further", i);
        settle(p, 0, "kernel%d.beside", i);
    }
    settle(p, pick(p, 4, "around.spelling"), "range.spelling");
    settle(p, 0, "range.function");
    for (int i = 0; i < MAX_ARRAYS; i++) {
        const char *name = array_names[i];
        settle(p, pick(p, ROW_POINTERS, "around.%s.access", name), "%s.access", name);
        settle(p, pick(p, 4, "around.%s.fill", name), "%s.fill", name);
    }
    p->loop_in_function = false;
}

void choose_around(program_t *p)
{
    p->around = chance(p, 33, "around")
                    ? (around_t)(COUNTED + pick(p, SURROUNDINGS - COUNTED, "around.shape"))
                    : NOTHING;
    p->second = p->around != NOTHING && chance(p, 20, "around.second");
    if (p->around != NOTHING && chance(p, 75, "around.plainly"))
        choose_plainly(p);
    if (p->around == AROUND_CALL)
        p->loop_in_function = true;
}

const char *counter_in(const program_t *p, section_t section)
{
    bool in_them = section == BEFORE || section == BETWEEN || section == BEHIND;
    if (section == SECOND)
        return "m";
    if (in_them && p->around != NOTHING)
        return "$step";
    if (section == BEFORE)
        return "0";
    return in_them || section == FINALLY ? "(STEPS - 1)" : NULL;
}

/* Work from here on is written to SECTION, in place or in a function of its
 * own. */
static void begin(program_t *p, section_t section)
{
    p->body = section;
    stage_begin(p, false);
}

static const array_t *any_array(program_t *p, section_t section)
{
    p->body = section;
    return make_array(p, OWN_ROWS, 0, NULL);
}

static void begin_counted(program_t *p)
{
    bool declared = p->place != IN_MAIN && chance(p, 50, "around.declared");
    if (declared)
        declare(p, 'd', "step", "int %s");
    if (p->around == TWO_LOOPS)
        say(p, AROUND, "    for (int cycle = 0; cycle < 2; cycle++) {\n");
    say(p, AROUND, "    for (%s$step = 0; $step < TIMES; $step++) {\n", declared ? "" : "int ");
}

static void begin_around(program_t *p)
{
    say(p, HEAD, "#define TIMES %u\n", 2 + pick(p, 3, "around.times"));
    if (p->around != BY_CONDITION && p->around != UNTIL_SMALL) {
        begin_counted(p);
        return;
    }
    declare(p, 'd', "step", "int %s");
    say(p, AROUND, "    $step = 0;\n");
    if (p->around == BY_CONDITION) {
        say(p, AROUND, "    while ($step < TIMES) {\n");
        return;
    }
    const char *level = reduced(p, any_array(p, BEHIND), "level");
    say(p, AROUND, "    $%s = 1;\n    while ($step < TIMES && fabs($%s) > 1e-9) {\n", level, level);
}

static void end_around(program_t *p)
{
    if (p->around == BY_CONDITION || p->around == UNTIL_SMALL)
        say(p, AROUND_END, "        $step++;\n");
    say(p, AROUND_END, p->around == TWO_LOOPS ? "    }}\n" : "    }\n");
}

/* -- right work */

static void print_sum_of(program_t *p, const array_t *a, const char *name, const char *own)
{
    say(p, p->out,
        "        MPI_Reduce(&%s, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);\n        if "
        "($rank == 0)\n            printf(\"%s %s%%.9g\\n\", all);\n",
        own, name, loosely(a));
}

/* What the adaptive loop has changed, against a copy from before. */
static void differences(program_t *p, const char *name)
{
    const array_t *a = any_array(p, BEFORE);
    bool each_time = chance(p, 20, "%s.each_time", name);
    declare(p, 'd', name, "double *%s");
    say(p, each_time ? BEFORE : START, "    $%s = malloc($COUNT * sizeof *$%s);\n", name, name);
    begin(p, BEFORE);
    row_loop_begin(p, a, with("%s_copy", name));
    say(p, p->out, "            $%s[%s] = %s;\n", name, local_row(), at(p, a, 0));
    row_loop_end(p);
    stage_end(p);
    begin(p, BEHIND);
    say(p, p->out, "        double moved = 0, all = 0;\n");
    row_loop_begin(p, a, name);
    say(p, p->out, "            moved += fabs((double)%s - $%s[%s]);\n", at(p, a, 0), name,
        local_row());
    row_loop_end(p);
    print_sum_of(p, a, name, "moved");
    stage_end(p);
    say(p, each_time ? BEHIND : END, "    free($%s);\n", name);
}

/* A norm that the next time around begins with. */
static void carries(program_t *p, const char *name)
{
    const array_t *a = any_array(p, BEHIND);
    const char *into = reduced(p, a, name);
    begin(p, BEFORE);
    damp(p, a, with("%s_next", name), with("1 / (1 + fabs($%s))", into));
    stage_end(p);
}

static void prints(program_t *p, const char *name)
{
    const array_t *a = any_array(p, BEHIND);
    const char *into = reduced(p, a, name);
    say(p, BEHIND, "        if ($rank == 0)\n            printf(\"%s %%d %s%%.9g\\n\", k, $%s);\n",
        name, loosely(a), into);
}

static void counts(program_t *p, const char *name)
{
    declare(p, 'd', name, "int %s");
    say(p, START, "    $%s = 0;\n", name);
    if (chance(p, 60, "%s.inside", name))
        say(p, LOOP, "        $%s++;\n", name);
    say(p, BEHIND, "        $%s += k + 1;\n", name);
    say(p, FINALLY, "    if ($rank == 0)\n        printf(\"%s %%d\\n\", $%s);\n", name, name);
}

static void prints_rows(program_t *p, const char *name)
{
    (void)name;
    print_array(p, BEHIND, any_array(p, BEHIND));
}

/* The range, as it is then. */
static void divides(program_t *p, const char *name)
{
    const array_t *a = any_array(p, BEHIND);
    begin(p, BEHIND);
    say(p, p->out,
        "        int from = $FIRST, to = from + $COUNT;\n        double weighed = 0, all = 0;\n    "
        "    for (int g = from; g < to; g++)\n            weighed += (1 + g %% 3) * (double)%s;\n",
        own_element(a, "g - from"));
    print_sum_of(p, a, name, "weighed");
    stage_end(p);
}

/* Owners of all rows, as they are then. */
static void owners(program_t *p, const char *name)
{
    const array_t *a = any_array(p, BEHIND);
    begin(p, BEHIND);
    say(p, p->out,
        "        int own = $COUNT, next = 0, *each = malloc($size * sizeof *each), *who = "
        "malloc($n * sizeof *who);\n        double t = 0, all = 0;\n        MPI_Allgather(&own, 1, "
        "MPI_INT, each, 1, MPI_INT, MPI_COMM_WORLD);\n        for (int r = 0; r < $size; r++)\n    "
        "        for (int i = 0; i < each[r]; i++)\n                who[next++] = r;\n        for "
        "(int i = 0; i < $n; i++)\n            if (who[i] == $rank)\n                t += (1 + i "
        "%% 4) * (double)%s;\n",
        own_element(a, "i - $FIRST"));
    print_sum_of(p, a, name, "t");
    say(p, p->out, "        free(who);\n        free(each);\n");
    stage_end(p);
}

/* A function adds up what all agree on. */
static void tallies(program_t *p, const char *name)
{
    const char *into = reduced(p, any_array(p, BEHIND), name);
    say(p, HEAD,
        "static double %s_of(double x)\n{\n    static double all;\n    return all = 0.5 * all + "
        "x;\n}\n\n",
        name);
    say(p, BEHIND, "        $%s = %s_of($%s);\n", into, name, into);
    say(p, FINALLY, "    if ($rank == 0)\n        printf(\"%s ~%%.9g\\n\", $%s);\n", name, into);
}

/* All rows begin anew. */
static void begins_anew(program_t *p, const char *name)
{
    const array_t *a = any_array(p, BEFORE);
    begin(p, BEFORE);
    row_loop_begin(p, a, name);
    say(p, p->out, "            %s = (%s * 7 + k) %% 11;\n", at(p, a, 0), global_row());
    row_loop_end(p);
    stage_end(p);
}

static void sometimes(program_t *p, const char *name)
{
    const array_t *a = any_array(p, BEHIND);
    begin(p, BEHIND);
    say(p, p->out, "        if (k %% 2 == 0) {\n");
    damp(p, a, name, "k");
    say(p, p->out, "        }\n");
    stage_end(p);
}

static void make_right_work(program_t *p, int which)
{
    static const struct {
        const char *name;
        void (*make)(program_t *, const char *);
    } kinds[] = {{"level", prints},      {"norms", carries},      {"rows", prints_rows},
                 {"moved", differences}, {"times", counts},       {"range", divides},
                 {"owners", owners},     {"tally", tallies},      {"anew", begins_anew},
                 {"times", counts},      {"sometimes", sometimes}};
    unsigned kind = pick(p, sizeof kinds / sizeof *kinds, "around.work%d", which);
    char name[NAME];
    snprintf(name, sizeof name, "%s%d", kinds[kind].name, which);
    if (p->arrays < MAX_ARRAYS)
        kinds[kind].make(p, name);
}

static void make_second_loop(program_t *p)
{
    say(p, SECOND, "#pragma xmpi loop%s\n    for (int m = 0; m < STEPS; m++) {\n",
        p->movable ? " movable" : "");
    p->body = SECOND;
    make_any_work(p, 50);
    if (chance(p, 50, "second.further"))
        make_any_work(p, 51);
    say(p, SECOND, "    }\n");
    p->body = BETWEEN;
    if (chance(p, 50, "between"))
        make_any_work(p, 40);
}

static void make_in_them(program_t *p)
{
    int before = (int)pick(p, 3, "before"), behind = (int)pick(p, 3, "behind");
    if (p->around != BY_CONDITION && p->around != UNTIL_SMALL && chance(p, 15, "around.skips"))
        say(p, BEFORE, "        if (k == 1)\n            continue;\n");
    p->body = BEFORE;
    for (int i = 0; i < before; i++)
        make_any_work(p, 20 + i);
    p->body = BEHIND;
    for (int i = 0; i < behind; i++)
        make_any_work(p, 30 + i);
    for (int i = 0; i < 1 + (int)pick(p, 3, "around.works"); i++)
        make_right_work(p, i);
}

void make_around(program_t *p)
{
    if (p->around != NOTHING) {
        begin_around(p);
        make_in_them(p);
        if (p->second)
            make_second_loop(p);
        end_around(p);
    }
    p->body = FINALLY;
    if (chance(p, 20, "finally"))
        make_any_work(p, 60);
    p->body = LOOP;
}
