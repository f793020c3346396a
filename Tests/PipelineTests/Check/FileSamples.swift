@testable import Formats
import Foundation
import Testing

/// A file that consists of the first bytes of a file format, and its expected finding.
struct FileSample: Sendable, CustomTestStringConvertible {
  /// The name of the file.
  ///
  /// It describes the content.
  let name: String
  let bytes: [UInt8]
  /// The kind of file in the expected finding, or nil if the file must not have a finding.
  let kind: String?

  var testDescription: String { name }

  init(_ name: String, _ bytes: [UInt8], _ kind: String? = nil) {
    self.name = name
    self.bytes = bytes
    self.kind = kind
  }

  init(_ name: String, text: String, _ kind: String? = nil) {
    self.init(name, Array(text.utf8), kind)
  }
}

// Samples that follow the specifications of the file formats. The code in this file generates all of them.
extension FileSample {
  private static let machO = "a Mach-O binary"
  private static let fat = "a universal Mach-O binary"
  private static let library = "a static library"
  private static let windows = "a Windows binary (PE)"

  static let executables: [FileSample] = [
    FileSample("mach-o 32 bits", [0xfe, 0xed, 0xfa, 0xce] + zeros(24), machO),
    FileSample("mach-o 64 bits", [0xfe, 0xed, 0xfa, 0xcf] + zeros(24), machO),
    FileSample("mach-o 32 bits swapped", [0xce, 0xfa, 0xed, 0xfe] + zeros(24), machO),
    FileSample("mach-o 64 bits swapped", [0xcf, 0xfa, 0xed, 0xfe] + zeros(24), machO),
    FileSample("fat", [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 2] + zeros(40), fat),
    FileSample("fat of many architectures", [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 44] + zeros(40), fat),
    FileSample("fat 64 bits", [0xca, 0xfe, 0xba, 0xbf, 0, 0, 0, 1] + zeros(40), fat),
    FileSample("fat swapped", [0xbe, 0xba, 0xfe, 0xca, 2, 0, 0, 0] + zeros(40), fat),
    FileSample("fat 64 bits swapped", [0xbf, 0xba, 0xfe, 0xca, 1, 0, 0, 0] + zeros(40), fat),
    FileSample("elf", [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0] + zeros(56), "an ELF binary"),
    FileSample("elf of eight bytes", [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0], "an ELF binary"),
    FileSample("pe", pe(headerAt: 0x80), windows),
    FileSample("pe right behind its head", pe(headerAt: 64), windows),
    FileSample("pe at the end of what is read first", pe(headerAt: 510), windows),
    FileSample("pe beyond what is read first", pe(headerAt: 5000), windows),
    FileSample("gnu library", archive([("/", "index"), ("a.o/", "\u{7f}ELF")]), library),
    FileSample("gnu library with long names", archive([("//", "a_long_name.o/\n"), ("/0", "?")]), library),
    FileSample("gnu library of 64 bits", archive([("/SYM64/", "index")]), library),
    FileSample("bsd library", archive([("__.SYMDEF", "index"), ("a.o", "?")]), library),
    FileSample("bsd library sorted", archive([("#1/20", "__.SYMDEF SORTED\0\0\0\0index")]), library),
    FileSample("library without an index", archive([("a.o/", "\u{7f}ELF\u{2}\u{1}")]), library),
    FileSample(
      "library whose object comes late", archive([("notes/", "odd"), ("a.o/", "\u{7f}ELF")]), library),
    FileSample("bsd object with a long name", archive([("#1/12", "an_object.o\0\u{7f}ELF")]), library),
    FileSample("thin library", text: "!<thin>\n/               0           ", library),
    FileSample("dex", text: "dex\n035\0checksum", "Android bytecode (dex)"),
    FileSample("bitcode", [0x42, 0x43, 0xc0, 0xde] + zeros(12), "LLVM bitcode"),
  ]

