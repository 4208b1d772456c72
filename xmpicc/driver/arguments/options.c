/* SPDX-License-Identifier: BSD-3-Clause
 * The options of gcc, clang and mpicc that the driver must know about. */
#include <string.h>

#include "driver/arguments/options.h"

/* Sorted by the bytes of the names: option_find searches it. */
static const option_t table[] = {
    {"-###", 0, ROLE_INFORM},
    {"--ansi", OPTION_LANGUAGE, ROLE_NONE},
    {"--assemble", OPTION_OUTPUT, ROLE_COMPILE},
    {"--compile", OPTION_OUTPUT, ROLE_COMPILE},
    {"--coverage", OPTION_BESIDE, ROLE_NONE},
    {"--define-macro", OPTION_SEPARATE | OPTION_LANGUAGE, ROLE_NONE},
    {"--define-macro=", OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"--dependencies", 0, ROLE_PREPROCESS},
    {"--for-assembler", OPTION_SEPARATE, ROLE_NONE},
    {"--for-linker", OPTION_SEPARATE, ROLE_NONE},
    {"--help", OPTION_JOINED, ROLE_INFORM},
    {"--imacros", OPTION_SEPARATE | OPTION_LANGUAGE, ROLE_NONE},
    {"--imacros=", OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"--include", OPTION_SEPARATE | OPTION_LANGUAGE, ROLE_NONE},
    {"--include-directory", OPTION_SEPARATE | OPTION_LANGUAGE, ROLE_INCLUDE},
    {"--include-directory-after", OPTION_SEPARATE | OPTION_LANGUAGE, ROLE_NONE},
    {"--include-directory-after=", OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"--include-directory=", OPTION_JOINED | OPTION_LANGUAGE, ROLE_INCLUDE},
    {"--include=", OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"--language", OPTION_SEPARATE, ROLE_INPUT_LANGUAGE},
    {"--language=", OPTION_JOINED, ROLE_INPUT_LANGUAGE},
    {"--library-directory", OPTION_SEPARATE, ROLE_LIBRARY_FOLDER},
    {"--output", OPTION_SEPARATE | OPTION_OUTPUT, ROLE_OUTPUT},
    {"--output=", OPTION_JOINED | OPTION_OUTPUT, ROLE_OUTPUT},
    {"--param", OPTION_SEPARATE, ROLE_NONE},
    {"--prefix", OPTION_SEPARATE, ROLE_NONE},
    {"--preprocess", 0, ROLE_PREPROCESS},
    {"--print-", OPTION_JOINED, ROLE_INFORM},
    {"--serialize-diagnostics", OPTION_SEPARATE | OPTION_OUTPUT, ROLE_NONE},
    {"--shared", OPTION_NO_RUNTIME, ROLE_NONE},
    {"--specs", OPTION_SEPARATE, ROLE_NONE},
    {"--static", 0, ROLE_STATIC},
    {"--std", OPTION_SEPARATE | OPTION_LANGUAGE, ROLE_NONE},
    {"--std=", OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"--sysroot", OPTION_SEPARATE | OPTION_LANGUAGE, ROLE_NONE},
    {"--sysroot=", OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"--target-help", 0, ROLE_INFORM},
    {"--undefine-macro", OPTION_SEPARATE | OPTION_LANGUAGE, ROLE_NONE},
    {"--undefine-macro=", OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"--user-dependencies", 0, ROLE_PREPROCESS},
    {"--version", 0, ROLE_INFORM},
    {"--write-dependencies", OPTION_OUTPUT, ROLE_DEPFILE},
    {"--write-user-dependencies", OPTION_OUTPUT, ROLE_DEPFILE},
    {"-A", OPTION_SEPARATE | OPTION_JOINED, ROLE_NONE},
    {"-B", OPTION_SEPARATE | OPTION_JOINED, ROLE_NONE},
    {"-D", OPTION_SEPARATE | OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"-E", 0, ROLE_PREPROCESS},
    {"-F", OPTION_SEPARATE | OPTION_JOINED, ROLE_NONE},
    {"-G", OPTION_SEPARATE | OPTION_JOINED, ROLE_NONE},
    {"-I", OPTION_SEPARATE | OPTION_JOINED | OPTION_LANGUAGE, ROLE_INCLUDE},
    {"-L", OPTION_SEPARATE | OPTION_JOINED, ROLE_LIBRARY_FOLDER},
    {"-M", 0, ROLE_PREPROCESS},
    {"-MD", OPTION_OUTPUT, ROLE_DEPFILE},
    {"-MF", OPTION_SEPARATE | OPTION_JOINED | OPTION_OUTPUT, ROLE_DEPFILE_NAME},
    {"-MG", OPTION_OUTPUT, ROLE_NONE},
    {"-MJ", OPTION_SEPARATE | OPTION_JOINED | OPTION_OUTPUT, ROLE_NONE},
    {"-MM", 0, ROLE_PREPROCESS},
    {"-MMD", OPTION_OUTPUT, ROLE_DEPFILE},
    {"-MP", OPTION_OUTPUT, ROLE_NONE},
    {"-MQ", OPTION_SEPARATE | OPTION_JOINED | OPTION_OUTPUT, ROLE_DEPFILE_TARGET},
    {"-MT", OPTION_SEPARATE | OPTION_JOINED | OPTION_OUTPUT, ROLE_DEPFILE_TARGET},
    {"-O", OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"-R", OPTION_SEPARATE | OPTION_JOINED, ROLE_NONE},
    {"-S", OPTION_OUTPUT, ROLE_COMPILE},
    {"-T", OPTION_SEPARATE | OPTION_JOINED, ROLE_NONE},
    {"-Tbss", OPTION_SEPARATE | OPTION_JOINED, ROLE_NONE},
    {"-Tdata", OPTION_SEPARATE | OPTION_JOINED, ROLE_NONE},
    {"-Ttext", OPTION_SEPARATE | OPTION_JOINED, ROLE_NONE},
    {"-U", OPTION_SEPARATE | OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"-Wp,", OPTION_JOINED, ROLE_PREPROCESSOR_LIST},
    {"-Xanalyzer", OPTION_SEPARATE, ROLE_NONE},
    {"-Xassembler", OPTION_SEPARATE, ROLE_NONE},
    {"-Xclang", OPTION_SEPARATE, ROLE_NONE},
    {"-Xlinker", OPTION_SEPARATE, ROLE_NONE},
    {"-Xpreprocessor", OPTION_SEPARATE, ROLE_PREPROCESSOR_WORD},
    {"-ansi", OPTION_LANGUAGE, ROLE_NONE},
    {"-arch", OPTION_SEPARATE, ROLE_NONE},
    {"-aux-info", OPTION_SEPARATE | OPTION_OUTPUT, ROLE_NONE},
    {"-c", OPTION_OUTPUT, ROLE_COMPILE},
    {"-cc=", OPTION_JOINED | OPTION_MPICC, ROLE_NONE},
    {"-compile-info", 0, ROLE_COMPILE_INFORMATION},
    {"-compile_info", 0, ROLE_COMPILE_INFORMATION},
    {"-config=", OPTION_JOINED | OPTION_MPICC, ROLE_NONE},
    {"-cxx=", OPTION_JOINED | OPTION_MPICC, ROLE_NONE},
    {"-dumpbase", OPTION_SEPARATE | OPTION_OUTPUT, ROLE_NONE},
    {"-dumpbase-ext", OPTION_SEPARATE | OPTION_OUTPUT, ROLE_NONE},
    {"-dumpdir", OPTION_SEPARATE | OPTION_OUTPUT, ROLE_DUMP_DIRECTORY},
    {"-dumpfullversion", 0, ROLE_INFORM},
    {"-dumpmachine", 0, ROLE_INFORM},
    {"-dumpspecs", 0, ROLE_INFORM},
    {"-dumpversion", 0, ROLE_INFORM},
    {"-e", OPTION_SEPARATE | OPTION_JOINED, ROLE_NONE},
    {"-fauto-profile", OPTION_JOINED | OPTION_BESIDE, ROLE_NONE},
    {"-fbranch-probabilities", OPTION_JOINED | OPTION_BESIDE, ROLE_NONE},
    {"-fc=", OPTION_JOINED | OPTION_MPICC, ROLE_NONE},
    {"-fcallgraph-info", OPTION_JOINED | OPTION_OUTPUT | OPTION_BESIDE, ROLE_NONE},
    {"-fcoverage-mapping", OPTION_JOINED | OPTION_BESIDE, ROLE_NONE},
    {"-fcs-profile-generate", OPTION_JOINED | OPTION_BESIDE, ROLE_NONE},
    {"-fdebug-prefix-map=", OPTION_JOINED, ROLE_MAP_DEBUG},
    {"-fdollars-in-identifiers", OPTION_LANGUAGE, ROLE_NONE},
    {"-fdump-", OPTION_JOINED | OPTION_OUTPUT | OPTION_BESIDE, ROLE_NONE},
    {"-ffast-math", OPTION_LANGUAGE, ROLE_NONE},
    {"-ffile-prefix-map=", OPTION_JOINED, ROLE_MAP_FILE},
    {"-ffreestanding", OPTION_LANGUAGE, ROLE_NONE},
    {"-fgnu89-inline", OPTION_LANGUAGE, ROLE_NONE},
    {"-fmacro-prefix-map=", OPTION_JOINED, ROLE_MAP_MACRO},
    {"-fms-extensions", OPTION_LANGUAGE, ROLE_NONE},
    {"-fno-dollars-in-identifiers", OPTION_LANGUAGE, ROLE_NONE},
    {"-fno-short-enums", OPTION_LANGUAGE, ROLE_NONE},
    {"-fno-signed-char", OPTION_LANGUAGE, ROLE_NONE},
    {"-fno-unsigned-char", OPTION_LANGUAGE, ROLE_NONE},
    {"-fopenmp", OPTION_LANGUAGE, ROLE_NONE},
    {"-fopenmp-simd", OPTION_LANGUAGE, ROLE_NONE},
    {"-fpack-struct", OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"-fprofile-arcs", OPTION_BESIDE, ROLE_NONE},
    {"-fprofile-generate", OPTION_JOINED | OPTION_BESIDE, ROLE_NONE},
    {"-fprofile-instr-generate", OPTION_JOINED | OPTION_BESIDE, ROLE_NONE},
    {"-fprofile-instr-use", OPTION_JOINED | OPTION_BESIDE, ROLE_NONE},
    {"-fprofile-sample-use", OPTION_JOINED | OPTION_BESIDE, ROLE_NONE},
    {"-fprofile-use", OPTION_JOINED | OPTION_BESIDE, ROLE_NONE},
    {"-framework", OPTION_SEPARATE, ROLE_NONE},
    {"-fshort-enums", OPTION_LANGUAGE, ROLE_NONE},
    {"-fshort-wchar", OPTION_LANGUAGE, ROLE_NONE},
    {"-fsigned-char", OPTION_LANGUAGE, ROLE_NONE},
    {"-fstack-usage", OPTION_OUTPUT | OPTION_BESIDE, ROLE_NONE},
    {"-fsyntax-only", 0, ROLE_SYNTAX},
    {"-ftest-coverage", OPTION_BESIDE, ROLE_NONE},
    {"-funsigned-char", OPTION_LANGUAGE, ROLE_NONE},
    {"-gsplit-dwarf", OPTION_BESIDE, ROLE_NONE},
    {"-help", 0, ROLE_INFORM},
    {"-idirafter", OPTION_SEPARATE | OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"-imacros", OPTION_SEPARATE | OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"-imultiarch", OPTION_SEPARATE, ROLE_NONE},
    {"-imultilib", OPTION_SEPARATE, ROLE_NONE},
    {"-include", OPTION_SEPARATE | OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"-include-pch", OPTION_SEPARATE, ROLE_NONE},
    {"-iprefix", OPTION_SEPARATE | OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"-iquote", OPTION_SEPARATE | OPTION_JOINED | OPTION_LANGUAGE, ROLE_INCLUDE},
    {"-isysroot", OPTION_SEPARATE | OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"-isystem", OPTION_SEPARATE | OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"-iwithprefix", OPTION_SEPARATE | OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"-iwithprefixbefore", OPTION_SEPARATE | OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"-l", OPTION_SEPARATE | OPTION_JOINED, ROLE_LIBRARY},
    {"-link-info", 0, ROLE_LINK_INFORMATION},
    {"-link_info", 0, ROLE_LINK_INFORMATION},
    {"-m32", OPTION_LANGUAGE, ROLE_NONE},
    {"-m64", OPTION_LANGUAGE, ROLE_NONE},
    {"-maes", OPTION_LANGUAGE, ROLE_NONE},
    {"-march=", OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"-mavx", OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"-mbmi", OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"-mcpu=", OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"-mf16c", OPTION_LANGUAGE, ROLE_NONE},
    {"-mfma", OPTION_LANGUAGE, ROLE_NONE},
    {"-mllvm", OPTION_SEPARATE, ROLE_NONE},
    {"-mlzcnt", OPTION_LANGUAGE, ROLE_NONE},
    {"-mpopcnt", OPTION_LANGUAGE, ROLE_NONE},
    {"-msse", OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"-mx32", OPTION_LANGUAGE, ROLE_NONE},
    {"-nativelinking", OPTION_NO_RUNTIME, ROLE_NONE},
    {"-nostdinc", OPTION_LANGUAGE, ROLE_NONE},
    {"-o", OPTION_SEPARATE | OPTION_JOINED | OPTION_OUTPUT, ROLE_OUTPUT},
    {"-print-", OPTION_JOINED, ROLE_INFORM},
    {"-profile=", OPTION_JOINED | OPTION_MPICC, ROLE_NONE},
    {"-pthread", OPTION_LANGUAGE, ROLE_NONE},
    {"-r", OPTION_NO_RUNTIME, ROLE_NONE},
    {"-rpath", OPTION_SEPARATE, ROLE_NONE},
    {"-save-temps", OPTION_JOINED | OPTION_OUTPUT | OPTION_BESIDE, ROLE_NONE},
    {"-shared", OPTION_NO_RUNTIME, ROLE_NONE},
    {"-show", 0, ROLE_SHOW},
    {"-show-compile-info", 0, ROLE_COMPILE_INFORMATION},
    {"-show-link-info", 0, ROLE_LINK_INFORMATION},
    {"-specs", OPTION_SEPARATE, ROLE_NONE},
    {"-static", 0, ROLE_STATIC},
    {"-static-mpi", 0, ROLE_STATIC_MPI},
    {"-static-pie", 0, ROLE_STATIC},
    {"-std=", OPTION_JOINED | OPTION_LANGUAGE, ROLE_NONE},
    {"-target", OPTION_SEPARATE, ROLE_NONE},
    {"-trigraphs", OPTION_LANGUAGE, ROLE_NONE},
    {"-u", OPTION_SEPARATE | OPTION_JOINED, ROLE_NONE},
    {"-undef", OPTION_LANGUAGE, ROLE_NONE},
    {"-wrapper", OPTION_SEPARATE, ROLE_NONE},
    {"-x", OPTION_SEPARATE | OPTION_JOINED, ROLE_INPUT_LANGUAGE},
    {"-z", OPTION_SEPARATE | OPTION_JOINED, ROLE_NONE},
};

static const size_t table_size = sizeof table / sizeof *table;

/* The entry whose name is the first LENGTH bytes of WORD. */
static const option_t *find_name(const char *word, size_t length)
{
    size_t low = 0, high = table_size;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *name = table[middle].name;
        int order = strncmp(word, name, length);
        if (order == 0 && name[length] == '\0')
            return &table[middle];
        if (order > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const option_t *option_find(const char *word)
{
    size_t length = strlen(word);
    const option_t *option = find_name(word, length);
    while (option == NULL && length > 2) {
        option = find_name(word, --length);
        if (option != NULL && (option->properties & OPTION_JOINED) == 0)
            option = NULL;
    }
    return option;
}

int option_takes_next(const option_t *option, const char *word)
{
    return option != NULL && (option->properties & OPTION_SEPARATE) != 0 &&
           strcmp(word, option->name) == 0;
}
