@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests which texts are secret keys, and how many bytes are read to see this.
@Suite struct SecretKeyTests {
  /// A part of a file that a check reads after the head.
  private struct ReadPart: Equatable {
    let offset: Int64
    let count: Int
  }

  /// The ID of the finding for a file, and the parts that were read.
  private struct Inspection {
    var check: String?
    var parts: [ReadPart] = []
  }

  private func inspect(_ bytes: [UInt8], size: Int64? = nil) throws -> Inspection {
    var inspection = Inspection()
    let head = Array(bytes.prefix(ContentProblem.headSize))
    inspection.check = try ContentProblem.found(inHead: head.span, size: size ?? Int64(bytes.count)) {
      offset, count throws(SystemError) in
      inspection.parts.append(ReadPart(offset: offset, count: count))
      return Array(bytes.dropFirst(Int(offset)).prefix(count))
    }?.check.id
    return inspection
  }

  private func isKey(_ text: String) throws -> Bool {
    let check = try inspect(Array(text.utf8)).check
    #expect(check == nil || check == "secret-key")
    return check != nil
  }

  private static let key = "-----BEGIN PRIVATE KEY-----\nshort"

  @Test(arguments: ["", "\n", "\t\n", "\r\n", " \n", "\u{feff}", "a comment\n", "\u{feff}a\n", "~\r"])
  func `a key can begin at any line`(start: String) throws {
    #expect(try isKey(start + Self.key))
  }

  @Test(arguments: [
    "x", "\nprose: ", "\"", "é\n", "\u{7f}\n", "\u{0}a\n", "\u{0}\n\n", "\u{7f}a\n", "\u{1}\t",
  ])
  func `elsewhere it needs more evidence`(start: String) throws {
    #expect(try !isKey(start + Self.key))
  }

  @Test func `a key has the word in its first line`() throws {
    for label in ["RSA PRIVATE KEY", "PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "OPENSSH PRIVATE KEY"] {
      #expect(try isKey("-----BEGIN \(label)-----\n"), "\(label)")
    }
    for text in [
      "-----BEGIN CERTIFICATE-----\nPRIVATE KEY", "-----BEGIN CERTIFICATE\\nPRIVATE KEY",
      "-----BEGIN PUBLIC KEY-----\n",
      "-----BEGIN \nPRIVATE KEY", "----BEGIN PRIVATE KEY-----\n", "-----BEGINPRIVATE KEY-----\n",
    ] {
      #expect(try !isKey(text), "\(text)")
    }
    #expect(try isKey("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n\(Self.key)"))
  }

  /// In JSON, line breaks are written as "\n".
  @Test func `within a line 16 characters of a key follow`() throws {
    let front = "x = -----BEGIN PRIVATE KEY"
    let part = "AZaz09+/AZaz09+/"
    #expect(try isKey(front + "-----\\n" + part) && isKey(front + "-----\\r\\n" + part))
    #expect(try isKey(front + part) && !isKey(front + part.dropLast()))
    #expect(try !isKey(front + "-----\\n" + part.dropLast() + "_" + part))
    #expect(try !isKey(front + "-----\\n" + part.dropLast() + "é" + part))
    // The characters are among the 200 after the label.
    #expect(try isKey(front + String(repeating: "-", count: 184) + part))
    #expect(try !isKey(front + String(repeating: "-", count: 185) + part))
  }

  @Test func `the first block begins in the head`() throws {
    let marker = "-----BEGIN "
    func text(_ start: String, markerAt place: Int) -> String {
      start + String(repeating: "x", count: place - start.utf8.count - 1) + "\n" + Self.key
    }
    #expect(try isKey(text("c", markerAt: 512 - marker.utf8.count)))
    #expect(try !isKey(text("c", markerAt: 513 - marker.utf8.count)))
    // The program openssl writes such texts before a key.
    #expect(try isKey(text("Bag Attributes", markerAt: 5000)))
    #expect(try !isKey(text("Bag attributes", markerAt: 5000)))
    #expect(try !isKey(text("Bag Attributes", markerAt: (1 << 20) - 4)))
  }

