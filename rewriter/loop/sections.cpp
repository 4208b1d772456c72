/* SPDX-License-Identifier: BSD-3-Clause
 * The state machine of MHETA's Appendix A, walking the tree instead of a stream of tokens:
 * functions of the file that compute are walked into, those that only communicate are one event. */
#include "loop/sections.h"
#include "loop/passes.h"
#include "library/mpi_outputs.h"
#include "check/safety.h"
#include "facts/uses.h"
#include "source/loops.h"
#include <llvm/Support/JSON.h>

namespace xmpi
{

using namespace clang;

namespace
{

void addOnce(std::vector<std::string> &list, const std::string &name)
{
    if (llvm::find(list, name) == list.end())
        list.push_back(name);
}

class SectionFinder
{
  public:
    explicit SectionFinder(Analysis &analysis) : analysis(analysis), uses(analysis)
    {
    }

    std::vector<Section> find()
    {
        begin(analysis.loop);
        walk(bodyOf(analysis.loop));
        if (!sections.back().stages.empty() || sections.size() == 1)
            return sections;
        sections.pop_back(); /* nothing after the last event */
        return sections;
    }

  private:
    enum { MaxDepth = 6 };

    Analysis &analysis;
    LoopUses uses;
    std::vector<Section> sections;
    int repeated = 0, depth = 0; /* inner loops, and functions, around */
    long long times = 1;         /* how often these loops do what is in them; 0: not known */
    bool tile = false;           /* inside the loop of a pipeline */

    void begin(const Stmt *first)
    {
        Section section;
        section.where = analysis.source.offset(first->getBeginLoc());
        section.repeated = repeated;
        sections.push_back(section);
    }

    /* -- what a statement is */

    std::vector<const CallExpr *> communications(const Stmt *statement) const
    {
        std::vector<const CallExpr *> found;
        for (const CallExpr *call : analysis.finder.withCallees(statement).calls)
            if ((isMpiCall(call) || call->getDirectCallee() == nullptr ||
                 call->getDirectCallee()->getDefinition() == nullptr) &&
                !communication(analysis, call).empty())
                found.push_back(call);
        return found;
    }

    /* A loop, or a call of something that loops or that is not known, is work of its own. */
    bool computes(const Stmt *statement) const
    {
        if (isLoop(statement))
            return true;
        if (const auto *call = dyn_cast<CallExpr>(statement))
            if (const FunctionDecl *callee = call->getDirectCallee())
                return callee->getDefinition() != nullptr
                           ? computes(callee->getDefinition()->getBody(), callee)
                           : !isMpiCall(call) && passesArray(call);
        return llvm::any_of(partsIn(statement), [&](const Stmt *child) { return computes(child); });
    }

    mutable std::set<const FunctionDecl *> open;

    bool computes(const Stmt *body, const FunctionDecl *function) const
    {
        if (!open.insert(function).second)
            return true; /* it calls itself */
        bool found = computes(body);
        open.erase(function);
        return found;
    }

    bool passesArray(const CallExpr *call) const
    {
        return llvm::any_of(call->arguments(), [&](const Expr *argument) {
            std::optional<Place> place = placeOf(argument->IgnoreParenCasts());
            return place && argument->getType()->isPointerType() && isArray(place->base);
        });
    }

    /* A loop, or a function, that has computation beside its communication. */
    bool computesBeside(const Stmt *statement) const
    {
        if (isLoop(statement) && communications(statement).empty())
            return true;
        if (const auto *call = dyn_cast<CallExpr>(statement)) {
            const FunctionDecl *callee = definitionOf(call);
            if (callee == nullptr || !open.insert(callee).second)
                return false; /* or it calls itself: it is being looked at */
            bool found = computesBeside(callee->getBody());
            open.erase(callee);
            return found;
        }
        const auto *binary = dyn_cast<BinaryOperator>(statement);
        if (binary != nullptr && binary->isAssignmentOp()) {
            std::optional<Place> place = placeOf(binary->getLHS());
            if (place && isArray(place->base) && (place->element || place->type->isArrayType()))
                return true;
        }
        return llvm::any_of(partsIn(statement),
                            [&](const Stmt *child) { return computesBeside(child); });
    }

    bool isMixed(const Stmt *statement) const
    {
        open.clear();
        bool mixed = computesBeside(statement);
        open.clear();
        return mixed;
    }

    /* -- the walk */

