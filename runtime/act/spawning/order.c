/* SPDX-License-Identifier: BSD-3-Clause
 * Orders and seats, as they come from elsewhere. */
#include "act/spawning/order.h"

#include <string.h>

bool xmpi_order_read(xmpi_pack_t *pack, xmpi_order_head_t *head)
{
    xmpi_pack_get(pack, head, sizeof *head);
    return pack->status == XMPI_OK && head->order >= XMPI_ORDER_JOIN &&
           head->order <= XMPI_ORDER_LEAVE && xmpi_door_is_sound(&head->door);
}

bool xmpi_seats_are_sound(const xmpi_seat_t *seats, int n)
{
    for (int i = 0; i < n; i++)
        if (memchr(seats[i].node, '\0', sizeof seats[i].node) == NULL)
            return false;
    return true;
}

int xmpi_seats_together(const xmpi_seat_t *seats, int n)
{
    int together = 1;
    while (seats[0].group > 0 && together < n && seats[together].group == seats[0].group)
        together++;
    return together;
}
