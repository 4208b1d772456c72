/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of a board of cells. */
#include "board.h"

#include <stdint.h>
#include <string.h>

/* Rows of a pattern, its lines separated by blanks. */
static const struct {
    const char *name, *cells;
} patterns[] = {
    {"glider", ".#. ..# ###"},
    {"pentomino", ".## ##. .#."},
    {"acorn", ".#..... ...#... ##..###"},
};

/* Marsaglia's xorshift, started anew at each cell, so that no process needs the others' numbers. */
static int random_cell(int n, int row, int column)
{
    uint64_t x = ((uint64_t)row * (uint64_t)n + (uint64_t)column + 1) * 0x9e3779b97f4a7c15u;
    for (int i = 0; i < 3; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    return (x >> 40) % 3 == 0;
}

int board_pattern(const char *name, int n, int row, int column)
{
    if (strcmp(name, "random") == 0)
        return random_cell(n, row, column);
    for (unsigned i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        const char *line = patterns[i].cells;
        if (strcmp(patterns[i].name, name) != 0)
            continue;
        for (int skip = row - n / 2; skip > 0 && line != NULL; skip--)
            line = (line = strchr(line, ' ')) != NULL ? line + 1 : NULL;
        int at = column - n / 2, width = line != NULL ? (int)strcspn(line, " ") : 0;
        return row >= n / 2 && at >= 0 && at < width && line[at] == '#';
    }
    return -1;
}

/* The cell at J, whose neighbours are at LEFT and RIGHT. */
static unsigned char next_of(const unsigned char *own, int n, int left, int j, int right)
{
    const unsigned char *up = own - n, *down = own + n;
    unsigned char alive = (unsigned char)(up[left] + up[j] + up[right] + own[left] + own[right] +
                                          down[left] + down[j] + down[right]);
    return (alive == 3) | ((alive == 2) & own[j]);
}

void board_step(const unsigned char *rows, unsigned char *next, int count, int n)
{
    for (int i = 0; i < count; i++, next += n) {
        const unsigned char *own = rows + (long)(i + 1) * n;
        next[0] = next_of(own, n, n - 1, 0, 1);
        for (int j = 1; j < n - 1; j++)
            next[j] = next_of(own, n, j - 1, j, j + 1);
        next[n - 1] = next_of(own, n, n - 2, n - 1, 0);
    }
}
