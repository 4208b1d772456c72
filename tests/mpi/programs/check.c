/* SPDX-License-Identifier: BSD-3-Clause
 * A program as the rewriter leaves it, with all kinds of data, whose changes are to be checked. Its
 * result does not depend on the layout, unless it is told to have a fault.
 *
 * Usage: check FAULT ROWS ITERATIONS [shown|relied|may|never]: prints a line in each iteration, and
 * at the end a digest of all rows and values. FAULT:
 *   none
 *   tight     no fault, but an array has no room for more than 30 rows
 *   static    a static variable that nobody registered is read and advanced
 *   heap      the same behind a pointer
 *   local     the same on main's stack
 *   total     a static variable is advanced and shows only at the end
 *   scratch   an array that nobody registered is read, by own rows
 *   formula   the first own row is taken to be that of the program's own formula
 *   parity    every second row is another one, by the local index
 *   older     rows beside the own ones are what their owners had before
 *   alone     rows are other ones where one process is left
 *   elected   a live variable is not the same on all members from iteration 5 on
 *   file      each iteration writes to a file that was opened before
 *   opens     each iteration opens one
 *   random    rows depend on rand(), from a seed that is the same everywhere
 *   exits     the program ends where the layout is another one than at first
 *   aborts    the same by MPI_Abort
 *   crashes   the same by abort
 *   tires     the program ends in the fifth iteration that it runs, which is the fourth once more
 *   ends      the loop ends where the layout is another one than at first
 *   counts    the loop ends by a static counter
 *   sums      rows depend on a sum over all rows, in the order of the members
 *   huge      the sum is of numbers that cancel out
 *   clock     a live variable has the time
 *   slow      no fault, but an iteration takes longer than a second
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "xmpi_gen.h"

enum { WIDTH = 2, MOST_ROWS = 4096, TIGHT = 30, HALO = 1 };

typedef struct {
    int steps;
    double last, sum;
} state_t;

static const char *fault;
static int rank, size, count, displ, rows;
static double *u, *v, *owned, *everywhere, *values, fixed[MOST_ROWS];
static int *ia, *ja;
static state_t state;
static double hidden = 1, total, moment;
static int counter, first_size;

static int is(const char *name)
{
    return strcmp(fault, name) == 0;
}

static int entries_of(int row)
{
    return row % 3 + 1;
}

static void allocate(void)
{
    size_t own = (size_t)count + 1, all = (size_t)rows + 1;
    u = calloc(own * WIDTH, sizeof *u);
    v = calloc(own + 2 * HALO, sizeof *v);
    ia = calloc(own, sizeof *ia);
    owned = calloc(all, sizeof *owned);
    everywhere = calloc(all, sizeof *everywhere);
    for (int i = 0; i < count; i++)
        ia[i + 1] = ia[i] + entries_of(displ + i);
    values = calloc((size_t)ia[count] + 1, sizeof *values);
    ja = calloc((size_t)ia[count] + 1, sizeof *ja);
}

static void fill(void)
{
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < WIDTH; j++)
            u[i * WIDTH + j] = (displ + i) % 7 + j;
        v[HALO + i] = (displ + i) % 5;
        owned[displ + i] = (displ + i) % 3;
        fixed[i] = (displ + i) % 4;
        for (int k = ia[i]; k < ia[i + 1]; k++) {
            ja[k] = displ + i;
            values[k] = displ + i;
        }
    }
    for (int i = 0; i < rows; i++)
        everywhere[i] = i;
}

static void register_all(void)
{
    xmpi_gen_data("check.c:1:u", (void *)&u, sizeof *u, XMPI_GEN_DISTRIBUTED, rows, WIDTH);
    xmpi_gen_elements("check.c:1:u", "f8");
    xmpi_gen_data("v", (void *)&v, sizeof *v, XMPI_GEN_DISTRIBUTED, rows, 1);
    xmpi_gen_halo("v", HALO);
    xmpi_gen_elements("v", "f8");
    xmpi_gen_data("fixed", (void *)fixed, sizeof *fixed, XMPI_GEN_DISTRIBUTED, rows, 1);
    xmpi_gen_fixed("fixed", is("tight") ? TIGHT * sizeof *fixed : sizeof fixed);
    xmpi_gen_elements("fixed", "f8");
    xmpi_gen_data("owned", (void *)&owned, sizeof *owned, XMPI_GEN_OWNED, rows, 1);
    xmpi_gen_elements("owned", "f8");
    xmpi_gen_data("everywhere", (void *)&everywhere, sizeof *everywhere, XMPI_GEN_REPLICATED, rows,
                  1);
    xmpi_gen_elements("everywhere", "f8");
    xmpi_gen_data("ia", (void *)&ia, sizeof *ia, XMPI_GEN_DISTRIBUTED, rows, 1);
    xmpi_gen_data("ja", (void *)&ja, sizeof *ja, XMPI_GEN_DISTRIBUTED, rows, 1);
    xmpi_gen_data("values", (void *)&values, sizeof *values, XMPI_GEN_DISTRIBUTED, rows, 1);
    xmpi_gen_csr("ia", "ja", "values");
    xmpi_gen_elements("ja", "i4");
    xmpi_gen_elements("values", "f8");
    xmpi_gen_live("check.c:9:state", &state, sizeof state);
    xmpi_gen_elements("check.c:9:state", "i4 x4 2f8");
    if (is("clock")) {
        xmpi_gen_live("moment", &moment, sizeof moment);
        xmpi_gen_elements("moment", "~f8");
    }
}

/* The rows next to the own ones, from their owners, by everything. */
static void exchange_halo(const int *counts, const int *displs)
{
    static double all[MOST_ROWS];
    MPI_Allgatherv(v + HALO, count, MPI_DOUBLE, all, counts, displs, MPI_DOUBLE, MPI_COMM_WORLD);
    if (displ > 0)
        v[0] = all[displ - 1];
    if (displ + count < rows)
        v[HALO + count] = all[displ + count];
}

