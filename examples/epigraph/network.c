/* SPDX-License-Identifier: BSD-3-Clause
 * Makes a network of contacts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "network.h"

enum {
    MAKE_REGION = DRAW_GENERATE,
    MAKE_HOUSEHOLD,
    MAKE_AGE,
    MAKE_SHUFFLE,
    MAKE_GROUP,
    MAKE_WEIGHT,
    MAKE_FRIEND
};

enum {
    HOUSEHOLD_MAX = 6,
    GROUP_MIN = 5,
    GROUP_MAX = 200,
    COLLEAGUES = 5, /* on either side, in the circle of a group */
};

static const double COUNTRY = 300;    /* km on a side */
static const double GROUP_SKEW = 1.8; /* of the sizes of groups */
static const double HUB = 200;        /* greatest weight at leisure, in multiples of the least */

/* --- contacts, in the order in which they are made -------------------------------------------- */

struct edge {
    int32_t one, other;
    uint8_t kind;
};

struct edges {
    struct edge *item;
    size_t n, capacity;
    int failed;
};

static void connect(struct edges *edges, int one, int other, enum kind kind)
{
    if (one == other || edges->failed)
        return;
    if (edges->n == edges->capacity) {
        size_t capacity = 2 * edges->capacity + 1024;
        struct edge *item = realloc(edges->item, capacity * sizeof *item);
        if (item == NULL) {
            edges->failed = 1;
            return;
        }
        edges->item = item;
        edges->capacity = capacity;
    }
    edges->item[edges->n++] = (struct edge){one, other, (uint8_t)kind};
}

/* --- regions ---------------------------------------------------------------------------------- */

/* Sizes by Zipf's law, at least one person each; the rest of the rounding goes to the first. */
static void make_regions(const struct recipe *recipe, struct region *region)
{
    double total = 0;
    int64_t left = recipe->persons;
    for (int r = 0; r < recipe->regions; r++)
        total += 1.0 / (r + 1);
    for (int r = 0; r < recipe->regions; r++) {
        struct words words = draw(recipe->seed, MAKE_REGION, (uint32_t)r, 0, 0);
        int64_t persons = 1 + (int64_t)((recipe->persons - recipe->regions) / ((r + 1) * total));
        region[r] = (struct region){0, persons, COUNTRY * unit(words.word[0]),
                                    COUNTRY * unit(words.word[1])};
        left -= persons;
    }
    region[0].persons += left;
    for (int r = 1; r < recipe->regions; r++)
        region[r].first = region[r - 1].first + region[r - 1].persons;
}

/* --- households ------------------------------------------------------------------------------- */

static int household_size(uint32_t word)
{
    static const double share[HOUSEHOLD_MAX] = {0.27, 0.30, 0.19, 0.16, 0.06, 0.02};
    double chance = unit(word);
    int size = 1;
    while (size < HOUSEHOLD_MAX && (chance -= share[size - 1]) >= 0)
        size++;
    return size;
}

/* In households of three and more the third and later ones are children. */
static uint8_t make_age(const struct recipe *recipe, int who, int place, int size)
{
    uint32_t word = draw(recipe->seed, MAKE_AGE, (uint32_t)who, 0, 0).word[0];
    if (size >= 3)
        return (uint8_t)(place < 2 ? 25 + below(word, 35) : below(word, 22));
    return (uint8_t)(18 + below(word, 75));
}

static void make_households(const struct recipe *recipe, const struct region *region, uint8_t *age,
                            struct edges *edges)
{
    int end = (int)(region->first + region->persons);
    for (int first = (int)region->first; first < end;) {
        struct words words = draw(recipe->seed, MAKE_HOUSEHOLD, (uint32_t)first, 0, 0);
        int size = household_size(words.word[0]);
        size = size < end - first ? size : end - first;
        for (int i = 0; i < size; i++) {
            age[first + i] = make_age(recipe, first + i, i, size);
            for (int j = i + 1; j < size; j++)
                connect(edges, first + i, first + j, AT_HOME);
        }
        first += size;
    }
}

/* --- work and school -------------------------------------------------------------------------- */

static int group_size(uint32_t word)
{
    double size = GROUP_MIN * pow(1 - unit(word), -1 / (GROUP_SKEW - 1));
    return size < GROUP_MAX ? (int)size : GROUP_MAX;
}

static void shuffle(const struct recipe *recipe, int first, int n, int *person)
{
    for (int i = 0; i < n; i++)
        person[i] = first + i;
    for (int i = n - 1; i > 0; i--) {
        uint32_t word = draw(recipe->seed, MAKE_SHUFFLE, (uint32_t)(first + i), 0, 0).word[0];
        int j = (int)below(word, (uint64_t)i + 1), swap = person[i];
        person[i] = person[j];
        person[j] = swap;
    }
}

/* The people of a group stand in a circle and know their neighbours: many triangles. */
static void make_group(const int *person, int size, struct edges *edges)
{
    for (int i = 0; i < size; i++)
        for (int k = 1; k <= COLLEAGUES && 2 * k < size + 1; k++)
            if (2 * k < size || i < k)
                connect(edges, person[i], person[(i + k) % size], AT_WORK);
}

static int make_groups(const struct recipe *recipe, const struct region *region,
                       struct edges *edges)
{
    int n = (int)region->persons, *person = malloc((size_t)n * sizeof *person);
    if (person == NULL)
        return -1;
    shuffle(recipe, (int)region->first, n, person);
    for (int first = 0; first < n;) {
        struct words words =
            draw(recipe->seed, MAKE_GROUP, (uint32_t)(region->first + first), 0, 0);
        int size = group_size(words.word[0]);
        size = size < n - first ? size : n - first;
        make_group(person + first, size, edges);
        first += size;
    }
    free(person);
    return 0;
}

