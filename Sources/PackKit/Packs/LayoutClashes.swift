extension PackPlan {
  /// Files that want the place of a file that a layout puts into every pack.
  func clashes(withFilesOf layout: Layout) -> [Diagnostic] {
    let reserved: [String] =
      switch layout {
      case .packtool: []
      case .xcode: [PackInfo.name]
      case .hosted: [PackInfo.name, ZipMetadata.folder]
      }
    if reserved.isEmpty { return [] }
    return tree.files.compactMap { file in
      // Most devices tell no upper from lower case.
      let first = file.packPath.prefix { $0 != "/" }.lowercased()
      guard let name = reserved.first(where: { $0.lowercased() == first }) else { return nil }
      let message =
        "\(quoted(file.path)) lands at \(quoted(file.packPath)), where the layout \(quoted(layout.rawValue)) has "
        + "the pack's own \(quoted(name)); give it another destination"
      return Diagnostic(.pathClash, message, at: place(of: file))
    }
  }
}
