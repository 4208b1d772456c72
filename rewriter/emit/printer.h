/* SPDX-License-Identifier: BSD-3-Clause
 * The user's text with further text in it: within a line, or as lines of its own. */
#ifndef XMPI_REWRITER_PRINTER_H
#define XMPI_REWRITER_PRINTER_H

#include <llvm/ADT/StringRef.h>
#include <string>
#include <vector>

namespace xmpi
{

class Printer
{
  public:
    /* TEXT is the user's; UNIT is one level of indentation. */
    Printer(llvm::StringRef text, std::string unit);

    /* The user's text up to OFFSET, its lines indented by the levels of shift(). */
    void copyTo(unsigned offset);
    /* Leaves out the user's text up to OFFSET. */
    void skipTo(unsigned offset);
    /* From here on the user's lines are indented by LEVELS more. */
    void shift(int levels);
    /* Text in the line. */
    void insert(llvm::StringRef added);
    /* Lines of their own, behind INDENT (more by what is shifted). What is left of the user's line
     * follows on one of its own; but a comment stays behind what it follows. */
    void addLines(const std::vector<std::string> &lines, const std::string &indent);
    /* ` {` behind the last word, or on a line of its own where that would be in a comment. */
    void openBrace(const std::string &indent, unsigned lastToken);
    /* A blank line, unless there is one or a block begins. */
    void blankLine();

    std::string take();

  private:
    llvm::StringRef text;
    std::string unit, out;
    unsigned position = 0;
    int level = 0;
    bool fresh = true;      /* nothing stands in the line of OUT, and */
    bool generated = false; /* what has been written last are lines of ours */
    std::string resume;     /* this is before what is left of the user's line */

    bool atLineStart() const;
    bool isContinued() const;
    llvm::StringRef currentLine() const;
    std::string shifted(const std::string &indent) const;
    void finishLine(const std::string &indent);
};

/* Generated statements, each on a line of its own, blocks indented by UNIT. */
std::vector<std::string> inLines(llvm::StringRef statements, const std::string &unit);

} // namespace xmpi
#endif
