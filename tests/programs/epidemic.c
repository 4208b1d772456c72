/* An epidemic in a town: people are divided, the numbers of the sick in each street are everywhere. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum state { HEALTHY, SICK, IMMUNE };

struct person {
    enum state state;
    int home, work;
    int days; /* since infection */
};

#define PEOPLE 500
#define STREETS 20

static unsigned hash(unsigned a, unsigned b)
{
    unsigned h = a * 2654435761u ^ (b + 0x9e3779b9u + (a << 6) + (a >> 2));
    h ^= h >> 16;
    h *= 0x45d9f3bu;
    return h ^ (h >> 16);
}

static struct person *people;
static int my_people, first_person;

static void populate(void)
{
    for (int i = 0; i < my_people; i++) {
        unsigned id = (unsigned)(first_person + i);
        people[i].state = id % 97 == 0 ? SICK : HEALTHY;
        people[i].home = (int)(hash(id, 1) % STREETS);
        people[i].work = (int)(hash(id, 2) % STREETS);
        people[i].days = 0;
    }
}

static void count_sick(int sick[STREETS], int day)
{
    int own[STREETS] = {0};
    for (int i = 0; i < my_people; i++)
        if (people[i].state == SICK)
            own[day % 2 ? people[i].work : people[i].home]++;
    MPI_Allreduce(own, sick, STREETS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void infect(const int sick[STREETS], int day)
{
    for (int i = 0; i < my_people; i++) {
        struct person *p = &people[i];
        int street = day % 2 ? p->work : p->home;
        if (p->state == HEALTHY &&
            hash((unsigned)(first_person + i), (unsigned)(100 + day)) % 1000 < 12u * (unsigned)sick[street])
            p->state = SICK;
        else if (p->state == SICK && ++p->days > 6)
            p->state = IMMUNE;
    }
}

int main(int argc, char **argv)
{
    int rank, size, day, total = 0, worst = 0, worst_day = 0;
    int sick[STREETS];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    my_people = PEOPLE / size + (rank < PEOPLE % size ? 1 : 0);
    first_person = rank * (PEOPLE / size) + (rank < PEOPLE % size ? rank : PEOPLE % size);
    people = calloc(my_people, sizeof *people);
    populate();

#pragma xmpi loop
    for (day = 0; day < 60; day++) {
        count_sick(sick, day);
        total = 0;
        for (int s = 0; s < STREETS; s++)
            total += sick[s];
        if (total > worst) {
            worst = total;
            worst_day = day;
        }
        if (total == 0)
            break;
        infect(sick, day);
    }
    if (rank == 0)
        printf("over after %d days; %d sick on day %d\n", day, worst, worst_day);
    free(people);
    MPI_Finalize();
    return 0;
}
