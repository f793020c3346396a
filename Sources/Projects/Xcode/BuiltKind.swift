import Findings
import Formats
import PackKit

/// A kind of file that Xcode builds into something else instead of copying it.
struct BuiltKind {
  private let suffixes: [String]
  /// The product that Xcode makes of one, for the end of a message.
  private let product: String

  private static let all: [BuiltKind] = [
    BuiltKind(suffixes: ["png"], product: "compresses it"),
    BuiltKind(suffixes: ["tif", "tiff"], product: "may combine it with its other scales"),
    BuiltKind(suffixes: ["plist"], product: "makes it binary"),
    BuiltKind(suffixes: ["strings", "stringsdict"], product: "makes it binary"),
    BuiltKind(suffixes: ["xcstrings"], product: "makes .strings files of it"),
    BuiltKind(suffixes: ["storyboard"], product: "makes a .storyboardc of it"),
    BuiltKind(suffixes: ["xib"], product: "makes a .nib of it"),
    BuiltKind(suffixes: ["xcdatamodel", "xcdatamodeld"], product: "makes a .mom or .momd of it"),
    BuiltKind(suffixes: ["xcmappingmodel"], product: "makes a .cdm of it"),
    BuiltKind(suffixes: ["mlmodel", "mlpackage"], product: "makes an .mlmodelc of it"),
    BuiltKind(suffixes: ["atlas"], product: "makes an .atlasc of it"),
    BuiltKind(suffixes: ["scnassets", "dae"], product: "makes it ready for SceneKit"),
    BuiltKind(suffixes: ["metal"], product: "makes a default.metallib of it"),
    BuiltKind(suffixes: ["rcproject"], product: "makes a .reality of it"),
    BuiltKind(suffixes: ["intentdefinition"], product: "makes code of it"),
  ]

  /// A note for each kind among the resources, at the first of them.
  static func findings(
    about resources: [ResourceSurvey.Resource], of project: ProjectResources
  ) -> [Diagnostic] {
    var groups: [String: [ResourceSurvey.Resource]] = [:]
    for resource in resources where resource.kind != .catalog {
      let name = resource.components.last ?? ""
      guard let dot = name.lastIndex(of: ".") else { continue }
      groups[name[name.index(after: dot)...].lowercased(), default: []].append(resource)
    }
    if !project.compressesImages { groups["png"] = nil }
    return all.flatMap { kind in
      kind.suffixes.compactMap { suffix in groups[suffix].map { kind.finding(suffix, $0, project.text) } }
    }
  }

  private func finding(
    _ suffix: String, _ resources: [ResourceSurvey.Resource], _ text: SourceText
  ) -> Diagnostic {
    let count = resources.count
    let message =
      "\(grouped(count)) .\(suffix) \(count == 1 ? "file has tags and is" : "files have tags and are") packed as "
      + "\(count == 1 ? "it is" : "they are"); of each, Xcode \(product)"
    let first = resources.map(\.offset).min() ?? 0
    return Diagnostic(.builtResource, message, at: text.place(at: first))
  }
}
