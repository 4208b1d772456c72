/* SPDX-License-Identifier: BSD-3-Clause
 * Heat in a plate, in structs that functions are handed: blocks are equal, or the program ends, and
 * rank 0 gets them from the others, one by one. */
#include "ladder.h"

typedef struct {
    int rows, columns; /* own ones, without the edges */
    double *at;
} plate_t;

typedef struct {
    int rank, size, above, below;
} place_t;

static void divide(place_t *place, int rows)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &place->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &place->size);
    if (rows / place->size * place->size != rows) {
        fprintf(stderr, "%d rows cannot be divided by %d\n", rows, place->size);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    place->above = place->rank > 0 ? place->rank - 1 : MPI_PROC_NULL;
    place->below = place->rank < place->size - 1 ? place->rank + 1 : MPI_PROC_NULL;
}

static void measure(plate_t *plate, int rows, int columns, const place_t *place)
{
    plate->rows = rows / place->size;
    plate->columns = columns;
}

static void heat(plate_t *plate, const place_t *place)
{
    int i, j, ind, dx, dy;
    const int wide = plate->columns + 2, radius = plate->rows * place->size / 4;
    plate->at = malloc(sizeof(double) * (size_t)((plate->rows + 2) * wide));
    for (i = 0; i < plate->rows + 2; i++)
        for (j = 0; j < wide; j++) {
            ind = i * wide + j;
            dx = i + place->rank * plate->rows - plate->rows * place->size / 2;
            dy = j - plate->columns / 2;
            if (dx * dx + dy * dy < radius * radius)
                plate->at[ind] = 5.0;
            else
                plate->at[ind] = 65.0;
        }
}

static void copy(const plate_t *from, plate_t *to)
{
    to->at = malloc(sizeof(double) * (size_t)((to->rows + 2) * (to->columns + 2)));
    memcpy(to->at, from->at, sizeof(double) * (size_t)((to->rows + 2) * (to->columns + 2)));
}

static void exchange(plate_t *plate, const place_t *place)
{
    double *at, *send, *receive;
    const int wide = plate->columns + 2;
    at = plate->at;
    send = at + wide;
    receive = at + (plate->rows + 1) * wide;
    MPI_Sendrecv(send, wide, MPI_DOUBLE, place->above, 1, receive, wide, MPI_DOUBLE, place->below,
                 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    send = at + plate->rows * wide;
    receive = at;
    MPI_Sendrecv(send, wide, MPI_DOUBLE, place->below, 2, receive, wide, MPI_DOUBLE, place->above,
                 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void evolve(plate_t *next, const plate_t *now)
{
    int i, j, ind, up, down, rows, wide;
    double *to;
    const double *from;
    to = next->at;
    from = now->at;
    rows = next->rows;
    wide = next->columns + 2;
    for (i = 1; i < rows + 1; i++)
        for (j = 1; j < wide - 1; j++) {
            ind = i * wide + j;
            up = (i - 1) * wide + j;
            down = (i + 1) * wide + j;
            to[ind] = from[ind] +
                      0.2 * (from[up] + from[down] + from[ind - 1] + from[ind + 1] - 4 * from[ind]);
        }
}

static void swap(plate_t *one, plate_t *other)
{
    double *at = one->at;
    one->at = other->at;
    other->at = at;
}

static void show(const plate_t *plate, int iteration, const place_t *place)
{
    const int wide = plate->columns, many = plate->rows * wide;
    double *block = malloc(sizeof(double) * (size_t)many);
    for (int i = 0; i < plate->rows; i++)
        memcpy(&block[i * wide], &plate->at[(i + 1) * (wide + 2) + 1],
               sizeof(double) * (size_t)wide);
    if (place->rank == 0) {
        double *all = malloc(sizeof(double) * (size_t)(many * place->size)), sum = 0;
        memcpy(all, block, sizeof(double) * (size_t)many);
        for (int p = 1; p < place->size; p++) {
            MPI_Recv(block, many, MPI_DOUBLE, p, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            memcpy(&all[p * plate->rows * wide], block, sizeof(double) * (size_t)many);
        }
        for (int i = 0; i < many * place->size; i++)
            sum += all[i] * (1 + i % 11);
        printf("%d: %.9g\n", iteration, sum);
        free(all);
    } else {
        MPI_Send(block, many, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD);
    }
    free(block);
}

int main(int argc, char **argv)
{
    int rows = 40, columns = 6;
    plate_t now, next;
    place_t place;
    MPI_Init(&argc, &argv);
    switch (argc) {
    case 1:
        break;
    case 2:
        rows = atoi(argv[1]);
        break;
    default:
        fprintf(stderr, "Usage: plate [ROWS]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    rows = (rows + 59) / 60 * 60;
    divide(&place, rows);
    measure(&now, rows, columns, &place);
    measure(&next, rows, columns, &place);
    heat(&now, &place);
    copy(&now, &next);
#pragma xmpi loop
    for (int iteration = 0; iteration < 30; iteration++) {
        exchange(&now, &place);
        evolve(&next, &now);
        if (iteration % 10 == 9)
            show(&next, iteration, &place);
        swap(&now, &next);
    }
    show(&now, 30, &place);
    free(now.at);
    free(next.at);
    MPI_Finalize();
    return 0;
}
