#include "lsp/Server.h"

#include "lsp/Answers.h"
#include "lsp/Documents.h"
#include "lsp/Sources.h"
#include "support/files/JsonFile.h"
#include "support/report/RulePage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/LSP/Transport.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using llvm::lsp::Callback;
using llvm::lsp::ErrorCode;
using llvm::lsp::LSPError;

namespace inflight::lsp {

/// Editors take a column beyond a line's end for its end.
static constexpr int endOfLine = 1 << 16;

namespace {

/// Messages that the parser of JSON stands.
class GuardedInput : public llvm::lsp::JSONTransportInput {
public:
  explicit GuardedInput(std::FILE *in) : input(in) {}
  bool hasError() const override { return input.hasError(); }
  bool isEndOfInput() const override { return input.isEndOfInput(); }
  LogicalResult readDelimitedMessage(std::string &json) override { return input.readDelimitedMessage(json); }
  LogicalResult readStandardMessage(std::string &json) override {
    const bool isRead = succeeded(input.readStandardMessage(json)) && isShallow(json);
    last = isRead ? json.substr(0, longestExit) : "";
    return success(isRead);
  }
  /// Whether the last message says so.
  bool isExit() const {
    Expected<json::Value> message = json::parse(last);
    if (!message) {
      consumeError(message.takeError());
      return false;
    }
    return message->getAsObject() && message->getAsObject()->getString("method") == "exit";
  }

private:
  static constexpr size_t longestExit = 1000;
  llvm::lsp::JSONTransportInputOverFile input;
  std::string last; ///< no more of it than such a message has
};

/// Parameters as they come, for methods that LLVM has no structure for.
struct RawParams {
  json::Object object;
};
bool fromJSON(const json::Value &value, RawParams &params, json::Path path) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return path.report("expected an object"), false;
  params.object = *object;
  return true;
}

json::Object diagnosticOf(const ReportItem &item, const DocumentText &text, StringRef uri) {
  std::string message = item.message;
  if (!item.hint.empty())
    message += "\nfix: " + item.hint;
  json::Object object{{"range", text.statementAt(item.place.source)},
                      {"severity", int(item.level == Level::Warning ? llvm::lsp::DiagnosticSeverity::Warning
                                                                    : llvm::lsp::DiagnosticSeverity::Error)},
                      {"source", "inflight"},
                      {"message", std::move(message)}};
  if (!item.rule.empty())
    object["code"] = item.rule;
  if (std::string link = ruleLink(item.rule); !link.empty())
    object["codeDescription"] = json::Object{{"href", std::move(link)}};
  json::Array related;
  for (const auto &[what, place] : item.related)
    related.push_back(json::Object{
        {"message", what}, {"location", json::Object{{"uri", uri.str()}, {"range", text.statementAt(place.source)}}}});
  if (!related.empty())
    object["relatedInformation"] = std::move(related);
  return object;
}

class Server {
public:
  Server(llvm::lsp::JSONTransport &transport, SourceTools tools)
      : handler(transport),
        publishDiagnostics(handler.outgoingNotification<json::Value>("textDocument/publishDiagnostics")),
        documents(tools.chip,
                  [this](StringRef uri, int64_t version, const Analysis &analysis) {
                    publish(uri, version, analysis.items(), analysis.text());
                  }),
        sources(std::move(tools), [this](StringRef uri, int64_t version, const SourceCheck &check) {
          publish(uri, version, check.items, DocumentText(check.text));
        }) {
    handler.method("initialize", this, &Server::initialize);
    handler.notification("initialized", this, &Server::ignore);
    handler.method("shutdown", this, &Server::shutdown);
    handler.notification("textDocument/didOpen", this, &Server::didOpen);
    handler.notification("textDocument/didChange", this, &Server::didChange);
    handler.notification("textDocument/didSave", this, &Server::didSave);
    handler.notification("textDocument/didClose", this, &Server::didClose);
    handler.method("textDocument/hover", this, &Server::hoverAt);
    handler.method("textDocument/inlayHint", this, &Server::inlayHints);
    handler.method("textDocument/codeAction", this, &Server::codeActions);
    handler.method("textDocument/definition", this, &Server::definitionsAt);
    handler.method("textDocument/rename", this, &Server::rename);
    handler.method("textDocument/completion", this, &Server::completionsAt);
    handler.method("textDocument/codeLens", this, &Server::codeLenses);
    handler.method("textDocument/foldingRange", this, &Server::foldingRanges);
  }

  llvm::lsp::MessageHandler handler;
  bool isShuttingDown = false;

private:
  using Document = llvm::lsp::TextDocumentIdentifier;
  using Place = llvm::lsp::TextDocumentPositionParams;

