import Formats
import Model
import System

/// Looks for the path that was meant by one that does not exist below the root.
struct PathGuess {
  let manifest: Manifest
  let root: Folder

  /// A path that is there, and was probably meant.
  struct Near {
    /// The path up to the first name that no folder lists, with the most similar name that is listed; or the whole path
    /// with that name, if it is there.
    let path: String
    /// The whole path, if it is there and nothing else can have been meant.
    let meant: String?
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

  /// The path that is spelled most like one; nil if the path is there, or nothing is like it.
  ///
  /// A disk that folds case finds names that it does not list.
  func nearName(of path: RelativePath) -> Near? {
    var above: [UInt8] = []
    for (level, component) in path.components.enumerated() {
      guard let listing = try? root.listing(of: above) else { return nil }
      let names = listing.texts
      if names.contains(where: { $0.utf8.elementsEqual(component.utf8) }) {
        above += (above.isEmpty ? [] : [UInt8(ascii: "/")]) + component.utf8
        continue
      }
      // Swift takes the Unicode forms of a name for equal.
      let twin = names.first { $0 == component }
      let near = NearName(to: component, in: names)
      guard let name = twin ?? near?.name else { return nil }
      let start = (above.isEmpty ? "" : String(decoding: above, as: UTF8.self) + "/") + name
      let whole = ([start] + path.components.dropFirst(level + 1)).joined(separator: "/")
      let isThere = (try? RelativePath(whole)).map(root.has) ?? false
      let isSure = isThere && (twin != nil || near?.isSure == true)
      return Near(path: isThere ? whole : start, meant: isSure ? whole : nil)
    }
    return nil
  }

  /// A glob with the part before its first wildcard as folders are named here; nil if that part is there, or nothing is
  /// like it.
  func nearFolder(of glob: Glob) -> Near? {
    let parts = glob.text.split(separator: "/").map(String.init)
    guard glob.fixedDepth > 0, parts.count > glob.fixedDepth,
      let fixed = try? RelativePath(parts.prefix(glob.fixedDepth).joined(separator: "/")),
      let near = nearName(of: fixed)
    else { return nil }
    func whole(_ folder: String) -> String {
      ([folder] + parts.dropFirst(glob.fixedDepth)).joined(separator: "/")
    }
    let isWhole = near.path.split(separator: "/").count == glob.fixedDepth
    return Near(path: isWhole ? whole(near.path) : near.path, meant: near.meant.map(whole))
  }
}

extension Folder {
  func has(_ path: RelativePath) -> Bool {
    (try? status(of: Array(path.text.utf8), following: true)) != nil
  }
}
