import Flags
import PackKit

extension Command {
  private struct SchemaOptions: Sendable {}

  /// The command `packtool schema`.
  static let schema = Command(
    CommandSyntax<SchemaOptions>(name: "schema", summary: "print the JSON Schema of manifests"),
    SchemaOptions.init
  ) { _, _, session in
    try session.print(ManifestSchema.text, as: .json)
    return .done
  }
}
