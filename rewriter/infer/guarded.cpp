/* SPDX-License-Identifier: BSD-3-Clause
 * Describes the statements marked initial and setup: what they assign, and what becomes of it on
 * processes that skip them. */
#include "analysis.h"
#include "arrays/extents.h"
#include "check/safety.h"
#include "library/communicators.h"
#include "library/opened.h"
#include "compat.h"
#include "facts/first_use.h"
#include "joined/places.h"
#include "report/advice.h"
#include "source/within.h"
#include <algorithm>
#include <climits>

namespace xmpi
{

using namespace clang;

namespace
{

void addOnce(std::vector<std::string> &list, const std::string &text)
{
    if (!llvm::is_contained(list, text))
        list.push_back(text);
}

/* Types of the C library and of MPI, such as FILE, whose contents are nobody's data. */
bool isForeign(const Analysis &analysis, QualType pointee)
{
    const RecordDecl *record = pointee.isNull() ? nullptr : pointee->getAsRecordDecl();
    return record != nullptr &&
           analysis.context.getSourceManager().isInSystemHeader(record->getLocation());
}

/* Where the lines with pragmas (of OpenMP, say) that belong to the statement at BEGIN begin. */
unsigned withPragmas(llvm::StringRef text, unsigned begin)
{
    size_t line = text.rfind('\n', begin);
    while (line != llvm::StringRef::npos && line > 0) {
        size_t before = text.rfind('\n', line - 1);
        size_t start = before == llvm::StringRef::npos ? 0 : before + 1;
        llvm::StringRef own = text.slice(start, line).trim();
        bool continued = own.consume_back("\\");
        if (!continued && !(own.consume_front("#") && startsWith(own.ltrim(), "pragma")))
            break;
        if (!continued && startsWith(own.ltrim().drop_front(6).ltrim(), "xmpi"))
            break;
        if (own.trim().empty())
            break;
        line = before;
        if (!continued)
            begin = static_cast<unsigned>(start + text.substr(start).find('#'));
    }
    return begin;
}

/* One marked statement of the prologue. */
class Describer
{
  public:
    Describer(Analysis &analysis, const Item &item, size_t index)
        : analysis(analysis), item(item), step(analysis.path[item.step]), index(index)
    {
        guarded.setup = item.kind == Class::Setup;
        guarded.pragma = item.pragma->line;
        guarded.inferred = item.pragma->inferred;
        guarded.enters = item.pragma->enters;
        guarded.everywhere = item.everywhere;
        guarded.statement = analysis.source.statement(item.statement);
        if (guarded.inferred)
            guarded.statement.begin = withPragmas(analysis.source.text(), guarded.statement.begin);
    }

    bool describe()
    {
        if (!split() || (guarded.setup && !checkSetup()))
            return false;
        bool good = true;
        for (const Write &write : item.effects.writes)
            if (isOutside(write.place) && !isInMembers(write.place))
                good = (guarded.setup ? addSetup(write) : addInitial(write)) && good;
        reportLost();
        for (const auto &[statement, text] : analysis.tables)
            if (statement == item.statement)
                guarded.again.push_back(text);
        analysis.program.guarded.push_back(guarded);
        return good;
    }

  private:
    Analysis &analysis;
    const Item &item;
    const Step &step;
    size_t index;
    Guarded guarded;
    std::set<const VarDecl *> splitVariables;
    /* Pointers whose memory joining processes do not have, by where they are used and what is
     * advised. */
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> lost;

    bool lose(const Place &pointer, const std::string &use)
    {
        std::vector<std::string> &names = lost[{use, pointerAdvice(pointer)}];
        if (!llvm::is_contained(names, pointer.text()))
            names.push_back(pointer.text());
        return false;
    }

    void reportLost()
    {
        for (const auto &[how, names] : lost) {
            std::string text = names.size() > 1 ? "the pointers " : "the pointer ";
            for (size_t i = 0; i < names.size(); i++)
                text += (i == 0 ? "'" : i + 1 < names.size() ? ", '" : " and '") + names[i] + "'";
            refuse(item.statement->getBeginLoc(), Problem::InitialPointer,
                   {text + (names.size() > 1 ? " refer" : " refers"), how.first, how.second});
        }
    }

    bool refuse(SourceLocation where, Problem problem,
                std::initializer_list<llvm::StringRef> arguments)
    {
        return analysis.diagnostics.report(where, problem, arguments);
    }

    bool isOutside(const Place &place) const
    {
        const auto &declared = item.effects.declared;
        return splitVariables.count(place.base) != 0 || !llvm::is_contained(declared, place.base);
    }

