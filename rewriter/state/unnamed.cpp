/* SPDX-License-Identifier: BSD-3-Clause
 * Compares what a clause names with what a walk through the program finds (walk/walk.h). */
#include "state/unnamed.h"
#include "facts/effects.h"
#include "source/integer.h"
#include "source/within.h"
#include "report/words.h"
#include "cells/clause_cells.h"
#include "cells/one_struct.h"
#include "cells/passing.h"
#include "state/sight.h"
#include "walk/tables.h"
#include "walk/walk.h"
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/StringExtras.h>

namespace xmpi
{

using namespace clang;

namespace
{

constexpr unsigned mostCalls = 8; /* of the loop's function that are told apart */

/* Of several that have one name what holds for any of them may hold. */
static void merge(std::set<Left> &all, Left one)
{
    if (const auto known = all.find(one); known != all.end()) {
        one.diverges = one.diverges || known->diverges;
        one.readFirst = one.readFirst || known->readFirst;
        one.decides = one.decides || known->decides;
        one.sum = one.sum && known->sum;
        one.line = known->line;
        all.erase(known);
    }
    all.insert(one);
}

class Comparison
{
  public:
    Comparison(ASTContext &context, const FunctionDecl *function, const IfStmt *point, Walk &walk)
        : context(context), function(function), point(point), walk(walk), tables(context, walk),
          locals(seenAt(function, point))
    {
        for (size_t i = walk.begins.size(); i-- > 0;) {
            walk.begin = walk.begins[i];
            eachTold(
                point->getCond(), [&](const CallExpr *call, llvm::StringRef) { addState(call); },
                [&](const Expr *place) { addPlace(place); });
            named.merge(tables.arraysOf(named));
            if (i > 0)
                forgetOthers();
        }
    }

    std::set<Left> find()
    {
        std::set<Left> all;
        for (const Walk::Change &change : walk.needed())
            if (isJudged(change.object) && !isNamed(change.object))
                merge(all, describe(change));
        for (const Walk::Change &change : walk.strayed())
            if (isJudged(change.object) && !isNamed(change.object) &&
                pointers.count(change.object) == 0) {
                Left found = describe(change);
                found.leads = true; /* to be set where it can be named */
                found.file = found.file.substr(0, found.file.find(" (without static)"));
                merge(all, found);
            }
        for (const Walk::Kept &kept : walk.keptHandles())
            if (isJudged(kept.handle.object) && !isForgotten(kept.guards)) {
                Left found = describe(kept.handle);
                found.handle = true;
                merge(all, found);
            }
        return all;
    }

  private:
    ASTContext &context;
    const FunctionDecl *const function;
    const IfStmt *const point;
    Walk &walk;
    const Tables tables;
    const std::set<const VarDecl *> locals; /* that are seen at the loop */
    Memory::Ids named;
    Memory::Ids whole;    /* variables, with all that is in them */
    Memory::Ids dropped;  /* those of them that need not be kept */
    Memory::Ids pointers; /* by which arrays are named */
    Memory::Ids blocks;   /* in which named rows lie that pointers lead to */
    /* Of several that a loop has made: by which numbers they are named; of how many, if known. */
    struct Picked {
        std::set<std::vector<long long>> numbers;
        std::optional<long long> many;
    };
    std::map<Memory::Id, Picked> picked;
    Memory::Ids entire; /* of several: named without a number */

    void addState(const CallExpr *call)
    {
        const Expr *bare = call->getArg(1)->IgnoreParenCasts();
        const bool variable = addressedBy(bare) != nullptr;
        const QualType type = bare->getType();
        const Memory::Ids found = walk.behind(call->getArg(1));
        if (variable)
            whole.insert(found.begin(), found.end());
        else if (bare->isLValue())
            pointers.merge(walk.placeAt(bare));
        count(found, bare);
        add(found, type->isPointerType() ? type->getPointeeType() : type);
    }

    /* A later iteration names only what earlier ones have made: which of the other arrays a pointer
     * leads to by then is another question. */
    void forgetOthers()
    {
        for (Memory::Ids *all : {&named, &whole, &blocks, &entire})
            all->eraseIf([&](Memory::Id id) { return !walk.memory.rootOf(id).kept; });
        for (auto at = picked.begin(); at != picked.end();)
            at = walk.memory.rootOf(at->first).kept ? std::next(at) : picked.erase(at);
    }

    /* scratch(b): b itself, and what it leads to. */
    void addPlace(const Expr *place)
    {
        if (!place->isLValue())
            return;
        const Memory::Ids found = walk.placeAt(place);
        whole.insert(found.begin(), found.end());
        dropped.insert(found.begin(), found.end());
        for (Memory::Id object : found)
            count(walk.led(object), place);
        add(found, place->getType());
    }

