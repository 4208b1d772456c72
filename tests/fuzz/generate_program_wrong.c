/* SPDX-License-Identifier: BSD-3-Clause
 * Wrong turns: a value that belongs to one process, to one layout or to nobody, the way that it
 * takes through the program, and what it spoils. */
#include <string.h>

#include "fuzz/generate_program.h"

typedef struct {
    char value[EXPRESSION];
    char before[EXPRESSION]; /* statements before it */
    bool of_row;             /* it is known only in a loop over rows */
    bool at_start;           /* it is known before the loop as well */
} source_t;

typedef struct {
    const char *words, *value, *before;
    bool at_start;
} plain_source_t;

/* Not of a row. */
static const plain_source_t plain_sources[] = {
    {"rank", "$rank", "", true},
    {"rank as a double", "(double)$rank / $size", "", true},
    {"size", "1.0 / $size", "", true},
    {"count", "$COUNT", "", true},
    {"count times size", "(double)$COUNT * $size", "", true},
    {"first row", "$FIRST", "", true},
    {"block length", "($n / $size)", "", true},
    {"neighbour's rank", "($rank + 1) % $size", "", true},
    {"mark of the last rank", "($rank == $size - 1)", "", true},
    {"rank asked for", "asked",
     "        int asked;\n        MPI_Comm_rank(MPI_COMM_WORLD, &asked);\n", false},
    {"size asked for", "asked",
     "        int asked;\n        MPI_Comm_size(MPI_COMM_WORLD, &asked);\n", false},
    {"scan of ones", "ahead",
     "        int one = 1, ahead = 0;\n        MPI_Scan(&one, &ahead, 1, MPI_INT, MPI_SUM, "
     "MPI_COMM_WORLD);\n",
     false},
    {"largest count", "most",
     "        int own_count = $COUNT, most = 0;\n        MPI_Allreduce(&own_count, &most, 1, "
     "MPI_INT, MPI_MAX, MPI_COMM_WORLD);\n",
     false},
    {"count of rank 0", "of_root",
     "        int of_root = $COUNT;\n        MPI_Bcast(&of_root, 1, MPI_INT, 0, MPI_COMM_WORLD);\n",
     false},
    {"processes counted", "many",
     "        int one = 1, many = 0;\n        MPI_Allreduce(&one, &many, 1, MPI_INT, MPI_SUM, "
     "MPI_COMM_WORLD);\n",
     false},
    {"static counter", "counted()", "", false},
    {"random number", "(rand() % 100)", "", false},
    {"next letter of a file", "letter()", "", false},
    {"iteration after an open request", "(k % 3)", "        leave_open();\n", false},
};
enum { PLAIN = sizeof plain_sources / sizeof plain_sources[0] };

/* What some of them need: state that another process has not. */
static const struct {
    const char *value, *definition, *after;
} hidden_parts[] = {
    {"counted()",
     "static int counted(void)\n{\n    static int calls;\n    return calls++ % 7;\n}\n\n", ""},
    {"letter()",
     "static FILE *letters;\nstatic int letter(void)\n{\n    if (letters == NULL)\n        letters "
     "= "
     "fopen(\"/proc/sys/kernel/ostype\", \"r\");\n    int c = fgetc(letters);\n    if (c == EOF) "
     "{\n "
     "       rewind(letters);\n        c = fgetc(letters);\n    }\n    return c % 7;\n}\n\n",
     ""},
    {"(k % 3)",
     "static MPI_Request pending = MPI_REQUEST_NULL;\nstatic void leave_open(void)\n{\n    "
     "MPI_Wait(&pending, MPI_STATUS_IGNORE);\n    MPI_Ibarrier(MPI_COMM_WORLD, &pending);\n}\n\n",
     "    MPI_Wait(&pending, MPI_STATUS_IGNORE);\n"},
};

static const char *const row_words[] = {
    "local index",        "local index modulo 3",      "parity of the local index",
    "own formula",        "mark of the first own row", "distance of addresses",
    "counter of own rows"};
enum { OF_ROW = sizeof row_words / sizeof row_words[0], OF_DATA = 3, HIDDEN = 3 };

