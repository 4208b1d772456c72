/* SPDX-License-Identifier: BSD-3-Clause
 * Tiles: pipelines among the members. */
#include "observe/tiles.h"

#include <stdbool.h>

#include "act/world/world.h"

void xmpi_tiles_start(xmpi_tiling_t *tiling)
{
    *tiling = (xmpi_tiling_t){.next = XMPI_TILES_NOT, .came = XMPI_TILES_NOT};
}

static void add(xmpi_tiling_t *tiling, int way)
{
    tiling->tiles[way].number++;
    tiling->tiles[way].seconds += tiling->stretch;
}

/* Whether there is no member before, or behind, on this way. */
static bool is_first(int way)
{
    return xmpi_world.rank == (way == XMPI_TILES_UP ? 0 : xmpi_world.size - 1);
}

/* At the end of the way whatever is called next ends the tile. */
void xmpi_tiles_enter(xmpi_tiling_t *tiling, double computed)
{
    tiling->stretch = computed - tiling->computed;
    tiling->computed = computed;
    tiling->came = tiling->next;
    tiling->next = XMPI_TILES_NOT;
    if (tiling->came != XMPI_TILES_NOT && is_first(1 - tiling->came))
        add(tiling, tiling->came);
}

/* STEP from the sender to the receiver. */
static int way_of(int step, MPI_Comm comm)
{
    bool neighbours = comm == xmpi_world.comm && (step == 1 || step == -1);
    return !neighbours ? XMPI_TILES_NOT : step == 1 ? XMPI_TILES_UP : XMPI_TILES_DOWN;
}

void xmpi_tiles_received(xmpi_tiling_t *tiling, int source, MPI_Comm comm)
{
    tiling->next = way_of(xmpi_world.rank - source, comm);
}

void xmpi_tiles_sent(xmpi_tiling_t *tiling, int dest, MPI_Comm comm)
{
    int way = way_of(dest - xmpi_world.rank, comm);
    if (way == XMPI_TILES_NOT)
        return;
    if (tiling->came == way || (is_first(way) && tiling->came == XMPI_TILES_NOT))
        add(tiling, way);
}
