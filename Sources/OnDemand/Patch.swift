#if Patches
  import CZstandard
  import Foundation

  /// Models `patch.json`, the first entry of a patch.
  private struct Recipe: Decodable {
    struct File: Decodable {
      let path: String
      let size: Int64
      let digest: PublishedDigest
      let `as`: String
      let from: PublishedDigest?
    }

    let formatVersion: Int
    let digest: PublishedDigest
    let files: [File]
  }

  /// Makes a pack of the old files that a store has, by digest, and of a patch that was proved whole.
  func applyPatch(
    _ patch: URL, _ pack: Catalog.Pack, _ sources: [String: URL], into folder: URL, _ check: () throws -> Void
  ) throws {
    let zip = try ZipReader(patch)
    var entries: [String: ZipReader.Entry] = [:]
    try zip.forEach { entry in
      if entries.updateValue(entry, forKey: entry.path) != nil {
        throw TransferFailure.wrong("an entry comes twice")
      }
    }
    guard let first = entries["patch.json"], first.size <= Catalog.longest else {
      throw TransferFailure.wrong("it has no patch.json")
    }
    var json = Data()
    try zip.read(first) { json.append(contentsOf: $0) }
    let recipe = try Catalog.decoded(Recipe.self, json)
    if recipe.formatVersion != 1 || recipe.digest != pack.digest {
      throw TransferFailure.wrong("it makes another pack")
    }
    var maker = try PackMaker(pack, in: folder)
    for file in recipe.files {
      try check()
      let source = file.from.flatMap { sources[$0.hex] }
      if !isSafe(path: file.path) || file.as != "whole" && source == nil {
        throw TransferFailure.wrong("a file or its source is missing")
      }
      let made = try maker.add(file.path, size: file.size) { writer in
        if file.as == "same", let source { return try copy(source, to: writer) }
        guard let entry = entries[file.digest.hex] else { throw TransferFailure.wrong("an entry is missing") }
        let prefix = file.as == "patch" ? source : nil
        try decompress(entry, of: zip, prefix: prefix, to: writer, atMost: file.size)
      }
      if made != file.digest.hex { throw TransferFailure.wrong("\"\(file.path)\" came out wrong") }
    }
    try maker.finish()
  }

  private func copy(_ source: URL, to writer: FileWriter) throws {
    let handle = try FileHandle(forReadingFrom: source)
    defer { try? handle.close() }
    while let data = try handle.read(upToCount: 1 << 18), !data.isEmpty {
      try writer.write(data)
    }
  }

  /// Decompresses one frame with old contents as its prefix.
  private func decompress(
    _ entry: ZipReader.Entry, of zip: ZipReader, prefix: URL?, to writer: FileWriter, atMost size: Int64
  ) throws {
    let old = try prefix.map { try Data(contentsOf: $0, options: .alwaysMapped) } ?? Data()
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: ZSTD_DStreamOutSize(), alignment: 16)
    let context = ZSTD_createDCtx()
    defer {
      output.deallocate()
      ZSTD_freeDCtx(context)
    }
    try old.withUnsafeBytes { old in
      ZSTD_DCtx_refPrefix(context, old.baseAddress, old.count)
      var state = 1
      try zip.read(entry) { bytes in
        var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
        var made = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        repeat {
          if state == 0 { throw TransferFailure.wrong("a frame has bytes behind its end") }
          made.pos = 0
          state = ZSTD_decompressStream(context, &made, &input)
          if ZSTD_isError(state) != 0 || writer.size + Int64(made.pos) > size {
            throw TransferFailure.wrong("a frame is wrong or too long")
          }
          try writer.write(UnsafeRawBufferPointer(rebasing: output[..<made.pos]))
        } while input.pos < input.size || made.pos == made.size && state != 0
      }
      if state != 0 { throw TransferFailure.wrong("a frame is cut off") }
    }
  }
#endif