static double sum_of_rows(void)
{
    double mine = 0, all;
    for (int i = 0; i < count; i++)
        mine += is("huge") ? u[i * WIDTH] * ((displ + i) % 2 ? 1e9 : -1e9) / 3 : u[i * WIDTH] / 3;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return is("huge") ? all * 1e-9 : all / rows;
}

static double largest_row(void)
{
    double mine = 0, all;
    for (int i = 0; i < count; i++)
        mine = u[i * WIDTH] > mine ? u[i * WIDTH] : mine;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

static double kept(double *heap, double *local, double *scratch, int i)
{
    if (is("static"))
        return hidden;
    if (is("heap"))
        return *heap;
    if (is("local"))
        return *local;
    if (is("scratch"))
        return scratch[i] += 1;
    if (is("formula"))
        return rank * (rows / size) + i;
    if (is("alone"))
        return (int)(1.0 / size);
    if (is("parity"))
        return (i + state.steps) % 2;
    return is("random") ? rand() % 100 : 1;
}

static void keep_on(double *heap, double *local)
{
    hidden += is("static") ? .5 : 0;
    *heap += is("heap") ? .5 : 0;
    *local += is("local") ? .5 : 0;
    total += is("total") ? state.steps % 5 : 0;
    if (is("elected"))
        state.last = state.steps >= 5 ? rank : 0;
    if (is("clock"))
        moment = MPI_Wtime();
}

static void iterate(double *heap, double *local, double *scratch)
{
    double h = is("sums") || is("huge") ? sum_of_rows() : largest_row();
    for (int i = 0; i < count; i++) {
        double one = kept(heap, local, scratch, i);
        int at = HALO + i, row = displ + i;
        double left = v[at - 1], right = v[at + 1]; /* beyond the ends 0 stays */
        u[i * WIDTH] = .5 * u[i * WIDTH] + 1e-3 * h + 1e-2 * one;
        u[i * WIDTH + 1] += left - right;
        if (is("older"))
            u[i * WIDTH + 1] += owned[(row + 1) % rows] - owned[(row + rows - 1) % rows];
        owned[row] += fixed[i] + everywhere[row];
        fixed[i] = (double)(((int)fixed[i] + row) % 11);
        for (int k = ia[i]; k < ia[i + 1]; k++)
            values[k] += ja[k];
    }
    for (int i = 0; i < count; i++)
        v[HALO + i] = .25 * v[HALO + i] + fixed[i];
    for (int i = 0; i < rows; i++)
        everywhere[i] += 1;
    state.steps++;
    state.sum += h;
    keep_on(heap, local);
}

static void touch_the_world(FILE *file, int it)
{
    static FILE *opened;
    if (is("slow"))
        usleep(1100000);
    if (file != NULL)
        fprintf(file, "iteration %d\n", it);
    if (is("opens")) {
        opened = fopen("opened", opened == NULL ? "w" : "a");
        setvbuf(opened, NULL, _IOLBF, 0);
    }
    static int runs;
    runs += is("tires");
    if ((is("exits") && size != first_size) || runs == 5) {
        fprintf(stderr, "check: this cannot be\n");
        exit(4);
    }
    if (is("crashes") && size != first_size) {
        fprintf(stderr, "check: this cannot be\n");
        abort();
    }
    if (is("aborts") && size != first_size) {
        fprintf(stderr, "check: this cannot be\n");
        MPI_Abort(MPI_COMM_WORLD, 4);
    }
}

static void make_tables(int **counts, int **displs)
{
    xmpi_gen_free(*counts);
    xmpi_gen_free(*displs);
    *counts = malloc((size_t)size * sizeof **counts);
    *displs = malloc((size_t)size * sizeof **displs);
    MPI_Allgather(&count, 1, MPI_INT, *counts, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&displ, 1, MPI_INT, *displs, 1, MPI_INT, MPI_COMM_WORLD);
}

/* In the order of the rows, so that it is the same number in any layout. */
static void print_digest(const int *counts, const int *displs, double heap, double local)
{
    double *own = calloc((size_t)count + 1, sizeof *own);
    double *all = calloc((size_t)rows + 1, sizeof *all), digest = 0;
    for (int i = 0; i < count; i++) {
        own[i] = u[i * WIDTH] + 3 * u[i * WIDTH + 1] + 5 * v[HALO + i] + 7 * fixed[i] +
                 11 * owned[displ + i];
        for (int k = ia[i]; k < ia[i + 1]; k++)
            own[i] += 13 * values[k];
    }
    MPI_Gatherv(own, count, MPI_DOUBLE, all, counts, displs, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < rows; i++)
        digest = .75 * digest + all[i] + everywhere[i];
    if (rank == 0)
        printf("check: ok %d %.*g %.*g %g %g %g %g\n", state.steps,
               is("sums") || is("huge") ? 8 : 17, digest, is("sums") || is("huge") ? 6 : 17,
               is("huge") ? 0 : state.sum, hidden, heap, local, total);
    free(own);
    free(all);
}

static int goes_on(int it, int iterations)
{
    if (is("ends") && size != first_size)
        return 0;
    if (is("counts") && counter++ >= iterations)
        return 0;
    return it < iterations;
}

int main(int argc, char **argv)
{
    int iterations = 10, it = 0, *counts = NULL, *displs = NULL;
    double local = 1, *heap = malloc(sizeof *heap);
    const char *how = argc > 4 ? argv[4] : "may";
    FILE *file = NULL;
    fault = argc > 1 ? argv[1] : "none";
    *heap = 1;
    xmpi_gen_program(1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    rows = argc > 2 ? atoi(argv[2]) : 40;
    iterations = argc > 3 ? atoi(argv[3]) : 10;
    count = rows / size + (rank < rows % size);
    displ = rank * (rows / size) + (rank < rows % size ? rank : rows % size);
    first_size = size;
    xmpi_gen_live("first_size", &first_size, sizeof first_size);
    xmpi_gen_domain(rows);
    xmpi_gen_refresh(XMPI_GEN_COUNT, &count, sizeof count);
    xmpi_gen_refresh(XMPI_GEN_DISPL, &displ, sizeof displ);
    allocate();
    double *scratch = calloc(MOST_ROWS, sizeof *scratch);
    if (xmpi_gen_initial()) {
        fill();
        if (is("file"))
            xmpi_gen_root();
        if (is("file") && rank == 0)
            file = fopen("written", "w");
        make_tables(&counts, &displs);
    }
    for (int i = 0; i < count; i++)
        scratch[i] = displ + i;
    register_all();
    xmpi_gen_live("it", &it, sizeof it);
    xmpi_gen_elements("it", "i4");
    if (strcmp(how, "shown") == 0)
        xmpi_gen_repeats(XMPI_GEN_REPEATS, NULL);
    else if (strcmp(how, "relied") == 0)
        xmpi_gen_repeats(XMPI_GEN_REPEATS_AS_RELIED, "it calls what is in another file");
    else if (strcmp(how, "never") == 0)
        xmpi_gen_repeats(XMPI_GEN_NEVER_REPEATS, "it sends mail");
    xmpi_gen_loop_begin("check.c:99", 0);
    for (it = 0; xmpi_gen_joining() || goes_on(it, iterations); it++) {
        if (xmpi_gen_point())
            make_tables(&counts, &displs);
        if (!is("older") || it % 4 == 0)
            exchange_halo(counts, displs);
        iterate(heap, &local, scratch);
        touch_the_world(file, it);
        if (rank == 0)
            printf("iteration %d\n", it);
    }
    xmpi_gen_loop_end();
    print_digest(counts, displs, *heap, local);
    if (file != NULL)
        fclose(file);
    MPI_Finalize();
    return 0;
}
