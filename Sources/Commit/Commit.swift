import Foundation
import PackagePlugin

/// Writes the commit of the working copy into the program, before each build.
@main struct Commit: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
    let folder = context.pluginWorkDirectoryURL
    // Only a commit that changed is written, for a new file makes a new build of its target.
    let script = """
      commit=$(git -C "$1" rev-parse HEAD 2>/dev/null) || commit=unknown
      text="/// The commit that the program was built of, or \\"unknown\\".
      let builtCommit = \\"$commit\\""
      mkdir -p "$2" && if [ "$text" != "$(cat "$2/BuiltCommit.swift" 2>/dev/null)" ]; then
      echo "$text" > "$2/BuiltCommit.swift"; fi
      """
    return [
      .prebuildCommand(
        displayName: "Reading the commit", executable: URL(fileURLWithPath: "/bin/sh"),
        arguments: ["-c", script, "sh", context.package.directoryURL.path, folder.path],
        outputFilesDirectory: folder)
    ]
  }
}
