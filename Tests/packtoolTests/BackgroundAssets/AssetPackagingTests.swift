import Foundation
import Support
import Testing
@testable import packtool

/// Tests `build --package` and `package.sh`, with a program that replaces Apple's `ba-package`.
@Suite struct AssetPackagingTests {
  /// The program behaves like the real `ba-package`.
  ///
  /// It accepts a manifest and `-o`. To find files, it changes to the working directory or the source root.
  /// It never replaces an archive, and it rejects everything that it does not know.
  private static let program = """
    #!/usr/bin/env python3
    import json, os, sys
    manifest, flag, output = sys.argv[1:]
    assert flag == '-o' and output.endswith('.aar') and manifest.endswith('.json')
    content = json.load(open(manifest))
    if 'sourceRoot' in content: os.chdir(os.path.join(os.path.dirname(manifest), content['sourceRoot']))
    files = [s.get('file') or s['fileSource'] for s in content['fileSelectors']]
    print('packaging', content['assetPackID'])
    for file in files:
      if not os.path.isfile(file): sys.exit('error: no file ' + file)
    if content['assetPackID'].startswith(os.environ.get('REFUSED', '-')): sys.exit('error: \\033[31mrefused\\033[0m')
    if os.path.exists(output): sys.exit(1)
    open(output, 'w').write(json.dumps({f: open(f, errors='replace').read() for f in files}))
    open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'calls'), 'a').write(content['assetPackID'] + '\\n')
    """

  private func programs() throws -> (folder: TemporaryFolder, environment: [String: String]) {
    let folder = try TemporaryFolder()
    try folder.writeProgram("ba-package", Self.program)
    return (folder, ["PATH": "\(folder.path):/usr/local/bin:/usr/bin:/bin"])
  }

  private func calls(_ folder: TemporaryFolder) -> Int {
    ((try? String(contentsOfFile: folder.path("calls"), encoding: .utf8)) ?? "").split(separator: "\n").count
  }

  @Test(arguments: ["26", "27"]) func `archives are made once per pack`(version: String) throws {
    let (programs, environment) = try programs()
    let site = try AssetSite()
    let flags = ["--package", "--bundle-version", version]
    func build() -> ToolResult {
      runTool(
        words: ["build", site.folder.path, "-o", site.folder.path("out"), "--layout", "background-assets"]
          + flags,
        environment: environment)
    }
    #expect(build().status == .done)
    #expect(calls(programs) == 3 && site.names("archives").count == 3)
    #expect(!site.names(".packtool").contains("archives"), "what it was made in is gone")
    #expect(site.verify().status == .done)
    #expect(build().status == .done && calls(programs) == 3)
    // If a pack was changed, there is no archive of it until it is packaged again.
    try FileManager.default.removeItem(atPath: site.folder.path("Assets/c/1"))
    try site.folder.write("Assets/c/1", "changed")
    site.build("--bundle-version", version)
    #expect(site.names("archives").count == 2)
    #expect(build().status == .done && calls(programs) == 4)
    let archive = try site.json("out/" + site.archive(of: site.id(of: "Musik")))
    #expect(archive["c/1"] as? String == "changed")
  }

  /// If an editor changes an asset, the published pack does not change.
  ///
  /// But the next packaging must notice the change.
  @Test func `a change in place makes a new archive`() throws {
    let (programs, environment) = try programs()
    let site = try AssetSite()
    #expect(site.build("--package", environment: environment).status == .done)
    let id = try site.id(of: "Musik")
    let old = try site.archive(of: id)
    try FileHandle(forWritingTo: URL(fileURLWithPath: site.folder.path("Assets/c/1")))
      .write(contentsOf: Data("CONTENT".utf8))
    #expect(site.verify().status == .done)
    #expect(site.build().status == .done)
    #expect(try site.names("archives").count == 2 && site.archive(of: id) != old)
    #expect(site.build("--package", environment: environment).status == .done && calls(programs) == 4)
    #expect(try site.json("out/" + site.archive(of: id))["c/1"] as? String == "CONTENT of c/1")
    // This archive contains an earlier state of the pack. A cache could have restored it.
    try site.folder.write("out/\(old)", "old")
    #expect(site.verify().errors.reports("not-in-index", naming: id))
  }

