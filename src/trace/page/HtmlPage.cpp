#include "trace/page/HtmlPage.h"

#include "support/Diagnostics.h"
#include "support/OutputFile.h"
#include "trace/page/PageRun.h"

using namespace llvm;

namespace inflight::trace {
namespace {

struct Embedded {
  const char *name, *text;
};
/// Without text where the program was built without the page.
const Embedded page[] = {
#include "EmbeddedPage.inc"
};

class Page final : public HtmlPage {
public:
  Page(std::string path, std::unique_ptr<PageRun> run, std::unique_ptr<OutputFile> out)
      : path(std::move(path)), run(std::move(run)), out(std::move(out)) {}

  void start(const events::RunInfo &info) override { run->start(info); }
  void waveBegin(const events::WaveBegin &record) override { run->waveBegin(record); }
  void instruction(const events::Instruction &record) override { run->instruction(record); }
  void operation(const events::Operation &record) override { run->operation(record); }
  void wait(const events::Wait &record) override { run->wait(record); }
  void waveEnd(const events::WaveEnd &record) override { run->waveEnd(record); }
  void finish(const events::Summary &summary) override { run->finish(summary); }
  bool failed() const override { return run->failed() || out->failed(); }
  unsigned sourcesLeftOut() const override { return run->sourcesLeftOut(); }
  void setSilicon(const Comparison &comparison) override { run->setSilicon(comparison); }
  Expected<events::Sink *> beside() override;
  Error commit() override;

private:
  std::string path;
  std::unique_ptr<PageRun> run, other; ///< other: beside it, or null
  std::unique_ptr<OutputFile> out;
};

} // namespace

Expected<events::Sink *> Page::beside() {
  if (Error error = PageRun::create(path, "beside-", SourcePolicy{.isOff = true}).moveInto(other))
    return std::move(error);
  return other.get();
}

Error Page::commit() {
  SmallVector<PageRun *, 2> runs = {run.get()};
  if (other)
    runs.push_back(other.get());
  const auto each = [&](auto write) -> Error {
    for (PageRun *of : runs)
      if (Error error = write(*of))
        return makeError("cannot write '" + path + "': " + toString(std::move(error)));
    return Error::success();
  };
  if (Error error = each([](PageRun &of) { return of.close(); }))
    return error;
  const auto [beforeHead, rest] = StringRef(page[0].text).split("<!--head-->");
  const auto [program, afterTail] = rest.split("<!--tail-->");
  out->write(beforeHead);
  if (Error error = each([&](PageRun &of) { return of.writeBegin(*out); }))
    return error;
  out->write(program);
  if (Error error = each([&](PageRun &of) { return of.writeRest(*out); }))
    return error;
  out->write(afterTail);
  return out->commit();
}

bool HtmlPage::isBuilt() { return page[0].text != nullptr; }

StringRef HtmlPage::howToBuild() { return "cmake -DINFLIGHT_PAGE=ON build && ninja -C build"; }

Expected<std::unique_ptr<HtmlPage>> HtmlPage::create(StringRef path, const SourcePolicy &sources) {
  if (!isBuilt())
    return makeError("this program was built without the trace page; with Node.js 18 and npm there (apt-get install "
                     "nodejs npm), this builds it: " +
                     howToBuild() + "\n  --perfetto and --viewer write timelines without it");
  Expected<std::unique_ptr<OutputFile>> out = OutputFile::create(path);
  if (!out)
    return out.takeError();
  Expected<std::unique_ptr<PageRun>> run = PageRun::create(path, "", sources);
  if (!run)
    return run.takeError();
  return std::make_unique<Page>(path.str(), std::move(*run), std::move(*out));
}

} // namespace inflight::trace
