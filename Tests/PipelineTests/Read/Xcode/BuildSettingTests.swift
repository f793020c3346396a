@testable import Formats
@testable import Pipeline
import Support
import Testing

/// Tests the settings of targets, projects and their configurations.
@Suite struct BuildSettingTests {
  /// Returns the resources and findings of a project with these settings.
  private func read(
    _ settings: String, project: String = ""
  ) throws -> (resources: ProjectResources?, findings: [String]) {
    var file = TestProject()
    file.setSettings(settings, project: project)
    let (resources, diagnostics) = try ProjectResources.read(
      SourceText(path: "p", bytes: Array(file.text.utf8)))
    return (resources, diagnostics.map(\.facts))
  }

  @Test(arguments: [
    ("com.example.app", "", "com.example.app"),
    (#""$(A).$(B)""#, "A = one; B = two;", "one.two"),
    (#""${A}.x""#, "A = \"$(B)\"; B = \"${C}\"; C = deep;", "deep.x"),
    (#""$(inherited).dev""#, "PRODUCT_BUNDLE_IDENTIFIER = base;", "base.dev"),
    (#""$(PRODUCT_BUNDLE_IDENTIFIER).dev""#, "PRODUCT_BUNDLE_IDENTIFIER = base;", "base.dev"),
    (#""com.$(TARGET_NAME:lower).$(CONFIGURATION:upper)""#, "", "com.app.RELEASE"),
    (#""$(A_$(B))""#, "B = x; A_x = nested;", "nested"),
    (#""com.$(A:rfc1034identifier)""#, "A = \"My Great_App é\";", "com.My-Great-App--"),
    (#""com.$(A:c99extidentifier)""#, "A = \"My-App\";", "com.My_App"),
    (#""$(NOPE:default=x).y""#, "", "x.y"),
    (#""a$b $(open""#, "", "a$b $(open"),
  ])
  func `values are expanded`(value: String, project: String, expected: String) throws {
    let result = try read("PRODUCT_BUNDLE_IDENTIFIER = \(value);", project: project)
    #expect(result.resources?.bundleIdentifier?.value == expected)
    #expect(result.findings.isEmpty)
  }

  @Test(arguments: [
    ("x y", ["x", "y"]), (#""Level\ 1"  'a b'c x\"y"#, ["Level 1", "a bc", "x\"y"]), ("", []),
  ])
  func `texts are split as a shell does`(text: String, words: [String]) throws {
    let escaped = text.replacingOccurrences("\\", "\\\\").replacingOccurrences("\"", "\\\"")
    let result = try read("ON_DEMAND_RESOURCES_PREFETCH_ORDER = \"\(escaped)\";")
    #expect(result.resources?.prefetchTagOrder.map(\.value) == words)
  }

  @Test func `arrays are lists, and inherit`() throws {
    let result = try read(
      "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = ( \"Level 1\", \"$(inherited)\", z, );",
      project: "ON_DEMAND_RESOURCES_INITIAL_INSTALL_TAGS = \"x \\\"y z\\\"\";")
    #expect(result.resources?.initialInstallTags.map(\.value) == ["Level 1", "x", "y z", "z"])
  }

  @Test func `the project's settings stand behind the target's`() throws {
    let result = try read(
      "EMBED_ASSET_PACKS_IN_PRODUCT_BUNDLE = YES;",
      project: "EMBED_ASSET_PACKS_IN_PRODUCT_BUNDLE = NO; ASSET_PACK_MANIFEST_URL_PREFIX = \"https://x.y/\";")
    #expect(result.resources?.embedsPacks == true)
    #expect(result.resources?.packURLPrefix?.value == "https://x.y/")
  }

  @Test func `conditions, unknown names and a target without packs are reported`() throws {
    let result = try read(
      """
      PRODUCT_BUNDLE_IDENTIFIER = "com.$(WHO)"; "PRODUCT_BUNDLE_IDENTIFIER[sdk=iphonesimulator*]" = sim;
      ENABLE_ON_DEMAND_RESOURCES = NO;
      """)
    #expect(result.resources?.bundleIdentifier?.value == "com.")
    #expect(
      result.findings == [
        #"warning [conditional-setting] "PRODUCT_BUNDLE_IDENTIFIER[sdk=iphonesimulator*]" "PRODUCT_BUNDLE_IDENTIFIER""#,
        #"warning [unresolved-setting] "PRODUCT_BUNDLE_IDENTIFIER" "$(WHO)""#,
        #"warning [disabled-resources] "App""#,
      ])
  }

  @Test(
    .noHang,
    arguments: [
      "A = \"$(B)\"; B = \"$(A)\";", "A = \"$(A) $(A)\";",
      (0..<40).map { "A\($0 == 0 ? "" : String($0)) = \"$(A\($0 + 1))$(A\($0 + 1))\";" }.joined(),
      "B = \(String(repeating: "b", count: 100_000)); A = \"$(B\(String(repeating: ":upper", count: sample(20_000, of: 100_000))))\";",
      "B = \(String(repeating: "b", count: sample(100_000, of: 1_000_000))); A = \"\((0..<9000).map { "$($(B)\($0))" }.joined())\";",
    ])
  func `settings that name one another for ever come to an end`(settings: String) throws {
    let result = try read("PRODUCT_BUNDLE_IDENTIFIER = \"x$(A)\"; \(settings)")
    #expect(result.resources?.bundleIdentifier?.value.hasPrefix("x") == true)
    #expect(result.findings.allSatisfy { $0.contains("[unresolved-setting]") })
  }

  @Test func `a target and a configuration are chosen by name`() throws {
    var project = TestProject()
    project.objects["PROJECT"]! += " targets2 = ( ); "
    project.objects["PROJECT"] = project.objects["PROJECT"]?.replacingOccurrences(
      "( APP, )", "( APP, APP2, TESTS, )")
    project.objects["APP2"] =
      "isa = PBXNativeTarget; name = \"App 2\"; productType = \"com.apple.product-type.application\"; buildConfigurationList = LIST;"
    project.objects["TESTS"] =
      "isa = PBXNativeTarget; name = Tests; productType = \"com.apple.product-type.bundle.unit-test\"; buildConfigurationList = LIST;"
    project.objects["LIST"] =
      "isa = XCConfigurationList; buildConfigurations = ( DEB, REL, ); defaultConfigurationName = Release;"
    project.objects["DEB"] =
      "isa = XCBuildConfiguration; name = Debug; buildSettings = { PRODUCT_BUNDLE_IDENTIFIER = debug; };"
    let text = SourceText(path: "p", bytes: Array(project.text.utf8))
    let named = { (choice: ProjectChoice) in
      try ProjectResources.read(text, choice: choice).diagnostics.map(\.namedValues)
    }
    #expect(
      try named(ProjectChoice()) == [#"2 "App" "App 2""#]
    )
    #expect(
      try named(ProjectChoice(target: "Ap 2")) == [
        #""Ap 2" "App 2""#
      ]
    )
    #expect(
      try named(ProjectChoice(target: "zzzzzzzz")) == [
        #""zzzzzzzz" "App" "App 2" "Tests""#
      ])
    #expect(
      try named(ProjectChoice(target: "App", configuration: "Relase")) == [
        #""App" "Relase" "Release""#
      ])
    let debug = try ProjectResources.read(text, choice: ProjectChoice(target: "App", configuration: "Debug"))
      .resources
    #expect(debug?.bundleIdentifier?.value == "debug" && debug?.configuration == "Debug")
  }
}

extension String {
  func replacingOccurrences(_ text: String, _ other: String) -> String {
    split(separator: text, omittingEmptySubsequences: false).joined(separator: other)
  }
}
