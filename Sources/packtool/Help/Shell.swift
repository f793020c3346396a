/// A shell that completes command lines of packtool by a script, which asks packtool for the words.
enum Shell: String, CaseIterable, Sendable {
  case bash
  case zsh
  case fish

  /// The script for the shell to read.
  var script: String {
    switch self {
    case .bash: BashScript.text
    case .zsh: ZshScript.text
    case .fish: FishScript.text
    }
  }
}
