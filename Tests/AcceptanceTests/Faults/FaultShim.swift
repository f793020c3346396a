@testable import Archiving
@testable import Model
@testable import Pipeline
@testable import packtool
import Foundation
import Support
import Testing

/// The library `Tests/Faults/faults.c`, which makes one system call of a program fail.
struct FaultShim {
  /// A fault that the library causes at a call.
  enum Fault: Int32 {
    /// SIGKILL ends the process before the call.
    case kill = 0
    case inputOutput = 5
    case denied = 13
    case tooManyFiles = 24
    case invalid = 22
    case noSpace = 28
    case noMemory = 12
    case noLocks = 37
    case unknownCall = 38
    case overQuota = 122

    /// The kernel's message for the error, with a small first letter.
    var reason: String {
      let words = String(cString: strerror(rawValue))
      return words.prefix(1).lowercased() + words.dropFirst()
    }
  }

  /// Which system calls the library counts.
  enum Calls {
    case changingFiles
    /// The calls that read files below a folder.
    case reading(String)

    fileprivate var environment: [String: String] {
      switch self {
      case .changingFiles: [:]
      case .reading(let folder): ["FAULT_READS": folder]
      }
    }
  }

  /// A condition that affects every call.
  enum Weather: String, CaseIterable {
    /// Each read or write transfers only half of the requested bytes.
    case halves = "FAULT_HALVES"
    /// Each call that a signal can interrupt is interrupted once.
    case interrupts = "FAULT_INTERRUPTS"
  }

  private let folder: TemporaryFolder

  /// The C compiler of this machine; nil if none is installed.
  static let compiler = ["cc", "clang"].first { isInstalled($0) }

  /// The library, compiled once.
  ///
  /// It is nil if compiling fails, or if the system cannot preload a library.
  static let shared: FaultShim? = {
    #if os(Linux)
      guard let compiler, let folder = try? TemporaryFolder() else { return nil }
      let source = "\(packageFolder)/Tests/Faults/faults.c"
      let flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"]
      let result = try? Support.run(compiler, flags + ["-o", folder.path("faults.so"), source])
      return result?.status == 0 ? FaultShim(folder: folder) : nil
    #else
      return nil
    #endif
  }()

  /// Returns the calls of a program that runs without faults.
  ///
  /// Each call begins with the name of the system call.
  func calls(
    of program: String, _ arguments: [String], in place: String, _ calls: Calls = .changingFiles
  ) throws -> [String] {
    let (result, calls) = try logged(program, arguments, in: place, calls.environment)
    if result.status != 0 { throw FaultShimFailure(said: result.errors) }
    return calls
  }

  /// Runs a program and causes a fault at one of its calls.
  ///
  /// The calls are counted from 1. Returns the result of the program, and the call at which the fault
  /// occurred.
  func run(
    _ program: String, _ arguments: [String], in place: String, _ calls: Calls = .changingFiles, call: Int,
    _ fault: Fault
  ) throws -> (result: ProgramResult, call: String) {
    let fault = ["FAULT_AT": "\(call)", "FAULT_ERRNO": "\(fault.rawValue)"]
    let (result, calls) = try logged(program, arguments, in: place, calls.environment.merging(fault) { $1 })
    if call > calls.count { throw FaultShimFailure(said: "there is no call \(call)\n\(result.errors)") }
    return (result, calls[call - 1])
  }

  /// Runs a program under a condition that affects every call.
  func run(
    _ program: String, _ arguments: [String], in place: String, _ weather: Weather
  ) throws -> ProgramResult {
    try run(program, arguments, in: place, [weather.rawValue: "1"])
  }

  private func logged(
    _ program: String, _ arguments: [String], in place: String, _ environment: [String: String]
  ) throws -> (ProgramResult, [String]) {
    let log = "\(folder.path)/log-\(UUID())"
    defer { unlink(log) }
    let result = try run(program, arguments, in: place, environment.merging(["FAULT_LOG": log]) { $1 })
    let lines = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
    return (result, lines.split(separator: "\n").map(String.init))
  }

  private func run(
    _ program: String, _ arguments: [String], in place: String, _ environment: [String: String]
  ) throws -> ProgramResult {
    let environment = environment.merging(["LD_PRELOAD": folder.path("faults.so")]) { $1 }
    return try Support.run(program, arguments, in: place, environment: environment)
  }
}

/// A series of builds with one output format.
///
/// In each build, one of the tested calls has a fault.
struct FaultSeries: CustomTestStringConvertible {
  let form: FaultSite.Form
  private let faults: [FaultShim.Fault]
  /// The distance between two tested calls.
  private let step: Int

  var testDescription: String { "\(form.rawValue): \(faults)" }

  /// Returns the fault for a call.
  ///
  /// If there are several faults, they alternate.
  func fault(atCall number: Int) -> FaultShim.Fault { faults[number / step % faults.count] }

  /// Returns the numbers of the tested calls.
  func numbers(of calls: [String]) -> StrideTo<Int> {
    // The first call depends on the output format, so that different formats test different calls.
    stride(from: form.rawValue.utf8.count % step, to: calls.count, by: step)
  }

  /// In a long run, prints the number of faults, for the person who watches the output.
  func tell(_ calls: [String], of program: String) {
    if isLongRun { print("\(calls.count) faults met \(program): \(testDescription)") }
  }

  /// With the first output format, the series has a fault at every call, alternately a kill and an error.
  ///
  /// With every other output format, only every third call has a fault. With `PACKTOOL_WHOLE` in the environment, every
  /// call has one, and with the first output format both a kill and an error.
  ///
  /// The nightly run, with `PACKTOOL_LONG_TESTS` in the environment, tests every fault at every call, with
  /// all output formats.
  static func all(of forms: [FaultSite.Form]) -> [FaultSeries] {
    let errors: [FaultShim.Fault] = [.inputOutput, .noSpace, .overQuota, .tooManyFiles, .noMemory]
    if isLongRun {
      return forms.flatMap { form in
        ([.kill] + errors).map { FaultSeries(form: form, faults: [$0], step: 1) }
      }
    }
    let alternating = errors.flatMap { [FaultShim.Fault.kill, $0] }
    return forms.flatMap { form in
      if isWhole && form == forms.first {
        return [[.kill], errors].map { FaultSeries(form: form, faults: $0, step: 1) }
      }
      let step = form == forms.first ? 1 : sample(3, of: 1)
      return [FaultSeries(form: form, faults: alternating, step: step)]
    }
  }
}

/// The error that is thrown if a program fails although it runs without faults.
struct FaultShimFailure: Error {
  let said: String
}
