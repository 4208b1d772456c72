/* SPDX-License-Identifier: BSD-3-Clause
 * XMPI: adaptive MPI programs. The public header.
 *
 * Programs that are compiled with xmpicc and carry a pragma need nothing from here; it is for those
 * that want to ask the runtime something. Names are those of the FLEX-MPI thesis (Tables 4.1, 5.1).
 *
 * Every function may be called between MPI_Init and MPI_Finalize and returns MPI_SUCCESS, or
 * MPI_ERR_ARG for a pointer that is NULL. Those that register and redistribute also say what is
 * wrong in one line on stderr, and have changed nothing then. */
#ifndef XMPI_H
#define XMPI_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* MAJOR * 10000 + MINOR * 100 + PATCH, of this header and, in VERSION, of the library in use. A
 * library that is newer than the header serves it; one that is older ends the program in MPI_Init,
 * in one line. */
#define XMPI_VERSION_NUM 100
int XMPI_Get_version(int *version);

/* The current world. In code compiled by xmpicc MPI_COMM_WORLD means the same. */
#define XMPI_COMM_WORLD MPI_COMM_WORLD

/* A program that includes this header is one of ours: the runtime starts in its MPI_Init, unless
 * XMPI_POLICY is off. */
void xmpi_gen_program(int version);
void xmpi_gen_header(int version);
#ifndef XMPI_IMPLEMENTATION
__attribute__((constructor, unused)) static void xmpi_includes_the_header(void)
{
    xmpi_gen_program(1);
    xmpi_gen_header(XMPI_VERSION_NUM);
}
#endif

/* --- processes (thesis §4.3) ------------------------------------------------------------------ */

/* Status of this process. */
#define XMPI_RUNNING 0       /* a member of the program */
#define XMPI_NEWLY_SPAWNED 1 /* called in to an adaptive loop, has not joined the others yet */
#define XMPI_REMOVED 2       /* no member any more, on its way to MPI_Finalize */

int XMPI_Get_process_status(void);

/* Starts NPROCS processes of the program COMMAND with the arguments ARGV (NULL: none), or of this
 * program where COMMAND is NULL; they join the world in their MPI_Init, behind the ranks that are
 * there. The program must include this header or have an adaptive loop. NODE_CLASS names a
 * processor class of the machine file for each (NULL: any); the scheduler finds the node. Each can
 * be removed alone. Collective over the world, outside the adaptive loop; the arguments are read at
 * rank 0. MPI_ERR_SPAWN, and one line on stderr, when they cannot be had: nothing has changed then.
 * In a pool spares are woken, whatever COMMAND says. INFO is not used: where a process goes is the
 * scheduler's business. */
int XMPI_Spawn(const char *command, char *argv[], int nprocs, MPI_Info info, char *node_class[]);

/* Removes NPROCS members, of the classes NODE_CLASS (NULL: any). Their status is XMPI_REMOVED then:
 * they have no world any more and must go to MPI_Finalize. Rows that they own of registered data go
 * to their neighbours. Communicators that the program has made of the world are freed. Collective
 * over the world, outside the adaptive loop; the arguments are read at rank 0. MPI_ERR_ARG, and one
 * line on stderr, when not so many may leave (process 0 may not where processes are spawned);
 * MPI_ERR_OTHER when a window is open, or a file of MPI that several have opened together. Nothing
 * has changed then. */
int XMPI_Remove(int nprocs, char *node_class[]);

/* Rows of the domain that the process with this RANK owns at present: COUNT rows from row DISPL on
 * (thesis §4.5.2; 64-bit where the thesis has int, and the number of processes is known). Before
 * the adaptive loop or the first redistribution, after one to blocks that are not in the order of
 * the ranks, and for a rank that does not exist, MPI_ERR_RANK. */
int XMPI_Get_wsize(int rank, int64_t *count, int64_t *displ);

/* --- monitoring (thesis §4.2) ------------------------------------------------------------------ */

/* Around an iteration, or any part of the program: counts the EVENTS, names of presets or native
 * events of PAPI, of software-defined events, or "work" (what the adaptive loop has registered); a
 * NULL ends the list. The counts are those of this process and of threads that it makes after the
 * first time. MPI_ERR_ARG, and one line on stderr, for an event that cannot be counted here. */
int XMPI_Monitor_iter_begin(char *events[]);

