/* SPDX-License-Identifier: BSD-3-Clause
 * Reading the list of the sources of a program. */
#include "joined/part.h"
#include <llvm/ADT/StringRef.h>
#include <llvm/Support/MemoryBuffer.h>

namespace xmpi
{
namespace
{

class Fields
{
  public:
    explicit Fields(llvm::StringRef list) : rest(list)
    {
    }

    bool atEnd() const
    {
        return rest.empty();
    }

    std::string next()
    {
        auto [field, more] = rest.split('\0');
        rest = more;
        return field.str();
    }

    long long number()
    {
        long long value = 0;
        good = !llvm::StringRef(next()).getAsInteger(10, value) && good;
        return value;
    }

    bool good = true;

  private:
    llvm::StringRef rest;
};

} // namespace

bool readParts(const std::string &path, std::vector<Part> &parts)
{
    auto list = llvm::MemoryBuffer::getFile(path);
    if (!list)
        return false;
    for (Fields fields((*list)->getBuffer()); !fields.atEnd();) {
        Part part;
        part.name = fields.next();
        part.path = fields.next();
        part.made = fields.number();
        part.loop = fields.next() == "loop";
        part.apart = fields.next();
        for (long long left = fields.number(); left > 0 && !fields.atEnd(); left--)
            part.flags.push_back(fields.next());
        auto content = llvm::MemoryBuffer::getFile(part.path);
        if (!fields.good || (!content && part.apart.empty()))
            return false;
        llvm::StringRef text = content ? (*content)->getBuffer() : "";
        text.consume_front("\xEF\xBB\xBF");
        part.text = text.str();
        parts.push_back(std::move(part));
    }
    return true;
}

} // namespace xmpi
