/* SPDX-License-Identifier: BSD-3-Clause
 * Two sequences, which one function reads to their ends: how long they are is not known before. The
 * places of the second are divided, and steps are those of the first. */
#include "ladder.h"

struct sequence {
    int length;
    int *s;
};

/* A sequence that ends where END says so. */
static void read_to_end(struct sequence *q, int step, const char *end)
{
    int room = 4;
    q->length = 0;
    q->s = malloc(room * sizeof(int));
    for (int next = 1; q->length < atoi(end); next = (next + step) % 101) {
        if (q->length == room)
            q->s = realloc(q->s, (room *= 2) * sizeof(int));
        q->s[q->length++] = next;
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    struct sequence steps, places;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    read_to_end(&steps, 7, "25");
    read_to_end(&places, 11, argc > 1 ? argv[1] : "60");
    int n = places.length, first = rank * n / size, count = (rank + 1) * n / size - first;
    double *score = calloc(count + 1, sizeof(double)), best = 0;
    for (int i = 0; i < count; i++)
        score[i] = places.s[first + i];
#pragma xmpi loop
    for (int k = 0; k < steps.length; k++) {
        double most = 0;
        for (int i = 0; i < count; i++) {
            score[i] = 0.5 * score[i] + (places.s[first + i] * steps.s[k] + best) / 101;
            most = fmax(most, score[i]);
        }
        MPI_Allreduce(&most, &best, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    tell(score, count);
    MPI_Finalize();
    return 0;
}
