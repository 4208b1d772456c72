/* SPDX-License-Identifier: BSD-3-Clause
 * Clauses of state(...) that leave out what the loop changes, or may change, and reads again: they
 * are refused with the words to add, and are taken with them. */
#define _GNU_SOURCE
#include "startover/judged.h"

#define TALLY                                                                                      \
    "typedef struct { long n; } tally; static void clear(tally *s) { s->n = 0; }"                  \
    "static void add(tally *s) { s->n++; } static long told(const tally *s) { return s->n; }"
/* Two arrays of rows, and what is done with either; of other files too. */
#define ADD                                                                                        \
    "static void add(int m, const double *x, double *y)"                                           \
    "{ for (int i = 0; i < m; i++) y[i] += 0.1 * x[i]; }"
#define SET                                                                                        \
    "static void set(int m, const double *x, double *y)"                                           \
    "{ for (int i = 0; i < m; i++) y[i] = 0.1 * x[i]; }"
#define ONE_OF_TWO "rows(u[n] from first, count), same(t)"
#define BOTH "rows(u[n], x[n] from first, count), same(t)"

static const loop_t loops[] = {
    /* the counter, which is also of the loop's head */
    {"", "", "rows(u[n] from first, count)", "for (int s = 0; s < n; s++)", "u[0] += 1;", "",
     "add same(s)", "rows(u[n] from first, count), same(s)"},
    /* broadcast by one that has it of the iteration before, or that has just set it */
    {"", "int s = 1;", "rows(u[n] from first, count)", "while (s < n)",
     "{ MPI_Bcast(&s, 1, MPI_INT, 0, MPI_COMM_WORLD); u[0] += s; s *= 2; }", "",
     "'s' (changed in line", "rows(u[n] from first, count), same(s)"},
    {"", "int k = 1;", "rows(u[n] from first, count), same(t)", STEPS,
     "{ MPI_Bcast(&k, 1, MPI_INT, 0, MPI_COMM_WORLD); u[0] += k; if (rank == 0) k++; }", "",
     "'k' (changed in line", "rows(u[n] from first, count), same(t), root(k)"},
    {"", "int k;", "rows(u[n] from first, count), same(t)", STEPS,
     "{ if (rank == 0) k = t * t; MPI_Bcast(&k, 1, MPI_INT, 0, MPI_COMM_WORLD); u[0] += k; }", "",
     NULL, NULL},
    {"", "double s, all;", "rows(u[n] from first, count), same(t)", STEPS,
     "{ s = dot(u, count); MPI_Reduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);"
     "MPI_Bcast(&all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); u[0] += all; }",
     "", NULL, NULL},
    {"", "double row;", "rows(u[n] from first, count), same(t)", STEPS,
     "{ int o = ((t + 1) * size - 1) / n; if (rank == o) row = u[t - first];"
     "MPI_Bcast(&row, 1, MPI_DOUBLE, o, MPI_COMM_WORLD);"
     "for (int i = 0; i < count; i++) u[i] += row; }",
     "", NULL, NULL},
    {"", "int k = 1;", "rows(u[n] from first, count), same(t)", STEPS,
     "{ if (rank == 0) if (t % 2) k = t; MPI_Bcast(&k, 1, MPI_INT, 0, MPI_COMM_WORLD); u[0] += k; "
     "}",
     "", "'k' (changed in line", "rows(u[n] from first, count), same(t), root(k)"},
    /* counted in the condition, in the body, in a function, by a pointer */
    {"", "int s = 0;", "rows(u[n] from first, count)", "while (s++ < n)", "u[0] += 1;", "",
     "add same(s)", "rows(u[n] from first, count), same(s)"},
    {"", "int s = 0;", "rows(u[n] from first, count)", "do", "{ u[0] += 1; s++; }",
     "while (s < n);", "add same(s)", "rows(u[n] from first, count), same(s)"},
    {"static int s; static void on(void) { s++; }", "", "rows(u[n] from first, count)",
     "while (s < n)", "{ u[0] += 1; on(); }", "", "add same(s)",
     "rows(u[n] from first, count), same(s)"},
    {"static void on(int *k) { ++*k; }", "int s = 0;", "rows(u[n] from first, count)",
     "while (s < n)", "{ u[0] += 1; on(&s); }", "", "add same(s)",
     "rows(u[n] from first, count), same(s)"},
    /* a value of the iteration before; several; those that only what follows reads */
    {"", "int s; double rr = 1, now;", "rows(u[n] from first, count), same(s)",
     "for (s = 0; s < n; s++)", "{ now = dot(u, count); u[0] += now / rr; rr = now; }", "",
     "'rr' is changed by the loop and read again", "rows(u[n] from first, count), same(s, rr)"},
    {"", "int s; double t = 0, rr = 1;", "rows(u[n] from first, count)", "for (s = 0; s < n; s++)",
     "{ u[0] += t / rr; t += 0.1; rr *= 2; }", "", "are changed by the loop and read again",
     "rows(u[n] from first, count), same(s, t, rr)"},
    {"", "int s; double most = 0;", "rows(u[n] from first, count), same(s)",
     "for (s = 0; s < n; s++)", "if (dot(u, count) > 3) most = s;", "u[0] = most;",
     "add same(most)", "rows(u[n] from first, count), same(s, most)"},
    /* a handle that one iteration makes and others use, by a mark that is kept, or is not; one that
     * is asked itself; where a pointer goes on */
    {"", "MPI_Comm c; int made = 0;", "rows(u[n] from first, count), same(t, made)", STEPS,
     "{ if (!made) MPI_Comm_dup(MPI_COMM_WORLD, &c); made = 1; MPI_Barrier(c); u[0] += 1; }", "",
     "make c before the loop", "rows(u[n] from first, count), same(t), scratch(made)"},
    {"", "MPI_Request q[2];", "rows(u[n] from first, count), same(t)", STEPS,
     "{ if (t == 0) { MPI_Send_init(u, 1, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, q);"
     "MPI_Recv_init(u + count, 1, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, q + 1); }"
     "MPI_Startall(2, q); MPI_Waitall(2, q, MPI_STATUSES_IGNORE); u[0] += 1; }",
     "", "make q before the loop", NULL},
    {"", "MPI_Comm c = MPI_COMM_NULL;", "rows(u[n] from first, count), same(t)", STEPS,
     "{ if (c == MPI_COMM_NULL) MPI_Comm_dup(MPI_COMM_WORLD, &c); MPI_Barrier(c); u[0] += 1; }", "",
     NULL, NULL},
    {"", "double *snap = calloc(40 * count, sizeof *snap), *here = snap;",
     "rows(u[n], snap[n][40] from first, count), same(t)", STEPS,
     "{ for (int i = 0; i < count; i++) here[i] = u[i] += 1; here += count; }",
     "printf(\"%g\", snap[0]);", "let here lead to memory", NULL},
    /* members of structs, behind pointers too */
    {"struct sim { double t; int s; };", "struct sim w = {0, 0};",
     "rows(u[n] from first, count), same(w.s)", "for (w.s = 0; w.s < n; w.s++)",
     "{ u[0] += w.t; w.t += 0.1; }", "", "add same(w.t)",
     "rows(u[n] from first, count), same(w.s, w.t)"},
    {"struct sim { double t; int s; };", "struct sim w = {0, 0}, *p = &w;",
     "rows(u[n] from first, count), same(p->s)", "for (p->s = 0; p->s < n; p->s++)",
     "{ u[0] += p->t; p->t += 0.1; }", "", "add same(", "rows(u[n] from first, count), same(w)"},
    /* the only struct, which a helper alone touches */
    {TALLY, "tally s = {0};", "rows(u[n] from first, count), same(t)", STEPS,
     "{ u[0] += told(&s); add(&s); }", "", "add same(s.n), if all processes have the same there",
     "rows(u[n] from first, count), same(t, s.n)"},
    {TALLY, "tally s = {0};", "rows(u[n] from first, count), same(t)", STEPS,
     "{ u[0] += told(&s); add(&s); }", "", "'s.n' is changed",
     "rows(u[n] from first, count), same(t, s)"},
    /* one struct of several, by a pointer; each that the pointer may lead to */
    {TALLY, "tally s = {0}, g;", "rows(u[n] from first, count), same(t)", STEPS,
     "{ u[0] += 1; add(&s); }", "MPI_Reduce(&s.n, &g.n, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);",
     "'s.n' is changed by the loop and read again", "rows(u[n] from first, count), same(t, s.n)"},
    {TALLY, "tally s, g; clear(&s); clear(&g);", "rows(u[n] from first, count), same(t, g)", STEPS,
     "{ u[0] += 1; add(&s); add(&g); }", "u[0] += told(&s) + told(&g);",
     "'s.n' is changed by the loop and read again",
     "rows(u[n] from first, count), same(t, s.n, g.n)"},
    {"struct grid { double *v; int step; }; static void on(struct grid *g)"
     "{ g->v[0] += g->step++; }",
     "struct grid a = {u}, b = {calloc(count + 1, sizeof *u)};",
     "rows((a.v)[n], (b.v)[n] from first, count), same(a.step)", "while (a.step < n)",
     "{ on(&a); on(&b); }", "", "add same(b.step)",
     "rows((a.v)[n], (b.v)[n] from first, count), same(a.step, b.step)"},
    {TALLY, "tally s = {0}, g = {0}, *p = n > 3 ? &s : &g;",
     "rows(u[n] from first, count), same(t)", STEPS, "{ u[0] += 1; add(p); }",
     "u[0] += told(&s) + told(&g);", "'s.n' and 'g.n' are changed",
     "rows(u[n] from first, count), same(t, s, g)"},
    {TALLY, "tally *s = calloc(1, sizeof *s), g = {3};", "rows(u[n] from first, count), same(t)",
     STEPS, "{ u[0] += 1 + told(&g); add(s); }", "u[0] += told(s);", "add same(s->n)",
     "rows(u[n] from first, count), same(t, s->n)"},
    {TALLY, "static tally s, g = {3};", "rows(u[n] from first, count), same(t)", STEPS,
     "{ tally o = s; add(&o); s = o; u[0] += told(&g); }", "u[0] += told(&s);", "add same(s), if",
     "rows(u[n] from first, count), same(t, s)"},
    /* structs one behind another, which a helper changes, beside others of the type */
    {"struct cell { double p, w; }; static void on(struct cell *c) { c->p += 1; c->w += c->p; }",
     "struct cell *a = calloc(count + 1, sizeof *a), *b = calloc(count + 1, sizeof *b);",
     "rows(u[n], b[n] from first, count), same(t)", STEPS,
     "for (int i = 0; i < count; i++) { on(&a[i]); u[i] += a[i].w + b[i].w; }", "",
     "add a to rows(", "rows(u[n], a[n], b[n] from first, count), same(t)"},
    /* a second array, of rows or of each process, and a sum of each process */
    {"", "double *v = calloc(count + 1, sizeof *v);", "rows(u[n] from first, count), same(s)",
     "for (int s = 0; s < n; s++)", "for (int i = 0; i < count; i++) { v[i] += s; u[i] += v[i]; }",
     "", "'v' is changed", "rows(u[n], v[n] from first, count), same(s)"},
    {"", "long hist[8] = {0}, all[8];", "rows(u[n] from first, count), same(s)",
     "for (int s = 0; s < n; s++)",
     "for (int i = 0; i < count; i++) { u[i] *= 0.9; hist[(int)u[i] & 7]++; }",
     "MPI_Reduce(hist, all, 8, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);", "add own(hist: +)",
     "rows(u[n] from first, count), same(s), own(hist: +)"},
    {"", "double low = 9, all;", "rows(u[n] from first, count), same(s)",
     "for (int s = 0; s < n; s++)", "for (int i = 0; i < count; i++) if (u[i] < low) low = u[i];",
     "MPI_Reduce(&low, &all, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);", "add own(low: min) (",
     "rows(u[n] from first, count), same(s), own(low: min)"},
    {"", "double h[100] = {0};", "rows(u[n] from first, count), same(s)",
     "for (int s = 0; s < n; s++)", "h[s % 100] = dot(u, count);",
     "for (int i = 0; i < 100; i++) u[0] += h[i];", "'h' is changed",
     "rows(u[n] from first, count), same(s, h)"},
    /* the counter of a loop around the adaptive one */
    {"", "for (int e = 0; e < 3; e++)", "rows(u[n] from first, count), same(s)",
     "for (int s = 0; s < n; s++)", "u[0] += e;", "", "add same(e)",
     "rows(u[n] from first, count), same(s, e)"},
    /* A helper does with each argument what it does: the one that is named says nothing of others.
     */
    {ADD, TWO, ONE_OF_TWO, STEPS, "{ add(count, u, x); add(count, u, u); }", "u[0] += x[0];",
     "'x' (changed in line", BOTH},
    {ADD SET, TWO, ONE_OF_TWO, STEPS, "{ set(count, u, x); add(count, y, x); set(count, x, u); }",
     "", NULL, NULL},
    {"typedef struct { double *d; int n; } vec; static void add(const vec *x, vec *y)"
     "{ for (int i = 0; i < x->n; i++) y->d[i] += 0.1 * x->d[i]; }",
     TWO "vec U = {u, count}, X = {x, count};", "rows(U.d[n] from first, count), same(t)", STEPS,
     "{ add(&U, &X); add(&U, &U); }", "u[0] += x[0];", "'x' (changed in line",
     "rows(U.d[n], X.d[n] from first, count), same(t)"},
    {"static void tick(long *c) { *c += 1; }", "long one = 0, other = 0;",
     "rows(u[n] from first, count), same(t, one)", STEPS, "{ tick(&one); tick(&other); }",
     "u[0] += one + other;", "add same(other), if",
     "rows(u[n] from first, count), same(t, one, other)"},
    /* by a pointer to a function, from a table too */
    {ADD "static void (*how)(int, const double *, double *) = add;", TWO, ONE_OF_TWO, STEPS,
     "how(count, u, x);", "u[0] += x[0];", "'x' (changed in line", BOTH},
    {ADD SET "static void (*const how[])(int, const double *, double *) = {set, add};", TWO,
     ONE_OF_TWO, STEPS, "{ how[t & 1](count, u, x); add(count, x, u); }", "",
     "'x' (changed in line", BOTH},
    {SET "static void (*const how[])(int, const double *, double *) = {set, set};", TWO, ONE_OF_TWO,
     STEPS, "{ how[t & 1](count, u, x); set(count, x, u); }", "", NULL, NULL},
    /* in a table of pointers; three levels of which each is needed twice; two of which is not */
    {"", TWO "double *both[] = {x, u};", ONE_OF_TWO, STEPS,
     "for (int l = 0; l < 2; l++) for (int i = 0; i < count; i++) both[l][i] += u[i];",
     "u[0] += x[0];", "'x' (changed in line", BOTH},
    {"", TWO "double *z;", ONE_OF_TWO, STEPS,
     "{ for (int i = 0; i < count; i++) y[i] = 2 * u[i] - x[i]; z = x; x = u; u = y; y = z; }", "",
     "'x' (changed in line", BOTH},
    {"", TWO "double *z;", ONE_OF_TWO, STEPS,
     "{ for (int i = 0; i < count; i++) y[i] = 2 * u[i] - x[i]; z = u; u = y; y = z; }", "", NULL,
     NULL},
    {"", "double *v[2]; for (int l = 0; l < 2; l++) v[l] = calloc(count + 1, sizeof *u);",
     "rows((v[0])[n] from first, count), same(t)", STEPS,
     "for (int i = 0; i < count; i++) { v[1][i] += v[0][i] + u[i]; v[0][i] += v[1][i]; }", "",
     "(changed in line", "rows((v[0])[n], (v[1])[n] from first, count), same(t)"},
    /* from a function that allocates; from one that nobody sees */
    {ADD "static void *take(size_t n) { return calloc(n, 8); }",
     "double *x = take(count + 1), *y = take(count + 1), *z = take(count + 1);",
     "rows(u[n], y[n] from first, count), same(t)", STEPS,
     "{ add(count, z, x); add(count, x, y); }", "", "'x' (changed in line",
     "rows(u[n], x[n], y[n] from first, count), same(t)"},
    {FOREIGN, "double *x = made(count), *y = made(count);", "rows(y[n] from first, count), same(t)",
     STEPS, "for (int i = 0; i < count; i++) { x[i] += u[i]; y[i] += x[i]; }", "",
     "'x' (changed in line", "rows(x[n], y[n] from first, count), same(t)"},
    /* what functions of other files may change and read, and what they only read */
    {FOREIGN, TWO, ONE_OF_TWO, STEPS, "{ add(count, u, x); add(count, y, u); }", "u[0] += x[0];",
     "'x' (changed in line", BOTH},
    {"void other(int *);", "int k = 0;", "rows(u[n] from first, count), same(s)",
     "for (int s = 0; s < n; s++)", "{ other(&k); u[0] += k; }", "", "add same(k), if",
     "rows(u[n] from first, count), same(s), scratch(k)"},
    /* state that only a helper sees */
    {"static double next(void) { static int calls; return ++calls % 16; }", "", ONE_OF_TWO, STEPS,
     "u[0] += next();", "", "declare calls where the loop sees it", NULL},
    {"static int calls; static double next(void) { return ++calls % 16; }", "",
     "rows(u[n] from first, count), same(t, calls)", STEPS, "u[0] += next();", "", NULL, NULL},
    /* that what a helper allocates first is kept in; what one function allocates is not one thing
     */
    {"static void *take(size_t n) { return malloc(n); } static void add(double *a, int m)"
     "{ static double *buf; static int room; if (room < m) { room = m; buf = take(m * sizeof "
     "*buf); }"
     "for (int i = 0; i < m; i++) buf[i] = a[i]; for (int i = 0; i < m; i++) a[i] += buf[i]; }",
     "long *id = take(count * sizeof *id); int *at = take(count * sizeof *at);", ONE_OF_TWO, STEPS,
     "{ add(u, count); u[at[0] % count] += id[0]; }", "",
     "declare buf and room where the loop sees it, and name them", NULL},
    /* Arrays that the start has carved out of one piece of memory: by a sum, an address, an arena;
     * rows that pointers lead to. */
    {"", "double *p = calloc(2 * count + 2, sizeof *p), *v = p + count + 1;",
     "rows(u[n], p[n] from first, count), same(t)", STEPS,
     "for (int i = 0; i < count; i++) { v[i] += u[i]; p[i] += v[i]; }", "", "'v' (changed in line",
     "rows(u[n], p[n], v[n] from first, count), same(t)"},
    {"struct part { double *p, *v; };",
     "double *m = calloc(2 * count + 2, sizeof *m); struct part s; s.p = m; s.v = &m[count];",
     "rows(u[n], s.p[n] from first, count), same(t)", STEPS,
     "for (int i = 0; i < count; i++) { s.v[i] += u[i]; s.p[i] += s.v[i]; }", "",
     "'s.v' (changed in line", "rows(u[n], s.p[n], s.v[n] from first, count), same(t)"},
    {"static double arena[1000], *end = arena; static double *take(int m)"
     "{ double *here = end; end += m; return here; }",
     "double *p = take(count), *v = take(count);", "rows(u[n], p[n] from first, count), same(t)",
     STEPS, "for (int i = 0; i < count; i++) { v[i] += u[i]; p[i] += v[i]; }", "",
     "'v' (changed in line", "rows(u[n], p[n], v[n] from first, count), same(t)"},
    {"",
     "double *p = calloc(2 * count + 2, sizeof *p), **r = malloc((count + 1) * sizeof *r);"
     "for (int i = 0; i < count; i++) r[i] = p + 2 * i;",
     "rows(u[n], r[n][2] from first, count), same(t)", STEPS,
     "for (int i = 0; i < count; i++) { r[i][1] += u[i]; p[2 * i] += r[i][1]; u[i] += p[2 * i]; }",
     "", NULL, NULL},
    /* Memory that iterations make: kept in a list; as the new rows; of one iteration. */
    {"struct node { double v; struct node *next; };", "struct node *head = NULL;",
     "rows(u[n] from first, count), same(t)", STEPS,
     "{ struct node *one = malloc(sizeof *one); one->v = t; one->next = head; head = one;"
     " u[0] += 1; }",
     "for (; head != NULL; head = head->next) u[0] += head->v;",
     "make it before the loop, behind a name", NULL},
    {"struct list { double *v; }; static void put(struct list *l, int k)"
     "{ l->v = realloc(l->v, (k + 1) * sizeof *l->v); l->v[k] = k; }",
     "struct list l = {NULL}, m = {NULL};", "rows(u[n] from first, count), same(t)", STEPS,
     "{ put(&l, t); put(&m, t); u[0] += 1; }", "u[0] += l.v[0] + m.v[0];",
     "make it before the loop, behind a name", NULL},
    {"", "", "rows(u[n] from first, count), same(t)", STEPS,
     "{ double *all = NULL; if (first == 0) all = malloc(n * sizeof *all);"
     " MPI_Gather(&t, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);"
     " if (first == 0) { u[0] += all[0]; free(all); } }",
     "", NULL, NULL},
    {"", "", "rows(u[n] from first, count), same(t)", STEPS,
     "{ double *v = malloc((count + 1) * sizeof *v); for (int i = 0; i < count; i++)"
     " v[i] = 0.9 * u[i]; free(u); u = v; }",
     "", NULL, NULL},
    {"", "", "rows(u[n] from first, count), same(t)", STEPS,
     "{ double *v = malloc((count + 1) * sizeof *v); for (int i = 0; i < count; i++)"
     " v[i] = 0.9 * u[i]; for (int i = 0; i < count; i++) u[i] = v[i]; free(v); }",
     "", NULL, NULL},
    /* three by their numbers: on the heap, in structs */
    {"",
     "double **v = malloc(3 * sizeof *v); for (int l = 0; l < 3; l++)"
     " v[l] = calloc(count + 1, sizeof *u);",
     "rows(u[n], (v[0])[n], (v[1])[n] from first, count), same(t)", STEPS,
     "for (int i = 0; i < count; i++) { v[2][i] += u[i]; v[1][i] += v[2][i]; }", "u[0] += v[1][0];",
     "(changed in line", "rows(u[n], (v[0])[n], (v[1])[n], (v[2])[n] from first, count), same(t)"},
    {"struct level { double *v; };",
     "struct level w[3]; for (int l = 0; l < 3; l++) w[l].v = calloc(count + 1, sizeof *u);",
     "rows(u[n], (w[0].v)[n], (w[1].v)[n] from first, count), same(t)", STEPS,
     "for (int i = 0; i < count; i++) { w[2].v[i] += u[i]; w[1].v[i] += w[2].v[i]; }",
     "u[0] += w[1].v[0];", "(changed in line",
     "rows(u[n], (w[0].v)[n], (w[1].v)[n], (w[2].v)[n] from first, count), same(t)"},
    /* structs of pointers and numbers that change places: the numbers are kept */
    {"struct level { double *v; }; struct sim { struct level now, then; };",
     "struct sim s = {{u}, {calloc(count + 1, sizeof *u)}};",
     "rows(u[n], (s.now.v)[n] from first, count), same(t)", STEPS,
     "{ for (int i = 0; i < count; i++) s.then.v[i] = s.now.v[i] + u[i];"
     " struct level one = s.now; s.now = s.then; s.then = one; }",
     "", NULL, NULL},
    {"struct level { double *v; int age; }; struct sim { struct level now, then; };",
     "struct sim s = {{u, 1}, {calloc(count + 1, sizeof *u), 2}};",
     "rows(u[n], (s.now.v)[n] from first, count), same(t)", STEPS,
     "{ for (int i = 0; i < count; i++) s.then.v[i] = s.now.v[i] + u[i] + s.now.age;"
     " struct level one = s.now; s.now = s.then; s.then = one; }",
     "", "add same(s.now.age, s.then.age)",
     "rows(u[n], (s.now.v)[n] from first, count), same(t, s.now.age, s.then.age)"},
    /* numbers in a struct that another file is given, and in one that it only reads */
    {"struct sim { double *v; long calls; }; void work(struct sim *s);", "struct sim s = {u, 0};",
     "rows(u[n] from first, count), same(t)", STEPS, "{ work(&s); u[0] += s.calls; }", "",
     "add same(s.calls)", "rows(u[n] from first, count), same(t, s.calls)"},
    {"struct sim { double *v; long calls; }; void work(const struct sim *s);",
     "struct sim s = {u, 3};", "rows(u[n] from first, count), same(t)", STEPS,
     "{ work(&s); u[0] += s.calls; }", "", NULL, NULL},
    /* Elements whose numbers come from a table, a remainder or the iteration are some; those that
     * loops count through, by whatever formula, are all. */
    {"", "double *v = calloc(count + 1, sizeof *v); int *at = calloc(count + 1, sizeof *at);",
     "rows(u[n] from first, count), same(t)", STEPS,
     "{ for (int i = 0; i < count; i++) v[at[i]] = t; for (int i = 0; i < count; i++) u[i] += v[i];"
     " }",
     "", "'v' (changed in line", "rows(u[n], v[n] from first, count), same(t)"},
    {"", "double *v = calloc(count + 1, sizeof *v); int *at = calloc(count + 1, sizeof *at);",
     "rows(u[n] from first, count), same(t)", STEPS,
     "{ for (int i = 0; i < count; i++) { int j = at[i]; double *p = &v[j]; *p = t; }"
     " for (int i = 0; i < count; i++) u[i] += v[i]; }",
     "", "'v' (changed in line", "rows(u[n], v[n] from first, count), same(t)"},
    {"static void put(double *p, double x) { *p = x; }",
     "double *v = calloc(count + 1, sizeof *v);", "rows(u[n] from first, count), same(t)", STEPS,
     "{ for (int i = 0; i < count; i++) put(&v[i % 3], t); for (int i = 0; i < count; i++)"
     " u[i] += v[i]; }",
     "", "'v' (changed in line", "rows(u[n], v[n] from first, count), same(t)"},
    {"", "double h[400] = {0};", "rows(u[n] from first, count), same(t)", STEPS,
     "{ for (int j = 0; j < 4; j++) h[t * 4 + j] = j; u[0] += 1; }",
     "for (int j = 0; j < 400; j++) u[0] += h[j];", "'h' (changed in line",
     "rows(u[n] from first, count), same(t, h)"},
    {"static int at(int i, int j) { return 2 * i + j; }"
     "static void put(double *p, double x) { *p = x; }",
     "double *v = calloc(2 * count + 2, sizeof *v);", "rows(u[n] from first, count), same(t)",
     STEPS,
     "{ double *p = v; for (int i = 0; i < count; i++) for (int j = 0; j < 2; j++) v[at(i, j)] = t;"
     " for (int i = 0; i < count; i++) u[i] += v[i]; int k = 0;"
     " for (int i = 0; i < count; i++) v[k++] = t; for (int i = 0; i < count; i++) *p++ = t;"
     " for (int i = 0; i < count; i++) put(&v[i + 1], t); }",
     "", NULL, NULL},
    /* Pointers to what nobody changes: that go from one to the next, are set to a text, a function;
     * set in each iteration, by what the clause keeps. */
    {"static const double tab[100] = {1, 2, 3};", "const double *at = tab;",
     "rows(u[n] from first, count), same(t)", STEPS, "u[0] += *at++;", "", "let at lead to memory",
     NULL},
    {"static const double tab[100] = {1, 2, 3};", "const double *at = tab;",
     "rows(u[n] from first, count), same(t)", STEPS, "{ at = tab + t; u[0] += *at; }", "", NULL,
     NULL},
    {"", "const char *word = \"a\";", "rows(u[n] from first, count), same(t)", STEPS,
     "{ u[0] += __builtin_strlen(word); if (t == 5) word = \"abc\"; }", "",
     "let word lead to memory", "rows(u[n] from first, count), same(t), scratch(word)"},
    {"static double f(double x) { return x; } static double g(double x) { return 2 * x; }",
     "double (*h)(double) = f;", "rows(u[n] from first, count), same(t)", STEPS,
     "{ u[0] = h(u[0]); if (t == 5) h = g; }", "", "let h lead to memory", NULL},
    {"static double f(double x) { return x; } static double g(double x) { return 2 * x; }",
     "double (*h)(double);", "rows(u[n] from first, count), same(t)", STEPS,
     "{ h = t > 5 ? g : f; u[0] = h(u[0]); }", "", NULL, NULL},
    /* Messages bring some rows of what iterations set others of, and all of a buffer. */
    {"", TWO, "rows(u[n] from first, count), same(t)", STEPS,
     "{ MPI_Recv(&x[0], 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
     " for (int i = 0; i < count; i++) y[i] = x[i] + u[i]; double *z = x; x = y; y = z; }",
     "u[0] += x[0];", "'x' (changed in line", "rows(u[n], x[n] from first, count), same(t)"},
    {"", TWO, "rows(u[n] from first, count), same(t)", STEPS,
     "{ MPI_Recv(x, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
     " for (int i = 0; i < count; i++) y[i] = x[0] + u[i]; u[0] += y[0]; }",
     "", NULL, NULL},
    /* ... or a part of it in each iteration, which another one reads. */
    {"", "double h[80] = {0};", "rows(u[n] from first, count), same(t)", STEPS,
     "{ MPI_Allreduce(u, h + 8 * (t % 10), 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);"
     " for (int i = 0; t % 10 == 9 && i < 80; i++) u[0] += h[i]; }",
     "", "'h' (changed in line", "rows(u[n] from first, count), same(t, h)"},
    {"static void sum(double *x, double *y)"
     "{ MPI_Allreduce(x, y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }",
     "double h[10][8] = {0};", "rows(u[n] from first, count), same(t)", STEPS,
     "{ double *now = h[t % 10]; sum(u, now); for (int i = 0; t % 10 == 9 && i < 10; i++)"
     " u[0] += h[i][0]; }",
     "", "'h' (changed in line", "rows(u[n] from first, count), same(t, h)"},
    {"", "double h[80];", "rows(u[n] from first, count), same(t)", STEPS,
     "{ for (int k = 0; k < 10; k++)"
     " MPI_Allreduce(u, h + 8 * k, 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);"
     " for (int i = 0; i < 80; i++) u[0] += h[i]; }",
     "", NULL, NULL},
    /* structs with pointers, or handles, in them: another process's lead nowhere */
    {"typedef struct { double *a; int n; } part;",
     "part *p = calloc(count, sizeof *p); for (int i = 0; i < count; i++) p[i].n = first + i;",
     "rows(u[n], p[n] from first, count), same(t)", STEPS,
     "for (int i = 0; i < count; i++) p[i].n++, u[i] += p[i].n;", "",
     "'p[n]' has structs with 'a' in them", NULL},
    {"typedef struct { double *a; int n; } part;", "part p = {u, 0};",
     "rows(u[n] from first, count), same(t, p)", STEPS, "{ p.n++; p.a[0] += p.n; }", "",
     "'p' has structs with 'a' in them", "rows(u[n] from first, count), same(t, p.n)"},
    {"typedef struct { struct { MPI_Comm c[2]; int n; } in; } part;",
     "part p = {.in = {{MPI_COMM_WORLD}}};", "rows(u[n] from first, count), same(t, p)", STEPS,
     "{ p.in.n++; u[0] += p.in.n; }", "", "'p' has structs with 'c' in them",
     "rows(u[n] from first, count), same(t, p.in.n)"},
    /* what it is not */
    {"", "int s;", "rows(u[n] from first, count), own(s: +)", "for (s = 0; s < n; s++)",
     "u[0] += 1;", "", "same(s) instead of own", "rows(u[n] from first, count), same(s)"},
    {"", "int s;", "rows(u[n] from first, count), scratch(s)", "for (s = 0; s < n; s++)",
     "u[0] += 1;", "", "same(s) instead of scratch", "rows(u[n] from first, count), same(s)"},
    {"", "int s;", "rows(u[n] from first, count), same(nobody)", "for (s = 0; s < n; s++)",
     "u[0] += 1;", "", "use of undeclared identifier 'nobody'", NULL},
    /* Set before it is read: by each iteration, by all of a loop, by MPI; buffers, and pointers
     * that change places. */
    {"", "double t, v[50], w;", "rows(u[n] from first, count), same(s)",
     "for (int s = 0; s < n; s++)",
     "{ t = s; for (int i = 0; i < 50; i++) v[i] = t; for (int i = 0; i < 50; i++) u[0] += v[i];"
     " MPI_Allreduce(&t, &w, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); u[0] += w; }",
     "", NULL, NULL},
    {"", "double *v = calloc(count + 2, sizeof *v), *o = u, *x;",
     "rows(o[n] from first, count), same(s)", "for (int s = 0; s < n; s++)",
     "{ for (int i = 0; i < count; i++) v[i] = 0.9 * o[i]; x = o; o = v; v = x; }", "", NULL, NULL},
    /* One struct that is only read, and another that is set first, in one way or another. */
    {TALLY, "tally s = {3}, g;", "rows(u[n] from first, count), same(t)", STEPS,
     "{ clear(&g); add(&g); u[0] += told(&s) + told(&g); }", "", NULL, NULL},
    {TALLY, "tally s = {3}, g;", "rows(u[n] from first, count), same(t)", STEPS,
     "{ u[0] += told(&s); __builtin_memset(&g, 0, sizeof g); for (int i = 0; i < count; i++) "
     "add(&g); u[0] += told(&g); }",
     "", NULL, NULL},
    {TALLY, "tally s = {3};", "rows(u[n] from first, count), same(t)", STEPS,
     "{ tally g = s; add(&g); u[0] += told(&s) + g.n; }", "", NULL, NULL},
    /* What a loop around makes of the rows between two times at the loop, in an array and in a
     * number, by messages; but not what comes to the same each time. */
    {"", "double *x = calloc(count + 1, sizeof *x); for (int r = 0; r < 3; r++) {",
     "rows(u[n] from first, count), same(t, r)", STEPS, "u[0] += x[0];",
     "for (int i = 0; i < count; i++) x[i] = 0.5 * u[i]; }", "'x' (changed in line",
     "rows(u[n], x[n] from first, count), same(t, r)"},
    {"", "double h = 1; for (int r = 0; r < 3; r++) {", "rows(u[n] from first, count), same(t, r)",
     STEPS, "u[0] += h;", "h = dot(u, count); }", "'h' (changed in line",
     "rows(u[n] from first, count), same(t, r, h)"},
    {"", "double h = 1, g; for (int r = 0; r < 3; r++) {",
     "rows(u[n] from first, count), same(t, r)", STEPS, "u[0] += h;",
     "MPI_Sendrecv(u, 1, MPI_DOUBLE, (rank + 1) % size, 0, &g, 1, MPI_DOUBLE, "
     "(rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); h = g; }",
     "'h' (changed in line", "rows(u[n] from first, count), same(t, r), own(h: +)"},
    {"",
     "double *x = calloc(count + 1, sizeof *x), h; for (int r = 0; r < 3; r++) { h = 2. / n; "
     "for (int i = 0; i < count; i++) x[i] = first + i;",
     "rows(u[n] from first, count), same(t, r)", STEPS, "u[0] += h + x[0];", "}", NULL, NULL},
    /* Arrays of a table, each by a pointer of its own. */
    {"",
     "double *v[2]; for (int k = 0; k < 2; k++) v[k] = calloc(count + 1, sizeof(double)); "
     "double *x = v[0], *r = v[1];",
     "rows(u[n], x[n] from first, count), same(t)", STEPS, "{ x[0] += r[0]; r[0] += u[0]; }", "",
     "'r' (changed in line", "rows(u[n], x[n], r[n] from first, count), same(t)"},
    {"",
     "double *v[2]; for (int k = 0; k < 2; k++) v[k] = calloc(count + 1, sizeof(double)); "
     "double *x = v[0], *r = v[1];",
     "rows(u[n], x[n] from first, count), same(t), scratch(r)", STEPS,
     "{ r[0] = u[0]; x[0] += r[0]; }", "", NULL, NULL},
    /* What a pass of a loop around leaves to the next one. */
    {"", "double h = 0; for (int e = 0; e < 3; h = 1. / n, e++)",
     "rows(u[n] from first, count), same(s, e)", "for (int s = 0; s < n; s++)", "u[0] += h;", "",
     "'h' (changed in line", "rows(u[n] from first, count), same(s, e, h)"},
    {"", "double h = 1; for (int e = 0; e < 3; e++) { h = 0.5 * h;",
     "rows(u[n] from first, count), same(t, e)", STEPS, "u[0] += h;", "}", "'h' (changed in line",
     "rows(u[n] from first, count), same(t, e, h)"},
    /* A message of one struct fills another of the same kind. */
    {"#include <string.h>\nstruct cell { double x; int tag; };",
     "struct cell *x = calloc(count + 2, sizeof *x), *in = malloc(sizeof *in), "
     "*out = malloc(sizeof *out);",
     "rows(u[n], x[n] from first, count), same(t)", STEPS,
     "{ memcpy(out, x, sizeof *x); MPI_Sendrecv(out, 16, MPI_BYTE, (rank + 1) % size, 0, in, 16, "
     "MPI_BYTE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); "
     "if (rank > 0) memcpy(&x[count], in, sizeof *x); x[0].x += x[count].x; }",
     "", NULL, NULL},
    /* Pointers that change places as bytes, and structs of them. */
    {"#include <string.h>\nstruct grid { double *x; }; static struct grid *made(int count)"
     "{ struct grid *g = malloc(sizeof *g); g->x = calloc(count, sizeof(double)); return g; }",
     "struct grid *g = made(count), *h = made(count);", ONE_OF_TWO, STEPS,
     "{ for (int i = 0; i < count; i++) h->x[i] = 0.5 * g->x[i] + u[i]; char way[sizeof g];"
     "memcpy(way, &h, sizeof g); memcpy(&h, &g, sizeof g); memcpy(&g, way, sizeof g); }",
     "u[0] += g->x[0];", "h->x'", "rows(u[n], (g->x)[n], (h->x)[n] from first, count), same(t)"},
    {"#include <string.h>\nstruct grid { double *x; };",
     "struct grid g = {calloc(count, sizeof(double))}, h = {calloc(count, sizeof(double))}, way;",
     ONE_OF_TWO, STEPS,
     "{ for (int i = 0; i < count; i++) h.x[i] = 0.5 * g.x[i] + u[i];"
     "memcpy(&way, &h, sizeof g); memcpy(&h, &g, sizeof g); memcpy(&g, &way, sizeof g); }",
     "u[0] += g.x[0];", "'g.x'", "rows(u[n], (g.x)[n], (h.x)[n] from first, count), same(t)"},
    {"#include <string.h>", "double *to[2] = {u, u}, *from[2]; from[0] = from[1] = u;", ONE_OF_TWO,
     STEPS, "{ memcpy(to, from, sizeof to); to[1][0] += 1; }", "", NULL, NULL},
    /* Clocks, what is said to be scratch. */
    {"", "double spent = 0, from;", "rows(u[n] from first, count), same(s)",
     "for (int s = 0; s < n; s++)",
     "{ from = MPI_Wtime(); u[0] += 1; spent += MPI_Wtime() - from; }", "printf(\"%g\", spent);",
     NULL, NULL},
    {"", "int lines = 0;", "rows(u[n] from first, count), same(s), scratch(lines)",
     "for (int s = 0; s < n; s++)", "{ u[0] += 1; printf(\"%d\\n\", lines++); }", "", NULL, NULL},
};