    /* A struct whose members are written one by one. */
    bool isInMembers(const Place &place) const
    {
        return place.field == nullptr && !place.behind && analysis.members.replaces(place.base);
    }

    /* Why a declaration cannot become `T v; v = value;`, or null. */
    const char *obstacle(const VarDecl *variable) const
    {
        if (variable == nullptr || variable->getInit() == nullptr)
            return "it has a name without an initialiser";
        if (variable->getStorageClass() != SC_None)
            return "it has a storage class";
        if (!canBeWritten(analysis, variable))
            return "the variable is const";
        if (variable->getLocation().isMacroID())
            return "it comes from a macro";
        return nullptr;
    }

    static bool inBraces(const VarDecl *variable)
    {
        return isa<InitListExpr>(variable->getInit()->IgnoreImplicit());
    }

    /* The type of VARIABLE, also where it has no name. */
    static std::string typeOf(const VarDecl *variable)
    {
        std::string type = variable->getType().getUnqualifiedType().getAsString();
        return type.find('(') == std::string::npos
                   ? type
                   : "__typeof__(" + variable->getNameAsString() + ")";
    }

    bool split()
    {
        const auto *declaration = dyn_cast<DeclStmt>(item.statement);
        if (declaration == nullptr)
            return true;
        if (!declaration->isSingleDecl())
            return refuse(declaration->getBeginLoc(), Problem::SplitDeclaration,
                          {"its names and types are not plain text"});
        const auto *variable = dyn_cast<VarDecl>(declaration->getSingleDecl());
        const char *why = obstacle(variable);
        why = why ? why : describeSplit(variable);
        if (why != nullptr)
            return refuse(declaration->getBeginLoc(), Problem::SplitDeclaration, {why});
        splitVariables.insert(variable);
        makeWritable(analysis, variable);
        return true;
    }

    const char *describeSplit(const VarDecl *variable)
    {
        Split &split = guarded.split;
        split.needed = true;
        split.name = variable->getNameAsString();
        split.nameOffset = analysis.source.offset(variable->getLocation());
        unsigned nameEnd = split.nameOffset + static_cast<unsigned>(split.name.size());
        split.equal = analysis.source.equalSign(nameEnd);
        if (inBraces(variable)) /* { ... } as a value is a compound literal */
            split.literal = "(" + typeOf(variable) + ")";
        if (variable->getType()->isArrayType())
            describeCopy(variable, nameEnd);
        return split.equal == UINT_MAX ? "its '=' comes from a macro" : nullptr;
    }

    /* An array is not assigned, but copied. */
    void describeCopy(const VarDecl *variable, unsigned nameEnd)
    {
        Split &split = guarded.split;
        split.copied = true;
        split.literal = "(" + typeOf(variable) + ")" + (inBraces(variable) ? "" : "{");
        split.close = (inBraces(variable) ? "" : "}") + (", sizeof " + split.name) + ")";
        split.valueEnd = analysis.source.expression(variable->getInit()).end;
        const auto *array = cast<ConstantArrayType>(variable->getType()->castAsArrayTypeUnsafe());
        llvm::StringRef bounds = analysis.source.text({nameEnd, split.equal});
        size_t bracket = bounds.find(']');
        if (bracket != llvm::StringRef::npos && bounds.take_front(bracket).trim() == "[") {
            split.length = std::to_string(array->getSize().getZExtValue());
            split.bracket = nameEnd + static_cast<unsigned>(bracket);
        }
    }

    /* -- initial */

    bool addInitial(const Write &write)
    {
        const Place &place = write.place;
        if (analysis.rangeAt(place) != nullptr)
            return true;
        if (place.element)
            return addContents(place);
        if (place.type->isPointerType())
            return addPointer(place);
        if (isScratchHandle(place.type))
            return true;
        if (place.field == nullptr && analysis.files.count(place.base->getCanonicalDecl()) != 0) {
            if (reachable(place)) /* they get another file when they join */
                addOnce(guarded.cleared, textOf(place));
            return true;
        }
        if (isPlainValue(place.type))
            return addValue(place);
        if (leadsToData(place)) {
            if (reachable(place))
                addOnce(guarded.wiped, textOf(place));
            return true;
        }
        std::string use = usedLater(place);
        return use.empty() || refuse(write.where, Problem::InitialValue,
                                     {place.text(), place.type.getAsString(), use});
    }

    /* An array of pointers, each to registered rows: joiners get memory for all of them. */
    bool leadsToData(const Place &place) const
    {
        return place.field == nullptr && !place.behind && place.type->isConstantArrayType() &&
               analysis.context.getBaseElementType(place.type)->isPointerType() &&
               analysis.isData(place.base);
    }

