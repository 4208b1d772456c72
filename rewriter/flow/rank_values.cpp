/* SPDX-License-Identifier: BSD-3-Clause
 * Expressions, stores and calls, judged by how they follow the division of the rows. */
#include "flow/rank_values.h"
#include "compat.h"
#include "source/integer.h"
#include "library/mpi_outputs.h"
#include "check/safety.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

using Kind = Form::Kind;

void Guards::add(const Form &condition)
{
    const Kind kind = condition.judged();
    bool worse = kind == Kind::Local || (kind == Kind::Block && !local);
    local = local || kind == Kind::Local;
    block = block || kind == Kind::Block;
    ends = ends || kind == Kind::Ends;
    edge = edge || kind == Kind::Edge;
    if (worse || (kind == Kind::Ends && cause.cause.empty()))
        cause = condition;
}

void RankValues::misuse(Problem problem, SourceLocation where, const std::string &what,
                        const std::string &by)
{
    if (watched)
        misuses.push_back({problem, where, what, by});
}

/* -- uniform factors */

std::string RankValues::textOf(const Expr *expression) const
{
    const Expr *bare = expression->IgnoreParenCasts();
    if (std::optional<long long> value = constantInteger(bare, analysis.context))
        return std::to_string(*value);
    if (const auto *reference = dyn_cast<DeclRefExpr>(bare)) {
        const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
        auto known = variable ? names.find(variable->getCanonicalDecl()) : names.end();
        if (known != names.end())
            return known->second;
    }
    return "(" + analysis.source.spelled(bare) + ")";
}

bool RankValues::isSmall(const Expr *expression)
{
    const auto *literal = dyn_cast<IntegerLiteral>(expression->IgnoreParenCasts());
    return literal != nullptr && literal->getValue().ule(3);
}

Form RankValues::combine(const BinaryOperator *binary, const Form &left, const Form &right)
{
    const Expr *first = binary->getLHS(), *second = binary->getRHS();
    BinaryOperatorKind kind = binary->getOpcode();
    if (binary->isCompoundAssignmentOp())
        kind = BinaryOperator::getOpForCompoundAssignment(kind);
    if (kind == BO_Add || kind == BO_Sub) {
        Form sum = add(left, right, kind == BO_Sub);
        if ((left.strided && !isSmall(second)) || (right.strided && !isSmall(first)))
            sum.strided = false; /* the rest of a tile */
        return sum;
    }
    if (kind == BO_Mul)
        return product(binary, left, right);
    if (kind == BO_Div || kind == BO_Shr)
        return quotient(binary, left, right);
    if (kind == BO_Rem && left.isOnlyOf(Form::Own) && right.isOnlyOf(Form::Count) &&
        left.isPlain() && isa<DeclRefExpr>(first->IgnoreParenCasts()))
        return left; /* it is less anyway */
    if (kind == BO_Rem)
        return right.isUniform() ? remainder(left, textOf(second)) : join(left, right);
    if (kind == BO_Shl && right.isUniform())
        return scale(left, "<<" + textOf(second));
    if (BinaryOperator::isComparisonOp(kind)) {
        bool literal = isSmall(first) || isSmall(second) ||
                       (left.has(Form::Own) && left.by[Form::Own] == textOf(second)) ||
                       (right.has(Form::Own) && right.by[Form::Own] == textOf(first));
        Form form = compare(left, right, literal);
        bool some = form.kind == Kind::Block && (isSmall(first) || isSmall(second));
        return some ? Form() : form; /* whether there are any */
    }
    if (BinaryOperator::isLogicalOp(kind)) {
        Guards both;
        both.add(left.asTest());
        both.add(right.asTest());
        return both.endOfDomain() && !both.local && !both.block
                   ? Form::of(Kind::Row, left.cause, left.where)
                   : join(left.asTest(), right.asTest());
    }
    return join(left, right);
}

