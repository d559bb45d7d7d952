#include "support/report/RulePage.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Process.h"
#include <vector>

using namespace llvm;

namespace inflight {

namespace {
struct EmbeddedPage {
  StringRef name, contents;
};

const EmbeddedPage files[] = {
#include "EmbeddedRules.inc"
};
} // namespace

/// What stands between `begin` and the next `end`; empty where there is none.
static StringRef between(StringRef text, StringRef begin, StringRef end) {
  const size_t at = text.find(begin);
  if (at == StringRef::npos)
    return {};
  text = text.drop_front(at + begin.size());
  return text.take_front(text.find(end));
}

static RulePage parsePage(StringRef rule, StringRef markdown) {
  RulePage page{rule, {}, {}, {}, {}, markdown};
  page.title = between(markdown, ": ", "\n");
  page.text = between(markdown, "\n\n", "\n\n## ");
  page.wrong = between(markdown, "## Wrong\n```asm\n", "```");
  page.right = between(markdown, "## Right\n```asm\n", "```");
  return page;
}

ArrayRef<RulePage> rulePages() {
  static const std::vector<RulePage> pages = [] {
    std::vector<RulePage> made;
    for (const EmbeddedPage &file : files)
      if (StringRef rule = file.name; rule.consume_back(".md"))
        made.push_back(parsePage(rule, file.contents));
    llvm::sort(made, [](const RulePage &a, const RulePage &b) { return a.rule < b.rule; });
    return made;
  }();
  return pages;
}

const RulePage *rulePage(StringRef rule) {
  const auto *page = find_if(rulePages(), [&](const RulePage &p) { return p.rule == rule; });
  return page == rulePages().end() ? nullptr : page;
}

std::string ruleLink(StringRef rule) {
  const std::string site = sys::Process::GetEnv("INFLIGHT_SITE").value_or(INFLIGHT_SITE);
  return site.empty() || !rulePage(rule) ? "" : (StringRef(site).rtrim('/') + "/rules/" + rule + "/").str();
}

std::string exampleKernel(StringRef instructions) {
  // The first line names another frame than the usual one: "; frame-gfx1250".
  std::string name = "frame.s";
  if (StringRef rest = instructions; rest.consume_front("; frame-")) {
    name = ("frame-" + rest.split('\n').first + ".s").str();
    instructions = rest.split('\n').second;
  }
  const auto *frame = find_if(files, [&](const EmbeddedPage &file) { return file.name == name; });
  auto [before, after] = frame->contents.split("@body@\n");
  return (Twine(before) + instructions + after).str();
}

} // namespace inflight
