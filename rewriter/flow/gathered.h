/* SPDX-License-Identifier: BSD-3-Clause
 * How values of all own rows are put together, and which reductions put those of all processes
 * together in the same way: only these come to the same in every layout. */
#ifndef XMPI_REWRITER_GATHERED_H
#define XMPI_REWRITER_GATHERED_H

#include "flow/form.h"
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <llvm/ADT/StringRef.h>

namespace xmpi
{

/* ONE and OTHER are written alike. */
bool isSame(const clang::ASTContext &context, const clang::Expr *one, const clang::Expr *other);

/* s = s + x, or s = x + s: what is added, by which operator; null where it is something else. */
struct SelfOperation {
    const clang::BinaryOperator *operation = nullptr;
    const clang::Expr *operand = nullptr;
};
SelfOperation selfOperationOf(const clang::ASTContext &context,
                              const clang::BinaryOperator *assignment);

/* How ASSIGNMENT changes what is there by something else: bits of Form::Gathered. */
unsigned gatheringOf(const clang::ASTContext &context, const clang::BinaryOperator *assignment);

/* m = fmax(m, x): x; or null. */
const clang::Expr *pickedOperandOf(const clang::ASTContext &context,
                                   const clang::BinaryOperator *assignment);

/* if (x > m) m = x: Largest, or Smallest; 0 where CHOICE is something else. */
unsigned pickedBy(const clang::ASTContext &context, const clang::IfStmt *choice);

/* a > b ? a : b, likewise. */
unsigned pickedBy(const clang::ASTContext &context, const clang::ConditionalOperator *choice);

/* What a comparison of something gathered with the same on all processes tells of all rows. LEFT:
 * it stands on the left. ZERO: the other is 0. */
unsigned comparedAs(unsigned gathered, clang::BinaryOperatorKind kind, bool left, bool zero);

/* Of a test whether what is GATHERED is 0, or not. */
unsigned testedAs(unsigned gathered);

/* Of a test: the contrary. */
unsigned contraryOf(unsigned gathered);

/* OPERATION, a predefined one of MPI, puts together what each process has GATHERED. Numbers of rows
 * may be asked for their largest, of which only whether it is 0 is the same in every layout:
 * COUNTED is set then. */
bool puttingTogether(llvm::StringRef operation, unsigned gathered, bool &counted);

/* SUM, which each process adds up for itself, is added up of its own rows, so that MPI_SUM of all
 * processes is the same in each layout. */
bool isOfAllRows(const Form &sum);

/* VALUE, which some processes have by their place in the domain, is set where the others have what
 * they have added up of their rows, BEFORE: no sum has the rows of those. */
Form inPlaceOf(const Form &before, const Form &value);

/* What is in rows of CAUSE, an array that all have whole, that are of other processes. */
Form ofOthers(const std::string &cause, clang::SourceLocation where);

/* The predefined operation that does what FUNCTION, an operation of the program's own, does with
 * each pair of elements; "" where it does something else. */
std::string operationOf(const clang::ASTContext &context, const clang::FunctionDecl *function);

} // namespace xmpi
#endif
