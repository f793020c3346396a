import Flags

extension Flag {
  /// The flag `--pointers` of a command that reads the files of a manifest.
  static func pointers(into target: Target<Bool>) -> Flag {
    .toggle(
      "--pointers", summary: "take a Git LFS pointer or git-annex key for the file that it stands for",
      sets: target)
  }
}
