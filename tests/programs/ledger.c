/* Accounts in a file of each rank, by a stream, that are updated in place. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct account {
    int owner;
    long balance;
};

static void need(int good, const char *what)
{
    if (!good) {
        fprintf(stderr, "cannot %s the accounts\n", what);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

int main(int argc, char **argv)
{
    int rank, size, accounts = 37, days = 30;
    char name[64];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int first = rank * accounts / size;
    int count = (rank + 1) * accounts / size - first;

    snprintf(name, sizeof name, "ledger.%d", rank);
    FILE *ledger = fopen(name, "w+b");
    need(ledger != NULL, "open");
    for (int i = 0; i < count; i++) {
        struct account new = {first + i, 1000 + 7 * (first + i)};
        need(fwrite(&new, sizeof new, 1, ledger) == 1, "write");
    }
#pragma xmpi data file(struct account ledger[accounts])

    long paid = 0;
#pragma xmpi loop interval(1)
    for (int day = 0; day < days; day++) {
        long interest = 0;
        for (int i = 0; i < count; i++) {
            struct account one;
            fseek(ledger, i * (long)sizeof one, SEEK_SET);
            need(fread(&one, sizeof one, 1, ledger) == 1, "read");
            long more = one.balance / (50 + one.owner % 5);
            one.balance += more - paid % 11;
            interest += more;
            fseek(ledger, i * (long)sizeof one, SEEK_SET);
            need(fwrite(&one, sizeof one, 1, ledger) == 1, "write");
        }
        MPI_Allreduce(&interest, &paid, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    }

    long sum = 0, all;
    rewind(ledger);
    for (int i = 0; i < count; i++) {
        struct account one;
        need(fread(&one, sizeof one, 1, ledger) == 1, "read");
        sum += one.balance * (one.owner + 1);
    }
    MPI_Reduce(&sum, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("paid %ld, sum %ld\n", paid, all);
    fclose(ledger);
    remove(name);
    MPI_Finalize();
    return 0;
}
