/* SPDX-License-Identifier: BSD-3-Clause
 * Looks through the types of what a clause names. */
#include "cells/clause_pointers.h"
#include "analysis.h"
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

/* What CALL, one of a clause, gives to others; rows that pointers lead to are what these lead to.
 */
static QualType givenBy(const ASTContext &context, const CallExpr *call)
{
    const QualType type = call->getArg(1)->IgnoreParenCasts()->getType();
    if (type->isArrayType())
        return context.getBaseElementType(type);
    QualType given = type->isPointerType() ? type->getPointeeType() : type;
    if (calleeName(call) == "xmpi_gen_state_rows" && given->isPointerType())
        given = given->getPointeeType();
    return given;
}

std::string pointerInState(const ASTContext &context, const Stmt *told)
{
    const auto *call = dyn_cast<CallExpr>(told);
    const llvm::StringRef name = call ? calleeName(call) : "";
    if (name == "xmpi_gen_state_rows" || name == "xmpi_gen_state_same" ||
        name == "xmpi_gen_state_own") {
        const FieldDecl *member = leadingMember(context, givenBy(context, call));
        const auto *text = dyn_cast<StringLiteral>(call->getArg(0)->IgnoreParenCasts());
        if (member == nullptr)
            return "";
        return "state(...): '" + (text ? text->getString().str() : "an array") +
               "' has structs with '" + member->getNameAsString() +
               "' in them, which means nothing in another process: name the numbers of one struct "
               "by themselves, as in same(s.n); where each element leads to memory of its own, the "
               "loop stays movable ('#pragma xmpi loop movable')";
    }
    for (const Stmt *child : told->children())
        if (child != nullptr)
            if (std::string found = pointerInState(context, child); !found.empty())
                return found;
    return "";
}

} // namespace xmpi