    void walk(const Stmt *statement)
    {
        if (statement == nullptr || analysis.finder.skipped.count(statement))
            return;
        if (const auto *block = dyn_cast<CompoundStmt>(statement)) {
            for (const Stmt *child : block->body())
                walk(child);
        } else if (communications(statement).empty()) {
            addStage(statement);
        } else if (!isMixed(statement)) {
            addEvent(statement);
        } else if (isLoop(statement)) {
            walkLoop(statement);
        } else {
            walkParts(statement);
        }
    }

    /* An if with communication, or a call of a function that also computes. */
    void walkParts(const Stmt *statement)
    {
        if (const auto *choice = dyn_cast<IfStmt>(statement)) {
            walk(choice->getCond());
            long long around = times;
            times = 0;
            walk(choice->getThen());
            walk(choice->getElse());
            times = around;
            return;
        }
        const auto *call = dyn_cast<CallExpr>(statement);
        const FunctionDecl *callee = definitionOf(call);
        if (callee != nullptr && depth < MaxDepth) {
            depth++;
            walk(callee->getBody());
            depth--;
            return;
        }
        bool inner = false;
        for (const Stmt *child : partsIn(statement))
            if (!communications(child).empty()) {
                walk(child);
                inner = true;
            }
        if (!inner)
            addEvent(statement);
    }

    /* A loop that begins with communication and computes is a pipeline: its body is a tile. */
    void walkLoop(const Stmt *loop)
    {
        const Stmt *body = bodyOf(loop);
        bool pipeline = !tile && beginsWithCommunication(body);
        long long around = times;
        if (!pipeline && !tile)
            times *= repeatsOf(analysis, loop);
        repeated++;
        close(loop);
        tile = tile || pipeline;
        if (pipeline)
            sections.back().tiled = true;
        walk(body);
        repeated--;
        times = around;
        if (!pipeline)
            return close(loop);
        tile = false;
        begin(loop);
    }

    bool beginsWithCommunication(const Stmt *body) const
    {
        if (const auto *block = dyn_cast<CompoundStmt>(body)) {
            for (const Stmt *child : block->body())
                if (!isa<DeclStmt, NullStmt>(child))
                    return beginsWithCommunication(child);
            return false;
        }
        return !communications(body).empty() && !isMixed(body);
    }

    /* A section that has begun ends here, without an event; an empty one begins anew. */
    void close(const Stmt *where)
    {
        if (sections.back().stages.empty() && sections.back().calls.empty())
            sections.pop_back();
        begin(where);
    }

    void addEvent(const Stmt *statement)
    {
        bool follows = !tile && sections.back().stages.empty() && sections.size() > 1 &&
                       sections.back().repeated == sections[sections.size() - 2].repeated &&
                       !sections[sections.size() - 2].calls.empty();
        Section &section = follows ? sections[sections.size() - 2] : sections.back();
        if (section.calls.empty())
            section.event = analysis.source.offset(statement->getBeginLoc());
        for (const CallExpr *call : communications(statement)) {
            addOnce(section.calls, calleeName(call).str());
            for (const Expr *argument : call->arguments())
                collectName(argument, section.arrays);
        }
        if (!follows && !tile)
            begin(statement);
    }

    void addStage(const Stmt *statement)
    {
        bool loop = computes(statement);
        Stage stage;
        stage.where = analysis.source.offset(statement->getBeginLoc());
        stage.loop = loop;
        stage.passes = times * (loop ? passesOf(analysis, statement) : 1);
        collect(statement, stage, false);
        if (!loop && stage.reads.empty() && stage.writes.empty())
            return;
        std::vector<Stage> &stages = sections.back().stages;
        if (stages.empty() && sections.back().calls.empty())
            sections.back().where = stage.where;
        if (loop || stages.empty() || stages.back().loop) {
            stages.push_back(stage);
            return;
        }
        for (const std::string &name : stage.reads)
            addOnce(stages.back().reads, name);
        for (const std::string &name : stage.writes)
            addOnce(stages.back().writes, name);
    }

    /* -- arrays */

    bool isArray(const VarDecl *variable) const
    {
        return variable->getType()->isPointerType() || variable->getType()->isArrayType();
    }

    /* Arrays that the iteration finds there; not what it declares for itself. */
    void addArray(const VarDecl *variable, std::vector<std::string> &names) const
    {
        const Step &step = analysis.loopStep();
        for (const VarDecl *meant : uses.meaning(variable)) {
            auto known = analysis.data.find(meant);
            if (known != analysis.data.end())
                addOnce(names, known->second);
            else if (isArray(meant) && !isa<ParmVarDecl>(meant) && !isHandle(meant->getType()) &&
                     analysis.structure.alive(meant, step.function, step.anchor))
                addOnce(names, meant->getNameAsString());
        }
    }

