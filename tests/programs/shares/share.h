/* The rows of a process. */
void share(int n, int rank, int size, int *first, int *count);
