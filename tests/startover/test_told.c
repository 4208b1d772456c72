/* SPDX-License-Identifier: BSD-3-Clause
 * What a note tells to write for a loop whose state is not found. */
#define _GNU_SOURCE
#include <stdbool.h>

#include "startover/judged.h"

/* The clause in TEXT, with n for the number of rows; malloc, or NULL. */
static char *clause_in(const char *text)
{
    const char *begin = strstr(text, "state(rows("), *end = begin ? strstr(begin, ")' ") : NULL;
    end = begin != NULL && end == NULL ? strstr(begin, ")', ") : end;
    if (end == NULL)
        return NULL;
    char *clause = strndup(begin + strlen("state("), (size_t)(end - begin) - strlen("state("));
    for (char *at; (at = strstr(clause, "[rows]")) != NULL;)
        memmove(strcpy(at, "[n]") + 3, at + 6, strlen(at + 6) + 1);
    return clause;
}

/* What is made of rows at the same place in all blocks, or of the block of one process, is another
 * thing with another number of processes, also where all blocks are equal. */
static void what_goes_by_the_place_in_blocks_stays(void **state)
{
    (void)state;
    static const char equal[] = "count = n / size, first = rank * count; "
                                "double *x = calloc(count, sizeof *x); "
                                "u = calloc(count, sizeof *u);";
#define ADDED "for (int i = 0; i < count; i++) u[i] += x[i]; }"
    static const char *const bodies[] = {
        "{ MPI_Allreduce(u, x, count, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); " ADDED,
        "{ MPI_Scan(u, x, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); " ADDED,
        "{ for (int i = 0; i < count; i++) x[i] = u[i] + 1;"
        "MPI_Bcast(x, count, MPI_DOUBLE, 0, MPI_COMM_WORLD); " ADDED};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        const loop_t loop = {"", equal, "", STEPS, bodies[i], "", NULL, NULL};
        char *said = judge(&loop, NULL);
        if (strstr(said, "movable, not divisible: MPI_") == NULL)
            fail_msg("%zu: %s", i, said);
        free(said);
    }
}

/* Where a state is not found, what is to be written is, and is taken. */
static void what_to_write_is_told(void **state)
{
    (void)state;
    static const loop_t unknown[] = {
        {FOREIGN, TWO "double sum = 0;", "", STEPS,
         "{ add(count, x, y); sum += dot(y, count); double *z = x; x = y; y = z; }",
         "printf(\"%g %g\", sum, x[0]);", "sum", NULL},
        {"struct sim { double *v; double time; int calls; }; void work(struct sim *s);",
         "struct sim s = {u, 0, 0}, *p = &s;", "", STEPS, "work(p);",
         "printf(\"%g %d\", s.time, s.calls);", "time", NULL},
        {FOREIGN "struct cell { double x, v; };", "struct cell *c = calloc(count + 1, sizeof *c);",
         "", STEPS, "{ add(count, u, u); for (int i = 0; i < count; i++) c[i].v += u[i]; }",
         "printf(\"%g\", c[0].v);", "c[n] from first, count", NULL},
    };
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        char *said = judge(&unknown[i], NULL), *clause = clause_in(said), *then = NULL;
        if (clause == NULL || strstr(clause, unknown[i].said) == NULL)
            fail_msg("%zu:\n%s", i, said);
        then = judge(&unknown[i], clause);
        if (strstr(then, "refused") != NULL)
            fail_msg("state(%s):\n%s", clause, then);
        free(said);
        free(then);
        free(clause);
    }
}

/* What goes from one process to the next with its length looks like a buffer, and is none; parts of
 * a grid are no rows. */
