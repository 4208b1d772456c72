/* SPDX-License-Identifier: BSD-3-Clause
 * Collects what is to be said, by clang and by us, in clang's style. */
#ifndef XMPI_REWRITER_PRINTER_H
#define XMPI_REWRITER_PRINTER_H

#include "pragmas/pragma.h"
#include "report/report.h"
#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/Support/raw_ostream.h>

namespace xmpi
{

/* Prints diagnostics like clang's, but keeps back what clang says about the text of a pragma: that
 * is among the complaints of PRAGMAS, which must outlive the printer. */
class Printer : public clang::DiagnosticConsumer
{
  public:
    explicit Printer(Pragmas &pragmas);

    void BeginSourceFile(const clang::LangOptions &language,
                         const clang::Preprocessor *preprocessor) override;
    void EndSourceFile() override;
    void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                          const clang::Diagnostic &info) override;

    std::vector<Complaint> complaints; /* what is to be printed */
    std::vector<size_t> inner;         /* where bodies of functions within functions begin */

    /* What was said, and how much it was, as clang tells it. */
    std::string summary() const;

    /* The first thing that the parser itself says is wrong in the text; null: there is none. */
    const Complaint *objection() const;

  private:
    Pragmas &pragmas;
    llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> options;
    std::string said;
    llvm::raw_string_ostream stream{said};
    std::unique_ptr<clang::TextDiagnosticPrinter> printer;
    bool keptBack = false;

    void adviseOn(const clang::Diagnostic &info);
    void record(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info);
    bool concernsPragma(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) const;
};

} // namespace xmpi
#endif
