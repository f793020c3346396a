/// Checks of tags in an app's code.
extension Check {
  package static let sourceChecks: [Check] = [unknownTagInCode, unusedTag, unreadSource]

  package static let unknownTagInCode = error(
    "unknown-tag-in-code", "the app's code asks for a tag that no file has",
    "The request would fail on every device. Correct the text, or give files the tag; `packtool tags --swift` writes "
      + "constants, with which such a slip does not compile.")
  package static let unusedTag = warning(
    "unused-tag", "no code asks for a tag",
    "Its packs are downloaded by nobody unless they come with the app. It may be asked for by a name that code makes: "
      + "then set the severity of this check to \"ignore\".")
  package static let unreadSource = warning(
    "unread-source", "code that was not searched for tags",
    "It cannot be read, or is larger than any file that people write. Tags in it are not known.")
}
