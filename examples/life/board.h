/* SPDX-License-Identifier: BSD-3-Clause
 * Rows of a board of cells, 1 alive and 0 dead, with the row before them and the one behind them.
 */
#ifndef BOARD_H
#define BOARD_H

/* What a cell at (ROW, COLUMN) of a board of N x N is in the pattern NAME at first: glider,
 * pentomino (the R-pentomino), acorn, in its middle, or random. -1: there is no such pattern. */
int board_pattern(const char *name, int n, int row, int column);

/* The next generation NEXT (COUNT rows) of the COUNT rows of N cells behind the first of ROWS,
 * which has two rows more. The left and the right edge are neighbours. */
void board_step(const unsigned char *rows, unsigned char *next, int count, int n);

#endif
