/* SPDX-License-Identifier: BSD-3-Clause
 * Streams of the program: regular files are opened again where the program goes, at the same place.
 */
#define _GNU_SOURCE
#include "image/calls/streams.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

#include "image/memory/arena.h"
#include "act/image/image.h"
#include "image/calls/files.h"
#include "image/libraries/lenders.h"
#include "image/memory/lock.h"
#include "image/memory/memory.h"
#include "image/calls/reads.h"

FILE *__real_fopen(const char *path, const char *mode);
FILE *__real_freopen(const char *path, const char *mode, FILE *file);
int __real_fclose(FILE *file);
int __real_access(const char *path, int mode);
int __real_fileno(FILE *file);
off_t __real_ftello(FILE *file);
int __real_fseeko(FILE *file, off_t at, int from);
int __real_fflush(FILE *file);
int __real_feof(FILE *file);
int __real_getc(FILE *file);
wint_t __real_getwc(FILE *file);
int __real_ungetc(int c, FILE *file);
wint_t __real_ungetwc(wint_t c, FILE *file);
int __real___freading(FILE *file);
int __real_fwide(FILE *file, int mode);
FILE *__real_tmpfile(void);
size_t __real_fread(void *data, size_t size, size_t n, FILE *file);
size_t __real_fwrite(const void *data, size_t size, size_t n, FILE *file);
int __real_setvbuf(FILE *file, char *buffer, int mode, size_t size);

enum { STANDARD = 3, NOT_SAID = -1, MOST_BACK = 16, FLAGS = _IO_EOF_SEEN | _IO_ERR_SEEN };

typedef struct stream {
    FILE face; /* all zeros: macros that look into it find nothing, and call a function */
    FILE *real;
    struct stream *next;
    char *path, *mode;
    int64_t read;   /* number of its last read; 0: none */
    off_t at, size; /* of the place and of the file when it was packed; -1: not known */
    int noted;  /* what is in it matters once the program asks (image/calls/reads.h); 0: it does, or
                   not */
    bool held;  /* what is behind it is not the file, which is not to be touched yet */
    bool bound; /* the program knows its descriptor, */
    int fd;     /* this one; -1: one that it cannot have elsewhere */
    int buffering;
    size_t buffer;
    size_t given_back;      /* characters that the program has put back, at most */
    wint_t back[MOST_BACK]; /* what is to be read before the rest of the file */
    size_t backs;
    int flags; /* whether it is at its end, or has failed */
} stream_t;

/* The program's. */
static stream_t *streams;
static int lock;               /* of the list: its threads may open and close files */
static FILE *(*was)[STANDARD]; /* standard streams of processes that it has been in */
static size_t processes;
static bool reads_input, has_moved;
static int64_t reads; /* of all streams that the program has opened */
static pid_t packed_by;
static struct {
    int buffering;
    size_t buffer;
    bool said;
} standards[STANDARD];

static int standard(const FILE *file)
{
    return file == stdin ? 0 : file == stdout ? 1 : file == stderr ? 2 : -1;
}

static FILE *standard_of(int i)
{
    return i == 0 ? stdin : i == 1 ? stdout : stderr;
}

static bool is_own(const FILE *file)
{
    return xmpi_heap_has(&xmpi_arena()->heap, file);
}

FILE *xmpi_stream(FILE *file)
{
    if (file == NULL || standard(file) >= 0)
        return file;
    if (is_own(file))
        return ((stream_t *)(void *)file)->real;
    for (size_t p = 0; p < processes; p++)
        for (int i = 0; i < STANDARD; i++)
            if (was[p][i] == file)
                return standard_of(i);
    return file;
}

FILE *xmpi_stream_read(FILE *file)
{
    FILE *real = xmpi_stream(file);
    if (real == stdin && has_moved) {
        fprintf(stderr, "xmpi: standard input is read by a process that has moved and left it "
                        "behind: read it before the loop, or keep rank 0 where it is\n");
        _exit(1);
    }
    reads_input = reads_input || real == stdin;
    if (file != NULL && is_own(file))
        ((stream_t *)(void *)file)->read = ++reads;
    return xmpi_stream_asked(file);
}

