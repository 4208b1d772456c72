/* SPDX-License-Identifier: BSD-3-Clause
 * Amounts of memory as people write them. */
#include "base/data/size_text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool xmpi_size_parse(const char *text, double *mib)
{
    static const char letters[] = "kmgt";
    char *end;
    errno = 0;
    double number = strtod(text, &end);
    if (end == text || errno != 0 || !isfinite(number))
        return false;
    const char *letter = *end != '\0' ? strchr(letters, *end | ('a' ^ 'A')) : letters + 1;
    if (letter == NULL)
        return false;
    end += *end != '\0';
    if (*end != '\0' && strcasecmp(end, "iB") != 0)
        return false;
    *mib = ldexp(number, 10 * (int)(letter - letters - 1));
    return true;
}
