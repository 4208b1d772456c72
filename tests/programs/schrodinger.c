/* A wave packet: complex values in blocks, two of them from the neighbours, norm in every step. */
#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;
static long points = 90, begin, count;

static void decompose(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    begin = rank * points / size;
    count = (rank + 1) * points / size - begin;
}

static void exchange(const double complex *psi, double complex *lo, double complex *hi)
{
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    *lo = *hi = 0;
    MPI_Sendrecv(&psi[count - 1], 2, MPI_DOUBLE, right, 5, lo, 2, MPI_DOUBLE, left, 5,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&psi[0], 2, MPI_DOUBLE, left, 6, hi, 2, MPI_DOUBLE, right, 6, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    decompose();
    double complex *psi = malloc(count * sizeof *psi), *next = malloc(count * sizeof *next);
    for (long i = 0; i < count; i++) {
        double x = (begin + i - points / 3) / 6.0;
        psi[i] = exp(-x * x) * cexp(0.5 * I * (begin + i));
    }
    double norm = 0;
    int steps = 0;
#pragma xmpi loop
    while (steps < 25) {
        double complex lo, hi;
        double own = 0;
        exchange(psi, &lo, &hi);
        for (long i = 0; i < count; i++) {
            double complex l = i > 0 ? psi[i - 1] : lo, r = i + 1 < count ? psi[i + 1] : hi;
            next[i] = psi[i] + 0.02 * I * (l - 2 * psi[i] + r);
        }
        for (long i = 0; i < count; i++) {
            psi[i] = next[i];
            own += creal(psi[i] * conj(psi[i]));
        }
        MPI_Allreduce(&own, &norm, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        steps++;
    }
    if (rank == 0)
        printf("norm %.10f\n", norm);
    free(psi);
    free(next);
    MPI_Finalize();
    return 0;
}
