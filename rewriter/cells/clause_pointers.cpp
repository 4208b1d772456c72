/* SPDX-License-Identifier: BSD-3-Clause
 * Looks through the types of what a clause names. */
#include "cells/clause_pointers.h"
#include "analysis.h"
#include "source/within.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>

namespace xmpi
{

using namespace clang;

const FieldDecl *leadingMember(const ASTContext &context, QualType type)
{
    const RecordDecl *record = context.getBaseElementType(type)->getAsRecordDecl();
    const RecordDecl *defined = record ? record->getDefinition() : nullptr;
    if (defined == nullptr)
        return nullptr;
    for (const FieldDecl *field : defined->fields()) {
        const QualType element = context.getBaseElementType(field->getType());
        if (element->isPointerType() || isHandle(element))
            return field;
        if (const FieldDecl *inner = leadingMember(context, element))
            return inner;
    }
    return nullptr;
}

static bool isRows(const CallExpr *call)
{
    return calleeName(call) == "xmpi_gen_state_rows";
}

/* What CALL, one of a clause, gives to others; rows that pointers lead to are what these lead to.
 */
static QualType givenBy(const ASTContext &context, const CallExpr *call)
{
    const QualType type = call->getArg(1)->IgnoreParenCasts()->getType();
    QualType given = type->isArrayType()     ? context.getBaseElementType(type)
                     : type->isPointerType() ? type->getPointeeType()
                                             : type;
    if (isRows(call) && given->isPointerType())
        given = given->getPointeeType();
    return context.getBaseElementType(given);
}

/* Of "(u[0])[n]" what has the extents: "u[0]". */
static std::string withoutExtents(const std::string &text)
{
    const bool inParentheses = !text.empty() && text[0] == '(';
    return inParentheses ? text.substr(1, text.find(')') - 1) : text.substr(0, text.find('['));
}

/* Why what CALL names as NAME is not to be given as it is; empty: it may be. */
static std::string wrongIn(const ASTContext &context, const CallExpr *call, const std::string &name)
{
    const QualType given = givenBy(context, call);
    std::string inner = isRows(call) ? "[0]" : "";
    for (QualType type = given; type->isPointerType(); type = type->getPointeeType())
        inner += "[0]";
    if (given->isPointerType())
        return " leads to pointers, which mean nothing in another process: name what these lead "
               "to, as in (" +
               name + inner + ")[elements], where it is one piece of memory";
    const FieldDecl *member = leadingMember(context, given);
    return member == nullptr
               ? ""
               : " has structs with '" + member->getNameAsString() +
                     "' in them, which means nothing in another process: name the numbers of one "
                     "struct by themselves, as in same(s.n); where each element leads to memory of "
                     "its own, the loop stays movable ('#pragma xmpi loop movable')";
}

std::string pointerInState(const ASTContext &context, const Stmt *told)
{
    const auto *call = dyn_cast<CallExpr>(told);
    const llvm::StringRef name = call ? calleeName(call) : "";
    if (name == "xmpi_gen_state_rows" || name == "xmpi_gen_state_same" ||
        name == "xmpi_gen_state_own") {
        const auto *text = dyn_cast<StringLiteral>(call->getArg(0)->IgnoreParenCasts());
        const std::string said = text ? text->getString().str() : "an array";
        const std::string wrong = wrongIn(context, call, withoutExtents(said));
        return wrong.empty() ? "" : "state(...): '" + said + "'" + wrong;
    }
    for (const Stmt *child : partsIn(told))
        if (std::string found = pointerInState(context, child); !found.empty())
            return found;
    return "";
}

} // namespace xmpi
