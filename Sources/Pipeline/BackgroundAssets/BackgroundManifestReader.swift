import Model
package import Formats

/// Reads a manifest of `ba-package` and reports every mistake in it.
package struct BackgroundManifestReader {
  /// The manifest; nil if it lacks an id, a policy or selectors.
  package private(set) var manifest: BackgroundManifest?
  /// All findings.
  package var diagnostics: [Diagnostic] { findings.findings }
  private var findings = FindingList()
  private let text: SourceText

  /// The maximum size of a manifest in bytes.
  package static let maxSize = 64 << 20

  /// Reads a manifest from its text.
  ///
  /// Packs on the developer's own server can have any names as ids.
  package init(text: SourceText, packHost host: AssetPackHost = .apple) {
    self.text = text
    let (value, mistakes) = JSONReader.read(text)
    findings.add(mistakes)
    guard let value else { return }
    var checker = ShapeChecker(text: text)
    checker.check(value, shape: Self.shape, key: "")
    findings.add(checker.findings)
    checkNames(in: value, host: host)
    checkPolicy(of: value)
    // packtool can use a manifest even if App Store Connect rejects its id, because a pack on the developer's
    // own server can have such an id.
    if findings.findings.contains(where: { $0.severity == .error && $0.check != .invalidPackID }) { return }
    guard let id = value.member("assetPackID")?.string, let policy = Self.policies(of: value).first else {
      return
    }
    let selectors = value.member("fileSelectors")?.elements?.compactMap(BackgroundManifest.Selector.init)
    var manifest = BackgroundManifest(id: id, policy: policy, selectors: selectors ?? [])
    manifest.platforms = value.member("platforms")?.elements?.compactMap(\.string) ?? []
    manifest.sourceRoot = value.member("sourceRoot")?.string
    manifest.language = value.member("language")?.string
    manifest.userInfo = value.member("userInfo").map(JSONText.read)
    manifest.places = Self.places(in: value)
    self.manifest = manifest
  }

  private static func places(in value: JSONValue) -> BackgroundManifest.Places {
    func offset(of key: String) -> Int { value.member(key)?.offset ?? value.offset }
    return BackgroundManifest.Places(
      id: offset(of: "assetPackID"), policy: offset(of: "downloadPolicy"), platforms: offset(of: "platforms"),
      language: offset(of: "language"), userInfo: offset(of: "userInfo"))
  }

  private mutating func checkNames(in value: JSONValue, host: AssetPackHost) {
    if let member = value.member("assetPackID"), let id = member.string,
      let mistake = AssetPackID.mistake(in: id, host: host)
    {
      report(
        AssetPackID.isName(id) ? .invalidPackID : .invalidValue, message: "the id \(quoted(id)) \(mistake)",
        at: member.offset)
    }
    for element in value.member("platforms")?.elements.map(Array.init) ?? [] {
      guard let name = element.string, let mistake = AssetPlatform.mistake(in: name) else { continue }
      report(.unknownPlatform, message: "\(quoted(name)) \(mistake)", at: element.offset)
    }
  }

  private mutating func checkPolicy(of value: JSONValue) {
    guard let offset = value.member("downloadPolicy")?.offset else { return }
    let count = Self.policies(of: value).count
    if count > 1 {
      report(.invalidValue, message: "a pack must have exactly one download policy, not \(count)", at: offset)
    } else if count == 0 && !findings.findings.hasErrors {
      let names = Delivery.allCases.map(\.policyName)
      report(.missingKey, message: "expected exactly one of the keys \(listed(names))", at: offset)
    }
  }

  private mutating func report(_ check: Check, message: String, at offset: Int) {
    findings.add(Diagnostic(check, message: message, at: text.place(at: offset)))
  }

  /// Returns the download policies in a manifest.
  ///
  /// A valid manifest has exactly one policy.
  private static func policies(of value: JSONValue) -> [BackgroundManifest.Policy] {
    Delivery.allCases.compactMap { delivery in
      value.member("downloadPolicy")?.member(delivery.policyName).map { policy in
        let names = policy.member("installationEventTypes")?.elements?.compactMap(\.string) ?? []
        return BackgroundManifest.Policy(
          delivery: delivery, events: Set(names.compactMap(BackgroundManifest.InstallationEvent.init)))
      }
    }
  }

  private static let shape = Shape.object(
    ObjectShape(keys: [
      KeyShape("assetPackID", shape: .text(.anything), isRequired: true),
      KeyShape(
        "downloadPolicy", shape: .object(ObjectShape(keys: Delivery.allCases.map(policyKey))),
        isRequired: true),
      KeyShape(
        "fileSelectors", shape: .list(of: .object(BackgroundManifest.Selector.shape), atLeast: 1),
        isRequired: true),
      KeyShape("platforms", shape: .list(of: .text(.anything), atLeast: 0)),
      KeyShape("sourceRoot", shape: .text(.anything)),
      KeyShape("language", shape: .text(.anything)),
      KeyShape("userInfo", shape: .anything),
    ]))

  private static func policyKey(_ delivery: Delivery) -> KeyShape {
    let events = Shape.choice(BackgroundManifest.InstallationEvent.allCases.map(\.rawValue))
    let key = KeyShape("installationEventTypes", shape: .list(of: events, atLeast: 1), isRequired: true)
    return KeyShape(
      delivery.policyName, shape: .object(ObjectShape(keys: delivery == .onDemand ? [] : [key])))
  }
}

extension BackgroundManifest.Selector {
  private static let pathKeys = Kind.allCases.map(\.rawValue)

  fileprivate static let shape = ObjectShape(
    keys: (pathKeys + Kind.allCases.compactMap(\.destinationKey)).map {
      KeyShape($0, shape: .text(.anything))
    },
    oneOf: pathKeys)

  /// Creates the selector from a value that has the required shape.
  fileprivate init?(_ value: JSONValue) {
    for kind in Kind.allCases {
      guard let member = value.member(kind.rawValue), let path = member.string else { continue }
      self.init(
        kind: kind, path: path, destination: kind.destinationKey.map { value.member($0)?.string ?? path },
        offset: member.offset)
      return
    }
    return nil
  }
}
