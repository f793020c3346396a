@testable import Formats
@testable import Pipeline
import Testing

/// Tests how paths, conditions and words in a project are read.
@Suite struct ProjectWordTests {
  @Test(arguments: [
    ("a", "b/c", "a/b/c", true), ("a", "", "a", true), ("a", ".", "a", true), ("a/b", "../c", "a/c", true),
    ("a", "..", ".", true), ("a", "../..", "..", false), ("a", "../../x/./y", "../x/y", false),
    ("", "../../x", "../../x", false), ("a", "/b", "/b", false), ("a", "b/", "a/b", true),
    ("", "a//b", "a/b", true),
    ("a", "b/../../..", "..", false),
  ])
  func `paths are appended without dots`(base: String, path: String, text: String, isInside: Bool) {
    let found = ProjectPath.inside(names(in: base)).appending(path)
    #expect(found.text == text)
    if case .inside = found { #expect(isInside) } else { #expect(!isInside) }
  }

  @Test func `paths outside the project are only joined`() {
    let outside = ProjectPath.outside("../x")
    #expect(outside.appending("a/../b") == .outside("../x/a/../b"))
    #expect(outside.appending("") == outside && outside.appending("/y") == .outside("/y"))
    #expect(outside.extent.names == 2 && outside.extent.bytes == 4)
    #expect(
      ProjectPath.inside(["ab", "c"]).extent.names == 2 && ProjectPath.inside(["ab", "c"]).extent.bytes == 5)
    #expect(ProjectPath.inside(["a", "b"]).folder == .inside(["a"]) && outside.folder == .outside(".."))
    #expect(ProjectPath.inside(["de.lproj", "x"]).region == "de.lproj")
    #expect(
      ProjectPath.inside(["de.lproj", "a", "x"]).region == nil
        && ProjectPath.inside(["de.lproj"]).region == nil)
    #expect(ProjectPath.outside("/a/en.lproj/x").region == "en.lproj" && ProjectPath.inside([]).region == nil)
  }

  @Test func `paths have a common beginning`() {
    #expect(commonPrefix(of: [["a", "b", "c"], ["a", "b"], ["a", "b", "d"]]) == ["a", "b"])
    #expect(commonPrefix(of: [["a"], ["b"]]) == [] && commonPrefix(of: [["a", "b"]]) == ["a", "b"])
    #expect(commonPrefix(of: []) == [])
    #expect(names(in: "/a//b/") == ["a", "b"] && names(in: "") == [])
  }

  @Test(arguments: [
    (#"a "b c" 'd e' f\ g"#, ["a", "b c", "d e", "f g"]), (#""" '' x"#, ["", "", "x"]), (#"h\"#, [#"h\"#]),
    (#""it's" 'a"b'"#, ["it's", "a\"b"]), (#"'a\b' "a\"b""#, [#"a\b"#, "a\"b"]), ("  a\t\nb  ", ["a", "b"]),
    (#"a"b"'c'd"#, ["abcd"]), (#""open"#, ["open"]), (#"\ "#, [" "]), ("'\n'", ["\n"]), ("", []),
  ])
  func `words end at spaces outside quotes`(text: String, words: [String]) {
    #expect(shellWords(of: text) == words)
  }

  @Test func `conditions are in brackets`() {
    let (name, conditions) = SettingCondition.parse("A[sdk=iphoneos*,arch=arm64][config=Debug]")
    #expect(name == "A" && conditions.map(\.text) == ["[sdk=iphoneos*]", "[arch=arm64]", "[config=Debug]"])
    #expect(
      conditions.map(\.isKnown) == [true, true, true]
        && conditions.map(\.isOnConfiguration) == [false, false, true])
    let device = SettingCondition.Build(configuration: "Debug", sdk: .iphoneos)
    let watch = SettingCondition.Build(configuration: "Release", sdk: .watchos)
    #expect(conditions.map { $0.holds(for: device) } == [true, true, true])
    #expect(conditions.map { $0.holds(for: watch) } == [false, false, false])
    let (other, unknown) = SettingCondition.parse("B[sdk][moon=full][variant=normal][arch=arm64_32][sdk=a=b]")
    #expect(other == "B" && unknown.map(\.isKnown) == [false, false, true, true, true])
    #expect(unknown.map { $0.holds(for: device) } == [false, false, true, false, false])
    #expect(unknown.map { $0.holds(for: watch) } == [false, false, true, true, false])
    #expect(SettingCondition.parse("C").name == "C" && SettingCondition.parse("C").conditions.isEmpty)
    #expect(SettingCondition.parse("").name == "")
  }

  @Test func `a setting chooses an SDK`() {
    let settings = ["iphoneos", "iPhoneOS18.2", "macosx.internal", "xros2", "auto", "", "iphone"]
    #expect(
      settings.map { ProjectSDK(setting: $0) } == [.iphoneos, .iphoneos, .macosx, .xros, nil, nil, nil])
    #expect(ProjectSDK.allCases.filter { $0.architecture != "arm64" } == [.watchos])
  }

  @Test func `the kind of a target says what it builds`() {
    let kinds = [
      "application", "application.on-demand-install-capable", "application.watchapp2", "application.messages",
      "framework",
      "app-extension", "bundle.unit-test", "tool",
    ].map { TargetKind(productType: "com.apple.product-type.\($0)") }
    #expect(
      kinds.map(\.title) == [
        "an app", "an App Clip", "a watch app", "an app", "a framework", "an app extension", "a unit test",
        "a tool",
      ])
    #expect(kinds.map(\.isApp) == [true, true, true, true, false, false, false, false])
    #expect(kinds.map(\.isCompanion) == [false, true, true, true, false, false, false, false])
    #expect(
      kinds.map { $0.usesResources(on: .iphoneos) } == [true, false, false, true, false, false, false, false])
    #expect(
      ProjectSDK.allCases.filter { !kinds[0].usesResources(on: $0) } == [.watchos, .watchsimulator, .macosx])
  }
}
