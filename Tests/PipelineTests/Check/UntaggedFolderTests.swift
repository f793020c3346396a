import Support
import Testing

/// Tests folders that probably have no rule by mistake.
@Suite struct UntaggedFolderTests {
  /// Returns the findings for a folder with these files.
  ///
  /// Each folder in `tagged` has a rule.
  private func lines(_ files: [String], tagged: [String], _ members: String...) throws -> [String] {
    let folder = try TemporaryFolder()
    for file in files { try folder.write("Assets/\(file)", file) }
    let rules = tagged.map {
      #"{"path": "\#($0)", "tags": ["\#($0.split(separator: "/").joined(separator: " "))"]}"#
    }
    let prepared = try PreparedFolder(
      folder, rules: rules.joined(separator: ","),
      members: (["\"root\": \"Assets\""] + members).joined(separator: ","))
    return prepared.lines(of: "untagged-folder")
  }

  @Test func `the only one of many is found`() throws {
    #expect(
      try lines(
        ["Castle/1", "Forest/1", "Sea/1", "Cave/1", "Cave/deep/2", "top.txt"],
        tagged: ["Castle", "Forest", "Sea"]) == [
          #"Assets/Cave: note [untagged-folder] "Cave" "Castle" "Forest" "Sea" 2 17 bytes"#
        ])
  }

  @Test func `one of several numbered is found`() throws {
    let files = ["Levels/1/a", "Levels/2/a", "Levels/10/a", "Levels/shared/a", "Levels/menu/a"]
    #expect(
      try lines(files, tagged: ["Levels/1", "Levels/2"]).map { $0.prefix(18) } == ["Assets/Levels/10: "])
  }

  @Test(arguments: [
    // If two of five folders are untagged, this is probably intentional.
    (["a/1", "b/1", "c/1", "UI/1", "Config/1"], ["a", "b", "c"]),
    // Only two folders have a rule, so there is not enough evidence.
    (["a/1", "b/1", "UI/1"], ["a", "b"]),
    // The other folders contain untagged files as well.
    (["a/1/x", "a/y", "b/1/x", "b/y", "c/1/x", "c/y", "d/y"], ["a/1", "b/1", "c/1"]),
    // The untagged folder contains no files.
    (["a/1", "b/1", "c/1", "d/.DS_Store"], ["a", "b", "c"]),
    // The names are numbers, but most of the folders are untagged.
    (["l/1/x", "l/2/x", "l/3/x", "l/4/x", "l/5/x"], ["l/1", "l/2"]),
    (["l/1/x", "l/2/x", "l/3/x", "l/4/x"], ["l/1", "l/2"]),
    // The folder has no number.
    (["l/Level1/x", "l/Level2/x", "l/Level/x", "l/menu/x"], ["l/Level1", "l/Level2"]),
    // A single folder is not a family.
    (["l/1/x", "l/2/x", "l/menu/x"], ["l/1"]),
  ])
  func `what is meant is quiet`(files: [String], tagged: [String]) throws {
    #expect(try lines(files, tagged: tagged) == [])
  }

  @Test func `a wrong rule leaves it open`() throws {
    #expect(try lines(["a/1", "b/1", "c/1", "d/1"], tagged: ["a", "b", "c", "dd"]) == [])
  }

  /// With this setting, there is a finding for each file.
  @Test func `where all is tagged files are found`() throws {
    #expect(try lines(["a/1", "b/1", "c/1", "d/1"], tagged: ["a", "b", "c"], #""untagged": "warn""#) == [])
  }

  @Test func `folders of each family are found`() throws {
    let files = [
      "l/Level1/x", "l/Level2/x", "l/Level3/x", "l/Level4/x", "l/Level5/x", "l/Boss1/x", "l/Boss2/x",
      "l/Boss3/x",
      "l/menu/x", "l/menu/deep/y",
    ]
    let tagged = ["l/Level1", "l/Level2", "l/Level3", "l/Boss1", "l/Boss2"]
    #expect(
      try lines(files, tagged: tagged).sorted() == [
        #"Assets/l/Boss3: note [untagged-folder] "l/Boss3" "l/Boss1" "l/Boss2" 1 9 bytes"#,
        #"Assets/l/Level4: note [untagged-folder] "l/Level4" "l/Level1" "l/Level2" "l/Level3" 1 10 bytes"#,
        #"Assets/l/Level5: note [untagged-folder] "l/Level5" "l/Level1" "l/Level2" "l/Level3" 1 10 bytes"#,
      ])
  }
}