/* Writes one count for each event into COUNTS. MPI_ERR_ARG without a begin. */
int XMPI_Monitor_iter_end(long long *counts);

/* --- the adaptive loop by hand (thesis §5.4.4, Table 5.1) --------------------------------------
 *
 * For programs without a pragma, as in thesis Fig. 5.14: the data are registered, new processes get
 * them with XMPI_Get_data, and all evaluate at the same place in every iteration. What happens is
 * decided by the settings, as in a loop with a pragma. Sizes are 64-bit where the thesis has int. */

/* At the begin of an iteration. What the program does between an evaluation and this is not part of
 * the sampling interval. */
int XMPI_Monitor_si_init(void);

/* At the end of iteration IT, counted from 0, of at most MAXIT (0: not known): at the end of a
 * sampling interval the policy decides, and members, blocks and registered data change. COUNT and
 * DISPL are the caller's block, before and after. WEIGHT is the work of each row of the domain, the
 * same on all members, or NULL. RANK and NPROCS are not used: MPI_Comm_rank and MPI_Comm_size tell
 * what they are afterwards. New processes run this program with its own arguments; COMMAND and ARGV
 * are not used. A process that is removed has the status XMPI_REMOVED then, no world and no data any
 * more, and goes to MPI_Finalize. Collective. MPI_ERR_ARG, MPI_ERR_OTHER where it cannot be. */
int XMPI_Eval_reconfig(int rank, int nprocs, int64_t it, int64_t maxit, int64_t *count,
                       int64_t *displ, double *weight, char *argv[], const char *command);

/* The same, but the members stay: blocks only. */
int XMPI_Eval_lbalance(int rank, int nprocs, int64_t it, int64_t maxit, int64_t *count,
                       int64_t *displ, double *weight);

/* For a process whose status is XMPI_NEWLY_SPAWNED, after it has registered the same structures as
 * the others (with memory from malloc, of any size; XMPI_Get_wsize tells its block): gets its data,
 * and the first iteration IT that it takes part in. */
int XMPI_Get_data(int64_t *it);

/* --- moving whole processes -----------------------------------------------------------------------
 *
 * First in every iteration of a loop, where no message is on its way: the process may go on in another
 * one, on another processing element, as it is, with its rank, variables, memory and stack. Collective
 * over the world. The program has to be linked by xmpicc. */
int XMPI_Point(void);

/* --- data (thesis §4.5.3) ------------------------------------------------------------------------
 *
 * Where it differs from the thesis, because that is unsafe:
 *  - An address is that of the variable that points to the data (&A, not A): a redistribution moves
 *    the data to other memory and writes the variable. The data are memory from malloc.
 *  - Sizes, counts and displacements are 64-bit.
 *  - A datatype must be committed, begin at 0 and have an extent > 0; elements are moved by extent.
 *  - Sparse matrices: the number of nonzeros follows from the row pointers, and all three addresses
 *    may be of other types than int. */

/* How the rows of a structure are stored over the members. */
typedef enum {
    XMPI_DISTRIBUTED = 0, /* each member stores the rows of its block */
    XMPI_REPLICATED = 1,  /* each stores all rows, but only those of its own block are up to date:
                             all get every row from its owner (the thesis's Allgatherv) */
    XMPI_IDENTICAL = 2, /* each stores all rows, the same everywhere: only who has none gets them */
} XMPI_Scheme;

/* A vector of SIZE elements in all. MPI_ERR_ARG: ADDRESS is NULL or registered already;
 * MPI_ERR_COUNT: SIZE is negative or another than that of the structures registered before (all
 * share one domain, identical ones excepted); MPI_ERR_TYPE: the datatype cannot be used. */
int XMPI_Register_vector(void *address, int64_t size, MPI_Datatype datatype, XMPI_Scheme scheme);

/* A square matrix of SIZE x SIZE elements, by rows, without gaps. */
int XMPI_Register_dense(void *address, int64_t size, MPI_Datatype datatype, XMPI_Scheme scheme);

/* A square sparse matrix of SIZE rows (CSR) or columns (CSC): IA has one int more than the rows
 * that are stored and begins with 0 on every member; JA (int) and A have as many elements as IA
 * says. */
int XMPI_Register_sparse(void *address_ia, void *address_ja, void *address_a, int64_t size,
                         MPI_Datatype datatype, XMPI_Scheme scheme);

