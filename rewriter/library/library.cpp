/* SPDX-License-Identifier: BSD-3-Clause
 * The table. */
#include "library/library.h"
#include "compat.h"
#include "facts/effects.h"
#include <clang/Basic/SourceManager.h>
#include <algorithm>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringMap.h>

namespace xmpi
{
namespace
{

struct Entry {
    Deed deed;
    Anew anew;
    const char *names; /* with blanks between */
};

struct Known {
    Deed deed = Deed::Unknown;
    Anew anew = Anew::Other;
};

constexpr Entry table[] = {
    {Deed::Computes, Anew::Same,
     "__assert __assert_fail __ctype_b_loc __ctype_get_mb_cur_max __ctype_tolower_loc "
     "__ctype_toupper_loc __errno_location __finite __finitef __finitel __fpclassify "
     "__fpclassifyf __fpclassifyl __iseqsig __isinf __isinff __isinfl __isnan __isnanf "
     "__isnanl __issignaling __signbit __signbitf __signbitl abs acos acosh aligned_alloc "
     "alloca asctime asctime_r asin asinh asprintf atan atan2 atanh atof atoi atol atoll "
     "bcmp bcopy bsearch bzero cabs cacos cacosh calloc carg casin casinh catan catanh "
     "cbrt ccos ccosh ceil cexp cfree cimag clock_nanosleep clog conj copysign cos cosh "
     "cpow cproj creal csin csinh csqrt ctan ctanh ctime ctime_r difftime div drem erand48 "
     "erf erfc exp exp10 exp2 expect explicit_bzero expm1 fabs fdim ffs ffsl ffsll finite "
     "floor fma fmax fmin fmod fpclassify free frexp gamma getenv getpagesize gmtime "
     "gmtime_r htonl htons hypot ilogb imaxabs imaxdiv index isalnum isalpha isascii "
     "isblank iscntrl isdigit isfinite isgraph isgreater isinf isinf_sign isless islower "
     "isnan isnormal isprint ispunct isspace isunordered isupper isxdigit j0 j1 jn jrand48 "
     "labs ldexp ldiv lfind lgamma lgamma_r llabs lldiv llrint llround localtime "
     "localtime_r log log10 log1p log2 logb lrint lround madvise malloc malloc_usable_size "
     "mbstowcs memalign memccpy memchr memcmp memcpy memmem memmove mempcpy memrchr memset "
     "mktime mlock modf munlock nan nanosleep nearbyint nextafter nexttoward nrand48 ntohl "
     "ntohs popcount posix_memalign pow pow10 qsort qsort_r rand_r rawmemchr realloc "
     "reallocarray remainder remquo rindex rint round scalb scalbln scalbn "
     "sched_yield secure_getenv signbit significand sin sincos sinh "
     "sleep snprintf sprintf sqrt sscanf stpcpy stpncpy strcasecmp strcasestr strcat "
     "strchr strchrnul strcmp strcoll strcpy strcspn strdup strerror strerror_r strftime "
     "strlcat strlcpy strlen strncasecmp strncat strncmp strncpy strndup strnlen strpbrk "
     "strrchr strsep strspn strstr strtod strtof strtoimax strtok_r strtol strtold strtoll "
     "strtoul strtoull strtoumax strxfrm swab sysconf tan tanh tgamma timegm toascii "
     "tolower toupper trunc unreachable usleep valloc vasprintf vsnprintf vsprintf vsscanf "
     "wcscmp wcscpy wcslen wcsncpy wcstombs y0 y1 yn"},
    {Deed::Computes, Anew::Other, "sched_getaffinity"},
    {Deed::Prints, Anew::Same, "perror printf psignal putchar putchar_unlocked puts vprintf"},
    {Deed::Reads, Anew::Other, "getchar getchar_unlocked getpass gets scanf vscanf"},
    {Deed::Stream, Anew::Same,
     "clearerr fclose feof ferror fflush fgetc fgetpos fgets fileno flockfile fprintf "
     "fputc fputc_unlocked fputs fputs_unlocked fputwc fread fread_unlocked fscanf fseek "
     "fseeko fsetpos ftell ftello funlockfile fwide fwprintf fwrite fwrite_unlocked getc "
     "getc_unlocked getdelim getline putc putc_unlocked rewind setbuf setlinebuf setvbuf "
     "ungetc vfprintf vfscanf"},
    {Deed::Descriptor, Anew::Same,
     "close fstat lseek lseek64 posix_fadvise pread pread64 preadv read readv"},
    {Deed::Descriptor, Anew::Other,
     "copy_file_range dprintf dup dup2 dup3 fcntl fdatasync fdopen flock fsync ftruncate "
     "ioctl isatty lockf posix_fallocate pwrite pwrite64 pwritev sendfile splice vdprintf "
     "write writev"},
    {Deed::File, Anew::Same, "access fopen fopen64 getcwd open open64"},
    {Deed::File, Anew::Other,
     "chdir chmod chown closedir closelog creat fchmod fmemopen freopen glob globfree link "
     "lstat mkdir mkdirat mkdtemp mkfifo mkstemp mktemp mmap mmap64 mremap msync munmap "
     "open_memstream openat opendir openlog readdir readlink realpath remove rename rmdir "
     "scandir shm_open shm_unlink stat statvfs symlink syslog tmpfile tmpnam truncate "
     "umask unlink unlinkat utime utimes"},
    {Deed::Random, Anew::Drawn,
     "arc4random arc4random_buf arc4random_uniform drand48 getentropy getrandom lrand48 "
     "mrand48 rand random"},
    {Deed::Seeds, Anew::Drawn, "initstate lcong48 seed48 setstate srand srand48 srandom"},
    {Deed::Keeps, Anew::Same,
     "a64l atexit clearenv ecvt fcvt feclearexcept fedisableexcept feenableexcept "
     "feholdexcept feraiseexcept fesetenv fesetround feupdateenv getopt getopt_long "
     "getopt_long_only insque l64a localeconv lsearch malloc_trim mallopt mblen mbtowc "
     "on_exit putenv remque setenv setlocale strtok tzset unsetenv wctomb"},
    {Deed::Keeps, Anew::Other,
     "brk dlclose dlerror dlopen dlsym hcreate hdestroy hsearch nice pthread_mutex_lock "
     "pthread_mutex_unlock pthread_setspecific sbrk sched_setaffinity setgid setpriority "
     "setrlimit setuid tdelete tfind tsearch"},
    {Deed::Clock, Anew::Other,
     "__builtin_ia32_rdtsc __rdtsc clock clock_getres clock_gettime ftime getitimer "
     "getloadavg getrusage gettimeofday ia32_rdtsc ia32_rdtscp mach_absolute_time "
     "omp_get_wtime rdtsc rdtscp readcyclecounter sysinfo time times timespec_get"},
    {Deed::Place, Anew::Other,
     "ctermid get_nprocs getcpu getdomainname geteuid getgid gethostid gethostname "
     "getlogin getpgrp getpid getppid getsid gettid getuid omp_get_thread_num pthread_self "
     "sched_getcpu ttyname uname"},
    {Deed::Exits, Anew::Same,
     "_Exit __builtin_trap _exit abort err error errx exit exit_group pthread_exit "
     "quick_exit thrd_exit trap verr verrx"},
    {Deed::Signals, Anew::Same,
     "bsd_signal sigaction sigaltstack siginterrupt signal sigprocmask sysv_signal"},
    {Deed::Signals, Anew::Other,
     "alarm kill killpg pause pthread_kill pthread_sigmask raise setitimer sigpending "
     "sigqueue sigset sigsuspend sigtimedwait sigwait sigwaitinfo timer_create "
     "timer_delete timer_settime ualarm"},
    {Deed::Jumps, Anew::Other,
     "__sigsetjmp _longjmp _setjmp getcontext longjmp makecontext setcontext setjmp "
     "siglongjmp sigsetjmp swapcontext"},
    {Deed::Processes, Anew::Other,
     "clone daemon execl execle execlp execv execve execvp execvpe fork pclose popen "
     "posix_spawn posix_spawnp prctl pthread_cancel pthread_create pthread_detach "
     "pthread_join ptrace setsid system thrd_create thrd_join vfork wait wait3 wait4 "
     "waitid waitpid"},
    {Deed::Socket, Anew::Other,
     "accept accept4 bind connect epoll_create epoll_create1 epoll_ctl epoll_wait eventfd "
     "getaddrinfo gethostbyname getpeername getsockname getsockopt inotify_init listen "
     "mq_open mq_receive mq_send msgget msgrcv msgsnd pipe pipe2 poll ppoll pselect recv "
     "recvfrom recvmsg select sem_open sem_post sem_wait semget semop send sendmsg sendto "
     "setsockopt shmat shmdt shmget shutdown socket socketpair"},
};

llvm::StringMap<Known> makeIndex()
{
    llvm::StringMap<Known> index;
    for (const Entry &entry : table) {
        llvm::SmallVector<llvm::StringRef, 128> names;
        llvm::StringRef(entry.names).split(names, ' ');
        for (llvm::StringRef name : names)
            index[name] = {entry.deed, entry.anew};
    }
    return index;
}

/* Of what is not there nothing is known. */
Known lookUp(llvm::StringRef name)
{
    static const llvm::StringMap<Known> index = makeIndex();
    return index.lookup(name);
}

/* Begins of the names of functions of MPI. */
constexpr Entry families[] = {
    {Deed::File, Anew::Same,
     "MPI_File_open MPI_File_close MPI_File_read MPI_File_seek MPI_File_set_view MPI_File_get_"},
    {Deed::File, Anew::Other, "MPI_File_ MPI_Register_datarep"},
    {Deed::Window, Anew::Other,
     "MPI_Win_ MPI_Put MPI_Get_accumulate MPI_Accumulate MPI_Fetch_and_op MPI_Compare_and_swap "
     "MPI_Rput MPI_Rget MPI_Raccumulate"},
    {Deed::Processes, Anew::Same,
     "MPI_Comm_spawn MPI_Comm_accept MPI_Comm_connect MPI_Comm_disconnect MPI_Comm_join "
     "MPI_Open_port MPI_Close_port MPI_Publish_name MPI_Unpublish_name MPI_Lookup_name MPI_Init "
     "MPI_Finalize"},
    {Deed::Keeps, Anew::Same,
     "MPI_Comm_set_attr MPI_Comm_delete_attr MPI_Comm_create_keyval MPI_Attr_put MPI_Buffer_ "
     "MPI_Grequest_ MPI_T_"},
    {Deed::Exits, Anew::Same, "MPI_Abort"},
    {Deed::Clock, Anew::Other, "MPI_Wtime"},
    {Deed::Place, Anew::Other, "MPI_Get_processor_name"},
};

Known knownOfMpi(llvm::StringRef name)
{
    if (name == "MPI_Get")
        return {Deed::Window, Anew::Other};
    if (name == "MPI_Initialized" || name == "MPI_Finalized")
        return {Deed::Computes, Anew::Same};
    for (const Entry &family : families) {
        llvm::SmallVector<llvm::StringRef, 32> begins;
        llvm::StringRef(family.names).split(begins, ' ');
        for (llvm::StringRef begin : begins)
            if (startsWith(name, begin))
                return {family.deed, family.anew};
    }
    return {isLocalMpi(name) ? Deed::Computes : Deed::Communicates, Anew::Same};
}

/* What the compiler's variants of a function stand for. */
llvm::StringRef bareName(llvm::StringRef name)
{
    name.consume_front("__builtin_");
    if (endsWith(name, "_chk")) {
        name.consume_front("__");
        name.consume_front("_");
        name = name.drop_back(4);
    }
    return name;
}

/* Functions of mathematics for float and long double: sinf, sinl. */
Known knownVariant(llvm::StringRef name)
{
    if (name.size() < 4 || (name.back() != 'f' && name.back() != 'l'))
        return {};
    const Known known = lookUp(name.drop_back());
    return known.deed == Deed::Computes ? known : Known();
}

/* Libraries that compute. */
bool isNumeric(llvm::StringRef name)
{
    return startsWith(name, "cblas_") || startsWith(name, "LAPACKE_");
}

Known known(llvm::StringRef name)
{
    if (startsWith(name, "PMPI_"))
        name = name.drop_front();
    if (startsWith(name, "MPI_"))
        return knownOfMpi(name);
    const llvm::StringRef bare = bareName(name);
    Known found = lookUp(bare);
    if (found.deed == Deed::Unknown)
        found = knownVariant(bare);
    if (found.deed == Deed::Unknown && (isNumeric(name) || startsWith(name, "__builtin_")))
        return {Deed::Computes, Anew::Same};
    return found;
}

/* Of the function that CALL names, where it is not one of the program's. */
Known known(const clang::CallExpr *call)
{
    const clang::FunctionDecl *callee = call->getDirectCallee();
    llvm::StringRef name = calleeName(call);
    if (startsWith(name, "MPI_") || startsWith(name, "PMPI_"))
        return known(name);
    const bool library =
        callee != nullptr &&
        (callee->getBuiltinID() != 0 ||
         callee->getASTContext().getSourceManager().isInSystemHeader(callee->getLocation()));
    return library ? known(name) : Known();
}

} // namespace

Deed deedOf(llvm::StringRef name)
{
    return known(name).deed;
}

Deed deedOf(const clang::CallExpr *call)
{
    return known(call).deed;
}

Anew anewOf(const clang::CallExpr *call)
{
    return known(call).anew;
}

bool tellsPlace(const clang::CallExpr *call)
{
    static constexpr const char *words[] = {"RANK", "PROCID", "LOCALID",    "NODEID",
                                            "PMI",  "NTASKS", "COMM_WORLD", "HOSTNAME"};
    if (deedOf(call) == Deed::Place)
        return true;
    const llvm::StringRef name = calleeName(call);
    if ((name != "getenv" && name != "secure_getenv") || call->getNumArgs() == 0)
        return false;
    const auto *asked =
        llvm::dyn_cast<clang::StringLiteral>(call->getArg(0)->IgnoreParenImpCasts());
    return asked != nullptr &&
           llvm::any_of(words, [&](const char *word) { return asked->getBytes().contains(word); });
}

bool namesOfProcess(const clang::CallExpr *call)
{
    static constexpr const char *names[] = {
        "accept",       "accept4",       "creat",        "dup",      "dup2",    "dup3",
        "epoll_create", "epoll_create1", "eventfd",      "fileno",   "fork",    "getpid",
        "getppid",      "gettid",        "inotify_init", "mkstemp",  "mq_open", "msgget",
        "open",         "open64",        "openat",       "pipe",     "pipe2",   "posix_spawn",
        "posix_spawnp", "pthread_self",  "semget",       "shm_open", "shmget",  "socket",
        "socketpair",   "vfork"};
    llvm::StringRef name = calleeName(call);
    const bool handle = startsWith(name, "MPI_") && endsWith(name, "_c2f");
    return handle || (deedOf(call) != Deed::Unknown &&
                      std::binary_search(std::begin(names), std::end(names), name));
}

bool isInputOutput(Deed deed)
{
    return deed == Deed::Prints || deed == Deed::Reads || deed == Deed::Stream ||
           deed == Deed::Descriptor || deed == Deed::File;
}

bool isLocalMpi(llvm::StringRef name)
{
    static constexpr const char *names[] = {"MPI_Abort",
                                            "MPI_Address",
                                            "MPI_Aint_add",
                                            "MPI_Aint_diff",
                                            "MPI_Alloc_mem",
                                            "MPI_Attr_get",
                                            "MPI_Comm_get_attr",
                                            "MPI_Comm_rank",
                                            "MPI_Comm_set_errhandler",
                                            "MPI_Comm_set_name",
                                            "MPI_Comm_size",
                                            "MPI_Dims_create",
                                            "MPI_Errhandler_create",
                                            "MPI_Errhandler_set",
                                            "MPI_Error_class",
                                            "MPI_Error_string",
                                            "MPI_Finalize",
                                            "MPI_Finalized",
                                            "MPI_Free_mem",
                                            "MPI_Get_address",
                                            "MPI_Get_library_version",
                                            "MPI_Get_processor_name",
                                            "MPI_Get_version",
                                            "MPI_Init",
                                            "MPI_Init_thread",
                                            "MPI_Initialized",
                                            "MPI_Is_thread_main",
                                            "MPI_Op_create",
                                            "MPI_Pack_size",
                                            "MPI_Pcontrol",
                                            "MPI_Query_thread",
                                            "MPI_Wtick",
                                            "MPI_Wtime"};
    return startsWith(name, "MPI_Type_") || startsWith(name, "MPI_Info_") ||
           std::binary_search(std::begin(names), std::end(names), name);
}

} // namespace xmpi