static void plain_source(program_t *p, unsigned which, source_t *s)
{
    const plain_source_t *plain = &plain_sources[which];
    snprintf(s->value, sizeof s->value, "%s", plain->value);
    snprintf(s->before, sizeof s->before, "%s", plain->before);
    s->at_start = plain->at_start;
    for (size_t i = 0; i < sizeof hidden_parts / sizeof *hidden_parts; i++)
        if (strcmp(plain->value, hidden_parts[i].value) == 0) {
            say(p, HEAD, "%s", hidden_parts[i].definition);
            say(p, AFTER, "%s", hidden_parts[i].after);
        }
    strcpy(p->wrong, plain->words);
}

static void row_source(program_t *p, const array_t *a, unsigned which, source_t *s)
{
    const char *i = local_row(), *text = "";
    switch (which) {
    case 0:
        text = i;
        break;
    case 1:
        text = with("(%s %% 3)", i);
        break;
    case 2:
        text = with("((%s + k) & 1)", i);
        break;
    case 3:
        text = with("($rank * ($n / $size) + %s)", i);
        break;
    case 4:
        text = with("(%s == 0)", i);
        break;
    case 5:
        text = a->element == CELL ? i : with("(&%s - %s)", at(p, a, 0), row_address(p, a, "0"));
        break;
    default:
        text = "met++";
        say(p, p->out,
            "            static int met;\n            if (%s == 0)\n                met = 0;\n", i);
    }
    snprintf(s->value, sizeof s->value, "%s", text);
    s->of_row = true;
    strcpy(p->wrong, row_words[which]);
}

static void sum_of_own_rows(program_t *p, const array_t *a, source_t *s)
{
    say(p, p->out, "        double part = 0;\n");
    row_loop_begin(p, a, "wrong_part");
    say(p, p->out, "            part += %s;\n", at(p, a, 0));
    row_loop_end(p);
    strcpy(s->value, "(1 + fmod(part, 3.0))");
    strcpy(p->wrong, "sum of the own rows");
}

static void elected_leader(program_t *p, const array_t *a, source_t *s)
{
    say(p, p->out,
        "        struct {\n            double x;\n            int who;\n        } own_best = {-1, "
        "$rank}, best;\n");
    row_loop_begin(p, a, "wrong_best");
    say(p, p->out, "            if (%s > own_best.x)\n                own_best.x = %s;\n",
        at(p, a, 0), at(p, a, 0));
    row_loop_end(p);
    say(p, p->out,
        "        MPI_Allreduce(&own_best, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, "
        "MPI_COMM_WORLD);\n");
    strcpy(s->value, chance(p, 50, "wrong.leader") ? "(best.who == $rank)" : "best.who");
    strcpy(p->wrong, "elected leader");
}

static void edge_row(program_t *p, const array_t *a, source_t *s)
{
    const char *own = own_rows(p, a);
    snprintf(s->value, sizeof s->value, "(*(%s))%s", own, a->element == CELL ? ".x" : "");
    strcpy(p->wrong, "value of the first own row");
}

/* The same everywhere, and unknown to a process that joins. */
static void hidden_state(program_t *p, unsigned which, source_t *s)
{
    switch (which) {
    case 0:
        say(p, HEAD, "static double phase_itself, *phase_of = &phase_itself;\n");
        strcpy(s->before, "        *phase_of += 0.5;\n");
        strcpy(s->value, "phase_itself");
        break;
    case 1:
        declare(p, 'd', "state", "double *%s");
        say(p, START, "    $state = malloc(2 * sizeof *$state);\n    $state[0] = $state[1] = 1;\n");
        strcpy(s->before, "        $state[k % 2] = 0.5 * $state[1 - k % 2] + 1;\n");
        strcpy(s->value, "$state[k % 2]");
        break;
    default:
        say(p, HEAD,
            "struct node {\n    double x;\n    struct node *next;\n};\nstatic struct node *chain;\n"
            "static double longer(double x)\n{\n    struct node *one = malloc(sizeof *one);\n    "
            "one->x = x;\n"
            "    one->next = chain;\n    chain = one;\n    double t = 0;\n    for (one = chain; "
            "one != NULL; one = one->next)\n"
            "        t = 0.5 * t + one->x;\n    return t;\n}\n\n");
        strcpy(s->value, "longer(k % 3)");
    }
    strcpy(p->wrong, which == 0   ? "state behind a pointer"
                     : which == 1 ? "state on the heap"
                                  : "list on the heap");
}

/* -- the way that it takes */