static void what_is_left_out_is_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        const loop_t *loop = &loops[i];
        char *said = judge(loop, loop->clause);
        if (loop->said == NULL ? *said != '\0'
                               : strstr(said, loop->said) == NULL ||
                                     strstr(said, "[xmpi-state]\nrefused\n") == NULL ||
                                     strchr(said, '\n') + 1 != strstr(said, "refused"))
            fail_msg("state(%s), %s: %s", loop->clause, loop->body, said);
        free(said);
        said = loop->right != NULL ? judge(loop, loop->right) : strdup("");
        if (*said != '\0')
            fail_msg("state(%s), %s: %s", loop->right, loop->body, said);
        free(said);
    }
}

/* A loop that is come to in more ways than are told apart. */
static void too_large_a_program_is_said_to_be(void **state)
{
    (void)state;
    static const loop_t loop = {
        "",
        "for (int a = 0; a < 2; a++) for (int b = 0; b < 2; b++) for (int c = 0; c < 2; c++) "
        "for (int d = 0; d < 2; d++)",
        "",
        STEPS,
        "u[0] += 1;",
        "",
        NULL,
        NULL};
    char *said = judge(&loop, "rows(u[n] from first, count), same(t, a, b, c, d)");
    if (strstr(said, "warning: state(...): the program is too large") == NULL ||
        strstr(said, "refused") != NULL)
        fail_msg("%s", said);
    free(said);
}

