import Foundation
import Support
import Testing
@testable import packtool

/// Makes files with sizes in kilobytes, and returns the rules and lists of the proposed manifest.
///
/// The proposal must validate without warnings.
func proposed(_ files: [String: Int64]) throws -> [String] {
  let folder = try TemporaryFolder()
  for (path, size) in files { try folder.writeSparse(path, size: size * 1000) }
  let run = runTool("init", folder.path, "--bundle-identifier", "a.b")
  #expect(run.status == .done, "\(run.errors)")
  let check = runTool("validate", "--strict", folder.path)
  #expect(check.status == .done, "\(check.errors)")
  let manifest = try #require(
    JSONSerialization.jsonObject(with: folder.read("Manifest.json")) as? [String: Any])
  let rules = (manifest["resources"] as? [[String: Any]] ?? []).map { rule in
    let tags = (rule["tags"] ?? rule["tagTemplates"]) as? [String] ?? []
    let excepts = (rule["except"] as? [String]).map { " except \($0.joined(separator: ", "))" } ?? ""
    return "\(rule["path"] ?? rule["glob"] ?? "") = \(tags.joined(separator: ", "))\(excepts)"
  }
  let lists = [("initial", "initialInstallTags"), ("prefetch", "prefetchTagOrder")].compactMap {
    name, key in
    (manifest[key] as? [String]).map { "\(name) \($0.joined(separator: ", "))" }
  }
  return rules + lists
}

/// Returns a size in kilobytes for each name.
func files(_ names: [String], size: Int64) -> [String: Int64] {
  Dictionary(uniqueKeysWithValues: names.map { ($0, size) })
}