    void collectName(const Expr *argument, std::vector<std::string> &names) const
    {
        const Expr *bare = argument->IgnoreParenCasts();
        if (const auto *unary = dyn_cast<UnaryOperator>(bare))
            bare = unary->getSubExpr();
        std::optional<Place> place = placeOf(bare);
        if (place && isArray(place->base))
            addArray(place->base, names);
    }

    void collect(const Stmt *statement, Stage &stage, bool written)
    {
        if (statement == nullptr)
            return;
        if (const auto *binary = dyn_cast<BinaryOperator>(statement))
            if (binary->isAssignmentOp()) {
                collect(binary->getRHS(), stage, false);
                if (binary->isCompoundAssignmentOp())
                    collect(binary->getLHS(), stage, false);
                return collect(binary->getLHS(), stage, true);
            }
        if (const auto *call = dyn_cast<CallExpr>(statement))
            return collectCall(call, stage);
        if (isa<ArraySubscriptExpr, UnaryOperator>(statement)) {
            std::optional<Place> place = placeOf(cast<Expr>(statement));
            const auto *unary = dyn_cast<UnaryOperator>(statement);
            bool reaches = unary == nullptr || unary->getOpcode() == UO_Deref;
            if (place && isArray(place->base) && reaches)
                addArray(place->base, written ? stage.writes : stage.reads);
        }
        if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(statement)) {
            collect(subscript->getIdx(), stage, false);
            const Expr *base = subscript->getBase()->IgnoreParenImpCasts();
            return isa<ArraySubscriptExpr>(base) ? collect(base, stage, written) : void();
        }
        for (const Stmt *child : statement->children())
            collect(child, stage, written && isa<Expr>(statement));
    }

    void collectCall(const CallExpr *call, Stage &stage)
    {
        const FunctionDecl *callee = call->getDirectCallee();
        const FunctionDecl *own = callee != nullptr ? callee->getDefinition() : nullptr;
        for (unsigned i = 0; i < call->getNumArgs(); i++) {
            const Expr *argument = call->getArg(i);
            if (!argument->getType()->isPointerType()) {
                collect(argument, stage, false);
                continue;
            }
            if (own != nullptr)
                continue;
            bool kept = argument->getType()->getPointeeType().isConstQualified() ||
                        (callee != nullptr && i < callee->getNumParams() &&
                         callee->getParamDecl(i)->getType()->getPointeeType().isConstQualified());
            if (argument != outputOf(call))
                collectName(argument, stage.reads);
            if (!kept)
                collectName(argument, stage.writes);
        }
        if (own != nullptr && depth < MaxDepth) {
            depth++;
            collect(own->getBody(), stage, false);
            depth--;
        }
    }
};

} // namespace

std::vector<Section> findSections(Analysis &analysis)
{
    return SectionFinder(analysis).find();
}

static llvm::json::Array namesOf(const std::vector<std::string> &names)
{
    llvm::json::Array array;
    for (const std::string &name : names)
        array.push_back(name);
    return array;
}

static llvm::json::Object sectionJson(const Source &source, const Section &section)
{
    llvm::json::Array stages;
    for (const Stage &stage : section.stages) {
        llvm::json::Object object{{"line", source.line(stage.where)},
                                  {"loop", stage.loop},
                                  {"reads", namesOf(stage.reads)},
                                  {"writes", namesOf(stage.writes)}};
        if (stage.passes != 1)
            object["passes"] = stage.passes;
        stages.push_back(std::move(object));
    }
    llvm::json::Object object{{"line", source.line(section.where)},
                              {"tiled", section.tiled},
                              {"repeated", section.repeated},
                              {"stages", std::move(stages)}};
    if (!section.calls.empty())
        object["event"] = llvm::json::Object{{"line", source.line(section.event)},
                                             {"calls", namesOf(section.calls)},
                                             {"arrays", namesOf(section.arrays)}};
    return object;
}

std::string sectionsJson(const Source &source, const std::string &loop,
                         const std::vector<Section> &sections)
{
    llvm::json::Array list;
    for (const Section &section : sections)
        list.push_back(sectionJson(source, section));
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << llvm::json::Value(llvm::json::Object{{"loop", loop}, {"sections", std::move(list)}});
    return stream.str();
}

} // namespace xmpi
