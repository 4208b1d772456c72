/* Numbers in a book that does not fit in memory: every rank keeps its pages in a file, by a stream,
 * with a page of its neighbours on each side, and goes through them by several pages at a time. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS = 9 };

static const long bytes = NUMBERS * sizeof(int);

static long least(long one, long other)
{
    return one <= other ? one : other;
}

static void need(int good, const char *what)
{
    if (!good) {
        fprintf(stderr, "cannot %s the book\n", what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* Hands back how much the pages have grown. */
static long write_on(int *pages, int many, int number, long grown)
{
    long more = 0;
    for (int page = 0; page < many; page++) {
        int *now = pages + page * NUMBERS;
        for (int i = 0; i < NUMBERS; i++) {
            int add = (now[i] + number + page + grown) % 5;
            now[i] += add;
            more += add;
        }
    }
    return more;
}

int main(int argc, char **argv)
{
    int rank, size, pages = 43, days = 25;
    char name[64];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int most = argc > 1 ? atoi(argv[1]) : 5;
    int first = rank * pages / size;
    long count = (rank + 1) * pages / size - first;

    sprintf(name, "book.%d", rank);
    FILE *book = fopen(name, "w+b");
    need(book != NULL, "open");
    for (int page = 0; page < count + 2; page++) {
        int numbers[NUMBERS];
        for (int i = 0; i < NUMBERS; i++)
            numbers[i] = (first + page) * 10 + i;
        need(fwrite(numbers, bytes, 1, book) == 1, "begin");
    }
#pragma xmpi data file(int book[pages][NUMBERS]: 1)

    int *open_pages = malloc(most * bytes);
    long grown = 0;
#pragma xmpi loop interval(1)
    for (int day = 0; day < days; day++) {
        long mine = 0;
        for (long at = 0; at < count; at += most) {
            long here = least(count - at, most);
            fseek(book, (at + 1) * bytes, SEEK_SET);
            need((long)fread(open_pages, bytes, here, book) == here, "read");
            mine += write_on(open_pages, here, first + at, grown);
            fseek(book, (at + 1) * bytes, SEEK_SET);
            need((long)fwrite(open_pages, bytes, here, book) == here, "write");
        }
        rewind(book);
        MPI_Allreduce(&mine, &grown, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    }

    long sum = 0, all;
    for (int page = 0; page < count; page++) {
        int numbers[NUMBERS];
        fseek(book, (page + 1) * bytes, SEEK_SET);
        need(fread(numbers, bytes, 1, book) == 1, "read");
        for (int i = 0; i < NUMBERS; i++)
            sum += numbers[i] * (i + 1L) * (first + page);
    }
    MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("grown %ld, sum %ld\n", grown, all);
    free(open_pages);
    fclose(book);
    remove(name);
    MPI_Finalize();
    return 0;
}
