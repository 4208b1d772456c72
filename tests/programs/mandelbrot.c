// flags: -std=gnu11
/* Frames of a zoom into the Mandelbrot set; every rank draws its lines, rank 0 gets a checksum. */
#include <complex.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 48
#define HEIGHT 32
#define MAXIT 60

typedef unsigned char pixel;

static int escape(double complex c)
{
    double complex z = 0;
    int it;
    for (it = 0; it < MAXIT && creal(z) * creal(z) + cimag(z) * cimag(z) < 4; it++)
        z = z * z + c;
    return it;
}

int main(int argc, char **argv)
{
    int me, np;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &np);

    int lines = HEIGHT / np;
    int first = me * lines;
    if (me == np - 1)
        lines = HEIGHT - first; /* the last one takes the rest */
    pixel *picture = calloc(lines * WIDTH, sizeof(pixel));
    double zoom = 1.0;
    unsigned long checksum = 0;

#pragma xmpi loop
    for (int frame = 0; frame < 12; frame++, zoom *= 0.8) {
        unsigned long sum = 0, total = 0;
        for (int y = 0; y < lines; y++)
            for (int x = 0; x < WIDTH; x++) {
                double complex c = -0.7436 + zoom * (3.0 * x / WIDTH - 1.5) +
                                   (0.1318 + zoom * (2.0 * (first + y) / HEIGHT - 1.0)) * I;
                picture[y * WIDTH + x] = escape(c);
                sum += (unsigned long)picture[y * WIDTH + x] * (x + 3 * (first + y) + 1);
            }
        MPI_Allreduce(&sum, &total, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
        checksum = checksum * 31 + total;
        if (me == 0)
            printf("frame %2d: %lu\n", frame, total);
    }
    if (me == 0)
        printf("checksum %lu\n", checksum);
    free(picture);
    MPI_Finalize();
    return 0;
}