Form RankValues::product(const BinaryOperator *binary, const Form &left, const Form &right)
{
    if (left.isUniform())
        return scale(right, textOf(binary->getLHS()));
    if (right.isUniform())
        return scale(left, textOf(binary->getRHS()));
    for (const auto &[one, other] : {std::pair{left, right}, {right, left}})
        if (one.isOnlyOf(Form::Count) && other.isOfRanks() && !other.isOnlyOf(Form::Size) &&
            binary->getType()->isIntegerType())
            misuse(Problem::OwnFormula, binary->getOperatorLoc(), analysis.source.spelled(binary),
                   "");
    return join(left, right);
}

Form RankValues::quotient(const BinaryOperator *binary, const Form &left, const Form &right) const
{
    if (!right.isUniform())
        return join(left, right);
    bool shift = binary->getOpcode() == BO_Shr || binary->getOpcode() == BO_ShrAssign;
    return divide(left, (shift ? "<<" : "") + textOf(binary->getRHS()),
                  binary->getType()->isIntegerType());
}

/* -- conditions */

Guards RankValues::guards() const
{
    Guards found;
    for (const Form &condition : conditions)
        found.add(condition);
    return found;
}

/* At the edge of a block something else stands for the neighbour: what messages have brought. */
static Form atEdge(const Form &value)
{
    if (value.isAffine() || value.kind == Kind::Local)
        return value;
    return Form::of(value.isUniform() ? Kind::Edge : Kind::Row, value.cause, value.where);
}

/* VALUE, if the conditions around hold. */
Form RankValues::guarded(const Form &value) const
{
    const Guards around = guards();
    if (around.local)
        return join(value, around.cause);
    if (around.endOfDomain())
        return value.isAffine() ? value : join(value, Form::of(Kind::Row));
    if (around.edge) {
        Form edge = atEdge(value);
        if (edge.kind == Kind::Edge)
            for (const Form &condition : conditions)
                if (edge.cause.empty())
                    edge.cause = condition.cause;
        return edge;
    }
    if (!around.ends && !around.block)
        return value;
    if (value.isPlain() && !around.block) {
        Form form = value;
        form.kind = Kind::Ends;
        form.cause = form.cause.empty() ? around.cause.cause : form.cause;
        return form;
    }
    return join(value, around.cause);
}

Form RankValues::choose(const Form &condition, const ConditionalOperator *choice, Form one,
                        Form other) const
{
    Guards own;
    own.add(condition);
    if (own.local)
        return join(merge(one, other), condition);
    if (own.edge && !guards().ends && !one.isAffine() && !other.isAffine()) {
        one = atEdge(one);
        other = atEdge(other);
        if (one.cause.empty())
            one.cause = condition.cause;
        if (other.cause.empty())
            other.cause = condition.cause;
    }
    Form form = merge(one, other);
    if (one.isAffine() != other.isAffine() && one.isPlain() && other.isPlain() &&
        !choice->getType()->isFloatingType())
        return form; /* a clipped number of a row */
    if (own.ends && !guards().edge && form.isPlain()) {
        form.kind = Kind::Ends;
        form.cause = form.cause.empty() ? condition.cause : form.cause;
        return form;
    }
    return own.block || (own.ends && !guards().edge) ||
                   (condition.judged() == Kind::Row && !form.isAffine())
               ? join(form, condition)
               : form;
}

/* -- elements */

static Form readRow(const RankState::Rows &rows, const Form &index, SourceLocation where)
{
    const std::string name = rows.variable->getNameAsString();
    if (rows.global)
        return index.isLocal() && index.has(Form::Own) ? index.asValue()
                                                       : Form::of(Kind::Row, name, where);
    bool backwards = index.has(Form::Own) && index.by[Form::Own][0] == '-';
    if (backwards || index.has(Form::Rank) || index.has(Form::Size) ||
        (!index.isAffine() && index.isLocal() && !index.isPhase()))
        return index.asValue();
    bool edge = index.isPlain() && !index.has(Form::Own) && !index.has(Form::First);
    if (index.kind == Kind::Row && index.has(Form::Own) && index.has(Form::Count))
        return Form::of(Kind::Row, name, where);
    return Form::of(edge && !rows.ghosts ? Kind::Edge : Kind::Row, name, where);
}

