/* Cars on a ring road (Nagel and Schreckenberg); every rank drives its cars, then all positions are
 * exchanged. K&R habits: everything global, small functions. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define ROAD 300
#define CARS 75
#define VMAX 5

int me, procs;
int mycars, mycar0;
int pos[CARS], vel[CARS];
int *recvcount, *recvdispl;
int newpos[CARS], newvel[CARS];

int block_start(int n, int p, int r)
{
    return (int)((long)n * r / p);
}

void init(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &procs);
}

void divide(void)
{
    int r;
    recvcount = malloc(procs * sizeof(int));
    recvdispl = malloc(procs * sizeof(int));
    for (r = 0; r < procs; r++) {
        recvdispl[r] = block_start(CARS, procs, r);
        recvcount[r] = block_start(CARS, procs, r + 1) - recvdispl[r];
    }
}

void start(void)
{
    int c;
    for (c = 0; c < CARS; c++) {
        pos[c] = c * ROAD / CARS;
        vel[c] = c % 3;
    }
}

void drive(int t)
{
    int c;
    for (c = mycar0; c < mycar0 + mycars; c++) {
        int ahead = pos[(c + 1) % CARS], gap = (ahead - pos[c] + ROAD) % ROAD - 1, v = vel[c];
        if (v < VMAX)
            v++;
        if (v > gap)
            v = gap;
        if (v > 0 && (t * 7919 + c * 104729) % 10 < 3)
            v--;
        newvel[c] = v;
        newpos[c] = (pos[c] + v) % ROAD;
    }
}

void exchange(void)
{
    MPI_Allgatherv(newpos + mycar0, mycars, MPI_INT, pos, recvcount, recvdispl, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(newvel + mycar0, mycars, MPI_INT, vel, recvcount, recvdispl, MPI_INT, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int t, c, flow = 0;
    init(&argc, &argv);
    mycar0 = block_start(CARS, procs, me);
    mycars = block_start(CARS, procs, me + 1) - mycar0;
    divide();
    start();
#pragma xmpi loop interval(4)
    for (t = 0; t < 100; t++) {
        drive(t);
        exchange();
        for (c = 0; c < CARS; c++)
            flow += vel[c];
    }
    if (me == 0)
        printf("flow %.4f, car 10 at %d\n", flow / 100.0 / ROAD, pos[10]);
    MPI_Finalize();
    return 0;
}
