import Findings
import Formats
import PackKit
import System

/// A file selector of `ba-package` as a rule of packtool's, with paths below the manifest's root.
struct ImportedSelector {
  /// A path that leads out of the root.
  struct Mistake: Error {
    let path: String
  }

  private var pattern: ResourceRule.Pattern?
  private var text = ""
  private var destination: ResourceRule.Destination?
  /// Files that are left out.
  private(set) var exclusion: Glob?

  /// `prefix` leads from the root to the folder `base` that the selector's paths are relative to.
  init(_ selector: BackgroundManifest.Selector, below prefix: String, in base: String) throws(Mistake) {
    switch selector {
    case .file(let path): try take(path, prefix, as: prefix.isEmpty ? nil : path)
    case .directory(let path): try take(path, prefix, as: prefix.isEmpty ? nil : path + "/")
    case .fileSource(let path, let destination): try take(path, prefix, as: destination)
    case .directorySource(let path, let destination): try take(path, prefix, as: destination + "/")
    case .filePattern(let glob): try take(glob: glob, prefix)
    case .fileExclusion(let path): exclusion = try Self.glob(path, prefix)
    }
  }

  private mutating func take(_ path: String, _ prefix: String, as target: String?) throws(Mistake) {
    guard let own = try? RelativePath(path), let whole = try? RelativePath(Self.below(prefix, own.text))
    else {
      throw Mistake(path: path)
    }
    text = whole.text
    pattern = .path(whole)
    guard let target else { return }
    guard let destination = try? RelativePath(target) else { throw Mistake(path: target) }
    // A rule without a destination says the same.
    if destination == whole { return }
    self.destination = ResourceRule.Destination(path: destination, isFolder: false)
  }

  private mutating func take(glob: String, _ prefix: String) throws(Mistake) {
    let whole = try Self.glob(glob, prefix)
    text = whole.text
    pattern = .glob(whole)
    if prefix.isEmpty { return }
    // A destination replaces the part in front of the first wildcard.
    let parts = glob.split(separator: "/")
    let fixed = parts.prefix { part in !part.contains(where: "*?[{".contains) }
    let kept = fixed.count == parts.count ? fixed.dropLast() : fixed
    guard let folder = try? RelativePath(kept.isEmpty ? "." : kept.joined(separator: "/")) else {
      throw Mistake(path: glob)
    }
    destination = ResourceRule.Destination(path: folder, isFolder: true)
  }

  private static func glob(_ text: String, _ prefix: String) throws(Mistake) -> Glob {
    guard (try? RelativePath(text)) != nil, let glob = try? Glob(below(prefix, text)) else {
      throw Mistake(path: text)
    }
    return glob
  }

  private static func below(_ prefix: String, _ path: String) -> String {
    prefix.isEmpty ? path : path == "." ? prefix : "\(prefix)/\(path)"
  }

  /// The rule that gives the files a tag; nil for an exclusion.
  func rule(_ tag: Located<String>) -> ResourceRule? {
    guard let pattern else { return nil }
    return ResourceRule(pattern: pattern, text: Located(text, at: 0), tags: [tag], destination: destination)
  }
}
