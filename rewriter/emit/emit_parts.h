/* SPDX-License-Identifier: BSD-3-Clause
 * The statements that are written into a program, without their places: what both layouts of the
 * rewritten text, the exact one and the readable one, have in common. */
#ifndef XMPI_REWRITER_EMIT_PARTS_H
#define XMPI_REWRITER_EMIT_PARTS_H

#include "program.h"
#include "source/source.h"
#include <string>
#include <vector>

namespace xmpi
{

/* LVALUE where an operand of & is wanted. */
std::string operand(const std::string &lvalue);

/* An integer expression as what the runtime takes. */
std::string extent(const std::string &text);

std::string sizeOf(const std::string &lvalue);

/* The parts that are not empty, with blanks between. */
std::string join(const std::vector<std::string> &parts);

std::string calls(const Registrations &what);

/* How who is called to a later loop leaves LOOP; empty: it cannot be. */
std::string elsewhere(const std::string &loop, const std::string &leave);

/* `if (...) {` of a guarded statement, without the brace. */
std::string guardHead(const Guarded &guarded);

/* What a joiner has in the place of a guarded statement: CLEARED variables are 0. */
std::string skipped(const Guarded &guarded, const std::vector<std::string> &cleared);

/* What a setup statement has got is let go of before it is run again, and the variable cleared. */
std::string released(const Released &one, bool clears);

/* What copies the value of an array's initialiser, up to the value. */
std::string copyHead(const Split &split);

/* The type of all names of a declaration that is divided. */
std::string typeBefore(const Source &source, const std::vector<Program> &programs,
                       const Declarators &declarators);

/* Before the loop, and when it is left. */
std::string loopHead(const Program &program);
std::string loopEnd(const Loop &loop);

/* Behind that, unless there is no loop around: who is called to a loop in front goes on there. */
std::string comesAgain(const Loop &loop);

/* Our declarations at the head of the file, one on each line. */
std::string ownDeclarations(const std::vector<Program> &programs);

/* The name of the variable with the structure of the loop number INDEX, and its text. */
std::string structureName(size_t index);
std::string structureJson(const Source &source, const Loop &loop);
/* The definition of that variable, where the runtime and tools find it in the object; LITERAL: JSON
 * as strings of C. */
std::string structureText(const std::string &name, const std::string &json,
                          const std::string &literal);

} // namespace xmpi
#endif