typedef enum {
    DIRECT,
    VARIABLE,
    POINTER,
    CALLS,
    STATIC,
    ELEMENT,
    WORDS,
    COPY,
    CONDITION,
    SWITCH,
    SWEEPS,
    CALLBACK,
    IN_ROW_WAYS,
    STARTED = IN_ROW_WAYS,
    LARGEST,
    FROM_ROOT,
    MEMBER,
    WAYS
} way_t;

static const char *const way_words[WAYS] = {"directly",
                                            "in a variable",
                                            "behind a pointer",
                                            "through nine calls",
                                            "in a static variable",
                                            "in an element",
                                            "as text",
                                            "by memcpy",
                                            "by a condition",
                                            "by a switch",
                                            "as a number of sweeps",
                                            "through a function pointer",
                                            "from before the loop",
                                            "as the largest of all",
                                            "as that of rank 0",
                                            "kept from one iteration to the next"};

static void define_calls(program_t *p)
{
    say(p, HEAD, "static double pass0(double x)\n{\n    return x;\n}\n\n");
    for (int i = 1; i < 9; i++)
        say(p, HEAD, "static double pass%d(double x)\n{\n    return pass%d(x);\n}\n\n", i, i - 1);
}

/* In a row, or before the loop over rows. */
static const char *take(program_t *p, const source_t *s, way_t way)
{
    const char *v = s->value;
    section_t o = p->out;
    switch (way) {
    case VARIABLE:
        say(p, o, "            double taken = %s;\n", v);
        return "taken";
    case POINTER:
        say(p, o, "            double taken, *to = &taken;\n            *to = %s;\n", v);
        return "taken";
    case CALLS:
        define_calls(p);
        return with("pass8(%s)", v);
    case STATIC:
        say(p, HEAD, "static double kept;\nstatic void keep(double x)\n{\n    kept = x;\n}\n\n");
        say(p, o, "            keep(%s);\n", v);
        return "kept";
    case ELEMENT:
        say(p, o, "            double several[3] = {0};\n            several[k %% 3] = %s;\n", v);
        return "several[k % 3]";
    case WORDS:
        say(p, o,
            "            char words[40];\n            snprintf(words, sizeof words, \"%%.6f\", "
            "(double)(%s));\n",
            v);
        return "atof(words)";
    case COPY:
        say(p, o,
            "            double from = %s, taken;\n            memcpy(&taken, &from, sizeof "
            "taken);\n",
            v);
        return "taken";
    case CONDITION:
        say(p, o,
            "            double taken = 0;\n            if (%s > 1)\n                taken = 2;\n",
            v);
        return "taken";
    case SWITCH:
        say(p, o,
            "            double taken;\n            switch ((int)(%s)) {\n            case 0:\n    "
            "            taken = 0.5;\n                break;\n"
            "            case 1:\n                taken = 1.5;\n                break;\n           "
            " default:\n                taken = 3;\n            }\n",
            v);
        return "taken";
    case SWEEPS:
        say(p, o,
            "            double taken = 0;\n            for (int sweep = (int)(%s); sweep > 0; "
            "sweep--)\n                taken += 0.1;\n",
            v);
        return "taken";
    case CALLBACK:
        say(p, HEAD,
            "static double twice(double x)\n{\n    return 2 * x;\n}\n\nstatic double "
            "(*operation)(double) = twice;\n");
        return with("operation(%s)", v);
    default:
        return v;
    }
}

/* Not in a row. */
static const char *take_over(program_t *p, const source_t *s, way_t way)
{
    const char *v = s->value;
    switch (way) {
    case STARTED:
        declare(p, 'd', "started", "double %s");
        say(p, START, "    $started = %s;\n", v);
        return "$started";
    case LARGEST:
        say(p, p->out,
            "        double own_value = %s, taken;\n        MPI_Allreduce(&own_value, &taken, 1, "
            "MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);\n",
            v);
        return "taken";
    case FROM_ROOT:
        say(p, p->out,
            "        double taken = %s;\n        MPI_Bcast(&taken, 1, MPI_DOUBLE, 0, "
            "MPI_COMM_WORLD);\n",
            v);
        return "taken";
    case MEMBER:
        declare(p, 'd', "member", "double %s");
        say(p, START, "    $member = 0;\n");
        say(p, p->out, "        double taken = $member;\n        $member = %s;\n", v);
        return "taken";
    default:
        return take(p, s, way);
    }
}

