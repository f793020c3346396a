import Findings
import Formats
import PackKit
import System

/// Models `AssetPackManifest.plist`, which lists for devices where to download each pack.
package struct AssetPackManifest: Sendable {
  /// One pack to download.
  struct Resource: Sendable {
    let identifier: String
    let url: String
    /// Changes with the content; devices only compare it.
    let contentHash: String
    /// The size of the files in bytes, including the pack's Info.plist.
    let size: Int64
    let priority: Double?

    fileprivate func item(_ form: Form) -> PlistItem {
      let isStreamable = url.hasPrefix("http:") || url.hasPrefix("https:")
      var members: [String: PlistItem] = [
        "URL": .string(url), "bundleKey": .string(identifier),
        "isStreamable": form == .export ? .integer(isStreamable ? 1 : 0) : .bool(isStreamable),
        "primaryContentHash": .dictionary(["hash": .string(contentHash), "strategy": .string("modtime")]),
        "uncompressedSize": .integer(size),
      ]
      members["downloadPriority"] = priority.map(PlistItem.real)
      return .dictionary(members)
    }
  }

  /// The tool of Xcode's whose form the list has.
  enum Form {
    /// The build: keys are sorted.
    case build
    /// The export of an archive for a web server: keys have an order of their own, and a boolean is a number.
    case export
  }

  let resources: [Resource]
  var form = Form.build

  /// The keys of a resource in an export, as five published ones have them.
  private static let exportOrder = [
    "URL", "uncompressedSize", "primaryContentHash", "bundleKey", "isStreamable",
  ]

  var bytes: ByteBuffer {
    let items = resources.sorted { $0.identifier < $1.identifier }.map { $0.item(form) }
    return BinaryPlist.bytes(
      of: .dictionary(["resources": .array(items)]), order: form == .export ? Self.exportOrder : [])
  }
}

extension PackLocation {
  /// A warning on a prefix from which no useful URL comes; `example` is one, in place of the first pack's.
  func findings(about plan: PackPlan, example: String? = nil) -> [Diagnostic] {
    guard case .prefix(let prefix) = self, let pack = plan.packs.first else { return [] }
    let url = example ?? url(ofPackFolder: pack.identity.name + PublishedNames.packSuffix, in: [])
    let rest = prefix.lowercased()
    let mistake: String? =
      if !rest.contains("://") {
        "has no scheme, such as \"https://\""
      } else if !["/", "?", "="].contains(where: prefix.hasSuffix) {
        "does not end in \"/\", and nothing is put between it and a pack's name"
      } else if rest.hasPrefix("http://"), !isLocal(rest.dropFirst(7).prefix { $0 != "/" }) {
        "is not \"https://\", so App Transport Security lets no app load from it"
      } else {
        nil
      }
    return mistake.map {
      let message = "the URL prefix \(quoted(prefix)) \($0); a pack's URL is \(quoted(url))"
      return [Diagnostic(.doubtfulURLPrefix, message, at: Place(plan.manifest.text.path))]
    } ?? []
  }

  /// Whether a host is this machine, or one of a local network, which App Transport Security may let pass.
  private func isLocal(_ authority: Substring) -> Bool {
    let host = authority.split(separator: "@").last?.prefix { $0 != ":" } ?? ""
    return authority.hasPrefix("[") || !host.contains(".") || host.hasSuffix(".local")
      || ["127.", "10.", "192.168."].contains(where: host.hasPrefix)
  }
}
