import Foundation
import OnDemand

/// The options that `od_open` accepts as JSON.
///
/// The keys are the names of the properties of `PackStore.Options`.
struct OptionsText: Decodable {
  private var connections: Int?
  private var servers: [String]?
  private var patience: Double?
  private var space: Int64?
  private var inUse: Int64?
  private var bundleIdentifier: String?
  private var minimumRelease: Int64?
  private var publicKeys: [String]?
  private var headers: [String: String]?
  private var allowsCellular: Bool?
  private var allowsConstrained: Bool?
  private var waitsForFolder: Bool?
  private var keepsArchives: Bool?

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case connections, servers, patience, space, inUse, bundleIdentifier, minimumRelease, publicKeys, headers
    case allowsCellular, allowsConstrained, waitsForFolder, keepsArchives
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads options from JSON, and rejects unknown options.
  static func options(of json: String) throws(OptionsError) -> PackStore.Options {
    do {
      let data = Data(json.utf8)
      let keys = try JSONDecoder().decode(Keys.self, from: data)
      let known = Set(CodingKeys.allCases.map(\.rawValue))
      if let unknown = keys.names.first(where: { !known.contains($0) }) {
        throw OptionsError(description: "the option \"\(unknown)\" is unknown")
      }
      return try JSONDecoder().decode(OptionsText.self, from: data).options()
    } catch let error as OptionsError {
      throw error
    } catch let DecodingError.typeMismatch(_, context), let DecodingError.valueNotFound(_, context) {
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      throw OptionsError(description: "the option \"\(path)\" has a value of another type")
    } catch {
      throw OptionsError(description: "the options are not a JSON object")
    }
  }

  private struct Keys: Decodable {
    let names: [String]

    init(from decoder: any Decoder) throws {
      names = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue).sorted()
    }
  }

  private func options() throws(OptionsError) -> PackStore.Options {
    var options = PackStore.Options()
    if let connections { options.connections = connections }
    options.servers = try (servers ?? []).map { text throws(OptionsError) in
      guard let url = URL(string: text) else {
        throw OptionsError(description: "the server \"\(text)\" is not a URL")
      }
      return url
    }
    if let patience { options.patience = patience }
    options.space = space
    if let inUse { options.inUse = inUse }
    options.bundleIdentifier = bundleIdentifier
    options.minimumRelease = minimumRelease
    if let publicKeys { options.publicKeys = publicKeys }
    if let headers { options.headers = headers }
    if let allowsCellular { options.allowsCellular = allowsCellular }
    if let allowsConstrained { options.allowsConstrained = allowsConstrained }
    if let waitsForFolder { options.waitsForFolder = waitsForFolder }
    if let keepsArchives { options.keepsArchives = keepsArchives }
    return options
  }
}
