import Foundation
import PackagePlugin

/// Before each build, generates Swift files that contain the commit of the working copy and the pages that
/// `packtool help` shows.
@main struct EmbedCommitAndPages: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
    let folder = context.pluginWorkDirectoryURL
    // Only changed files are written, because a file with a newer time would make the build system rebuild
    // the target.
    let script = """
      commit=$(git -C "$1" rev-parse HEAD 2>/dev/null) || commit=unknown
      write() { if [ "$2" != "$(cat "$1" 2>/dev/null)" ]; then printf '%s\\n' "$2" > "$1"; fi; }
      mkdir -p "$2"
      write "$2/BuiltCommit.swift" "/// The commit that the program was built of, or \\"unknown\\".
      let builtCommit = \\"$commit\\""
      pages='/// All pages of the documentation for users, by the names of their files.
      let searchedPages: [String: String] = ['
      for page in "$1"/Sources/packtool/packtool.docc/*.md; do
      pages="$pages
      \\"${page##*/}\\": ###\\"\\"\\"
      $(cat "$page")
      \\"\\"\\"###,"
      done
      write "$2/BuiltPages.swift" "$pages
      ]"
      """
    return [
      .prebuildCommand(
        displayName: "Reading the commit and the pages", executable: URL(fileURLWithPath: "/bin/sh"),
        arguments: ["-c", script, "sh", context.package.directoryURL.path, folder.path],
        outputFilesDirectory: folder)
    ]
  }
}
