/* SPDX-License-Identifier: BSD-3-Clause
 * What functions of the library go by that they are not given: places of the process, calls before,
 * clocks, random numbers, files, the rank. */
#include "library/library.h"
#include "compat.h"

namespace xmpi
{
namespace
{

struct Named {
    llvm::StringRef name, place;
};

llvm::StringRef placeOf(llvm::ArrayRef<Named> known, llvm::StringRef name)
{
    for (const Named &one : known)
        if (one.name == name)
            return one.place;
    return "";
}

/* The names that headers give to newer forms, and vectors of values. */
llvm::StringRef sourceName(llvm::StringRef name)
{
    if (startsWith(name, "_ZGV"))
        return name.drop_front(4).split('_').second;
    if (!name.consume_front("__isoc99_"))
        name.consume_front("__isoc23_");
    return name;
}

/* Of what it comes to, a process only knows what it has been told or sent: by ranks that it was
 * given, or the same on all. */
bool sendsAsTold(llvm::StringRef name)
{
    static constexpr const char *names[] = {
        "MPI_Allgather",    "MPI_Allgatherv",   "MPI_Allreduce",
        "MPI_Barrier",      "MPI_Bcast",        "MPI_Get_count",
        "MPI_Irecv",        "MPI_Isend",        "MPI_Issend",
        "MPI_Recv",         "MPI_Request_free", "MPI_Rsend",
        "MPI_Send",         "MPI_Sendrecv",     "MPI_Sendrecv_replace",
        "MPI_Ssend",        "MPI_Test",         "MPI_Testall",
        "MPI_Wait",         "MPI_Waitall",      "MPI_Waitany",
        "MPI_Initialized",  "MPI_Get_address",  "MPI_Abort",
        "MPI_Error_string", "MPI_Start",        "MPI_Startall",
        "MPI_Send_init",    "MPI_Recv_init"};
    return llvm::is_contained(names, name) || startsWith(name, "MPI_Type_");
}

std::string beyondMpi(llvm::StringRef name)
{
    name.consume_front("P");
    if (sendsAsTold(name))
        return "";
    if (name == "MPI_Comm_rank")
        return "tells the rank";
    if (name == "MPI_Comm_size")
        return "tells how many processes there are";
    return deedOf(name) == Deed::Clock ? "tells the time" : "may follow the ranks and their number";
}

/* It computes from more than its arguments. */
bool asksMachine(llvm::StringRef name)
{
    static constexpr const char *names[] = {"malloc_usable_size", "sched_getaffinity", "sysconf"};
    return llvm::is_contained(names, name) || !placeAsked(name).empty() ||
           tellsOfEarlierCalls(name);
}

bool isOutput(llvm::StringRef name)
{
    return name.contains("printf") || name.contains("put") || name.contains("fwrite") ||
           name == "fflush";
}

} // namespace

/* All that is computed goes by them. */
static constexpr const char modesOfNumbers[] = "the modes of floating-point numbers";

bool concernsNumbers(llvm::StringRef name)
{
    return placePutInto(name) == modesOfNumbers;
}

llvm::StringRef placePutInto(llvm::StringRef name)
{
    static const Named known[] = {{"fesetround", modesOfNumbers},
                                  {"fesetenv", modesOfNumbers},
                                  {"feupdateenv", modesOfNumbers},
                                  {"feholdexcept", modesOfNumbers},
                                  {"feenableexcept", modesOfNumbers},
                                  {"fedisableexcept", modesOfNumbers},
                                  {"fesetmode", modesOfNumbers},
                                  {"_mm_setcsr", modesOfNumbers},
                                  {"__builtin_ia32_ldmxcsr", modesOfNumbers},
                                  {"setenv", "the environment"},
                                  {"putenv", "the environment"},
                                  {"unsetenv", "the environment"},
                                  {"clearenv", "the environment"},
                                  {"pthread_setspecific", "data of threads"},
                                  {"tss_set", "data of threads"},
                                  {"MPI_Comm_set_attr", "attributes of communicators"},
                                  {"MPI_Attr_put", "attributes of communicators"}};
    return placeOf(known, name);
}

llvm::StringRef placeAsked(llvm::StringRef name)
{
    static const Named known[] = {{"getenv", "the environment"},
                                  {"secure_getenv", "the environment"},
                                  {"pthread_getspecific", "data of threads"},
                                  {"tss_get", "data of threads"},
                                  {"MPI_Comm_get_attr", "attributes of communicators"},
                                  {"MPI_Attr_get", "attributes of communicators"}};
    return placeOf(known, name);
}

bool tellsOfEarlierCalls(llvm::StringRef name)
{
    return name == "__errno_location" || name == "fetestexcept" || name == "fegetexceptflag";
}

bool searches(llvm::StringRef name)
{
    static constexpr const char *known[] = {
        "bsearch",   "lfind",  "memchr",  "memrchr", "rawmemchr", "memmem", "strchr", "strrchr",
        "strchrnul", "strstr", "strpbrk", "strsep",  "strtok_r",  "index",  "rindex", "strcasestr"};
    return llvm::is_contained(known, name);
}

bool isToTalk(llvm::StringRef name)
{
    name.consume_front("P");
    const bool files = startsWith(name, "MPI_File_"), spawns = startsWith(name, "MPI_Comm_spawn");
    return startsWith(name, "MPI_") && deedOf(name) != Deed::Clock && !files && !spawns &&
           placeAsked(name).empty();
}

llvm::StringRef standsFor(llvm::StringRef name)
{
    return name.consume_front("__wrap_") ? name : "";
}

bool changesNothing(llvm::StringRef name)
{
    static constexpr const char *numbers[] = {
        "sin",   "cos",   "tan",    "asin",  "acos",   "atan",   "atan2",     "sinh",  "cosh",
        "tanh",  "asinh", "acosh",  "atanh", "exp",    "exp2",   "expm1",     "log",   "log2",
        "log10", "log1p", "sqrt",   "cbrt",  "pow",    "hypot",  "fabs",      "floor", "ceil",
        "round", "trunc", "rint",   "fmod",  "fmin",   "fmax",   "copysign",  "erf",   "erfc",
        "fma",   "ldexp", "lround", "lrint", "tgamma", "lgamma", "nearbyint", "fdim"};
    static constexpr const char *others[] = {
        "abs",         "labs",      "llabs",     "malloc",    "calloc",
        "strlen",      "strcmp",    "strncmp",   "memcmp",    "atoi",
        "atof",        "MPI_Send",  "MPI_Ssend", "MPI_Rsend", "MPI_Wtime",
        "MPI_Barrier", "MPI_Abort", "abort",     "exit",      "__stack_chk_fail"};
    name = sourceName(standsFor(name).empty() ? name : standsFor(name));
    if (startsWith(name, "PMPI_"))
        name = name.drop_front();
    const llvm::StringRef number =
        !name.empty() && (name.back() == 'f' || name.back() == 'l') ? name.drop_back() : name;
    const Deed deed = deedOf(name);
    return llvm::is_contained(numbers, name) || llvm::is_contained(numbers, number) ||
           llvm::is_contained(others, name) || deed == Deed::Prints ||
           (deed == Deed::Stream && isOutput(name));
}

std::string beyondItsArguments(llvm::StringRef name)
{
    name = sourceName(name);
    if (startsWith(name, "MPI_") || startsWith(name, "PMPI_"))
        return beyondMpi(name);
    if (startsWith(name, "GOMP_") || startsWith(name, "__kmpc_"))
        return ""; /* regions of OpenMP, which are code of the program */
    switch (deedOf(name)) {
    case Deed::Computes:
        return asksMachine(name) ? "asks the process or its machine" : "";
    case Deed::Prints:
    case Deed::Exits:
        return "";
    case Deed::Stream:
        return isOutput(name) ? "" : "reads a file or goes on in it";
    case Deed::Reads:
    case Deed::Descriptor:
    case Deed::File:
        return "reads or writes files";
    case Deed::Random:
    case Deed::Seeds:
        return "draws random numbers";
    case Deed::Clock:
        return "tells the time";
    case Deed::Place:
        return "tells who or where the process is";
    case Deed::Unknown:
        return "is not known";
    default:
        return "keeps state of the process";
    }
}

} // namespace xmpi