Form RankValues::read(const Place &place, const Form &index, SourceLocation where) const
{
    Form content = formOf(place);
    std::optional<Rows> rows = rowsOf(place);
    if (rows && !(content.isLocal() && content.has(Form::Own)))
        return readRow(*rows, index, where);
    if (content.peer && index.has(Form::Own)) {
        Form form = index.asValue();
        form.cause = place.base->getNameAsString();
        return form;
    }
    bool table = content.table;
    content.peer = content.table = false;
    if (content.isUniform()) {
        bool known = isKnown(place);
        return known && table ? join(content, index) : known ? content : Form::of(Kind::Row);
    }
    if (index.kind == Kind::Local && !index.isPhase() && !index.isOfRanks())
        return join(content, index);
    if (content.isLocal() && index.isOnlyOf(Form::Rank))
        return Form::of(Kind::Row); /* its own entry of a table */
    return content;
}

void RankValues::freshen(const VarDecl *variable)
{
    if (!rowLoops.empty())
        rowLoops.back().fresh.insert(variable);
}

/* What a sum, or something like it, becomes in a loop over own rows. */
Form RankValues::accumulated(const VarDecl *variable, const Form &before, const Form &value,
                             bool ownElement)
{
    const RowLoop &rows = rowLoops.back();
    if (rows.induced.count(variable))
        return before;
    if (ownElement || rows.fresh.count(variable) || value.isLocal())
        return value;
    bool own = before.kind == Kind::Uniform || before.kind == Kind::Block;
    return own ? Form::of(Kind::Block, variable->getNameAsString(), value.where) : value;
}

/* TARGET is an element that is always the same one. */
static bool isConstantIndex(const Expr *target)
{
    const auto *subscript = dyn_cast<ArraySubscriptExpr>(target);
    return subscript == nullptr || isa<IntegerLiteral>(subscript->getIdx()->IgnoreParenCasts());
}

void RankValues::store(const Place &place, const Expr *target, const Form &index, Form value,
                       bool compound, bool whole)
{
    const VarDecl *base = baseOf(place);
    target = target->IgnoreParens();
    bool element = isa<ArraySubscriptExpr>(target) || place.element || place.behind;
    if (place.type->isPointerType() && !element) {
        state.offsets[base] = whole ? value : merge(offsetOf(base), value);
        return;
    }
    if (std::optional<Rows> rows = rowsOf(place)) {
        if (inLoop && value.isOnlyOf(Form::Own) && place.type->isIntegerType())
            setForm(place, value, false); /* indices of rows: where they are used will tell */
        else if (inLoop)
            judge(*rows, target, index, value);
        return;
    }
    value = guarded(value);
    bool ownElement = element && index.has(Form::Own);
    if (!rowLoops.empty()) {
        if (compound)
            value = accumulated(base, formOf(place), value, ownElement);
        else if (whole && !element)
            rowLoops.back().fresh.insert(base);
        if (!ownElement)
            rowLoops.back().assigned.insert(base);
    }
    if ((ownElement && value.isUniform()) || (element && value.kind == Kind::Edge))
        value.kind = Kind::Row;
    value.table = element && !ownElement && !isConstantIndex(target);
    setForm(place, value, whole || (place.behind && !place.element && place.field == nullptr));
}

/* Through what rows are chosen otherwise than by their number; or "". */
std::string RankValues::badRows(const Form &index, const Guards &around) const
{
    bool own = index.has(Form::Own) || index.kind == Kind::Row || index.kind == Kind::Edge;
    bool backwards = index.has(Form::Own) && index.by[Form::Own][0] == '-';
    if (index.strided || backwards || index.has(Form::Rank) || index.has(Form::Size) ||
        (index.kind == Kind::Local && !index.isPhase()))
        return index.cause;
    if (!index.has(Form::Own) && index.has(Form::First) && !around.local)
        return ""; /* one row, by its number among all */
    if (around.local || (own && (around.block || (around.ends && !around.edge))))
        return around.cause.cause;
    return "";
}

