/* SPDX-License-Identifier: BSD-3-Clause
 * The processing elements that the program may use, as the policies see them. */
#include "decide/layout/resources.h"

#include <stdlib.h>
#include <string.h>

void xmpi_resources_free(xmpi_resources_t *resources)
{
    free(resources->pe);
    memset(resources, 0, sizeof *resources);
}

xmpi_status_t xmpi_resources_add(xmpi_resources_t *resources, const xmpi_pe_t *pe, int n)
{
    size_t all = (size_t)resources->pes + (size_t)n;
    xmpi_pe_t *grown = n > 0 ? realloc(resources->pe, all * sizeof *grown) : resources->pe;
    if (grown == NULL)
        return n > 0 ? XMPI_ERR_MEMORY : XMPI_OK;
    resources->pe = grown;
    for (int i = 0; i < n; i++)
        resources->pe[resources->pes++] = *pe;
    return XMPI_OK;
}

int xmpi_resources_enter(xmpi_resources_t *resources, const char *name)
{
    for (int i = 0; i < resources->classes; i++)
        if (strcmp(resources->class_name[i], name) == 0)
            return i;
    if (resources->classes == XMPI_CLASSES_MAX)
        return -1;
    strcpy(resources->class_name[resources->classes], name);
    return resources->classes++;
}

bool xmpi_pe_usable(const xmpi_resources_t *resources, int pe)
{
    const xmpi_pe_t *p = &resources->pe[pe];
    return !p->withdrawn && !(p->rests && p->process < 0) &&
           (p->process >= 0 ? p->parked : resources->can_spawn);
}

int xmpi_pe_on_node(const xmpi_resources_t *resources, int pe)
{
    int before = 0;
    const char *node = resources->pe[pe].node;
    for (int i = 0; i < pe; i++)
        before += node[0] == '\0' || resources->pe[i].node[0] == '\0' ||
                  strcmp(resources->pe[i].node, node) == 0;
    return before;
}

bool xmpi_pe_reached(const xmpi_resources_t *resources, int pe)
{
    for (int i = 0; i < resources->pes; i++)
        if ((resources->pe[i].process >= 0 || resources->pe[i].reached) &&
            strcmp(resources->pe[i].node, resources->pe[pe].node) == 0)
            return true;
    return false;
}

void xmpi_resources_rest(xmpi_resources_t *resources, int pe, double now, double seconds)
{
    enum { HOUR = 3600, DOUBLINGS = 20 };
    const xmpi_pe_t *called = &resources->pe[pe];
    int before = called->failures < DOUBLINGS ? called->failures : DOUBLINGS;
    double doubled = seconds * (double)(1 << before), most = seconds > HOUR ? seconds : HOUR;
    if (called->node[0] == '\0')
        return;
    for (int i = 0; i < resources->pes; i++)
        if (strcmp(resources->pe[i].node, called->node) == 0) {
            resources->pe[i].rests = true;
            resources->pe[i].rests_until = now + (doubled < most ? doubled : most);
            resources->pe[i].failures = before + 1;
        }
}

void xmpi_resources_wake(xmpi_resources_t *resources, double now)
{
    for (int i = 0; i < resources->pes; i++)
        if (resources->pe[i].rests && resources->pe[i].rests_until <= now)
            resources->pe[i].rests = false;
}

int xmpi_resources_usable(const xmpi_resources_t *resources, int class_index)
{
    int n = 0;
    for (int i = 0; i < resources->pes; i++)
        if (class_index == XMPI_ANY_CLASS || resources->pe[i].class_index == class_index)
            n += xmpi_pe_usable(resources, i);
    return n;
}

int xmpi_resources_class(const xmpi_resources_t *resources, const char *name)
{
    if (strcmp(name, "any") == 0)
        return XMPI_ANY_CLASS;
    for (int i = 0; i < resources->classes; i++)
        if (strcmp(resources->class_name[i], name) == 0)
            return i;
    return -2;
}

int xmpi_resources_pe_of(const xmpi_resources_t *resources, int process)
{
    for (int i = 0; i < resources->pes; i++)
        if (resources->pe[i].process == process)
            return i;
    return -1;
}

int *xmpi_members_pes(const xmpi_layout_t *layout, const xmpi_resources_t *resources)
{
    int last = 0;
    for (int rank = 0; rank < layout->members; rank++)
        last = layout->member[rank].process > last ? layout->member[rank].process : last;
    int *of_process = malloc(((size_t)last + 1) * sizeof *of_process);
    int *pes = malloc(((size_t)layout->members + 1) * sizeof *pes);
    if (of_process == NULL || pes == NULL) {
        free(of_process);
        free(pes);
        return NULL;
    }
    for (int process = 0; process <= last; process++)
        of_process[process] = -1;
    for (int pe = resources->pes - 1; pe >= 0; pe--)
        if (resources->pe[pe].process >= 0 && resources->pe[pe].process <= last)
            of_process[resources->pe[pe].process] = pe;
    for (int rank = 0; rank < layout->members; rank++)
        pes[rank] = of_process[layout->member[rank].process];
    free(of_process);
    return pes;
}
