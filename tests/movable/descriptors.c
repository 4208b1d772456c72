/* SPDX-License-Identifier: BSD-3-Clause
 * Descriptors: files that open and its like have made, one of them written at its end only, one
 * that is read while it grows, one without a name that anybody knows before, and a stream whose
 * descriptor is used beside it. What was closed before does not matter. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/stat.h>

#include "point.h"

enum { WHOLE, END, GROWING, TEMPORARY, FILES };

static int file[FILES];
static FILE *stream;
static char temporary[] = "./temporary.XXXXXX";

static void begin(int rank)
{
    char name[64], byte;
    int early = open("/proc/self/exe", O_RDONLY);
    unsigned long sum = read(early, &byte, 1) == 1;
    close(early);
    snprintf(name, sizeof name, "whole.%d", rank);
    file[WHOLE] = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    snprintf(name, sizeof name, "end.%d", rank);
    unlink(name);
    file[END] = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    file[GROWING] = openat(AT_FDCWD, name, O_RDONLY);
    file[TEMPORARY] = mkstemp(temporary);
    snprintf(name, sizeof name, "stream.%d", rank);
    stream = fopen(name, "w+");
    if (sum != 1 || stream == NULL || file[TEMPORARY] < 0 || file[GROWING] < 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
}

static unsigned long of_files(unsigned long sum, int step, int rank)
{
    char byte[3];
    struct stat status;
    dprintf(file[WHOLE], "%d;", step * rank);
    if (step % 5 == 4 && lseek(file[WHOLE], -3, SEEK_CUR) > 0 && read(file[WHOLE], byte, 3) == 3)
        sum = mix(sum, byte[1]);
    sum = mix(sum, (double)lseek(file[WHOLE], 0, SEEK_CUR));
    if (write(file[END], "xyz", 3) == 3 && read(file[GROWING], byte, 2) == 2)
        sum = mix(sum, byte[0] + (double)lseek(file[GROWING], 0, SEEK_CUR));
    sum = mix(sum, fcntl(file[END], F_GETFD) + (fcntl(file[END], F_GETFL) & O_APPEND));
    if (pwrite(file[TEMPORARY], &step, sizeof step, step * 2) > 0 &&
        fstat(file[TEMPORARY], &status) == 0)
        sum = mix(sum, (double)status.st_size);
    return sum;
}

static unsigned long of_stream(unsigned long sum, int step, int fd)
{
    fseek(stream, 0, SEEK_END);
    fprintf(stream, "step %d", step);
    fflush(stream);
    if (step % 2 == 1 && write(fd, "itself", 6) == 6)
        sum = mix(sum, 1);
    return mix(sum, (double)lseek(fd, 0, SEEK_CUR) + (fileno(stream) == fd));
}

static unsigned long end(unsigned long sum)
{
    char byte;
    lseek(file[WHOLE], 0, SEEK_SET);
    while (read(file[WHOLE], &byte, 1) == 1)
        sum = mix(sum, byte);
    rewind(stream);
    for (int c; (c = getc(stream)) != EOF;)
        sum = mix(sum, c);
    fclose(stream);
    for (int i = 0; i < FILES; i++)
        close(file[i]);
    unlink(temporary);
    return sum;
}

int main(int argc, char **argv)
{
    int rank, n = atoi(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    begin(rank);
    int fd = fileno(stream);
    unsigned long sum = 0;
    for (int step = 0; step < n; step++) {
        XMPI_Point();
        sum = of_stream(of_files(sum, step, rank), step, fd);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    say("descriptors", end(sum));
    MPI_Finalize();
    return 0;
}
