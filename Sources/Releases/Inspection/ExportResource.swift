import Findings
import Formats
import PackKit
import System

/// One pack's entry in a manifest.
extension PlistItem {
  /// Its mistakes, whatever the packs are.
  var faults: [String] {
    var faults: [String] = []
    if self["primaryContentHash"]?["hash"]?.string == nil {
      faults.append("has no \"primaryContentHash\" with a \"hash\", by which devices see that it has changed")
    }
    guard let url = self["URL"]?.string else { return faults + ["has no \"URL\""] }
    let parts = url.prefix { $0 != "/" }.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count > 1, !["http", "https"].contains(parts[0].lowercased()) {
      faults.append("has the URL \(quoted(url)); devices fetch by \"http:\" or \"https:\"")
    }
    return faults
  }

  /// Its traits that do not hold for a pack.
  func mistakes(about pack: PackListing, amongVariants: Bool) -> [String] {
    var mistakes: [String] = []
    if let size = self["uncompressedSize"]?.number, !pack.plausibleSizes.contains(size) {
      mistakes.append(
        "the manifest says \(ByteSize.exact(Int64(clamping: size))) and the pack's files have \(ByteSize.number(pack.size))"
      )
    }
    if self["downloadPriority"]?.number != pack.priority {
      mistakes.append("the manifest and the pack's Info.plist have other priorities")
    }
    if let hash = self["primaryContentHash"]?["hash"]?.string, hash.hasPrefix("sha256:"),
      hash != pack.digest.prefixed
    {
      mistakes.append("the manifest says the digest \(hash) and the files have \(pack.digest.prefixed)")
    }
    if let url = self["URL"]?.string, !names(pack), !amongVariants || !pack.isThinned(from: url) {
      mistakes.append("the manifest's URL \(quoted(url)) does not end in the pack's name")
    }
    return mistakes
  }

  /// Whether the URL of a resource ends in a pack's name; true without a URL.
  func names(_ pack: PackListing) -> Bool {
    guard let url = self["URL"]?.string else { return true }
    let name = lastName(of: pack.path)
    return url.hasSuffix(name)
      || url.hasSuffix(PercentEncoding.text(of: name.utf8, leaving: PercentEncoding.applePack))
  }
}

extension PackListing {
  /// The digest of the tags in Xcode's identifiers, which is also in all names of the pack; nil in other identifiers.
  private var tagDigest: String? {
    guard let identifier, let mark = identifier.firstRange(of: PackIdentity.mark) else { return nil }
    return String(identifier[mark.upperBound...])
  }

  /// Whether a URL is that of the same pack under the name of another variant.
  fileprivate func isThinned(from url: String) -> Bool {
    guard let tagDigest, let name = url.split(separator: "/").last else { return false }
    return name.contains("-\(tagDigest)") && lastName(of: path).contains("-\(tagDigest)")
  }

  /// Whether two packs are the same one for different devices: their names differ in what follows the digest.
  func isVariant(of other: PackListing) -> Bool {
    guard let tagDigest, tags == other.tags else { return false }
    let fronts = [self, other].map { lastName(of: $0.path).firstRange(of: "-\(tagDigest)")?.upperBound }
    guard let first = fronts[0], let second = fronts[1] else { return false }
    let (name, otherName) = (lastName(of: path), lastName(of: other.path))
    return name != otherName && name[..<first] == otherName[..<second]
  }

  /// The sizes that a manifest may give for the pack: that of the files, and, as Xcode does, with the folders inside as
  /// Apple's file systems count them: 32 or 34 bytes for each entry and two more.
  fileprivate var plausibleSizes: [Double] {
    var entries: [String: Set<String>] = [:]
    for folder in folders where !Self.isAbout(folder) { entries[folder, default: []].formUnion([]) }
    for path in (files.map(\.path) + folders) where !Self.isAbout(path) {
      var child = path
      for folder in foldersAbove(path).reversed() {
        entries[folder, default: []].insert(child)
        child = folder
      }
    }
    let things = entries.values.reduce(0) { $0 + $1.count + 2 }
    return [0, 32, 34].map { Double(size) + Double(things * $0) }
  }
}

extension Int64 {
  /// The nearest integer; 0 for NaN.
  fileprivate init(clamping value: Double) {
    self = value.isNaN ? 0 : value >= 9.2e18 ? .max : value <= -9.2e18 ? .min : Int64(value)
  }
}
