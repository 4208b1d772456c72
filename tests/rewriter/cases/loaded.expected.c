#include <xmpi_gen.h>
#line 1 "loaded.c"
/* A data set in a struct: one function divides the samples, makes the memory, and fills it; the struct of the model is
 * made on the heap by another one. Joining processes call both, and get the samples of the others then. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    int samples, first, mine;
    double *x, *y;
} dataset;

typedef struct {
    double slope, offset, rate;
    int epochs;
} model;

static void load(dataset *data, int rank, int size, int samples)
{
    data->samples = samples;
    data->first = (int)((long)samples * rank / size);
    data->mine = (int)((long)samples * (rank + 1) / size) - data->first;
    data->x = malloc((size_t)data->mine * sizeof *data->x);
    data->y = malloc((size_t)data->mine * sizeof *data->y);
    for (int i = 0; i < data->mine; i++) {
        data->x[i] = (data->first + i) % 17 * 0.25;
        data->y[i] = 3 * data->x[i] - 1 + (data->first + i) % 3 * 0.125;
    }
}

static model *make_model(double rate)
{
    model *made = malloc(sizeof *made);
    made->slope = made->offset = 0;
    made->rate = rate;
    made->epochs = 0;
    return made;
}

static double learn(model *m, const dataset *data)
{
    double own[3] = {0, 0, 0}, all[3];
    for (int i = 0; i < data->mine; i++) {
        double error = m->slope * data->x[i] + m->offset - data->y[i];
        own[0] += error * data->x[i];
        own[1] += error;
        own[2] += error * error;
    }
    MPI_Allreduce(own, all, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    m->slope -= m->rate * all[0] / data->samples;
    m->offset -= m->rate * all[1] / data->samples;
    m->epochs++;
    return all[2] / data->samples;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#line 59 "loaded.c"
xmpi_gen_refresh(XMPI_GEN_RANK, &rank, sizeof rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#line 60 "loaded.c"
xmpi_gen_refresh(XMPI_GEN_SIZE, &size, sizeof size);
    dataset data;
    load(&data, rank, size, 340);
#line 62 "loaded.c"
xmpi_gen_domain((long long)(data.samples)); xmpi_gen_refresh(XMPI_GEN_DISPL, &data.first, sizeof data.first); xmpi_gen_refresh(XMPI_GEN_COUNT, &data.mine, sizeof data.mine);
    model *line = make_model(0.05);
    double loss = 1;
xmpi_gen_data("data.y", (void *)&data.y, sizeof *data.y, XMPI_GEN_DISTRIBUTED, (long long)(data.samples), 1); xmpi_gen_elements("data.y", "f8"); xmpi_gen_data("data.x", (void *)&data.x, sizeof *data.x, XMPI_GEN_DISTRIBUTED, (long long)(data.samples), 1); xmpi_gen_elements("data.x", "f8"); xmpi_gen_constant("data.x"); xmpi_gen_live("loaded.c:64:loss", &loss, sizeof loss); xmpi_gen_elements("loaded.c:64:loss", "f8"); xmpi_gen_live("loaded.c:61:data.samples", &data.samples, sizeof data.samples); xmpi_gen_elements("loaded.c:61:data.samples", "i4"); xmpi_gen_live("loaded.c:32:made->slope", &(line->slope), sizeof(line->slope)); xmpi_gen_elements("loaded.c:32:made->slope", "f8"); xmpi_gen_live("loaded.c:32:made->offset", &(line->offset), sizeof(line->offset)); xmpi_gen_elements("loaded.c:32:made->offset", "f8"); xmpi_gen_live("loaded.c:32:made->rate", &(line->rate), sizeof(line->rate)); xmpi_gen_elements("loaded.c:32:made->rate", "f8"); xmpi_gen_live("loaded.c:32:made->epochs", &(line->epochs), sizeof(line->epochs)); xmpi_gen_elements("loaded.c:32:made->epochs", "i4"); if (xmpi_gen_initial()) xmpi_gen_bound(60LL); xmpi_gen_repeats(XMPI_GEN_REPEATS, ""); xmpi_gen_loop_begin("loaded.c:66", 0);
    for (int epoch = 0; 
#line 66 "loaded.c"
xmpi_gen_joining() || (
#line 66 "loaded.c"
                        epoch < 60 && loss > 1e-4
#line 66 "loaded.c"
)
#line 66 "loaded.c"
                                                 ; epoch++) {
#line 66 "loaded.c"
xmpi_gen_live("loaded.c:66:epoch", &epoch, sizeof epoch); xmpi_gen_elements("loaded.c:66:epoch", "i4"); (void)xmpi_gen_point();
        loss = learn(line, &data);
        for (int i = 0; i < data.mine; i++)
            data.y[i] += 0.0009765625 * (data.first + i) / data.samples;
    }
#line 70 "loaded.c"
xmpi_gen_loop_end();
    double own = 0, all;
    for (int i = 0; i < data.mine; i++)
        own += data.y[i];
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("result %d %.8f %.8f %.8f\n", line->epochs, line->slope, line->offset, all);
    free(data.x);
    free(data.y);
    free(line);
    MPI_Finalize();
    return 0;
}
__attribute__((used, section("xmpi_structure"))) static const char xmpi_iteration[] =
    "{\"loop\":\"loaded.c:66\",\"sections\":[{\"event\":{\"arrays\":[],\"calls\":[\"MPI_Allreduce\"],\"line\":48},\"line\":42,\"repeated\":0,\"stages\":[{\"line\":42,\"loop\":true,\"reads\":[\"data.x\",\"data.y\"],\"writes\":[]}],\"tiled\":false},{\"line\":68,\"repeated\":0,\"stages\":[{\"line\":68,\"loop\":true,\"reads\":[\"data.y\"],\"writes\":[\"data.y\"]}],\"tiled\":false}]}";
__attribute__((constructor)) static void xmpi_describe(void) { xmpi_gen_program(1); xmpi_gen_structure(xmpi_iteration); }
