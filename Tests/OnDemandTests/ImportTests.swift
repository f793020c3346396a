import Foundation
import Support
import Testing

/// Tests that the library imports only modules that exist on all systems.
@Suite struct ImportTests {
  @Test func `only foundation and compression are imported`() throws {
    let folder = packageFolder + "/Sources/OnDemand"
    let allowed: Set = ["Foundation", "FoundationNetworking", "CZlib", "CZstandard", "CryptoKit", "CCrypto"]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".swift") {
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      for line in text.split(separator: "\n") {
        let words = line.split(separator: " ")
        guard let place = words.firstIndex(of: "import"), place <= 1, words.count == place + 2 else {
          continue
        }
        #expect(allowed.contains(String(words[place + 1])), "\(name): \(line)")
      }
    }
  }
}
