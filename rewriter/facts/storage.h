/* SPDX-License-Identifier: BSD-3-Clause
 * The memory that pointers have before the loop, in the samples of a survey. */
#ifndef XMPI_REWRITER_STORAGE_H
#define XMPI_REWRITER_STORAGE_H

#include "trial/survey.h"
#include <functional>

namespace xmpi
{

/* The bytes of TYPE; LENGTH tells those lengths of arrays that are no constants. */
using Length = std::function<std::optional<long long>(const clang::Expr *)>;
std::optional<long long> bytesIn(const clang::ASTContext &context, clang::QualType type,
                                 const Length &length);

/* How many pointers VARIABLE has, as in `double *u[2]`; 0 where it is none such array. */
size_t pointersIn(const clang::VarDecl *variable);

/* What VARIABLE, a pointer or an array of pointers, points to. */
clang::QualType pointedBy(const clang::VarDecl *variable);

/* VARIABLE is argc, argv, ... */
bool isMainParameter(const Analysis &analysis, const clang::VarDecl *variable);

/* The parameter VARIABLE receives an array of fixed size: a value of the caller's, which travels
 * from now on. */
bool isFixedArray(Analysis &analysis, const clang::VarDecl *variable);

/* A member of TYPE, a struct, or of one in it, that is a pointer; or null. */
const clang::FieldDecl *pointerMember(clang::QualType type);

/* The call that made the memory which VARIABLE, or its pointer ELEMENT, points to the begin of, the
 * same in all samples; or null. */
const void *blockOf(const Survey &survey, const clang::VarDecl *variable, size_t element = 0);

/* How many elements of VARIABLE's type BLOCK has, for each sample; null: what it leads to the begin
 * of in that sample. */
std::optional<Values> elementsOf(const Analysis &analysis, const Survey &survey,
                                 const clang::VarDecl *variable, const void *block);

/* The same of each pointer in VARIABLE, where all have as many, in blocks of their own that are not
 * in TAKEN, to which they are added; or nothing. */
std::optional<Values> elementsOfEach(const Analysis &analysis, const Survey &survey,
                                     const clang::VarDecl *variable, std::set<const void *> &taken);

/* VALUES are the same for all ranks and sizes. */
bool isLayoutFree(const Survey &survey, const Values &values);

/* K with VALUES = (ROWS + EXTRA) * K + SLACK, the same for the samples of a round. */
std::optional<Values> rowLength(const Survey &survey, const Values &values, const Values &rows,
                                long long extra, long long slack);

} // namespace xmpi
#endif
