/* SPDX-License-Identifier: BSD-3-Clause
 * Goes from the functions with loops to those that call them. */
#include "loop/entries.h"
#include "source/visitor.h"
#include <clang/Basic/SourceManager.h>

namespace xmpi
{

using namespace clang;

namespace
{

struct Caller {
    const FunctionDecl *function;
    const DeclRefExpr *name; /* of the function that is called */
};

/* Who calls whom, by the names of the functions. */
class CallFinder : public Visitor
{
  public:
    std::map<const FunctionDecl *, std::vector<Caller>> callers;
    std::vector<const FunctionDecl *> functions; /* of the main file */

    explicit CallFinder(ASTContext &context) : context(context)
    {
        TraverseDecl(context.getTranslationUnitDecl());
    }

    bool TraverseFunctionDecl(FunctionDecl *function) override
    {
        inside = function;
        const SourceManager &manager = context.getSourceManager();
        if (function->doesThisDeclarationHaveABody() &&
            manager.isInMainFile(manager.getExpansionLoc(function->getLocation())))
            functions.push_back(function);
        return Visitor::TraverseFunctionDecl(function);
    }

    void VisitCallExpr(CallExpr *call) override
    {
        const FunctionDecl *callee = call->getDirectCallee();
        const auto *name = dyn_cast<DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts());
        if (callee != nullptr && name != nullptr && inside != nullptr)
            callers[callee->getCanonicalDecl()].push_back({inside, name});
    }

  private:
    ASTContext &context;
    const FunctionDecl *inside = nullptr;
};

class EntryFinder
{
  public:
    explicit EntryFinder(ASTContext &context) : manager(context.getSourceManager()), found(context)
    {
    }

    Entries find(const std::vector<unsigned> &loops)
    {
        for (const FunctionDecl *function : found.functions) {
            const unsigned begin = offset(function->getBeginLoc());
            const unsigned end = offset(function->getEndLoc());
            for (unsigned loop : loops)
                if (loop > begin && loop < end) {
                    addPlace(function, begin, end);
                    break;
                }
        }
        return entries;
    }

  private:
    const SourceManager &manager;
    CallFinder found;
    Entries entries;

    unsigned offset(SourceLocation where) const
    {
        return manager.getFileOffset(manager.getExpansionLoc(where));
    }

    using Way = std::vector<Caller>; /* the nearest first */

    /* All ways to FUNCTION; none where there are too many. */
    std::vector<Way> waysTo(const FunctionDecl *function)
    {
        enum { Most = 8, Deepest = 16 };
        std::vector<Way> ways;
        std::vector<std::pair<const FunctionDecl *, Way>> open = {{function, {}}};
        while (!open.empty()) {
            const auto [at, way] = open.back();
            open.pop_back();
            const std::vector<Caller> &callers = found.callers[at->getCanonicalDecl()];
            if (callers.empty())
                ways.push_back(way);
            if (ways.size() > Most || way.size() > Deepest)
                return {};
            for (auto caller = callers.rbegin(); caller != callers.rend(); ++caller) {
                open.emplace_back(caller->function, way);
                open.back().second.push_back(*caller);
            }
        }
        return ways;
    }

    void addPlace(const FunctionDecl *function, unsigned begin, unsigned end)
    {
        Entries::Place place{begin, end, "", {""}};
        const std::vector<Way> ways = waysTo(function);
        entries.unmarked = entries.unmarked || ways.empty();
        for (const Way &way : ways) {
            std::string condition, name;
            for (const Caller &caller : way)
                if (!addCall(caller, condition, name)) {
                    entries.unmarked = true;
                    return;
                }
            place.index += condition + " ? " + std::to_string(place.names.size()) + " : ";
            place.names.push_back(name);
        }
        place.index += "0";
        if (ways.size() > 1)
            entries.places.push_back(place);
    }

    /* By CONDITION it is told that CALLER calls, where it is not the only one; NAME says so. False:
     * it cannot be marked. */
    bool addCall(const Caller &caller, std::string &condition, std::string &name)
    {
        const auto *called = cast<FunctionDecl>(caller.name->getDecl())->getCanonicalDecl();
        const std::vector<Caller> &all = found.callers[called];
        const SourceLocation where = caller.name->getLocation();
        if (all.size() < 2)
            return true;
        if (where.isMacroID() || !manager.isInMainFile(where))
            return false;
        unsigned number = 1, line = 0;
        for (const Caller &other : all) {
            number +=
                other.name != caller.name && offset(other.name->getLocation()) < offset(where);
            line += lineOf(other) == lineOf(caller);
        }
        const std::string mark = "xmpi_gen_by_" + called->getNameAsString();
        entries.calls[offset(where)] = {mark, number};
        condition += (condition.empty() ? "" : " && ") + mark + " == " + std::to_string(number);
        name +=
            "@" + std::to_string(lineOf(caller)) + (line > 1 ? "." + std::to_string(number) : "");
        return true;
    }

    unsigned lineOf(const Caller &caller) const
    {
        return manager.getPresumedLoc(caller.name->getLocation()).getLine();
    }
};

} // namespace

Entries entriesOf(ASTContext &context, const std::vector<unsigned> &loops)
{
    return EntryFinder(context).find(loops);
}

} // namespace xmpi
