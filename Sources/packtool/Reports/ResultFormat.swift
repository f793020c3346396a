/// The form in which a command writes its result, for people or for programs.
enum ResultFormat: String, CaseIterable, Sendable {
  case text
  case json
}