void RankValues::judge(const Rows &rows, const Expr *target, const Form &index, const Form &value)
{
    const Guards around = guards();
    const std::string name = rows.variable->getNameAsString();
    const std::string by = badRows(index, around);
    bool own = index.has(Form::Own) || index.kind == Kind::Row;
    const Kind kind = value.judged();
    bool odd = kind == Kind::Ends || kind == Kind::Block || kind == Kind::Edge;
    if (!by.empty())
        return misuse(Problem::LocalRows, target->getExprLoc(), name, by);
    if (kind == Kind::Local || (odd && own && !around.edge))
        return misuse(Problem::LocalValue, target->getExprLoc(), name, value.cause);
    if (value.isUniform() && own && around.edge && !around.ends)
        misuse(Problem::LocalRows, target->getExprLoc(), name, index.cause);
}

/* -- calls */

Form RankValues::contentOf(const Expr *argument) const
{
    const Expr *bare = argument->IgnoreParenCasts();
    const auto *unary = dyn_cast<UnaryOperator>(bare);
    bool address = unary != nullptr && unary->getOpcode() == UO_AddrOf;
    std::optional<Place> place = placeOf(address ? unary->getSubExpr() : bare);
    if (!place)
        return Form();
    if (!address && place->type->isPointerType())
        place->element = place->behind = true;
    return rowsOf(*place) ? Form::of(Kind::Row) : formOf(*place);
}

static bool isOneOf(llvm::StringRef name, std::initializer_list<const char *> names)
{
    return std::any_of(names.begin(), names.end(),
                       [&](const char *known) { return name == known; });
}

/* What reductions leave of what the ranks put in. */
static Form reduced(const Analysis &analysis, const CallExpr *call, const Form &content,
                    bool before, bool prefix)
{
    bool sum = call->getNumArgs() > 4 && analysis.source.spelled(call->getArg(4)) == "MPI_SUM";
    if (sum && content.isOnlyOf(Form::Count) && content.isPlain()) {
        Form form = content; /* the rows before, or all of them */
        form.by[Form::First] = prefix ? content.by[Form::Count] : "";
        if (before || !prefix)
            form.by[Form::Count] = "";
        return form;
    }
    if (content.isLocal())
        return content.asValue();
    return prefix ? Form::of(Kind::Row) : Form();
}

Form RankValues::outputForm(const CallExpr *call, llvm::StringRef name,
                            const std::vector<Form> &arguments)
{
    const std::string own = call->getNumArgs() > 1 ? name.str() : "";
    if (name == "MPI_Comm_rank" || name == "MPI_Comm_size") {
        Form form =
            Form::of(name == "MPI_Comm_rank" ? Form::Rank : Form::Size, own, call->getExprLoc());
        return spansWorld(analysis, call->getArg(0)) ? form : form.asValue();
    }
    if (isOneOf(name, {"MPI_Allreduce", "MPI_Reduce", "MPI_Scan", "MPI_Exscan", "MPI_Iallreduce"}))
        return reduced(analysis, call,
                       contentOf(call->getArg(
                           analysis.source.spelled(call->getArg(0)) == "MPI_IN_PLACE" ? 1 : 0)),
                       name == "MPI_Exscan", name == "MPI_Scan" || name == "MPI_Exscan");
    if (isOneOf(name, {"MPI_Bcast", "MPI_Ibcast"})) {
        Form form = contentOf(call->getArg(0));
        return form.isLocal() ? form.asValue() : Form();
    }
    if (isOneOf(name, {"MPI_Allgather", "MPI_Allgatherv", "memcpy", "memmove"})) {
        Form form = contentOf(call->getArg(name[0] == 'm' ? 1 : 0));
        return form.kind == Kind::Local ? form : Form::of(Kind::Row);
    }
    Form form = Form::of(Kind::Row);
    unsigned source = name == "MPI_Sendrecv" ? 8 : name == "MPI_Sendrecv_replace" ? 5 : 3;
    form.peer = isOneOf(name, {"MPI_Recv", "MPI_Irecv", "MPI_Sendrecv", "MPI_Sendrecv_replace"}) &&
                source < arguments.size() && !arguments[source].isUniform();
    return form;
}

