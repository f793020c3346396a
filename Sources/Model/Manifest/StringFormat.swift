package import Formats

/// The format that a string in a manifest must have.
package enum StringFormat: Sendable {
  case anything
  case bundleIdentifier
  case tag
  /// A tag in which `$1` stands for the characters that a wildcard matches.
  case tagTemplate
  /// A path below the root, or inside a pack.
  case path(within: String)
  case glob
  /// A path relative to the manifest's folder, which can have ".." components.
  case folderPath
  /// A custom format.
  ///
  /// `mistake` returns what is wrong with a string. `pattern` is a regular expression that every valid string
  /// matches. `example` is a valid string for messages.
  case other(
    pattern: String? = nil, example: String? = nil,
    mistake: @Sendable (String) -> (check: Check, message: String)?
  )

  /// A regular expression for the schema.
  ///
  /// It matches every valid string, and possibly also some invalid strings.
  var pattern: String? {
    switch self {
    case .anything: nil
    case .other(let pattern, _, _): pattern
    case .bundleIdentifier: "^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$"
    case .tag: "^[^/\\u0000-\\u001f\\u007f]*[^/\\u0000-\\u0020\\u007f][^/\\u0000-\\u001f\\u007f]*$"
    case .tagTemplate: "^([^$/\\u0000-\\u001f\\u007f]|\\$\\$|\\$[1-9][0-9]{0,3})+$"
    case .path, .glob: "^(?!\\.\\.(/|$))[^/\\\\\\u0000-\\u001f\\u007f][^\\\\\\u0000-\\u001f\\u007f]*$"
    case .folderPath: "^[^/\\\\\\u0000-\\u001f\\u007f][^\\\\\\u0000-\\u001f\\u007f]*$"
    }
  }

  /// A valid string for messages; nil if messages need no example.
  var example: String? {
    if case .other(_, let example, _) = self { example } else { nil }
  }

  /// Returns the mistake in a string; nil if the string is valid.
  package func mistake(in text: String) -> (check: Check, message: String)? {
    switch self {
    case .anything: return nil
    case .bundleIdentifier: return bundleIdentifierMistake(text)
    case .tag: return tagMistake(text)
    case .tagTemplate: return templateMistake(text)
    case .path(let place):
      do throws(RelativePath.Mistake) {
        _ = try RelativePath(text)
        return nameMistake(in: text)
      } catch {
        if case .hasBackslash = error, Glob.isLikeExpression(text) {
          let glob = Glob.translated(fromExpression: text).map { "; use \"glob\": \(quoted($0))" } ?? ""
          return (
            error.check, "\(quoted(text)) looks like a regular expression, but a path cannot be one\(glob)"
          )
        }
        return (error.check, error.message(for: text, within: place))
      }
    case .glob:
      do throws(Glob.Mistake) {
        _ = try Glob(text)
        return nil
      } catch {
        return (error.check, error.message(for: text))
      }
    case .folderPath: return folderPathMistake(text)
    case .other(_, _, let mistake): return mistake(text)
    }
  }

  /// Returns a mistake if a name in a path is too long for any file system, because nobody could unpack the
  /// file; otherwise nil.
  private func nameMistake(in path: String) -> (check: Check, message: String)? {
    guard let name = path.split(separator: "/").first(where: { $0.utf8.count > Self.maxNameSize }) else {
      return nil
    }
    let message =
      "the name \(quoted(name)) has \(counted(name.utf8.count, of: "byte")), but in file systems a name can "
      + "have at most \(Self.maxNameSize) bytes"
    return (.invalidPath, message)
  }

  /// The maximum length in bytes of one name in a path.
  static let maxNameSize = 255

  /// Returns the string that the user certainly intended; nil if that is unknown.
  ///
  /// In a tag, it removes a slash at the end. In a path, it replaces backslashes with slashes. In a glob, it
  /// makes each `**` a whole component.
  func corrected(_ text: String) -> String? {
    let replacement: String
    switch self {
    case .tag, .tagTemplate: replacement = trimmed(text)
    case .path, .folderPath:
      if Glob.isLikeExpression(text) { return nil }
      replacement = text.replacing("\\", with: "/")
    case .glob:
      do throws(Glob.Mistake) {
        _ = try Glob(text)
        return nil
      } catch {
        if case .partialStars = error { return Glob.withWholeStars(text) }
        return nil
      }
    case .anything, .bundleIdentifier, .other: return nil
    }
    return !replacement.isSameInBytes(as: text) && mistake(in: replacement) == nil ? replacement : nil
  }
}

private func bundleIdentifierMistake(_ text: String) -> (Check, String)? {
  let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
  let isRight = parts.allSatisfy { part in
    !part.isEmpty && part.allSatisfy { isWordByte($0) && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "$") }
  }
  if isRight { return nil }
  return (
    .invalidValue,
    "\(quoted(text)) is not a bundle identifier; expected parts of letters, digits, \"-\" and \"_\", with "
      + "dots between the parts, such as \"com.example.game\""
  )
}

extension StringFormat {
  /// The maximum size of a tag in bytes.
  package static let maxTagSize = 1024
}

private func tagMistake(_ tag: String) -> (Check, String)? {
  if tag.isEmpty { return (.invalidTag, "a tag must not be empty") }
  if tag.utf8.count > StringFormat.maxTagSize {
    let size = counted(tag.utf8.count, of: "byte")
    return (
      .invalidTag,
      "the tag \(quoted(tag)) has \(size), but a tag can have at most \(grouped(StringFormat.maxTagSize))"
    )
  }
  if tag.allSatisfy(\.isWhitespace) {
    return (
      .invalidTag,
      "the tag \(quoted(tag)) contains only white space"
    )
  }
  if tag.utf8.contains(UInt8(ascii: "/")) {
    return (.invalidTag, "the tag \(quoted(tag)) contains \"/\", which is not allowed in pack names")
  }
  if tag.unicodeScalars.contains(where: isControl) {
    return (.invalidTag, "the tag \(quoted(tag)) contains a control character")
  }
  return nil
}

private func templateMistake(_ text: String) -> (Check, String)? {
  if let mistake = tagMistake(text) { return mistake }
  do throws(TagTemplate.Mistake) {
    _ = try TagTemplate(Located(text, at: 0))
    return nil
  } catch {
    return (.invalidValue, error.message(for: text))
  }
}

private func folderPathMistake(_ text: String) -> (Check, String)? {
  // A folder path can contain ".." components, so only other mistakes are reported.
  do throws(RelativePath.Mistake) {
    _ = try RelativePath(text)
  } catch {
    if case .escapes = error { return nil }
    return (error.check, error.message(for: text, within: "the manifest's folder"))
  }
  return nil
}
