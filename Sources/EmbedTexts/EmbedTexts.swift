import Foundation
import PackagePlugin

/// Turns a target's text files into constants, so that the program needs no files next to it.
///
/// The constant for `name.js` is `name`.
@main struct EmbedTexts: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
    let files = target.sourceModule?.sourceFiles.map(\.url) ?? []
    let script = """
      { echo "let $1: StaticString = ###\\"\\"\\""; cat "$2"; echo "\\"\\"\\"###"; } > "$3"
      """
    // The documentation catalog also counts as a file. A constant with its name would hide the module.
    return files.filter { !["swift", "docc"].contains($0.pathExtension) }.map { file in
      let name = file.deletingPathExtension().lastPathComponent
      let constant = context.pluginWorkDirectoryURL.appending(component: "\(name).swift")
      return .buildCommand(
        displayName: "Embedding \(file.lastPathComponent)", executable: URL(fileURLWithPath: "/bin/sh"),
        arguments: ["-c", script, "sh", name, file.path, constant.path], inputFiles: [file],
        outputFiles: [constant])
    }
  }
}
