/* SPDX-License-Identifier: BSD-3-Clause
 * Finds rank and size that functions of other files tell, and the statements to watch. */
#include "flow/other_files.h"
#include "source/integer.h"
#include "compat.h"
#include "check/safety.h"
#include "library/library.h"
#include "library/numbers.h"
#include "source/inner_functions.h"
#include "trial/survey.h"
#include <algorithm>
#include <map>
#include <set>

namespace xmpi
{

using namespace clang;

bool isUnseen(const Analysis &analysis, const CallExpr *call)
{
    const FunctionDecl *callee = call->getDirectCallee();
    return callee != nullptr && !isMpiCall(call) && callee->getDefinition() == nullptr &&
           callee->getBuiltinID() == 0 &&
           !analysis.context.getSourceManager().isInSystemHeader(callee->getLocation());
}

namespace
{

using Assumption = decltype(Analysis::assumed);

enum { MaxCandidates = 8, MaxAssumptions = 40 };

struct Candidate {
    Place place;
    bool written; /* by a statement of the prologue; else it is a global of another file */
};

/* The unseen call that WRITE has its value from, or null. */
const CallExpr *unseenSource(const Analysis &analysis, const Write &write)
{
    const CallExpr *call = write.call;
    if (call == nullptr && write.value != nullptr)
        call = dyn_cast<CallExpr>(write.value->IgnoreParenCasts());
    return call != nullptr && isUnseen(analysis, call) ? call : nullptr;
}

bool isSame(const Place &one, const Place &other)
{
    return overlap(one, other) && one.field == other.field;
}

class Teller
{
  public:
    explicit Teller(const Analysis &analysis) : analysis(analysis)
    {
    }

    std::vector<Candidate> find()
    {
        bool asks = false;
        for (const Item &item : analysis.prologue) {
            for (const CallExpr *call : item.effects.calls)
                asks = asks || isUnseen(analysis, call);
            for (const Write &write : item.effects.writes)
                if (unseenSource(analysis, write) != nullptr)
                    add(write.place, true);
        }
        for (const Item &item : analysis.prologue)
            addGlobals(item.effects);
        addGlobals(analysis.inLoop);
        if (!asks)
            candidates.clear();
        return candidates;
    }

  private:
    const Analysis &analysis;
    std::vector<Candidate> candidates;

    void add(const Place &place, bool written)
    {
        if (place.behind || place.element)
            return;
        if (place.field == nullptr && place.type->isRecordType()) {
            for (const FieldDecl *field : place.type->getAsRecordDecl()->fields())
                if (!field->isBitField())
                    add({place.base, field, false, false, field->getType()}, written);
            return;
        }
        bool known = llvm::any_of(
            candidates, [&](const Candidate &other) { return isSame(other.place, place); });
        if (!known && candidates.size() < MaxCandidates && isCountable(analysis, place.type) &&
            canBeWritten(analysis, place.base) && !isSetOtherwise(place))
            candidates.push_back({place, written});
    }

    /* By a statement that is seen, to more than a constant. */
    bool isSetOtherwise(const Place &place) const
    {
        auto sets = [&](const Write &write) {
            bool constant = write.value != nullptr && write.value->isEvaluatable(analysis.context);
            return overlap(write.place, place) && !constant &&
                   unseenSource(analysis, write) == nullptr;
        };
        for (const Item &item : analysis.prologue)
            if (llvm::any_of(item.effects.writes, sets))
                return true;
        return analysis.inLoop.changes(place);
    }

