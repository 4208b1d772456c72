/* SPDX-License-Identifier: BSD-3-Clause
 * Messages around a ring by persistent requests that are made once, on the world and on a
 * communicator that turns it round; some are made and freed in the loop. Others along a line, at
 * whose ends is nobody, and from a buffer that is attached once. */
#include "point.h"

enum { LENGTH = 50, TIMES = 4 };

static double out[2][LENGTH], in[2][LENGTH];
static MPI_Request request[4], line[2];
static char buffer[LENGTH * (sizeof(double) + MPI_BSEND_OVERHEAD)];

static void make(MPI_Comm comm, int which)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Send_init(out[which], LENGTH, MPI_DOUBLE, (rank + 1) % size, which, comm,
                  &request[2 * which]);
    MPI_Recv_init(in[which], LENGTH, MPI_DOUBLE, (rank + size - 1) % size, which, comm,
                  &request[2 * which + 1]);
}

static double buffered(int step)
{
    int rank, size;
    double given, mine = step;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    mine += rank;
    MPI_Bsend(&mine, 1, MPI_DOUBLE, (rank + 1) % size, 9, MPI_COMM_WORLD);
    MPI_Recv(&given, 1, MPI_DOUBLE, (rank + size - 1) % size, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return given;
}

/* What the rank before has sent, or -1. */
static double passed_on(int step)
{
    static double to_next, from_last;
    int rank, size, done = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (step == 0) {
        from_last = -1;
        MPI_Send_init(&to_next, 1, MPI_DOUBLE, rank + 1 < size ? rank + 1 : MPI_PROC_NULL, 7,
                      MPI_COMM_WORLD, &line[0]);
        MPI_Recv_init(&from_last, 1, MPI_DOUBLE, rank > 0 ? rank - 1 : MPI_PROC_NULL, 7,
                      MPI_COMM_WORLD, &line[1]);
    }
    to_next = step + rank;
    MPI_Startall(2, line);
    while (done != MPI_UNDEFINED)
        MPI_Waitany(2, line, &done, MPI_STATUS_IGNORE);
    return from_last;
}

static void again(int which)
{
    MPI_Request_free(&request[2 * which]);
    MPI_Request_free(&request[2 * which + 1]);
}

int main(int argc, char **argv)
{
    int rank, size, bytes, n = atoi(argv[1]);
    void *attached;
    MPI_Comm back;
    MPI_Status status[4];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, 0, size - rank, &back);
    make(MPI_COMM_WORLD, 0);
    make(back, 1);
    MPI_Buffer_attach(buffer, sizeof buffer);
    for (int i = 0; i < LENGTH; i++)
        out[0][i] = out[1][i] = rank * 100 + i;
    unsigned long sum = 0;
    for (int step = 0; step < n; step++) {
        XMPI_Point();
        MPI_Startall(4, request);
        if (step % 2 == 0)
            MPI_Waitall(4, request, status);
        for (int done = 0, which; step % 2 != 0 && done < 4; done++)
            MPI_Waitany(4, request, &which, MPI_STATUS_IGNORE);
        for (int i = 0; i < LENGTH; i++) {
            out[0][i] = out[0][i] / 2 + in[1][LENGTH - 1 - i];
            out[1][i] = in[0][i] / 2 + step;
        }
        sum = mix(sum, out[0][step % LENGTH] + out[1][step % LENGTH]);
        sum = mix(sum, buffered(step));
        sum = mix(sum, passed_on(step));
        if (step % TIMES == 0) {
            again(step / TIMES % 2);
            make(step / TIMES % 2 == 0 ? MPI_COMM_WORLD : back, step / TIMES % 2);
        }
    }
    again(0);
    again(1);
    MPI_Request_free(&line[0]);
    MPI_Request_free(&line[1]);
    MPI_Buffer_detach(&attached, &bytes);
    sum = mix(sum, attached == buffer && bytes == (int)sizeof buffer);
    MPI_Comm_free(&back);
    say("persistent", sum);
    MPI_Finalize();
    return 0;
}
