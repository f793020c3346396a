@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests how archives are made with `ba-package`, with a script that replaces the program.
@Suite struct ArchiverTests {
  private let site: ScanSite
  private let programs: TemporaryFolder
  private let request: BuildRequest
  private let release: Release

  private static let packCount = 12

  init() throws {
    site = try ScanSite()
    programs = try TemporaryFolder()
    // The script writes each call to a file. The content of an archive is that of the manifest.
    try programs.writeProgram(
      "ba-package",
      """
      #!/bin/sh
      echo "$1 $PWD" >> '\(programs.path)/calls'
      case "$MODE" in
        refuse)
          i=0
          while [ $i -lt 25 ]; do echo "line $i"; i=$((i+1)); done
          exit 7;;
        long) printf 'x%.0s' $(seq 400); exit 1;;
        nothing) exit 0;;
        folder) mkdir "$3";;
        *) cat "$1" > "$3";;
      esac
      """)
    let rules = (0..<Self.packCount).map { TestRule.path("\($0)", "T\($0)") }
    for number in 0..<Self.packCount { try site.write("\(number)") }
    _ = try site.manifest(rules)
    var request = site.request(.test(.folder))
    request.layout = LayoutChoice(layout: .backgroundAssets)
    self.request = request
    release = try #require(try request.run(Policy()).release)
  }

  private func environment(_ mode: String = "") -> Environment {
    Environment(["PATH": "\(programs.path):/usr/bin:/bin", "MODE": mode])
  }

  private func archiver(_ mode: String = "") throws -> BackgroundAssetsArchiver {
    try BackgroundAssetsArchiver(request, release: release, environment: environment(mode))
  }

  private func calls() throws -> [String] {
    defer { try? FileOperations.removeFile(programs.path("calls")) }
    let text = try? programs.read("calls")
    return String(decoding: text ?? Data(), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private var ids: [String] { release.packs.compactMap(\.published).map { lastName(of: $0.archive.path) } }

  private func exists(_ path: String) throws -> Bool {
    try FileOperations.exists(site.folder.path("out/\(path)"))
  }

  @Test func `each pack gets an archive once`() throws {
    let missing = try BackgroundAssetsArchiver.findings(onMissingArchivesOf: release, in: request)
    #expect(missing.map(\.check) == [.unknownDownloadSize] && missing[0].namedValues.contains("12"))
    #expect(missing[0].place.path == site.folder.path("out/download-manifest.json"))
    let first = try archiver()
    #expect(first.archived == ids && first.diagnostics.isEmpty)
    let out = String(decoding: try FileOperations.realPath(of: site.folder.path("out")), as: UTF8.self)
    #expect(try calls() == ids.map { "\(out)/manifests/\($0).json \(out)/packs/\($0)" })
    let archives = try FileOperations.names(in: site.folder.path("out/archives"))
    #expect(archives.count == Self.packCount)
    for name in archives {
      let id = try #require(PublishedNames.pack(ofArchive: name))
      #expect(try site.folder.read("out/archives/\(name)") == site.folder.read("out/manifests/\(id).json"))
    }
    #expect(try !exists(".packtool/archives"))
    #expect(try BackgroundAssetsArchiver.findings(onMissingArchivesOf: release, in: request).isEmpty)
    let second = try archiver()
    #expect(try second.archived == [] && second.diagnostics.isEmpty && calls() == [])
    // Another archive is made for a pack whose archive is gone.
    try FileOperations.removeFile(site.folder.path("out/archives/\(archives[3])"))
    let one = try BackgroundAssetsArchiver.findings(onMissingArchivesOf: release, in: request)
    #expect(one.count == 1 && one[0].namedValues.contains("1"))
    #expect(try archiver().archived == [try #require(PublishedNames.pack(ofArchive: archives[3]))])
  }

  @Test func `the end of the output is reported, for ten packs`() throws {
    let refused = try archiver("refuse")
    #expect(refused.archived == [] && refused.diagnostics.count == 10)
    #expect(try calls().count == 10)
    for (id, finding) in zip(ids, refused.diagnostics) {
      #expect(finding.check == .packagingFailed && finding.namedValues.hasPrefix("\"\(id)\" 7"))
      #expect(finding.place.path == site.folder.path("out/manifests/\(id).json"))
      #expect(finding.notes.map(\.message) == (5..<25).map { "line \($0)" })
    }
    let long = try archiver("long").diagnostics
    #expect(long.first?.notes.map(\.message) == [String(repeating: "x", count: 300) + "…"])
    #expect(try FileOperations.names(in: site.folder.path("out/archives")) == [])
  }

  @Test(arguments: ["nothing", "folder"]) func `a program that writes no archive has failed`(mode: String)
    throws
  {
    let found = try archiver(mode)
    #expect(found.archived == [] && found.diagnostics.count == 10)
    #expect(found.diagnostics.map(\.namedValues) == ids.prefix(10).map { "\"\($0)\"" })
    #expect(
      try !exists(".packtool/archives") && FileOperations.names(in: site.folder.path("out/archives")) == [])
    #expect(try archiver().archived == ids)
  }

  @Test func `what a killed run left is removed`() throws {
    try site.folder.write("out/.packtool/archives/left", "half an archive")
    #expect(try archiver().archived == ids && !exists(".packtool/archives"))
    let lock = try OutputLock(
      OutputFolder(site.folder.path("out"), layout: .backgroundAssets), lockWait: .fails)
    #expect(throws: BusyFolder.self) { try archiver() }
    withExtendedLifetime(lock) {}
  }

  @Test func `a pack without its manifest is a failure of the system`() throws {
    let manifest = site.folder.path("out/manifests/\(ids[1]).json")
    try FileOperations.removeFile(manifest)
    let error = #expect(throws: SystemError.self) { try archiver() }
    #expect(error?.isMissing == true && error?.path == manifest)
    #expect(try calls().count == 1 && !exists(".packtool/archives"))
  }

  @Test func `a missing program is found before the build`() throws {
    #expect(BackgroundAssetsArchiver.missing(in: environment()) == nil)
    for environment in [Environment([:]), Environment(["PATH": "/nowhere"])] {
      let finding = BackgroundAssetsArchiver.missing(in: environment)
      #expect(finding?.check == .packagingFailed && finding?.place.path == "ba-package")
      let archiver = try BackgroundAssetsArchiver(request, release: release, environment: environment)
      #expect(archiver.archived == [] && archiver.diagnostics.isEmpty)
      #expect(try !exists("archives"))
    }
  }
}
