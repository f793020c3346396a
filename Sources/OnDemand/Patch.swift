#if Patches
  import CZstandard
  import Foundation

  /// A model of `patch.json`, which is the first entry of a patch.
  private struct Recipe: Decodable {
    struct File: Decodable {
      let path: String, size: Int64, digest: PublishedDigest, `as`: String, from: PublishedDigest?
    }

    let formatVersion: Int, digest: PublishedDigest, files: [File]
  }

  /// Makes a pack from old files and a patch.
  ///
  /// The caller must already have checked the patch's digest.
  ///
  /// `findSources` finds old files by their digests.
  func applyPatch(
    _ patch: URL, pack: Catalog.Pack, into folder: URL, findSources: (Set<String>) -> [String: URL]
  ) throws {
    var zip = try ZipReader(patch)
    // A patch contains the recipe and at most one frame for each file. This check limits the memory that a
    // hostile directory can use.
    if zip.count > pack.fileCount + 1 { throw wrong("it has more entries than its pack has files") }
    var entries: [String: ZipReader.Entry] = [:]
    while let entry = try zip.next() {
      if entries.updateValue(entry, forKey: entry.path) != nil { throw wrong("an entry is there twice") }
    }
    guard let first = entries["patch.json"], first.size <= Catalog.maxIndexSize else {
      throw wrong("it has no patch.json")
    }
    var json = Data()
    try zip.read(first) { json.append(contentsOf: $0) }
    let recipe = try Catalog.decoded(Recipe.self, data: json)
    if recipe.formatVersion != 1 || recipe.digest != pack.digest { throw wrong("it makes another pack") }
    let sources = findSources(Set(recipe.files.filter { $0.as != "whole" }.compactMap { $0.from?.hex }))
    var maker = try PackMaker(pack, in: folder)
    for file in recipe.files {
      let source = file.as == "whole" ? nil : file.from.flatMap { sources[$0.hex] }
      if !PackPath.isInPack(file.path) || file.as != "whole" && source == nil {
        throw wrong("a file or its source is missing")
      }
      try maker.add(file.path, size: file.size) { writer in
        let old = try source.map { try Data(contentsOf: $0, options: .alwaysMapped) }
        if file.as == "same", let old { return try writer.write(old) }
        guard let entry = entries[file.digest.hex] else { throw wrong("an entry is missing") }
        try decompress(entry, of: zip, prefix: old ?? Data(), to: writer, atMost: file.size)
      }
    }
    try maker.finish()
  }

  /// Decompresses a frame, using old contents as the prefix.
  private func decompress(
    _ entry: ZipReader.Entry, of zip: ZipReader, prefix: Data, to writer: FileWriter, atMost size: Int64
  ) throws {
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: ZSTD_DStreamOutSize(), alignment: 16)
    let context = ZSTD_createDCtx()
    defer {
      output.deallocate()
      ZSTD_freeDCtx(context)
    }
    try prefix.withUnsafeBytes { old in
      ZSTD_DCtx_refPrefix(context, old.baseAddress, old.count)
      var state = 1
      try zip.read(entry) { bytes in
        var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        var made = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        repeat {
          if state == 0 { throw wrong("a frame has bytes after its end") }
          made.pos = 0
          state = ZSTD_decompressStream(context, &made, &input)
          if ZSTD_isError(state) != 0 || writer.size + Int64(made.pos) > size {
            throw wrong("a frame is wrong or too long")
          }
          try writer.write(UnsafeRawBufferPointer(rebasing: output[..<made.pos]))
        } while input.pos < input.size || made.pos == made.size && state != 0
      }
      if state != 0 { throw wrong("a frame is truncated") }
    }
  }
#endif
