import Formats
import Model
import System

/// Looks for the path that was meant by one that does not exist below the root.
struct PathGuess {
  let manifest: Manifest
  let root: Folder

  /// What is known of a path that is spelled differently here.
  enum Near {
    /// The whole path, each of its names as folders list them; `isSure` says that nothing else can have been meant.
    case path(String, isSure: Bool)
    /// A folder as it is spelled here, in which nothing is like the next name of the path.
    ///
    /// It is no suggestion: the folder alone has more files than the path would have.
    case folder(String, lacking: String)

    /// The path that is there, and was probably meant.
    var path: String? {
      if case .path(let path, _) = self { path } else { nil }
    }

    /// The path, if nothing else can have been meant.
    var replacement: String? {
      if case .path(let path, true) = self { path } else { nil }
    }

    /// The end of a message about the path.
    var hint: String {
      switch self {
      case .path(let path, _): suggestion(path)
      case .folder(let folder, let name):
        "; \(quoted(folder)) is here, and nothing in it is like \(quoted(name))"
      }
    }

    /// The same with something that stands behind the path.
    func appending(_ rest: some Sequence<String>) -> Near {
      guard case .path(let path, let isSure) = self else { return self }
      return .path(([path] + rest).joined(separator: "/"), isSure: isSure)
    }
  }

  /// The rest of a path that begins with the root's own name, if it exists.
  func belowRepeatedRoot(_ path: RelativePath) -> String? {
    belowRepeatedRoot(path.components).flatMap { rest in
      (try? RelativePath(rest)).flatMap { root.has($0) ? rest : nil }
    }
  }

  /// The rest of a path or glob behind the root's own name, which may be several folders; nil if it begins otherwise.
  func belowRepeatedRoot(_ components: [String]) -> String? {
    let names = manifest.root.value.split(separator: "/").filter { $0 != "." && $0 != ".." }.map(String.init)
    for count in (1...max(1, names.count)).reversed() where names.count >= count && components.count > count {
      if components.starts(with: names.suffix(count)) {
        return components.dropFirst(count).joined(separator: "/")
      }
    }
    return nil
  }

  /// The path that is spelled most like one, name by name; nil if the path is there, or nothing is like it.
  ///
  /// A disk that folds case finds names that it does not list.
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
      // Swift takes the Unicode forms of a name for equal.
      let twin = names.first { $0 == component }
      let near = twin == nil ? NearestName(to: component, in: names) : nil
      guard let name = twin ?? near?.name else { return isChanged ? .folder(above, lacking: component) : nil }
      isSure = isSure && (twin != nil || near?.isSure == true)
      isChanged = true
      found.append(name)
    }
    return isChanged ? .path(found.joined(separator: "/"), isSure: isSure) : nil
  }

  /// A glob with the part before its first wildcard as folders are named here; nil if that part is there, or nothing is
  /// like it.
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
