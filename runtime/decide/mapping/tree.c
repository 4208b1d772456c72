/* SPDX-License-Identifier: BSD-3-Clause
 * Tree: how far nodes are from one another. */
#include "decide/mapping/tree.h"

#include <stdlib.h>
#include <string.h>

enum { LEVELS = XMPI_TREE_LEVELS, LEVEL_OF_NODES = LEVELS - 2, LEVEL_OF_PLACES = LEVELS - 1 };

/* Between nodes of one switch; far more than within a node. */
enum { COST_OF_SWITCH = 16 };

typedef struct {
    int node;
    uint16_t switches[XMPI_SWITCHES_MAX];
    int child[LEVELS]; /* of its parent: the switch at each level, then the node */
} path_t;

static int by_switches(const void *a, const void *b)
{
    const path_t *one = a, *other = b;
    for (int k = 0; k < XMPI_SWITCHES_MAX; k++)
        if (one->switches[k] != other->switches[k])
            return one->switches[k] - other->switches[k];
    return one->node - other->node;
}

/* The first level at which two sorted neighbours part. */
static int part_at(const path_t *one, const path_t *other)
{
    int level = 0;
    while (level < XMPI_SWITCHES_MAX && one->switches[level] == other->switches[level])
        level++;
    return level;
}

/* Numbers the children along the sorted PATHs, and counts the most that a parent has. */
static void number(xmpi_tree_t *tree, path_t *path)
{
    for (int k = 0; k <= LEVEL_OF_NODES; k++)
        tree->width[k] = 1;
    for (int i = 1; i < tree->nodes; i++) {
        int level = part_at(&path[i - 1], &path[i]);
        memcpy(path[i].child, path[i - 1].child, (size_t)level * sizeof(int));
        path[i].child[level] = path[i - 1].child[level] + 1;
        if (path[i].child[level] >= tree->width[level])
            tree->width[level] = path[i].child[level] + 1;
    }
}

static xmpi_status_t count_leaves(xmpi_tree_t *tree, xmpi_error_t *error)
{
    tree->leaves = 1;
    for (int k = 0; k < LEVELS; k++) {
        if (tree->leaves > INT32_MAX / tree->width[k])
            return xmpi_error_set(error, XMPI_ERR_INPUT,
                                  "%d nodes: their switches differ too much in what is behind them",
                                  tree->nodes);
        tree->leaves *= tree->width[k];
    }
    return XMPI_OK;
}

static void set_leaves(xmpi_tree_t *tree, const path_t *path)
{
    for (int i = 0; i < tree->nodes; i++) {
        int leaf = 0;
        for (int k = 0; k < LEVELS; k++)
            leaf = leaf * tree->width[k] + path[i].child[k];
        tree->leaf[path[i].node] = leaf;
    }
}

/* Levels at which nothing parts say nothing; those of nodes and places stay. */
static void compress(xmpi_tree_t *tree)
{
    for (int k = 0; k < LEVELS; k++)
        if (tree->width[k] > 1 || k >= LEVEL_OF_NODES)
            tree->width[tree->levels++] = tree->width[k];
    tree->cost[tree->levels - 1] = 1;
    for (int k = tree->levels - 2, cost = COST_OF_SWITCH; k >= 0; k--, cost *= 2)
        tree->cost[k] = cost;
}

xmpi_status_t xmpi_tree_make(xmpi_tree_t *tree, int nodes,
                             const uint16_t (*switches)[XMPI_SWITCHES_MAX], int places,
                             xmpi_error_t *error)
{
    path_t *path = calloc((size_t)nodes + 1, sizeof *path);
    *tree = (xmpi_tree_t){.nodes = nodes, .leaf = calloc((size_t)nodes + 1, sizeof *tree->leaf)};
    xmpi_status_t status = XMPI_OK;
    if (path == NULL || tree->leaf == NULL)
        status = xmpi_error_set(error, XMPI_ERR_MEMORY, "no memory for a tree of nodes");
    for (int i = 0; i < nodes && status == XMPI_OK; i++) {
        path[i].node = i;
        memcpy(path[i].switches, switches[i], sizeof path[i].switches);
    }
    if (status == XMPI_OK) {
        qsort(path, (size_t)nodes, sizeof *path, by_switches);
        number(tree, path);
        tree->width[LEVEL_OF_PLACES] = places > 0 ? places : 1;
        status = count_leaves(tree, error);
    }
    if (status == XMPI_OK) {
        set_leaves(tree, path);
        compress(tree);
    } else {
        xmpi_tree_free(tree);
    }
    free(path);
    return status;
}

void xmpi_tree_free(xmpi_tree_t *tree)
{
    free(tree->leaf);
    memset(tree, 0, sizeof *tree);
}

int xmpi_tree_cost(const xmpi_tree_t *tree, int one, int other)
{
    int64_t below = tree->leaves; /* leaves under an object of the level */
    if (one == other)
        return 0;
    for (int k = 0; k < tree->levels; k++) {
        below /= tree->width[k];
        if (tree->leaf[one] / below != tree->leaf[other] / below)
            return tree->cost[k];
    }
    return 0;
}
