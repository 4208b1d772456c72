/* SPDX-License-Identifier: BSD-3-Clause
 * Compares what a clause names with what a walk through the program finds (walk/walk.h). */
#include "state/unnamed.h"
#include "facts/effects.h"
#include "source/integer.h"
#include "state/passing.h"
#include "walk/walk.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

namespace
{

constexpr unsigned mostCalls = 8; /* of the loop's function that are told apart */

class Comparison
{
  public:
    Comparison(ASTContext &context, const FunctionDecl *function, const IfStmt *point, Walk &walk)
        : context(context), function(function), point(point), walk(walk)
    {
        readClause(point->getCond());
    }

    struct Found {
        std::string name, line, owner; /* OWNER: the function that alone can name it */
        bool value = false;            /* no array, nor in one */

        bool operator<(const Found &other) const
        {
            return name < other.name;
        }
    };

    std::set<Found> find()
    {
        std::set<Found> all;
        for (const Walk::Change &change : walk.needed())
            if (isJudged(change.object) && !isNamed(change.object))
                all.insert(describe(change));
        return all;
    }

  private:
    ASTContext &context;
    const FunctionDecl *const function;
    const IfStmt *const point;
    Walk &walk;
    Memory::Ids named;
    std::map<Memory::Id, unsigned> picked; /* of several: how many are named by their numbers */

    void readClause(const Stmt *told)
    {
        const auto *call = dyn_cast<CallExpr>(told);
        const llvm::StringRef name = call ? calleeName(call) : "";
        if (name == "xmpi_gen_state_rows" || name == "xmpi_gen_state_same" ||
            name == "xmpi_gen_state_own") {
            const Expr *bare = call->getArg(1)->IgnoreParenCasts();
            const QualType type = bare->getType();
            const Memory::Ids all = walk.behind(call->getArg(1));
            count(all, bare);
            return add(all, type->isPointerType() ? type->getPointeeType() : type);
        }
        if (const auto *cast = dyn_cast<CStyleCastExpr>(told))
            if (const auto *size = dyn_cast<UnaryExprOrTypeTraitExpr>(cast->getSubExpr()))
                return size->isArgumentType() || !cast->getType()->isVoidType()
                           ? void()
                           : addPlace(size->getArgumentExpr()->IgnoreParens());
        for (const Stmt *child : told->children())
            if (child != nullptr)
                readClause(child);
    }

    /* scratch(b): b itself, and what it leads to. */
    void addPlace(const Expr *place)
    {
        if (!place->isLValue())
            return;
        const Memory::Ids all = walk.placeAt(place);
        for (Memory::Id object : all)
            count(walk.led(object), place);
        add(all, place->getType());
    }

    /* u[0]: one of those that a loop has made. */
    void count(const Memory::Ids &objects, const Expr *place)
    {
        const auto *element = dyn_cast<ArraySubscriptExpr>(place->IgnoreParenCasts());
        const bool one = element != nullptr && element->getType()->isPointerType() &&
                         constantInteger(element->getIdx(), context);
        for (Memory::Id object : objects)
            if (walk.memory.at(object).several)
                picked[object] += one ? 1 : 2;
    }

    /* Rows that pointers lead to are named with these. */
    void add(const Memory::Ids &objects, QualType type)
    {
        named.insert(objects.begin(), objects.end());
        const QualType element = context.getBaseElementType(type);
        if (!element->isPointerType())
            return;
        for (Memory::Id object : objects) {
            Memory::Ids all = walk.led(object);
            for (Memory::Id slot : walk.memory.slotsOf(object)) {
                const Memory::Ids more = walk.led(slot);
                all.insert(more.begin(), more.end());
            }
            add(all, element->getPointeeType());
        }
    }

    bool isNamed(Memory::Id object) const
    {
        return std::any_of(named.begin(), named.end(), [&](Memory::Id one) {
            const auto count = picked.find(one);
            return walk.memory.isWithin(object, one) &&
                   (count == picked.end() || count->second > 1);
        });
    }

    /* It is of the program. */
    bool isJudged(Memory::Id object) const
    {
        const Memory::Object &root = walk.memory.rootOf(object);
        const SourceManager &manager = context.getSourceManager();
        if (root.variable != nullptr)
            return !manager.isInSystemHeader(root.variable->getLocation());
        const auto *call = dyn_cast_or_null<CallExpr>(root.made);
        const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
        if (root.holder != Memory::none)
            return isJudged(root.holder);
        return root.made != nullptr && (!root.foreign || (callee && isForeign(callee)));
    }

    /* -- names */

    bool isVisible(const VarDecl *variable, Memory::Id object)
    {
        const SourceManager &manager = context.getSourceManager();
        if (!manager.isBeforeInTranslationUnit(variable->getLocation(), point->getBeginLoc()))
            return false;
        return variable->isFileVarDecl() ||
               (variable->getParentFunctionOrMethod() == function &&
                walk.memory.variable(variable, walk.wayThere) == object);
    }