  void initialize(const llvm::lsp::NoParams &, Callback<json::Value> reply) {
    constexpr int wholeTexts = int(llvm::lsp::TextDocumentSyncKind::Full);
    json::Object capabilities{
        {"textDocumentSync", json::Object{{"openClose", true}, {"change", wholeTexts}, {"save", true}}},
        {"hoverProvider", true},
        {"inlayHintProvider", true},
        {"codeActionProvider", json::Object{{"codeActionKinds", json::Array{llvm::lsp::CodeAction::kQuickFix}}}},
        {"definitionProvider", true},
        {"renameProvider", true},
        {"codeLensProvider", json::Object{}},
        {"completionProvider", json::Object{}},
        {"foldingRangeProvider", true}};
    reply(json::Object{{"serverInfo", json::Object{{"name", "inflight"}}}, {"capabilities", std::move(capabilities)}});
  }

  void ignore(const llvm::lsp::NoParams &) {}

  void shutdown(const llvm::lsp::NoParams &, Callback<json::Value> reply) {
    isShuttingDown = true;
    reply(nullptr);
  }

  void didOpen(const llvm::lsp::DidOpenTextDocumentParams &params) {
    const llvm::lsp::TextDocumentItem &document = params.textDocument;
    const StringRef uri = document.uri.uri();
    if (const SourceKind kind = sourceKind(document.languageId, uri); kind != SourceKind::None)
      sources.open(uri, kind, sys::path::parent_path(document.uri.file()), document.text, document.version);
    else
      documents.set(uri, document.text, document.version);
  }

  void didChange(const llvm::lsp::DidChangeTextDocumentParams &params) {
    // Whole texts are asked for: the last one counts.
    if (params.contentChanges.empty() || params.contentChanges.back().range)
      return llvm::lsp::Logger::error("a change of a part, though whole texts were asked for");
    const StringRef uri = params.textDocument.uri.uri();
    if (sources.has(uri))
      sources.change(uri, params.contentChanges.back().text, params.textDocument.version);
    else
      documents.set(uri, params.contentChanges.back().text, params.textDocument.version);
  }

  void didSave(const RawParams &params) {
    const json::Object *document = params.object.getObject("textDocument");
    const std::optional<StringRef> uri = document ? document->getString("uri") : std::nullopt;
    if (uri && sources.has(*uri))
      sources.save(*uri);
  }

  void didClose(const llvm::lsp::DidCloseTextDocumentParams &params) {
    const StringRef uri = params.textDocument.uri.uri();
    documents.close(uri);
    sources.close(uri);
    publishDiagnostics(json::Object{{"uri", uri}, {"diagnostics", json::Array()}});
  }

  void publish(StringRef uri, int64_t version, ArrayRef<ReportItem> items, const DocumentText &text) {
    json::Array diagnostics;
    for (const ReportItem &item : items)
      diagnostics.push_back(diagnosticOf(item, text, uri));
    publishDiagnostics(json::Object{{"uri", uri}, {"version", version}, {"diagnostics", std::move(diagnostics)}});
  }

  /// Answers when the document's text as it is now is analysed. Of a source there is nothing.
  void answer(StringRef uri, Callback<json::Value> reply, unique_function<json::Value(const Analysis &)> make) {
    if (sources.has(uri))
      return reply(nullptr);
    documents.ask(uri, [reply = std::move(reply), make = std::move(make)](const Analysis *analysis) mutable {
      if (analysis)
        reply(make(*analysis));
      else
        reply(make_error<LSPError>("the document isn't open or has changed", ErrorCode::ContentModified));
    });
  }

  void hoverAt(const Place &params, Callback<json::Value> reply) {
    answer(params.textDocument.uri.uri(), std::move(reply), [place = params.position](const Analysis &analysis) {
      std::optional<llvm::lsp::Hover> found = hover(analysis, place);
      return found ? json::Value(toJSON(*found)) : json::Value(nullptr);
    });
  }

  void inlayHints(const llvm::lsp::InlayHintsParams &params, Callback<json::Value> reply) {
    const StringRef uri = params.textDocument.uri.uri();
    if (sources.has(uri)) {
      json::Array found;
      for (const auto &[line, text] :
           sources.hints(uri, unsigned(params.range.start.line) + 1, unsigned(params.range.end.line) + 1))
        found.push_back(json::Object{
            {"position", llvm::lsp::Position(int(line) - 1, endOfLine)}, {"label", text}, {"paddingLeft", true}});
      return reply(std::move(found));
    }
    answer(uri, std::move(reply), [range = params.range](const Analysis &analysis) {
      return json::Value(hints(analysis, range.start.line, range.end.line));
    });
  }

