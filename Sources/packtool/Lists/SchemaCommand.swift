import Spelling
import Findings
import Flags
import PackKit
import Simulation

extension Command {
  /// A file format that has a schema.
  private enum Schema: String, CaseIterable {
    case manifest
    case scenario

    var text: String {
      switch self {
      case .manifest: Manifest.schemaText
      case .scenario: ScenarioSchema.text
      }
    }
  }

  /// The command `packtool schema [manifest|scenario]`.
  static let schema = Command(
    CommandSyntax<NoOptions>(
      name: "schema", summary: "print the JSON Schema of manifests, or of scenarios",
      arguments: [
        Argument(
          "FORMAT", summary: "manifest (the default) or scenario",
          kind: .choice(Schema.allCases.map(\.rawValue)), count: 0...1)
      ]), NoOptions.init
  ) { _, arguments, session in
    let name = arguments.first ?? Schema.manifest.rawValue
    guard let schema = Schema(rawValue: name) else {
      let guess = suggestion(nearest(to: name, in: Schema.allCases.map(\.rawValue)))
      return session.refuse(
        "there is no schema of \(quoted(name))\(guess.isEmpty ? "; name manifest or scenario" : guess)")
    }
    try session.print(Output(json: schema.text))
    return .done
  }
}
