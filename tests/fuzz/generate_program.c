/* SPDX-License-Identifier: BSD-3-Clause
 * The frame of a generated program: decisions, texts, and how they are put together. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/generate_program.h"

/* -- decisions */

/* splitmix64 (Steele, Lea & Flood 2014), over the seed and the name. */
static uint64_t drawn(uint64_t seed, const char *name)
{
    uint64_t z = seed * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du;
    for (; *name != '\0'; name++) {
        z = (z ^ (unsigned char)*name) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 29)) * 0x94d049bb133111ebu;
        z ^= z >> 32;
    }
    return z >> 8;
}

static choice_t *find_choice(program_t *p, const char *name)
{
    for (size_t i = 0; i < p->choices; i++)
        if (strcmp(p->choice[i].name, name) == 0)
            return &p->choice[i];
    if (p->choices == MAX_CHOICES)
        abort();
    choice_t *choice = &p->choice[p->choices++];
    snprintf(choice->name, sizeof choice->name, "%s", name);
    return choice;
}

static unsigned answer(program_t *p, unsigned options, const char *name)
{
    choice_t *choice = find_choice(p, name);
    choice->options = options;
    if (!choice->forced)
        choice->answer = (unsigned)(drawn(p->seed, name) % options);
    return choice->answer < options ? choice->answer : options - 1;
}

unsigned pick(program_t *p, unsigned options, const char *name, ...)
{
    char full[NAME];
    va_list arguments;
    va_start(arguments, name);
    vsnprintf(full, sizeof full, name, arguments);
    va_end(arguments);
    return answer(p, options, full);
}

bool chance(program_t *p, unsigned percent, const char *name, ...)
{
    char full[NAME];
    va_list arguments;
    va_start(arguments, name);
    vsnprintf(full, sizeof full, name, arguments);
    va_end(arguments);
    return answer(p, 100, full) >= 100 - percent;
}

void settle(program_t *p, unsigned answer, const char *name, ...)
{
    char full[NAME];
    va_list arguments;
    va_start(arguments, name);
    vsnprintf(full, sizeof full, name, arguments);
    va_end(arguments);
    choice_t *choice = find_choice(p, full);
    choice->answer = choice->forced ? choice->answer : answer;
    choice->forced = true;
}

static void force_answers(program_t *p, const char *force)
{
    while (force != NULL && *force != '\0') {
        char name[NAME];
        unsigned value;
        if (sscanf(force, "%47[^=]=%u", name, &value) == 2) {
            choice_t *choice = find_choice(p, name);
            choice->answer = value;
            choice->forced = true;
        }
        force = strchr(force, ',');
        force += force != NULL;
    }
}

/* -- texts */

const char *with(const char *format, ...)
{
    static char buffer[64][2 * EXPRESSION];
    static unsigned next;
    va_list arguments;
    va_start(arguments, format);
    char *text = buffer[next++ % 64];
    vsnprintf(text, sizeof buffer[0], format, arguments);
    va_end(arguments);
    return text;
}

void say(program_t *p, section_t section, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(p->stream[section], format, arguments);
    va_end(arguments);
}

void declare(program_t *p, char part, const char *name, const char *declarator)
{
    if (p->variables == MAX_VARIABLES)
        abort();
    variable_t *variable = &p->variable[p->variables++];
    variable->part = part;
    snprintf(variable->name, sizeof variable->name, "%s", name);
    snprintf(variable->declarator, sizeof variable->declarator, "%s", declarator);
}

/* How a variable is called in main, or in a function that got the struct. */
static const char *prefix(const program_t *p, const variable_t *variable, bool in_main)
{
    const char *member = variable->part == 'p' ? "part." : "data.";
    const char *arrow = in_main && p->place != IN_HEAP_STRUCT ? "w." : "w->";
    if (p->place == IN_MAIN || p->place == IN_FILE)
        return "";
    return p->place == IN_NESTED_STRUCTS ? with("%s%s", arrow, member) : arrow;
}

static void write_declarator(FILE *out, const variable_t *variable)
{
    const char *name = strstr(variable->declarator, "%s");
    fprintf(out, "%.*s%s%s", (int)(name - variable->declarator), variable->declarator,
            variable->name, name + 2);
}

static void write_parameters(const program_t *p, FILE *out, bool names_only)
{
    for (size_t i = 0; p->place == IN_MAIN && i < p->variables; i++) {
        fprintf(out, ", ");
        if (names_only)
            fprintf(out, "%s", p->variable[i].name);
        else
            write_declarator(out, &p->variable[i]);
    }
    if (p->place >= IN_STRUCT && !names_only)
        fprintf(out, ", struct world *w");
}

static void write_arguments(const program_t *p, FILE *out, bool in_main)
{
    write_parameters(p, out, true);
    if (p->place >= IN_STRUCT)
        fprintf(out, in_main && p->place != IN_HEAP_STRUCT ? ", &w" : ", w");
}

static void write_expanded(const program_t *p, FILE *out, const char *text, bool in_main);

