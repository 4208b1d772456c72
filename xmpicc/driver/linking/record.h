/* SPDX-License-Identifier: BSD-3-Clause
 * What an object tells of the source that it was made of: where that is, how it was compiled, and
 * what there is to be said of its loop when the program is linked. */
#ifndef XMPICC_RECORD_H
#define XMPICC_RECORD_H

#include "driver/command/driver.h"

typedef struct {
    const char *folder; /* where the command was given, in full */
    const char *source; /* as it was typed */
    const char *digest; /* of its text */
    const char *loop; /* "": it has no pragma; "open": its loop may be another one when the program
                       * is linked; "closed": it is what it is */
    const char *rung; /* "0": movable, "1": it starts over, "2": divisible */
    const char *pending; /* what is to be said of an open one; it begins with a '!' where it is an
                          * error that the loop is not divisible */
    const char *keep;    /* where its rewritten text is kept; "": nowhere */
    const char *object;  /* what object_digest said of the object; "": there is none yet */
    words_t words;       /* the options that matter for what is made of it */
    size_t input;        /* it is this input of the command; RECORD_OF_OBJECT: of an object */
    long long made;      /* when the object was, in ns since 1970; 0: now; -1: nobody knows */
    const char *bytes;   /* as it stands in the object */
    size_t length;
} record_t;

#define RECORD_OF_OBJECT ((size_t)-1)

typedef struct {
    record_t *items;
    size_t count;
} records_t;

/* Whether objects that this command makes have records, or the program that it links may be made of
 * what is joined. */
bool record_wanted(const driver_t *driver);

/* The word of the command by which there are none, where there would be without it; else NULL. */
const char *record_prevented(const driver_t *driver);

/* That of input number INPUT, a source in C; false: its object is to have none. */
bool record_of_input(const driver_t *driver, size_t input, record_t *record);

/* Gives the objects of all inputs their records, where the command has made objects. What they are
 * to keep and cannot is said. */
void record_objects(const driver_t *driver);

/* Those that TEXT consists of. */
records_t records_read(memory_t *memory, const char *text, size_t length);

/* Whether CONTENT, an object or an archive, has records. */
bool record_is_in(const char *content, size_t length);

/* Whether CONTENT, an object or an archive, has a record of an open loop. */
bool record_is_open(const char *content, size_t length);

/* The digest of a text, in words. */
const char *record_digest(memory_t *memory, const char *text, size_t length);

#endif
