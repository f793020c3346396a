import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Tests file systems that do not support exchanges or locks, and several runs in one folder at the same
/// time.
@Suite(.noHang) struct OddDiskTests {
  /// The output folder is in a lower layer of an overlay, as if an earlier step of a container's build had
  /// created it.
  @Test(
    .enabled(if: MountNamespace.isPossible, "\(MountNamespace.hindrance)"),
    arguments: sample(2, of: [FaultSite.Form.folder] + FaultSite.Form.inPlace))
  func `a build in a lower layer of an overlay is replaced`(form: FaultSite.Form) throws {
    let site = try FaultSite(form)
    try site.set(.one)
    #expect(site.build().status == .done)
    try site.set(.two)
    let commands = """
      mkdir layers merged; mount -t tmpfs t layers; mkdir layers/lower layers/upper layers/work
      cp -a out layers/lower/out
      mount -t overlay -o lowerdir=layers/lower,upperdir=layers/upper,workdir=layers/work overlay merged
      program=$1; shift 4
      for round in 1 2; do "$program" build -o merged/out "$@"; done
      "$program" verify merged/out >&2; ls -A merged/out/.packtool | grep -vE "^(contents\\..*|index\\.json)$"; rm -rf out; cp -a merged/out out
      """
    let run = try MountNamespace.run(commands, [try packtoolProgram()] + site.arguments, in: site.folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasSuffix(form.leftovers.map { "\($0)\n" }.joined()), "\(run.output)")
    // The property lists are left out, because they contain the place of the build folder.
    let names = try site.published().filter { !$0.key.hasSuffix(".plist") }
    #expect(try site.isBuild(of: .two) || !names.isEmpty && form == .xcode)
  }

  @Test(
    .enabled(if: FaultShim.shared != nil), arguments: [FaultShim.Fault.unknownCall, .noLocks])
  func `a file system without locks is built to`(fault: FaultShim.Fault) throws {
    let shim = try #require(FaultShim.shared)
    let program = try packtoolProgram()
    let site = try FaultSite.changed(.zip)
    let calls = try shim.calls(of: program, site.arguments, in: site.folder.path)
    let lock = try #require(calls.firstIndex { $0.hasPrefix("flock") })
    try site.set(.one)
    let run = try shim.run(program, site.arguments, in: site.folder.path, call: lock + 1, fault)
    #expect(run.result.status == 0, "\(run.result.errors)")
    #expect(try site.isBuild(of: .one))
    let unpack = ["unpack", "out", "--all", "-o", "new"]
    let unpackCalls = try shim.calls(of: program, unpack, in: site.folder.path)
    let unpackLock = try #require(unpackCalls.firstIndex { $0.hasPrefix("flock") })
    let again = try shim.run(
      program, unpack + ["--force"], in: site.folder.path, call: unpackLock + 1, fault)
    #expect(again.result.status == 0, "\(again.result.errors)")
  }

  @Test func `unpacks into one folder wait for one another`() throws {
    let site = try FaultSite.changed(.zip)
    for number in 0..<300 { try site.folder.write("Assets/b/\(number)", "the file \(number)") }
    #expect(site.build().status == .done)
    let files = try site.folder.files(below: "Assets")
    let program = try packtoolProgram()
    for _ in 0..<10 {
      let shell = """
        rm -rf new; for n in 1 2 3; do "$0" unpack out --all -o new --force -q & all="$all $!"; done
        for n in $all; do wait $n || exit $?; done
        """
      let run = try Support.run("bash", ["-c", shell, program], in: site.folder.path)
      #expect(run.status == 0 && run.errors == "", "\(run.errors)")
      #expect(try site.folder.files(below: "new") == files)
    }
  }

  /// While `verify` runs, a build removes the files of the old index, or replaces packs one after another.
  @Test(arguments: sample(3, of: FaultSite.Form.allCases))
  func `verify during a build sees the old or the new one`(
    form: FaultSite.Form
  )
    throws
  {
    let site = try FaultSite.changed(form)
    let shell = """
      program=$1; shift
      for n in $(seq 40); do
        for file in a/1 b/1; do echo $n > new; mv new Assets/$file; done
        "$program" "$@" -q || exit 9
      done & builds=$!
      while kill -0 $builds 2> /dev/null; do
        "$program" verify out > said 2>&1 || { cat said; exit 1; }; count=$((count+1))
      done
      wait $builds && echo $count
      """
    let words = ["-c", shell, "bash", try packtoolProgram()] + site.arguments
    let run = try Support.run("bash", words, in: site.folder.path)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(try #require(Int(run.output.dropLast())) > 10)
  }

  @Test func `an argument that is no UTF 8 is refused`() throws {
    let site = try FaultSite(.zip)
    try site.set(.one)
    let run = try Support.run(
      "bash", ["-c", "\"$0\" build -o $'x\\xff/out'", try packtoolProgram()], in: site.folder.path)
    #expect(run.status == 2)
    #expect(run.errors.refuses(naming: "x\\xff/out"), "\(run.errors)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: site.folder.path).sorted() == [
        "Assets", "Manifest.json", "undisturbed",
      ])
  }

  /// No list contains a pack of an older build, so no device requests it.
  @Test func `kept packs in an export are a warning`() throws {
    let site = try FaultSite(.xcode)
    try site.set(.one)
    let flags = ["-o", site.folder.path("out"), "--layout", "xcode", "--embed-packs", "--keep-old", "-q"]
    #expect(runTool(words: ["build", site.folder.path] + flags).status == .done)
    let manifest = String(decoding: try site.folder.read("Manifest.json"), as: UTF8.self)
    try site.folder.write("Manifest.json", manifest.replacingOccurrences(of: "\"A\"", with: "\"Other\""))
    #expect(runTool(words: ["build", site.folder.path] + flags).status == .done)
    let run = runTool("verify", site.folder.path("out"))
    #expect(run.status == .done, "\(run.errors)")
    #expect(run.errors.contains("0 errors, 1 warning"))
    #expect(run.errors.reports("not-in-index"))
  }
}
