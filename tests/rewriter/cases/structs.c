/* Range, rank and values as members of structs.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int n, steps;
    long count, displ;
    double factor;
} problem_t;

static struct {
    int rank, size;
} self;

enum mode { SLOW, FAST };

int main(int argc, char **argv)
{
    problem_t p;
    enum mode mode;
    double history[3] = {0, 0, 0};
    const double half = 0.5;
    float *w;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &self.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &self.size);
#pragma xmpi initial
    {
        p.n = 30;
        p.steps = argc > 1 ? atoi(argv[1]) : 12;
        p.factor = 1.25;
        mode = argc > 2 ? SLOW : FAST;
    }
#pragma xmpi domain(p.n) range(p.count, p.displ)
    {
        p.count = p.n / self.size;
        p.displ = p.count * self.rank;
    }
    w = malloc((size_t)p.count * sizeof *w);
#pragma xmpi data distributed(w[(p.n)])
#pragma xmpi initial
    {
        for (long i = 0; i < p.count; i++)
            w[i] = (float)(i + p.displ);
    }
    int it;
#pragma xmpi loop interval(p.steps / 4)
    for (it = 0; it < p.steps; it++)
    {
        double sum = 0, total;
        for (long i = 0; i < p.count; i++) {
            w[i] = (float)(w[i] * (mode == FAST ? half : p.factor));
            sum += (double)w[i];
        }
        MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        history[it % 3] += total;
        if (total < 0)
            break;
    }
    if (self.rank == 0)
        printf("result %d %.17g %.17g %.17g\n", it, history[0], history[1], history[2]);
    free(w);
    MPI_Finalize();
    return 0;
}
