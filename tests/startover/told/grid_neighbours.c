/* SPDX-License-Identifier: BSD-3-Clause
 * Neighbours beside a process are next to its rank, those above and below it a line of the grid
 * away. */
/* None: number stays: state(...) names rows, not the parts of a grid */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE = 2, EDGE = 12 };

static double part[EDGE + 2][EDGE + 2];

static void neighbours(int rank, int has[4])
{
    has[0] = rank >= LINE;
    has[1] = (rank + 1) % LINE != 0;
    has[2] = rank < LINE * (LINE - 1);
    has[3] = rank % LINE != 0;
}

static void talk(int rank, const int has[4])
{
    const int partners[4] = {rank - LINE, rank + 1, rank + LINE, rank - 1};
    double out[4][EDGE], in[4][EDGE];
    MPI_Request requests[8];
    int many = 0;
    for (int i = 0; i < EDGE; i++) {
        out[0][i] = part[1][i + 1], out[1][i] = part[i + 1][EDGE];
        out[2][i] = part[EDGE][i + 1], out[3][i] = part[i + 1][1];
    }
    for (int k = 0; k < 4; k++)
        if (has[k]) {
            MPI_Irecv(in[k], EDGE, MPI_DOUBLE, partners[k], (k + 2) % 4, MPI_COMM_WORLD,
                      &requests[many++]);
            MPI_Isend(out[k], EDGE, MPI_DOUBLE, partners[k], k, MPI_COMM_WORLD, &requests[many++]);
        }
    MPI_Waitall(many, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < EDGE; i++) {
        if (has[0])
            part[0][i + 1] = in[0][i];
        if (has[1])
            part[i + 1][EDGE + 1] = in[1][i];
        if (has[2])
            part[EDGE + 1][i + 1] = in[2][i];
        if (has[3])
            part[i + 1][0] = in[3][i];
    }
}

int main(int argc, char **argv)
{
    int rank, has[4];
    double sum = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    neighbours(rank, has);
    for (int i = 0; i < EDGE + 2; i++)
        for (int j = 0; j < EDGE + 2; j++)
            part[i][j] = rank + i * j % 7;
#pragma xmpi loop
    for (int t = 0; t < 60; t++) {
        talk(rank, has);
        for (int i = 1; i <= EDGE; i++)
            for (int j = 1; j <= EDGE; j++)
                part[i][j] =
                    (part[i - 1][j] + part[i + 1][j] + part[i][j - 1] + part[i][j + 1]) / 4;
    }
    for (int i = 1; i <= EDGE; i++)
        for (int j = 1; j <= EDGE; j++)
            sum += part[i][j];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.9e\n", all);
    MPI_Finalize();
    return 0;
}
