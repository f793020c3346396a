@testable import Archiving
@testable import Model
@testable import Pipeline
@testable import packtool
import Foundation
import Support
import Testing

/// A library that makes one system call of a program fail: `Tests/Faults/faults.c`.
struct FaultShim {
  /// The fault that occurs at a call.
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

    /// The kernel's message for the error.
    var reason: String { String(cString: strerror(rawValue)) }
  }

  /// The system calls that are counted.
  enum Calls {
    case changingFiles
    /// Calls that read files below a folder.
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
    /// Reads and writes process only half of the requested bytes.
    case halves = "FAULT_HALVES"
    /// Each call that a signal can interrupt is interrupted once.
    case interrupts = "FAULT_INTERRUPTS"
  }

  private let folder: TemporaryFolder

  /// The C compiler of this machine; nil if none is installed.
  static let compiler = ["cc", "clang"].first { isInstalled($0) }

  /// The library, compiled once.
  ///
  /// It is nil if compiling fails, and on systems that cannot preload a library.
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

  /// The calls of a program that runs without faults; each call begins with its name.
  func calls(
    of program: String, _ arguments: [String], in place: String, _ calls: Calls = .changingFiles
  ) throws -> [String] {
    let (result, calls) = try logged(program, arguments, in: place, calls.environment)
    if result.status != 0 { throw FaultShimFailure(said: result.errors) }
    return calls
  }

  /// Runs a program in which one call, counted from 1, has a fault.
  ///
  /// Returns how the program ended, and the call.
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

/// Faults during a build with one output format, with one fault for each tested call.
struct FaultSeries: CustomTestStringConvertible {
  let form: FaultSite.Form
  private let faults: [FaultShim.Fault]
  /// The distance between two tested calls.
  private let step: Int

  var testDescription: String { "\(form.rawValue): \(faults)" }

  /// The fault at a call; if there are several faults, they alternate.
  func fault(atCall number: Int) -> FaultShim.Fault { faults[number / step % faults.count] }

  /// The numbers of the tested calls.
  func numbers(of calls: [String]) -> StrideTo<Int> {
    // Two adjacent output formats test different calls.
    stride(from: form.rawValue.utf8.count % step, to: calls.count, by: step)
  }

  /// Prints the number of faults in a long run, where somebody watches the output.
  func tell(_ calls: [String], of program: String) {
    if isLongRun { print("\(calls.count) faults met \(program): \(testDescription)") }
  }

  /// For the first output format: a kill at every call, and an error at every call.
  ///
  /// For every other output format, a kill and an error alternate, at every second call.
  ///
  /// The nightly run, with `PACKTOOL_LONG_TESTS` in the environment, tests every fault at every call of all
  /// output formats.
  static func all(of forms: [FaultSite.Form]) -> [FaultSeries] {
    let errors: [FaultShim.Fault] = [.inputOutput, .noSpace, .overQuota, .tooManyFiles, .noMemory]
    if isLongRun {
      return forms.flatMap { form in
        ([.kill] + errors).map { FaultSeries(form: form, faults: [$0], step: 1) }
      }
    }
    let alternating = errors.flatMap { [FaultShim.Fault.kill, $0] }
    return forms.flatMap { form in
      if form == forms.first {
        return [[.kill], errors].map { FaultSeries(form: form, faults: $0, step: 1) }
      }
      return [FaultSeries(form: form, faults: alternating, step: sample(2, of: 1))]
    }
  }
}

/// The error for a program that failed although it ran without faults.
struct FaultShimFailure: Error {
  let said: String
}