static void write_name(const program_t *p, FILE *out, const char *name, bool in_main)
{
    if (strcmp(name, "COUNT") == 0)
        write_expanded(p, out, p->count, in_main);
    else if (strcmp(name, "FIRST") == 0)
        write_expanded(p, out, p->first, in_main);
    else if (strcmp(name, "STATE") == 0)
        write_expanded(p, out, p->clause, in_main);
    else if (strcmp(name, "PARAMETERS") == 0)
        write_parameters(p, out, false);
    else if (strcmp(name, "ARGUMENTS") == 0)
        write_arguments(p, out, in_main);
    else {
        for (size_t i = 0; i < p->variables; i++)
            if (strcmp(p->variable[i].name, name) == 0)
                fputs(prefix(p, &p->variable[i], in_main), out);
        fputs(name, out);
    }
}

static void write_expanded(const program_t *p, FILE *out, const char *text, bool in_main)
{
    for (; *text != '\0'; text++) {
        if (*text != '$') {
            putc(*text, out);
            continue;
        }
        char name[NAME];
        size_t length = 0;
        while ((isalnum((unsigned char)text[1]) || text[1] == '_') && length + 1 < sizeof name)
            name[length++] = *++text;
        name[length] = '\0';
        write_name(p, out, name, in_main);
    }
}

/* The text with COUNTER in place of k; malloc. */
static char *with_counter(const char *text, const char *counter)
{
    char *result = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&result, &length);
    if (out == NULL)
        abort();
    while (*text != '\0') {
        size_t word = *text == '$';
        while (isalnum((unsigned char)text[word]) || text[word] == '_')
            word++;
        if (word == 1 && *text == 'k')
            fputs(counter, out);
        else
            fwrite(text, 1, word > 0 ? word : 1, out);
        text += word > 0 ? word : 1;
    }
    fclose(out);
    return result;
}

static void write_section(const program_t *p, FILE *out, section_t s, bool in_main)
{
    const char *counter = counter_in(p, s);
    char *text = with_counter(p->text[s], counter != NULL ? counter : "k");
    write_expanded(p, out, text, in_main);
    free(text);
}

/* Whether the section is in the function of the loop. */
static bool is_in_function(const program_t *p, section_t s)
{
    if (p->around == AROUND_CALL)
        return s == SETUP || s == LOOP_HEAD || s == LOOP;
    return p->loop_in_function && s >= SETUP && s <= AFTER;
}

/* -- the whole */

static void write_variables(const program_t *p, FILE *out, char part, const char *before)
{
    for (size_t i = 0; i < p->variables; i++)
        if (part == 0 || p->variable[i].part == part) {
            fputs(before, out);
            write_declarator(out, &p->variable[i]);
            fputs(";\n", out);
        }
}

static void write_types(const program_t *p, FILE *out)
{
    if (p->place == IN_FILE)
        write_variables(p, out, 0, "static ");
    if (p->place < IN_STRUCT)
        return;
    if (p->place == IN_NESTED_STRUCTS) {
        fputs("struct part {\n", out);
        write_variables(p, out, 'p', "    ");
        fputs("};\nstruct data {\n", out);
        write_variables(p, out, 'd', "    ");
        fputs("};\nstruct world {\n    struct part part;\n    struct data data;\n};\n", out);
    } else {
        fputs("struct world {\n", out);
        write_variables(p, out, 0, "    ");
        fputs("};\n", out);
    }
}

static void write_main(program_t *p, FILE *out)
{
    fputs("int main(int argc, char **argv)\n{\n", out);
    if (p->place == IN_MAIN)
        write_variables(p, out, 0, "    ");
    else if (p->place == IN_HEAP_STRUCT)
        fputs("    struct world *w = malloc(sizeof *w);\n", out);
    else if (p->place != IN_FILE)
        fputs("    struct world w;\n", out);
    write_expanded(p, out, p->text[START], true);
    for (section_t s = SETUP; s <= AFTER; s++) {
        if (!is_in_function(p, s))
            write_section(p, out, s, true);
        else if (s == (p->around == AROUND_CALL ? LOOP_HEAD : SETUP))
            write_expanded(p, out, "    iterate(0$ARGUMENTS);\n", true);
    }
    write_expanded(p, out, p->text[END], true);
    if (p->place == IN_HEAP_STRUCT)
        fputs("    free(w);\n", out);
    fputs("    MPI_Finalize();\n    return 0;\n}\n", out);
}

char *program_text(program_t *p)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        abort();
    for (int i = 0; i < SECTIONS; i++)
        fflush(p->stream[i]);
    fprintf(out, "/* seed %llu%s%s */\n", (unsigned long long)p->seed,
            p->wrong[0] != '\0' ? ", wrong turn: " : ", right", p->wrong);
    fputs("#include <math.h>\n#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
          "#include <string.h>\n\n",
          out);
    if (p->length[ELSEWHERE] > 0)
        fprintf(out, "#ifdef OTHER_FILE\n%s#else\n", p->text[ELSEWHERE]);
    write_expanded(p, out, p->text[HEAD], false);
    write_types(p, out);
    write_expanded(p, out, p->text[FUNCTIONS], false);
    if (p->loop_in_function) {
        write_expanded(p, out, "static void iterate(int from$PARAMETERS)\n{\n", false);
        for (section_t s = SETUP; s <= AFTER; s++)
            if (is_in_function(p, s))
                write_section(p, out, s, false);
        fputs("}\n\n", out);
    }
    write_main(p, out);
    if (p->length[ELSEWHERE] > 0)
        fputs("#endif\n", out);
    fclose(out);
    return text;
}

