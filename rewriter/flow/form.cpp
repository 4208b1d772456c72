/* SPDX-License-Identifier: BSD-3-Clause
 * The algebra of forms: linear as long as it can be, else the worst of the operands. */
#include "flow/form.h"
#include "flow/gathered.h"
#include "index/turns.h"
#include <algorithm>

namespace xmpi
{

enum { MaxText = 80 };
static const char *const unknown = Form::some;

Form Form::of(Term term, const std::string &cause, clang::SourceLocation where)
{
    Form form;
    form.by[term] = "1";
    form.cause = cause;
    form.where = where;
    return form;
}

Form Form::of(Kind kind, const std::string &cause, clang::SourceLocation where)
{
    Form form;
    form.kind = kind;
    form.cause = cause;
    form.where = where;
    return form;
}

bool Form::isAffine() const
{
    return llvm::any_of(by, [](const std::string &one) { return !one.empty(); });
}

bool Form::isPlain() const
{
    return kind == Kind::Uniform || kind == Kind::Ends;
}

bool Form::isOnlyOf(Term term) const
{
    for (int other = 0; other < Terms; other++)
        if (has(static_cast<Term>(other)) != (other == term))
            return false;
    return true;
}

bool Form::follows(Term term) const
{
    return has(term) || (terms & 1u << term) != 0;
}

/* Of FORM, which is local, the terms that it follows. */
static unsigned termsOf(const Form &form)
{
    unsigned terms = form.terms;
    for (unsigned term = 0; term < Form::Terms; term++)
        terms |= form.has(static_cast<Form::Term>(term)) ? 1u << term : 0;
    return terms;
}

bool Form::isOfRanks() const
{
    const unsigned terms = termsOf(*this);
    return isLocal() && terms != 0 && (terms & ~(1u << Rank | 1u << Size)) == 0;
}

/* TEXT, a coefficient, is not known; where it has a name, it is the same as another one of it. */
static bool isUnknownFactor(const std::string &text)
{
    return !text.empty() && text[text[0] == '-' ? 1 : 0] == unknown[0];
}

static bool isNegative(const std::string &text)
{
    return !text.empty() && text[0] == '-';
}

/* displ + i, also times something; k - displ, which is one row as well. */
static bool isRow(const Form &form)
{
    return form.has(Form::Own) && form.has(Form::First) && !form.has(Form::Count) &&
           !form.has(Form::Rank) && !form.has(Form::Size) && !form.has(Form::Piece) &&
           !form.has(Form::Length) && form.by[Form::Own] == form.by[Form::First] &&
           !isUnknownFactor(form.by[Form::Own]) && !form.strided;
}

Form::Kind Form::judged() const
{
    if (!isAffine())
        return kind;
    return isRow(*this) ? std::max(kind, Kind::Row) : Kind::Local;
}

Form Form::asValue() const
{
    Form value = *this;
    value.turn = value.rise = 0;
    if (!isAffine())
        return value;
    value = of(judged(), cause, where);
    value.terms = value.kind == Kind::Local ? termsOf(*this) : 0;
    value.ends = ends;
    value.message = message;
    value.neighbour = neighbour;
    value.running = running;
    value.agreed = agreed;
    value.others = others;
    value.data = data;
    value.gathered = gathered;
    value.comes = comes;
    return value;
}

bool Form::operator==(const Form &other) const
{
    return kind == other.kind && by == other.by && strided == other.strided &&
           terms == other.terms && ends == other.ends && peer == other.peer &&
           placed == other.placed && message == other.message && running == other.running &&
           neighbour == other.neighbour && any == other.any && owner == other.owner &&
           zero == other.zero && begun == other.begun && scanned == other.scanned &&
           agreed == other.agreed && before == other.before && counted == other.counted &&
           pieces == other.pieces && beside == other.beside && parts == other.parts &&
           each == other.each && others == other.others && data == other.data &&
           shift == other.shift && from == other.from && gathered == other.gathered &&
           comes == other.comes && stands == other.stands && spread == other.spread &&
           partly == other.partly && every == other.every && turn == other.turn &&
           alongRows == other.alongRows && rise == other.rise;
}

/* Of what has no other value for each own row: something about the process. */
Form Form::asTest() const
{
    if (counted)
        return Form();
    Form value = asValue();
    if (value.kind == Kind::Block)
        value.gathered = testedAs(gathered);
    if (value.ends & Chosen)
        value.ends = (value.ends & ~Chosen) | Verdict;
    if (every > 2 && spread != Spread::Some) /* of rows beside one another, too */
        value.every = 0;
    if (any || value.kind != Kind::Local || value.follows(Own) || value.isOfPiece() || agreed)
        return any ? *this : value;
    const unsigned followed = termsOf(value);
    const bool sized = followed != 0 && (followed & ~(1u << Count | 1u << Size)) == 0;
    Form test = ofEnds(sized ? Verdict | Sized : Verdict, cause, where);
    test.owner = owner;
    return test;
}

Form Form::negated() const
{
    Form contrary = *this;
    contrary.gathered = contraryOf(gathered);
    contrary.owner = false;
    if (every > 2 || partly) {
        contrary.every = 0;
        contrary.spread = Spread::None;
    } else if (every == 0 && (spread == Spread::Some || spread == Spread::Others)) {
        contrary.spread = spread == Spread::Some ? Spread::Others : Spread::Some;
    }
    contrary.others = owner || (kind == Kind::Ends && (ends & (Verdict | Chosen)) == 0 && !others);
    return contrary;
}

/* What is made of both is the same for rows that are so many apart. */
static int bothEvery(const Form &one, const Form &other)
{
    return one.isUniform() || one.every == other.every ? other.every
           : other.isUniform()                         ? one.every
                                                       : 0;
}

/* From where what is made of both comes. */
static std::string bothFrom(const Form &one, const Form &other)
{
    if (one.from.empty() || other.from.empty() || one.from == other.from)
        return one.from.empty() ? other.from : one.from;
    return "*";
}

/* What is made of both stands for no row beside another one. */
static bool bothRunning(const Form &one, const Form &other)
{
    return (one.running || other.running) && (one.running || !one.message) &&
           (other.running || !other.message);
}

static Form::Spread bothSpread(const Form &one, const Form &other)
{
    if (one.isUniform() || one.spread == other.spread)
        return other.spread;
    if (other.isUniform())
        return one.spread;
    return one.isWide() && other.isWide() ? Form::Spread::Range : Form::Spread::None;
}

/* BOTH is made of the row at the edge of another block where ONE or OTHER is. */
static void nameNeighbour(Form &both, const Form &one, const Form &other)
{
    both.neighbour = one.neighbour || other.neighbour;
    if (!both.neighbour || both.kind != Form::Kind::Row)
        return;
    both.cause = one.neighbour ? one.cause : other.cause;
    both.where = one.neighbour ? one.where : other.where;
}

Form join(const Form &one, const Form &other)
{
    const Form first = one.asValue(), second = other.asValue();
    Form worst = second.kind > first.kind ? second : first;
    if (worst.kind == Form::Kind::Local)
        worst.terms = first.terms | second.terms;
    worst.alongRows = first.alongRows || second.alongRows || first.kind == Form::Kind::Row ||
                      second.kind == Form::Kind::Row;
    worst.ends = first.ends | second.ends;
    worst.message = first.message || second.message;
    nameNeighbour(worst, first, second);
    worst.running = bothRunning(first, second);
    worst.begun = first.begun || second.begun;
    worst.agreed = first.agreed || second.agreed;
    worst.others = first.others || second.others;
    worst.data = first.data || second.data;
    worst.gathered = first.gathered | second.gathered;
    worst.from = bothFrom(one, other);
    worst.shift.clear();
    worst.peer = worst.any = worst.owner = worst.zero = worst.pieces = worst.beside = false;
    worst.before = worst.counted = worst.parts = worst.each = false;
    worst.placed = 0;
    worst.scanned.clear();
    worst.comes = first.comes | second.comes;
    worst.stands = nullptr;
    worst.spread = bothSpread(first, second);
    worst.every = bothEvery(first, second);
    return worst;
}

Form mix(const Form &one, const Form &other)
{
    Form form = join(one, other);
    if (form.kind == Form::Kind::Block)
        form.gathered |= Form::Otherwise;
    return form;
}

/* It is 0 on all processes in each layout, or on none. */
static bool isCounted(const Form &form)
{
    return form.counted || form.isUniform();
}

/* END is set at an end of the domain, where OTHER, which is not 0, was before. */
static bool isElsewhere(const Form &end, const Form &other)
{
    return end.kind == Form::Kind::Ends && other.kind == Form::Kind::Uniform && !other.zero;
}

Form Form::ofProcess() const
{
    Form form = asValue();
    form.kind = Kind::Local;
    return form;
}

/* One of the two says nothing of rows. */
static Form mergeBare(const Form &one, const Form &other)
{
    Form form = one.isAffine() || !other.isAffine() ? one : other;
    if (form.by[Form::Own] == "1" && one.isAffine() != other.isAffine())
        form.shift = "*"; /* the own row, or one that is the same for all */
    form.kind = std::max(one.kind, other.kind);
    form.ends = one.ends | other.ends;
    form.peer = one.peer || other.peer;
    form.message = one.message || other.message;
    form.running = bothRunning(one, other);
    form.zero = one.zero && other.zero;
    form.others = one.others || other.others || isElsewhere(one, other) || isElsewhere(other, one);
    form.gathered = one.gathered | other.gathered;
    form.data = one.data || other.data;
    form.from = bothFrom(one, other);
    form.cause = form.cause.empty() ? other.cause : form.cause;
    if (one.isAffine() != other.isAffine() && form.isCountUpTo(form.ends))
        form = form.ofProcess();
    return form;
}

static Form mergeWays(const Form &one, const Form &other)
{
    if (one == other)
        return one;
    if ((one.isBare() && other.isPlain()) || (other.isBare() && one.isPlain()))
        return mergeBare(one, other);
    for (const auto &[message, end] : {std::pair{one, other}, {other, one}})
        if (message.kind == Form::Kind::Row && end.kind == Form::Kind::Ends && !end.isAffine() &&
            !end.isOfLayout())
            return message; /* at the ends of the domain something else stands for it */
    for (const auto &[row, edge] : {std::pair{one, other}, {other, one}})
        if (row.kind == Form::Kind::Row && edge.kind == Form::Kind::Edge &&
            (row.message || edge.message)) {
            Form neighbour = row; /* at the edge of a block what was sent stands for it */
            neighbour.message = true;
            return neighbour;
        }
    Form same = one, second = other;
    same.strided = second.strided = same.strided || second.strided;
    if (one.isAffine() && same.by == second.by && one.isPlain() && other.isPlain()) {
        same.kind = std::max(one.kind, other.kind);
        same.ends = one.ends | other.ends;
        same.shift = one.shift == other.shift ? one.shift : "*";
        return same;
    }
    Form form = join(one, other);
    form.peer = one.peer || other.peer;
    form.counted = (one.counted || other.counted) && isCounted(one) && isCounted(other);
    form.before = one.before || other.before;
    form.parts = one.parts || other.parts;
    return form;
}

/* Of the same row on both, but for what is at the ends of the domain alone. */
static const clang::VarDecl *bothStandFor(const Form &one, const Form &other)
{
    return one.stands == other.stands || other.isPlain() ? one.stands
           : one.isPlain()                               ? other.stands
                                                         : nullptr;
}

/* What is on one of two ways stands for a row of another block, where it is not the ends of the
 * domain that the other is for. */
static bool bothNeighbour(const Form &one, const Form &other)
{
    const auto nothingElse = [](const Form &form) { return form.neighbour || form.isPlain(); };
    return (one.neighbour || other.neighbour) && nothingElse(one) && nothingElse(other);
}

Form merge(const Form &one, const Form &other)
{
    Form form = mergeWays(one, other);
    form.owner = one.owner && other.owner;
    form.neighbour = bothNeighbour(one, other);
    form.comes = one.comes | other.comes;
    form.stands = bothStandFor(one, other);
    form.pieces = one.pieces || other.pieces;
    form.beside = one.beside || other.beside;
    form.placed = one.placed | other.placed;
    return form;
}

static std::string negated(const std::string &text)
{
    if (text.empty() || text == unknown)
        return text;
    return isNegative(text) ? text.substr(1) : "-" + text;
}

static std::string plus(const std::string &one, const std::string &other)
{
    if (one.empty() || other.empty())
        return one.empty() ? other : one;
    return one == negated(other) && one != unknown ? "" : unknown;
}

static std::string times(const std::string &coefficient, const std::string &text)
{
    if (coefficient.empty() || text == "1")
        return coefficient;
    if (isNegative(coefficient))
        return negated(times(negated(coefficient), text));
    std::string product = coefficient == "1" ? text : coefficient + "*" + text;
    return product.size() > MaxText ? unknown : product;
}

bool Form::isInPiece() const
{
    return has(Own) && !isUnknownFactor(by[Own]) && by[Piece] == xmpi::negated(by[Own]);
}

std::string markOf(const Form &form)
{
    return form.cause + "@" + std::to_string(form.where.getRawEncoding());
}

Form beforeRows(const std::string &cause, clang::SourceLocation where)
{
    Form form = Form::of(Form::Kind::Edge, cause, where);
    form.before = true;
    return form;
}

/* Of the negative of what was gathered. */
static unsigned mirrored(unsigned gathered)
{
    const unsigned picked = Form::Largest | Form::Smallest;
    if ((gathered & picked) == 0 || (gathered & picked) == picked)
        return gathered;
    return gathered ^ picked;
}

/* The terms of SUM, of the two. */
static void addTerms(Form &sum, const Form &one, const Form &other, bool negative)
{
    for (size_t term = 0; term < Form::Terms; term++)
        sum.by[term] = plus(one.by[term], negative ? negated(other.by[term]) : other.by[term]);
    if (isRow(one) && isRow(other) && isUnknownFactor(sum.by[Form::Own])) { /* of the row, anyhow */
        sum.by.fill("");
        sum.kind = std::max(sum.kind, Form::Kind::Row);
    }
    sum.shift = one.has(Form::Own) && other.has(Form::Own) ? "*"
                : one.has(Form::Own)                       ? one.shift
                : other.has(Form::Own)                     ? other.shift
                                       : addShifts(one.shift, other.shift, negative);
}

/* Whether what is of all own rows together does not begin with 0 in a sum of both. */
static bool sumIsBegun(const Form &one, const Form &other)
{
    return one.begun || other.begun ||
           (one.kind == Form::Kind::Block && other.isUniform() && !other.zero) ||
           (other.kind == Form::Kind::Block && one.isUniform() && !one.zero);
}

/* How a sum of both may be put together over the processes. */
static unsigned gatheredOfSum(const Form &one, const Form &other, bool negative)
{
    const unsigned gathered = one.gathered | (negative ? mirrored(other.gathered) : other.gathered);
    const bool block = std::max(one.kind, other.kind) == Form::Kind::Block;
    const bool otherwise = block && !one.isUniform() && !other.isUniform() &&
                           (gathered & ~(Form::Added | Form::Counted | Form::Neighbours)) != 0;
    return otherwise ? gathered | Form::Otherwise : gathered;
}

Form add(const Form &one, const Form &other, bool negative)
{
    if (negative && !one.scanned.empty() && other.kind == Form::Kind::Block && !other.begun &&
        markOf(other) == one.scanned)
        return beforeRows(one.cause, one.where);
    const bool each = (one.each && other.isUniform()) || (other.each && one.isUniform());
    if (one.kind == Form::Kind::Local || other.kind == Form::Kind::Local) {
        Form form = join(one, other);
        form.each = each;
        addTurns(form, one, other, negative);
        return form;
    }
    Form form = one;
    form.kind = std::max(one.kind, other.kind);
    addTerms(form, one, other, negative);
    form.ends = one.ends | other.ends;
    form.strided = one.strided || other.strided;
    form.pieces = form.beside = form.peer = false;
    form.any = form.owner = form.zero = false;
    form.placed = 0;
    form.scanned.clear();
    form.comes = one.comes | other.comes;
    form.stands = nullptr;
    form.message = one.message || other.message;
    form.running = bothRunning(one, other);
    form.begun = sumIsBegun(one, other);
    form.agreed = one.agreed || other.agreed;
    form.others = one.others || other.others;
    form.data = one.data || other.data;
    form.gathered = gatheredOfSum(one, other, negative);
    form.before = one.before || other.before;
    form.parts = one.parts || other.parts;
    form.counted = form.each = false;
    form.from = bothFrom(one, other);
    form.every = bothEvery(one, other);
    if (one.cause.empty() || other.judged() > one.judged() ||
        (other.has(Form::Own) && !one.has(Form::Own))) {
        form.cause = other.cause;
        form.where = other.where;
    }
    nameNeighbour(form, one, other);
    return form;
}

Form scale(const Form &form, const std::string &text)
{
    if (!form.isAffine())
        return form.asValue();
    Form scaled = form;
    scaled.zero = false;
    for (std::string &one : scaled.by)
        one = times(one, text);
    return scaled;
}

/* COEFFICIENT without the factor TEXT; empty where it has none. */
static std::string without(const std::string &coefficient, const std::string &text)
{
    if (isNegative(coefficient))
        return negated(without(negated(coefficient), text));
    if (isUnknownFactor(coefficient))
        return unknown;
    if (coefficient == text)
        return "1";
    const std::string before = text + "*", behind = "*" + text;
    if (coefficient.compare(0, before.size(), before) == 0)
        return coefficient.substr(before.size());
    if (coefficient.size() > behind.size() &&
        coefficient.compare(coefficient.size() - behind.size(), behind.size(), behind) == 0)
        return coefficient.substr(0, coefficient.size() - behind.size());
    return "";
}

Form divide(const Form &form, const std::string &text, bool integer)
{
    if (!form.isPlain() || !form.isAffine() || isRow(form) || text == "1")
        return integer || !form.isAffine() ? form.asValue() : form;
    Form part = form;
    for (std::string &one : part.by) {
        if (one.empty())
            continue;
        std::string rest = without(one, text);
        if (rest.empty() && integer)
            return form.asValue();
        one = rest.empty() ? times(one, "1/" + text) : rest;
    }
    return part;
}

Form remainder(const Form &form, const std::string &text)
{
    bool whole = form.isPlain() && form.isAffine();
    for (const std::string &one : form.by)
        whole = whole && !isUnknownFactor(one) && (one.empty() || !without(one, text).empty());
    if (whole)
        return Form::of(Form::Kind::Row, form.cause, form.where);
    Form rest = form.asValue();
    setTurns(rest, form, text);
    if (rest.kind == Form::Kind::Row && isNumber(text) && form.by[Form::Own] == "1")
        rest.every = std::stoi(text);
    if (isRow(form) && form.by[Form::Own] == "1" && !isNumber(text))
        rest.shift = "%"; /* the row, or one beside it, where the last one is beside the first */
    return rest;
}

/* At which ends of the domain BY, a difference, is 0; for a number that is not known: anywhere. */
static unsigned endsTold(const Form &by, bool literal)
{
    if (by.isOnlyOf(Form::Rank) || by.isOnlyOf(Form::First))
        return literal && by.by[by.has(Form::Rank) ? Form::Rank : Form::First] != unknown
                   ? Form::AtFirst
                   : Form::Verdict;
    const bool last =
        !by.has(Form::Own) && ((by.has(Form::Rank) && by.has(Form::Size)) ||
                               (by.has(Form::First) && by.by[Form::First] == by.by[Form::Count]));
    return last ? Form::AtLast : Form::Verdict;
}

/* A test of whether BY, the difference of what is compared, is 0, tells that a row is the one at
 * the edge of a block: at which, or none. */
static unsigned edgeTold(const Form &by, bool near)
{
    if (!by.has(Form::Own) || by.has(Form::First) || by.has(Form::Rank) || by.has(Form::Size) ||
        isUnknownFactor(by.by[Form::Own]))
        return 0;
    if (by.has(Form::Count)) /* as many rows in front of it as there are, and no part of them */
        return by.by[Form::Count] == negated(by.by[Form::Own]) ? Form::AtLast : 0;
    return near ? Form::AtFirst : 0;
}

Form compare(const Form &one, const Form &other, bool literal)
{
    const Form by = add(one, other, true);
    if (by.kind == Form::Kind::Edge && !by.isAffine()) { /* of a row at the edge */
        Form form = Form::of(Form::Kind::Block, by.cause, by.where);
        form.gathered = by.message ? 0 : Form::AtEdge;
        return form;
    }
    if (!by.isPlain() || !by.isAffine()) {
        Form form = by.asTest();
        form.every = by.every;
        if (form.kind == Form::Kind::Block)
            form.gathered = by.gathered;
        return form;
    }
    if (by.isOfPiece() || by.judged() == Form::Kind::Row)
        return by.asValue();
    if (by.isOnlyOf(Form::Count) || by.isOnlyOf(Form::Size)) {
        Form form = by.asValue();
        form.any =
            by.has(Form::Count) && (literal || (one.has(Form::First) && other.has(Form::First)));
        form.kind = form.any ? Form::Kind::Block : form.kind; /* whether there are any */
        form.gathered = form.any ? Form::Any : 0;
        return form;
    }
    if (const unsigned at =
            edgeTold(by, literal || one.has(Form::First) || other.has(Form::First))) {
        Form form = Form::of(Form::Kind::Edge, by.cause, by.where);
        form.ends = at;
        return form;
    }
    return by.has(Form::Own) ? by.asValue()
                             : Form::ofEnds(endsTold(by, literal), by.cause, by.where);
}

} // namespace xmpi
