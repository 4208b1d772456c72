/* Sieve by passes: own flags of long long range, the next prime agreed on by all; a goto ends it.
 * The result is the same for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    int id, p;
    long long n = 400;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &id);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    long long low = id * n / p;
    long long high = (id + 1) * n / p;
    char *marked = malloc((size_t)(high - low));
    if (marked == NULL) {
        fprintf(stderr, "no memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    memset(marked, 0, (size_t)(high - low));
    long long prime = 2;
    int passes = 0;
#pragma xmpi loop
    while (1) {
        if (prime * prime >= n)
            goto done;
        for (long long i = low; i < high; i++)
            if (i > prime && i % prime == 0)
                marked[i - low] = 1;
        long long own = n, next;
        for (long long i = high - 1; i >= low; i--)
            if (i > prime && !marked[i - low])
                own = i;
        MPI_Allreduce(&own, &next, 1, MPI_LONG_LONG, MPI_MIN, MPI_COMM_WORLD);
        prime = next;
        passes++;
    }
done:;
    long long mine = 0, all = 0;
    for (long long i = low; i < high; i++)
        mine += i > 1 && !marked[i - low];
    MPI_Reduce(&mine, &all, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (id == 0)
        printf("result %d %lld %lld\n", passes, prime, all);
    free(marked);
    MPI_Finalize();
    return 0;
}
