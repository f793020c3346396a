import Findings
import PackKit
import Releases

/// What came of unpacking.
struct UnpackingReport {
  let unpacking: Unpacking
  /// The folder that was written to, as the user typed it.
  let output: String
  let findings: Findings
  let isQuiet: Bool

  /// Whether nothing was written: a finding that stops the unpacking is an error whatever the flags say.
  var isRefused: Bool { unpacking.diagnostics.hasErrors }

  /// Whether people are told what was written.
  var isTold: Bool { !isRefused && !isQuiet }

  var text: PlainText {
    let count = unpacking.written
    return "wrote \(counted(count.files, "file")), \(ByteSize.text(count.size)), of "
      + "\(counted(unpacking.packs.count, "pack")) to \(displayed(output))\n"
  }
}
