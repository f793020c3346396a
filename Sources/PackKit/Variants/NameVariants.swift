import Findings
import Formats
import System

/// The variants that suffixes of names tell: `name[@2x|@3x][~iphone|~ipad].ext` beside `name.ext`.
struct NameVariants {
  /// The assets of more than one file, or of files with a suffix.
  private(set) var assets: [LooseAsset] = []
  /// The files whose name and rules give them different traits.
  private var conflicts: [AssetFile] = []

  /// The variants of a tree's files outside catalogs, with the traits that their rules give them.
  init(of tree: AssetTree, _ rules: RuleTraits) {
    let loose = tree.files.indices.filter { !isInCatalog(tree.files[$0].path) }
    let names = loose.map { VariantName(tree.files[$0].packPath) }
    let wanted = Set(names.lazy.filter { $0.traits != .none }.map(\.path))
    var numbers: [ByteKey: Int] = [:]
    for (number, name) in zip(loose, names) where wanted.contains(name.path) {
      let asset = numbers[name.path] ?? assets.count
      if asset == assets.count {
        numbers[name.path] = asset
        assets.append(LooseAsset(name: name.path.text))
      }
      let (traits, differs) = name.traits.adding(rules.traits[Int32(number)] ?? .none)
      if differs { conflicts.append(tree.files[number]) }
      assets[asset].variants.append((Int32(number), traits))
    }
  }

  /// Findings about files whose name says something else than their rules.
  func findings(in manifest: Manifest) -> FindingList {
    FindingList(
      conflicts.lazy.map { file in
        Diagnostic(
          .conflictingTraits,
          "the name of \(quoted(file.path)) says another scale or idiom than its rules, which count",
          at: Place(joined(manifest.rootPath, file.path)), severity: .warning)
      })
  }
}

/// The name of a file with the traits that its suffixes tell.
struct VariantName {
  let traits: Traits
  /// The path without the suffixes.
  let path: ByteKey

  private static let scales: [(suffix: String, scale: Int)] = [("@2x", 2), ("@3x", 3)]
  private static let idioms: [(suffix: String, idiom: Idiom)] = [("~iphone", .phone), ("~ipad", .pad)]

  /// Reads a path whose last name may have suffixes in front of its extension.
  init(_ path: String) {
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8[path.utf8.index(after: $0)...] }
    let bytes = name ?? path.utf8[...]
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), bytes.index(after: dot) < bytes.endIndex else {
      self.path = ByteKey(path)
      traits = .none
      return
    }
    var stem = bytes[..<dot]
    var traits = Traits()
    if let found = Self.idioms.first(where: { stem.ends(in: $0.suffix) }) {
      traits.idiom = found.idiom
      stem = stem.dropLast(found.suffix.utf8.count)
    }
    if let found = Self.scales.first(where: { stem.ends(in: $0.suffix) }) {
      traits.scale = found.scale
      stem = stem.dropLast(found.suffix.utf8.count)
    }
    // What is nothing but suffixes is a name.
    self.traits = stem.isEmpty ? .none : traits
    self.path = stem.isEmpty ? ByteKey(path) : ByteKey(String(path[..<stem.endIndex] + path[dot...]))
  }
}

extension Substring.UTF8View {
  fileprivate func ends(in suffix: String) -> Bool {
    self.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }
}
