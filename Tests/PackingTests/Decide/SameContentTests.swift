@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests that a build keeps packs if the contents of their files are unchanged, even if times and inodes have
/// changed.
@Suite struct SameContentTests {
  private static let rules: [TestRule] = [.path("a", "A"), .path("b", "B"), .glob("*/s*", "Shared")]

  /// All containers, and the layouts `xcode` and `hosted`.
  static let settings: [TestSettings] = {
    var hosted = LayoutChoice(layout: .hosted)
    hosted.urlPrefix = "https://example.com/"
    return Container.allCases.map { .test($0) } + [
      TestSettings(container: .zip, layout: LayoutChoice(layout: .xcode)),
      TestSettings(container: .zip, layout: hosted),
    ]
  }()

  /// Commands that change the times or the inodes of all assets, but not their contents.
  private static let touches: [(name: String, do: @Sendable (ScanSite) throws -> Void)] = [
    ("touch", { try inShell("find Assets -type f -exec touch -d '2020-01-01 00:00:00.25' {} +", $0) }),
    ("chmod", { try inShell("chmod -R u+rwx,go+rx Assets", $0) }),
    ("cp -r", { try inShell("cp -r Assets new && rm -r Assets && mv new Assets", $0) }),
    ("cp -a", { try inShell("cp -a Assets new && rm -r Assets && mv new Assets", $0) }),
    ("tar", { try inShell("tar -cf assets.tar Assets && rm -r Assets && tar -xmf assets.tar", $0) }),
    (
      "git clone",
      {
        try inShell(
          "git init -q repo && mv Assets repo/ && cd repo && git add . && git -c user.name=a -c user.email=a@b "
            + "commit -qm 1 && git clone -q . ../clone && mv ../clone/Assets .. && rm -rf ../repo ../clone",
          $0)
      }
    ),
  ]

  /// Commands that restore the output folder on another machine.
  private static let restorations: [(name: String, do: @Sendable (ScanSite) throws -> Void)] = [
    ("tar", { try inShell("tar --posix -cf out.tar out && rm -r out && tar -xf out.tar", $0) }),
    ("tar without times", { try inShell("tar -cf out.tar out && rm -r out && tar -xmf out.tar", $0) }),
    ("cp -r", { try inShell("cp -r out new && rm -r out && mv new out", $0) }),
    ("rsync", { try inShell("rsync -r out/ new && rm -r out && mv new out", $0) }),
    ("mv", { try inShell("mkdir moved && mv out moved/ && mv moved/out out", $0) }),
  ]

  private static func inShell(_ script: String, _ site: ScanSite) throws {
    let result = try run("bash", ["-c", "set -e; \(script)"], in: site.folder.path)
    try #require(result.status == 0, "\(script): \(result.errors)")
  }

  private func site() throws -> ScanSite {
    let site = try ScanSite("b/one", "b/shared", "a/deep/er/two", "a/sky")
    try site.write("a/text", Sample.text(4_300_000))
    try site.write("a/noise", Sample.noise(1_300_000))
    site.waitForClockTick()
    return site
  }

  /// Returns the inode, time and size of each published file.
  private func stamps(_ site: ScanSite) throws -> String {
    try run(
      "find", ["out", "-path", "out/.packtool", "-prune", "-o", "-type", "f", "-printf", "%p %i %T@ %s\\n"],
      in: site.folder.path
    ).output
  }

  @Test(arguments: sample(2, of: settings))
  func `assets with other times keep every pack`(settings: TestSettings) throws {
    let site = try site()
    try site.build(Self.rules, settings)
    let before = try stamps(site)
    for (name, touch) in Self.touches {
      try touch(site)
      site.waitForClockTick()
      let result = try site.build(Self.rules, settings)
      #expect(result.isUnchanged && result.decisions.areAll { $0 == .keep(.digests) }, "\(name)")
      #expect(try stamps(site) == before, "\(name)")
      let again = try site.build(Self.rules, settings)
      #expect(again.isUnchanged && again.decisions.areAll { $0 == .keep(.times) }, "after \(name)")
    }
  }

  @Test(arguments: sample(2, of: settings))
  func `an output folder that was restored keeps every pack`(settings: TestSettings) throws {
    let site = try site()
    try site.build(Self.rules, settings)
    for (name, restore) in Self.restorations {
      try restore(site)
      let before = try stamps(site)
      let result = try site.build(Self.rules, settings)
      #expect(result.isUnchanged && result.decisions.areAll(\.isKeep), "\(name)")
      #expect(try stamps(site) == before, "\(name)")
      let again = try site.build(Self.rules, settings)
      #expect(again.isUnchanged && again.decisions.areAll { $0 == .keep(.times) }, "after \(name)")
    }
  }

  @Test(arguments: sample(3, of: settings))
  func `a fresh checkout with a restored output writes only the packs that changed`(settings: TestSettings)
    throws
  {
    let site = try site()
    try site.build(Self.rules, settings)
    try Self.inShell(
      "cp -r Assets a2 && rm -r Assets && mv a2 Assets && cp -r out o2 && rm -r out && mv o2 out", site)
    try site.write("b/one", "changed")
    site.waitForClockTick()
    let result = try site.build(Self.rules, settings)
    let written = zip(result.decisions, result.release?.packs ?? []).filter { !$0.0.isKeep }
    #expect(written.map(\.0) == [.write(.changed("b/one"))])
    #expect(written.map(\.1.tags) == [["B"]])
  }

