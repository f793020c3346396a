@testable import Formats
@testable import System

/// What libFuzzer calls with one input after the other; a crash, a trap, a hang or too much memory is a find.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  FuzzTarget.chosen.run(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

extension FuzzTarget {
  /// The target that the environment names: one program serves all.
  static let chosen: FuzzTarget = {
    let name = ThisProcess.environment["FUZZ_TARGET"] ?? ""
    if let target = FuzzTarget(rawValue: name) { return target }
    let names = allCases.map(\.rawValue).joined(separator: ", ")
    try? StandardStream.error.write("FUZZ_TARGET is \"\(name)\"; expected one of \(names)\n")
    ThisProcess.end(2)
  }()
}
