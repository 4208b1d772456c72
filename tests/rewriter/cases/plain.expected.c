#line 1 "plain.c"
/* No pragma: nothing but the line directive is new. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    printf("result %d\n", __LINE__);
    MPI_Finalize();
    return 0;
}
