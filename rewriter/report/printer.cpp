/* SPDX-License-Identifier: BSD-3-Clause
 * Collects what is to be said, by clang and by us, in clang's style. */
#include "report/printer.h"
#include "compat.h"
#include <clang/Basic/DiagnosticParse.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

namespace xmpi
{

Printer::Printer(Pragmas &pragmas) : pragmas(pragmas), options(new clang::DiagnosticOptions)
{
    options->ShowPresumedLoc = true;
    options->ShowColors = llvm::errs().is_displayed() && llvm::errs().has_colors();
    stream.enable_colors(options->ShowColors);
    printer = std::make_unique<clang::TextDiagnosticPrinter>(stream, options.get());
}

void Printer::BeginSourceFile(const clang::LangOptions &language,
                              const clang::Preprocessor *preprocessor)
{
    printer->BeginSourceFile(language, preprocessor);
}

void Printer::EndSourceFile()
{
    printer->EndSourceFile();
}

void Printer::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info)
{
    if (level == clang::DiagnosticsEngine::Note && keptBack)
        return;
    keptBack = concernsPragma(level, info);
    if (!keptBack) {
        record(level, info);
        DiagnosticConsumer::HandleDiagnostic(level, info); /* counts */
        printer->HandleDiagnostic(level, info);
        return adviseOn(info);
    }
    llvm::SmallString<128> text;
    info.FormatDiagnostic(text);
    pragmas.complaints.push_back(
        {info.getLocation(), text.str().str(), saysUndeclared(info.getID())});
}

std::string Printer::summary() const
{
    auto many = [](unsigned count, const char *what) {
        return std::to_string(count) + " " + what + (count > 1 ? "s" : "");
    };
    const unsigned warnings = getNumWarnings(), errors = getNumErrors();
    return said + (warnings > 0 ? many(warnings, "warning") : "") +
           (warnings > 0 && errors > 0 ? " and " : "") + (errors > 0 ? many(errors, "error") : "") +
           (warnings > 0 || errors > 0 ? " generated.\n" : "");
}

static Position positionOf(const clang::SourceManager &manager, clang::SourceLocation where)
{
    clang::PresumedLoc place = manager.getPresumedLoc(manager.getFileLoc(where));
    if (place.isInvalid())
        return {};
    return {place.getFilename(), place.getLine(), place.getColumn()};
}

static Correction correctionOf(const clang::SourceManager &manager, const clang::FixItHint &fix)
{
    clang::CharSourceRange range =
        clang::Lexer::getAsCharRange(fix.RemoveRange, manager, clang::LangOptions());
    return {positionOf(manager, range.getBegin()), positionOf(manager, range.getEnd()),
            fix.CodeToInsert};
}

/* What gcc takes, and the parser knows nothing of. */
void Printer::adviseOn(const clang::Diagnostic &info)
{
    if (info.getID() != clang::diag::err_function_definition_not_allowed)
        return;
    const clang::SourceManager &manager = info.getSourceManager();
    if (manager.isWrittenInMainFile(info.getLocation()))
        inner.push_back(manager.getFileOffset(info.getLocation()));
    Position where = positionOf(manager, info.getLocation());
    stream << where.file << ":" << where.line << ":" << where.column
           << ": note: xmpicc does not know functions within functions: move it out, or "
              "the adaptive loop to a file without\n";
}

void Printer::record(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info)
{
    static const char *const levels[] = {"", "note", "remark", "warning", "error", "error"};
    if (levels[level][0] == '\0')
        return;
    llvm::SmallString<128> formatted;
    info.FormatDiagnostic(formatted);
    Complaint complaint;
    complaint.severity = levels[level];
    auto [text, name] = llvm::StringRef(formatted).rsplit(" [xmpi-");
    complaint.text = text.str();
    if (!name.empty())
        complaint.name = "xmpi-" + name.drop_back().str();
    if (info.getLocation().isValid() && info.hasSourceManager()) {
        complaint.where = positionOf(info.getSourceManager(), info.getLocation());
        for (const clang::FixItHint &fix : info.getFixItHints())
            complaint.fixes.push_back(correctionOf(info.getSourceManager(), fix));
    }
    complaints.push_back(complaint);
}

bool Printer::concernsPragma(clang::DiagnosticsEngine::Level level,
                             const clang::Diagnostic &info) const
{
    if (level < clang::DiagnosticsEngine::Error || info.getLocation().isInvalid() ||
        !info.hasSourceManager() || info.getID() >= clang::diag::DIAG_UPPER_LIMIT)
        return false;
    const clang::SourceManager &manager = info.getSourceManager();
    clang::SourceLocation where = manager.getExpansionLoc(info.getLocation());
    return manager.getFileID(where) == manager.getMainFileID() &&
           pragmas.covering(manager.getFileOffset(where)) != nullptr;
}

const Complaint *Printer::objection() const
{
    const auto found = llvm::find_if(complaints, [](const Complaint &one) {
        return one.severity == "error" && one.name.empty() && one.where.line > 0;
    });
    return found != complaints.end() ? &*found : nullptr;
}

} // namespace xmpi
