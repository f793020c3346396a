@testable import Formats
@testable import Model
import Packing
@testable import Pipeline
@testable import System
@testable import packtool
import Foundation
import Support
import Testing

/// The samples of the checks.
///
/// The sample of a check provokes the check.
///
/// Most samples are projects with a fault. The samples below provoke checks that need more than a project.
enum CheckSample {
  typealias Provoke = @Sendable (CheckStage) throws -> Void

  static let all: [String: Provoke] = {
    var all = ofRuns.merging(ofReleases) { first, _ in first }.merging(ofOtherInputs) { first, _ in first }
    for fault in ProjectFault.all {
      guard case .made = fault.origin else { continue }
      precondition(all[fault.check.id] == nil, "\(fault.check.id) has two samples")
      all[fault.check.id] = { stage in try provoke(fault, on: stage) }
    }
    return all
  }()

  /// Makes a project with a fault, and runs the commands that can find the fault.
  private static func provoke(_ fault: ProjectFault, on stage: CheckStage) throws {
    var dice = Dice(seed: 1)
    var project = RandomProject(&dice)
    project.target = .packtool
    project.put(fault, &dice)
    try project.write(to: stage.folder.path)
    let flags = project.targetFlags + project.flags
    for (name, app) in [
      (RandomProject.baseline, RandomProject.bundleIdentifier),
      (RandomProject.foreignBaseline, "com.example.foreign"),
    ] where flags.contains(name) {
      try writeRelease(of: app, to: name, in: stage)
    }
    func placed(_ words: [String]) -> [String] {
      words.map {
        $0 == RandomProject.baseline || $0 == RandomProject.foreignBaseline
          ? "\(CheckStage.site)/\($0)/out" : $0
      }
    }
    let input = project.project == nil ? CheckStage.site : "\(CheckStage.site)/\(project.argument)"
    stage.run(words: ["validate", input] + placed(flags + project.validateFlags))
    stage.run(words: ["build", input, "-o", "\(CheckStage.site)/out"] + placed(flags))
    guard let next = project.nextBuild else { return }
    try next.change(stage.folder.path)
    stage.run(
      words: ["build", input, "-o", "\(CheckStage.site)/\(next.output)"] + placed(flags + next.flags))
  }

  /// Builds an earlier release.
  ///
  /// Every file is smaller in this release.
  private static func writeRelease(of app: String, to name: String, in stage: CheckStage) throws {
    var dice = Dice(seed: 1)
    var project = RandomProject(&dice)
    project.members["bundleIdentifier"] = "\"\(app)\""
    project.files = project.files.mapValues { _ in Data([1]) }
    try project.write(to: stage.folder.path(name))
    let path = stage.folder.path(name)
    try #require(runTool("build", path, "-o", "\(path)/out").status == .done)
  }
}

// Files and builds that several samples use.
extension CheckStage {
  /// Writes a game with two packs.
  func writeGame(to name: String = "game") throws {
    try folder.writeManifest([.path("a", "A"), .path("b", "B")], to: "\(name)/Manifest.json", root: "Assets")
    for file in ["a/1", "b/1"] { try folder.write("\(name)/Assets/\(file)", Sample.text(3000)) }
    try folder.write("secret.key", SigningTests.key)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder.path("secret.key"))
  }

  /// Writes the manifest of a pack for `ba-package`.
  func writePack(_ id: String, selecting selector: String, platforms: String = "[\"iOS\"]") throws {
    try folder.write(
      "\(id).json",
      """
      {
        "assetPackID": "\(id)",
        "downloadPolicy": { "onDemand": {} },
        "fileSelectors": [\(selector)],
        "platforms": \(platforms)
      }
      """)
  }

  func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: folder.path(path)) }

  func edit(_ path: String, _ change: (String) -> String) throws {
    try folder.write(path, change(String(decoding: folder.read(path), as: UTF8.self)))
  }

  /// Returns the path of the file below a folder whose path is first in the alphabet.
  func first(below path: String) throws -> String {
    "\(path)/\(try #require(try folder.files(below: path).keys.min()))"
  }
}

