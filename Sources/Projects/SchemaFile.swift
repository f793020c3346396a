import Findings
import PackKit
package import System

/// The JSON Schema of manifests, as a file that editors find by the key `$schema`.
package enum SchemaFile {
  /// The file name that the output of `packtool schema` is meant to be saved under.
  private static let name = "Manifest.schema.json"

  /// Its path as seen from the folder of a manifest: of one there or in a folder above, else beside the manifest.
  package static func path(seenFrom manifest: String) throws(SystemError) -> String {
    var folder = folderPath(of: manifest)
    var path = name
    var last: FileIdentity?
    while let status = try FileOperations.statusIfThere(folder), status.identity != last {
      if try FileOperations.exists(joined(folder, name)) { return path }
      last = status.identity
      folder = joined(folder, "..")
      path = "../" + path
    }
    return name
  }
}