  @Test func `only as much is read as the check needs`() throws {
    let key = Array("\(Self.key)\n".utf8)
    #expect(try inspect(key).parts == [ReadPart(offset: 0, count: key.count)])
    #expect(try inspect(key, size: 1 << 20).parts == [ReadPart(offset: 0, count: 1 << 20)])
    #expect(try inspect(key, size: 1 << 40).parts == [ReadPart(offset: 0, count: 1 << 20)])
    #expect(try inspect(Array("plain text".utf8)).parts.isEmpty)
    #expect(try inspect(Array("untrusted comment: x".utf8)).parts == [ReadPart(offset: 0, count: 1 << 12)])
    #expect(try inspect(Array("utterly plain".utf8)).parts.isEmpty)
    let annex = Array("SHA256 is the name of a digest".utf8)
    #expect(try inspect(annex).parts == [ReadPart(offset: 0, count: annex.count)])
    #expect(try inspect(annex, size: 1024).parts == [ReadPart(offset: 0, count: 1024)])
    #expect(try inspect(annex, size: 1025).parts.isEmpty)
  }

  /// Returns the text of a minisign key of this size.
  private static func minisign(
    size: Int = 300, comment: String = "untrusted comment:", mark: String = "EdxxB2"
  )
    -> [UInt8]
  {
    let key = Data(mark.utf8) + Data(repeating: 7, count: 152)
    let line = key.base64EncodedString()
    let rest = size - comment.utf8.count - line.utf8.count - 2
    return Array("\(comment)\(String(repeating: "c", count: rest))\n\(line)\n".utf8)
  }

  @Test func `a key of minisign is small`() throws {
    #expect(try inspect(Self.minisign()).check == "secret-key")
    #expect(try inspect(Self.minisign(size: 4096)).check == "secret-key")
    #expect(try inspect(Self.minisign(size: 4097)).check == nil)
    #expect(try inspect(Self.minisign(comment: "untrusted comments")).check == nil)
    #expect(try inspect(Self.minisign(comment: "unsigned comment: ")).check == nil)
    #expect(try inspect(Self.minisign(mark: "EdxxB3")).check == nil)
    #expect(try inspect(Self.minisign(mark: "EexxB2")).check == nil)
  }

  @Test func `a file below eight bytes is not inspected`() throws {
    #expect(try inspect(Array("!<thin>\n".utf8)).check == "executable-content")
    #expect(try inspect(Array("!<thin>".utf8)).check == nil)
  }
}

/// Tests which files are recognized as outputs of packtool by their first bytes.
@Suite struct ToolOutputTests {
  private func words(_ text: String) -> String? {
    let head = Array(text.utf8.prefix(ContentProblem.headSize))
    return ToolOutput.description(ofFileWith: head.span)
  }

  private static let page =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"generator\" content=\"packtool\">"
  private static let jUnit =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"packtool validate\""

  @Test func `markup`() {
    #expect(words(Self.page) == "a report page" && words(Self.jUnit) == "a list of findings")
    #expect(words(String(Self.page.dropLast())) == nil && words("<!DOCTYPE html>\n<html lang=\"en\">") == nil)
    #expect(words(Self.jUnit.replacing("packtool", with: "pytest")) == nil)
    #expect(words("### App update: 1\n\n|  | before | after |\n") == "a comparison")
    #expect(words("### App update: 1\n\n| a | before | after |\n") == nil)
    #expect(words("## App update: 1\n\n|  | before | after |\n") == nil)
  }

