/* SPDX-License-Identifier: BSD-3-Clause
 * Persistent requests: a call MPI_*_init names buffers that calls of MPI_Start read and fill, at
 * another place, perhaps in another function. */
#ifndef XMPI_REWRITER_REQUESTS_H
#define XMPI_REWRITER_REQUESTS_H

#include "source/struct_members.h"
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <map>
#include <set>
#include <vector>

namespace xmpi
{

struct Place;

/* A buffer of the request that INIT makes. */
struct RequestBuffer {
    const clang::CallExpr *init;
    const clang::FunctionDecl *function; /* in which ... */
    const clang::Expr *expression;       /* ... it is written so */
    bool exact;                          /* it is that; else it is somewhere in it */
    bool received;                       /* the request fills it; else it only reads it */
};

class PersistentRequests
{
  public:
    PersistentRequests(const std::vector<const clang::FunctionDecl *> &functions,
                       const StructMembers &members);

    /* CALL makes a persistent request; its last argument is where it puts it. */
    static bool isInit(const clang::CallExpr *call);

    /* What INIT's buffers are, in its function and in those that hand them to it. */
    std::vector<RequestBuffer> buffersOf(const clang::CallExpr *init) const;

    /* VARIABLE holds persistent requests, or points to them. */
    bool holds(const clang::VarDecl *variable) const;

    /* The buffers that CALL, in starting requests, reads and fills, as they are written in its
     * function: all of a call of MPI_Start; of other calls the function's local ones. */
    const std::vector<RequestBuffer> &startedBy(const clang::CallExpr *call) const;

    /* CALL leaves its argument INDEX as it is, though it is given its address: a buffer until the
     * request is started, a persistent request that is started or waited for. */
    bool keeps(const clang::CallExpr *call, unsigned index) const;

  private:
    using Caller = std::pair<const clang::FunctionDecl *, const clang::CallExpr *>;

    const StructMembers &members;
    std::set<const clang::VarDecl *> variables; /* that hold persistent requests ... */
    std::set<const clang::FieldDecl *> fields;  /* ... and members that do */
    std::set<const clang::FunctionDecl *> starting, making;
    std::set<const clang::ParmVarDecl *> named; /* of which a function makes buffers, no more */
    std::vector<RequestBuffer> buffers;
    std::map<const clang::CallExpr *, std::vector<RequestBuffer>> started;

    void findVariables(const std::vector<Caller> &calls);
    void findFunctions(const std::vector<Caller> &calls);
    void findBuffers(const std::vector<Caller> &calls);
    void findStarted(const std::vector<Caller> &calls);
    void findNamed(const clang::FunctionDecl *function);
    bool addHolder(const clang::Expr *argument);
    bool holds(const clang::Expr *argument) const;
    bool fits(const clang::CallExpr *start, const RequestBuffer &buffer) const;
};

} // namespace xmpi
#endif