    /* Joiners have no rows to which these pointers would lead, and get others. */
    void clearRowPointers(const Place &place)
    {
        const Place table = Place::of(place.base);
        const bool elsewhere = llvm::any_of(analysis.prologue, [&](const Item &other) {
            return other.kind != Class::Initial &&
                   llvm::any_of(other.effects.writes, [&](const Write &write) {
                       return write.place.element && write.place.type->isPointerType() &&
                              write.place.base == place.base;
                   });
        });
        if (place.type->isPointerType() && table.type->isPointerType() && place.field == nullptr &&
            !elsewhere && reachable(table))
            addOnce(guarded.cleared, textOf(table));
    }

    bool addContents(const Place &place)
    {
        if (analysis.isData(place.base))
            clearRowPointers(place);
        const bool rows = isOfData(analysis, place) && !analysis.several; /* else by other names */
        if (analysis.isData(place.base) || rows || isOfRoot(place) ||
            isForeign(analysis, place.type) ||
            isForeign(analysis, place.base->getType()->getPointeeType()) ||
            (step.function->isMain() && isa<ParmVarDecl>(place.base)))
            return true;
        if (!guarded.enters.empty() &&
            (analysis.isSetup(place) ||
             setsBeforeReading(analysis, place.base, place.field, false)))
            return true; /* the earlier loop had it for the same purpose */
        std::string use = usedLater(place);
        Place pointer = place;
        pointer.behind = place.behind && place.field != nullptr;
        return use.empty() || lose(pointer, use);
    }

    bool isOfRoot(const Place &place) const
    {
        return analysis.rootOnly.count(place.base->getCanonicalDecl()) != 0;
    }

    bool addPointer(const Place &place)
    {
        if (reachable(place))
            addOnce(guarded.cleared, textOf(place));
        if (place.field == nullptr && !place.behind &&
            (analysis.isData(place.base) || isOfRoot(place)))
            return true;
        std::string use = isHolder(place) ? "in the loop" : usedLater(place);
        return use.empty() || lose(place, use);
    }

    bool addValue(const Place &place)
    {
        if (place.behind && place.field == nullptr && analysis.isData(place.base))
            return true; /* a row, which moves with the others */
        if (!analysis.structure.alive(place.base, step.function, step.anchor))
            return true;
        if (!reachable(place)) {
            std::string use = usedLater(place);
            return use.empty() ||
                   refuse(item.statement->getBeginLoc(), Problem::Shadowed, {place.text()});
        }
        if (place.base->getStorageClass() == SC_Register)
            return refuse(place.base->getLocation(), Problem::RegisterVariable,
                          {place.base->getName()});
        analysis.addLive(guarded.after, place,
                         analysis.members.contains(place.base) ? textOf(place) : "");
        return true;
    }

    std::string textOf(const Place &place) const
    {
        return isSplitMember(place.base) ? place.text()
                                         : analysis.textOf(place, step.function, item.statement);
    }

    /* Whether the variable's name means the variable at the statement. */
    bool reachable(const Place &place) const
    {
        return splitVariables.count(place.base) != 0 || isSplitMember(place.base) ||
               analysis.structure.visible(place.base, step.function, item.statement);
    }

    /* Whether joiners would read what they have not got, before, in or after the loop. */
    std::string usedLater(const Place &place)
    {
        for (size_t i = index + 1; i < analysis.prologue.size(); i++) {
            if (analysis.prologue[i].kind == Class::Initial)
                continue;
            for (const Mention &mention : analysis.prologue[i].effects.mentions) {
                if (!overlap(mention.place, place))
                    continue;
                if (!mention.assigned)
                    return "in a later statement that joining processes run";
                break;
            }
        }
        SourceLocation where;
        return analysis.laterUse(place, where);
    }

    /* A member of a struct that the statement declares. */
    bool isSplitMember(const VarDecl *variable) const
    {
        return analysis.members.contains(variable) &&
               splitVariables.count(analysis.members.owner(variable)) != 0;
    }

    /* -- setup */

    bool checkSetup()
    {
        SourceLocation where = item.pragma->hash;
        if (step.call != nullptr) {
            refuse(where, Problem::SetupPlace,
                   {item.pragma->inferred ? "it follows the rows of the process, and is not in the "
                                            "function of the adaptive loop"
                                          : "it is not in the function of the adaptive loop"});
            noteRows();
            return false;
        }
        if (!analysis.structure.encloses(analysis.structure.parent(item.statement), step.anchor))
            return refuse(where, Problem::SetupPlace, {"its block ends before the loop"});
        if (guarded.statement.end > analysis.source.offset(step.anchor->getBeginLoc()))
            return refuse(where, Problem::SetupPlace, {"it is not before the loop"});
        return checkCopy(item.statement) && checkHidden();
    }

