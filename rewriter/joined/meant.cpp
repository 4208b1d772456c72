/* SPDX-License-Identifier: BSD-3-Clause
 * Asks of each name what it refers to. */
#include "joined/meant.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

namespace xmpi
{
namespace
{

using namespace clang;

class Meanings : public RecursiveASTVisitor<Meanings>
{
  public:
    Meanings(const SourceManager &manager, const std::function<bool(const NamedDecl *)> &isOwn)
        : manager(manager), isOwn(isOwn)
    {
    }

    std::set<SourceLocation> kept, others;

    bool VisitNamedDecl(NamedDecl *declaration)
    {
        return take(declaration, declaration->getLocation());
    }

    bool VisitDeclRefExpr(DeclRefExpr *reference)
    {
        return take(reference->getDecl(), reference->getLocation());
    }

    bool VisitMemberExpr(MemberExpr *member)
    {
        return take(member->getMemberDecl(), member->getMemberLoc());
    }

    bool VisitDesignatedInitExpr(DesignatedInitExpr *initializer)
    {
        for (const DesignatedInitExpr::Designator &one : initializer->designators())
            if (one.isFieldDesignator())
                keep(one.getFieldLoc());
        return true;
    }

    bool VisitOffsetOfExpr(OffsetOfExpr *offset)
    {
        for (unsigned i = 0; i < offset->getNumComponents(); i++)
            if (offset->getComponent(i).getKind() == OffsetOfNode::Field)
                keep(offset->getComponent(i).getEndLoc());
        return true;
    }

    bool VisitGotoStmt(GotoStmt *jump)
    {
        return take(jump->getLabel(), jump->getLabelLoc());
    }

    bool VisitLabelStmt(LabelStmt *label)
    {
        return take(label->getDecl(), label->getIdentLoc());
    }

    bool VisitAddrLabelExpr(AddrLabelExpr *address)
    {
        return take(address->getLabel(), address->getLabelLoc());
    }

    bool VisitTagTypeLoc(TagTypeLoc type)
    {
        return take(type.getDecl(), type.getNameLoc());
    }

    bool VisitTypedefTypeLoc(TypedefTypeLoc type)
    {
        return take(type.getTypedefNameDecl(), type.getNameLoc());
    }

  private:
    const SourceManager &manager;
    const std::function<bool(const NamedDecl *)> &isOwn;

    void keep(SourceLocation place)
    {
        if (place.isValid())
            kept.insert(manager.getSpellingLoc(place));
    }

    bool take(const NamedDecl *declaration, SourceLocation place)
    {
        const bool apart = isa<FieldDecl, IndirectFieldDecl, LabelDecl>(declaration);
        const bool shared =
            declaration->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
            !isOwn(declaration);
        if (apart || shared)
            keep(place);
        else if (place.isValid())
            others.insert(manager.getSpellingLoc(place));
        return true;
    }
};

} // namespace

std::set<SourceLocation> keptPlaces(ASTContext &context,
                                    const std::function<bool(const NamedDecl *)> &isOwn)
{
    Meanings meanings(context.getSourceManager(), isOwn);
    meanings.TraverseDecl(context.getTranslationUnitDecl());
    for (SourceLocation place : meanings.others)
        meanings.kept.erase(place);
    return meanings.kept;
}

} // namespace xmpi