extension CheckSample {
  private static let ofRuns: [String: Provoke] = [
    "wrong-command-line": { stage in
      try stage.writeGame()
      stage.run("validate SITE/game --nonsense")
      stage.run("validate SITE/game --jobs none")
    },
    "machine-failure": { stage in
      try stage.writeGame()
      stage.run("build SITE/game -o /proc/none/out")
    },
    "interrupted-run": { stage in
      // A signal would end this process, so pass the error to the session directly.
      let terminal = CapturedTerminal()
      let session = Session(environment: Environment([:]), terminal: terminal)
      _ = session.status(after: SystemError(during: "go on", path: "", code: EINTR))
      stage.add(text: terminal.errors.trimmingCharacters(in: .newlines), of: .interruptedRun)
    },
    "link-escapes-checkout": { stage in
      try stage.folder.write("repo/.git/HEAD", "ref: refs/heads/main\n")
      try stage.writeGame(to: "outside")
      try stage.folder.link("repo/Manifest.json", to: "../outside/Manifest.json")
      stage.run("validate SITE/repo")
    },
    "other-style": { stage in
      try stage.folder.writeManifest([])
      stage.run("fmt SITE --check")
    },
    "unreadable-file": { stage in
      let site = try ScanSite("a/1", "b/2")
      try site.link("c", to: "b/2")
      let manifest = try site.manifest([.path("a", "A"), .path("c", "C")])
      try #require(chmod(site.folder.path("Assets/a/1"), 0) == 0)
      try #require(chmod(site.folder.path("Assets/b"), 0) == 0)
      try asNobody(in: site) { stage.add(try AssetScan(of: manifest, leavingOut: nil, jobs: 1).diagnostics) }
    },
    "file-changed": { stage in
      let site = try ScanSite("a/1", "b/2")
      let result = try site.build([.path("a", "A"), .path("b", "B")]) {
        try site.write("a/1", "other contents")
        try FileManager.default.removeItem(atPath: site.folder.path("Assets/b/2"))
      }
      stage.add(result.findings)
    },
  ]