    /* ARRAY is there at the loop, and is no table, as of where blocks begin: whole numbers that the
     * loop, under whatever name, leaves as they are. */
    bool mayHaveRows(const VarDecl *array) const
    {
        const QualType element = array->getType()->getPointeeType();
        const bool alive = array->getType()->isPointerType() &&
                           analysis.structure.alive(array, step.function, step.anchor);
        return alive && (!element->isIntegerType() ||
                         llvm::any_of(analysis.inLoop.writes, [&](const Write &write) {
                             return write.place.element && analysis.context.hasSameUnqualifiedType(
                                                               write.place.type, element);
                         }));
    }

    /* Elsewhere arrays are moved, if they are known to hold rows. */
    void noteRows()
    {
        SourceLocation where;
        std::string clauses;
        for (const Write &write : item.effects.writes) {
            const bool made = isAllocation(write.value) && !write.place.element;
            const std::string name = write.place.base->getNameAsString();
            if ((!made && !(write.place.element && isOutside(write.place))) ||
                write.place.field != nullptr || analysis.isData(write.place.base) ||
                !mayHaveRows(write.place.base) ||
                clauses.find(" distributed(" + name + "[") != std::string::npos)
                continue;
            where = clauses.empty() ? write.where : where;
            clauses += " distributed(" + name + "[rows])";
        }
        if (!clauses.empty())
            analysis.diagnostics.note(where, "where such arrays hold the rows of the process, "
                                             "write '#pragma xmpi data" +
                                                 clauses +
                                                 "' before the call that leads to the loop, with "
                                                 "the number of all rows" +
                                                 inOneFile(where));
    }

    /* A pragma without a loop in its file is an error. */
    std::string inOneFile(SourceLocation where) const
    {
        const std::string file =
            otherFile(analysis.context.getSourceManager(), where, analysis.loop->getBeginLoc());
        return file.empty()
                   ? ""
                   : ", and put '" + analysis.path.back().function->getNameAsString() + "' into " +
                         file + ", too, as a data pragma and its loop are in one file";
    }

    /* A copy in the same function may have no second label and no second static variable. */
    bool checkCopy(const Stmt *statement)
    {
        if (isa<LabelStmt>(statement))
            return refuse(statement->getBeginLoc(), Problem::SetupLabel, {"a label"});
        for (const VarDecl *variable : declaredBy(statement))
            if (variable->isStaticLocal())
                return refuse(variable->getLocation(), Problem::SetupLabel, {"a static variable"});
        return llvm::all_of(partsIn(statement),
                            [&](const Stmt *child) { return checkCopy(child); });
    }

    /* The variable that NAME means at the copy, first in the loop's body. */
    const VarDecl *lookupInLoop(llvm::StringRef name) const
    {
        const Stmt *body = bodyOf(analysis.loop);
        return analysis.structure.lookup(name, step.function, body);
    }

    bool checkHidden()
    {
        for (const Mention &mention : item.effects.mentions) {
            const VarDecl *variable = mention.place.base;
            bool direct = analysis.source.inMain(mention.where) &&
                          analysis.source.offset(mention.where) >= guarded.statement.begin &&
                          analysis.source.offset(mention.where) < guarded.statement.end;
            const VarDecl *seen = lookupInLoop(variable->getName());
            if (direct && isOutside(mention.place) && seen != nullptr &&
                seen->getCanonicalDecl() != variable->getCanonicalDecl())
                return refuse(mention.where, Problem::SetupHidden, {variable->getName()});
        }
        for (const VarDecl *variable : item.effects.declared) {
            const VarDecl *seen = lookupInLoop(variable->getName());
            bool hides = seen != nullptr && splitVariables.count(variable) == 0;
            const VarDecl *hidden =
                analysis.structure.lookup(variable->getName(), step.function, item.statement);
            guarded.shadows = guarded.shadows || (hides && hidden != seen);
        }
        return true;
    }

    /* It leads to a struct in allocated memory whose members are told where they are. */
    bool isHolder(const Place &place) const
    {
        return place.field == nullptr && !place.behind && !place.element &&
               analysis.members.isPointer(place.base) &&
               analysis.structure.visible(place.base, analysis.loopStep().function,
                                          analysis.loopStep().anchor);
    }

