/* What the program asks of MPI, in a file of its own. */
int my_rank(void);
int my_size(void);
double from_right(double first, int left, int right);