  static let data: [FileSample] = [
    FileSample("java class", [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52] + zeros(40)),
    FileSample("java class of 1996", [0xca, 0xfe, 0xba, 0xbe, 0, 3, 0, 45] + zeros(40)),
    FileSample("java class of a preview", [0xca, 0xfe, 0xba, 0xbe, 0xff, 0xff, 0, 67] + zeros(40)),
    FileSample("fat of nothing", [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 0] + zeros(40)),
    FileSample(
      "mz text", text: "MZ is how this text begins, " + String(repeating: "and it goes on. ", count: 20)),
    FileSample("mz with a wrong header", Array(pe(headerAt: 0x80).dropLast(4)) + [0x50, 0x45, 0, 1]),
    FileSample("mz whose header is beyond its end", mz(headerAt: 4000) + zeros(100)),
    FileSample("mz whose header is far beyond", mz(headerAt: 0xffff_ffff) + zeros(100)),
    FileSample("mz that ends early", Array(mz(headerAt: 64).prefix(63))),
    FileSample("pe that ends within its letters", Array(pe(headerAt: 64).dropLast())),
    FileSample(
      "deb", archive([("debian-binary", "2.0\n"), ("control.tar.xz", "odd"), ("data.tar.xz", "x")])),
    FileSample("empty archive", text: "!<arch>\n"),
    FileSample("archive that ends early", Array(archive([("a.o/", "\u{7f}ELF")]).prefix(40))),
    FileSample("archive without a size", text: "!<arch>\n" + String(repeating: "x", count: 200)),
    FileSample("dex of no version", text: "dex\n035 checksum"),
    FileSample("script", text: "#!/bin/sh\nexec rm -rf /\n"),
    FileSample("lua", text: "local hero = require(\"hero\")\nprint(hero.name)\n"),
    FileSample("shader", text: "#version 300 es\nprecision highp float;\nvoid main() {}\n"),
    FileSample("json", text: "{\"name\": \"a JSON file\", \"magic\": \"\u{7f}ELF\"}"),
    FileSample("png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + zeros(40)),
    FileSample("ogg", text: "OggS" + String(repeating: "\0", count: 60)),
    FileSample("zeros", zeros(4096)),
    FileSample("elf later on", [0] + [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]),
    FileSample("text that speaks of git-lfs", text: "version https://git-lfs-tutorial.example/ is a page"),
  ]

  /// Files of 1 to 7 bytes, which are too short for any format.
  static let tiny: [FileSample] = (1...7).flatMap { length in
    [
      [0x7f, 0x45, 0x4c, 0x46], [0xfe, 0xed, 0xfa, 0xcf], [0xca, 0xfe, 0xba, 0xbe], Array("!<thin>\n".utf8),
    ]
    .enumerated().map { number, magic in
      FileSample("\(length) bytes of magic \(number)", Array((magic + [0, 0, 0, 1]).prefix(length)))
    }
  }

  static let webAssembly = FileSample("wasm", [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0] + zeros(8))

  static let lfsPointer = FileSample(
    "lfs pointer",
    text: "version https://git-lfs.github.com/spec/v1\n"
      + "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n")

  private static func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

  /// Returns a DOS header with the offset of a PE header.
  private static func mz(headerAt offset: UInt32) -> [UInt8] {
    Array("MZ".utf8) + zeros(58) + (0..<4).map { UInt8(truncatingIfNeeded: offset >> ($0 * 8)) }
  }

  private static func pe(headerAt offset: UInt32) -> [UInt8] {
    mz(headerAt: offset) + zeros(Int(offset) - 64) + [0x50, 0x45, 0, 0]
  }

  /// Returns an `ar` archive of members with names and contents.
  ///
  /// Each content is padded to an even length.
  private static func archive(_ members: [(name: String, content: String)]) -> [UInt8] {
    func field(_ text: String, _ width: Int) -> String {
      text.padding(toLength: width, withPad: " ", startingAt: 0)
    }
    let texts = members.map { name, content in
      field(name, 16) + field("0", 12) + field("0", 6) + field("0", 6) + field("644", 8)
        + field("\(content.utf8.count)", 10) + "`\n" + content + (content.utf8.count % 2 == 1 ? "\n" : "")
    }
    return Array(("!<arch>\n" + texts.joined()).utf8)
  }
}
