@testable import Formats
@testable import System

/// libFuzzer calls this function with one input after another.
///
/// A crash, a trap, a hang or high memory use is a failure.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  FuzzTarget.chosen.run(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

extension FuzzTarget {
  /// The target that the environment variable selects.
  ///
  /// All targets are in one program.
  static let chosen: FuzzTarget = {
    let name = ThisProcess.environment.all["FUZZ_TARGET"] ?? ""
    if let target = FuzzTarget(rawValue: name) { return target }
    let names = allCases.map(\.rawValue).joined(separator: ", ")
    try? StandardStream.error.write("FUZZ_TARGET is \"\(name)\"; expected one of \(names)\n")
    ThisProcess.end(2)
  }()
}