  @Test(arguments: settings)
  func `a changed archive is written again, whatever its size`(settings: TestSettings) throws {
    let site = try site()
    let first = try site.build(Self.rules, settings)
    let pristine = try site.published()
    let pack = try #require(
      first.packs.first { $0.archive.path.contains("A-") || $0.archive.path.contains("A.") })
    let path = site.folder.path("out/\(pack.archive.path)")
    try Self.inShell(
      "f=$(find '\(path)' -type f -size +0 | sort | head -1); printf X | dd of=\"$f\" bs=1 seek=20 conv=notrunc 2>&1",
      site)
    let result = try site.build(Self.rules, settings)
    #expect(result.decisions.filter { !$0.isKeep } == [.write(.archiveChanged)])
    #expect(try site.published() == pristine)
  }

  /// Changes to a pack that is a folder, and whether the build keeps this pack.
  private static let damages: [(name: String, keeps: Bool, script: String)] = [
    ("other times", true, "find . -exec touch -d '2020-01-01 00:00:00.25' {} +"),
    ("a folder without files", true, "mkdir more"),
    ("another Info.plist", false, "tr 'a-z' 'b-za' < Info.plist > ../x && mv ../x Info.plist"),
    ("no Info.plist", false, "rm Info.plist"),
    ("another file", false, "tr 'a-z' 'b-za' < a/sky > ../x && mv ../x a/sky"),
    ("a file less", false, "rm a/sky"),
    ("a file more", false, "echo 1 > a/more"),
    ("a link", false, "ln -s sky a/more"),
    ("a link in the place of a file", false, "mv a/sky ../../../sky && ln -s ../../../../sky a/sky"),
    ("a file in the place of the pack", false, "cd .. && mv *.A-*pack ../../moved && touch \"$OLDPWD\""),
  ]

  @Test(arguments: damages.indices) func `a folder is the pack while its files are`(number: Int) throws {
    let (name, keeps, script) = Self.damages[number]
    let site = try ScanSite("b/one", "b/shared", "a/deep/er/two", "a/sky")
    site.waitForClockTick()
    let settings = TestSettings(container: .zip, layout: LayoutChoice(layout: .xcode))
    // With these rules, no pack has two tags: all files of "a" are in the pack of A.
    let rules: [TestRule] = [.path("a", "A"), .path("b", "B")]
    try site.build(rules, settings)
    let pristine = try site.published()
    try Self.inShell("cd out/OnDemandResources/*.A-*pack && \(script)", site)
    let result = try site.build(rules, settings)
    let written = result.decisions.filter { !$0.isKeep }
    #expect(written == (keeps ? [] : [.write(.archiveChanged)]), "\(name)")
    if !keeps { #expect(try site.published() == pristine, "\(name)") }
  }

  @Test func `contents that change while size and times stay are seen without the record`() throws {
    let site = try site()
    try site.build(Self.rules)
    try site.write("b/one", "ONE")
    site.waitForClockTick()
    let plain = try site.build(Self.rules)
    #expect(plain.decisions.contains(.write(.changed("b/one"))))
  }

  @Test func `entries of an archive that was restored are copied`() throws {
    let site = try site()
    try site.build(Self.rules)
    try Self.inShell(
      "cp -r Assets a2 && rm -r Assets && mv a2 Assets && cp -r out o2 && rm -r out && mv o2 out", site)
    try site.write("a/deep/er/two", "changed")
    site.waitForClockTick()
    _ = try site.manifest(Self.rules)
    var request = site.request()
    request.measuresParts = true
    let result = try request.run(Policy())
    // Only the small file is compressed again. The text file of 4.3 MB is not.
    let compressed = try #require(result.timings.all[.compress]).bytes
    #expect(compressed < 4_000_000)
    try site.build(Self.rules, into: "clean", usesCache: false)
    #expect(try site.published() == site.published("clean"))
  }

  @Test func `what differs in settings is named, and only that`() throws {
    let site = try site()
    try site.build(Self.rules)
    let result = try site.build(Self.rules, .test(.zip, .best))
    let change = SettingsKey.Change(name: "compression", old: "default", new: "best")
    #expect(result.decisions.areAll { $0 == .write(.otherSettings([change])) })
  }

  /// A pack that must be written anyway is compared only as far as its compressed bytes can be copied.
  @Test func `files of a changed pack are compared if their bytes can be copied`() throws {
    let site = try ScanSite()
    try site.write("a/noise", Sample.noise(5_000))
    try site.write("a/text", Sample.text(20_000))
    try site.write("b/noise", Sample.noise(6_000))
    site.waitForClockTick()
    let rules: [TestRule] = [.path("a", "A"), .path("b", "B")]
    let first = try site.build(rules, jobs: 1)
    let place = try #require(first.plan?.packs.firstIndex { $0.tags == ["A"] })
    try Self.inShell(
      "cp -r Assets a2 && rm -r Assets && mv a2 Assets && cp -r out o2 && rm -r out && mv o2 out", site)
    try site.write("a/new", "new")
    try site.write("b/new", "b/new")
    site.waitForClockTick()
    let result = try site.build(rules, jobs: 1)
    #expect(Set(result.decisions) == [.write(.added("a/new")), .write(.added("b/new"))])
    // The text is read for the comparison, and all other files for packing.
    #expect(result.reads.read == 20_000 + 5_003 + 6_005)
    #expect(result.reads.hashed == 20_000 + first.packs[place].archive.file.size + 5_003 + 6_005)
  }

  @Test func `findings about contents are reported again, whether their pack is kept or written`() throws {
    let site = try ScanSite("a/1", "b/3")
    try site.write("a/2", Data([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0]))
    site.waitForClockTick()
    let rules: [TestRule] = [.path("a", "A"), .path("b", "B")]
    let first = try site.build(rules)
    #expect(first.findings.map(\.check) == [.executableContent])
    for file in ["b/3", "a/1", "none"] {
      if file != "none" { try site.write(file, "changed") }
      site.waitForClockTick()
      #expect(try site.build(rules).findings == first.findings, "\(file)")
    }
  }
}
