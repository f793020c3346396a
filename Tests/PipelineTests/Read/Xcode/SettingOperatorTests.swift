@testable import Formats
@testable import Pipeline
import Support
import Testing

/// Tests references in build settings.
///
/// The expected values are from the tests of swift-build.
@Suite struct SettingOperatorTests {
  /// Returns the resources and findings of a project with these settings.
  private func read(
    _ settings: String, project: String = "", _ choice: ProjectChoice = ProjectChoice(),
    productType: String? = nil
  ) throws -> (resources: ProjectResources?, findings: [String]) {
    var file = TestProject()
    file.setSettings(settings, project: project)
    if let productType {
      file.objects["APP"] = file.objects["APP"]?.replacingOccurrences(
        "com.apple.product-type.application", productType)
    }
    let (resources, diagnostics) = try ProjectResources.read(
      SourceText(path: "Shop.xcodeproj/project.pbxproj", bytes: Array(file.text.utf8)), choice: choice)
    return (resources, diagnostics.map(\.facts))
  }

  private func value(_ expression: String, _ settings: String = "") throws -> String? {
    let expression = expression.replacingOccurrences("\\", "\\\\").replacingOccurrences("\"", "\\\"")
    return try read("PRODUCT_BUNDLE_IDENTIFIER = \"\(expression)\"; \(settings)").resources?.bundleIdentifier?
      .value
  }

