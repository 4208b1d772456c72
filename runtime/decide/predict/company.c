/* SPDX-License-Identifier: BSD-3-Clause
 * Company: the groups that members of a layout or plan are in. */
#include "decide/predict/company.h"

/* Member I with ROWS comes to the groups of 1, 2, 4, ... members; SUM: rows of those that are not
 * full yet. A full group goes into the next larger one, as in a binary counter. */
static void add_to_groups(xmpi_company_t *company, int i, int64_t rows, int64_t *sum)
{
    int k = 0;
    for (; k < XMPI_GROUPS - 1; k++) {
        if (rows > company->group[k])
            company->group[k] = rows;
        if ((i >> k & 1) == 0)
            break;
        rows += sum[k]; /* that of its neighbour, which was full */
    }
    sum[k] = rows;
}

/* The last groups may never be full. */
static void close_groups(xmpi_company_t *company, const int64_t *sum)
{
    int64_t rest = 0;
    for (int k = 0; k < XMPI_GROUPS; k++) {
        if (rest > company->group[k])
            company->group[k] = rest;
        if (company->members >> k & 1)
            rest += sum[k];
    }
}

static void look_at_place(const xmpi_predictor_t *predictor, int pe, int64_t rows, int *node,
                          int64_t *sum, xmpi_company_t *company)
{
    int here = pe >= 0 ? predictor->nodes.of_pe[pe] : -1;
    if (company->members++ > 0 && here != *node)
        company->link = XMPI_LINK_NETWORK;
    *node = here;
    add_to_groups(company, company->members - 1, rows, sum);
}

xmpi_company_t xmpi_company_of_layout(const xmpi_predictor_t *predictor)
{
    xmpi_company_t company = {.link = XMPI_LINK_NODE};
    int64_t sum[XMPI_GROUPS] = {0};
    int node = -1;
    for (int i = 0; i < predictor->at.layout->members; i++)
        look_at_place(predictor, predictor->speeds.member_pe[i],
                      predictor->at.layout->member[i].block.count, &node, sum, &company);
    close_groups(&company, sum);
    return company;
}

static int place_pe(const xmpi_predictor_t *predictor, const xmpi_place_t *place)
{
    return place->origin == XMPI_STAYS ? predictor->speeds.member_pe[place->from] : place->pe;
}

xmpi_company_t xmpi_company_of_plan(const xmpi_predictor_t *predictor, const xmpi_plan_t *plan)
{
    xmpi_company_t company = {.link = XMPI_LINK_NODE};
    int64_t sum[XMPI_GROUPS] = {0};
    int node = -1;
    for (int i = 0; i < plan->places; i++)
        look_at_place(predictor, place_pe(predictor, &plan->place[i]), plan->place[i].block.count,
                      &node, sum, &company);
    close_groups(&company, sum);
    return company;
}
