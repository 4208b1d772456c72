/* SPDX-License-Identifier: BSD-3-Clause
 * Rank 1 has something that cannot go elsewhere: what the second argument says. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <search.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <threads.h>
#include <unistd.h>

#include "point.h"

static int number;

/* Memory of the C library, or what only the process has. */
static int *take_more(const char *what)
{
    static struct hsearch_data table;
    static char byte;
    char *word = NULL;
    tss_t key;
    if (strcmp(what, "sbrk") == 0)
        return memset(sbrk(4096), 0, sizeof(int));
    if (strcmp(what, "table") == 0)
        hcreate_r(10, &table);
    if (strcmp(what, "key") == 0)
        tss_create(&key, NULL);
    if (strcmp(what, "word") == 0 && sscanf("one two", "%*s%ms", &word) == 1)
        return memset(word, 0, sizeof(int));
    if (strcmp(what, "gone") == 0 && open("stays.gone", O_RDWR | O_CREAT, 0600) >= 0)
        unlink("stays.gone");
    if (strcmp(what, "lock") == 0)
        fcntl(open("stays.lock", O_RDWR | O_CREAT, 0600), F_SETLK,
              &(struct flock){.l_type = F_WRLCK});
    if (strcmp(what, "locale") == 0)
        newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (strcmp(what, "input") == 0 && read(STDIN_FILENO, &byte, 0) < 0)
        return NULL;
    return &number;
}

static void *wait_for_end(void *pipe_end)
{
    char byte;
    return read(*(int *)pipe_end, &byte, 1) < 0 ? NULL : pipe_end;
}

static int *take(const char *what)
{
    static int ends[2];
    pthread_t thread;
    FILE *null = fopen("/dev/zero", "r");
    if (strcmp(what, "mmap") == 0)
        return mmap(NULL, sizeof(int), PROT_READ | PROT_WRITE, MAP_PRIVATE | 0x20, -1, 0);
    if (strcmp(what, "pipe") == 0 && pipe(ends) == 0)
        return &number;
    if (strcmp(what, "thread") == 0 && pthread_create(&thread, NULL, wait_for_end, ends) == 0)
        return &number;
    if (strcmp(what, "fileno") == 0 && fileno(null) >= 0)
        return &number;
    if (strcmp(what, "timer") == 0) {
        struct itimerval long_time = {{0, 0}, {10000, 0}};
        setitimer(ITIMER_REAL, &long_time, NULL);
    }
    return take_more(what);
}

int main(int argc, char **argv)
{
    int rank, sum, *mine = &number, n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        mine = take(argv[2]);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_File file = MPI_FILE_NULL;
    MPI_Win win = MPI_WIN_NULL;
    int early = 0, pending = strcmp(argv[2], "request") == 0;
    if (rank == 1 && pending)
        MPI_Irecv(&early, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
    if (rank == 1 && strcmp(argv[2], "file") == 0)
        MPI_File_open(MPI_COMM_SELF, "stays.data",
                      MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                      &file);
    if (strcmp(argv[2], "window") == 0)
        MPI_Win_create(&number, sizeof number, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0 && strcmp(argv[2], "message") == 0)
        MPI_Send(&early, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    for (int step = 0; step < n; step++) {
        XMPI_Point();
        *mine += step;
    }
    if (rank == 0 && pending)
        MPI_Send(&n, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 1 && strcmp(argv[2], "message") == 0)
        MPI_Recv(&early, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (file != MPI_FILE_NULL)
        MPI_File_close(&file);
    if (win != MPI_WIN_NULL)
        MPI_Win_free(&win);
    early += *mine;
    MPI_Allreduce(&early, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", sum);
    MPI_Finalize();
    return 0;
}
