/* SPDX-License-Identifier: BSD-3-Clause
 * Refuses arrays whose pointers are no variables. */
#include "check/member_arrays.h"
#include "facts/first_use.h"
#include "check/safety.h"

namespace xmpi
{

using namespace clang;

namespace
{

class MemberArrays
{
  public:
    MemberArrays(Analysis &analysis, const LoopUses &uses) : analysis(analysis), uses(uses)
    {
    }

    /* Fine is what each process makes for itself, anew where it follows the layout, and what an
     * iteration sets before it reads it. */
    bool check()
    {
        std::set<std::pair<const VarDecl *, const FieldDecl *>> seen;
        for (const auto &[place, where] : uses.members) {
            QualType type = place.field->getType(); /* or a struct with the pointer inside */
            if (isHandle(type) ||
                (type->isPointerType() && !type->getPointeeType()->isObjectType()))
                continue;
            if (isHidden(place))
                return analysis.diagnostics.report(where, Problem::MemberArray, {place.text()});
            for (const VarDecl *variable : uses.meaning(place.base)) {
                bool around = analysis.structure.alive(variable, analysis.loopStep().function,
                                                       analysis.loopStep().anchor);
                bool unclear = analysis.members.isPointer(variable); /* which struct is meant */
                if (around && seen.insert({variable, place.field}).second &&
                    (unclear || !isOwnMember(variable, place.field)))
                    return analysis.diagnostics.report(where, Problem::MemberArray, {place.text()});
            }
        }
        return true;
    }

  private:
    Analysis &analysis;
    const LoopUses &uses;

    /* Nothing tells which struct the pointer means: it comes from a function pointer's argument or
     * a pointer to void. */
    bool isHidden(const Place &place) const
    {
        const std::set<const VarDecl *> all = uses.meaning(place.base);
        return place.behind && llvm::all_of(all, [&](const VarDecl *variable) {
                   QualType type = variable->getType();
                   return (type->isPointerType() || isa<ParmVarDecl>(variable)) &&
                          !variable->hasGlobalStorage() &&
                          !analysis.structure.alive(variable, analysis.loopStep().function,
                                                    analysis.loopStep().anchor) &&
                          !isMade(variable);
               });
    }

    /* It points to memory that the iteration makes. */
    bool isMade(const VarDecl *variable) const
    {
        auto found = uses.pointers.find(variable);
        return found != uses.pointers.end() &&
               llvm::any_of(found->second.values, [](const Expr *value) {
                   return isa<CallExpr>(value->IgnoreParenCasts());
               });
    }

    bool isOwnMember(const VarDecl *variable, const FieldDecl *field)
    {
        Place place{variable, field, false, false, field->getType()};
        if (isSetup(place))
            return true; /* made anew */
        bool written = false;
        for (const Stmt *body : uses.bodies)
            for (const Write &write : analysis.finder.of(body).writes)
                written = written || (write.place.element && write.place.field == field &&
                                      uses.means(write.place.base, variable));
        return !isMemberFilled(place) &&
               (!written || setsBeforeReading(analysis, variable, field, false));
    }

    bool isSetup(const Place &place) const
    {
        return llvm::any_of(analysis.prologue, [&](const Item &item) {
            return item.kind == Class::Setup &&
                   llvm::any_of(item.effects.writes, [&](const Write &write) {
                       return !write.place.element && overlap(write.place, place);
                   });
        });
    }

    bool isMemberFilled(const Place &place) const
    {
        return llvm::any_of(analysis.prologue, [&](const Item &item) {
            return isBeyondJoiners(analysis, item) &&
                   llvm::any_of(item.effects.writes, [&](const Write &write) {
                       return write.place.element && overlap(write.place, place);
                   });
        });
    }
};

} // namespace

bool checkMemberArrays(Analysis &analysis, const LoopUses &uses)
{
    return MemberArrays(analysis, uses).check();
}

bool isPointerArray(const Analysis &analysis, const VarDecl *variable)
{
    QualType element = analysis.context.getBaseElementType(variable->getType());
    if (!variable->getType()->isConstantArrayType() || !element->isPointerType() ||
        isHandle(element) || !element->getPointeeType()->isObjectType() ||
        element->getPointeeType().isConstQualified() ||
        !analysis.structure.alive(variable, analysis.loopStep().function,
                                  analysis.loopStep().anchor))
        return false;
    return llvm::any_of(analysis.prologue, [&](const Item &item) {
        return item.kind != Class::Setup &&
               llvm::any_of(item.effects.writes, [&](const Write &write) {
                   return write.place.base->getCanonicalDecl() == variable;
               });
    });
}

} // namespace xmpi
