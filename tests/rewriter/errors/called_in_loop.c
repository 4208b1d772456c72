#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void iterate(int n)
{
#pragma xmpi loop
    for (int i = 0; i < n; i++)
        printf("%d\n", i);
}

int main(void)
{
    for (int k = 0; k < 3; k++)
        iterate(k);
    return 0;
}
