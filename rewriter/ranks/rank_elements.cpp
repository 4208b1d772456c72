/* SPDX-License-Identifier: BSD-3-Clause
 * What is read of elements, and what is stored to them: judged where they are of rows. */
#include "ranks/rank_values.h"
#include "compat.h"
#include "flow/gathered.h"
#include "source/integer.h"
#include "library/mpi_outputs.h"
#include "library/library.h"

namespace xmpi
{

using namespace clang;

using Kind = Form::Kind;

bool isOwnEdge(const RankState::Rows &rows, const Form &index)
{
    const std::optional<int> shift = rowsOfShift(index.shift), halo = rowsOfShift(rows.halo);
    return !rows.global && shift && halo &&
           (index.isOnlyOf(Form::Count) ? *shift < *halo : !index.isAffine() && *shift >= *halo);
}

/* INDEX, of an array that all have whole, is the begin of the block, or its end; or 0. */
static unsigned edgeOfWhole(const Form &index)
{
    if (!index.isPlain())
        return 0;
    const bool end = !index.has(Form::Own) && !index.has(Form::Rank) && !index.has(Form::Size) &&
                     index.has(Form::First) && index.has(Form::Count);
    return index.isOnlyOf(Form::First) ? Form::AtFirst : end ? Form::AtLast : 0;
}

static Form rowRead(const RankState::Rows &rows, const Form &index, SourceLocation where)
{
    const std::string name = rows.variable->getNameAsString();
    if (index.isOfPiece())
        return index.asValue();
    if (const unsigned end = rows.global ? edgeOfWhole(index) : 0; end != 0) {
        Form form = Form::of(Kind::Edge, name, where);
        form.ends = end;
        return form;
    }
    if (index.kind == Kind::Row && !index.data && index.has(Form::First) &&
        !index.has(Form::Own)) { /* of who knows which row, of another block perhaps */
        Form form = index.asValue();
        form.kind = Kind::Local;
        return form;
    }
    if (index.kind == Kind::Block || index.kind == Kind::Edge) /* chosen by the block, or there */
        return index.asValue();
    Form each = index;
    each.strided = false; /* of those that the loop comes to */
    if (rows.global)
        return each.isLocal() && each.has(Form::Own) ? index.asValue()
                                                     : Form::of(Kind::Row, name, where);
    bool backwards = index.has(Form::Own) && index.by[Form::Own][0] == '-';
    if (backwards || index.has(Form::Rank) || index.has(Form::Size) ||
        (!index.isAffine() && index.isLocal() && !(index.alongRows && index.isOfFirst())))
        return index.asValue();
    bool edge = index.isPlain() && !index.has(Form::Own) && !index.has(Form::First);
    if (index.kind == Kind::Row && index.has(Form::Own) && index.has(Form::Count))
        return Form::of(Kind::Row, name, where);
    Form form = Form::of(edge ? Kind::Edge : Kind::Row, name, where);
    form.message = edge && rows.ghosts && !isOwnEdge(rows, index);
    const bool own = index.has(Form::Own) && !index.has(Form::First);
    if (!rows.ghosts && (own || index.kind == Kind::Row))
        form.from = !own ? "*" : index.shift.empty() ? "0" : index.shift;
    form.ends = !edge                         ? 0
                : index.isBare()              ? Form::AtFirst
                : index.isOnlyOf(Form::Count) ? Form::AtLast
                                              : Form::Verdict;
    return form;
}

Form RankValues::readRow(const Rows &rows, const Form &index, SourceLocation where) const
{
    Form form = rowRead(rows, index, where);
    if (form.kind == Kind::Edge && !rows.global && guards().ends)
        form.message = rows.ghosts; /* there it may stand for what is beyond all rows */
    ownRead = ownRead || (form.kind == Kind::Edge && !form.message && !rows.global);
    form.data = true;
    form.stands = rows.variable;
    return form;
}

/* INDEX names the own entry of a table: 0; the one behind it: 1; else nothing. */
static std::optional<int> entryOf(const Expr *target, const Form &index)
{
    const auto *subscript = dyn_cast<ArraySubscriptExpr>(target->IgnoreParenCasts());
    if (subscript == nullptr || !index.isOnlyOf(Form::Rank) || index.by[Form::Rank] != "1")
        return std::nullopt;
    const Expr *at = subscript->getIdx()->IgnoreParenCasts();
    if (isa<DeclRefExpr, MemberExpr>(at))
        return 0;
    const auto *sum = dyn_cast<BinaryOperator>(at);
    if (sum == nullptr || sum->getOpcode() != BO_Add)
        return std::nullopt;
    for (const Expr *side : {sum->getLHS(), sum->getRHS()})
        if (const auto *one = dyn_cast<IntegerLiteral>(side->IgnoreParenCasts()))
            return one->getValue() == 1 ? std::optional<int>(1) : std::nullopt;
    return std::nullopt;
}

std::optional<Form> RankValues::readPart(const Place &place, const Expr *target,
                                         const Form &index) const
{
    /* (A table may begin anywhere in its memory.) */
    std::optional<int> entry = entryOf(target, add(index, offsetOf(baseOf(place)), true));
    if (!entry)
        return std::nullopt;
    std::vector<const VarDecl *> tables = {baseOf(place)};
    if (analysis.renewed.count({tables.front(), place.field}) == 0)
        for (const VarDecl *variable : pointees(baseOf(place)))
            tables.push_back(variable);
    for (const VarDecl *variable : tables) {
        auto table = analysis.renewed.find({variable, place.field});
        if (table == analysis.renewed.end())
            continue;
        const std::string name = place.base->getNameAsString();
        const std::string by = table->second.plain ? "1" : Form::some + name;
        if (table->second.kind != RangeKind::Displ && *entry != 0)
            return std::nullopt;
        Form form = Form::of(table->second.kind == RangeKind::Count ? Form::Count : Form::First,
                             name, target->getExprLoc());
        form.by[table->second.kind == RangeKind::Count ? Form::Count : Form::First] = by;
        if (*entry == 1 || followsRange(table->second.kind))
            form.by[Form::Count] = by;
        return form;
    }
    return std::nullopt;
}

bool isElement(const Place &place, const Expr *target)
{
    target = target->IgnoreParens();
    for (const auto *member = dyn_cast<MemberExpr>(target); member != nullptr && !member->isArrow();
         member = dyn_cast<MemberExpr>(target))
        target = member->getBase()->IgnoreParens();
    return isa<ArraySubscriptExpr>(target) || place.element || place.behind;
}

/* Its elements are those of its initialiser, which need not be the same. */
static bool isTable(const ASTContext &context, const VarDecl *table)
{
    const auto *list = dyn_cast_or_null<InitListExpr>(table->getInit());
    if (table->getType()->isArrayType() && isa_and_nonnull<StringLiteral>(table->getInit()))
        return true;
    const auto isZero = [&](const Expr *one) {
        return constantInteger(one->IgnoreParenCasts(), context) == 0;
    };
    return table->getType()->isArrayType() && list != nullptr &&
           !llvm::all_of(list->inits(), isZero);
}

/* What is at one INDEX of PLACE, which all processes have alike, may be another one than at
 * another: unless all of it is ZERO, each element may have been set to something else; or a pointer
 * leads to one of several arrays. */
bool RankValues::isChosenBy(const Place &place, const Form &index, bool zero) const
{
    const std::set<const VarDecl *> all = pointees(baseOf(place));
    const auto arrays =
        llvm::count_if(all, [](const VarDecl *one) { return !one->getType()->isPointerType(); });
    const bool filled =
        (index.has(Form::Own) || index.isOfRanks()) &&
        llvm::any_of(all, [&](const VarDecl *one) { return filling.count(one) != 0; });
    return (!zero && !filled && isKnown(place)) || (arrays > 1 && index.kind == Kind::Local) ||
           llvm::any_of(all, [&](const VarDecl *one) { return isTable(analysis.context, one); });
}

/* Around the loop each process has set its own rows of the array, and has what others had: all that
 * runs through more than these, or reads one element that is its own on one process alone. */
std::optional<Form> RankValues::readParted(const Place &place, const Expr *target,
                                           const Form &index) const
{
    const auto *element = dyn_cast<ArraySubscriptExpr>(target->IgnoreParens());
    const bool counted =
        element != nullptr && isa<DeclRefExpr>(element->getIdx()->IgnoreParenImpCasts());
    const Guards around = guards();
    const bool own = iterating && lacksOthers(place) &&
                     (index.isUniform() || (index.isPlain() && index.by[Form::Own][0] == '-'));
    const bool ends = around.ends && (!counted || (around.told & Form::Chosen) != 0);
    if (own && !ends && !around.local)
        return ofOthers(place.base->getNameAsString(), target->getExprLoc());
    if (parted.empty() || !index.isUniform() || ((around.ends || around.local) && !counted))
        return std::nullopt;
    for (const VarDecl *one : pointees(baseOf(place)))
        if (parted.count(one) != 0)
            return ofOthers(one->getNameAsString(), target->getExprLoc());
    return std::nullopt;
}

/* What INDEX chooses from PLACE, which differs as it does. */
static Form valueBy(const Form &index, const Place &place)
{
    Form form = index.asValue();
    form.cause = place.base->getNameAsString();
    return form;
}

/* From CONTENT, the parts of all ranks. */
Form RankValues::readPartOf(Form content, const Form &index) const
{
    if (content.isOnlyOf(Form::Rank))
        return index;           /* the rank of each */
    content.parts = index.each; /* of all ranks in turn, or of one */
    content.gathered |= index.each ? 0 : Form::Otherwise;
    part = content;
    return content;
}

std::optional<Form> RankValues::readAtEdge(const Form &content, const Form &index,
                                           const std::string &name, SourceLocation where)
{
    const bool numbered = index.has(Form::First),
               turn = content.peer && content.data && index.isBare() && rowsOfShift(index.shift);
    if (content.kind != Kind::Row || content.isAffine() || !index.isPlain() ||
        index.has(Form::Own) || index.has(Form::Rank) || index.has(Form::Size) ||
        index.isOfPiece() ||
        (!numbered && !turn && ((content.placed & Form::InBlock) == 0 || content.message)))
        return std::nullopt;
    Form form = Form::of(turn ? Kind::Local : Kind::Edge, name, where);
    form.gathered = turn ? Form::AtEdge : 0; /* of whoever has sent it last */
    form.ends = index.has(Form::Count) ? Form::AtLast : Form::AtFirst;
    form.message = content.message && !turn;
    form.data = content.data;
    return form;
}

/* What is at INDEX of PLACE, which has the rows at the edges of all blocks as CONTENT: those of a
 * neighbour, of which there is none at an end of the domain; else nothing. */
std::optional<Form> RankValues::readOfNeighbour(const Place &place, const Form &content,
                                                const Form &index, SourceLocation where) const
{
    const bool another = index.kind != Kind::Uniform ||
                         startsWith(index.by[Form::Rank], Form::some) || guards().ends;
    if (content.kind != Kind::Local || (content.gathered & Form::AtEdge) == 0 ||
        !index.isOfRanks() || index.each || !another)
        return std::nullopt;
    Form form = Form::of(Kind::Row, place.base->getNameAsString(), where);
    form.message = form.neighbour = form.data = true;
    return form;
}

/* What is at INDEX of PLACE, which has CONTENT, whatever the place of a row there is. */
Form RankValues::readElement(const Place &place, Form content, const Form &index) const
{
    content.peer = false;
    content.placed = 0;
    if (content.isUniform()) {
        if (isChosenBy(place, index, content.zero))
            return join(content, index);
        return isKnown(place) ? content : Form::of(Kind::Row);
    }
    if (index.kind == Kind::Local && !index.isOfRanks())
        return join(content, index);
    return content;
}

Form RankValues::read(const Place &place, const Form &index, SourceLocation where) const
{
    Form content = formOf(place);
    if (std::optional<Form> sent = readOfNeighbour(place, content, index, where))
        return *sent;
    if (std::optional<Rows> any = anyRowsOf(place))
        noteOlder(*any, place, index, where);
    std::optional<Rows> rows = rowsOf(place);
    if (rows)
        noteGhosts(*rows, place, index, where);
    if (rows && !(content.isLocal() && content.has(Form::Own)))
        return readRow(*rows, index, where);
    if (content.peer && index.has(Form::Own))
        return valueBy(index, place);
    if (content.pieces != index.isInPiece() && (content.pieces || index.isOfPiece())) {
        Form form = Form::ofPieces(place.base->getNameAsString(), where);
        form.data = content.data;
        return form;
    }
    content.pieces = content.beside = false;
    const bool own = content.isOfOwnRows() && index.isPlain() && !index.has(Form::First);
    content.data = content.data || (index.has(Form::Own) && content.kind == Kind::Row);
    const bool backwards = index.has(Form::Own) && index.by[Form::Own][0] == '-';
    if (backwards && content.kind == Kind::Row && !content.isAffine())
        return index.asValue(); /* of another row of the same block */
    if (own && index.has(Form::Own) && content.from.empty())
        content.from = index.shift.empty() ? "0" : index.shift;
    else if (index.has(Form::Own))
        content.from = moved(content.from, index.shift, false);
    if (index.has(Form::Own) && index.has(Form::First) && !guards().edge)
        content.message = false; /* by its number: it stands for no row of another block */
    if (content.parts)
        return readPartOf(content, index);
    const unsigned other = index.has(Form::First) ? Form::InBlock : Form::AmongAll;
    if (index.has(Form::Own) && (content.placed & other) != 0) { /* some of another row */
        Form form = valueBy(index, place);
        form.kind = Kind::Local;
        return form;
    }
    if (std::optional<Form> edge = readAtEdge(content, index, place.base->getNameAsString(), where))
        return *edge;
    return readElement(place, content, index);
}

/* What is put at INDEX follows where its row is in the block. */
static bool isElsewhere(const Form &index)
{
    if (!index.isPlain())
        return index.kind == Kind::Local && index.follows(Form::Own);
    const std::string &own = index.by[Form::Own];
    return !own.empty() && !index.has(Form::First) &&
           (own[0] == '-' ||
            (index.strided && startsWith(own, Form::some))); /* backwards, or some of them */
}

/* INDEX is a number of a row among all that the block begins, or ends, with. */
static bool isBeginOfBlock(const Form &index)
{
    return index.isPlain() && index.has(Form::First) && !index.has(Form::Own) &&
           !index.has(Form::Rank) && !index.has(Form::Size);
}

void RankValues::storeRow(const Rows &rows, const Place &place, const Expr *target,
                          const Form &index, const Form &changed, const Form &value)
{
    if (!inStart && value.isOnlyOf(Form::Own) && place.type->isIntegerType())
        setForm(place, value, false); /* indices of rows: where they are used will tell */
    else if (inLoop)
        judge(rows, target, index, changed);
    else if (inStart)
        judgeMade(rows, target, index, value);
}

Form RankValues::gatheredInto(const Place &place, const Form &given, Form value, bool element,
                              bool ownElement, bool compound, bool whole)
{
    const VarDecl *base = baseOf(place);
    if (compound || gathering != 0)
        value = accumulated(place, formOf(place), value, ownElement);
    else if (whole && !element)
        rowLoops.back().fresh.insert(base);
    if (!compound && gathering == 0 && !element)
        value.gathered = pickedUnder(given);
    if (!ownElement)
        for (const VarDecl *meant : element ? pointees(base) : std::set<const VarDecl *>{base})
            rowLoops.back().assigned.insert(meant);
    return value;
}

/* INDEX, in a loop over own rows, is at the places of these alone. */
bool RankValues::staysWithin(const Form &index) const
{
    const std::optional<int> shift = rowsOfShift(index.shift);
    if (rowLoops.empty() || !rowLoops.back().span || !shift || index.strided)
        return false;
    const auto &[first, last] = *rowLoops.back().span;
    return first + *shift >= 0 && last + *shift < 0;
}

/* Where GIVEN, put at INDEX, is among the rows: bits of Form::Placed. */
unsigned RankValues::placesOfRows(const Form &index, bool ownElement, const Form &given,
                                  bool element) const
{
    const bool other = element && !given.isUniform();
    if (!ownElement || index.isOfPiece())
        return other ? Form::Beyond : 0;
    if (index.has(Form::First))
        return Form::AmongAll;
    return Form::InBlock | (!other ? 0u : staysWithin(index) ? Form::Varied : Form::Beyond);
}

Form RankValues::placedAt(const Place &place, const Expr *target, const Form &index,
                          const Form &given, Form value) const
{
    const bool element = isElement(place, target);
    const bool ownElement = element && index.has(Form::Own);
    if (ownElement && value.isUniform())
        value.kind = Kind::Row;
    if (ownElement)
        value.from = moved(value.from, index.shift, true);
    if (element && !value.isUniform() && isElsewhere(index) && !value.isOnlyOf(Form::Own))
        value = join(value, Form::of(Kind::Local, index.cause, index.where));
    if (element && !ownElement && value.isUniform() && index.kind == Kind::Local &&
        !index.isOfRanks()) /* elsewhere in another layout */
        value = join(value, Form::of(Kind::Local, index.cause, index.where));
    if (element && !ownElement && index.kind == Kind::Block)
        value = join(value, Form::of(Kind::Local, index.cause, index.where)); /* of its own rows */
    const bool odd = value.kind == Kind::Ends || (value.kind == Kind::Edge && !value.message);
    const bool piece = element && (formOf(place).pieces || index.isOfPiece());
    const bool mixed = element && formOf(place).beside; /* what was read, and what is set */
    if (mixed || (piece && (!index.isInPiece() || odd)))
        value = join(value, Form::ofPieces(odd ? value.cause : place.base->getNameAsString(),
                                           target->getExprLoc()));
    if (element && isBeginOfBlock(index) && rowLoops.empty() && !guards().ends &&
        (value.isUniform() || value.kind == Kind::Block)) /* at other rows in other layouts */
        value = join(value, Form::of(Kind::Local, index.cause, index.where));
    if (!element && formOf(place).before && guards().ends && value.kind == Kind::Ends &&
        !given.zero)
        value = join(value, Form::of(Kind::Local, guards().cause.cause, target->getExprLoc()));
    if (element && formOf(place).isOfOwnRows() && index.isUniform() && rowLoops.empty() &&
        !guards().ends && !guards().local && !value.message && !given.message) {
        value = join(value, Form::of(Kind::Local, place.base->getNameAsString(),
                                     target->getExprLoc())); /* the first of each block */
        value.gathered |= Form::Otherwise;
        value.data = true;
    }
    value.pieces = element && index.isInPiece();
    value.placed = placesOfRows(index, ownElement, given, element);
    return value;
}

/* VALUE, a pointer, leads as many rows into an array as INDEX is into its table. */
static bool isRowByRow(const Form &index, const Form &value)
{
    return index.isPlain() && value.isPlain() && index.isOnlyOf(Form::Own) &&
           value.isOnlyOf(Form::Own) && index.by[Form::Own] == "1" &&
           value.by[Form::Own][0] != '-' && index.shift == value.shift && !index.strided &&
           !value.strided;
}

/* The pointer PLACE leads VALUE rows into what it leads into. */
void RankValues::lead(const Place &place, const Form &value, bool whole)
{
    const VarDecl *base = baseOf(place);
    state.offsets[base] = whole ? value : merge(offsetOf(base), value);
    if (!rowLoops.empty() && !isFresh(place))
        rowLoops.back().led.insert(base);
}

/* The element TARGET is set; UNPACKED: out of what messages have brought. */
void RankValues::noteElement(const Place &place, const Expr *target, const Form &index,
                             bool unpacked)
{
    noteSwept(place, target, index, true);
    settleChoices(baseOf(place));
    if (iterating)
        noteOwnAmongAll(place, index);
    if (std::optional<Rows> any = anyRowsOf(place)) {
        noteChanged(*any, place, index, unpacked, target->getExprLoc());
        noteSpoilt(*any, place, target, index, unpacked);
    } else {
        notePacked(place);
    }
}

void RankValues::store(const Place &place, const Expr *target, const Form &index, Form value,
                       bool compound, bool whole)
{
    target = target->IgnoreParens();
    const bool element = isElement(place, target);
    if (!element && !compound && isFirstThere(formOf(place), value))
        return;
    if (place.type->isPointerType() && !element)
        return lead(place, value, whole);
    if (place.type->isPointerType() && isRowByRow(index, value))
        return; /* a table of pointers to the rows, in their order: it tells no more than these */
    value.data = value.data || (place.type->isPointerType() && !value.isUniform());
    if (value.message)
        fill(place, nullptr);
    if (element)
        noteElement(place, target, index, value.message && !compound);
    if (std::optional<Rows> rows = rowsOf(place))
        return storeRow(*rows, place, target, index, compound ? ofPairs(value) : value, value);
    if (element && inLoop)
        judgeWhole(place, target, index, compound ? ofPairs(value) : value);
    if (taken.parts && gathering != 0 && !element && rowLoops.empty()) {
        setForm(place, ofParts(place, target), whole);
        return;
    }
    const Form given = value;
    if (!element && !compound && guards().edge) {
        noteAlone(target, value, formOf(place));
        noteSetAtEdge(place, target, value);
    }
    if (const std::optional<Form> one = ofOwner(place, target, given, compound)) {
        setForm(place, *one, whole);
        return;
    }
    value = guarded(value);
    bool ownElement = element && index.has(Form::Own);
    if (rowLoops.empty() && value.kind == Kind::Block)
        gatherUnder(place, given, value, compound);
    if (!rowLoops.empty())
        value = gatheredInto(place, given, value, element, ownElement, compound, whole);
    if (!element && !compound && rowLoops.empty() && value.kind == Kind::Ends)
        value = inPlaceOf(formOf(place), value);
    value = placedAt(place, target, index, given, endOfEntries(place, index, value));
    setForm(place, value, whole || (place.behind && !place.element && place.field == nullptr));
}

/* Through what rows are chosen otherwise than by their number; or "". */
std::string RankValues::badRows(const Form &index, const Guards &around) const
{
    bool own = index.has(Form::Own) || index.kind == Kind::Row || index.kind == Kind::Edge;
    bool backwards = index.has(Form::Own) && index.by[Form::Own][0] == '-';
    if (index.strided || backwards || index.has(Form::Rank) || index.has(Form::Size) ||
        index.isOfPiece() || index.kind == Kind::Local || index.kind == Kind::Block)
        return index.cause;
    const bool one = !index.has(Form::Own) && index.has(Form::First);
    if (one && !around.local && !around.block)
        return ""; /* one row, by its number among all */
    if (around.local || (one && around.block) ||
        (own && (around.block || (around.ends && !around.edge))))
        return around.cause.cause;
    return "";
}

/* By what VALUE, or whether it is stored, follows the row that a neighbour has sent; or "". It is
 * beside one own row only. */
std::string RankValues::sentForOne(const Form &value) const
{
    if (value.neighbour)
        return value.cause;
    const auto sent =
        llvm::find_if(conditions, [](const Form &condition) { return condition.neighbour; });
    return sent != conditions.end() ? sent->cause : "";
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
    if (rows.global && !own && around.block)
        return misuse(Problem::LocalRows, target->getExprLoc(), name, around.cause.cause);
    if (rows.global && index.isPlain() && index.has(Form::Own) && !index.has(Form::First))
        return misuse(Problem::LocalRows, target->getExprLoc(), name, index.cause);
    const bool one = !own && index.has(Form::First) && /* by its number, of whatever block */
                     (kind == Kind::Block || (kind == Kind::Edge && isUnderOwner()));
    if (kind == Kind::Local || (odd && own && !around.edge) || one)
        return misuse(Problem::LocalValue, target->getExprLoc(), name, value.cause);
    if (const std::string sent = sentForOne(value); own && !around.edge && !sent.empty())
        return misuse(Problem::LocalValue, target->getExprLoc(), name, sent);
    if (isOfOtherSide(index, value))
        return misuse(Problem::LocalValue, target->getExprLoc(), name, value.cause);
    const bool elected = around.ends && around.told == 0 && index.isPlain();
    if (!own && !rows.global &&
        (elected ? !index.has(Form::First) : !rows.ghosts && (around.told & Form::Sized) != 0))
        return misuse(Problem::LocalRows, target->getExprLoc(), name, around.cause.cause);
    judgeNeighbours(rows, target, index, value);
    judgeEdge(rows, target, index, value, around);
}

/* Of an array that all have whole each process sets its own rows, which others are sent; what all
 * set alike is the same on all, but not in all layouts where it is one part for each process. */
void RankValues::judgeWhole(const Place &place, const Expr *target, const Form &index,
                            const Form &value)
{
    const std::optional<Rows> rows = wholeRowsOf(place, !iterating);
    if (!rows)
        return;
    if (!iterating && index.has(Form::Own))
        parted.insert(rows->variable);
    const bool parts = value.parts || (value.gathered & Form::Otherwise) != 0;
    const Guards around = guards();
    if (index.has(Form::First) && !index.has(Form::Own) && index.isPlain() && !around.local &&
        !around.ends && rowLoops.empty())
        misuse(Problem::LocalRows, target->getExprLoc(), rows->variable->getNameAsString(),
               index.cause); /* at an edge of the block */
    else if (index.has(Form::Own) || index.has(Form::First))
        judge(*rows, target, index, value);
    else if (parts && value.kind == Kind::Block)
        misuse(Problem::LocalValue, target->getExprLoc(), rows->variable->getNameAsString(),
               value.cause);
}

/* What is made of rows beside the one that is set, of the same block, is right where messages stand
 * for those of other blocks: so is what is chosen by them. */
void RankValues::judgeNeighbours(const Rows &rows, const Expr *target, const Form &index,
                                 const Form &value)
{
    if (rows.global || !index.has(Form::Own) || index.has(Form::First))
        return;
    if (isWindow(target, index))
        return noteEdge(rows, target, analysis.source.spelled(target),
                        value.message && !value.running);
    if (index.shift == "*")
        return;
    const std::string own = moved("0", addShifts(index.shift, rows.halo, true), false);
    edges[{rows.variable, false, iterating}].messages |= value.message && !value.running;
    std::vector<Form> made = conditions;
    made.push_back(value);
    for (const Form &one : made)
        if (!one.from.empty() && one.from != own)
            noteEdge(rows, target, analysis.source.spelled(target), one.message && !one.running);
}

} // namespace xmpi
