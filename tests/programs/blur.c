/* An image filter, repeated: rank 0 makes the picture and writes it; every rank filters its lines. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char pixel;

struct image {
    int width, height;
    pixel *data;
};

static pixel clamp(int v)
{
    return v < 0 ? 0 : v > 255 ? 255 : (pixel)v;
}

static pixel at(const struct image *img, int y, int x)
{
    if (y < 0)
        y = 0;
    if (y >= img->height)
        y = img->height - 1;
    if (x < 0)
        x = 0;
    if (x >= img->width)
        x = img->width - 1;
    return img->data[y * img->width + x];
}

static void filter(const struct image *in, pixel *out, int first, int lines)
{
    static const int mask[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
    for (int y = 0; y < lines; y++)
        for (int x = 0; x < in->width; x++) {
            int sum = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    sum += mask[dy + 1][dx + 1] * at(in, first + y + dy, x + dx);
            out[y * in->width + x] = clamp((sum + 8) / 16);
        }
}

int main(int argc, char **argv)
{
    struct image img = {40, 26, NULL};
    int rank, size, times = 12;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);

    pixel *picture = malloc((size_t)img.width * img.height);
    if (rank == 0)
        for (int i = 0; i < img.width * img.height; i++)
            picture[i] = (pixel)((i * i / 3 + 7 * (i % img.width)) % 256);
    MPI_Bcast(picture, img.width * img.height, MPI_UNSIGNED_CHAR, 0, MPI_COMM_WORLD);

    int lines = img.height / size, first = lines * rank;
    if (rank == size - 1)
        lines = img.height - first;
    pixel *part = malloc((size_t)lines * img.width);
    int *sizes = malloc(size * sizeof *sizes), *starts = malloc(size * sizeof *starts);
    int bytes = lines * img.width, start = first * img.width;
    MPI_Allgather(&bytes, 1, MPI_INT, sizes, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(&start, 1, MPI_INT, starts, 1, MPI_INT, MPI_COMM_WORLD);

#pragma xmpi loop interval(2)
    for (int t = 0; t < times; t++) {
        img.data = picture;
        filter(&img, part, first, lines);
        MPI_Gatherv(part, lines * img.width, MPI_UNSIGNED_CHAR, picture, sizes, starts,
                    MPI_UNSIGNED_CHAR, 0, MPI_COMM_WORLD);
        MPI_Bcast(picture, img.width * img.height, MPI_UNSIGNED_CHAR, 0, MPI_COMM_WORLD);
    }

    if (rank == 0) {
        unsigned long sum = 0;
        for (int i = 0; i < img.width * img.height; i++)
            sum = sum * 31 + picture[i];
        printf("P5 %d %d: checksum %lu\n", img.width, img.height, sum);
    }
    free(picture);
    free(part);
    free(sizes);
    free(starts);
    MPI_Finalize();
    return 0;
}