    /* Variables that a function of another file may set. */
    void addGlobals(const Effects &effects)
    {
        for (const Mention &mention : effects.mentions) {
            const VarDecl *base = mention.place.base->getCanonicalDecl();
            if (base->hasGlobalStorage() && base->isExternallyVisible() &&
                base->getAnyInitializer() == nullptr && !base->isStaticLocal() &&
                !analysis.context.getSourceManager().isInSystemHeader(base->getLocation()))
                add({base, mention.place.field, false, false,
                     mention.place.field ? mention.place.field->getType() : base->getType()},
                    false);
        }
    }
};

/* How much the name of PLACE is like one of KIND: the order in which assumptions are tried. */
int likeness(const Place &place, RangeKind kind)
{
    static const char *const ranks[] = {"rank", "me", "id", "pid", "my"};
    static const char *const sizes[] = {"size", "np", "procs", "ranks", "world", "num"};
    std::string name =
        place.field != nullptr ? place.field->getNameAsString() : place.base->getNameAsString();
    auto has = [&](const char *part) { return name.find(part) != std::string::npos; };
    return kind == RangeKind::Rank ? llvm::any_of(ranks, has) : llvm::any_of(sizes, has);
}

std::pair<const void *, const FieldDecl *> keyOf(const Place &place)
{
    return {place.base->getCanonicalDecl(), place.field};
}

} // namespace

std::vector<Assumption> rankAssumptions(const Analysis &analysis)
{
    std::vector<Candidate> candidates = Teller(analysis).find();
    std::vector<std::pair<int, Assumption>> all;
    for (const Candidate &rank : candidates) {
        int like = likeness(rank.place, RangeKind::Rank);
        all.push_back({like, {{keyOf(rank.place), RangeKind::Rank}}});
        for (const Candidate &size : candidates)
            if (!isSame(rank.place, size.place))
                all.push_back(
                    {like + likeness(size.place, RangeKind::Size),
                     {{keyOf(rank.place), RangeKind::Rank}, {keyOf(size.place), RangeKind::Size}}});
    }
    for (const Candidate &size : candidates)
        all.push_back(
            {likeness(size.place, RangeKind::Size) - 1, {{keyOf(size.place), RangeKind::Size}}});
    std::stable_sort(all.begin(), all.end(),
                     [](const auto &one, const auto &other) { return one.first > other.first; });
    std::vector<Assumption> sorted;
    for (const auto &[like, assumption] : all)
        if (sorted.size() < MaxAssumptions)
            sorted.push_back(assumption);
    return sorted;
}

static const Item *firstUnseen(const Analysis &analysis)
{
    for (const Item &item : analysis.prologue)
        for (const CallExpr *call : item.effects.calls)
            if (isUnseen(analysis, call))
                return &item;
    return nullptr;
}

/* The statement after which CANDIDATE has its value. */
static const Item *setterOf(const Analysis &analysis, const Candidate &candidate)
{
    const Item *last = candidate.written ? nullptr : firstUnseen(analysis);
    for (const Item &item : analysis.prologue)
        for (const Write &write : item.effects.writes)
            if (candidate.written && overlap(write.place, candidate.place) &&
                unseenSource(analysis, write) != nullptr)
                last = &item;
    return last;
}

static void noteAsking(Analysis &analysis, const Item &item, const Place &place)
{
    for (const Write &write : item.effects.writes)
        if (const CallExpr *call = unseenSource(analysis, write))
            if (overlap(write.place, place))
                analysis.asking.insert(call);
}

bool registerAssumed(Analysis &analysis, size_t step)
{
    if (analysis.assumed.empty())
        return true;
    for (const Candidate &candidate : Teller(analysis).find()) {
        auto assumed = analysis.assumed.find(keyOf(candidate.place));
        const Item *item =
            assumed != analysis.assumed.end() ? setterOf(analysis, candidate) : nullptr;
        if (item == nullptr || item->step != step)
            continue;
        bool rank = assumed->second == RangeKind::Rank;
        SourceLocation where = item->statement->getBeginLoc();
        if (item->kind == Class::Initial)
            return analysis.diagnostics.report(where, Problem::RankInitial,
                                               {rank ? "rank" : "size"});
        analysis.ranges.push_back({assumed->second, candidate.place});
        makeWritable(analysis, candidate.place.base);
        noteAsking(analysis, *item, candidate.place);
        analysis.addRefresh(
            analysis.site(Site::Kind::After, analysis.source.statement(item->statement).end),
            assumed->second, analysis.textOf(candidate.place, step), where);
    }
    return true;
}

static bool namesParameter(const Item &item, const FunctionDecl *function)
{
    return llvm::any_of(item.effects.mentions, [&](const Mention &mention) {
        return isa<ParmVarDecl>(mention.place.base) &&
               mention.place.base->getDeclContext() == function;
    });
}

bool mayStartMpi(const Analysis &analysis, const Item &item)
{
    const Item *first = firstUnseen(analysis);
    for (const Item &other : analysis.prologue)
        for (const CallExpr *call : other.effects.calls)
            if (calleeName(call) == "MPI_Init" || calleeName(call) == "MPI_Init_thread")
                return false;
    bool unseen = llvm::any_of(item.effects.calls,
                               [&](const CallExpr *call) { return isUnseen(analysis, call); });
    return unseen && (&item == first || namesParameter(item, analysis.path[0].function));
}

/* The user lets what other files keep be made anew after every reconfiguration. */
static bool renews(const Analysis &analysis, const Item &item)
{
    if (item.kind != Class::Setup || item.pragma->inferred)
        return false;
    return llvm::any_of(item.effects.calls, [&](const CallExpr *call) {
        return isUnseen(analysis, call) || calleeName(call) == "MPI_Comm_rank";
    });
}

namespace
{

class Watcher
{
  public:
    explicit Watcher(Analysis &analysis) : analysis(analysis)
    {
        later = hasUnseen(analysis.inLoop) || namesGlobals(analysis.inLoop);
        for (const Effects &after : analysis.after)
            later = later || hasUnseen(after) || namesGlobals(after);
    }

