import System

/// Recognises the files and links below a root that stand for others, in a scan that is asked for them.
struct PointerReader: Sendable {
  /// The open root folder.
  private let root: Folder

  init(_ root: Folder) {
    self.root = root
  }

  /// What a file stands for; nil if it is no pointer, or cannot be read, which others report.
  func pointer(inFile path: [UInt8], _ status: FileStatus) throws(SystemError) -> AssetPointer? {
    guard status.kind == .file, status.size > 0, status.size <= PointerText.longest else { return nil }
    do throws(SystemError) {
      let file = try root.openFile(path)
      let found = try file.status()
      guard found.kind == .file, found.identity == status.identity else { return nil }
      // One byte more shows a file that grew.
      let contents = try file.bytes(Int(status.size) + 1, at: 0)
      return pointer(PointerText(contents: contents), isLink: false)
    } catch {
      guard error.isMissing || error.isDenied || error.isNoFile || error.isLink else { throw error }
      return nil
    }
  }

  /// What a symbolic link stands for; nil if its target is no key.
  func pointer(inLink path: [UInt8]) throws(SystemError) -> AssetPointer? {
    pointer(try text(ofLink: path), isLink: true)
  }

  /// What the target of a symbolic link says; nil if that is nothing, or the link is gone.
  private func text(ofLink path: [UInt8]) throws(SystemError) -> PointerText? {
    do throws(SystemError) {
      return PointerText(linkTarget: try root.target(ofLink: path))
    } catch {
      guard error.isMissing || error.isDenied || error.isNoLink else { throw error }
      return nil
    }
  }

  private func pointer(_ text: PointerText?, isLink: Bool) -> AssetPointer? {
    guard case .file(let digest, let size) = text else { return nil }
    return AssetPointer(digest: digest, size: size, isLink: isLink)
  }
}