    /* The array of pointers, a variable, that leads to OBJECT, one of those that a loop has made;
     * or null. */
    const VarDecl *arrayLeadingTo(Memory::Id object) const
    {
        for (const auto &[pointer, to] : walk.begin.leads) {
            const Memory::Object &at = walk.memory.at(pointer);
            const VarDecl *variable =
                at.slot >= 0 ? walk.memory.at(at.whole).variable : at.variable;
            if (to.count(object) != 0 && variable != nullptr &&
                context.getAsConstantArrayType(variable->getType()) != nullptr)
                return variable;
        }
        return nullptr;
    }

    /* u[0]: one of those that a loop has made; so is p where u leads to them. */
    void count(const Memory::Ids &objects, const Expr *place)
    {
        std::vector<long long> numbers;
        std::optional<long long> many = 1;
        tables.numbersIn(place, numbers, many);
        const auto *name = dyn_cast<DeclRefExpr>(place->IgnoreParenCasts());
        for (Memory::Id object : objects) {
            if (!walk.memory.at(object).several)
                continue;
            const VarDecl *array = arrayLeadingTo(object);
            if (name != nullptr && name->getType()->isPointerType() && array != nullptr) {
                const auto id = static_cast<long long>(name->getDecl()->getID());
                picked[object].numbers.insert({-1, id});
                picked[object].many = static_cast<long long>(context.getConstantArrayElementCount(
                    context.getAsConstantArrayType(array->getType())));
                continue;
            }
            if (numbers.empty())
                entire.insert(object);
            picked[object].numbers.insert(numbers);
            picked[object].many = many;
        }
    }

    /* Rows that pointers lead to are named with these. */
    void add(const Memory::Ids &objects, QualType type)
    {
        named.insert(objects.begin(), objects.end());
        const QualType element = context.getBaseElementType(type);
        if (!element->isPointerType())
            return;
        for (Memory::Id object : objects) {
            Memory::Ids rows = walk.led(object);
            for (Memory::Id slot : walk.memory.slotsOf(object)) {
                const Memory::Ids more = walk.led(slot);
                rows.insert(more.begin(), more.end());
            }
            for (Memory::Id row : rows)
                if (walk.memory.at(row).carved)
                    blocks.insert(walk.memory.at(row).whole);
            add(rows, element->getPointeeType());
        }
    }

    /* Those of several that the clause picks by their numbers are not all of them. */
    bool isAll(Memory::Id object) const
    {
        const auto one = picked.find(object);
        return one == picked.end() || entire.count(object) != 0 ||
               (one->second.many &&
                static_cast<long long>(one->second.numbers.size()) >= *one->second.many);
    }

    /* What is carved out of a piece of memory is none of the array at its begin. */
    bool isNamed(Memory::Id object) const
    {
        if (blocks.count(object) != 0)
            return true;
        bool carved = false;
        for (Memory::Id one = object; one != Memory::none; one = walk.memory.at(one).whole) {
            if ((named.count(one) != 0 && !carved && isAll(one)) || whole.count(one) != 0)
                return true;
            carved = carved || walk.memory.at(one).carved;
        }
        return false;
    }