    void watch()
    {
        size_t first = 0;
        for (size_t i = 0; i < analysis.prologue.size(); i++)
            if (renews(analysis, analysis.prologue[i]))
                first = i + 1;
        for (size_t i = first; i < analysis.prologue.size(); i++)
            if (analysis.prologue[i].kind == Class::Keep) {
                if (later)
                    checkGiven(analysis.prologue[i], i > divider());
                watch(analysis.prologue[i]);
            }
    }

  private:
    Analysis &analysis;
    bool later = false; /* functions of other files run later, or their variables are used */

    bool hasUnseen(const Effects &effects) const
    {
        return llvm::any_of(effects.calls,
                            [&](const CallExpr *call) { return isUnseen(analysis, call); });
    }

    /* Variables of other files that nothing here sets. */
    bool namesGlobals(const Effects &effects) const
    {
        return llvm::any_of(effects.mentions, [&](const Mention &mention) {
            const VarDecl *base = mention.place.base->getCanonicalDecl();
            return base->hasExternalStorage() && base->getDefinition() == nullptr &&
                   !analysis.isData(base) && analysis.rangeAt(mention.place) == nullptr &&
                   !analysis.context.getSourceManager().isInSystemHeader(base->getLocation());
        });
    }

    /* What it hands over is used later, and nothing writes it anew. */
    bool isKept(const Place &place)
    {
        SourceLocation where;
        if (place.field == nullptr && !place.behind && place.type->isRecordType()) {
            for (const FieldDecl *field : place.type->getAsRecordDecl()->fields())
                if (isKept({place.base, field, false, false, field->getType()}))
                    return true;
            return false;
        }
        return !analysis.isData(place.base) && analysis.rangeAt(place) == nullptr &&
               !analysis.laterUse(place, where).empty();
    }

    /* The last statement that sets the range. */
    size_t divider() const
    {
        size_t last = 0;
        for (size_t i = 0; i < analysis.prologue.size(); i++)
            if (analysis.prologue[i].kind == Class::Domain ||
                analysis.dividing.count(analysis.prologue[i].statement) != 0)
                last = i;
        return last;
    }

    /* A variable with the range that other files may read; or null. */
    const RangeVariable *sharedRange() const
    {
        auto found = llvm::find_if(analysis.ranges, [](const RangeVariable &range) {
            return range.kind != RangeKind::Rank && range.kind != RangeKind::Size &&
                   range.place.base->hasGlobalStorage() && range.place.base->isExternallyVisible();
        });
        return found != analysis.ranges.end() ? &*found : nullptr;
    }

    /* A function that hands nothing over can only have been given the layout to keep it, as an
     * argument or, where the rows are DIVIDED, in global variables. */
    void checkGiven(const Item &item, bool divided)
    {
        for (const CallExpr *call : item.effects.calls) {
            if (!isUnseen(analysis, call) || !inputOutput(analysis, call).empty() ||
                llvm::any_of(item.effects.writes, [&](const Write &write) {
                    return unseenSource(analysis, write) == call;
                }))
                continue;
            for (const Expr *argument : call->arguments())
                for (const Mention &mention : analysis.finder.of(argument).mentions)
                    if (analysis.rangeAt(mention.place) != nullptr) {
                        analysis.diagnostics.report(call->getExprLoc(), Problem::OtherFile,
                                                    {calleeName(call), mention.place.text()});
                        return;
                    }
            if (const RangeVariable *range = divided ? sharedRange() : nullptr) {
                analysis.diagnostics.report(call->getExprLoc(), Problem::OtherFile,
                                            {calleeName(call), range->place.text()});
                return;
            }
        }
    }

    /* my_rank(): hands the rank over, and by its name does nothing else. */
    bool isQuestion(const CallExpr *call) const
    {
        static const char *const begins[] = {"begin", "create", "init", "make",
                                             "open",  "setup",  "start"};
        std::string name = calleeName(call).lower();
        return call->getNumArgs() == 0 && analysis.asking.count(call) != 0 &&
               llvm::none_of(
                   begins, [&](const char *word) { return name.find(word) != std::string::npos; });
    }

