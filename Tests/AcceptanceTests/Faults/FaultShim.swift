@testable import Archiving
@testable import Model
@testable import Pipeline
@testable import packtool
import Foundation
import Support
import Testing

/// A library that lets one system call of a program fail: `Tests/Faults/faults.c`.
struct FaultShim {
  /// What happens at a call.
  enum Fault: Int32 {
    /// The process ends by SIGKILL before the call.
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

    /// The kernel's words.
    var reason: String { String(cString: strerror(rawValue)) }
  }

  /// The calls that are counted.
  enum Calls {
    case changingFiles
    /// Those that read what lies below a folder.
    case reading(String)

    fileprivate var environment: [String: String] {
      switch self {
      case .changingFiles: [:]
      case .reading(let folder): ["FAULT_READS": folder]
      }
    }
  }

  /// What happens at every call.
  enum Weather: String, CaseIterable {
    /// Reads and writes do half of what was asked.
    case halves = "FAULT_HALVES"
    /// What a signal may interrupt is interrupted once.
    case interrupts = "FAULT_INTERRUPTS"
  }

  private let folder: TemporaryFolder

  /// The compiler of this machine; nil where there is none.
  static let compiler = ["cc", "clang"].first { isInstalled($0) }

  /// The library, compiled once; nil where that fails, and on systems that load no library before others.
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

  /// The calls of a program that is left alone, each with its name in front.
  func calls(
    of program: String, _ arguments: [String], in place: String, _ calls: Calls = .changingFiles
  ) throws -> [String] {
    let (result, calls) = try logged(program, arguments, in: place, calls.environment)
    if result.status != 0 { throw FaultShimFailure(said: result.errors) }
    return calls
  }

  /// Runs a program of which one call, counted from 1, meets a fault; how it ended, and the call.
  func run(
    _ program: String, _ arguments: [String], in place: String, _ calls: Calls = .changingFiles, call: Int,
    _ fault: Fault
  ) throws -> (result: ProgramResult, call: String) {
    let fault = ["FAULT_AT": "\(call)", "FAULT_ERRNO": "\(fault.rawValue)"]
    let (result, calls) = try logged(program, arguments, in: place, calls.environment.merging(fault) { $1 })
    if call > calls.count { throw FaultShimFailure(said: "there is no call \(call)\n\(result.errors)") }
    return (result, calls[call - 1])
  }

  /// Runs a program in some weather.
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

/// Faults that meet a build of some form, one at each of its calls.
struct FaultSeries: CustomTestStringConvertible {
  let form: FaultSite.Form
  private let faults: [FaultShim.Fault]
  /// The distance between two calls that are tried.
  private let step: Int

  var testDescription: String { "\(form.rawValue): \(faults)" }

  /// The fault at a call; where there are several they take turns.
  func fault(atCall number: Int) -> FaultShim.Fault { faults[number / step % faults.count] }

  /// The numbers of the calls that are tried.
  func numbers(of calls: [String]) -> StrideTo<Int> {
    // Two forms that follow each other try different calls.
    stride(from: form.rawValue.utf8.count % step, to: calls.count, by: step)
  }

  /// Says how many faults there were, where somebody watches.
  func tell(_ calls: [String], of program: String) {
    if isLongRun { print("\(calls.count) faults met \(program): \(testDescription)") }
  }

  /// Of the first form, a kill at every call and an error at every call; of the others, these in turns at every second.
  ///
  /// The nightly run, with `PACKTOOL_LONG_TESTS` in the environment, tries every fault at every call of all forms.
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

/// A program that was to run undisturbed did not end well.
struct FaultShimFailure: Error {
  let said: String
}
