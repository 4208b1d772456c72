/* SPDX-License-Identifier: BSD-3-Clause
 * Separately allocated rows, a linked list, a search tree, pointers to functions, to locals and to
 * thread-local variables' values, random numbers: all that every rank carries along. */
#include "point.h"

typedef struct node {
    struct node *next, *left, *right;
    double value;
    int key;
} node_t;

static node_t *first, *root;
static __thread int turns = 7;

static double twice(double x)
{
    return 2 * x;
}

static double half(double x)
{
    return x / 2;
}

static double (*functions[])(double) = {twice, half};

static void insert(node_t **at, node_t *node)
{
    while (*at != NULL)
        at = node->key < (*at)->key ? &(*at)->left : &(*at)->right;
    *at = node;
}

static unsigned long walk(const node_t *tree, unsigned long sum)
{
    return tree == NULL ? sum : walk(tree->right, mix(walk(tree->left, sum), tree->value));
}

int main(int argc, char **argv)
{
    int rank, size, n = atoi(argv[1]);
    double edge[8] = {0}, *of_edge = edge;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double **row = malloc(40 * sizeof *row);
    for (int i = 0; i < 40; i++) {
        row[i] = calloc(100 + (size_t)i, sizeof **row);
        row[i][i] = rank + i;
    }
    char *name = strdup("lists");
    srand(3u + (unsigned)rank);
    unsigned long sum = 0;
    for (int step = 0; step < n; step++) {
        XMPI_Point();
        node_t *node = calloc(1, sizeof *node);
        node->key = rand() % 1000;
        node->value = functions[step % 2](node->key + rank + turns);
        node->next = first;
        first = node;
        insert(&root, node);
        turns += rank + 1;
        double got, all, mine = 0;
        for (const node_t *x = first; x != NULL; x = x->next)
            mine += x->value;
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, (rank + 1) % size, 1, &got, 1, MPI_DOUBLE,
                     (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        of_edge[step % 8] += 1e-3 * got + 1e-6 * all;
        for (int i = 0; i < 40; i++)
            row[i][step % 100] += of_edge[i % 8];
        sum = mix(sum, edge[step % 8]);
    }
    for (int i = 0; i < 40; i++)
        for (int k = 0; k < 100; k++)
            sum = mix(sum, row[i][k]);
    say(name, walk(root, sum) + (unsigned long)turns);
    MPI_Finalize();
    return 0;
}