/* Tables of the parts of all ranks by the program's own formula. */
void RankValues::checkTables(const CallExpr *call, llvm::StringRef name)
{
    static const std::map<llvm::StringRef, std::vector<unsigned>> tables = {
        {"MPI_Allgatherv", {4, 5}},
        {"MPI_Iallgatherv", {4, 5}},
        {"MPI_Gatherv", {4, 5}},
        {"MPI_Scatterv", {1, 2}},
        {"MPI_Alltoallv", {1, 2, 5, 6}}};
    auto known = tables.find(name);
    if (known == tables.end())
        return;
    for (unsigned at : known->second) {
        std::optional<Place> place =
            at < call->getNumArgs() ? placeOf(call->getArg(at)->IgnoreParenCasts()) : std::nullopt;
        bool renewed = place && std::any_of(analysis.renewed.begin(), analysis.renewed.end(),
                                            [&](const auto &table) {
                                                return pointees(baseOf(*place)).count(table.first);
                                            });
        if (place && !renewed && !analysis.rootOnly.count(baseOf(*place)) &&
            contentOf(call->getArg(at)).isLocal())
            return misuse(Problem::OwnTable, call->getExprLoc(), place->text(), "");
    }
}

/* Messages that are as long as the process's own block, where another one decides. */
void RankValues::checkBlocks(const CallExpr *call, llvm::StringRef name,
                             const std::vector<Form> &arguments)
{
    static const std::map<llvm::StringRef, std::vector<unsigned>> lengths = {
        {"MPI_Allgather", {1, 4}}, {"MPI_Gather", {1, 4}},     {"MPI_Scatter", {1, 4}},
        {"MPI_Alltoall", {1, 4}},  {"MPI_Iallgather", {1, 4}}, {"MPI_Igather", {1, 4}},
        {"MPI_Iscatter", {1, 4}},  {"MPI_Sendrecv", {6}},      {"MPI_Sendrecv_replace", {1}},
        {"MPI_Bcast", {1}},        {"MPI_Ibcast", {1}},        {"MPI_Allreduce", {2}},
        {"MPI_Reduce", {2}},       {"MPI_Iallreduce", {2}},    {"MPI_Scan", {2}},
        {"MPI_Exscan", {2}},       {"MPI_Recv", {1}},          {"MPI_Irecv", {1}}};
    checkTables(call, name);
    auto known = lengths.find(name);
    if (known == lengths.end())
        return;
    bool received = name == "MPI_Recv" || name == "MPI_Irecv";
    for (unsigned at : known->second)
        if (at < arguments.size() && arguments[at].follows(Form::Count) &&
            (!received || !arguments[3].isUniform()))
            return misuse(Problem::EqualBlocks, call->getExprLoc(), name.str(), "");
}

Form RankValues::foreignForm(const CallExpr *call, bool ranked,
                             const std::vector<Form> &arguments) const
{
    bool pointers = false, counts = false;
    Form all;
    if (!ranked && std::all_of(call->arg_begin(), call->arg_end(), [&](const Expr *argument) {
            return contentOf(argument).isUniform();
        }))
        return Form();
    for (unsigned i = 0; i < arguments.size(); i++) {
        QualType type = call->getArg(i)->IgnoreParenCasts()->getType();
        pointers = pointers || type->isPointerType() || type->isArrayType();
        counts = counts || arguments[i].follows(Form::Count);
        all = join(all, arguments[i]);
    }
    if (pointers && !all.isUniform())
        return Form::of(counts ? Kind::Block : Kind::Row, calleeName(call).str(),
                        call->getExprLoc());
    const FunctionDecl *callee = call->getDirectCallee();
    bool own = callee != nullptr && isForeign(callee);
    return (own && all.isOfRanks()) || pointers ? Form::of(Kind::Row) : all;
}

} // namespace xmpi
