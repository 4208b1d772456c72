#include <mpi.h>

extern int count, first; /* of another file, as what follows */
extern double *u;
void divide(int n);
void make_buffers(void);
void step(void);

/* What the function makes for COUNT rows stays as it is. */
int main(int argc, char **argv)
{
    int n = 60;
    MPI_Init(&argc, &argv);
#pragma xmpi domain(n) range(count, first)
    divide(n);
    make_buffers();
#pragma xmpi data distributed(u[n])
#pragma xmpi loop
    for (int k = 0; k < 9; k++)
        step();
    MPI_Finalize();
    return 0;
}
