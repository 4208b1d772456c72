/* SPDX-License-Identifier: BSD-3-Clause
 * The functions of Scotch 7 (Pellegrini) that processes are mapped with, as its reference manual
 * has them. They are declared here, with objects that Scotch itself allocates, because the package
 * with its header brings another MPI along. What is here has no library of its own: who calls the
 * leader hands them in. */
#ifndef XMPI_DECIDE_MAPPING_SCOTCH_H
#define XMPI_DECIDE_MAPPING_SCOTCH_H

#include <stdint.h>

typedef int32_t SCOTCH_Num; /* as Debian's libscotch-7.0.so has it; who loads it asks */
typedef struct SCOTCH_Arch SCOTCH_Arch;
typedef struct SCOTCH_Context SCOTCH_Context;
typedef struct SCOTCH_Graph SCOTCH_Graph;
typedef struct SCOTCH_Strat SCOTCH_Strat;

enum {
    SCOTCH_OPTIONNUMDETERMINISTIC = 0,
    SCOTCH_OPTIONNUMRANDOMFIXEDSEED = 1,
    SCOTCH_STRATSPEED = 0x2,
    SCOTCH_STRATBALANCE = 0x4,
    SCOTCH_STRATRECURSIVE = 0x100,
};

SCOTCH_Arch *SCOTCH_archAlloc(void);
SCOTCH_Context *SCOTCH_contextAlloc(void);
SCOTCH_Graph *SCOTCH_graphAlloc(void);
SCOTCH_Strat *SCOTCH_stratAlloc(void);
void SCOTCH_memFree(void *object);
int SCOTCH_numSizeof(void);
int SCOTCH_archInit(SCOTCH_Arch *arch);
void SCOTCH_archExit(SCOTCH_Arch *arch);
int SCOTCH_archCmpltw(SCOTCH_Arch *arch, SCOTCH_Num n, const SCOTCH_Num *weight);
int SCOTCH_archTleaf(SCOTCH_Arch *arch, SCOTCH_Num levels, const SCOTCH_Num *width,
                     const SCOTCH_Num *cost);
int SCOTCH_archSub(SCOTCH_Arch *arch, SCOTCH_Arch *of, SCOTCH_Num n, const SCOTCH_Num *leaf);
int SCOTCH_contextInit(SCOTCH_Context *context);
void SCOTCH_contextExit(SCOTCH_Context *context);
int SCOTCH_contextOptionSetNum(SCOTCH_Context *context, int option, SCOTCH_Num value);
int SCOTCH_contextThreadSpawn(SCOTCH_Context *context, int threads, const int *cores);
int SCOTCH_contextBindGraph(SCOTCH_Context *context, const SCOTCH_Graph *graph,
                            SCOTCH_Graph *bound);
void SCOTCH_contextRandomReset(SCOTCH_Context *context);
int SCOTCH_graphInit(SCOTCH_Graph *graph);
void SCOTCH_graphExit(SCOTCH_Graph *graph);
int SCOTCH_graphBuild(SCOTCH_Graph *graph, SCOTCH_Num base, SCOTCH_Num vertices,
                      const SCOTCH_Num *first, const SCOTCH_Num *end, const SCOTCH_Num *load,
                      const SCOTCH_Num *label, SCOTCH_Num edges, const SCOTCH_Num *edge,
                      const SCOTCH_Num *weight);
int SCOTCH_graphMap(SCOTCH_Graph *graph, const SCOTCH_Arch *arch, SCOTCH_Strat *strategy,
                    SCOTCH_Num *part);
int SCOTCH_graphMapFixed(SCOTCH_Graph *graph, const SCOTCH_Arch *arch, SCOTCH_Strat *strategy,
                         SCOTCH_Num *part);
int SCOTCH_stratInit(SCOTCH_Strat *strategy);
void SCOTCH_stratExit(SCOTCH_Strat *strategy);
int SCOTCH_stratGraphMapBuild(SCOTCH_Strat *strategy, SCOTCH_Num flags, SCOTCH_Num parts,
                              double imbalance);

/* clang-format off */
#define XMPI_SCOTCH_CALLS(X)                                                                       \
    X(SCOTCH_archAlloc) X(SCOTCH_contextAlloc) X(SCOTCH_graphAlloc) X(SCOTCH_stratAlloc)           \
    X(SCOTCH_memFree) X(SCOTCH_numSizeof) X(SCOTCH_archInit) X(SCOTCH_archExit)                    \
    X(SCOTCH_archCmpltw) X(SCOTCH_archTleaf) X(SCOTCH_archSub) X(SCOTCH_contextInit)               \
    X(SCOTCH_contextExit) X(SCOTCH_contextOptionSetNum) X(SCOTCH_contextThreadSpawn)               \
    X(SCOTCH_contextBindGraph) X(SCOTCH_contextRandomReset) X(SCOTCH_graphInit)                    \
    X(SCOTCH_graphExit) X(SCOTCH_graphBuild) X(SCOTCH_graphMap) X(SCOTCH_graphMapFixed)            \
    X(SCOTCH_stratInit) X(SCOTCH_stratExit) X(SCOTCH_stratGraphMapBuild)
/* clang-format on */

#define XMPI_SCOTCH_ADDRESS(call) __typeof__(&call) call;
typedef struct xmpi_scotch {
    XMPI_SCOTCH_CALLS(XMPI_SCOTCH_ADDRESS)
} xmpi_scotch_t;
#undef XMPI_SCOTCH_ADDRESS

#endif