FILE *xmpi_stream_asked(FILE *file)
{
    if (file != NULL && is_own(file))
        xmpi_reads_use(((stream_t *)(void *)file)->noted);
    return xmpi_stream(file);
}

/* --- opening and closing --- */

static void drop(stream_t *stream)
{
    xmpi_lock(&lock);
    stream_t **at = &streams;
    while (*at != stream)
        at = &(*at)->next;
    *at = stream->next;
    xmpi_unlock(&lock);
    __wrap_free(stream->path);
    __wrap_free(stream->mode);
    __wrap_free(stream);
}

static FILE *make(FILE *real, const char *path, const char *mode)
{
    char whole[4096];
    stream_t *stream = __wrap_calloc(1, sizeof *stream);
    const char *found = realpath(path, whole);
    if (stream == NULL) {
        __real_fclose(real);
        return NULL;
    }
    stream->real = real;
    stream->path = __wrap_strdup(found != NULL ? found : path);
    stream->mode = __wrap_strdup(mode);
    stream->buffering = NOT_SAID;
    xmpi_lock(&lock);
    stream->next = streams;
    streams = stream;
    xmpi_unlock(&lock);
    return &stream->face;
}

static FILE *open_held(const char *path, const char *mode);
static void write_held(const stream_t *stream);

/* What a file has that is appended to matters only to who reads it, or asks how long it is. */
static int note_read(const char *path, const char *mode)
{
    return mode[0] == 'w' ? 0 : xmpi_reads_note(path, mode[0] == 'r');
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
    bool held = xmpi_files_are_held() && (mode[0] != 'r' || strchr(mode, '+') != NULL);
    FILE *real = held ? open_held(path, mode) : __real_fopen(path, mode);
    int noted = note_read(path, mode);
    FILE *file = real == NULL ? NULL : make(real, path, mode);
    if (file != NULL) {
        ((stream_t *)(void *)file)->held = held;
        ((stream_t *)(void *)file)->noted = noted;
    }
    return file;
}

FILE *__wrap_fopen64(const char *path, const char *mode)
{
    return __wrap_fopen(path, mode);
}

static int close_real(const stream_t *stream)
{
    if (stream->bound)
        xmpi_files_lower(stream->fd);
    return __real_fclose(stream->real);
}

int __wrap_fclose(FILE *file)
{
    if (is_own(file) && ((stream_t *)(void *)file)->held)
        write_held((stream_t *)(void *)file);
    if (!is_own(file))
        return __real_fclose(xmpi_stream(file));
    int result = close_real((stream_t *)(void *)file);
    drop((stream_t *)(void *)file);
    return result;
}
XMPI_DIVERT(fclose)

/* A standard stream that leads elsewhere is the process's. */
extern const char *xmpi_image_pinned;

FILE *__wrap_freopen(const char *path, const char *mode, FILE *file)
{
    FILE *real = __real_freopen(path, mode, xmpi_stream(file));
    stream_t *stream = (stream_t *)(void *)file;
    if (!is_own(file)) {
        xmpi_image_pinned = "freopen";
        return real;
    }
    if (real == NULL) {
        drop(stream);
        return NULL;
    }
    if (path != NULL)
        stream->noted = note_read(path, mode);
    char *other = path != NULL ? realpath(path, NULL) : NULL;
    if (other != NULL) {
        __wrap_free(stream->path);
        stream->path = other;
    }
    __wrap_free(stream->mode);
    stream->mode = __wrap_strdup(mode);
    return file;
}
XMPI_DIVERT(freopen)

FILE *__wrap_freopen64(const char *path, const char *mode, FILE *file)
{
    return __wrap_freopen(path, mode, file);
}
XMPI_DIVERT(freopen64)

