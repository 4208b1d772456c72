/* SPDX-License-Identifier: BSD-3-Clause
 * What iterations may change and what may be read again, as far as a clause does not name it: what
 * is not known to be kept or to be set anew counts. */
#ifndef XMPI_REWRITER_UNNAMED_H
#define XMPI_REWRITER_UNNAMED_H

#include "facts/points_to.h"
#include <clang/AST/Stmt.h>
#include <functional>
#include <set>
#include <string>

namespace xmpi
{

/* What may be read again before it is surely set anew. */
struct Left {
    std::string name, line, owner; /* OWNER: the function that alone can name it */
    std::string file;              /* where that is another file: behind the name (sight.h) */
    bool value = false;            /* no array, nor in one */
    bool nameless = false; /* memory that nothing leads to by a name: NAME says where made */
    bool leads = false;    /* a pointer that leads elsewhere */
    bool made = false;     /* memory that iterations have made */
    bool before = false;   /* memory that is there when the first of them begins */
    bool handle = false;   /* what MPI knows of this world, which iterations have made */
    bool diverges = false; /* it may be another value on each process */
    bool fixed = false;    /* an array that a clause names without its length */
    bool decides = false;  /* iterations set something else by it */
    bool sum = false; /* each process only adds to it, and all that is read is the sum of all */
    bool readFirst = false; /* before an iteration sets anything of it, it may be */

    bool operator<(const Left &other) const
    {
        return name < other.name;
    }
};

class Walk;

struct Unnamed {
    std::string text; /* empty: nothing is seen to be left out */
    std::string more; /* what is not known, as there is too much of the program; or empty */
    std::set<Left> left;
};

/* Of LOOP in FUNCTION, one of those that are ADAPTIVE, with its clause in POINT at its begin;
 * places that are IGNORED do not count. LOOK, or null, is shown each walk that comes to the loop.
 */
Unnamed unnamed(clang::ASTContext &context, const PointsTo &pointsTo,
                const clang::FunctionDecl *function, const clang::Stmt *loop,
                const clang::IfStmt *point, const std::set<const clang::Stmt *> &adaptive,
                const std::function<bool(const clang::Expr *)> &ignored,
                const std::function<void(Walk &)> &look = nullptr);

} // namespace xmpi
#endif
