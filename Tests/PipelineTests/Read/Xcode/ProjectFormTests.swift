@testable import Formats
@testable import Model
@testable import Pipeline
import Foundation
import Support
import Testing

/// Tests workspaces, and projects in other formats than Xcode's own.
@Suite struct ProjectFormTests {
  private static let project: TestProject = {
    var project = TestProject()
    project.add("a b.dat", tags: "\"Level \\\"1\\\"\", \"caf\u{e9}\"")
    return project
  }()

  /// Returns the rules from a project file with these bytes.
  private func rules(_ bytes: Data) throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.write("App.xcodeproj/project.pbxproj", bytes)
    try folder.write("a b.dat", "a")
    let importer = try XcodeImporter(argument: folder.path("App.xcodeproj"), choice: ProjectChoice())
    return importer.manifest?.rules.map { "\($0.text.value) \($0.tags.map(\.value))" }
      ?? importer.diagnostics.map(\.checkAndValues)
  }

  private static let expected = ["a b.dat [\"Level \\\"1\\\"\", \"caf\u{e9}\"]"]

  @Test func `texts in other encodings and with other line ends are read`() throws {
    let text = Self.project.text
    #expect(try rules(Data(text.utf8)) == Self.expected)
    for (encoding, mark) in [
      (String.Encoding.utf16BigEndian, [0xfe, 0xff]), (.utf16LittleEndian, [0xff, 0xfe]),
    ] as [(String.Encoding, [UInt8])] {
      #expect(try rules(Data(mark) + #require(text.data(using: encoding))) == Self.expected)
    }
    for end in ["\r", "\r\n", "\u{2028}", "\u{2029}"] {
      #expect(
        try rules(Data(text.replacingOccurrences(of: "\n", with: end).utf8)) == Self.expected,
        "\(end.unicodeScalars)")
    }
  }

  @Test(arguments: ["FMT_XML", "FMT_BINARY", "json"]) func `lists in other formats are read`(format: String)
    throws
  {
    let item = try PropertyListSerialization.propertyList(from: Data(Self.project.text.utf8), format: nil)
    let bytes =
      switch format {
      case "json": try JSONSerialization.data(withJSONObject: item)
      case "FMT_XML": try PropertyListSerialization.data(fromPropertyList: item, format: .xml, options: 0)
      default: try PropertyListSerialization.data(fromPropertyList: item, format: .binary, options: 0)
      }
    #expect(try rules(bytes) == Self.expected)
  }

  /// Constructs that editors and scripts use in XML property lists, and that Apple's readers accept.
  private static let forms: [[(old: String, new: String)]] = [
    [("<string>", "<string><!-- a <b> & c -->")], [("</string>", "<!-- a --></string>")],
    [("<key>", "<key><!-- a -->")],
    [("<array>", "<array><!-- a -->"), ("<dict>", "<dict>\r\n<!-- a -->")],
    [("<string>", "<string><![CDATA[]]>"), ("<key>", "<key><![CDATA[]]>")],
    [("<string>a b.dat</string>", "<string><![CDATA[a]]> <!-- c -->b.<![CDATA[dat]]></string>")],
    [("UTF-8", "UTF-16")],
  ]

  @Test(arguments: forms)
  func `a project in XML is read as Apple reads it`(changes: [(old: String, new: String)]) throws {
    let item = try PropertyListSerialization.propertyList(from: Data(Self.project.text.utf8), format: nil)
    let data = try PropertyListSerialization.data(fromPropertyList: item, format: .xml, options: 0)
    var text = String(decoding: data, as: UTF8.self)
    for change in changes {
      #expect(text.contains(change.old))
      text = text.replacing(change.old, with: change.new)
    }
    let isWide = text.contains("UTF-16")
    let encoding = isWide ? String.Encoding.utf16LittleEndian : .utf8
    let bytes = try Data(isWide ? [0xff, 0xfe] : []) + #require(text.data(using: encoding))
    #expect(try rules(bytes) == Self.expected)
  }

  @Test func `findings in another format have no line`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "App.xcodeproj/project.pbxproj",
      "<?xml version=\"1.0\"?><plist><dict><key>objects</key><dict/></dict></plist>")
    let importer = try XcodeImporter(argument: folder.path("App.xcodeproj"), choice: ProjectChoice())
    #expect(importer.diagnostics.map(\.namedValues) == [#""rootObject""#])
    #expect(importer.diagnostics.first?.place.position == nil)
  }

  @Test(arguments: ["bplist00", "<?xml version=\"1.0\"?><plist><dict>", "{\"a\": }"])
  func `a broken list names what is expected`(text: String) throws {
    let found = try rules(Data(text.utf8))
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("[project-syntax]"))
  }

  @Test(.enabled(if: isWhole, "64 MB in the nightly run"))
  func `a list in another form has an end`() throws {
    let text = "<?xml version=\"1.0\"?>" + String(repeating: " ", count: 64 << 20)
    #expect(try rules(Data(text.utf8))[0].names("67,108,864"))
  }

  /// Returns a folder with a workspace that has these references to projects, next to the project
  /// App.xcodeproj.
  private func workspace(_ references: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("App.xcodeproj/project.pbxproj", Self.project.text)
    try folder.write("a b.dat", "a")
    try folder.write(
      "All.xcworkspace/contents.xcworkspacedata",
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Workspace version = \"1.0\">\n\(references)\n</Workspace>\n"
    )
    return folder
  }

  @Test(arguments: [
    "<FileRef location = \"group:App.xcodeproj\"></FileRef>",
    "<FileRef location=\"container:./App.xcodeproj\"/>",
    "<FileRef location=\"Other\"/><FileRef location=\"group:App.xcodeproj\"/>",
    """
    <Group location = "container:" name = "All"><FileRef location = "group:App.xcodeproj"></FileRef></Group>
    <FileRef location = "group:Pods/Pods.xcodeproj"></FileRef><FileRef location = "group:README.md"></FileRef>
    """,
  ])
  func `a workspace leads to its project`(references: String) throws {
    let folder = try workspace(references)
    let path = folder.path("All.xcworkspace")
    #expect(ManifestSource(argument: path) == .xcodeProject)
    let importer = try XcodeImporter(argument: path, choice: ProjectChoice())
    #expect(importer.manifest?.rules.count == 1, "\(importer.diagnostics)")
    #expect(try Preparation(Preparation.Request(argument: path, jobs: 1)).plan?.packs.count == 1)
  }

  @Test func `a project's own workspace leads to it`() throws {
    let folder = try workspace("")
    try folder.write(
      "App.xcodeproj/project.xcworkspace/contents.xcworkspacedata",
      "<Workspace version=\"1.0\"><FileRef location = \"self:\"></FileRef></Workspace>")
    let path = folder.path("App.xcodeproj/project.xcworkspace")
    #expect(try XcodeImporter(argument: path, choice: ProjectChoice()).manifest?.rules.count == 1)
  }

  @Test func `a workspace of several projects, or of none, says so`() throws {
    let several = try workspace(
      #"<FileRef location="group:App.xcodeproj"/><Group location="group:Sub"><FileRef location="group:B.xcodeproj"/></Group>"#
    )
    let path = several.path("All.xcworkspace")
    let named = try XcodeImporter(argument: path, choice: ProjectChoice()).diagnostics.map(\.namedValues)
    #expect(
      named == [
        #""\#(path)" 2 "\#(several.path)/App.xcodeproj" "\#(several.path)/Sub/B.xcodeproj""#
      ])
    let none = try workspace("").path("All.xcworkspace")
    #expect(
      try XcodeImporter(argument: none, choice: ProjectChoice()).diagnostics.map(\.namedValues) == [
        "\"\(none)\""
      ])
  }
}