    /* How the loop's function calls OBJECT, "*p" what a pointer leads to; empty: not at all. */
    std::string called(Memory::Id id, int level = 0)
    {
        const Memory::Object object = walk.memory.at(id);
        if (level > 4)
            return "";
        if (object.whole != Memory::none) {
            const std::string whole = called(object.whole, level + 1);
            if (whole.empty())
                return "";
            if (object.field == nullptr)
                return whole[0] == '*' ? whole : whole + "[" + std::to_string(object.slot) + "]";
            const std::string member = object.field->getNameAsString();
            return whole[0] == '*' ? whole.substr(1) + "->" + member : whole + "." + member;
        }
        if (object.variable != nullptr && isVisible(object.variable, id))
            return object.variable->getNameAsString();
        std::string best;
        for (const auto &[pointer, to] : walk.begin.leads) {
            const std::string holder = to.count(id) != 0 ? called(pointer, level + 1) : "";
            if (!holder.empty() && holder[0] != '*' &&
                (best.empty() || holder.size() + 1 < best.size()))
                best = "*" + holder;
        }
        if (best.empty() && object.holder != Memory::none)
            if (const std::string holder = called(object.holder, level + 1); !holder.empty())
                best = "*" + holder;
        return best;
    }

    std::string lineOf(SourceLocation where) const
    {
        const SourceManager &manager = context.getSourceManager();
        const SourceLocation at = manager.getExpansionLoc(where);
        const PresumedLoc place = manager.getPresumedLoc(at);
        const std::string line = place.isValid() ? std::to_string(place.getLine()) : "?";
        return manager.isInMainFile(at) || !place.isValid()
                   ? line
                   : line + " of " + std::string(place.getFilename());
    }

    /* Of memory without a name: what its making is called. */
    std::string madeWhere(const Memory::Object &root) const
    {
        return root.made != nullptr ? "memory made in line " + lineOf(root.made->getExprLoc())
                                    : "memory";
    }

    Found describe(const Walk::Change &change)
    {
        Found found;
        found.line = lineOf(change.where);
        const std::string name = called(change.object);
        const Memory::Object &root = walk.memory.rootOf(change.object);
        found.value = name[0] != '*' && name.find("->") == std::string::npos &&
                      !change.type->isArrayType() && root.variable != nullptr &&
                      !root.variable->getType()->isArrayType();
        found.name = !name.empty() && name[0] == '*' ? name.substr(1) : name;
        if (!name.empty())
            return found;
        const VarDecl *variable = root.variable;
        const auto *owner =
            variable ? dyn_cast_or_null<FunctionDecl>(variable->getParentFunctionOrMethod())
                     : nullptr;
        found.name = variable ? variable->getNameAsString() : madeWhere(root);
        found.owner = owner ? owner->getNameAsString() : "others";
        return found;
    }
};

std::string list(const std::vector<std::string> &all, const char *last)
{
    std::string text;
    for (size_t i = 0; i < all.size(); i++)
        text += (i == 0 ? "" : i + 1 < all.size() ? ", " : last) + all[i];
    return text;
}

std::string advise(const std::set<Comparison::Found> &all)
{
    std::vector<std::string> said, values, arrays, hidden;
    for (const Comparison::Found &found : all) {
        said.push_back("'" + found.name + "' (changed in line " + found.line + ")");
        (!found.owner.empty() ? hidden : found.value ? values : arrays).push_back(found.name);
    }
    std::vector<std::string> advice;
    if (!values.empty())
        advice.push_back("add same(" + list(values, ", ") +
                         "), if all processes have the same there");
    if (!arrays.empty())
        advice.push_back("add " + list(arrays, " and ") + " to rows(...), same(...) or own(...)");
    if (!hidden.empty())
        advice.push_back("declare " + list(hidden, " and ") + " where the loop sees it, and name " +
                         (hidden.size() > 1 ? "them" : "it"));
    return "state(...): " + list(said, " and ") + " may be read again before it is set anew, and " +
           (all.size() > 1 ? "are no parts" : "is no part") +
           " of the clause: " + list(advice, ", and ") +
           " (scratch(...) says that a value need not be kept; see docs/startover.md)";
}

} // namespace

std::string unnamed(ASTContext &context, const PointsTo &pointsTo, const FunctionDecl *function,
                    const Stmt *loop, const IfStmt *point,
                    const std::function<bool(const Expr *)> &ignored)
{
    const FunctionDecl *root = function;
    for (const FunctionDecl *one : pointsTo.functions)
        if (one->isMain() && one->getDefinition() != nullptr)
            root = one->getDefinition();
    std::set<Comparison::Found> all;
    for (unsigned time = 0; time < mostCalls && all.empty(); time++) {
        Walk walk(context, pointsTo, loop, point, time, ignored);
        if (walk.from(root)) {
            all = Comparison(context, function, point, walk).find();
            continue;
        }
        if (time > 0 || root == function)
            break;
        Walk alone(context, pointsTo, loop, point, 0, ignored);
        if (alone.from(function))
            all = Comparison(context, function, point, alone).find();
        break;
    }
    return all.empty() ? "" : advise(all);
}

} // namespace xmpi
