import Foundation
import PackagePlugin

/// Turns a target's text files into constants, so that the program does not need these files at run time.
///
/// The constant for `name.js` is `name`.
@main struct EmbedTexts: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
    let files = target.sourceModule?.sourceFiles.map(\.url) ?? []
    let script = """
      { echo "let $1: StaticString = ###\\"\\"\\""; cat "$2"; echo "\\"\\"\\"###"; } > "$3"
      """
    // The list of files also contains the documentation catalog. A constant with the catalog's name would
    // hide the module.
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