/* Any dense matrix that is stored by rows (one stored by columns has them as its rows here). */
typedef struct {
    int64_t rows, columns; /* of the whole matrix */
    int by_columns;        /* 0: blocks are of rows, else of columns */
    int64_t leading;       /* elements from one stored row to the next; 0: there is no gap */
    int64_t halo;          /* rows (columns) beyond its block that a member stores on both sides, as
                              far as the matrix has any; a redistribution refreshes them */
} XMPI_Matrix;

/* SIZE is that of the structure as the caller knows it: a later XMPI_Matrix may have more members
 * behind these, which are 0 for callers that do not know them. */
int XMPI_Register_matrix_sized(void *address, const XMPI_Matrix *matrix, size_t size,
                               MPI_Datatype datatype, XMPI_Scheme scheme);
static inline int XMPI_Register_matrix(void *address, const XMPI_Matrix *matrix,
                                       MPI_Datatype datatype, XMPI_Scheme scheme)
{
    return XMPI_Register_matrix_sized(address, matrix, sizeof *matrix, datatype, scheme);
}

/* Any compressed matrix. */
typedef struct {
    int64_t size;          /* rows (CSR) or columns (CSC) of the whole matrix */
    MPI_Datatype pointers; /* of IA: MPI_INT, MPI_LONG, MPI_INT32_T, MPI_INT64_T, ... */
    MPI_Datatype indices;  /* of JA */
    int base;              /* of the pointers: 0 or 1 */
    int global;            /* pointers count from the begin of the matrix, not of what is stored */
    int64_t halo;          /* as above */
} XMPI_Compressed;

int XMPI_Register_compressed_sized(void *address_ia, void *address_ja, void *address_a,
                                   const XMPI_Compressed *matrix, size_t size,
                                   MPI_Datatype datatype, XMPI_Scheme scheme);
static inline int XMPI_Register_compressed(void *address_ia, void *address_ja, void *address_a,
                                           const XMPI_Compressed *matrix, MPI_Datatype datatype,
                                           XMPI_Scheme scheme)
{
    return XMPI_Register_compressed_sized(address_ia, address_ja, address_a, matrix, sizeof *matrix,
                                          datatype, scheme);
}

/* The adaptive loop only reads the structure (of a sparse matrix all three arrays), which may then
 * move while the loop goes on. MPI_ERR_ARG: nothing is registered there. */
int XMPI_Declare_constant(void *address);

/* The structure, which is distributed and not by columns or compressed, lives on a disk of the node
 * (in the folder XMPI_OOC_DIR) where it does not fit in memory. It is used as before, and best told
 * before it is filled. Where the disk does not take it a line says so, and it stays in memory, as in
 * programs with XMPI_POLICY=off. MPI_ERR_ARG: nothing of that kind is registered there. */
int XMPI_Declare_out_of_core(void *address);

/* The structure is not redistributed any more; for a sparse matrix any of its addresses will do.
 * MPI_ERR_ARG: nothing is registered there. */
int XMPI_Deregister(void *address);

/* What each row of the domain weighs, where rows differ in work and the nonzeros do not tell
 * (XMPI_LB_WEIGHT of thesis §5.2): ADDRESS is that of the variable that points to the weights, of
 * MPI_DOUBLE, MPI_FLOAT or an integer type of 4 or 8 bytes, not negative. XMPI_DISTRIBUTED: element
 * 0 is the first row of the block; else element r is row r of the domain. They are read at the ends
 * of sampling intervals and may change at any time; those that are distributed must follow a change
 * of blocks: register them as data too. A NULL takes them back. MPI_ERR_ARG, MPI_ERR_TYPE. */
int XMPI_Set_weights(void *address, MPI_Datatype datatype, XMPI_Scheme scheme);

/* Moves everything that is registered from blocks of SCOUNT rows from SDISPL on to blocks of RCOUNT
 * rows from RDISPL on. Collective over the world, outside the adaptive loop. The blocks of all
 * members, in any order, must cover the domain (MPI_ERR_COUNT), the registered structures be the
 * same everywhere and their pointers not NULL (MPI_ERR_BUFFER); MPI_ERR_NO_MEM when a member has no
 * memory. All members return the same, and one of them says what is wrong. */
int XMPI_Redistribute_data(int64_t scount, int64_t sdispl, int64_t rcount, int64_t rdispl);

#ifdef __cplusplus
}
#endif
#endif