  void codeActions(const RawParams &params, Callback<json::Value> reply) {
    const json::Object *document = params.object.getObject("textDocument");
    llvm::lsp::Range range;
    json::Path::Root root;
    const json::Value *place = params.object.get("range");
    if (!document || !document->getString("uri") || !place || !fromJSON(*place, range, root))
      return reply(make_error<LSPError>("textDocument and range are needed", ErrorCode::InvalidParams));
    const std::string uri = document->getString("uri")->str();
    answer(uri, std::move(reply), [uri, range](const Analysis &analysis) {
      json::Array actions;
      for (const Fix &fix : fixes(analysis, range.start.line, range.end.line))
        actions.push_back(
            json::Object{{"title", fix.title},
                         {"kind", llvm::lsp::CodeAction::kQuickFix},
                         {"isPreferred", !fix.rule.empty()},
                         {"edit", json::Object{{"changes", json::Object{{uri, json::Array{fix.edit}}}}}}});
      return json::Value(std::move(actions));
    });
  }

  void definitionsAt(const Place &params, Callback<json::Value> reply) {
    const std::string uri = params.textDocument.uri.uri().str();
    answer(uri, std::move(reply), [uri, place = params.position](const Analysis &analysis) {
      json::Array locations;
      for (const llvm::lsp::Range &range : definitions(analysis, place))
        locations.push_back(json::Object{{"uri", uri}, {"range", range}});
      return json::Value(std::move(locations));
    });
  }

  void rename(const RawParams &params, Callback<json::Value> reply) {
    Place place;
    json::Path::Root root;
    const std::optional<StringRef> name = params.object.getString("newName");
    if (!name || !fromJSON(json::Value(json::Object(params.object)), place, root))
      return reply(make_error<LSPError>("a place and newName are needed", ErrorCode::InvalidParams));
    if (!isLabelName(*name))
      return reply(make_error<LSPError>("'" + name->str() + "' is no name of a label", ErrorCode::RequestFailed));
    const std::string uri = place.textDocument.uri.uri().str();
    answer(uri, std::move(reply), [uri, position = place.position, name = name->str()](const Analysis &analysis) {
      json::Array edits;
      for (const llvm::lsp::Range &range : labelPlaces(analysis, position))
        edits.push_back(json::Object{{"range", range}, {"newText", name}});
      return edits.empty() ? json::Value(nullptr)
                           : json::Value(json::Object{{"changes", json::Object{{uri, std::move(edits)}}}});
    });
  }

  void completionsAt(const llvm::lsp::CompletionParams &params, Callback<json::Value> reply) {
    answer(params.textDocument.uri.uri(), std::move(reply), [place = params.position](const Analysis &analysis) {
      return json::Value(json::Object{{"isIncomplete", true}, {"items", completions(analysis, place)}});
    });
  }

  void codeLenses(const llvm::lsp::DocumentSymbolParams &params, Callback<json::Value> reply) {
    answer(params.textDocument.uri.uri(), std::move(reply), [](const Analysis &analysis) {
      json::Array found;
      for (auto &[line, title] : lenses(analysis))
        found.push_back(json::Object{{"range", llvm::lsp::Range(llvm::lsp::Position(line))},
                                     {"command", json::Object{{"title", title}, {"command", ""}}}});
      return json::Value(std::move(found));
    });
  }

  void foldingRanges(const llvm::lsp::DocumentSymbolParams &params, Callback<json::Value> reply) {
    answer(params.textDocument.uri.uri(), std::move(reply), [](const Analysis &analysis) {
      json::Array ranges;
      for (auto [first, last] : loopLines(analysis))
        ranges.push_back(json::Object{{"startLine", first}, {"endLine", last}, {"kind", "region"}});
      return json::Value(std::move(ranges));
    });
  }

  llvm::lsp::OutgoingNotification<json::Value> publishDiagnostics;
  Documents documents; ///< last, these two: their threads use the others
  Sources sources;
};

} // namespace

bool serve(std::FILE *in, raw_ostream &out, SourceTools tools) {
  auto guarded = std::make_unique<GuardedInput>(in);
  const GuardedInput &input = *guarded;
  llvm::lsp::JSONTransport transport(std::move(guarded), out);
  Server server(transport, std::move(tools));
  // It comes back for what is no message as well.
  do {
    if (Error end = transport.run(server.handler)) {
      consumeError(std::move(end));
      break;
    }
  } while (!input.isExit());
  return server.isShuttingDown;
}

} // namespace inflight::lsp