  private static let documents = [
    #"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","properties":{"generator":"packtool"}"#:
      "a list of findings",
    #"{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"packtool manifest""#: "a schema",
    #"{"diagnostics":[],"x":1"#: "a list of findings",
    #"{"files":[{"digest":"sha256:00"}"#: "the contents list of a build",
    #"{"contents":"contents.00.json""#: "the result of a build",
    #"{"contents":null,"diagnostics":{"errors":0}"#: "the result of a build",
    #"{"deliveries":{"initialInstall":{"downloadByContent":1}"#: "a comparison",
    #"{"firstDownload":{"app":1"#: "a simulation", #"{"formatVersion":1,"link":{"latency":1"#: "a simulation",
    #"{"formatVersion":1,"subjects":[{"a":1}"#: "an explanation",
    #"[{"check_name":"pack-size""#: "a list of findings",
    #"{"bundleIdentifier":"a.b","contents":{"digest":"sha256:00""#: "the index of a build",
    #"{"bundleIdentifier":"a.b","kind":"index""#: "a list of packs",
    #"{"bundleIdentifier":"a.b","formatVersion":1"#: "a plan",
    #"{"bundleIdentifier":"a.b","diagnostics":[]"#: "a plan",
    #"{"diagnostics":[{"id":"pack-size""#: "a list of findings",
    #"{"time":"12:00","request":"GET","range":null"#: "a log of requests",
  ]

  /// Blanks depend on the style in which a document is written.
  @Test func `documents in any style`() {
    for (text, expected) in Self.documents {
      let lines = text.replacing(",", with: ",\n  ").replacing("{", with: "{ ").replacing(":\"", with: ": \"")
      for text in [text, lines, lines.replacing("[", with: "[\r\n\t")] {
        #expect(words(text) == expected, "\(text)")
      }
    }
  }

  @Test(arguments: [
    "{", "{}", "{\"", "[", "[]", "[{}]", #"[{"check_name":"other""#, #"[{"name":"pack-size""#,
    #"{"bundleIdentifier":"a.b""#, #"{"bundleIdentifier":"a.b","packs":[]"#,
    #"{"diagnostics":[{"id":"other""#,
    #"{"diagnostics":[{"name":"pack-size""#, #"{"diagnostics":[]}"#, #"{"diagnostics":[1]"#,
    #"{"time":"12:00","request":"GET""#, #"{"time":"12:00","range":null"#,
    #"{"time":1,"request":"GET","range":1"#,
    #"{"files":[{"digest":"md5:00"}"#, #"{"files":[{"digest":"sha256""#, #"{"contents":"content""#,
    #"{"x":1,"diagnostics":[],"#,
    #"{"formatVersion":2,"subjects":[{"a""#, #"x{"diagnostics":[],"#,
  ])
  func `documents of others`(text: String) {
    // Files of fewer bytes are not inspected.
    #expect(words(text.padding(toLength: max(8, text.count), withPad: " ", startingAt: 0)) == nil)
  }

  @Test func `the first line shows a plan or a depfile`() {
    for line in [
      "com.example: 2 packs, 31 files, 5 kB (limits: app-store)",
      "x: 1 pack, 1 file, 1 byte (limits: wwdc15)",
      "x: 1,024 packs, 96,750 files, a, b (limits: a-9)", "a: b: 380 packs, 20 files, 1 (limits: 0)",
    ] {
      #expect(words("\(line)\nmore") == "a plan", "\(line)")
    }
    for line in [
      "x: 2 packs, 3 files, 5 kB (limits: App)", "x: 2 packs, 3 files (limits: a)",
      "x: packs, 3 files, 5 (limits: a)",
      "x: 2 packs, 3 files, 5 kB (limit: a)", "x: 2 packs, 3 files, 5 kB (limits: a) ", "(limits: a)", ")",
    ] {
      #expect(words("\(line)\nmore") == nil, "\(line)")
    }
    #expect(words("x: 2 packs, 3 files, 5 kB (limits: a)") == nil, "without a second line")
    #expect(words("out/index.json: \\\n  a") == "a depfile")
    #expect(words("out/index.json \\\n  a") == nil && words("out/index.json: \n  \\\n") == nil)
    #expect(words("\nout/index.json: \\\n") == nil && words("\\\nindex.json: \\\n") == nil)
  }
}
