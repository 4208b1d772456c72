/* Who does what: the first rows are a little more. */
#include "share.h"

void share(int n, int rank, int size, int *first, int *count)
{
    *count = n / size + (rank < n % size);
    *first = rank * (n / size) + (rank < n % size ? rank : n % size);
}
