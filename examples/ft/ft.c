/* SPDX-License-Identifier: BSD-3-Clause
 * A partial differential equation by three-dimensional Fourier transforms, in slabs with an
 * all-to-all exchange: what the kernel FT of the NAS Parallel Benchmarks computes and verifies. The
 * pragma is for compilers that know it; any MPI compiler will do. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field.h"

enum { SUMS = 6, SEED = 314159265 };

static const double alpha = 1e-6;

/* A class of the benchmark (D. Bailey et al., The NAS Parallel Benchmarks, RNR-94-007), with its
 * sums. */
struct class
{
    const char *name;
    int n[3];
    double sum[SUMS][2];
};

static const struct class classes[] = {
    {"S",
     {64, 64, 64},
     {{5.546087004964E+02, 4.845363331978E+02},
      {5.546385409189E+02, 4.865304269511E+02},
      {5.546148406171E+02, 4.883910722336E+02},
      {5.545423607415E+02, 4.901273169046E+02},
      {5.544255039624E+02, 4.917475857993E+02},
      {5.542683411902E+02, 4.932597244941E+02}}},
    {"W",
     {128, 128, 32},
     {{5.673612178944E+02, 5.293246849175E+02},
      {5.631436885271E+02, 5.282149986629E+02},
      {5.594024089970E+02, 5.270996558037E+02},
      {5.560698047020E+02, 5.260027904925E+02},
      {5.530898991250E+02, 5.249400845633E+02},
      {5.504159734538E+02, 5.239212247086E+02}}},
    {"A",
     {256, 256, 128},
     {{5.046735008193E+02, 5.114047905510E+02},
      {5.059412319734E+02, 5.098809666433E+02},
      {5.069376896287E+02, 5.098144042213E+02},
      {5.077892868474E+02, 5.101336130759E+02},
      {5.085233095391E+02, 5.104914655194E+02},
      {5.091487099959E+02, 5.107917842803E+02}}},
    {"B",
     {512, 256, 256},
     {{5.177643571579E+02, 5.077803458597E+02},
      {5.154521291263E+02, 5.088249431599E+02},
      {5.146409228649E+02, 5.096208912659E+02},
      {5.142378756213E+02, 5.101023387619E+02},
      {5.139626667737E+02, 5.103976610618E+02},
      {5.137423460082E+02, 5.105948019802E+02}}},
    {"C",
     {512, 512, 512},
     {{5.195078707457E+02, 5.149019699238E+02},
      {5.155422171134E+02, 5.127578201997E+02},
      {5.144678022222E+02, 5.122251847514E+02},
      {5.140150594328E+02, 5.121090289018E+02},
      {5.137550426810E+02, 5.121143685824E+02},
      {5.135811056728E+02, 5.121496764568E+02}}},
};

static const struct class *find_class(const char *name)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (strcmp(classes[i].name, name) == 0)
            return &classes[i];
    return NULL;
}

/* What the sum of an iteration is off, as a share; 0 where nobody knows it. */
static double error_of(const struct class *class, int iteration, double complex sum)
{
    if (iteration >= SUMS)
        return 0;
    double complex known = class->sum[iteration][0] + I * class->sum[iteration][1];
    return cabs((sum - known) / known);
}

/* So many iterations: each evolves the frequencies and looks at the field that they are of. The
 * greatest error of a sum. */
static double iterate(struct field *field, const struct class *class, int iterations)
{
    size_t bytes =
        (size_t)field->n[0] * field->n[1] * (field->n[2] / field->size) * sizeof *field->value;
    double complex *frequencies = malloc(bytes);
    double worst = 0;
    if (frequencies == NULL)
        MPI_Abort(MPI_COMM_WORLD, 1);
    memcpy(frequencies, field->value, bytes);
#pragma xmpi loop movable
    for (int i = 0; i < iterations; i++) {
        field_evolve(field, frequencies, alpha);
        memcpy(field->value, frequencies, bytes);
        field_back(field);
        double complex sum = field_checksum(field);
        double error = error_of(class, i, sum);
        if (field->rank == 0)
            printf("sum %d %.12e %.12e\n", i + 1, creal(sum), cimag(sum));
        worst = error > worst ? error : worst;
    }
    free(frequencies);
    return worst;
}

static int complain(int rank, const char *why)
{
    if (rank == 0)
        fprintf(stderr, "ft: %s\n", why);
    MPI_Finalize();
    return 2;
}

int main(int argc, char **argv)
{
    int rank, size, failed, any;
    struct field field;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const struct class *class = argc == 2 || argc == 3 ? find_class(argv[1]) : NULL;
    int iterations = argc == 3 ? atoi(argv[2]) : SUMS;
    if (class == NULL || iterations < 1)
        return complain(rank, "usage: ft S|W|A|B|C [ITERATIONS]");
    if (class->n[1] % size != 0 || class->n[2] % size != 0)
        return complain(rank, "the number of processes must divide that of the planes");
    failed = field_make(&field, class->n, rank, size);
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (any != 0)
        return complain(rank, "there is no memory for the field");
    field_randomize(&field, SEED);
    double start = MPI_Wtime();
    field_forward(&field);
    double worst = iterate(&field, class, iterations);
    double seconds = MPI_Wtime() - start;
    if (rank == 0)
        printf("class %s\nverified %s\nseconds %.6f\n", class->name, worst < 1e-12 ? "yes" : "no",
               seconds);
    field_free(&field);
    MPI_Finalize();
    return worst < 1e-12 ? 0 : 1;
}