  @Test func `the reason why ba-package refuses a manifest is reported`() throws {
    let (programs, plain) = try programs()
    var environment = plain
    environment["REFUSED"] = "Musik"
    let site = try AssetSite()
    let run = site.build("--package", environment: environment)
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.reports("packaging-failed"))
    // Output of another program must not control the terminal.
    #expect(run.errors.contains("\\u{1b}[31mrefused"), "\(run.errors)")
    #expect(site.names("archives").count == 2)
    environment["REFUSED"] = nil
    #expect(site.build("--package", environment: environment).status == .done)
    #expect(site.names("archives").count == 3 && calls(programs) == 3)
  }

  @Test func `without the program nothing is built`() throws {
    let site = try AssetSite()
    let run = site.build("--package", environment: ["PATH": "/nowhere"])
    #expect(run.status == .inputHasErrors && run.errors.reports("packaging-failed", naming: "ba-package"))
    #expect(site.names("") == [])
  }

  @Test(arguments: ["26", "27"]) func `the script makes and uploads`(version: String) throws {
    let (programs, environment) = try programs()
    let site = try AssetSite()
    site.build("--bundle-version", version)
    func script(_ arguments: String..., environment more: [String: String] = [:]) throws -> ProgramResult {
      // Run the script from another folder: it must find its own folder.
      try run(
        "sh", [site.folder.path("out/package.sh")] + arguments, in: "/",
        environment: environment.merging(more) { $1 })
    }
    #expect(try script(environment: ["REFUSED": "Musik"]).status != 0)
    #expect(calls(programs) == 2)
    #expect(try script().status == 0)
    #expect(calls(programs) == 3 && site.names("archives").count == 3)
    #expect(site.verify().status == .done)
    try programs.writeProgram("xcrun", "#!/bin/sh\necho \"$@\" >> \(programs.path)/uploads\n")
    let keys = ["APPLE_ID": "123", "API_KEY": "K", "API_ISSUER": "I"]
    #expect(try script("upload", "1", environment: keys).status == 0)
    let uploads = String(decoding: try programs.read("uploads"), as: UTF8.self).split(separator: "\n")
    #expect(uploads.count == 3)
    #expect(uploads[0].hasPrefix("altool --upload-asset-pack archives/Level-1-"), "\(uploads)")
    #expect(uploads.areAll { $0.hasSuffix(".aar --apple-id 123 --apiKey K --apiIssuer I") })
    #expect(try script("upload", "2", environment: keys).status == 2)
    #expect(try script("upload", "1").status != 0)
  }

  /// A submission can contain at most ten packs.
  ///
  /// The packs that come with the app are first.
  @Test func `batches have ten packs`() throws {
    let rules = (0..<23).map { "{\"path\": \"\($0)\", \"tags\": [\"T\($0)\"]}" }.joined(separator: ",")
    let site = try AssetSite(rules: rules, keys: "\"initialInstallTags\": [\"T22\"]")
    for number in 0..<23 { try site.folder.write("Assets/\(number)", "x") }
    site.build()
    let text = String(decoding: try site.folder.read("out/package.sh"), as: UTF8.self)
    let batches = text.split(separator: "case ${2:-} in")[1].split(separator: ";;").map {
      $0.split(separator: "\n").filter { $0.hasPrefix("    upload ") }
    }
    #expect(batches.prefix(3).map(\.count) == [10, 10, 3])
    #expect(batches[0][0].hasPrefix("    upload archives/T22-"))
    #expect(text.components(separatedBy: "&& ba-package ").count == 24)
  }
}