/* From now on it has this descriptor, also in C++'s file streams, which are made of such ones. */
static void bind(stream_t *stream)
{
    FILE *real = stream->real;
    int fd = stream->bound || !xmpi_files_named(real->_fileno, stream->path)
                 ? -1
                 : xmpi_files_lift(real->_fileno);
    if (!stream->bound)
        stream->fd = fd;
    if (fd >= 0)
        real->_fileno = fd;
    stream->bound = true;
}

int __wrap_fileno(FILE *file)
{
    if (file != NULL && is_own(file))
        bind((stream_t *)(void *)file);
    return __real_fileno(xmpi_stream_asked(file));
}
XMPI_DIVERT(fileno)

int __wrap_fileno_unlocked(FILE *file)
{
    return __wrap_fileno(file);
}
XMPI_DIVERT(fileno_unlocked)

/* The C library keeps its own buffers: one of the program's would go away under it. */
int __wrap_setvbuf(FILE *file, char *buffer, int mode, size_t size)
{
    FILE *real = xmpi_stream(file);
    int which = standard(real);
    (void)buffer;
    if (file != NULL && is_own(file)) {
        ((stream_t *)(void *)file)->buffering = mode;
        ((stream_t *)(void *)file)->buffer = size;
    } else if (which >= 0) {
        standards[which].said = true;
        standards[which].buffering = mode;
        standards[which].buffer = size;
    }
    return __real_setvbuf(real, NULL, mode, size);
}
XMPI_DIVERT(setvbuf)

void __wrap_setbuffer(FILE *file, char *buffer, size_t size)
{
    __wrap_setvbuf(file, buffer, buffer != NULL ? _IOFBF : _IONBF, size);
}
XMPI_DIVERT(setbuffer)

void __wrap_setbuf(FILE *file, char *buffer)
{
    __wrap_setbuffer(file, buffer, BUFSIZ);
}
XMPI_DIVERT(setbuf)

void __wrap_setlinebuf(FILE *file)
{
    __wrap_setvbuf(file, NULL, _IOLBF, 0);
}
XMPI_DIVERT(setlinebuf)

/* --- characters that are put back ----------------------------------------------------------------
 *
 * They need not be those of the file. How many of them have been read again nobody tells: as many
 * as have ever been put back are read, and put back once more. */

static void gives_back(FILE *file)
{
    stream_t *stream = (stream_t *)(void *)file;
    if (file != NULL && is_own(file) && stream->given_back < MOST_BACK)
        stream->given_back++;
}

int __wrap_ungetc(int c, FILE *file)
{
    gives_back(file);
    return __real_ungetc(c, xmpi_stream(file));
}
XMPI_DIVERT(ungetc)

wint_t __wrap_ungetwc(wint_t c, FILE *file)
{
    gives_back(file);
    return __real_ungetwc(c, xmpi_stream(file));
}
XMPI_DIVERT(ungetwc)

/* What can be read where it stands, as one of the two functions does it; WEOF: no more. */
static wint_t take(FILE *real)
{
    if (__real_fwide(real, 0) > 0)
        return __real_getwc(real);
    int c = __real_getc(real);
    return c == EOF ? WEOF : (wint_t)c;
}

static void put_back(const stream_t *s)
{
    for (size_t i = s->backs; i-- > 0;)
        if (__real_fwide(s->real, 0) > 0)
            __real_ungetwc(s->back[i], s->real);
        else
            __real_ungetc((int)s->back[i], s->real);
    s->real->_flags = (s->real->_flags & ~FLAGS) | s->flags;
}

/* Reads them, so that the place behind them is that of the file. */
static void take_back(stream_t *s)
{
    s->flags = s->real->_flags & FLAGS;
    size_t most = __real___freading(s->real) ? s->given_back : 0;
    for (s->backs = 0; s->backs < most; s->backs++)
        if ((s->back[s->backs] = take(s->real)) == WEOF)
            break;
}

/* --- moving -------------------------------------------------------------------------------------
 */

static bool is_regular(const stream_t *stream)
{
    struct stat status, there;
    return fstat(__real_fileno(stream->real), &status) == 0 &&
           (S_ISREG(status.st_mode) || S_ISCHR(status.st_mode)) &&
           stat(stream->path, &there) == 0 && there.st_ino == status.st_ino &&
           there.st_dev == status.st_dev;
}

