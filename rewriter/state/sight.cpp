/* SPDX-License-Identifier: BSD-3-Clause
 * Looks through declarations, of the functions and files that a loop is in. */
#include "state/sight.h"
#include "report/words.h"
#include "source/loops.h"
#include "source/within.h"
#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/StringExtras.h>
#include <map>

namespace xmpi
{

using namespace clang;

bool isDeclaredFor(const SourceManager &manager, const VarDecl *variable, SourceLocation at)
{
    const auto all = variable->redecls();
    return llvm::any_of(all, [&](const VarDecl *one) {
        return manager.isBeforeInTranslationUnit(one->getLocation(), at) &&
               otherFile(manager, one->getLocation(), at).empty();
    });
}

/* Adds to ALL what is declared in STATEMENT and seen at PLACE; whether that is in it. */
static bool addSeen(const Stmt *statement, const Stmt *place, std::vector<const VarDecl *> &all)
{
    if (statement == place)
        return true;
    if (const auto *declaration = dyn_cast<DeclStmt>(statement)) {
        for (const VarDecl *variable : declaredBy(declaration))
            all.push_back(variable);
        return false;
    }
    const size_t outside = all.size();
    for (const Stmt *child : partsIn(statement))
        if (addSeen(child, place, all))
            return true;
    all.resize(outside);
    return false;
}

std::set<const VarDecl *> seenAt(const FunctionDecl *function, const Stmt *place)
{
    std::vector<const VarDecl *> all(function->param_begin(), function->param_end());
    addSeen(function->getBody(), place, all);
    return {all.begin(), all.end()};
}

std::string whereDeclared(const SourceManager &manager, const VarDecl *variable, SourceLocation at)
{
    const std::string file = otherFile(manager, variable->getLocation(), at);
    const bool alone = variable->isFileVarDecl() && variable->getStorageClass() == SC_Static;
    return file.empty() ? "" : " of " + file + (alone ? " (without static)" : "");
}

/* The names in TEXT that are no members. */
static std::set<std::string> namesIn(const ASTContext &context, const std::string &text)
{
    std::set<std::string> names;
    Lexer lexer(SourceLocation(), context.getLangOpts(), text.data(), text.data(),
                text.data() + text.size());
    bool member = false;
    for (Token token; !lexer.LexFromRawLexer(token);) {
        if (token.is(tok::raw_identifier) && !member)
            names.insert(token.getRawIdentifier().str());
        member = token.isOneOf(tok::period, tok::arrow);
    }
    return names;
}

/* The definition of the struct that VARIABLE is, or leads to; null: there is none. */
static const RecordDecl *structOf(const VarDecl *variable)
{
    QualType type = variable->getType();
    while (type->isPointerType() || type->isArrayType())
        type = type->isPointerType() ? type->getPointeeType()
                                     : QualType(type->getArrayElementTypeNoTypeQual(), 0);
    const RecordDecl *record = type->getAsRecordDecl();
    return record != nullptr ? record->getDefinition() : nullptr;
}

/* Empty: it has no name, and is declared with its variable. */
static std::string calledOf(const RecordDecl *record)
{
    if (const TypedefNameDecl *alone = record->getTypedefNameForAnonDecl())
        return alone->getNameAsString();
    return record->getName().empty() ? "" : (record->getKindName() + " " + record->getName()).str();
}

std::string unseenIn(const ASTContext &context, const std::string &text,
                     const FunctionDecl *function, const Stmt *place)
{
    const SourceManager &manager = context.getSourceManager();
    const SourceLocation at = place->getBeginLoc();
    std::map<std::string, const VarDecl *> known;
    for (const Decl *one : context.getTranslationUnitDecl()->decls())
        if (const auto *variable = dyn_cast<VarDecl>(one))
            known[variable->getNameAsString()] = variable;
    for (const VarDecl *variable : seenAt(function, place))
        known[variable->getNameAsString()] = variable;
    std::set<std::string> unseen;
    for (const std::string &name : namesIn(context, text)) {
        const VarDecl *variable = known.count(name) != 0 ? known[name] : nullptr;
        if (variable == nullptr)
            continue;
        const RecordDecl *record = structOf(variable);
        const std::string file = record ? otherFile(manager, record->getLocation(), at) : "";
        if (variable->isFileVarDecl() && !isDeclaredFor(manager, variable, at))
            unseen.insert("'" + name + "'" + whereDeclared(manager, variable, at));
        if (!file.empty() && !calledOf(record).empty())
            unseen.insert("'" + calledOf(record) + "' of " + file);
    }
    return llvm::join(unseen, " and ");
}

const char namesToLead[] = "pointers that it can name (u, or u[0] and u[1]), instead of members of "
                           "several structs (l[0].u and l[1].u),";

static const std::string stays = "so its processes move as they are, and their number stays";

std::string hiddenIn(const std::set<Left> &found, bool leading)
{
    std::string text;
    for (const Left &one : found)
        if (!one.owner.empty() && !one.nameless && one.leads == leading)
            text += (text.empty() ? "" : ", ") + ("'" + one.name + "'" + one.file);
    return text;
}

/* The names of those of FOUND that are SO. */
template <class So> static std::vector<std::string> namesIn(const std::set<Left> &found, So so)
{
    std::vector<std::string> names;
    for (const Left &one : found)
        if (so(one))
            names.push_back(one.name);
    return names;
}

std::string ledElsewhere(const std::set<Left> &found)
{
    const auto names =
        namesIn(found, [](const Left &one) { return one.leads && one.owner.empty(); });
    return names.empty() ? ""
                         : stays + "; for that to change, set " + allQuoted(names) +
                               " in each iteration by a number, which same(...) keeps: where " +
                               (names.size() > 1 ? "they lead" : "it leads") + " is not kept";
}

std::string withoutClause(const std::set<Left> &found)
{
    const auto handles = namesIn(found, [](const Left &one) { return one.handle; });
    const auto before = namesIn(found, [](const Left &one) { return one.before; });
    std::vector<std::string> made = namesIn(found, [](const Left &one) {
        return one.nameless && !one.before && !one.leads && !one.handle;
    });
    for (const std::string &name : namesIn(found, [](const Left &one) {
             return one.made && !one.nameless && !one.leads && !one.handle;
         }))
        made.push_back("memory of '" + name + "' that iterations make");
    if (!handles.empty())
        return stays + "; no state(...) can keep " + allQuoted(handles) +
               ", which an iteration makes for those that follow: make " +
               (handles.size() > 1 ? "them" : "it") + " before the loop";
    if (made.empty() && !before.empty())
        return stays + "; no state(...) has a name for " + before.front() + ": let " + namesToLead +
               " lead to it";
    return made.empty()
               ? ""
               : stays + "; no state(...) can keep " + llvm::join(made, " and ") +
                     ": make it before the loop, behind a name (u, or u[0], but not l[0].u)";
}

/* The variable whose address POINTER, a variable of BODY, has from its declaration on; or null. */
static const VarDecl *ownTarget(const VarDecl *pointer, const Stmt *body)
{
    const Expr *target = addressedBy(pointer->getInit());
    const bool stays = target != nullptr && !anyWithin(body, [&](const Stmt *other) {
                           return !isa<DeclStmt>(other) && valueFor(pointer, other) != nullptr;
                       });
    return stays ? variableIn(target) : nullptr;
}

std::string namedDirectly(const std::string &name, const FunctionDecl *function)
{
    const size_t arrow = name.find("->");
    std::string found = name;
    eachWithin(function->getBody(), [&](const Stmt *part) {
        const auto *reference = dyn_cast<DeclRefExpr>(part);
        const VarDecl *pointer = reference != nullptr ? variableIn(reference) : nullptr;
        if (arrow == std::string::npos || pointer == nullptr ||
            pointer->getName() != name.substr(0, arrow))
            return;
        if (const VarDecl *own = ownTarget(pointer, function->getBody()))
            found = own->getNameAsString() + "." + name.substr(arrow + 2);
    });
    return found;
}

bool isFilledUp(const std::string &name, const Stmt *loop)
{
    return anyWithin(loop, [&](const Stmt *part) {
        const auto *set = dyn_cast<BinaryOperator>(part);
        const auto *element = set && set->isAssignmentOp()
                                  ? dyn_cast<ArraySubscriptExpr>(set->getLHS()->IgnoreParens())
                                  : nullptr;
        const VarDecl *array = element ? variableIn(element->getBase()->IgnoreImpCasts()) : nullptr;
        return array != nullptr && array->getName() == name &&
               anyWithin(element->getIdx(), [](const Stmt *one) {
                   const auto *step = dyn_cast<UnaryOperator>(one);
                   return step != nullptr && step->isIncrementDecrementOp();
               });
    });
}

} // namespace xmpi