static void what_no_clause_has_right_is_not_told(void **state)
{
    (void)state;
    static const loop_t loops[] = {
        {"",
         "int w = n / size + 1, k = count, got; double *x = calloc(w, sizeof *x),"
         " *y = calloc(w, sizeof *y), *z;",
         "", STEPS,
         "{ for (int i = 0; i < k; i++) u[0] += x[i];"
         " MPI_Sendrecv(&k, 1, MPI_INT, (rank + 1) % size, 1, &got, 1, MPI_INT,"
         " (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
         " MPI_Sendrecv(x, k, MPI_DOUBLE, (rank + 1) % size, 2, y, got, MPI_DOUBLE,"
         " (rank + size - 1) % size, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
         " z = x; x = y; y = z; k = got; }",
         "", NULL, NULL},
        {"", "int dims[2] = {0}; MPI_Dims_create(size, 2, dims); double *x = calloc(9, sizeof *x);",
         "", STEPS, "for (int i = 0; i < 9; i++) x[i] += rank + t;", "printf(\"%g\", x[0]);", NULL,
         NULL},
    };
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        char *said = judge(&loops[i], NULL), *clause = clause_in(said);
        if (clause != NULL || strstr(said, "movable") == NULL)
            fail_msg("%zu: %s", i, said);
        free(said);
    }
}

/* All processes have all rows, with a frame: which are the own ones is told by what is set there,
 * as long as it is these on all processes, and no others are looked at but those beside them. */
