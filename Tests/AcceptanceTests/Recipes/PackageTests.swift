import Foundation
import Support
import Testing

/// Tests the output of `.ci/package`.
///
/// `.ci/try-package` checks that the program runs without Swift.
@Suite struct PackageTests {
  private static let needed = ["dpkg-deb", "dpkg-shlibdeps", "patchelf", "strip", "python3", "gzip"]

  /// The folder with the package of the program of this build.
  ///
  /// Several tests read it, because making a package takes many seconds.
  static let madePackage: Result<TemporaryFolder, any Error> = Result {
    let folder = try TemporaryFolder()
    try makePackage(to: folder.path("package"))
    return folder
  }

  /// Makes a package that contains the program of this build.
  private static func makePackage(to output: String) throws {
    let result = try run(
      "\(packageFolder)/.ci/package", ["--program", packtoolProgram(), "--output", output],
      environment: ["SOURCE_DATE_EPOCH": "1700000000", "DPKG_DEB_COMPRESSOR_LEVEL": "0"])
    try #require(result.status == 0, "\(result.output)\(result.errors)")
  }

  @Test(.enabled(if: needed.allSatisfy { CompletionsTests.isInstalled($0) }, "needs .ci/setup --package"))
  func `packages are the same and whole and name their libraries`() throws {
    let folder = try TemporaryFolder()
    try run("cp", ["-r", Self.madePackage.get().path("package"), folder.path("a")])
    let first = try folder.files(below: "a")
    if isWhole {
      try Self.makePackage(to: folder.path("b"))
      #expect(try first == folder.files(below: "b"))
    }
    #expect(first.count == 4)
    try expectBillOfMaterials(in: first)
    let sums = try run("sha256sum", ["--check", "--strict", "SHA256SUMS"], in: folder.path("a"))
    #expect(sums.status == 0, "\(sums.output)\(sums.errors)")
    let deb = try #require(first.keys.first { $0.hasSuffix(".deb") })
    #expect(try run("dpkg-deb", ["-x", deb, "../root"], in: folder.path("a")).status == 0)
    let installed = Set(try folder.files(below: "root").keys)
    for path in [
      "usr/bin/packtool", "usr/share/man/man1/packtool.1.gz", "usr/share/man/man1/packtool-build.1.gz",
      "usr/share/man/man5/packtool-manifest.5.gz",
      "usr/share/bash-completion/completions/packtool", "usr/share/zsh/vendor-completions/_packtool",
      "usr/share/fish/vendor_completions.d/packtool.fish", "usr/share/doc/packtool/copyright",
    ] {
      #expect(installed.contains(path), "\(path)")
    }
    let tar = try #require(first.keys.first { $0.hasSuffix(".tar.gz") })
    let listing = try run("tar", ["-tvzf", tar], in: folder.path("a"), environment: ["TZ": "UTC"]).output
    #expect(
      listing.contains("bin/packtool") && listing.contains("man1/packtool-plan.1.gz")
        && listing.contains("man5/packtool-manifest.5.gz"))
    #expect(
      listing.split(separator: "\n").allSatisfy { $0.contains(" 0/0 ") && $0.contains("2023-11-14 22:13") })
  }

  /// Checks the bill of materials of a package.
  private func expectBillOfMaterials(in files: [String: Data]) throws {
    let bill = try #require(files.first { $0.key.hasSuffix(".spdx.json") }?.value)
    let document = try #require(try JSONSerialization.jsonObject(with: bill) as? [String: Any])
    #expect(document["spdxVersion"] as? String == "SPDX-2.3")
    let packages = try #require(document["packages"] as? [[String: Any]])
    let versions = Dictionary(
      packages.map { ($0["name"] as? String ?? "", $0["versionInfo"] as? String ?? "") }
    ) { first, _ in first }
    let version = try run("dpkg-query", ["-W", "-f", "${Version}", "libarchive-dev"]).output
    #expect(versions["libarchive"] == version && !version.isEmpty)
    let identifiers = Set(packages.compactMap { $0["SPDXID"] as? String })
    let relations = try #require(document["relationships"] as? [[String: String]])
    #expect(relations.areAll { identifiers.contains($0["relatedSpdxElement"] ?? "") })
    #expect((document["creationInfo"] as? [String: Any])?["created"] as? String == "2023-11-14T22:13:20Z")
  }
}
