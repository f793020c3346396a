import Foundation
import Support

/// A library that lets one system call of a program fail: `Tests/Faults/faults.c`.
struct FaultShim {
  /// What happens at a call.
  enum Fault: Int32, CaseIterable {
    /// The process ends by SIGKILL before the call.
    case kill = 0
    case inputOutput = 5
    case noSpace = 28

    /// The kernel's words.
    var reason: String { String(cString: strerror(rawValue)) }
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

  /// The calls of a program by which it changes files, each with its name in front.
  func calls(of program: String, _ arguments: [String], in place: String) throws -> [String] {
    let log = try TemporaryFolder()
    let result = try run(program, arguments, in: place, ["FAULT_LOG": log.path("log")])
    if result.status != 0 { throw FaultShimFailure(said: result.errors) }
    return String(decoding: try log.read("log"), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Runs a program of which one call, counted from 1, meets a fault.
  func run(
    _ program: String, _ arguments: [String], in place: String, call: Int, _ fault: Fault
  ) throws -> ProgramResult {
    try run(program, arguments, in: place, ["FAULT_AT": "\(call)", "FAULT_ERRNO": "\(fault.rawValue)"])
  }

  private func run(
    _ program: String, _ arguments: [String], in place: String, _ environment: [String: String]
  ) throws -> ProgramResult {
    let environment = environment.merging(["LD_PRELOAD": folder.path("faults.so")]) { $1 }
    return try Support.run(program, arguments, in: place, environment: environment)
  }
}

/// A program that was to run undisturbed did not end well.
struct FaultShimFailure: Error {
  let said: String
}
