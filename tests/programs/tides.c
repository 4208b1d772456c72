/* Water that follows a matrix of gauges in a file that all ranks have open by MPI, and read row by
 * row, in turn by one variable and by two of an array. In the end each has it open three times,
 * which rank 0 prints. What it rains is in a file that is gone when it is closed. */
#include <dirent.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { GAUGES = 43, HOURS = 400 };

static const char name[] = "tides.gauges", rains[] = "tides.rain";

static void need(int good, const char *what)
{
    if (!good) {
        perror(what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

/* How many descriptors there are of the file. */
static int descriptors(void)
{
    int found = 0;
    struct stat its, other;
    DIR *list = opendir("/proc/self/fd");
    need(list != NULL && stat(name, &its) == 0, "look");
    for (struct dirent *entry; (entry = readdir(list)) != NULL;)
        if (entry->d_name[0] != '.' && fstat(atoi(entry->d_name), &other) == 0)
            found += other.st_dev == its.st_dev && other.st_ino == its.st_ino;
    closedir(list);
    return found;
}

static void make_file(int rank)
{
    FILE *file = rank == 0 ? fopen(name, "w") : NULL;
    need(rank != 0 || file != NULL, name);
    for (int i = 0; i < GAUGES && rank == 0; i++)
        for (int j = 0; j < GAUGES; j++) {
            double gauge = 1.0 / (1 + abs(i - j)) + i % 3;
            need(fwrite(&gauge, sizeof gauge, 1, file) == 1, name);
        }
    need(rank != 0 || fclose(file) == 0, name);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void make_rain(int rank)
{
    FILE *file = rank == 0 ? fopen(rains, "w") : NULL;
    need(rank != 0 || file != NULL, rains);
    for (int hour = 0; hour < HOURS && rank == 0; hour++) {
        double rain = hour % 7 / 8.0;
        need(fwrite(&rain, sizeof rain, 1, file) == 1, rains);
    }
    need(rank != 0 || fclose(file) == 0, rains);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_File gauges, more[2], sky;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * GAUGES / size;
    int count = (rank + 1) * GAUGES / size - first;

    make_file(rank);
    make_rain(rank);
    need(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &gauges) ==
             MPI_SUCCESS,
         name);
    need(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &more[0]) ==
             MPI_SUCCESS,
         name);
    need(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &more[1]) ==
             MPI_SUCCESS,
         name);
    need(MPI_File_open(MPI_COMM_WORLD, rains, MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE,
                       MPI_INFO_NULL, &sky) == MPI_SUCCESS,
         rains);
    double *water = malloc(count * sizeof *water);
    for (int i = 0; i < count; i++)
        water[i] = (first + i) % 5;

    double level = 1;
#pragma xmpi loop divisible interval(1)
    for (int hour = 0; hour < HOURS; hour++) {
        double high = 0, rain = 0;
        MPI_File_read_at(sky, (MPI_Offset)(hour * sizeof rain), &rain, 1, MPI_DOUBLE,
                         MPI_STATUS_IGNORE);
        for (int i = 0; i < count; i++) {
            double row[GAUGES];
            MPI_File_read_at(i % 3 == 2 ? gauges : more[i % 3],
                             (MPI_Offset)((first + i) * sizeof row), row, GAUGES, MPI_DOUBLE,
                             MPI_STATUS_IGNORE);
            for (int j = 0; j < GAUGES; j++)
                water[i] = 0.75 * water[i] + row[j] / level + rain;
            high = water[i] > high ? water[i] : high;
        }
        MPI_Allreduce(&high, &level, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }

    int open_here = descriptors(), most;
    MPI_Reduce(&open_here, &most, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_File_close(&gauges);
    MPI_File_close(&more[0]);
    MPI_File_close(&more[1]);
    MPI_File_close(&sky);
    if (rank == 0)
        printf("level %.15g, open %d\n", level, most);
    free(water);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        remove(name);
    MPI_Finalize();
    return 0;
}
