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
#pragma xmpi initial
    {
        iterate(3);
    }
    return 0;
}