/* -- what it spoils */

static void spoil_row(program_t *p, const array_t *a, const char *v)
{
    const char *e = at(p, a, 0);
    unsigned how = pick(p, 3, "wrong.spoils");
    if (is_integer(a))
        say(p, p->out, "            %s = (%s + (int)(7 * (%s))) %% 1009;\n", e, e, v);
    else if (how == 0)
        say(p, p->out, "            %s += 0.01 * (%s);\n", e, v);
    else if (how == 1)
        say(p, p->out, "            %s *= 1 - 0.01 * (%s > 0);\n", e, v);
    else
        say(p, p->out, "            if (%s > 1)\n                %s = 0.7 * %s + 0.01;\n", v, e, e);
}

/* Added up by each process, over the iterations. */
static void spoil_sum(program_t *p, const char *v, bool printed)
{
    declare(p, 'd', "carried", "double %s");
    say(p, START, "    $carried = 0;\n");
    say(p, p->out, "            $carried += 0.01 * (%s);\n", v);
    if (printed)
        say(p, AFTER,
            "    {\n        double all = 0;\n        MPI_Reduce(&$carried, &all, 1, MPI_DOUBLE, "
            "MPI_SUM, 0, MPI_COMM_WORLD);\n"
            "        if ($rank == 0)\n            printf(\"carried %%.9g\\n\", all);\n    }\n");
}

static void spoil(program_t *p, const array_t *a, const char *v, bool in_row)
{
    unsigned what = pick(p, 6, "wrong.sink");
    if (what < 4) {
        if (!in_row)
            row_loop_begin(p, a, "wrong");
        spoil_row(p, a, v);
        if (!in_row)
            row_loop_end(p);
        return;
    }
    spoil_sum(p, v, what == 4);
    if (what == 4)
        strcat(p->wrong, ", added up and printed");
    else {
        strcat(p->wrong, ", added up");
        if (in_row)
            row_loop_end(p);
        row_loop_begin(p, a, "wrong_after");
        spoil_row(p, a, "$carried");
        if (!in_row)
            row_loop_end(p);
    }
}

static void wrong_in_rows(program_t *p, const array_t *a)
{
    source_t s = {0};
    row_loop_begin(p, a, "wrong");
    row_source(p, a, pick(p, OF_ROW, "wrong.row"), &s);
    way_t way = (way_t)pick(p, IN_ROW_WAYS, "wrong.way");
    strcat(strcat(p->wrong, " "), way_words[way]);
    spoil(p, a, take(p, &s, way), true);
    row_loop_end(p);
}

static void wrong_of_process(program_t *p, const array_t *a)
{
    source_t s = {0};
    unsigned which = pick(p, PLAIN + OF_DATA + HIDDEN, "wrong.source");
    if (chance(p, 25, "wrong.source.beside")) {
        const char *before = "";
        snprintf(s.value, sizeof s.value, "%s", value_from_beside(p, &before));
        snprintf(s.before, sizeof s.before, "%s", before);
    } else if (which < PLAIN)
        plain_source(p, which, &s);
    else if (which == PLAIN)
        sum_of_own_rows(p, a, &s);
    else if (which == PLAIN + 1)
        elected_leader(p, a, &s);
    else if (which == PLAIN + 2)
        edge_row(p, a, &s);
    else
        hidden_state(p, which - PLAIN - OF_DATA, &s);
    say(p, p->out, "%s", s.before);
    way_t way = (way_t)pick(p, WAYS, "wrong.way");
    if (way == STARTED && !s.at_start)
        way = DIRECT;
    strcat(strcat(p->wrong, " "), way_words[way]);
    spoil(p, a, take_over(p, &s, way), false);
}

void take_wrong_turn(program_t *p)
{
    const array_t *a = &p->array[pick(p, (unsigned)p->arrays, "wrong.array")];
    bool in_rows = chance(p, 40, "wrong.in_rows");
    if (chance(p, 20, "wrong.blocks")) {
        stage_begin(p, false);
        take_block_turn(p, a);
        stage_end(p);
        return;
    }
    stage_begin(p, pick(p, 6, "wrong.sink") < 4 && !(pick(p, WAYS, "wrong.way") == MEMBER));
    if (in_rows)
        wrong_in_rows(p, a);
    else
        wrong_of_process(p, a);
    stage_end(p);
}
