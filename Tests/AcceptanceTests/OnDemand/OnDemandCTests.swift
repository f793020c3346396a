import Foundation
import Support
import Testing

@testable import packtool

/// Tests `OnDemandC`, with which programs in other languages call the library.
@Suite(.mostlyWaits, .serialized, .noHang) struct OnDemandCTests {
  private static let examples = "\(packageFolder)/Examples/Engines/OnDemandC"
  private static let header = "\(packageFolder)/Sources/OnDemandC/OnDemandC.h"

  private static func library() throws -> String { try builtProduct("libOnDemandC.so") }

  private struct Game {
    let folder: TemporaryFolder
    let server: RunningServer

    init() throws {
      folder = try TemporaryFolder()
      try folder.writeManifest(
        [.path("one", "One"), .path("two", "Two"), .path("both", "One", "Two"), .path("big", "Big")],
        app: "com.example.c", root: "Assets")
      try folder.write("Assets/one/größe.txt", Data(OnDemandCTests.text.utf8))
      try folder.write("Assets/both/noise", Sample.noise(300_000))
      try folder.write("Assets/two/other.txt", Data("other".utf8))
      try folder.write("Assets/big", Sample.noise(3_000_000))
      let built = runTool("build", folder.path, "-o", folder.path("out"))
      #expect(built.status == .done, "\(built.errors)")
      // The server is slow, because the program must have time to show several steps.
      server = try RunningServer([folder.path("out"), "--port", "0", "--link", "Fast 4G"], in: folder)
    }
  }

  private static let text = String(repeating: "the same again\n", count: 500)

  /// Checks the output that every program must have: a first step, a last step, and the file.
  private func check(_ result: ProgramResult) {
    let steps = result.errors.split(separator: "\n")
    #expect(result.status == 0 && result.output == Self.text, "\(result.errors)")
    #expect(steps.count > 1 && steps.allSatisfy { $0.contains(" bytes") }, "\(result.errors)")
    let last = steps.last?.split(separator: " ").prefix(3) ?? []
    #expect(last.count == 3 && last[0] == last[2] && steps.last?.hasSuffix(", done") == true, "\(steps)")
  }

  private func compile(_ source: String, to program: String) throws {
    let folder = URL(fileURLWithPath: try Self.library()).deletingLastPathComponent().path
    let words = [
      "-Wall", "-Wextra", "-Werror", "-I\(packageFolder)/Sources/OnDemandC", source, "-o", program,
    ]
    let compiled = try run("cc", words + ["-L\(folder)", "-lOnDemandC", "-Wl,-rpath,\(folder)"])
    #expect(compiled.status == 0, "\(compiled.errors)")
  }

  @Test(.enabled(if: isInstalled("cc"), "needs a C compiler")) func `a C program reads a file of a tag`()
    throws
  {
    let game = try Game()
    try compile("\(Self.examples)/request.c", to: game.folder.path("request"))
    let words = [game.folder.path("store"), game.server.url]
    check(try run(game.folder.path("request"), words + ["One", "one/größe.txt"]))
    // The second run of the game needs no server.
    game.server.end()
    let again = try run(game.folder.path("request"), words + ["One", "one/größe.txt"])
    #expect(again.status == 0 && again.output == Self.text, "\(again.errors)")
    let unknown = try run(game.folder.path("request"), words + ["Three", "one/größe.txt"])
    #expect(unknown.status == 1 && unknown.errors.contains("\"Three\""))
    let other = try run(game.folder.path("request"), words + ["One", "two/other.txt"])
    #expect(other.status == 1 && other.errors.contains("\"two/other.txt\""))
  }

  @Test(.enabled(if: isInstalled("python3"), "needs python3")) func `a Python program reads a file of a tag`()
    throws
  {
    let game = try Game()
    let words = [try Self.library(), game.folder.path("store"), game.server.url, "One", "one/größe.txt"]
    check(try run("python3", ["\(Self.examples)/request.py"] + words))
  }

  @Test(.enabled(if: isInstalled("love"), "needs love"))
  func `a game of LÖVE mounts the packs of a tag`() throws {
    let game = try Game()
    let words = [Self.header, try Self.library(), game.folder.path("store"), game.server.url, "One"]
    let played = try run(
      "love", ["\(Self.examples)/LOVE"] + words + ["one/größe.txt"],
      environment: ["LC_ALL": "C.UTF-8", "HOME": game.folder.path, "SDL_VIDEODRIVER": "dummy"])
    check(played)
  }

  /// Tests every function of the header, in the order in which a program uses the functions for an update.
  ///
  /// Closed handles, wrong arguments and errors must lead to return values and not to crashes.
  @Test(.enabled(if: isInstalled("cc"), "needs a C compiler")) func `all functions do what the header says`()
    throws
  {
    let game = try Game()
    let program = game.folder.path("all")
    try compile("\(packageFolder)/Tests/OnDemandC/all.c", to: program)
    let played = try run(program, [game.folder.path("store"), game.server.url])
    #expect(played.status == 0 && played.output == "all as the header says\n", "\(played.errors)")
  }

  /// The header is written by hand, for readers.
  ///
  /// The compiler generates another header from the Swift functions, and the test compares both headers.
  @Test(.enabled(if: isInstalled("cc"), "needs a C compiler")) func `the header declares what there is`()
    throws
  {
    let folder = try TemporaryFolder()
    let made = try builtProduct("OnDemandC.build/include/OnDemandC-Swift.h")
    let own = String(decoding: try Data(contentsOf: URL(fileURLWithPath: Self.header)), as: UTF8.self)
    let handles = own.replacing("typedef struct od_store od_store;", with: "typedef void od_store;")
      .replacing("typedef struct od_task od_task;", with: "typedef void od_task;")
    try folder.write("both.c", Data("\(handles)\n#include \"\(made)\"\n".utf8))
    let compiled = try run("cc", ["-fsyntax-only", "-Werror", "-Wno-attributes", folder.path("both.c")])
    #expect(compiled.status == 0, "\(compiled.errors)")
    func names(_ text: String) -> Set<Substring> { Set(text.matches(of: #/\bod_\w+(?=\()/#).map(\.output)) }
    let generated = String(decoding: try Data(contentsOf: URL(fileURLWithPath: made)), as: UTF8.self)
    #expect(names(own) == names(generated) && names(own).count == 20)
    let exported = try run("nm", ["-D", "--defined-only", Self.library()]).output
    let symbols = exported.matches(of: #/ T (od_\w+)/#).map(\.output.1)
    #expect(Set(symbols) == names(own))
  }
}
