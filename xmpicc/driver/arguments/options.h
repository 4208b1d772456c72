/* SPDX-License-Identifier: BSD-3-Clause
 * The options of gcc, clang and mpicc that the driver must know about. Any other word that begins
 * with '-' is an option without a separate value and means nothing to the driver. */
#ifndef XMPICC_OPTIONS_H
#define XMPICC_OPTIONS_H

#include <stddef.h>

enum {
    OPTION_SEPARATE = 1,    /* its value may be the next word */
    OPTION_JOINED = 2,      /* its value may follow in the same word */
    OPTION_LANGUAGE = 4,    /* changes how the source is read: the rewriter gets it too */
    OPTION_OUTPUT = 8,      /* names or asks for an output: left out of a mere syntax check */
    OPTION_MPICC = 16,      /* mpicc's own choice of a compiler */
    OPTION_NO_RUNTIME = 32, /* what is linked with it is no program: no runtime unless asked */
    OPTION_BESIDE = 64      /* makes gcc write further files beside the output */
};

/* What the driver does about an option. */
typedef enum {
    ROLE_NONE,
    ROLE_OUTPUT,              /* -o */
    ROLE_INPUT_LANGUAGE,      /* -x */
    ROLE_COMPILE,             /* ends before linking: -c, -S */
    ROLE_SYNTAX,              /* ends after parsing: -fsyntax-only */
    ROLE_PREPROCESS,          /* ends after preprocessing: -E, -M, -MM */
    ROLE_INFORM,              /* compiles nothing: --version, -print-…, -### */
    ROLE_DEPFILE,             /* asks for a depfile: -MD, -MMD */
    ROLE_DEPFILE_NAME,        /* -MF */
    ROLE_DEPFILE_TARGET,      /* -MT, -MQ */
    ROLE_PREPROCESSOR_LIST,   /* -Wp,a,b,c */
    ROLE_PREPROCESSOR_WORD,   /* -Xpreprocessor a */
    ROLE_INCLUDE,             /* -I, -iquote: a folder of headers of the user's */
    ROLE_DUMP_DIRECTORY,      /* -dumpdir */
    ROLE_MAP_FILE,            /* -ffile-prefix-map= */
    ROLE_MAP_DEBUG,           /* -fdebug-prefix-map= */
    ROLE_MAP_MACRO,           /* -fmacro-prefix-map= */
    ROLE_LIBRARY,             /* -l */
    ROLE_LIBRARY_FOLDER,      /* -L */
    ROLE_STATIC,              /* -static */
    ROLE_STATIC_MPI,          /* mpicc's -static-mpi */
    ROLE_SHOW,                /* mpicc's -show */
    ROLE_COMPILE_INFORMATION, /* mpicc's -compile_info */
    ROLE_LINK_INFORMATION     /* mpicc's -link_info */
} option_role_t;

typedef struct {
    const char *name;
    unsigned properties;
    option_role_t role;
} option_t;

/* The entry for a word of the command line, NULL when the driver does not know it. */
const option_t *option_find(const char *word);

/* Whether WORD, an OPTION, has its value in the next word. */
int option_takes_next(const option_t *option, const char *word);

#endif
