import Formats
import Model
import System

/// Guesses which path the user intended, if a path does not exist below the root.
struct PathGuess {
  let manifest: Manifest
  let root: Folder

  /// A path on the disk that is similar to the path that the user wrote.
  enum Near {
    /// The whole path, in the spelling of the disk.
    ///
    /// `isSure` is true if there is no other possible correction.
    case path(String, isSure: Bool)
    /// A folder, in the spelling of the disk, that contains nothing similar to the next component of the
    /// path.
    ///
    /// The folder is not offered as a correction, because it contains more files than the path would match.
    case folder(String, lacking: String)

    /// The existing path that the user probably intended; nil if only a folder is known.
    var path: String? {
      if case .path(let path, _) = self { path } else { nil }
    }

    /// The path if there is no other possible correction; otherwise nil.
    var replacement: String? {
      if case .path(let path, true) = self { path } else { nil }
    }

    /// The end of a message about the path.
    var hint: String {
      switch self {
      case .path(let path, _): suggestion(path)
      case .folder(let folder, let name):
        "; \(quoted(folder)) exists, but nothing in it is similar to \(quoted(name))"
      }
    }

    /// Returns this guess with more components appended to the path.
    func appending(_ rest: some Sequence<String>) -> Near {
      guard case .path(let path, let isSure) = self else { return self }
      return .path(([path] + rest).joined(separator: "/"), isSure: isSure)
    }
  }

  /// If a path begins with the root's own name, returns the rest of the path, provided that it exists;
  /// otherwise nil.
  func belowRepeatedRoot(_ path: RelativePath) -> String? {
    belowRepeatedRoot(path.components).flatMap { rest in
      (try? RelativePath(rest)).flatMap { root.has($0) ? rest : nil }
    }
  }

  /// Returns the rest of a path or glob after the root's own name; nil if the path does not begin with that
  /// name.
  ///
  /// The root's name can have several components.
  func belowRepeatedRoot(_ components: [String]) -> String? {
    let names = manifest.root.value.split(separator: "/").filter { $0 != "." && $0 != ".." }.map(String.init)
    for count in (1...max(1, names.count)).reversed() where names.count >= count && components.count > count {
      if components.starts(with: names.suffix(count)) {
        return components.dropFirst(count).joined(separator: "/")
      }
    }
    return nil
  }

  /// Finds the path with the most similar spelling, component by component.
  ///
  /// The result is nil if the path exists, or if no path is similar. The function lists folders instead of
  /// looking the path up, because a file system that ignores case also finds other spellings.
  func nearName(of path: RelativePath) -> Near? {
    var found: [String] = []
    var isSure = true
    var isChanged = false
    for component in path.components {
      let above = found.joined(separator: "/")
      guard let names = try? root.listing(of: Array(above.utf8)).texts else {
        return isChanged ? .folder(above, lacking: component) : nil
      }
      if names.contains(where: { $0.utf8.elementsEqual(component.utf8) }) {
        found.append(component)
        continue
      }
      // Swift treats all Unicode normalizations of a name as equal.
      let twin = names.first { $0 == component }
      let near = twin == nil ? NearestName(to: component, in: names) : nil
      guard let name = twin ?? near?.name else { return isChanged ? .folder(above, lacking: component) : nil }
      isSure = isSure && (twin != nil || near?.isSure == true)
      isChanged = true
      found.append(name)
    }
    return isChanged ? .path(found.joined(separator: "/"), isSure: isSure) : nil
  }

  /// Returns the part of a glob before its first wildcard, in the spelling of the disk; nil if this path
  /// exists, or if no path is similar.
  func nearFolder(of glob: Glob) -> Near? {
    let parts = glob.text.split(separator: "/").map(String.init)
    guard glob.fixedDepth > 0, parts.count > glob.fixedDepth,
      let fixed = try? RelativePath(parts.prefix(glob.fixedDepth).joined(separator: "/"))
    else { return nil }
    return nearName(of: fixed)?.appending(parts.dropFirst(glob.fixedDepth))
  }
}

extension Folder {
  func has(_ path: RelativePath) -> Bool {
    (try? status(of: Array(path.text.utf8), symlinks: .followed)) != nil
  }
}
