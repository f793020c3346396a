import Formats
import System

/// A file that packtool wrote, recognized by the beginning of its text.
///
/// Without this check, an earlier output below the root would become an asset, and nobody would notice.
enum ToolOutput {
  /// Returns the description of a file that packtool wrote; nil for any other file.
  ///
  /// `head` is the beginning of the file.
  static func description(ofFileWith head: Span<UInt8>) -> String? {
    switch head[0] {
    case UInt8(ascii: "<"):
      if head.starts(with: page.utf8) { return "a report page" }
      return head.starts(with: jUnit.utf8) ? "a list of findings" : nil
    case UInt8(ascii: "{"), UInt8(ascii: "["): return words(json: head)
    case UInt8(ascii: "#"):
      return head.starts(with: comparison.utf8) && text(head).contains("|  | before | after |")
        ? "a comparison" : nil
    default: return words(firstLine: head)
    }
  }

  private static let page =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\(HTML.generatorMark)"
  private static let jUnit =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"packtool"
  private static let comparison = "### App update: "

  /// The beginning of a JSON document, without blanks.
  private struct Beginning {
    let text: String
    /// The description of the document.
    let words: String
  }

  /// The beginnings of JSON documents.
  ///
  /// The keys of these documents are sorted, so the beginnings are always the same.
  private static let beginnings = [
    Beginning(
      text:
        #"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","properties":{"generator":"packtool""#,
      words: "a list of findings"),
    Beginning(
      text: #"{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"packtool"#, words: "a schema"
    ),
    Beginning(text: #"{"diagnostics":[],"#, words: "a list of findings"),
    Beginning(text: #"{"files":[{"digest":"sha256:"#, words: "the contents list of a build"),
    Beginning(text: #"{"contents":"contents."#, words: "the result of a build"),
    Beginning(text: #"{"contents":null,"diagnostics":{"errors":"#, words: "the result of a build"),
    Beginning(text: #"{"deliveries":{"initialInstall":{"downloadByContent":"#, words: "a comparison"),
    Beginning(text: #"{"firstDownload":{"app":"#, words: "a simulation"),
    Beginning(text: #"{"formatVersion":1,"link":{"latency":"#, words: "a simulation"),
    Beginning(text: #"{"formatVersion":1,"subjects":[{"#, words: "an explanation"),
  ]

  private static func words(json head: Span<UInt8>) -> String? {
    if begins(head, with: "[{\"check_name\":\"") {
      return namesCheck(compact(head), key: "check_name") ? "a list of findings" : nil
    }
    guard begins(head, with: "{\"") else { return nil }
    if begins(head, with: "{\"bundleIdentifier\":\"") {
      let text = compact(head)
      if text.contains("\"contents\":{\"digest\":\"sha256:") { return "the index of a build" }
      if text.contains("\"kind\":\"index\"") { return "a list of packs" }
      return text.contains("\"formatVersion\":") || text.contains("\"diagnostics\":[")
        ? "a plan" : nil
    }
    if begins(head, with: "{\"diagnostics\":[{") {
      return namesCheck(compact(head), key: "id") ? "a list of findings" : nil
    }
    if begins(head, with: "{\"time\":\"") {
      let text = compact(head)
      return text.contains("\",\"request\":\"") && text.contains(",\"range\":") ? "a log of requests" : nil
    }
    return beginnings.first { begins(head, with: $0.text) }?.words
  }

  /// Whether a JSON document without blanks and line ends begins with a text.
  ///
  /// Nearly all JSON files are assets, so the bytes are compared without making a string of them.
  private static func begins(_ head: Span<UInt8>, with text: String) -> Bool {
    var position = 0
    for byte in text.utf8 {
      while position < head.count, head[position] <= 0x20 { position += 1 }
      if position == head.count || head[position] != byte { return false }
      position += 1
    }
    return true
  }

  /// Whether the value of a key, where it occurs first, is the id of a check.
  private static func namesCheck(_ text: String, key: String) -> Bool {
    guard let start = text.firstRange(of: "\"\(key)\":\"")?.upperBound else { return false }
    return Check.named(String(text[start...].prefix { $0 != "\"" })) != nil
  }

  /// Recognizes the text of a plan, and a depfile.
  private static func words(firstLine head: Span<UInt8>) -> String? {
    // Nearly all other files have another byte at the end of their first line.
    guard let end = head.firstIndex(of: UInt8(ascii: "\n")), end > 0 else { return nil }
    switch head[end - 1] {
    case UInt8(ascii: "\\"):
      return text(head.extracting(first: end)).hasSuffix("index.json: \\") ? "a depfile" : nil
    case UInt8(ascii: ")"):
      // A search for words is much faster than a regular expression, whose text is parsed first.
      guard head.extracting(first: end).contains(Array("(limits: ".utf8)) else { return nil }
      let plan = /: [0-9,]+ packs?, [0-9,]+ files?, .+ \(limits: [a-z0-9-]+\)$/
      return text(head.extracting(first: end)).contains(plan) ? "a plan" : nil
    default: return nil
    }
  }

  /// Returns JSON without blanks and line ends, which depend on the style of the document.
  private static func compact(_ head: Span<UInt8>) -> String {
    String(decoding: head.indices.map { head[$0] }.filter { $0 > 0x20 }, as: UTF8.self)
  }

  private static func text(_ bytes: Span<UInt8>) -> String {
    String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }
}
