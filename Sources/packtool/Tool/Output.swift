import Formats

/// A whole text in one form, which is all that a session takes to a terminal, a log or a report's file.
struct Output: Sendable {
  /// The text, which no terminal or CI obeys.
  let text: String

  init(_ text: PlainText) { self.text = LogForm.plain.safe(text.text) }

  init(_ text: Written<MarkdownForm>) { self.text = LogForm.plain.safe(text.text) }

  init(_ text: Written<CSVForm>) { self.text = LogForm.plain.safe(text.text) }

  init(_ text: Written<MermaidForm>) { self.text = LogForm.plain.safe(text.text) }

  init(_ text: Written<XMLForm>) { self.text = LogForm.xml.safe(text.text) }

  init(_ text: Written<GitHubForm>) { self.text = LogForm.commands.safe(text.text) }

  init(_ document: JSONText) { text = LogForm.json.safe(document.text) }

  /// A JSON document that was written already.
  init(json text: String) { self.text = LogForm.json.safe(text) }
}
