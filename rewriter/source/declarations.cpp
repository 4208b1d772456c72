/* SPDX-License-Identifier: BSD-3-Clause
 * Divides declarations of several names in the syntax tree. */
#include "source/declarations.h"
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/TypeLoc.h>
#include <clang/Lex/Lexer.h>

namespace xmpi
{

using namespace clang;

namespace
{

class Divider
{
  public:
    Divider(ASTContext &context, const Source &source) : context(context), source(source)
    {
    }

    Divided divide()
    {
        for (Decl *declaration : context.getTranslationUnitDecl()->decls()) {
            auto *function = dyn_cast<FunctionDecl>(declaration);
            if (function == nullptr || !function->doesThisDeclarationHaveABody() ||
                !source.inMain(function->getLocation()))
                continue;
            walk(function->getBody());
            if (auto *body = dyn_cast<CompoundStmt>(function->getBody()))
                function->setBody(divided(body));
        }
        return std::move(found);
    }

  private:
    ASTContext &context;
    const Source &source;
    Divided found;

    void walk(Stmt *statement)
    {
        for (Stmt *&child : statement->children()) {
            if (child == nullptr)
                continue;
            walk(child);
            if (auto *block = dyn_cast<CompoundStmt>(child))
                child = divided(block);
        }
    }

    /* BLOCK, or one like it with further statements. */
    CompoundStmt *divided(CompoundStmt *block)
    {
        std::vector<Stmt *> statements;
        for (Stmt *statement : block->body())
            if (auto *declaration = dyn_cast<DeclStmt>(statement))
                addParts(declaration, statements);
            else
                statements.push_back(statement);
        if (statements.size() == block->size())
            return block;
        return CompoundStmt::Create(context, statements, block->getStoredFPFeaturesOrDefault(),
                                    block->getLBracLoc(), block->getRBracLoc());
    }

    void addParts(DeclStmt *declaration, std::vector<Stmt *> &statements)
    {
        Declarators declarators;
        if (declaration->isSingleDecl() || !describe(declaration, declarators))
            return statements.push_back(declaration);
        size_t part = 0;
        const Stmt *start = nullptr;
        for (Decl *declared : declaration->decls()) {
            bool first = part == 0, last = part == declarators.parts.size();
            SourceLocation begin = first ? declaration->getBeginLoc()
                                         : source.location(declarators.parts[part - 1].begin);
            SourceLocation end =
                last ? declaration->getEndLoc() : source.location(declarators.parts[part].comma);
            auto *own = new (context) DeclStmt(DeclGroupRef(declared), begin, end);
            statements.push_back(own);
            start = start == nullptr ? own : start;
            if (part++ > 0)
                found.further[start].push_back(own);
        }
        found.divisible.push_back(declarators);
    }

    /* Where the parts of DECLARATION are; false where its names and types are not plain text. */
    bool describe(const DeclStmt *declaration, Declarators &declarators) const
    {
        const auto *first = dyn_cast<VarDecl>(*declaration->decl_begin());
        if (first == nullptr || declaration->getBeginLoc().isMacroID() ||
            declaration->getEndLoc().isMacroID())
            return false;
        declarators.statement = source.statement(declaration);
        if (!describeType(first, declarators))
            return false;
        unsigned end = 0;
        for (const Decl *declared : declaration->decls()) {
            const auto *variable = dyn_cast<VarDecl>(declared);
            if (variable == nullptr || variable->getLocation().isMacroID())
                return false;
            Token comma, next;
            if (variable != first && (!lex(end, comma) || comma.isNot(tok::comma) ||
                                      !lex(source.offset(comma.getLocation()) + 1, next)))
                return false;
            if (variable != first)
                declarators.parts.push_back(
                    {source.offset(comma.getLocation()), source.offset(next.getLocation())});
            end = endOf(variable);
        }
        Token last;
        return lex(end, last) && last.is(tok::semi);
    }

    /* The type is what stands before the first name, or its `*` or `(`. */
    bool describeType(const VarDecl *first, Declarators &declarators) const
    {
        TypeLoc type = first->getTypeSourceInfo()->getTypeLoc();
        while (TypeLoc inner = type.getNextTypeLoc())
            type = inner;
        Token next;
        if (type.getEndLoc().isInvalid() || type.getEndLoc().isMacroID() ||
            !lex(source.endOfToken(type.getEndLoc()), next))
            return false;
        unsigned begin = source.offset(next.getLocation());
        bool plain =
            next.isOneOf(tok::star, tok::l_paren) || begin == source.offset(first->getLocation());
        declarators.type = {declarators.statement.begin, begin};
        llvm::StringRef text = source.text(declarators.type);
        return plain && begin > declarators.statement.begin && !text.contains('{') &&
               !text.contains('(') && !text.contains('#') && !text.contains('/');
    }

    unsigned endOf(const VarDecl *variable) const
    {
        return variable->getInit() != nullptr ? source.expression(variable->getInit()).end
                                              : source.endOfToken(variable->getEndLoc());
    }

    /* The token at OFFSET, or behind blanks and comments. */
    bool lex(unsigned offset, Token &token) const
    {
        llvm::StringRef text = source.text();
        Lexer lexer(source.location(0), context.getLangOpts(), text.begin(), text.begin() + offset,
                    text.end());
        lexer.LexFromRawLexer(token);
        return token.isNot(tok::eof);
    }
};

} // namespace

Divided divideDeclarations(ASTContext &context, const Source &source)
{
    return Divider(context, source).divide();
}

static bool isInitialised(const Stmt *declaration)
{
    const auto *one = cast<DeclStmt>(declaration);
    const auto *variable = one->isSingleDecl() ? dyn_cast<VarDecl>(one->getSingleDecl()) : nullptr;
    return variable != nullptr && variable->getInit() != nullptr;
}

void forgetAliases(ASTContext &context)
{
    for (Decl *declaration : context.getTranslationUnitDecl()->decls()) {
        if (!isa<FunctionDecl>(declaration))
            continue;
        declaration->dropAttr<AliasAttr>();
        declaration->dropAttr<IFuncAttr>();
    }
}

void markAllNames(Pragmas &pragmas, const Divided &divided)
{
    for (size_t i = 0; i < pragmas.list.size(); i++) {
        Pragma &pragma = *pragmas.list[i];
        auto found = divided.further.find(pragma.target);
        bool marks = pragma.directive == Directive::Initial || pragma.directive == Directive::Setup;
        if (!marks || pragma.further || found == divided.further.end())
            continue;
        std::vector<std::unique_ptr<Pragma>> further;
        for (const DeclStmt *declaration : found->second)
            if (isInitialised(declaration)) {
                if (!isInitialised(pragma.target)) { /* the first name that it holds for */
                    pragma.target = declaration;
                    continue;
                }
                further.push_back(std::make_unique<Pragma>(pragma));
                further.back()->target = declaration;
                further.back()->further = true;
            }
        pragmas.list.insert(pragmas.list.begin() + static_cast<ptrdiff_t>(i) + 1,
                            std::make_move_iterator(further.begin()),
                            std::make_move_iterator(further.end()));
    }
}

} // namespace xmpi
