extern int par_rank, par_size;
void par_start(int *argc, char ***argv);