    /* What a start does not find again has it make anew what goes by that. */
    bool isForgotten(const Memory::Ids &guards) const
    {
        return llvm::any_of(guards, [&](Memory::Id guard) {
            return llvm::any_of(dropped,
                                [&](Memory::Id one) { return walk.memory.isWithin(guard, one); });
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
        if (variable->isFileVarDecl())
            return isDeclaredFor(manager, variable, point->getBeginLoc());
        return locals.count(variable) != 0 &&
               walk.memory.variable(variable, walk.wayThere) == object;
    }

    /* It is a member of any of the structs of an array. */
    bool isMemberOfMany(const Memory::Object &object) const
    {
        if (object.field == nullptr || object.whole == Memory::none)
            return false;
        const Memory::Object &whole = walk.memory.at(object.whole);
        const auto *named =
            whole.field != nullptr ? static_cast<const ValueDecl *>(whole.field) : whole.variable;
        return whole.slot < 0 && named != nullptr && named->getType()->isArrayType();
    }

    /* It is such a one, or in one. */
    bool isOfMany(Memory::Id id) const
    {
        for (; walk.memory.at(id).whole != Memory::none; id = walk.memory.at(id).whole)
            if (isMemberOfMany(walk.memory.at(id)))
                return true;
        return false;
    }

    /* How the loop's function calls OBJECT, "*p" what a pointer leads to; empty: not at all. */
    std::string called(Memory::Id id, int level = 0)
    {
        const Memory::Object object = walk.memory.at(id);
        if (level > 4)
            return "";
        if (object.whole != Memory::none && !object.carved) {
            const std::string whole = called(object.whole, level + 1);
            if (whole.empty() || isMemberOfMany(object))
                return whole; /* the array */
            if (object.field == nullptr)
                return whole[0] == '*' ? whole : whole + "[" + std::to_string(object.slot) + "]";
            const std::string member = object.field->getNameAsString();
            return whole[0] == '*' ? whole.substr(1) + "->" + member : whole + "." + member;
        }
        if (object.variable != nullptr && isVisible(object.variable, id))
            return object.variable->getNameAsString();
        std::string best;
        for (const auto &[pointer, to] : walk.begin.leads) {
            const std::string holder =
                to.count(id) != 0 && !isOfMany(pointer) ? called(pointer, level + 1) : "";
            if (!holder.empty() && holder[0] != '*' &&
                (best.empty() || holder.size() + 1 < best.size()))
                best = "*" + holder;
        }
        if (best.empty() && object.holder != Memory::none && !isOfMany(object.holder))
            if (const std::string holder = called(object.holder, level + 1); !holder.empty())
                best = "*" + holder;
        return best;
    }

    /* Of one of several, of which the clause names others: as "*p", another pointer to one of them,
     * or the array of pointers that leads to them; else empty. */
    std::string calledBeside(Memory::Id id)
    {
        const VarDecl *array = picked.count(id) != 0 && !isAll(id) ? arrayLeadingTo(id) : nullptr;
        if (array == nullptr)
            return "";
        for (const auto &[pointer, to] : walk.begin.leads) {
            const VarDecl *variable = walk.memory.at(pointer).variable;
            if (to.count(id) != 0 && variable != nullptr && pointers.count(pointer) == 0 &&
                variable->getType()->isPointerType() &&
                !variable->getType()->getPointeeType().isConstQualified() &&
                isVisible(variable, pointer))
                return "*" + variable->getNameAsString();
        }
        return "*" + array->getNameAsString();
    }

    /* As "*u", a table of pointers that leads to ID, or to a table of them that does: its rows are
     * named with it. */
    std::string tableOf(Memory::Id id, int level = 0)
    {
        for (const auto &[pointer, to] : walk.begin.leads)
            if (const std::string holder = to.count(id) != 0 ? called(pointer) : "";
                !holder.empty() && holder[0] == '*')
                return holder;
        for (const auto &[pointer, to] : walk.begin.leads)
            for (Memory::Id at = to.count(id) != 0 && level < 2 ? pointer : Memory::none;
                 at != Memory::none; at = walk.memory.at(at).whole)
                if (std::string outer = tableOf(at, level + 1); !outer.empty())
                    return outer;
        return "";
    }

    std::string lineOf(SourceLocation where) const
    {
        return xmpi::lineOf(context.getSourceManager(), where, point->getBeginLoc());
    }

    /* Of memory without a name: what its making is called. */
    std::string madeWhere(const Memory::Object &root)
    {
        const std::string led = root.holder != Memory::none ? called(root.holder) : "";
        return root.made != nullptr ? "memory made in line " + lineOf(root.made->getExprLoc())
               : led.empty()        ? "memory"
                                    : "memory that '" + led + "' of several structs leads to";
    }

    /* NAME is a member of what a pointer of the loop's function leads to, which is one struct. */
    bool isOfOne(const std::string &name) const
    {
        const size_t arrow = name.find("->");
        if (arrow == std::string::npos || name.find("->", arrow + 2) != std::string::npos)
            return false;
        return anyWithin(function->getBody(), [&](const Stmt *part) {
            const VarDecl *variable = variableAt(part);
            return variable != nullptr && variable->getNameAsString() == name.substr(0, arrow) &&
                   !leadsToSeveral(variable, function->getBody());
        });
    }

    /* Of a number of an array, or a member of structs that lie one behind another in memory: that
     * array, or memory, as a clause names it. */
    Memory::Id arrayOf(Memory::Id id) const
    {
        const Memory::Id whole = walk.memory.at(id).slot >= 0 ? walk.memory.at(id).whole : id;
        const VarDecl *variable = walk.memory.at(whole).variable;
        const ArrayType *array = variable ? context.getAsArrayType(variable->getType()) : nullptr;
        if (array != nullptr && array->getElementType()->isArithmeticType())
            return whole;
        Memory::Id root = id;
        const FieldDecl *field = nullptr; /* the outermost */
        while (walk.memory.at(root).whole != Memory::none && !walk.memory.at(root).carved) {
            field = walk.memory.at(root).field;
            root = walk.memory.at(root).whole;
        }
        const auto *call = dyn_cast_or_null<CallExpr>(walk.memory.at(root).made);
        if (call == nullptr || field == nullptr || walk.memory.at(root).foreign)
            return id;
        const QualType record = context.getRecordType(field->getParent());
        return tables.bytesOf(call) == context.getTypeSizeInChars(record).getQuantity() ? id : root;
    }

    /* An array of numbers, of a length that its type has. */
    bool isFixed(Memory::Id id) const
    {
        const Memory::Object &object = walk.memory.at(id);
        const auto *named = object.field != nullptr ? static_cast<const ValueDecl *>(object.field)
                                                    : object.variable;
        return named != nullptr && named->getType()->isConstantArrayType() &&
               context.getBaseElementType(named->getType())->isArithmeticType();
    }

    /* A variable that outlives calls, and leads to OBJECT when an iteration begins, or to what
     * earlier ones have made in its place; null: none. */
    const VarDecl *leaderTo(Memory::Id object)
    {
        const Memory::Id older = walk.memory.kept(object);
        for (const Moment &moment : walk.begins)
            for (const auto &[pointer, to] : moment.leads)
                if (to.count(object) + to.count(older) != 0 &&
                    walk.memory.at(pointer).variable != nullptr &&
                    walk.memory.at(pointer).variable->hasGlobalStorage())
                    return walk.memory.at(pointer).variable;
        return nullptr;
    }

    /* Something leads to OBJECT, or to what it is in, when the first iteration begins. */
    bool isThereBefore(Memory::Id object) const
    {
        for (; object != Memory::none; object = walk.memory.at(object).whole)
            for (const auto &[pointer, to] : walk.begins.front().leads)
                if (to.count(object) != 0)
                    return true;
        return false;
    }

    Left describe(const Walk::Change &change)
    {
        Left found;
        found.diverges = walk.diverges(change.object);
        found.sum = walk.isSummed(change.object);
        found.decides = walk.decides(change.object);
        found.made = walk.memory.rootOf(change.object).kept;
        found.readFirst = walk.isReadFirst(change.object);
        found.line = lineOf(change.where);
        const Memory::Id id = arrayOf(change.object);
        found.fixed = isFixed(id);
        std::string name = calledBeside(id);
        name = name.empty() ? called(id) : name;
        name = name.empty() ? tableOf(id) : name;
        const Memory::Object &root = walk.memory.rootOf(change.object);
        found.value = name[0] != '*' && name.find("->") == std::string::npos &&
                      !change.type->isArrayType() && root.variable != nullptr &&
                      !root.variable->getType()->isArrayType();
        found.value =
            found.value || (name[0] != '*' && change.type->isArithmeticType() &&
                            walk.memory.at(change.object).field != nullptr && isOfOne(name));
        found.name = !name.empty() && name[0] == '*' ? name.substr(1) : name;
        if (!name.empty())
            return found;
        const VarDecl *variable = root.variable ? root.variable : leaderTo(change.object);
        const auto *owner =
            variable ? dyn_cast_or_null<FunctionDecl>(variable->getParentFunctionOrMethod())
                     : nullptr;
        found.nameless = variable == nullptr;
        found.before = found.nameless && isThereBefore(change.object);
        found.name = variable ? variable->getNameAsString() : madeWhere(root);
        found.owner = owner ? owner->getNameAsString() : "others";
        if (variable != nullptr)
            found.file = whereDeclared(context.getSourceManager(), variable, point->getBeginLoc());
        return found;
    }
};

std::string ofHandles(const std::vector<std::string> &handles)
{
    return "make " + listed(handles, " and ") +
           " before the loop, or behind a value in scratch(...)";
}

std::string sayLeft(const std::vector<std::string> &said, const std::vector<std::string> &advice)
{
    const bool several = said.size() > 1;
    return "state(...): " + listed(said, " and ") + " may be read again before " +
           (several ? "they are" : "it is") + " set anew, and " +
           (several ? "are no parts" : "is no part") +
           " of the clause: " + listed(advice, ", and ") +
           " (scratch(...) says that a value need not be kept, const in its prototype that a "
           "function of another file changes nothing there; see docs/startover.md)";
}

/* BUFFERS are those of which an iteration has set some before it reads any. */
void adviseArrays(const std::vector<std::string> &arrays, const std::vector<std::string> &buffers,
                  std::vector<std::string> &advice)
{
    if (!arrays.empty())
        advice.push_back("add " + listed(arrays, " and ") +
                         " to rows(...), same(...) or own(...), or to scratch(...) if each "
                         "iteration fills what it reads there");
    if (!buffers.empty())
        advice.push_back("add scratch(" + listed(buffers) +
                         "), if each iteration fills what it reads there, else " +
                         (buffers.size() > 1 ? "each" : "it") +
                         " to rows(...), same(...) or own(...)");
}

std::string advise(const std::set<Left> &all)
{
    std::vector<std::string> said, values, arrays, buffers, hidden, nameless, inStructs, pointers,
        handles;
    for (const Left &found : all) {
        const std::string quote = found.nameless ? "" : "'";
        said.push_back(quote + found.name + quote + " (changed in line " + found.line + ")");
        (found.handle           ? handles
         : found.leads          ? pointers
         : found.before         ? inStructs
         : found.nameless       ? nameless
         : !found.owner.empty() ? hidden
         : found.value          ? values
         : found.readFirst      ? arrays
                                : buffers)
            .push_back(found.name + found.file);
    }
    std::vector<std::string> advice;
    if (!values.empty())
        advice.push_back("add same(" + listed(values) + "), if all processes have the same there");
    adviseArrays(arrays, buffers, advice);
    if (!hidden.empty())
        advice.push_back("declare " + listed(hidden, " and ") +
                         " where the loop sees it, and name " +
                         (hidden.size() > 1 ? "them" : "it"));
    if (!nameless.empty())
        advice.push_back("make it before the loop, behind a name that the clause can have, or "
                         "free it in the iteration that makes it");
    if (!inStructs.empty())
        advice.push_back(std::string("let ") + namesToLead + " lead to " + inStructs.front());
    if (!pointers.empty())
        advice.push_back("let " + listed(pointers, " and ") +
                         " lead to memory that is made before the loop, or set " +
                         (pointers.size() > 1 ? "them" : "it") +
                         " in each iteration by a number that same(...) keeps");
    if (!handles.empty())
        advice.push_back(ofHandles(handles));
    return sayLeft(said, advice);
}

} // namespace

static const char tooLarge[] =
    "state(...): the program is too large to be looked through call by call: that the clause names "
    "what functions change and read again is believed where iterations do not show it by "
    "themselves "
    "(see docs/startover.md): let xmpirun --check look at it";

/* Where LOOP is come to the TIME-th time: what is not as a start leaves it that comes there without
 * the iterations of the times before. */
static std::vector<Walk::Change> changedBefore(ASTContext &context, const PointsTo &pointsTo,
                                               const Stmt *loop, const IfStmt *point, unsigned time,
                                               const std::function<bool(const Expr *)> &ignored,
                                               const FunctionDecl *root,
                                               const std::set<const Stmt *> &adaptive)
{
    Walk walk(context, pointsTo, loop, point, time, ignored, Walk::Other::ByTime);
    walk.adaptive = adaptive;
    return walk.from(root) ? walk.earlier() : std::vector<Walk::Change>();
}

Unnamed unnamed(ASTContext &context, const PointsTo &pointsTo, const FunctionDecl *function,
                const Stmt *loop, const IfStmt *point, const std::set<const Stmt *> &adaptive,
                const std::function<bool(const Expr *)> &ignored,
                const std::function<void(Walk &)> &look)
{
    const auto compared = [&](Walk &walk) {
        if (look)
            look(walk);
        return Comparison(context, function, point, walk).find();
    };
    const FunctionDecl *root = function;
    for (const FunctionDecl *one : pointsTo.functions)
        if (one->isMain() && one->getDefinition() != nullptr)
            root = one->getDefinition();
    std::set<Left> all;
    bool large = false;
    for (unsigned time = 0; time <= mostCalls; time++) {
        Walk walk(context, pointsTo, loop, point, time, ignored);
        if (time > 0 || adaptive.size() > 1)
            walk.count(
                changedBefore(context, pointsTo, loop, point, time, ignored, root, adaptive));
        const bool there = walk.from(root);
        large = walk.isTooMuch() || (there && time == mostCalls);
        if (there && time < mostCalls) {
            for (const Left &one : compared(walk))
                merge(all, one);
            continue;
        }
        if (time > 0 || root == function)
            break;
        Walk alone(context, pointsTo, loop, point, 0, ignored);
        if (alone.from(function))
            all = compared(alone);
        large = large || alone.isTooMuch();
        break;
    }
    return {all.empty() ? "" : advise(all), large ? tooLarge : "", all};
}

} // namespace xmpi
