@testable import Model
@testable import Pipeline
@testable import packtool
import Foundation
import Support
import Testing

/// Tests small inputs for which packtool once needed gigabytes of memory.
///
/// The real program reads each of these inputs.
@Suite(.enabled(if: Measured.isPossible, "\(Measured.hindrance)"), .noHang)
struct MemoryTests {
  /// The maximum memory in MiB that packtool may use for a hostile input.
  private static let most = 256

  private func project() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("Assets/a", "a")
    try manifest(#"{"path": "a", "tags": ["A"]}"#, in: folder)
    return folder
  }

  private func manifest(_ rules: String, in folder: TemporaryFolder) throws {
    try folder.writeManifest(rules: rules, app: "com.example.a", root: "Assets")
  }

  private func expectMistakes(_ words: [String], in folder: TemporaryFolder) throws {
    let run = try Measured(try packtoolProgram(), words, in: folder)
    #expect(run.result.status == 1, "\(words)\n\(run.result.errors.prefix(500))")
    #expect(run.memory <= Self.most, "\(words)")
    #expect(run.result.errors.utf8.count < 1 << 20, "\(words)")
  }

  /// Tests inputs with 200,000 mistakes, and with the same number of values at places where no value is
  /// allowed.
  @Test(
    arguments: sample(
      1,
      of: [
        ("mistakes", "verify"), ("mistakes", "inspect"), ("values", "inspect"), ("values", "verify"),
        ("mistakes", "diff"), ("values", "unpack"), ("mistakes", "unpack"), ("values", "diff"),
      ]))
  func `a hostile index is an error`(kind: String, command: String) throws {
    let folder = try project()
    for name in ["out", "other"] {
      #expect(runTool("build", folder.path, "-o", folder.path(name), "-q").status == .done)
    }
    let path = "out/index.json"
    if kind == "mistakes" {
      let index = String(decoding: try folder.read(path), as: UTF8.self)
      let members = (0..<200_000).map { "\"k\($0 % 7)\":{}," }.joined()
      try folder.write(path, index.replacingOccurrences(of: "\"tags\": {", with: "\"tags\": {\(members)"))
    } else {
      try folder.write(path, "[" + String(repeating: "[],", count: 1_000_000) + "[]]")
    }
    let more = ["unpack": ["--all", "-o", "new"], "diff": ["other"]][command] ?? []
    try expectMistakes([command, "out"] + more, in: folder)
  }

