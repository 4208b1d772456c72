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
    iterate(3);
    iterate(4);
    return 0;
}