    bool addSetup(const Write &write)
    {
        const Place &place = write.place;
        if (reachable(place))
            addFiles(write);
        if (!reachable(place) || place.element)
            return true;
        if (isHolder(place))
            return lose(place, "in the loop");
        addExtent(place);
        if (analysis.rangeAt(place) == nullptr)
            analysis.setup.push_back(place);
        else if (place.type->isPointerType())
            return true;
        if (const Released::How how = lettingGoOf(analysis, write); how != Released::How::Not)
            addReleased(place, how);
        if (duplicatesWorld(analysis, write.call) || copiesDuplicate(analysis, write)) {
            addOnce(guarded.worlds, textOf(place));
        } else if (place.type->isPointerType()) {
            addOnce(guarded.cleared, textOf(place));
            if (isAllocation(write.value) && !isFreed(place))
                addReleased(place, Released::How::Memory);
            else if (isAllocation(write.value) && !write.conditions.empty())
                addOnce(analysis.program.loop.again, textOf(place) + " = 0;");
        } else if (place.field == nullptr && !place.behind && isUnset(place.base)) {
            addOnce(place.type->isScalarType() ? guarded.cleared : guarded.wiped, textOf(place));
        } else if (place.field != nullptr && !place.behind && isUnset(place.base)) {
            addOnce(guarded.wiped, place.base->getNameAsString());
        }
        return true;
    }

    /* (Which element of an array it is need not be known: all are looked at, and those that are
     * open are closed.) */
    void addFiles(const Write &write)
    {
        Place place = write.place;
        place.element = false;
        for (const std::string &index : filesOfMpi(analysis, write))
            addOnce(analysis.program.loop.reopened, textOf(place) + index);
    }

    void addReleased(const Place &place, Released::How how)
    {
        const std::string text = textOf(place);
        if (llvm::none_of(guarded.released,
                          [&](const Released &one) { return one.lvalue == text; }))
            guarded.released.push_back({text, how});
    }

    /* Joining processes register the arrays before they run it for the first time. */
    void addExtent(const Place &place)
    {
        const RecordDecl *record = place.type->getAsRecordDecl();
        if (record != nullptr && record->getDefinition() != nullptr && place.field == nullptr)
            for (const FieldDecl *field : record->getDefinition()->fields())
                addExtent({place.base, field, place.behind, false, field->getType()});
        else if (!item.everywhere && analysis.rangeAt(place) == nullptr &&
                 isPlainValue(place.type) && standsInExtent(analysis.program, textOf(place)))
            analysis.addLive(guarded.after, place, textOf(place));
    }

    /* Without a value when the statement is skipped: compilers would warn, rightly. */
    bool isUnset(const VarDecl *variable) const
    {
        if (splitVariables.count(variable) != 0 || isSplitMember(variable))
            return true;
        if (analysis.members.contains(variable) && analysis.members.owner(variable) != nullptr)
            return isUnset(analysis.members.owner(variable));
        if (!variable->hasLocalStorage() || isa<ParmVarDecl>(variable) || variable->getInit())
            return false;
        for (size_t i = 0; i < index; i++)
            for (const Write &write : analysis.prologue[i].effects.writes)
                if (write.place.base == variable)
                    return false;
        return true;
    }

    static bool isAllocation(const Expr *value)
    {
        return callsOneOf(value, {"malloc", "calloc", "realloc"});
    }

    /* Here or by a later statement: it is not there any more when the loop begins. */
    bool isFreed(const Place &place) const
    {
        auto frees = [&](const CallExpr *call) {
            std::optional<Place> freed = calleeName(call) == "free" && call->getNumArgs() == 1
                                             ? placeOf(call->getArg(0))
                                             : std::nullopt;
            return freed && overlap(*freed, place);
        };
        return std::any_of(
            analysis.prologue.begin() + static_cast<ptrdiff_t>(index), analysis.prologue.end(),
            [&](const Item &later) { return llvm::any_of(later.effects.calls, frees); });
    }
};

} // namespace

bool describeGuarded(Analysis &analysis)
{
    bool good = true;
    for (Class kind : {Class::Setup, Class::Initial})
        for (size_t i = 0; i < analysis.prologue.size(); i++)
            if (analysis.prologue[i].kind == kind)
                good = Describer(analysis, analysis.prologue[i], i).describe() && good;
    llvm::sort(analysis.program.guarded, [](const Guarded &one, const Guarded &other) {
        return one.statement.begin < other.statement.begin;
    });
    return good;
}

} // namespace xmpi
