/* Rumours go along a street: what the neighbours at the ends say is kept in memory of its own, which persistent
 * requests fill; a struct has the requests, and functions make, start and free them. The result is the same
 * for any layout. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct mailbox {
    int *left, *right;
    int before, after;
    MPI_Request request[4];
};

static void mailbox_open(struct mailbox *box, int *people, int n, int rank, int size)
{
    box->left = calloc(1, sizeof *box->left);
    box->right = calloc(1, sizeof *box->right);
    box->before = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    box->after = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Recv_init(box->left, 1, MPI_INT, box->before, 0, MPI_COMM_WORLD, &box->request[0]);
    MPI_Recv_init(box->right, 1, MPI_INT, box->after, 1, MPI_COMM_WORLD, &box->request[1]);
    MPI_Send_init(people, 1, MPI_INT, box->before, 1, MPI_COMM_WORLD, &box->request[2]);
    MPI_Ssend_init(people + n - 1, 1, MPI_INT, box->after, 0, MPI_COMM_WORLD, &box->request[3]);
}

static void mailbox_deliver(struct mailbox *box)
{
    MPI_Status status[4];
    MPI_Startall(4, box->request);
    MPI_Waitall(4, box->request, status);
}

static void mailbox_close(struct mailbox *box)
{
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&box->request[i]);
    free(box->left);
    free(box->right);
}

int main(int argc, char **argv)
{
    int rank, size, n = 57;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = n * rank / size, m = n * (rank + 1) / size - first;
    int *people = malloc((size_t)m * sizeof *people), *told = malloc((size_t)m * sizeof *told);
    for (int i = 0; i < m; i++)
        people[i] = (first + i) * 37 % 101;
    struct mailbox box;
    mailbox_open(&box, people, m, rank, size);
    long heard = 0;
#pragma xmpi loop
    for (int day = 0; day < 40; day++) {
        long own = 0, all;
        mailbox_deliver(&box);
        for (int i = 0; i < m; i++) {
            int left = i > 0 ? people[i - 1] : *box.left, right = i < m - 1 ? people[i + 1] : *box.right;
            told[i] = (2 * left + 3 * people[i] + right) % 101;
        }
        for (int i = 0; i < m; i++) {
            people[i] = told[i];
            own += told[i];
        }
        MPI_Allreduce(&own, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        heard = (heard * 7 + all) % 100003;
    }
    if (rank == 0)
        printf("result %ld\n", heard);
    mailbox_close(&box);
    free(people);
    free(told);
    MPI_Finalize();
    return 0;
}