    void watch(const Item &item)
    {
        std::string name;
        bool kept = false;
        for (const CallExpr *call : item.effects.calls)
            if (isUnseen(analysis, call) && name.empty() && !isQuestion(call))
                name = calleeName(call).str();
        for (const Write &write : item.effects.writes)
            kept = kept || (unseenSource(analysis, write) != nullptr && isKept(write.place));
        if (name.empty() || !(later || kept) || item.statement->getBeginLoc().isMacroID())
            return;
        Span span = analysis.source.statement(item.statement);
        analysis.site(Site::Kind::Before, span.begin).watch = true;
        analysis.site(Site::Kind::After, span.end).watched =
            analysis.source.position(item.statement->getBeginLoc()) + ": " + name;
    }
};

} // namespace

void watchOtherFiles(Analysis &analysis)
{
    Watcher(analysis).watch();
}

/* Of another file; not one of a library, of which the table tells. (A function within a function
 * computes from its parameters alone, or it had been refused.) */
static bool isElsewhere(const Analysis &analysis, const FunctionDecl *function)
{
    const SourceManager &manager = analysis.context.getSourceManager();
    return function->getDefinition() == nullptr && function->getBuiltinID() == 0 &&
           !manager.isInSystemHeader(function->getLocation()) &&
           !isInnerFunction(manager, function) && !startsWith(function->getName(), "MPI_") &&
           !startsWith(function->getName(), "PMPI_");
}

/* It hands nothing back: where it sends and receives (which the linked program shows), it asks for
 * rank and size to do that. What it makes of them besides, the check of the first change shows
 * (Repeats::Relied). */
static bool isThereToTalk(const FunctionDecl *function)
{
    return function->getReturnType()->isVoidType() && takesCommunicator(function);
}

/* The user says of other files that what they keep is made anew, or right with any layout. */
static bool isSpokenOf(const Item &item)
{
    return (item.kind == Class::Initial || item.kind == Class::Setup) && item.pragma != nullptr &&
           !item.pragma->inferred;
}

/* What the functions of this file behind EFFECTS do as well. */
static std::vector<Effects> withBodies(const Analysis &analysis, const Effects &effects)
{
    std::vector<Effects> all = {effects};
    for (const FunctionDecl *function : analysis.finder.reachable(effects))
        all.push_back(analysis.finder.of(function->getBody()));
    return all;
}

std::set<std::string> spokenOf(const Analysis &analysis)
{
    std::set<std::string> names;
    for (const Item &item : analysis.prologue)
        if (isSpokenOf(item))
            for (const Effects &effects : withBodies(analysis, item.effects))
                for (const CallExpr *call : effects.calls)
                    if (isUnseen(analysis, call))
                        names.insert(calleeName(call).str());
    return names;
}

void relyOn(Analysis &analysis, const FunctionDecl *function, SourceLocation where)
{
    std::string record = function->getNameAsString();
    if (isThereToTalk(function))
        record += std::string(" ") + talkingMark;
    for (const std::string &name : spokenOf(analysis))
        record += " " + name;
    const std::pair<std::string, std::string> one{analysis.source.position(where), record};
    auto &all = analysis.program.loop.before.relies;
    if (!llvm::is_contained(all, one))
        all.push_back(one);
}

void noteReliance(Analysis &analysis)
{
    std::map<std::string, std::pair<const FunctionDecl *, SourceLocation>> called, library;
    auto note = [&](const FunctionDecl *function, SourceLocation where) {
        if (function != nullptr && isElsewhere(analysis, function))
            called.emplace(function->getNameAsString(), std::pair{function, where});
        else if (function != nullptr && makesNumbers(function))
            library.emplace(function->getNameAsString(), std::pair{function, where});
    };
    for (const Effects &effects : withBodies(analysis, analysis.inLoop)) {
        for (const CallExpr *call : effects.calls)
            note(call->getDirectCallee(), call->getExprLoc());
        for (const FunctionDecl *function : effects.functions)
            note(function, analysis.loop->getBeginLoc());
    }
    for (const auto &[name, one] : called)
        relyOn(analysis, one.first, one.second);
    for (const auto &[name, one] : library)
        analysis.program.loop.before.relies.emplace_back(analysis.source.position(one.second),
                                                         name + " " + libraryMark);
}

bool tellsOfCalls(const ASTContext &context, const Write &write)
{
    const VarDecl *variable = write.place.base;
    const bool flag = variable->getType().isVolatileQualified() && write.value != nullptr &&
                      constantInteger(write.value, context);
    return variable->hasGlobalStorage() && !flag;
}

} // namespace xmpi
