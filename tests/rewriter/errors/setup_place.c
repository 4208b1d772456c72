#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void work(int n);

static void iterate(int n)
{
    int left = 0;
    if (n > 3) {
#pragma xmpi setup
        left = n;
    }
#pragma xmpi loop
    for (int i = 0; i < n; i++)
        work(left);
}

int main(void)
{
    int n = 3;
#pragma xmpi setup
    n = 4;
    iterate(n);
    return 0;
}
