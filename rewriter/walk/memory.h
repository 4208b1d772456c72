/* SPDX-License-Identifier: BSD-3-Clause
 * The memory that a walk through a program tells apart: variables, and what allocations make, one
 * for each way of calls that leads to them, with their members. */
#ifndef XMPI_REWRITER_MEMORY_H
#define XMPI_REWRITER_MEMORY_H

#include "walk/leads.h"
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <map>
#include <vector>

namespace xmpi
{

class Memory
{
  public:
    using Id = int; /* of an object */
    using Ids = IdSet;
    static constexpr Id none = -1;

    struct Object {
        const clang::VarDecl *variable = nullptr;      /* it is one, */
        const clang::Expr *made = nullptr;             /* or was made there, */
        const clang::FunctionDecl *function = nullptr; /* or is code, */
        Id holder = none;                              /* or what a pointer leads to at first, */
        Id whole = none;                               /* or a part of that: */
        const clang::FieldDecl *field = nullptr;       /* a member, */
        long long slot = -1;                           /* or an element with a constant number, */
        bool carved = false;                           /* or what begins somewhere in it */
        bool foreign = false;                          /* made by what is not seen */
        bool several = false;                          /* it stands for several of its kind */
        bool kept = false;                             /* iterations before have made it */
        bool parted = false;                           /* something is a part of it */
    };

    /* A way of calls: CALL, behind the way OUTER; 0 is none. */
    int way(int outer, const clang::CallExpr *call);

    Id variable(const clang::VarDecl *variable, int way);
    Id made(const clang::Expr *by, int way, bool foreign);
    Id code(const clang::FunctionDecl *function);
    Id behind(Id holder);
    Id member(Id whole, const clang::FieldDecl *field);
    Id slot(Id array, long long number);
    Id carved(Id block, const clang::Expr *by, int way); /* of one that is carved: of its block */
    Id kept(Id made); /* what earlier iterations have made there, or a part of that */

    const Object &at(Id id) const
    {
        return objects[static_cast<size_t>(id)];
    }
    void setSeveral(Id id)
    {
        objects[static_cast<size_t>(id)].several = true;
    }
    const Object &rootOf(Id id) const;
    bool isWithin(Id inner, Id outer) const; /* or the same */
    std::vector<Id> slotsOf(Id array) const; /* those that have been asked for */
    Id size() const
    {
        return static_cast<Id>(objects.size());
    }

  private:
    using Key = std::tuple<int, const void *, long long>;
    std::vector<Object> objects;
    std::map<Key, Id> known;
    std::map<Id, std::vector<Id>> slots;
    std::map<std::pair<int, const void *>, int> ways;

    Id named(const Key &key, const Object &object);
};

/* At one place of the walk. */
struct Moment {
    Leads leads;        /* of pointers that are known */
    Marks set;          /* all of it has been set since the beginning, */
    Marks brought;      /* but, it may be, by messages alone */
    Marks touched;      /* or some of it, in each iteration */
    Marks anywhere;     /* the same by one process at least, whichever that is */
    Marks divergent;    /* may be another value (Walk::Other) */
    bool ended = false; /* nobody comes here */
};

/* Of two ways that lead here. EITHER: what is touched on one of them counts, as each process, or
 * each pass of a loop, goes the way that it needs. PARTED: some go the one way, and others the
 * other. */
void join(Moment &one, const Moment &other, Memory &memory, bool either = false,
          bool parted = false);

} // namespace xmpi
#endif
