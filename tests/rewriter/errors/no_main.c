#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void iterate(int n)
{
#pragma xmpi loop
    for (int i = 0; i < n; i++)
        printf("%d\n", i);
}
