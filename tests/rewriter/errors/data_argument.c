#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void work(double *u, int n);

static void iterate(double *u, int n)
{
#pragma xmpi data distributed(u[n])
#pragma xmpi loop
    for (int i = 0; i < n; i++)
        work(u, n);
}

int main(void)
{
    double *all = calloc(20, sizeof *all);
    iterate(all + 10, 10);
    return 0;
}
