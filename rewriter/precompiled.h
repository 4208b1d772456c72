/* SPDX-License-Identifier: BSD-3-Clause
 * Headers of the compiler and the C++ library that most files of the rewriter read: they are read
 * once, which is three quarters of the time that the files would take. Nothing of ours is here, and
 * each file includes what it uses all the same. */
#include <algorithm>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/Stmt.h>
#include <clang/Analysis/CFG.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>
#include <functional>
#include <llvm/Support/JSON.h>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>
