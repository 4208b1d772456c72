#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct pair {
#pragma xmpi initial
    int a;
};

int take(int a, int b);

int main(void)
{
    enum {
#pragma xmpi setup
        ONE
    };
    int list[] = {
#pragma xmpi loop
        1, 2};
    return take(list[0],
#pragma xmpi data replicated(list[2])
                ONE);
}
