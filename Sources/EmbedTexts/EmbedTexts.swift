import Foundation
import PackagePlugin

/// Makes constants of a target's text files, so that the program needs none beside it: of `name.js`, `name`.
@main struct EmbedTexts: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
    let files = target.sourceModule?.sourceFiles.map(\.url) ?? []
    let script = """
      { echo "let $1: StaticString = ###\\"\\"\\""; cat "$2"; echo "\\"\\"\\"###"; } > "$3"
      """
    // The catalog of pages counts as a file too, and would hide the module by its name.
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