void xmpi_streams_held(char *why)
{
    for (const stream_t *s = streams; s != NULL && why[0] == '\0'; s = s->next)
        if (s->bound && s->fd < 0)
            snprintf(why, XMPI_IMAGE_WHY_MAX, "fileno has told the descriptor of %.80s", s->path);
        else if (!is_regular(s))
            snprintf(why, XMPI_IMAGE_WHY_MAX, "%.80s, which fopen has opened, is no file", s->path);
    xmpi_files_held(why);
    if (why[0] == '\0' && reads_input && !__real_feof(stdin))
        snprintf(why, XMPI_IMAGE_WHY_MAX, "it reads standard input");
}

static void note_process(void)
{
    for (size_t p = 0; p < processes; p++)
        if (was[p][1] == stdout)
            return;
    FILE *(*grown)[STANDARD] = __wrap_realloc(was, (processes + 1) * sizeof *was);
    if (grown == NULL)
        return;
    was = grown;
    for (int i = 0; i < STANDARD; i++)
        was[processes][i] = standard_of(i);
    processes++;
}

void xmpi_streams_pack(void)
{
    note_process();
    packed_by = getpid();
    xmpi_files_pack();
    for (stream_t *s = streams; s != NULL; s = s->next) {
        struct stat status;
        take_back(s);
        s->at = __real_ftello(s->real);
        __real_fflush(s->real);
        if (s->bound)
            s->at = lseek(s->fd, 0, SEEK_CUR);
        put_back(s);
        bool told = fstat(__real_fileno(s->real), &status) == 0 && S_ISREG(status.st_mode);
        s->size = told ? status.st_size : -1;
    }
}

void xmpi_streams_cut(void)
{
    xmpi_files_cut();
    for (const stream_t *s = streams; s != NULL; s = s->next) {
        struct stat status;
        int fd = __real_fileno(s->real);
        bool writes = s->mode[0] != 'r' || strchr(s->mode, '+') != NULL;
        bool longer = s->size >= 0 && fstat(fd, &status) == 0 && status.st_size > s->size;
        if (writes && longer && ftruncate(fd, s->size) != 0)
            fprintf(stderr, "xmpi: %s is longer than it was: %s\n", s->path, strerror(errno));
    }
}

void xmpi_streams_left(void)
{
    xmpi_files_left();
    for (stream_t *s = streams; s != NULL; s = s->next)
        close_real(s);
}

/* Nothing is created or emptied. */
static FILE *open_again(const stream_t *s)
{
    const char *plus = strchr(s->mode, '+');
    const char *mode = s->mode[0] == 'w' ? "r+" : s->mode[0] == 'r' && plus == NULL ? "r" : s->mode;
    FILE *real = __real_fopen(s->path, mode);
    if (real != NULL && s->buffering != NOT_SAID)
        __real_setvbuf(real, NULL, s->buffering, s->buffer);
    if (real != NULL && s->at >= 0 && !s->bound)
        __real_fseeko(real, s->at, SEEK_SET);
    return real;
}

/* By the descriptor the program is where it was; the stream behind asks where that is. */
static bool bind_again(const stream_t *s, char *why)
{
    if (!s->bound)
        return true;
    if (!xmpi_files_put(s->real->_fileno, s->fd, s->path, why))
        return false;
    s->real->_fileno = s->fd;
    return s->at < 0 || lseek(s->fd, s->at, SEEK_SET) == s->at;
}

bool xmpi_streams_unpack(char *why)
{
    if (!xmpi_files_unpack(why))
        return false;
    for (stream_t *s = streams; s != NULL; s = s->next) {
        s->real = open_again(s);
        if (s->real == NULL) {
            snprintf(why, XMPI_IMAGE_WHY_MAX, "its file %.64s: %s", s->path, strerror(errno));
            return false;
        }
        if (!bind_again(s, why))
            return false;
        put_back(s);
    }
    for (int i = 0; i < STANDARD; i++)
        if (standards[i].said)
            __real_setvbuf(standard_of(i), NULL, standards[i].buffering, standards[i].buffer);
    has_moved = has_moved || packed_by != getpid();
    return true;
}