static void rows_among_all_are_told(void **state)
{
    (void)state;
    static const char arrays[] = "double *x = calloc(n + 2, sizeof *x), *z, "
                                 "*y = calloc(n + 2, sizeof *y); int i, low = first + 1;";
    static const struct {
        const char *body, *rows;
    } cases[] = {
        {"for (i = low; i < low + count; i++) y[i] = x[i - 1] + x[i + 1];",
         "x[n], y[n] from first, count at (first + 1) halo 1 : 1"},
        {"{ for (i = low + 1; i < low + count; i++) y[i] = x[i - 1] + x[i + 1];"
         " i = low; if (count > 0) for (int j = 0; j < 1; j++) y[i] = x[i - 1] + x[i + 1]; }",
         "x[n], y[n] from first, count at (first + 1) halo 1 : 1"},
        {"for (i = low; i < low + count; i++) y[i] = x[i] + 1;",
         "x[n], y[n] from first, count at (first + 1))"},
        /* others, on some processes, or in some iterations */
        {"for (i = low; i < low + count; i++) y[i - rank % 2] = x[i];", NULL},
        {"for (i = low; i < low + count; i++) y[i] = x[n + 1 - i];", NULL},
        {"{ for (i = low + 1; i < low + count; i++) y[i] = x[i - 1] + x[i + 1];"
         " i = low; if (t % 2) i = n + 1 - low; y[i] = x[i]; }",
         NULL},
        {"{ for (i = low + 1; i < low + count; i++) y[i] = x[i - 1] + x[i + 1];"
         " i = low; while (y[i] > 1) i++; y[i] = x[i]; }",
         NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *body = formatted("{ add(count, u, u); %s z = x; x = y; y = z; }", cases[i].body);
        const loop_t loop = {FOREIGN, arrays, "", STEPS, body, "printf(\"%g\", x[1]);", NULL, NULL};
        char *said = judge(&loop, NULL), *clause = clause_in(said);
        const char *told = clause != NULL ? clause : "";
        if (cases[i].rows != NULL ? strstr(told, cases[i].rows) == NULL
                                  : strstr(told, "x[n]") != NULL)
            fail_msg("%s:\n%s", body, said);
        free(clause);
        free(said);
        free(body);
    }
}

#define DRAWS                                                                                      \
    FOREIGN "static unsigned long seed; static double draw(void)"                                  \
            "{ seed = seed * 69069 + 1; return seed % 1000; }"
#define OF_ROWS "add(count, u, u);"
#define READ "printf(\"%g %g\", u[0], x[0]);"

/* What is in same(...) of the clause that a note tells, and what is said of the rest. */
static void what_may_differ_is_told_apart(void **state)
{
    (void)state;
    static const struct {
        loop_t loop;
        const char *same, *apart;
    } cases[] = {
        /* what follows the rank, and what is drawn from it */
        {{DRAWS, "double x[8]; seed = 7 + rank; for (int i = 0; i < 8; i++) x[i] = draw();", "",
          STEPS, "{ " OF_ROWS " for (int i = 0; i < 8; i++) if (draw() > 500) x[i] = draw(); }",
          READ, NULL, NULL},
         "same(t)",
         "'seed' is kept, too, and may differ on each process, and iterations go by it"},
        {{DRAWS, "double x[8]; seed = 7; for (int i = 0; i < 8; i++) x[i] = draw();", "", STEPS,
          "{ " OF_ROWS " for (int i = 0; i < 8; i++) if (draw() > 500) x[i] = draw(); }", READ,
          NULL, NULL},
         "same(t, seed, x)",
         NULL},
        /* the largest of the own rows, and where it is; the same of all */
        {{FOREIGN, "double x[2] = {0}; int at = 0;", "", STEPS,
          "{ " OF_ROWS " for (int i = 0; i < count; i++) if (u[i] > x[0]) x[0] = u[i], at = i; }",
          READ "printf(\"%d\", at);", NULL, NULL},
         "same(t)",
         "'at' is kept, too, and may differ on each process: own(...)"},
        {{FOREIGN, "double x[1] = {0}, most = 0;", "", STEPS,
          "{ " OF_ROWS " double mine = 0; for (int i = 0; i < count; i++) if (u[i] > mine) mine = "
          "u[i]; MPI_Allreduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); x[0] += most;"
          " }",
          READ, NULL, NULL},
         "same(t, x)",
         NULL},
        /* some processes return, or go on, earlier */
        {{FOREIGN "static void up(int k, double *x) { if (k > 2) return; *x += 1; }",
          "double x[1] = {0};", "", STEPS, "{ " OF_ROWS " up(rank, x); }", READ, NULL, NULL},
         "same(t)",
         "'x' is kept, too"},
        {{FOREIGN, "double x[1] = {0};", "", STEPS,
          "{ " OF_ROWS " for (int i = 0; i < n; i++) { if (i < first) continue; x[0] += i; } }",
          READ, NULL, NULL},
         "same(t)",
         "'x' is kept, too"},
        /* one element of many is the same */
        {{FOREIGN, "double x[4]; for (int i = 0; i < 4; i++) x[i] = rank;", "", STEPS,
          "{ " OF_ROWS " x[1] += 1; MPI_Bcast(x, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); }", READ, NULL,
          NULL},
         "same(t)",
         "'x' is kept, too"},
        /* structs of an array are named with it */
        {{FOREIGN "typedef struct { double a, b; } pair;",
          "pair w[4]; for (int i = 0; i < 4; i++) w[i].a = w[i].b = rank;", "", STEPS,
          "{ " OF_ROWS " for (int i = 0; i < 4; i++) w[i].a += w[i].b; }",
          "printf(\"%g\", w[0].a);", NULL, NULL},
         "same(t), ...)",
         "'w' is kept, too"},
        /* among some of the processes */
        {{FOREIGN,
          "MPI_Comm half; MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half); double x[1] = "
          "{0};",
          "", STEPS,
          "{ " OF_ROWS " double one = 1, all; MPI_Allreduce(&one, &all, 1, MPI_DOUBLE, MPI_SUM, "
          "half); x[0] += all; }",
          READ, NULL, NULL},
         "same(t)",
         "'x' is kept, too"},
        /* times, of a function of the program too, are no part of it */
        {{FOREIGN "static double now(void) { return MPI_Wtime(); }", "double x[1] = {0}, busy = 0;",
          "", STEPS, "{ double at = now(); " OF_ROWS " busy += now() - at; x[0] += 1; }",
          READ "printf(\"%g\", busy);", NULL, NULL},
         "same(t, x)",
         NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *said = judge(&cases[i].loop, NULL);
        const char *told = strstr(said, "#pragma xmpi loop state(");
        const char *apart =
            told != NULL ? strstr(told, cases[i].apart ? cases[i].apart : "kept, too") : NULL;
        if (told == NULL || strstr(told, cases[i].same) == NULL ||
            (cases[i].apart == NULL) != (apart == NULL) ||
            strstr(told, "what 'add' does, of another file, is not looked at") == NULL)
            fail_msg("%zu: %s", i, said);
        free(said);
    }
}

#define COUNTED                                                                                    \
    "typedef struct { long n; double v[4]; } tally; static void note(tally *s, double x)"          \
    "{ if (x > 3) s->n++; s->v[(int)x & 3] += x; }"
#define COUNTS "for (int i = 0; i < count; i++) note(&s, u[i]);"
#define ADDED_UP                                                                                   \
    "long all; double w[4]; MPI_Reduce(&s.n, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);"      \
    "MPI_Reduce(s.v, w, 4, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);"
#define TALLIES "double more = 0, squares = 0;"
#define TALLIED "for (int i = 0; i < count; i++) { more += u[i]; squares += u[i] * u[i]; }"
#define IN_ARRAY                                                                                   \
    "double l[2] = {more, squares}, g[2];"                                                         \
    "MPI_Reduce(l, g, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);"
#define IN "double *in = calloc(2, sizeof *in);"
#define RECEIVED "MPI_Recv(in, 2, MPI_DOUBLE, rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"

/* A sum of the rows that only rank 0 has, and a log of its own, as others have REST. */
#define LOG(rest)                                                                                  \
    "double part, whole = 0; FILE *log = " rest "; if (rank == 0) log = fopen(\"l\", \"w\");"
#define HITS                                                                                       \
    "for (int i = 0; i < count; i++) { u[i] += 1; if (u[i] > 3) hits++; }"                         \
    "MPI_Allreduce(&hits, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);"
#define REDUCED                                                                                    \
    "part = 0; for (int i = 0; i < count; i++) part += u[i];"                                      \
    "if (t % 3 == 0) MPI_Reduce(&part, &whole, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);"
#define ALL_HITS "MPI_Reduce(&hits, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);"
#define PRINTED "if (rank == 0) printf(\"%g\", whole);"

/* What is told of what a process has for itself, and of what it receives; else NULL. */
static void what_processes_keep_is_told_as_what_it_is(void **state)
{
    (void)state;
    static const struct {
        loop_t loop;
        const char *told, *never;
    } cases[] = {
        /* only added to, and only added up, in the loop, too; a sum that is kept is the same */
        {{FOREIGN COUNTED, "tally s = {0};", "", STEPS, "{ " OF_ROWS COUNTS " }", ADDED_UP, NULL,
          NULL},
         "own(s.n, s.v: +)",
         "kept, too"},
        {{FOREIGN COUNTED, "tally s = {0}; long sum = 0;", "", STEPS,
          "{ " OF_ROWS COUNTS " if (t % 5 == 0) { long now; MPI_Allreduce(&s.n, &now, 1, MPI_LONG,"
          "MPI_SUM, MPI_COMM_WORLD); sum += now; } }",
          ADDED_UP "printf(\"%ld\", sum);", NULL, NULL},
         "same(sum, t), own(s.n, s.v: +)",
         "kept, too"},
        /* also looked at otherwise; by another operation; for its value; set */
        {{FOREIGN COUNTED, "tally s = {0};", "", STEPS, "{ " OF_ROWS COUNTS " }",
          ADDED_UP "fprintf(stderr, \"%ld\", s.n);", NULL, NULL},
         "'s.n' is kept, too",
         "own(s.n"},
        {{FOREIGN COUNTED, "tally s = {0}; double w[4];", "", STEPS, "{ " OF_ROWS COUNTS " }",
          "MPI_Reduce(s.v, w, 4, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);", NULL, NULL},
         "state(",
         "s.v: +"},
        {{FOREIGN COUNTED, "tally s = {0};", "", STEPS,
          "{ " OF_ROWS COUNTS " for (int i = 0; i < count; i++) if (s.n++ > 9) u[i] = 0; }",
          ADDED_UP, NULL, NULL},
         "'s.n' is kept, too",
         "own(s.n"},
        {{FOREIGN COUNTED, "tally s = {0};", "", STEPS,
          "{ " OF_ROWS COUNTS " if (u[0] > 9) s.n = 0; }", ADDED_UP, NULL, NULL},
         "'s.n' is kept, too",
         "own(s.n"},
        /* by way of an array of them, which is looked at otherwise in the second */
        {{FOREIGN, TALLIES, "", STEPS, "{ " OF_ROWS TALLIED " }", IN_ARRAY, NULL, NULL},
         "own(more, squares: +)",
         "kept, too"},
        {{FOREIGN, TALLIES, "", STEPS, "{ " OF_ROWS TALLIED " }", IN_ARRAY "printf(\"%g\", l[0]);",
          NULL, NULL},
         "kept, too",
         "own(more"},
        /* what is open where an iteration begins */
        {{"#include <math.h>", "double part = 0, all = 0; MPI_Request open = MPI_REQUEST_NULL;", "",
          STEPS,
          "{ MPI_Wait(&open, MPI_STATUS_IGNORE); part = all + 1; MPI_Iallreduce(&part, &all, 1,"
          "MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &open);"
          "for (int i = 0; i < count; i++) u[i] += 1; }",
          "MPI_Wait(&open, MPI_STATUS_IGNORE);", NULL, NULL},
         "no state(...) can keep it",
         "loop state("},
        {{"#include <math.h>",
          "double edge[2] = {0}; MPI_Win open; MPI_Win_create(edge, sizeof edge, sizeof *edge,"
          "MPI_INFO_NULL, MPI_COMM_WORLD, &open);",
          "", STEPS,
          "{ MPI_Win_fence(0, open); if (rank > 0) MPI_Put(u, 1, MPI_DOUBLE, rank - 1, 1, 1,"
          "MPI_DOUBLE, open); MPI_Win_fence(0, open);"
          "for (int i = 0; i < count; i++) u[i] += edge[1]; }",
          "MPI_Win_free(&open);", NULL, NULL},
         "no state(...) can keep it",
         "loop state("},
        /* what is not rows */
        {{FOREIGN,
          "int ld = count + 2; double *x = calloc(60 * ld, sizeof *x), *y = calloc(60 * ld,"
          "sizeof *y);",
          "", STEPS,
          "{ " OF_ROWS "for (int j = 0; j < 60; j++) for (int i = 1; i <= count; i++)"
          "y[j * ld + i] = x[j * ld + i] + x[j * ld + i - 1]; double *z = x; x = y; y = z; }",
          "printf(\"%g\", x[1]);", NULL, NULL},
         "columns of 'x' are divided",
         "loop state("},
        /* filled in the iteration that reads it, where there is somebody who sends; in the one
         * before; in some */
        {{FOREIGN, IN, "", STEPS,
          "{ " OF_ROWS " if (rank > 0) " RECEIVED " if (rank > 0) u[0] += in[0]; }", "", NULL,
          NULL},
         "scratch(in))",
         "may be read"},
        {{FOREIGN, IN, "", STEPS, "{ " OF_ROWS " u[0] += in[0]; " RECEIVED " }", "", NULL, NULL},
         "'in' may be read before an iteration fills it",
         "scratch(in))"},
        {{FOREIGN, IN, "", STEPS, "{ " OF_ROWS " if (t % 2 == 0) " RECEIVED " u[0] += in[0]; }", "",
          NULL, NULL},
         "'in' may be read before an iteration fills it",
         "scratch(in))"},
        /* the same everywhere, of a length that is not known */
        {{FOREIGN "int most(void);", "double *x = calloc(most(), sizeof *x);", "", STEPS,
          "{ " OF_ROWS " for (int i = 0; i < n / 7; i++) x[i] += t; }", "printf(\"%g\", x[0]);",
          NULL, NULL},
         "same(t, x[elements])",
         "x[rows]"},
        /* where all of it is found */
        {{"", "long hits = 0, all;", "", STEPS,
          "{ for (int i = 0; i < count; i++) { u[i] += 1; if (u[i] > 3) hits++; }"
          "MPI_Allreduce(&hits, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);"
          "for (int i = 0; i < count; i++) u[i] += all; }",
          "MPI_Reduce(&hits, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);", NULL, NULL},
         "own(hits: +))' says the same",
         "movable, not"},
        /* what rank 0 alone has, and prints: also where a stream tells that it is that; what others
         * go by, too */
        {{"#include <math.h>", "long hits = 0, all; " LOG("NULL"), "", STEPS,
          "{ " HITS REDUCED "if (log) fprintf(log, \"%g\", whole); }", ALL_HITS PRINTED, NULL,
          NULL},
         "own(hits: +), root(whole))' says the same",
         "movable, not"},
        {{"#include <math.h>", "long hits = 0, all; " LOG("stdout"), "", STEPS,
          "{ " HITS REDUCED "if (log) fprintf(log, \"%g\", whole); }", ALL_HITS PRINTED, NULL,
          NULL},
         "movable, not",
         "root("},
        {{"#include <math.h>", "long hits = 0, all; " LOG("NULL"), "", STEPS,
          "{ " HITS REDUCED "for (int i = 0; i < count; i++) u[i] += whole; }", ALL_HITS PRINTED,
          NULL, NULL},
         "movable, not",
         "root("},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *said = judge(&cases[i].loop, NULL);
        if (strstr(said, cases[i].told) == NULL || strstr(said, cases[i].never) != NULL)
            fail_msg("%zu: %s", i, said);
        free(said);
    }
}

#define GHOSTS                                                                                     \
    "MPI_Recv(&y[0], 1, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, "                 \
    "MPI_STATUS_IGNORE);"
#define AROUND                                                                                     \
    "static int own, most; static double *mine, *visit, *arrive;"                                  \
    "static void around(int size) { memcpy(visit, mine, own * sizeof *mine);"                      \
    "for (int s = 0; s < size; s++) { MPI_Sendrecv(visit, most, MPI_DOUBLE, s, 0, arrive, most,"   \
    "MPI_DOUBLE, s, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); for (int i = 0; i < own; i++)"          \
    "mine[i] += visit[i]; double *t = visit; visit = arrive; arrive = t; } }"
#define MOST "own = count; most = (n + size - 1) / size;"

/* How many rows there are, and where the own ones lie, by sizes and by what the loop does; what is
 * told is taken. */
static void rows_are_told_in_full(void **state)
{
    (void)state;
    static const struct {
        loop_t loop;
        const char *told, *never, *also; /* ALSO: to be added by whoever knows */
    } cases[] = {
        /* one more, in front of the own ones */
        {{FOREIGN, TWO, "", STEPS,
          "{ " OF_ROWS GHOSTS "for (int i = 1; i <= count; i++) y[i] = x[i - 1] + x[i];"
          "double *z = x; x = y; y = z; }",
          "printf(\"%g\", x[1]);", NULL, NULL},
         "x[n], y[n] from first, count at 1 halo 1 : 0)",
         "[rows] from",
         ""},
        /* iterations leave edges of both, which change places */
        {{FOREIGN,
          "int m = 7; double *x = calloc((count + 2) * m, sizeof *x), *y = calloc((count + 2) * m,"
          "sizeof *y);",
          "", STEPS,
          "{ " OF_ROWS "for (int i = 1; i <= count; i++) for (int j = 1; j < m - 1; j++)"
          "y[i * m + j] = x[(i - 1) * m + j] + x[i * m + j] + x[(i + 1) * m + j];"
          "double *z = x; x = y; y = z; }",
          "printf(\"%g\", x[1]);", NULL, NULL},
         "x[n][m], u[n], y[n][m] from first, count at 1 halo 1)",
         "[rows] from",
         ""},
        /* behind them, as many as there happen to be */
        {{FOREIGN "int ghosts(int n);",
          "int more = 0; for (int i = 0; i < count; i++) more += (first + i) * 7 % 3 == 0;"
          "double *x = calloc(count + more, sizeof *x);",
          "", STEPS,
          "{ " OF_ROWS "for (int i = 0; i < count; i++) x[i] += u[i];"
          "for (int i = 0; i < more; i++) x[count + i] = x[0]; }",
          "printf(\"%g\", x[0]);", NULL, NULL},
         "x[n] from first, count)",
         "[rows] from",
         ""},
        /* each of them from malloc */
        {{FOREIGN,
          "double **x = malloc((count + 1) * sizeof *x);"
          "for (int i = 0; i < count; i++) x[i] = calloc(n + 1, sizeof **x);",
          "", STEPS,
          "{ " OF_ROWS "for (int i = 0; i < count; i++) for (int j = t; j <= n; j++)"
          "x[i][j] += u[i]; }",
          "printf(\"%g\", x[0][0]);", NULL, NULL},
         "x[n][41] from first, count)",
         "[rows] from",
         ""},
        /* parts of one piece of memory */
        {{FOREIGN,
          "double *x[3], *all = calloc(3 * (count + 4) * 8, sizeof *all);"
          "for (int l = 0; l < 3; l++) x[l] = all + l * (count + 4) * 8;",
          "", STEPS,
          "{ " OF_ROWS "double *a = x[t % 3], *b = x[(t + 1) % 3]; for (int i = 16;"
          "i < 8 * count + 16; i++) b[i] = a[i - 16] + a[i + 16]; }",
          "printf(\"%g\", x[0][0]);", NULL, NULL},
         "rows((x[0])[n][8], (x[1])[n][8], (x[2])[n][8] from first, count at 2 halo 2)",
         "[rows] from",
         ""},
        /* as many as the largest block has; others go around */
        {{"#include <string.h>\n" FOREIGN AROUND,
          MOST "mine = calloc(most, sizeof *mine); visit = calloc(most, sizeof *mine);"
               "arrive = calloc(most, sizeof *mine); around(size);",
          "", STEPS, "{ " OF_ROWS "for (int i = 0; i < count; i++) mine[i] += 1; around(size); }",
          "printf(\"%g\", mine[0]);", NULL, NULL},
         "add scratch(visit)",
         "[rows] from",
         ", scratch(visit)"},
        /* what each has counted is added up, also where all have counted as many; what a block of
         * the start calls its own has no name */
        {{FOREIGN,
          "long tried = 0, all; unsigned seed = 1; for (int i = 0; i < 3; i++) { struct { int s; }"
          "one = {i}; seed += one.s; }",
          "", STEPS, "{ " OF_ROWS "for (int i = 0; i < 9; i++) tried++; }",
          "MPI_Reduce(&tried, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);", NULL, NULL},
         "same(t), own(tried: +))",
         "one.s",
         ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *said = judge(&cases[i].loop, NULL), *clause = clause_in(said), *all = NULL;
        if (strstr(said, cases[i].told) == NULL || strstr(said, cases[i].never) != NULL ||
            clause == NULL)
            fail_msg("%zu: %s", i, said);
        free(said);
        assert_true(asprintf(&all, "%s%s", clause, cases[i].also) >= 0);
        said = judge(&cases[i].loop, all);
        if (strstr(said, "refused") != NULL)
            fail_msg("%zu: state(%s):\n%s", i, all, said);
        free(said);
        free(all);
        free(clause);
    }
}

/* What tables of pointers lead to is named once, and as it can be given to others; what only
 * members of several structs lead to has no name, wherever it is made. */
static void what_pointers_lead_to_is_told(void **state)
{
    (void)state;
#define BLOCK "double *b = calloc((size_t)count * 3, sizeof *b), **a = malloc(count * sizeof *a);"
#define PAIR(p, q)                                                                                 \
    "for (int i = 0; i < count; i++) for (int j = 0; j < 3; j++) " p "[j] = u[i] + " q "[j];"
    static const struct {
        loop_t loop;
        const char *told, *never, *right;
    } cases[] = {
        {{FOREIGN, BLOCK "for (int i = 0; i < count; i++) a[i] = b + 3 * i;", "", STEPS,
          "{ " OF_ROWS PAIR("a[i]", "a[i]") " }", "printf(\"%g\", b[0]);", NULL, NULL},
         "state(rows(a[n][3] from first, count), rows(u[n] from first, count at 1 halo 1), "
         "same(t))",
         "b[",
         NULL},
        {{FOREIGN "static double ***cube(int k, int j) { double ***a = malloc(k * sizeof *a);"
                  "a[0] = malloc(k * j * sizeof **a); a[0][0] = calloc(k * j * 3, sizeof ***a);"
                  "for (int i = 0; i < k; i++) { a[i] = a[0] + i * j; for (int l = 0; l < j; l++) "
                  "a[i][l] = a[0][0] + (i * j + l) * 3; } return a; }",
          "double ***a = cube(count + 2, n);", "", STEPS,
          "{ " OF_ROWS PAIR("a[i + 1][0]", "a[i + 1][1]") " }", "", NULL, NULL},
         "rows((a[0][0])[n][elements], u[n] from first, count at 1 halo 1)",
         "memory",
         "rows(u[n] from first, count), rows((a[0][0])[n][3 * n] from first, count at 1 halo 1), "
         "same(t)"},
        {{FOREIGN "struct level { double *v; }; static struct level l[4];",
          "for (int k = 0; k < 4; k++) l[k].v = calloc(count + 1, sizeof(double));", "", STEPS,
          "{ " OF_ROWS "for (int k = n % 3; k > 0; k /= 2) for (int i = 0; i < count; i++) "
          "l[k].v[i] += l[k - 1].v[i] + u[i]; }",
          "printf(\"%g\", l[2].v[0]);", NULL, NULL},
         "has a name for memory made in line 21: let pointers that it can name (u, or u[0] and "
         "u[1]), instead of members of several structs (l[0].u and l[1].u), lead to it",
         "before the loop",
         NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *said = judge(&cases[i].loop, NULL);
        if (strstr(said, cases[i].told) == NULL || strstr(said, cases[i].never) != NULL)
            fail_msg("%zu: %s", i, said);
        free(said);
        said = cases[i].right != NULL ? judge(&cases[i].loop, cases[i].right) : NULL;
        if (said != NULL && strstr(said, "refused") != NULL)
            fail_msg("%zu: state(%s):\n%s", i, cases[i].right, said);
        free(said);
    }
}

/* Words from TEXT to the end of its line, but those that are quoted. */
static int words_of(const char *text)
{
    int words = 0;
    bool quoted = false;
    for (const char *at = text; *at != '\0' && *at != '\n'; at++) {
        quoted = quoted != (*at == '\'');
        words += !quoted && *at == ' ';
    }
    return words;
}

static void a_note_is_one_short_line(void **state)
{
    (void)state;
    static const loop_t loop = {DRAWS COUNTED,
                                IN "double x[8]; tally s = {0}; seed = rank;",
                                "",
                                STEPS,
                                "{ " OF_ROWS COUNTS " u[0] += in[0]; x[t % 8] += draw(); " RECEIVED
                                " }",
                                ADDED_UP READ,
                                NULL,
                                NULL};
    char *said = judge(&loop, NULL);
    int notes = 0;
    for (const char *at = said; (at = strstr(at, "note: ")) != NULL; at++, notes++)
        if (words_of(at) > 40)
            fail_msg("%d words: %s", words_of(at), at);
    assert_true(notes > 3);
    free(said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_to_write_is_told),
                                       cmocka_unit_test(what_no_clause_has_right_is_not_told),
                                       cmocka_unit_test(what_goes_by_the_place_in_blocks_stays),
                                       cmocka_unit_test(rows_among_all_are_told),
                                       cmocka_unit_test(what_may_differ_is_told_apart),
                                       cmocka_unit_test(what_processes_keep_is_told_as_what_it_is),
                                       cmocka_unit_test(rows_are_told_in_full),
                                       cmocka_unit_test(what_pointers_lead_to_is_told),
                                       cmocka_unit_test(a_note_is_one_short_line)};
    cmocka_set_test_filter(getenv("TEST"));
    machine_invent();
    return cmocka_run_group_tests(tests, setup, teardown);
}