/* -- stages, which may be functions */

void stage_begin(program_t *p, bool pure)
{
    int stage = p->stages++;
    bool apart = p->place != IN_MAIN || pure;
    p->out = p->body;
    if (apart && chance(p, 35, "stage%d.function", stage)) {
        p->out = FUNCTIONS;
        say(p, FUNCTIONS, "static void stage%d(int k$PARAMETERS)\n{\n", stage);
        say(p, p->body, "        stage%d(k$ARGUMENTS);\n", stage);
    } else {
        say(p, p->body, "        {\n");
    }
}

void stage_end(program_t *p)
{
    say(p, p->out, p->out == FUNCTIONS ? "}\n\n" : "        }\n");
}

/* -- the loop around the stages */

static void begin_loop(program_t *p)
{
    int steps = 12 + (int)pick(p, 20, "loop.steps");
    steps = p->around != NOTHING ? steps / 2 + 2 : steps;
    const char *pragma = p->movable ? "#pragma xmpi loop movable" : "#pragma xmpi loop$STATE";
    say(p, HEAD, "#define STEPS %d\n", steps);
    if (p->place == IN_MAIN)
        say(p, LOOP_HEAD, "    int k;\n");
    else
        declare(p, 'd', "k", "int %s");
    switch (pick(p, 4, "loop.kind")) {
    case 0:
        say(p, LOOP_HEAD, "%s\n    for ($k = 0; $k < STEPS; $k++) {\n", pragma);
        break;
    case 1:
        say(p, LOOP_HEAD, "    $k = 0;\n%s\n    while ($k < STEPS) {\n", pragma);
        break;
    case 2:
        say(p, LOOP_HEAD, "    $k = 0;\n%s\n    do {\n", pragma);
        break;
    default:
        say(p, LOOP_HEAD, "%s\n    for (int k = 0; k < STEPS; k++) {\n", pragma);
    }
    if (pick(p, 4, "loop.kind") < 3 && p->place >= IN_STRUCT)
        say(p, LOOP_HEAD, "        int k = $k;\n");
}

static void end_loop(program_t *p)
{
    static const char *const ends[] = {"    }\n", "        $k++;\n    }\n",
                                       "        $k++;\n    } while ($k < STEPS);\n", "    }\n"};
    say(p, LOOP, "%s", ends[pick(p, 4, "loop.kind")]);
}

static void begin_main(program_t *p)
{
    declare(p, 'p', "rank", "int %s");
    declare(p, 'p', "size", "int %s");
    say(p, START, "    MPI_Init(&argc, &argv);\n");
    if (p->place != IN_MAIN && chance(p, 30, "start.identify")) {
        say(p, FUNCTIONS,
            "static void identify(int k$PARAMETERS)\n{\n    MPI_Comm_rank(MPI_COMM_WORLD, "
            "&$rank);\n"
            "    MPI_Comm_size(MPI_COMM_WORLD, &$size);\n}\n\n");
        say(p, START, "    identify(0$ARGUMENTS);\n");
    } else {
        say(p, START,
            "    MPI_Comm_rank(MPI_COMM_WORLD, &$rank);\n    MPI_Comm_size(MPI_COMM_WORLD, "
            "&$size);\n");
    }
}

static void choose_frame(program_t *p)
{
    p->place = (place_t)pick(p, 5, "place");
    p->loop_in_function = chance(p, 30, "loop.function");
    p->ring = chance(p, 30, "ring");
    p->rows = 13 + (int)pick(p, 28, "rows");
    p->columns = 2 + (int)pick(p, 4, "columns");
    p->movable = chance(p, 4, "movable");
    choose_around(p);
    p->swaps = p->place != IN_MAIN || !p->loop_in_function;
}

program_t *program_make(uint64_t seed, const char *force, int wrong)
{
    program_t *p = calloc(1, sizeof *p);
    if (p == NULL)
        abort();
    p->seed = seed;
    force_answers(p, force);
    for (int i = 0; i < SECTIONS; i++)
        if ((p->stream[i] = open_memstream(&p->text[i], &p->length[i])) == NULL)
            abort();
    p->body = LOOP;
    choose_frame(p);
    begin_main(p);
    make_range(p);
    begin_loop(p);
    make_work(p);
    make_around(p);
    if (wrong > 0 || (wrong < 0 && chance(p, 50, "wrong")))
        take_turn_around(p);
    else if (!p->movable && p->around == NOTHING && chance(p, 6, "stated"))
        name_state(p);
    end_loop(p);
    make_output(p);
    return p;
}

void program_free(program_t *p)
{
    for (int i = 0; i < SECTIONS; i++) {
        fclose(p->stream[i]);
        free(p->text[i]);
    }
    free(p);
}