  private static let ofReleases: [String: Provoke] = [
    "unsigned-release": { stage in
      try stage.writeGame()
      stage.run("build SITE/game -o SITE/out --sign SITE/secret.key")
      stage.run("build SITE/game -o SITE/out")
    },
    "stale-release": { stage in
      try stage.writeGame()
      stage.run("build SITE/game -o SITE/out --sign SITE/secret.key --release 6")
      try stage.folder.write("game/Assets/a/1", "changed")
      stage.run("build SITE/game -o SITE/out --sign SITE/secret.key --release 5")
    },
    "doubtful-release-number": { stage in
      try stage.writeGame()
      stage.run("build SITE/game -o SITE/old --sign SITE/secret.key")
      try FileManager.default.removeItem(atPath: stage.folder.path("old/index.json.minisig"))
      stage.run("build SITE/game -o SITE/out --sign SITE/secret.key --baseline SITE/old")
    },
    "readable-secret": { stage in
      try stage.writeGame()
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o644], ofItemAtPath: stage.folder.path("secret.key"))
      stage.run("build SITE/game -o SITE/out --sign SITE/secret.key")
    },
    "damaged-signature": { stage in
      try stage.writeGame()
      stage.run("build SITE/game -o SITE/out --sign SITE/secret.key")
      stage.run("verify SITE/out --public-key \(SigningTests.otherKey)")
      try stage.edit("out/index.json.minisig") { $0.replacing("file:", with: "the file:") }
      stage.run("verify SITE/out --public-key \(SigningTests.publicKey)")
      try stage.folder.write("out/index.json.minisig", "nonsense")
      stage.run("verify SITE/out --public-key \(SigningTests.publicKey)")
      try FileManager.default.removeItem(atPath: stage.folder.path("out/index.json.minisig"))
      stage.run("verify SITE/out --public-key \(SigningTests.publicKey)")
    },
    "expired-release": { stage in
      try stage.writeGame()
      stage.run(
        words: [
          "build", "SITE/game", "-o", "SITE/out", "--sign", "SITE/secret.key", "--expires", "36 h",
          "--severity", "expired-release=warning",
        ], environment: ["SOURCE_DATE_EPOCH": "946684800"])
      stage.run("verify SITE/out")
    },
    "published-elsewhere": { stage in
      try stage.writeGame()
      stage.run("build SITE/game -o SITE/old")
      let data = try stage.folder.read("game/Assets/a/1")
      try stage.folder.write("game/Assets/a/1", PointerKind.lfsPointer(to: data))
      stage.run("build SITE/game -o SITE/new --pointers --onto SITE/old")
      stage.run("verify SITE/new")
    },
    "damaged-pack": { stage in
      try stage.writeGame()
      stage.run("build SITE/game -o SITE/out")
      let pack = try stage.first(below: "out/packs")
      var bytes = try stage.folder.read(pack)
      bytes[40] ^= 1
      try stage.folder.write(pack, bytes)
      stage.run("verify SITE/out")
      try stage.folder.write(pack, bytes.dropLast(10))
      stage.run("verify SITE/out")
    },
    "damaged-patch": { stage in
      try stage.writeGame()
      try stage.folder.write("game/Assets/a/1", Sample.noise(20_000))
      stage.run("build SITE/game -o SITE/old")
      try stage.folder.write("game/Assets/a/1", Sample.noise(20_000).flipped(at: 100))
      stage.run("build SITE/game -o SITE/out --patch-from SITE/old")
      let patch = try #require(
        try stage.folder.files(below: "out/patches").keys.sorted().first { !$0.hasSuffix(".json") })
      try stage.folder.write("out/patches/\(patch)", "nonsense")
      stage.run("verify SITE/out --patch-from SITE/old")
    },
    "wrong-contents": { stage in
      try stage.writeGame()
      stage.run("build SITE/game -o SITE/out --layout background-assets")
      for name in try stage.folder.files(below: "out/manifests").keys.sorted() {
        try stage.edit("out/manifests/\(name)") { $0.replacing("\"A-", with: "\"C-") }
      }
      for name in try stage.folder.files(below: "out/packs").keys.sorted() {
        try stage.folder.write("out/packs/\(name).other", "more")
      }
      stage.run("verify SITE/out")
    },
    "not-in-index": { stage in
      try stage.writeGame()
      stage.run("build SITE/game -o SITE/out")
      try stage.folder.write("out/packs/other.zip", "x")
      stage.run("verify SITE/out")
    },
    "existing-file": { stage in
      try stage.writeGame()
      stage.run("build SITE/game -o SITE/out")
      try stage.folder.write("new/a/1", "another file")
      stage.run("unpack SITE/out -o SITE/new --all")
      stage.run("init SITE/game/Assets -o SITE/game/Manifest.json")
      try stage.folder.write("App.xcodeproj/project.pbxproj", TestProject().text)
      stage.run("import SITE/App.xcodeproj -o SITE/game/Manifest.json")
    },
    "unknown-file": { stage in
      try stage.folder.write("text", "nothing of packs")
      stage.run("inspect SITE/text")
    },
    "unusable-shard": { stage in
      try stage.writeGame()
      stage.run("build SITE/game -o SITE/one --shard 1/2")
      stage.run("merge SITE/one -o SITE/out")
      stage.run("merge SITE/one SITE/one -o SITE/out")
      stage.run("merge SITE/game -o SITE/out")
    },
    "wrong-version": { stage in
      try stage.writeGame()
      let flags =
        "--layout background-assets --self-hosted --ledger SITE/ledger.json --url-prefix https://example.com/p/"
      stage.run("build SITE/game -o SITE/old \(flags)")
      try stage.folder.write("game/Assets/a/1", "changed")
      stage.run("build SITE/game -o SITE/new \(flags)")
      stage.run("diff SITE/new SITE/old")
    },
  ]

  private static let ofOtherInputs: [String: Provoke] = [
    "unknown-platform": { stage in
      try stage.folder.write("a/x", "x")
      try stage.writePack("one", selecting: "{ \"file\": \"a/x\" }", platforms: "[\"iPadOS\", \"Amiga\"]")
      stage.run("import SITE/one.json --root SITE -o SITE/Manifest.json")
    },
    "wrong-selector": { stage in
      try stage.folder.write("a/x", "x")
      try stage.writePack("one", selecting: "{ \"file\": \"a\" }, { \"directory\": \"a/x\" }")
      stage.run("import SITE/one.json --root SITE -o SITE/Manifest.json")
    },
    "shared-file": { stage in
      for name in ["x", "y"] { try stage.folder.write("a/\(name)", name) }
      try stage.writePack("all", selecting: "{ \"directory\": \"a\" }")
      try stage.writePack("extra", selecting: "{ \"file\": \"a/x\" }")
      stage.run("import SITE/all.json SITE/extra.json --root SITE -o SITE/Manifest.json")
    },
    "trace-syntax": { stage in
      try stage.writeGame()
      try stage.folder.write("one.log", "nonsense\n")
      try stage.folder.write("two.log", "0.1 start Assets/a/1\n")
      stage.run("suggest SITE/one.log SITE/two.log SITE/game")
    },
    "trace-elsewhere": { stage in
      try stage.writeGame()
      for name in ["one", "two"] { try stage.folder.write("\(name).log", "0.1 start Elsewhere/a/1\n") }
      stage.run("suggest SITE/one.log SITE/two.log SITE/game")
    },
    "uncompressed-sizes": { stage in
      try stage.writeGame()
      try stage.folder.write("s.json", "{ \"link\": \"3G\", \"steps\": [{ \"install\": true }] }")
      stage.run("simulate SITE/s.json SITE/game")
    },
    "all-preserved": { stage in
      try stage.writeGame()
      let preserved = "{ \"preserve\": [\"A\", \"B\"], \"to\": 1 }"
      try stage.folder.write("s.json", "{ \"link\": \"3G\", \"steps\": [\(preserved)] }")
      stage.run("simulate SITE/s.json SITE/game")
    },
    "log-syntax": { stage in
      try stage.folder.write(
        "log", "{\"time\": \"2026-11-22T21:49:30.123456Z\", \"pack\": null}\nnonsense\n")
      stage.run("simulate --replay SITE/log --link 3G")
    },
  ]
}