  @Test(arguments: [
    ("2048", "rfc1034identifier", "-048"), ("A.B", "rfc1034identifier", "A-B"),
    ("Some File.txt", "rfc1034identifier", "Some-File-txt"), ("My_App é", "rfc1034identifier", "My-App--"),
    ("2048", "identifier", "_048"), ("Some File.txt", "identifier", "Some_File_txt"),
    ("12 3", "c99extidentifier", "_2_3"), ("ÜTF-8", "c99extidentifier", "ÜTF_8"),
    ("a가가", "c99extidentifier", "a가가"), ("٠٠٠", "c99extidentifier", "_٠٠"),
    ("/tmp/Products/Anything.framework", "dir", "/tmp/Products/"), ("This", "dir", "./"),
    ("/tmp/Products/Anything.framework", "file", "Anything.framework"),
    ("/tmp/Products/Anything.framework", "base", "Anything"),
    ("/tmp/Products/Anything.framework", "suffix", ".framework"),
    ("//foo/./bar/", "standardizepath", "/foo/bar"),
    ("foo/../bar/./baz/", "standardizepath", "foo/../bar/baz"),
    ("This", "upper", "THIS"), ("This", "lower", "this"), ("YES", "not", "NO"), ("", "not", "YES"),
    ("1.2.3.4", "truncatedversion", "1.2.3"), ("1.2", "truncatedversion", "1.2"),
    ("foo", "__md5", "acbd18db4cc2f85cedef654fccc4a4d8"), ("/a", "__stripslash", "a"),
    ("hello", "foo", "hello"), ("hello", "foo=bar", "hello"), ("foo bar", "quote", #"foo\ bar"#),
    ("/tmp/dir/file.c", "dir=ba ba", "ba ba/file.c"), ("/tmp/dir/file.c", "file=ba ba", "/tmp/dir/ba ba"),
    ("/tmp/dir/file.c", "base=ba", "/tmp/dir/ba.c"), ("/tmp/dir/file.c", "suffix=.o", "/tmp/dir/file.o"),
    ("/tmp/dir/file.c", "suffix=o", "/tmp/dir/file.o"), ("", "suffix=.o", ""), ("", "default=x:y", "x"),
    ("a", "default=x", "a"),
    ("/foo", "relativeto=/bar", "../bar"), ("/foo/bar", "relativeto=/", "../.."),
    ("foo", "relativeto=/", "foo"),
    ("/usr/bin", "isancestor=/usr", "YES"), ("/usr/bin", "isancestor=/us", "NO"),
    ("A b", "lower:rfc1034identifier", "a-b"),
    // Names that begin or end with a dot have no suffix.
    (".hidden", "suffix", ""), ("file.", "suffix", ""), (".hidden", "base", ".hidden"),
    ("file.", "base", "file."),
    ("a/b.c/d", "suffix", ""), ("a.b.c", "base", "a.b"), ("a/b.c", "suffix=x.o", "a/b.o"),
    // Paths at the top, absolute names, and empty values
    ("/file", "dir", "/"), ("/file", "file=x", "/x"), ("a/b", "file=/abs", "/abs"), ("b", "file=x", "x"),
    ("b", "dir=a/", "a/b"), ("", "dir", "./"), ("", "dir=a", ""), ("", "file=a", ""), ("", "base=a", ""),
    ("/a/../b", "standardizepath", "/b"), ("/..", "standardizepath", "/"), ("./.", "standardizepath", "."),
    ("", "standardizepath", ""), ("../a", "standardizepath", "../a"), ("a/.", "standardizepath", "a"),
    ("/foo", "relativeto=/foo/", "."), ("/a/b", "relativeto=c", "/a/b"), ("/a/b", "relativeto=/a/c", "../c"),
    ("usr/bin", "isancestor=usr", "NO"), ("/usr", "isancestor=/usr", "YES"), ("/a", "isancestor=a", "NO"),
    ("/a/../b/c", "isancestor=/b/.", "YES"),
    ("", "quote", "\"\""), ("a1é(x)/.,+-_=", "quote", #"a1\é\(x\)/.,+-_="#),
    ("a_b-c", "rfc1034identifier", "a-b-c"),
    ("a_b-c", "identifier", "a_b_c"), ("a{b|c}d~_", "c99extidentifier", "a_b_c_d__"),
    ("Zz1", "c99extidentifier", "Zz1"),
    ("NO", "not", "YES"), ("a", "__stripslash", "a"), ("1.2.3.4.5", "truncatedversion", "1.2.3"),
  ])
  func `operators change values`(value: String, operation: String, expected: String) throws {
    #expect(try self.value("$(A:\(operation))", "A = \"\(value)\";") == expected)
  }

  @Test(arguments: [
    ("$TARGET_NAME.x", "App.x"), ("$$TARGET_NAME", "$TARGET_NAME"), ("$NOPE", "$NOPE"),
    ("$[TARGET_NAME]", "App"),
    ("${TARGET_NAME}", "App"), ("$($(EMPTY))", ""), ("$(A:default=$(TARGET_NAME:lower).x)", "app.x"),
    ("$(TARGET_NAME:base=$(CONFIGURATION))", "Release"), ("$", "$"), ("a$", "a$"), ("$(A", "$(A"),
  ])
  func `references have several forms`(expression: String, expected: String) throws {
    #expect(try value(expression) == expected)
  }

  @Test(arguments: [
    // Only a default with a value hides that a setting is not known.
    ("x$(NOPE)", ["NOPE"]), ("x$(NOPE:default)", ["NOPE"]), ("x$(NOPE:foo=bar)", ["NOPE"]),
    ("x$(NOPE:default=y)", []),
    ("x$(NOPE:lower:default=y)", []), ("x$(TARGET_NAME:default=y)", []), ("x$()", []), ("x$NOPE", []),
    // An open bracket is ordinary text, and so is all that follows.
    ("x$(A$(NOPE)", []), ("$(NOPE)$(A$(NEITHER)", ["NOPE"]), ("x$(inherited)$(value)", []),
    ("x$(PRODUCT_BUNDLE_IDENTIFIER)", []),
  ])
  func `names that no setting has are reported`(expression: String, names: [String]) throws {
    let result = try read("PRODUCT_BUNDLE_IDENTIFIER = \"\(expression)\";")
    #expect(result.findings.count == names.count)
    for (finding, name) in zip(result.findings, names) {
      #expect(finding == "warning [unresolved-setting] \"PRODUCT_BUNDLE_IDENTIFIER\" \"$(\(name))\"")
    }
  }

  /// A reference in brackets is two steps: the reference and its value.
  @Test(.noHang, arguments: [(5000, 0), (5001, 1)])
  func `the number of references has a limit`(count: Int, findingCount: Int) throws {
    let text = String(repeating: "$(B)", count: count)
    let result = try read("PRODUCT_BUNDLE_IDENTIFIER = \"\(text)\"; B = x;")
    #expect(result.findings.count == findingCount)
    #expect(result.resources?.bundleIdentifier?.value == String(repeating: "x", count: 5000))
  }

  /// The number of references in a setting is unlimited, but their nesting depth has a limit.
  @Test func `many references are side by side`() throws {
    for reference in ["$B", "$(B)", "$(B:lower)", "$($(C))"] {
      let expression = Array(repeating: reference, count: 50).joined(separator: ".")
      let expected = Array(repeating: "x", count: 50).joined(separator: ".")
      #expect(try value(expression, "B = x; C = B;") == expected, "\(reference)")
    }
    func chain(_ length: Int) throws -> String? {
      let settings = (1..<length).map { "A\($0) = \"$(A\($0 + 1))\";" }.joined(separator: " ")
      return try value("$(A1)", settings + " A\(length) = end;")
    }
    #expect(try chain(16) == "end" && chain(17) != "end")
  }

  @Test(arguments: [
    ("EXECUTABLE_NAME", "App"), ("PRODUCT_MODULE_NAME", "App"), ("WRAPPER_NAME", "App.app"),
    ("PLATFORM_NAME", "iphoneos"), ("EFFECTIVE_PLATFORM_NAME", "-iphoneos"), ("PROJECT_NAME", "Shop"),
    ("FULL_PRODUCT_NAME", "App.app"), ("PRODUCT_NAME", "App"), ("CONFIGURATION", "Release"),
  ])
  func `Xcode's own settings are known`(name: String, expected: String) throws {
    #expect(try value("$(\(name))") == expected)
    #expect(try value("$(\(name):base)") == expected.withoutSuffix)
  }

  @Test(arguments: [
    ("YES", true), ("yes", true), ("Y", true), ("T", true), ("true", true), ("1", true), ("2", true),
    ("9x", true),
    ("NO", false), ("N", false), ("0", false), ("", false), ("on", false), ("-1", false),
  ])
  func `the first character decides whether a value means yes`(value: String, isYes: Bool) throws {
    let result = try read("EMBED_ASSET_PACKS_IN_PRODUCT_BUNDLE = \"\(value)\";")
    #expect(result.resources?.embedsPacks == isYes)
  }

  @Test(arguments: [
    (nil, "device"), (ProjectSDK.iphonesimulator, "sim"), (.appletvos, "tv"), (.xros, "all"),
  ])
  func `conditions are evaluated for the SDK`(sdk: ProjectSDK?, expected: String) throws {
    let result = try read(
      """
      PRODUCT_BUNDLE_IDENTIFIER = all; "PRODUCT_BUNDLE_IDENTIFIER[sdk=iphoneos*]" = device;
      "PRODUCT_BUNDLE_IDENTIFIER[sdk=iphonesimulator*][arch=*]" = sim; "PRODUCT_BUNDLE_IDENTIFIER[sdk=appletvos]" = tv;
      "PRODUCT_BUNDLE_IDENTIFIER[arch=x86_64]" = intel;
      """, ProjectChoice(sdk: sdk))
    #expect(result.resources?.bundleIdentifier?.value == expected)
  }

  @Test func `a condition of an unknown kind is reported and counts as false`() throws {
    let result = try read(#"PRODUCT_BUNDLE_IDENTIFIER = a; "PRODUCT_BUNDLE_IDENTIFIER[moon=full]" = b;"#)
    #expect(result.resources?.bundleIdentifier?.value == "a")
    #expect(
      result.findings == [
        #"warning [conditional-setting] "PRODUCT_BUNDLE_IDENTIFIER[moon=full]" "[moon=full]" "PRODUCT_BUNDLE_IDENTIFIER""#
      ])
  }

  @Test func `elements in quotes lose them`() throws {
    let result = try read(#"ON_DEMAND_RESOURCES_PREFETCH_ORDER = ( "\"c d\"", "e f", g, "it's", );"#)
    #expect(result.resources?.prefetchTagOrder.map(\.value) == ["c d", "e f", "g", "it's"])
  }

  @Test(arguments: [
    ("SDKROOT = macosx;", "com.apple.product-type.application"),
    ("SDKROOT = watchos11.0;", "com.apple.product-type.application"),
    ("", "com.apple.product-type.application.on-demand-install-capable"),
    ("", "com.apple.product-type.application.watchapp2"),
    ("", "com.apple.product-type.framework"),
  ])
  func `targets without on-demand resources are reported`(settings: String, productType: String) throws {
    let choice = ProjectChoice(target: "App")
    let off = try read("PRODUCT_BUNDLE_IDENTIFIER = a; \(settings)", choice, productType: productType)
    #expect(off.findings == [#"warning [disabled-resources] "App""#])
    let on = try read(
      "PRODUCT_BUNDLE_IDENTIFIER = a; ENABLE_ON_DEMAND_RESOURCES = YES; \(settings)", choice,
      productType: productType)
    #expect(on.findings == [#"error [unsupported-setting] "App""#])
  }

  @Test func `settings that packtool does not support are reported`() throws {
    let result = try read(
      """
      PRODUCT_BUNDLE_IDENTIFIER = a; WRAP_ASSET_PACKS_IN_SEPARATE_DIRECTORIES = YES; ASSET_PACK_FOLDER_PATH = "../packs";
      """)
    #expect(
      result.findings == [
        "error [unsupported-setting]",
        #"note [uncarried-setting] "../packs""#,
      ])
  }

  @Test func `an app with its companions is one app`() throws {
    var project = TestProject()
    var targets = "APP, "
    for (number, kind) in ["watchapp2", "on-demand-install-capable", "messages"].enumerated() {
      project.objects["C\(number)"] =
        "isa = PBXNativeTarget; name = C\(number); productType = \"com.apple.product-type.application.\(kind)\"; buildConfigurationList = LIST;"
      targets += "C\(number), "
    }
    project.objects["W"] =
      "isa = PBXNativeTarget; name = W; productType = \"com.apple.product-type.application\"; buildConfigurationList = WL;"
    project.objects["WL"] = "isa = XCConfigurationList; buildConfigurations = ( WR, );"
    project.objects["WR"] =
      "isa = XCBuildConfiguration; name = Release; buildSettings = { SDKROOT = watchos; };"
    project.objects["PROJECT"] = project.objects["PROJECT"]?.replacingOccurrences(
      "( APP, )", "( \(targets)W, )")
    let text = SourceText(path: "p", bytes: Array(project.text.utf8))
    let result = try ProjectResources.read(text)
    #expect(result.resources?.targetName == "App" && result.diagnostics.isEmpty)
  }

  @Test func `the configuration is the project's default`() throws {
    var project = TestProject()
    project.objects["PLIST"] =
      "isa = XCConfigurationList; buildConfigurations = ( PREL, PDEB, ); defaultConfigurationName = Debug;"
    project.objects["PDEB"] = "isa = XCBuildConfiguration; name = Debug; buildSettings = { };"
    project.objects["LIST"] =
      "isa = XCConfigurationList; buildConfigurations = ( REL, DEB, ); defaultConfigurationName = Release;"
    project.objects["DEB"] =
      "isa = XCBuildConfiguration; name = Debug; buildSettings = { PRODUCT_BUNDLE_IDENTIFIER = debug; };"
    let text = SourceText(path: "p", bytes: Array(project.text.utf8))
    #expect(try ProjectResources.read(text).resources?.configuration == "Debug")
  }

  @Test(.noHang, arguments: ["$(", "$(A:default=", "$[", "${A$("])
  func `open brackets come to an end`(open: String) throws {
    let text = String(repeating: open, count: 100_000)
    #expect(try value(text) != nil)
  }
}

extension String {
  fileprivate var withoutSuffix: String { split(separator: ".").first.map(String.init) ?? "" }
}
