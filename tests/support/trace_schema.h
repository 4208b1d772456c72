/* SPDX-License-Identifier: BSD-3-Clause
 * Compares traces with what docs/trace.md says of them. */
#ifndef XMPI_TESTS_TRACE_SCHEMA_H
#define XMPI_TESTS_TRACE_SCHEMA_H

#include <cjson/cJSON.h>

/* Ends the test when EVENT, or an object in it, has a field that the document does not tell of, or
 * lacks one that is always there. */
void trace_schema_check(const cJSON *event);

/* The same for every line of TEXT, a trace. */
void trace_schema_check_lines(const char *text);

/* A field of the document, "OBJECT.FIELD", that no event so far has had; NULL: there is none. */
const char *trace_schema_unseen(void);

#endif