/* --- starting over ------------------------------------------------------------------------------
 *
 * What the start writes was written the first time. So it writes to a file without a name, and only
 * one that is not there yet is made of it. */

bool xmpi_streams_have_read_input(void)
{
    return reads_input;
}

void xmpi_streams_descriptors(char *why)
{
    xmpi_files_open(why);
    for (const stream_t *s = streams; s != NULL && why[0] == '\0'; s = s->next)
        if (s->bound)
            snprintf(why, XMPI_IMAGE_WHY_MAX, "fileno has told the descriptor of %.80s", s->path);
}

size_t xmpi_streams_places(xmpi_file_place_t *place, size_t most)
{
    size_t n = 0;
    for (const stream_t *s = streams; s != NULL && n < most; s = s->next, n++) {
        place[n] =
            (xmpi_file_place_t){.at = __real_ftello(s->real), .read = s->read, .real = s->real};
        strncpy(place[n].path, s->path, XMPI_FILE_PATH_MAX - 1);
    }
    return n;
}

static void copy_file(FILE *from, FILE *to)
{
    char piece[4096];
    size_t n;
    while ((n = __real_fread(piece, 1, sizeof piece, from)) > 0)
        __real_fwrite(piece, 1, n, to);
}

/* It could be opened for writing. */
static bool is_writable(const char *path)
{
    char folder[4096];
    const char *slash = strrchr(path, '/');
    if (__real_access(path, W_OK) == 0)
        return true;
    if (errno != ENOENT)
        return false;
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - path) + 1 : 1,
             slash != NULL ? path : ".");
    return __real_access(folder, W_OK | X_OK) == 0;
}

static FILE *open_held(const char *path, const char *mode)
{
    if (!is_writable(path))
        return NULL;
    FILE *there = mode[0] == 'w' ? NULL : __real_fopen(path, "r");
    FILE *real = mode[0] == 'r' && there == NULL ? NULL : __real_tmpfile();
    if (there != NULL && real != NULL)
        copy_file(there, real);
    if (there != NULL)
        __real_fclose(there);
    if (real != NULL && mode[0] == 'r')
        __real_fseeko(real, 0, SEEK_SET);
    return real;
}

static void write_held(const stream_t *stream)
{
    FILE *made = __real_access(stream->path, F_OK) == 0 ? NULL : __real_fopen(stream->path, "w");
    if (made == NULL)
        return;
    __real_fseeko(stream->real, 0, SEEK_SET);
    copy_file(stream->real, made);
    __real_fclose(made);
    if (xmpi_files_are_held())
        xmpi_files_made_again(stream->path);
}

static const xmpi_file_place_t *place_of(const stream_t *s, const xmpi_file_place_t *place,
                                         size_t n)
{
    size_t i = 0;
    while (i < n && strncmp(place[i].path, s->path, XMPI_FILE_PATH_MAX - 1) != 0)
        i++;
    return i < n ? &place[i] : NULL;
}

static bool settle(stream_t *s, const xmpi_file_place_t *place)
{
    if (!s->held) {
        if (place != NULL && place->at >= 0)
            __real_fseeko(s->real, place->at, SEEK_SET);
        return true;
    }
    write_held(s);
    s->at = place != NULL ? place->at : -1;
    FILE *real = open_again(s);
    if (real == NULL)
        return false;
    if (place == NULL)
        __real_fseeko(real, 0, SEEK_END);
    __real_fclose(s->real);
    s->real = real;
    s->held = false;
    return true;
}

bool xmpi_streams_settle(const xmpi_file_place_t *place, size_t n, char *why)
{
    for (stream_t *s = streams; s != NULL; s = s->next)
        if (!settle(s, place_of(s, place, n))) {
            snprintf(why, XMPI_IMAGE_WHY_MAX, "its file %.64s: %s", s->path, strerror(errno));
            return false;
        }
    return true;
}