/* --- leisure ---------------------------------------------------------------------------------- */

/* Each person has a weight from a power law; contacts join two persons drawn by weight (F. Chung,
 * L. Lu, Annals of Combinatorics 6, 2002), so that the numbers of contacts follow the law. */
static int person_at(const double *sum, int n, double at)
{
    int low = 0, high = n - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (sum[middle] <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* In large towns people meet more others (L. Bettencourt, Science 340, 2013: exponent 1/6). */
static double town_factor(const struct recipe *recipe, const struct region *region)
{
    double mean = (double)recipe->persons / recipe->regions;
    return pow((double)region->persons / mean, 1.0 / 6);
}

static int make_friends(const struct recipe *recipe, const struct region *region,
                        struct edges *edges)
{
    int n = (int)region->persons, first = (int)region->first;
    double total = 0, *sum = malloc((size_t)n * sizeof *sum);
    if (sum == NULL)
        return -1;
    for (int i = 0; i < n; i++) {
        uint32_t word = draw(recipe->seed, MAKE_WEIGHT, (uint32_t)(first + i), 0, 0).word[0];
        double weight = pow(1 - unit(word), -1 / (recipe->skew - 1));
        total += weight < HUB ? weight : HUB;
        sum[i] = total;
    }
    int64_t contacts = (int64_t)(n * recipe->leisure * town_factor(recipe, region) / 2);
    for (int64_t k = 0; k < contacts; k++) {
        struct words words =
            draw(recipe->seed, MAKE_FRIEND, (uint32_t)first, (uint32_t)k, (uint32_t)(k >> 32));
        connect(edges, first + person_at(sum, n, total * unit(words.word[0])),
                first + person_at(sum, n, total * unit(words.word[1])), AT_LEISURE);
    }
    free(sum);
    return 0;
}

/* --- the whole -------------------------------------------------------------------------------- */

struct contact {
    int32_t other;
    uint8_t kind;
};

static int compare_contacts(const void *one, const void *other)
{
    const struct contact *a = one, *b = other;
    if (a->other != b->other)
        return a->other < b->other ? -1 : 1;
    return (a->kind > b->kind) - (a->kind < b->kind);
}

/* The contacts of each person one after another, each edge in both directions. */
static void spread_out(const struct edges *edges, int persons, int64_t *contact, struct contact *to)
{
    for (size_t i = 0; i < edges->n; i++) {
        contact[edges->item[i].one + 1]++;
        contact[edges->item[i].other + 1]++;
    }
    for (int i = 0; i < persons; i++)
        contact[i + 1] += contact[i];
    for (size_t i = 0; i < edges->n; i++) {
        const struct edge *edge = &edges->item[i];
        to[contact[edge->one]++] = (struct contact){edge->other, edge->kind};
        to[contact[edge->other]++] = (struct contact){edge->one, edge->kind};
    }
    memmove(contact + 1, contact, (size_t)persons * sizeof *contact);
    contact[0] = 0;
}

/* Sorts the contacts of each person; of several with the same one the closest stays. */
static void tidy(int persons, struct contact *from, struct network *network)
{
    int64_t kept = 0, begin = 0;
    for (int i = 0; i < persons; i++) {
        int64_t end = network->contact[i + 1];
        qsort(from + begin, (size_t)(end - begin), sizeof *from, compare_contacts);
        for (int64_t k = begin; k < end; k++) {
            if (k > begin && from[k].other == from[k - 1].other)
                continue;
            network->other[kept] = from[k].other;
            network->kind[kept++] = from[k].kind;
        }
        network->contact[i + 1] = kept;
        begin = end;
    }
}

static int assemble(const struct recipe *recipe, const struct edges *edges, struct network *network)
{
    size_t ends = 2 * edges->n + 1;
    struct contact *to = malloc(ends * sizeof *to);
    network->other = malloc(ends * sizeof *network->other);
    network->kind = malloc(ends);
    int good = !edges->failed && to != NULL && network->other != NULL && network->kind != NULL;
    if (good) {
        spread_out(edges, recipe->persons, network->contact, to);
        tidy(recipe->persons, to, network);
    }
    free(to);
    return good ? 0 : -1;
}

void network_free(struct network *network)
{
    free(network->region);
    free(network->age);
    free(network->contact);
    free(network->other);
    free(network->kind);
    *network = (struct network){0};
}

int network_make(const struct recipe *recipe, struct network *network)
{
    struct edges edges = {0};
    *network = (struct network){
        .region = calloc((size_t)recipe->regions, sizeof *network->region),
        .age = calloc((size_t)recipe->persons, 1),
        .contact = calloc((size_t)recipe->persons + 1, sizeof *network->contact),
    };
    int status = network->region && network->age && network->contact ? 0 : -1;
    if (status == 0)
        make_regions(recipe, network->region);
    for (int r = 0; status == 0 && r < recipe->regions; r++) {
        const struct region *region = &network->region[r];
        make_households(recipe, region, network->age, &edges);
        status = make_groups(recipe, region, &edges);
        if (status == 0)
            status = make_friends(recipe, region, &edges);
    }
    if (status == 0)
        status = assemble(recipe, &edges, network);
    free(edges.item);
    if (status != 0)
        network_free(network);
    return status;
}
