/* SPDX-License-Identifier: BSD-3-Clause
 * Jumps out of loops, and what is repeated without one: by jumps back, and by functions that call
 * themselves. How often that is, each process may decide by its own rows. */
#include "ranks/rank_loops.h"
#include "source/within.h"

namespace xmpi
{

using namespace clang;

using Kind = Form::Kind;

/* Of CONDITIONS from FROM on, the first that may hold on some processes and not on others. What is
 * so of one row decides for its process where that leaves the loop over its rows, LEAVING. */
static std::optional<Form> decidedApart(const std::vector<Form> &conditions, size_t from,
                                        bool leaving)
{
    for (size_t i = from; i < conditions.size(); i++)
        if (conditions[i].judged() == Kind::Row ? leaving : !conditions[i].isUniform())
            return conditions[i];
    return std::nullopt;
}

void RankExpressions::setByLayout(const Effects &effects, const Form &by)
{
    for (const Write &write : effects.writes) {
        const VarDecl *variable = baseOf(write.place);
        const bool here = llvm::any_of(effects.declared, [&](const VarDecl *declared) {
            return declared->getCanonicalDecl() == variable;
        });
        if (here || write.how != Write::How::Assigned || rowsOf(write.place))
            continue;
        if (write.place.type->isPointerType() && !write.place.element && !write.place.behind &&
            write.place.field == nullptr)
            state.offsets[variable] = by;
        else
            setForm(write.place, by, false);
    }
}

void RankExpressions::repeatApart(const Effects &effects, const Form &by)
{
    for (const Write &write : effects.writes)
        if (const std::optional<Rows> rows = rowsOf(write.place)) {
            misuse(Problem::LocalRows, write.where, rows->variable->getNameAsString(), by.cause);
            break;
        }
    setByLayout(effects, Form::of(Kind::Local, by.cause, by.where));
}

void RankExpressions::noteRecursion(const FunctionDecl *callee, const std::vector<Form> &arguments)
{
    const auto frame = std::find_if(functions.rbegin(), functions.rend(),
                                    [&](const Frame &one) { return one.function == callee; });
    if (frame == functions.rend())
        return;
    const bool inRows = llvm::any_of(loops, [](const Frame &loop) { return loop.rows; });
    std::optional<Form> by = decidedApart(conditions, frame->around, inRows);
    for (unsigned i = 0; !by && i < arguments.size() && i < callee->getNumParams(); i++) {
        const VarDecl *parameter = callee->getParamDecl(i)->getCanonicalDecl();
        const Form now = parameter->getType()->isPointerType() ? offsetOf(parameter)
                                                               : formOf(Place::of(parameter));
        if (!(arguments[i] == now) && !(arguments[i].isUniform() && now.isUniform()))
            by = arguments[i].isUniform() ? now : arguments[i]; /* other rows each time */
    }
    if (by)
        repeatApart(analysis.finder.withCallees(callee->getBody()), *by);
}

/* What runs between the label of JUMP, which is in front of it, and JUMP. */
static Effects repeatedBy(const Analysis &analysis, const GotoStmt *jump)
{
    const SourceManager &sources = analysis.context.getSourceManager();
    const Stmt *label = jump->getLabel()->getStmt(), *both = jump;
    while (both != nullptr && !holds(both, label))
        both = analysis.structure.parent(both);
    Effects effects = both != nullptr ? analysis.finder.withCallees(both) : Effects();
    const auto isOutside = [&](const Write &write) {
        return !sources.isBeforeInTranslationUnit(write.where, both->getBeginLoc()) &&
               sources.isBeforeInTranslationUnit(write.where, label->getBeginLoc());
    };
    llvm::erase_if(effects.writes, isOutside);
    return effects;
}

void RankLoops::endAdaptive(const Form &condition)
{
    if (cause == Cause::Rank && !condition.any && condition.isOfLayout())
        misuse(Problem::LoopTimes, analysis.loop->getBeginLoc(), condition.cause, "");
}

void RankLoops::goTo(const GotoStmt *jump)
{
    labels.emplace(jump->getLabel(), State{{}, true, {}, {}, {}, {}, {}, {}})
        .first->second.merge(state);
    const Stmt *label = jump->getLabel()->getStmt();
    if (!loops.empty() && loops.front().adaptive &&
        !xmpi::holds(loops.front().statement, label)) /* who leaves that ends the program */
        return endEarly(loops.front());
    size_t around = functions.back().around;
    std::vector<Form> *left = &functions.back().left;
    bool leaving = false; /* rows */
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
        if (loop->statement != nullptr && xmpi::holds(loop->statement, label)) {
            around = loop->around;
            left = &loop->left;
            break;
        }
        endEarly(*loop);
        leaving = leaving || loop->rows;
    }
    const std::optional<Form> by = decidedApart(conditions, around, leaving);
    if (!by)
        return;
    if (analysis.context.getSourceManager().isBeforeInTranslationUnit(label->getBeginLoc(),
                                                                      jump->getBeginLoc()))
        repeatApart(repeatedBy(analysis, jump), *by);
    else if (leaving) /* what is in front of the label some do not come to */
        left->push_back(Form::of(Kind::Block, by->cause, label->getBeginLoc()));
}

void RankLoops::arriveAt(const LabelStmt *label)
{
    if (auto known = labels.find(label->getDecl()); known != labels.end())
        state.merge(known->second);
    const auto isOver = [&](const Form &form) { return form.where == label->getBeginLoc(); };
    llvm::erase_if(!loops.empty() ? loops.back().left : functions.back().left, isOver);
    for (Form &condition : conditions)
        condition = isOver(condition) ? Form() : condition;
}

} // namespace xmpi
