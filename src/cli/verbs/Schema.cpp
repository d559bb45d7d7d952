#include "cli/CommandLine.h"
#include "support/Diagnostics.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace inflight::cli {

namespace {
struct EmbeddedSchema {
  StringRef name, contents;
};

const EmbeddedSchema schemas[] = {
#include "EmbeddedSchemas.inc"
};
} // namespace

static Expected<int> writeSchemas(const Arguments &arguments) {
  const std::string &folder = arguments.positional[0];
  if (std::error_code error = sys::fs::create_directories(folder))
    return makeError("cannot make " + folder + ": " + error.message());
  for (const EmbeddedSchema &schema : schemas)
    if (Error error = writeFileAtomically(folder + "/" + schema.name.str(), schema.contents))
      return std::move(error);
  return 0;
}

const Verb schemaVerb = {"schema",
                         "Write the JSON Schemas of what the verbs print",
                         {"FOLDER"},
                         {},
                         "  inflight schema schemas\n",
                         writeSchemas,
                         Positional::Other};

} // namespace inflight::cli