/* A loop that goes on as the number of processes says is as long as with neither after a change of
 * it; one that keeps the number that it began with is not. */
static void loops_that_follow_the_number_of_processes_are_told(void **state)
{
    static const struct {
        const char *variables, *head, *body, *more, *follows;
    } cases[] = {
        {"", "for (int t = 0; t < size + 1; t++)", "u[0] += 1;", "", "'size'"},
        {"int most = 3 * size;", "for (int t = 0; t < most; t++)", "u[0] += 1;", "", "'most'"},
        {"int most = 3 * size, k = most;", "for (int t = 0; t < 99; t++)",
         "{ u[0] += 1; if (t > k) break; }", "", "'k'"},
        {"int most = 3 * size;", "for (int t = 0; t < most; t++)", "u[0] += 1;", ", most", NULL},
        {"", STEPS, "{ for (int i = 0; i < size; i++) if (i > 1) break; u[0] += 1; }", "", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const loop_t loop = {"",  cases[i].variables, "", cases[i].head, cases[i].body, "", NULL,
                             NULL};
        char clause[100], warning[100];
        snprintf(clause, sizeof clause, "rows(u[n] from first, count), same(t%s)", cases[i].more);
        snprintf(warning, sizeof warning, "how many iterations there are follows %s",
                 cases[i].follows != NULL ? cases[i].follows : "");
        char *said = judge(&loop, clause);
        if ((strstr(said, warning) != NULL) != (cases[i].follows != NULL) ||
            strstr(said, "refused") != NULL)
            fail_msg("%zu: %s", i, said);
        free(said);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_out_is_named),
        cmocka_unit_test(loops_that_follow_the_number_of_processes_are_told),
        cmocka_unit_test(too_large_a_program_is_said_to_be)};
    cmocka_set_test_filter(getenv("TEST"));
    machine_invent();
    return cmocka_run_group_tests(tests, setup, teardown);
}
