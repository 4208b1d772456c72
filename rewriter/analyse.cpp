/* SPDX-License-Identifier: BSD-3-Clause
 * Runs the passes of the analysis, and what they share. */
#include "analyse.h"
#include "analysis.h"
#include "compat.h"
#include "rows/elements.h"
#include "library/exits.h"
#include "infer/infer.h"
#include "infer/infer_tables.h"
#include "flow/other_files.h"
#include "check/kept_around.h"
#include "handles/process_handles.h"
#include "check/repeat.h"
#include "flow/root_only.h"
#include "loop/sections.h"
#include "report/row_file_advice.h"
#include <clang/Analysis/Analyses/LiveVariables.h>
#include <clang/Analysis/CFG.h>
#include <climits>

namespace xmpi
{

using namespace clang;

Registrations &Analysis::site(Site::Kind kind, unsigned offset)
{
    for (Site &site : program.sites)
        if (site.kind == kind && site.offset == offset)
            return site.what;
    program.sites.push_back({kind, offset, {}});
    return program.sites.back().what;
}

Registrations &Analysis::entry(size_t step)
{
    if (step + 1 == path.size())
        return program.loop.before;
    return site(Site::Kind::Before, source.statement(path[step].anchor).begin);
}

bool Analysis::runsAgain(size_t step, const Stmt *statement) const
{
    for (size_t outer = 0; outer < step; outer++)
        if (structure.loopAround(path[outer].anchor) != nullptr)
            return true;
    return structure.loopAround(statement) != nullptr;
}

void Analysis::addRefresh(Registrations &registrations, RangeKind kind, const std::string &lvalue,
                          SourceLocation where)
{
    for (const Refresh &refresh : registrations.refreshes)
        if (refresh.lvalue == lvalue)
            return;
    registrations.refreshes.push_back({kind, lvalue, source.offset(where)});
}

std::string Analysis::textOf(const Place &place, size_t step) const
{
    return textOf(place, path[step].function, path[step].anchor);
}

std::string Analysis::textOf(const Place &place, const FunctionDecl *function, const Stmt *at) const
{
    if (!members.contains(place.base))
        return place.text();
    std::string text = structure.textOf(place.base, function, at);
    if (text.empty())
        return "";
    if (place.field == nullptr)
        return place.behind ? "*" + text : text;
    return (text[0] == '*' ? "(" + text + ")" : text) + (place.behind ? "->" : ".") +
           place.field->getNameAsString();
}

std::vector<size_t> Analysis::holders(const VarDecl *variable) const
{
    std::vector<size_t> steps;
    for (size_t step = path.size(); step-- > 0;) {
        bool copy = false;
        if (structure.textOf(variable, path[step].function, path[step].anchor, &copy).empty())
            continue;
        steps.push_back(step);
        if (!copy)
            break;
    }
    return steps;
}

static void addOne(Analysis &analysis, Registrations &registrations, const Place &place,
                   const std::string &lvalue)
{
    for (const Live &live : registrations.lives)
        if (live.lvalue == lvalue)
            return;
    SourceLocation declared = place.base->getLocation();
    std::string name = analysis.source.position(declared) + ":" + place.text();
    analysis.liveVariables[name] = place.base;
    analysis.livePlaces[name] = place;
    registrations.lives.push_back({name, lvalue, analysis.source.offset(declared),
                                   place.type.isVolatileQualified(),
                                   elementsOf(analysis.context, place.type)});
}

void Analysis::addLive(Registrations &registrations, const Place &place, const std::string &lvalue)
{
    bool partly = false;
    for (const RangeVariable &range : ranges)
        partly = partly || (range.place.field != nullptr && overlap(range.place, place));
    for (const Place &assigned : setup)
        partly = partly || (assigned.field != nullptr && overlap(assigned, place));
    partly = partly || !isPlainValue(place.type) || members.holds(place.base);
    const RecordDecl *record = place.type->getAsRecordDecl();
    if (!partly || place.field != nullptr || record == nullptr)
        return addOne(*this, registrations, place, lvalue.empty() ? place.text() : lvalue);
    for (const FieldDecl *field : record->fields()) {
        Place member = place;
        member.field = field;
        member.type = field->getType();
        if (rangeAt(member) != nullptr || isSetup(member) || !isPlainValue(member.type) ||
            members.replaces(place.base, field))
            continue;
        if (field->isBitField())
            diagnostics.report(field->getLocation(), Problem::BitField, {field->getName()});
        else
            addOne(*this, registrations, member,
                   lvalue.empty() ? member.text() : lvalue + "." + field->getNameAsString());
    }
}

const RangeVariable *Analysis::rangeAt(const Place &place) const
{
    for (const RangeVariable &range : ranges)
        if (overlap(range.place, place) && range.place.field == place.field &&
            range.place.behind == place.behind)
            return &range;
    return nullptr;
}

bool Analysis::hasCountAlone() const
{
    bool count = false, first = false;
    for (const RangeVariable &range : ranges) {
        count = count || range.kind == RangeKind::Count;
        first = first || range.kind == RangeKind::Displ || range.kind == RangeKind::Begin;
    }
    return count && !first;
}

const Stmt *bodyOf(const Stmt *loop)
{
    if (const auto *counted = dyn_cast<ForStmt>(loop))
        return counted->getBody();
    if (const auto *whole = dyn_cast<WhileStmt>(loop))
        return whole->getBody();
    return cast<DoStmt>(loop)->getBody();
}

const Expr *conditionBefore(const Stmt *loop)
{
    if (const auto *counted = dyn_cast<ForStmt>(loop))
        return counted->getCond();
    if (const auto *whole = dyn_cast<WhileStmt>(loop))
        return whole->getCond();
    return nullptr;
}

/* (An array is const where its elements are.) */
static QualType constTypeOf(const VarDecl *variable)
{
    QualType type = variable->getType();
    return type->isArrayType() ? variable->getASTContext().getBaseElementType(type) : type;
}

static unsigned constWordOf(const Analysis &analysis, const VarDecl *variable)
{
    if (!variable->hasLocalStorage() || variable->getLocation().isMacroID() ||
        variable->getBeginLoc().isMacroID() || !constTypeOf(variable).isLocalConstQualified())
        return UINT_MAX;
    return analysis.source.constWord(analysis.source.offset(variable->getBeginLoc()),
                                     analysis.source.offset(variable->getLocation()));
}

bool canBeWritten(const Analysis &analysis, const VarDecl *variable)
{
    return !constTypeOf(variable).isConstQualified() || constWordOf(analysis, variable) != UINT_MAX;
}

void makeWritable(Analysis &analysis, const VarDecl *variable)
{
    if (constTypeOf(variable).isConstQualified())
        analysis.program.writable.insert(constWordOf(analysis, variable));
}

bool Analysis::isLiveArray(const VarDecl *variable) const
{
    return variable->getType()->isArrayType() && llvm::any_of(liveVariables, [&](const auto &live) {
               return live.second->getCanonicalDecl() == variable->getCanonicalDecl();
           });
}

bool Analysis::isData(const VarDecl *variable) const
{
    return data.count(variable->getCanonicalDecl()) != 0;
}

std::set<const VarDecl *> Analysis::distributed() const
{
    std::set<std::string> names;
    auto add = [&](const Registrations &what) {
        for (const Data &data : what.data)
            if (data.scheme != Scheme::Replicated)
                names.insert(data.name);
    };
    for (const Site &site : program.sites)
        add(site.what);
    add(program.loop.before);
    std::set<const VarDecl *> variables;
    for (const auto &[variable, name] : data)
        if (names.count(name))
            variables.insert(variable);
    return variables;
}

bool Analysis::isSetup(const Place &place) const
{
    return llvm::any_of(setup, [&](const Place &assigned) {
        return overlap(assigned, place) && (assigned.field == nullptr || place.field != nullptr);
    });
}

/* The value of VARIABLE on entry to the loop's condition is read before it is assigned again. */
bool Analysis::liveAtLoop(const VarDecl *variable)
{
    AnalysisDeclContext *flow = contexts.getContext(loopStep().function);
    flow->getCFGBuildOptions().setAllAlwaysAdd(); /* liveness looks at every name */
    CFG *graph = flow->getCFG();
    auto *liveness = graph ? flow->getAnalysis<LiveVariables>() : nullptr;
    if (liveness == nullptr)
        return true;
    for (const CFGBlock *block : *graph)
        if (block->getLoopTarget() == loop) /* leads back to the condition */
            return block->pred_empty() || liveness->isLive(block, variable);
    return true;
}

static const Mention *mentioned(const Effects &effects, const Place &place)
{
    for (const Mention &mention : effects.mentions)
        if (overlap(mention.place, place))
            return &mention;
    return nullptr;
}

bool Analysis::hasEnded(const VarDecl *variable) const
{
    if (!variable->isLocalVarDecl() || variable->isStaticLocal())
        return false;
    return llvm::any_of(path, [&](const Step &step) {
        return variable->getDeclContext() == step.function && !members.contains(variable) &&
               !structure.alive(variable, step.function, step.anchor);
    });
}

std::string Analysis::laterUse(const Place &place, SourceLocation &where)
{
    if (hasEnded(place.base))
        return "";
    bool local = place.base->isLocalVarDeclOrParm() && !place.base->isStaticLocal();
    bool own = place.base->getDeclContext() == loopStep().function;
    bool dead = local && own && place.field == nullptr && !members.contains(place.base) &&
                !liveAtLoop(place.base); /* of members clang knows nothing */
    if (const Mention *mention = dead ? nullptr : mentioned(inLoop, place)) {
        where = mention->where;
        return "in the loop";
    }
    for (size_t step = path.size(); step-- > 0;) {
        if (dead && step + 1 == path.size())
            continue;
        const Mention *mention = mentioned(after[step], place);
        if (mention != nullptr && !(mention->assigned && place.field == nullptr)) {
            where = mention->where;
            return "after the loop";
        }
    }
    return useOfHandedOn(place, where);
}

/* The same of the parameter that a function nearer to the loop has for a struct or an array. */
std::string Analysis::useOfHandedOn(const Place &place, SourceLocation &where)
{
    for (size_t step = 0; step + 1 < path.size(); step++) {
        const CallExpr *call = path[step].call;
        const FunctionDecl *next = path[step + 1].function;
        for (unsigned i = 0; i < call->getNumArgs() && i < next->getNumParams(); i++) {
            const Expr *bare = call->getArg(i)->IgnoreParenCasts();
            std::optional<Place> passed = placeGiven(bare);
            const ParmVarDecl *parameter = next->getParamDecl(i);
            bool pointer = parameter->getType()->isPointerType();
            QualType type = pointer ? parameter->getType()->getPointeeType() : parameter->getType();
            if (!passed || passed->field != nullptr || passed->element ||
                !(type->isRecordType() || passed->type->isArrayType()) ||
                passed->base->getCanonicalDecl() != place.base->getCanonicalDecl())
                continue;
            std::string use =
                laterUse({parameter, place.field, pointer, place.element, place.type}, where);
            if (!use.empty())
                return use;
        }
    }
    return "";
}

static llvm::StringRef typedefName(QualType type)
{
    const auto *name = type->getAs<TypedefType>();
    return name != nullptr ? name->getDecl()->getName() : llvm::StringRef();
}

static QualType elementOf(QualType type)
{
    while (const auto *array = dyn_cast<ConstantArrayType>(type.getTypePtr()))
        type = array->getElementType();
    return type;
}

bool isHandle(QualType type)
{
    llvm::StringRef name = typedefName(elementOf(type));
    return startsWith(name, "MPI_") && name != "MPI_Aint" && name != "MPI_Offset" &&
           name != "MPI_Count" && name != "MPI_Fint";
}

bool isScratchHandle(QualType type)
{
    llvm::StringRef name = typedefName(elementOf(type));
    return name == "MPI_Status" || name == "MPI_Request";
}

bool isPlainValue(QualType type)
{
    if (isHandle(type) || type->isAtomicType())
        return false;
    if (type->isArithmeticType() || type->isEnumeralType())
        return true;
    if (const auto *array = dyn_cast<ConstantArrayType>(type.getCanonicalType().getTypePtr()))
        return isPlainValue(array->getElementType());
    const RecordDecl *record = type->getAsRecordDecl();
    if (record == nullptr || record->getDefinition() == nullptr)
        return false;
    return llvm::all_of(record->getDefinition()->fields(),
                        [&](const FieldDecl *field) { return isPlainValue(field->getType()); });
}

bool staysBehind(QualType type)
{
    type = type.getCanonicalType();
    if (const auto *array = dyn_cast<ArrayType>(type))
        return staysBehind(array->getElementType());
    if (const RecordDecl *record = type->getAsRecordDecl()) {
        record = record->getDefinition();
        if (record == nullptr || record->isUnion())
            return !isPlainValue(type);
        return llvm::any_of(record->fields(),
                            [](const FieldDecl *field) { return staysBehind(field->getType()); });
    }
    return type->isVectorType() || type->isAtomicType() || type->isFunctionPointerType();
}

/* The effects of the loop and of what follows each step, for all questions about later use. */
static void collectLater(Analysis &analysis)
{
    auto append = [&](Effects &sum, const Stmt *statement) {
        Effects part = analysis.finder.withCallees(statement);
        sum.mentions.insert(sum.mentions.end(), part.mentions.begin(), part.mentions.end());
        sum.writes.insert(sum.writes.end(), part.writes.begin(), part.writes.end());
        sum.calls.insert(sum.calls.end(), part.calls.begin(), part.calls.end());
        sum.functions.insert(sum.functions.end(), part.functions.begin(), part.functions.end());
    };
    append(analysis.inLoop, analysis.loop);
    for (const Step &step : analysis.path) {
        analysis.after.emplace_back();
        for (const Stmt *statement : analysis.structure.following(step.anchor))
            append(analysis.after.back(), statement);
    }
}

static bool hasCount(const Analysis &analysis)
{
    return llvm::any_of(analysis.ranges,
                        [](const RangeVariable &range) { return range.kind == RangeKind::Count; });
}

/* Such a program keeps its processes, but cannot have data divided. */
static bool reportNoRange(Analysis &analysis)
{
    for (const auto &pragma : analysis.pragmas.list)
        for (const ArrayOperand &array : pragma->arrays)
            if (array.scheme != Scheme::Replicated && !array.shape.empty())
                return analysis.diagnostics.report(array.variable.where, Problem::DataRange,
                                                   {array.variable.text});
    analysis.diagnostics.report(analysis.loop->getBeginLoc(), Problem::NoRange);
    return true;
}

/* What all that is asked of the loop goes by. */
static bool findGround(Analysis &analysis, Inference &inference)
{
    if (!findPath(analysis) || !checkPlaces(analysis) || !checkAround(analysis))
        return false;
    for (const Stmt *branch : branchesThatEnd(analysis.structure))
        analysis.finder.skipped.insert(branch);
    for (const Step &step : analysis.path)
        for (const Stmt *branch :
             branchesThatPass(analysis.structure, analysis.context, step.anchor))
            analysis.finder.skipped.insert(branch);
    collectPrologue(analysis);
    collectLater(analysis);
    if (!findRanges(analysis, inference))
        return false;
    analysis.survey = inference.survey.get();
    findRootOnly(analysis);
    return true;
}

StateFacts analyseState(Analysis &analysis, Inference &inference)
{
    analysis.startsOver = true;
    if (!findGround(analysis, inference) || !inference.division || !checkSupported(analysis) ||
        !findData(analysis, inference) || !describeLoop(analysis) || !findLive(analysis))
        return StateFacts::None;
    findRepeat(analysis, true);
    noteTables(analysis, inference);
    if (analysis.program.loop.repeats != Repeats::Shown || !checkProcessHandles(analysis) ||
        analysis.diagnostics.failed())
        return StateFacts::None;
    const bool shown = checkLayout(analysis) && !analysis.diagnostics.failed();
    return shown ? StateFacts::Shown : StateFacts::Repeats;
}

bool analyseLoop(Analysis &analysis)
{
    Inference inference;
    if (!findGround(analysis, inference) || !checkSupported(analysis) ||
        !findData(analysis, inference) || !checkExtents(analysis, inference) ||
        !inferClasses(analysis, inference) || !describeGuarded(analysis))
        return false;
    bool good = describeLoop(analysis);
    good = describeWeight(analysis) && good;
    good = findLive(analysis) && good;
    describePath(analysis);
    watchOtherFiles(analysis);
    noteReliance(analysis);
    good = good && checkSafety(analysis) && checkLayout(analysis) && checkProcessHandles(analysis);
    good = good && checkKeptAround(analysis);
    if (good && !analysis.framed) /* what is around the loop, and other loops, may change them */
        findConstants(analysis);
    const bool divided = inference.division || hasCount(analysis);
    analysis.program.loop.divided = divided;
    if (good && !divided)
        good = reportNoRange(analysis);
    if (good && !analysis.diagnostics.quiet) {
        markElements(analysis);
        findRepeat(analysis, divided);
        analysis.program.loop.sections = findSections(analysis);
    }
    return good && !analysis.diagnostics.failed();
}

/* Of a program with one loop. A sparse matrix is assembled again where that is shown to come to the
 * same, else it is moved. */
static bool analyseOnly(ASTContext &context, const FixedArrays &arrays,
                        const StructMembers &members, const Source &source, Pragmas &pragmas,
                        Diagnostics &diagnostics, Program &program, RowFiles &files)
{
    const bool prints = !diagnostics.holds();
    Program moved = program;
    diagnostics.hold();
    Analysis analysis(context, arrays, members, source, pragmas, diagnostics, program);
    bool good = analyseLoop(analysis);
    if (!good && analysis.assembles && !diagnostics.reason(Problem::LocalValue).empty()) {
        Diagnostics held(context.getDiagnostics());
        held.hold();
        Analysis again(context, arrays, members, source, pragmas, held, moved);
        again.movesSparse = true;
        good = analyseLoop(again);
        if (good) {
            program = moved;
            diagnostics.take(held);
        }
    }
    if (!good || !program.loop.divided)
        files = rowFilesFound(analysis);
    if (prints)
        diagnostics.release();
    return good;
}

bool analyse(ASTContext &context, const FixedArrays &arrays, const StructMembers &members,
             const Source &source, Pragmas &pragmas, Diagnostics &diagnostics,
             std::vector<Program> &programs, RowFiles &files)
{
    size_t loops = 0;
    for (const auto &pragma : pragmas.list)
        loops += pragma->directive == Directive::Loop;
    if (loops > 1)
        return analyseSeveral(context, arrays, members, source, pragmas, diagnostics, programs);
    programs.emplace_back();
    for (const auto &pragma : pragmas.list)
        if (!pragma->further)
            programs.back().pragmas.push_back(pragma->line);
    if (pragmas.list.empty())
        return true;
    return analyseOnly(context, arrays, members, source, pragmas, diagnostics, programs.back(),
                       files);
}

} // namespace xmpi
