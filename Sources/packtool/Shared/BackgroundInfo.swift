import Formats
import Model
import Pipeline
import System

struct BackgroundInfo {
  private let release: Release
  private let path: String

  private static let managed = "BAHasManagedAssetPacks"
  private static let appleHosting = "BAUsesAppleHosting"
  private static let group = "BAAppGroupID"
  private static let manifestURL = "BAManifestURL"
  private static let restrictions = "BAInitialDownloadRestrictions"
  private static let domains = "BADownloadDomainAllowList"
  private static let installSizes: [(key: String, delivery: Delivery)] = [
    ("BAEssentialMaxInstallSize", .initialInstall), ("BAMaxInstallSize", .prefetch),
  ]
  private static let allowances: [(key: String, delivery: Delivery)] = [
    ("BAEssentialDownloadAllowance", .initialInstall), ("BADownloadAllowance", .prefetch),
  ]
  /// The number of bytes that the allowances in the Info.plist include for the overhead of archives and of
  /// the download manifest.
  private static let margin: Int64 = 1 << 20

  init(_ release: Release, infoPlistPath: String) { (self.release, self.path) = (release, infoPlistPath) }

  private func size(_ delivery: Delivery) -> Int64 { release.count(of: delivery).size }

  /// Returns the keys as a property list.
  ///
  /// If `manifestURL` is nil, the result contains the keys for packs that Apple hosts.
  func plist(manifestURL: String?) -> PlistItem {
    var keys: [String: PlistItem] = [
      Self.managed: .bool(true), Self.appleHosting: .bool(manifestURL == nil),
      Self.group: .string("group.\(release.bundleIdentifier)"),
    ]
    guard let manifestURL else { return .dictionary(keys) }
    keys[Self.manifestURL] = .string(manifestURL)
    for (key, delivery) in Self.installSizes { keys[key] = .integer(size(delivery)) }
    var restrictions: [String: PlistItem] = [Self.domains: .strings([Self.host(of: manifestURL)])]
    for (key, delivery) in Self.allowances {
      restrictions[key] = .integer(size(delivery).saturatingSum(with: Self.margin))
    }
    keys[Self.restrictions] = .dictionary(restrictions)
    return .dictionary(keys)
  }

  private static func host(of url: String) -> String {
    let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
    return String(rest.prefix { !"/:?".contains($0) })
  }

  func findings() throws(SystemError) -> [Diagnostic] {
    guard case .bytes(let bytes) = try FileContents(of: path, limit: PropertyList.maxSize) else {
      return [finding("\(quoted(path)) is not a file, or is too large")]
    }
    do throws(PropertyList.Damage) { return findings(about: try PropertyList.read(bytes)) } catch {
      return [finding("\(quoted(path)) is not a property list: \(error.reason)")]
    }
  }

  private func finding(_ message: String, severity: Severity? = nil) -> Diagnostic {
    Diagnostic(.infoPlist, message: message, at: Place(path), severity: severity)
  }

  private func findings(about list: PlistItem) -> [Diagnostic] {
    var found: [Diagnostic] = []
    if list[Self.group]?.string?.isEmpty ?? true {
      found.append(
        finding("\(Self.group) is missing; set it to the app group of the app and its downloader extension"))
    }
    if list[Self.appleHosting] == .bool(true) {
      let others = ([Self.manifestURL, Self.restrictions] + Self.installSizes.map(\.key)).filter {
        list[$0] != nil
      }
      if !others.isEmpty {
        found.append(
          finding(
            "packs that Apple hosts do not use \(listed(others)); remove "
              + "\(others.count == 1 ? "this key" : "these keys")",
            severity: .warning))
      }
      return found
    }
    if list[Self.managed] != .bool(true) {
      found.append(finding("\(Self.managed) is not true, so the system does not manage packs"))
    }
    let url = list[Self.manifestURL]?.string ?? ""
    if !url.lowercased().hasPrefix("https://") {
      found.append(
        finding(
          "\(Self.manifestURL) is not an https:// URL of the download manifest; if Apple hosts the packs, "
            + "set \(Self.appleHosting) instead"
        ))
    }
    for (key, delivery) in Self.installSizes {
      found += sizeFindings(key, stated: list[key], packSize: size(delivery), delivery: delivery)
    }
    guard let restrictions = list[Self.restrictions], restrictions.members != nil else {
      return found + [
        finding("\(Self.restrictions) is missing; without this key, the system kills an app that uses packs")
      ]
    }
    let host = Self.host(of: url)
    let domains = restrictions[Self.domains]?.strings ?? []
    if !domains.contains(where: { $0 == host || ($0.hasPrefix("*.") && host.hasSuffix($0.dropFirst())) }) {
      found.append(
        finding("\(Self.domains) does not contain \(quoted(host)), the host of the download manifest"))
    }
    for (key, delivery) in Self.allowances {
      found += sizeFindings(
        key, stated: restrictions[key], packSize: size(delivery), delivery: delivery, counted: .archives)
    }
    return found
  }

  /// Whether the bytes of a size are bytes of files or of archives.
  private enum CountedBytes {
    case files
    /// They are bytes of archives.
    ///
    /// An archive can be smaller than its files.
    case archives
  }

  /// Returns the finding about a size in bytes.
  private func sizeFindings(
    _ key: String, stated item: PlistItem?, packSize: Int64, delivery: Delivery,
    counted bytes: CountedBytes = .files
  ) -> [Diagnostic] {
    guard case .integer(let stated)? = item, stated >= 0 else {
      return [
        finding(
          "\(key) is not a number of bytes; the packs of the \(delivery.title) have "
            + "\(counted(packSize, of: "byte"))"
        )
      ]
    }
    let what =
      "\(key) is \(grouped(stated)), but the packs of the \(delivery.title) have "
      + "\(counted(packSize, of: "byte"))"
    if stated < packSize {
      return [finding(what, severity: bytes == .archives && stated > 0 ? .warning : nil)]
    }
    let isMuch = stated - packSize > max(packSize / 10, Self.margin)
    return isMuch
      ? [finding("\(what); the App Store shows the value of this key as the size", severity: .warning)] : []
  }
}

// Writes property lists as text.
extension PlistItem {
  private func lines(level: Int = 0) -> [String] {
    let indent = String(repeating: "  ", count: level)
    switch self {
    case .dictionary(let members):
      let inner = members.sorted { $0.key.precedesInBytes($1.key) }.flatMap { key, value in
        ["\(indent)  <key>\(xmlEscaped(key))</key>"] + value.lines(level: level + 1)
      }
      return ["\(indent)<dict>"] + inner + ["\(indent)</dict>"]
    case .array(let items):
      return ["\(indent)<array>"] + items.flatMap { $0.lines(level: level + 1) } + ["\(indent)</array>"]
    case .bool(let value): return ["\(indent)<\(value)/>"]
    case .integer(let value): return ["\(indent)<integer>\(value)</integer>"]
    case .unsigned(let value): return ["\(indent)<integer>\(value)</integer>"]
    case .string(let text): return ["\(indent)<string>\(xmlEscaped(text))</string>"]
    case .real, .date, .data: return []
    }
  }

  var document: String {
    let head = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """
    return head + lines().joined(separator: "\n") + "\n</plist>"
  }
}