  /// The old contents and the window of the new contents are in memory for only one file at a time.
  @Test func `a patch of large files is made in bounded memory`() throws {
    let folder = try project()
    try manifest(##"{"path": "a", "tags": ["A"]}, {"path": "b", "tags": ["B"]}"##, in: folder)
    for name in ["a", "b"] { try folder.write("Assets/\(name)", Sample.noise(64 << 20)) }
    #expect(runTool("build", folder.path, "-o", folder.path("old"), "-q").status == .done)
    for name in ["a", "b"] { try folder.write("Assets/\(name)", Sample.noise(64 << 20).flipped(at: 1000)) }
    for words in [["build", "-o", "out"], ["verify", "out"]] {
      let words = words + ["--patch-from", "old", "-q", "-j", "4"]
      let run = try Measured(try packtoolProgram(), words, in: folder)
      #expect(run.result.status == 0, "\(run.result.errors)")
      #expect(run.memory <= Self.most, "\(words)")
    }
    let patches = try folder.files(below: "out/patches").filter { $0.key.hasSuffix(".zip") }
    #expect(patches.count == 2 && patches.values.areAll { $0.count < 100_000 })
  }

  @Test func `a manifest of lists is an error`() throws {
    let folder = try project()
    for text in [
      "[" + String(repeating: "[],", count: 1_000_000) + "[]]",
      #"{"resources": ["# + String(repeating: "[],", count: 1_000_000) + "[]]}",
    ] {
      try folder.write("Manifest.json", text)
      try expectMistakes(["validate"], in: folder)
    }
  }

  /// Tests many tags without packs, packs without files, and tags of packs.
  ///
  /// A list of the maximum length takes minutes, so it is tested only by hand.
  @Test(
    arguments: sample(
      1,
      of: [
        #"{"formatVersion":1,"packs":{},"tags":{MEMBERS}}|"t%d":[]"#,
        #"{"formatVersion":1,"packs":{},"tags":{"t":[MEMBERS]}}|"t%d""#,
        #"{"formatVersion":1,"packs":{},"tags":{MEMBERS}}|"t%d":["x"]"#,
        #"{"formatVersion":1,"packs":{MEMBERS},"tags":{}}|"x%d":{"k":1}"#,
        #"{"formatVersion":1,"packs":{"x":{"digest":"","size":1,"tags":[MEMBERS]}},"tags":{}}|"t%d""#,
      ])) func `a hostile list of tags is an error`(form: String) throws
  {
    let folder = try project()
    try folder.python(
      """
      import itertools, os, sys
      text, member = sys.argv[1].split("|")
      members, room = [], \(isLongRun ? TagsFormat.maxSize : 1 << 20) - len(text)
      for number in itertools.count():
        members.append(member % number)
        room -= len(members[-1]) + 1
        if room < 100: break
      os.mkdir("out")
      open("out/tags.json", "w").write(text.replace("MEMBERS", ",".join(members)))
      """, [form])
    try folder.write("out/manifests/x.json", "{}")
    try expectMistakes(["verify", "out"], in: folder)
  }

  /// Each glob alone does not exceed the limit for the number of patterns.
  @Test func `braces of a whole manifest are bounded`() throws {
    let folder = try project()
    let glob = String(repeating: "{a,b}", count: 8) + String(repeating: "?", count: 4000)
    try manifest(
      (0..<64).map { #"{"glob": "\#($0)\#(glob)", "tags": ["A"]}"# }.joined(separator: ","), in: folder)
    try expectMistakes(["validate"], in: folder)
    let small = String(repeating: "{a,b}", count: 10)
    try manifest(
      (0..<200).map { #"{"glob": "\#($0)\#(small)", "tags": ["A"]}"# }.joined(separator: ","), in: folder)
    try expectMistakes(["validate"], in: folder)
  }

  @Test(.enabled(if: isWhole, "130 MB of names, in the nightly run"), arguments: ["verify", "inspect"])
  func `long names in an archive are not kept`(command: String) throws {
    let folder = try project()
    let flags = ["--layout", "hosted", "--url-prefix", "https://example.com/"]
    #expect(runTool(words: ["build", folder.path, "-o", folder.path("out"), "-q"] + flags).status == .done)
    try folder.python(
      """
      import glob, sys, tarfile, zipfile
      pack = glob.glob("out/*.assetpack")[0]
      with zipfile.ZipFile(pack, "a") as z:
        for n in range(2000): z.writestr("%05d" % n + "n" * 65000, b"")
      with tarfile.open("names.tar.gz", "w:gz", compresslevel=1, format=tarfile.PAX_FORMAT) as t:
        for n in range(300): t.addfile(tarfile.TarInfo("%d/" % n + "n" * 900_000))
      """)
    try expectMistakes(command == "verify" ? ["verify", "out"] : ["inspect", "names.tar.gz"], in: folder)
  }

  /// Tests eight frames that each request a window of 128 MiB, while eight threads read them.
  @Test(.enabled(if: isInstalled("zstd"))) func `large windows are refused`() throws {
    let folder = try TemporaryFolder()
    for number in 0..<8 { try folder.write("Assets/\(number)", String(repeating: "\(number)", count: 1000)) }
    let rules = (0..<8).map { #"{"path": "\#($0)", "tags": ["T\#($0)"]}"# }.joined(separator: ",")
    try folder.writeManifest(rules: rules, app: "a.b", root: "Assets", members: #""container": "tar.zst""#)
    #expect(runTool("build", folder.path, "-o", folder.path("out"), "-q").status == .done)
    try folder.python(
      """
      import glob, hashlib, json, os, subprocess
      index = json.load(open("out/index.json"))
      for pack in index["packs"]:
        archive = pack["archive"]
        old = "out/" + archive["path"]
        tar = subprocess.run(["zstd", "-dcq", old], stdout=subprocess.PIPE, check=True).stdout
        new = subprocess.run(["zstd", "-cq", "--long=27"], input=tar, stdout=subprocess.PIPE, check=True).stdout
        digest = hashlib.sha256(new).hexdigest()
        archive["path"] = archive["path"].replace(archive["digest"][7:23], digest[:16])
        archive["digest"], archive["size"] = "sha256:" + digest, len(new)
        os.remove(old)
        open("out/" + archive["path"], "wb").write(new)
      text = json.dumps(index, indent=2, sort_keys=True, ensure_ascii=False) + "\\n"
      open("out/index.json", "w").write(text)
      """)
    try expectMistakes(["verify", "out", "-j", "8"], in: folder)
  }
}
