import System

extension PackPlan {
  /// The plan with every file below a folder that is named by its pack's id.
  package func prefixed(by ids: AssetPackIDs) -> PackPlan {
    var folders = Array(repeating: "", count: tree.tagSets.count)
    for pack in packs {
      guard let first = pack.files.first else { continue }
      folders[Int(tree.files[first].tagSet)] = ids.id(of: pack)
    }
    var tree = tree
    tree.files = FileList(
      self.tree.files.lazy.map { $0.moved(to: "\(folders[Int($0.tagSet)])/\($0.packPath)") })
    return PackPlan(grouping: tree, of: manifest)
  }
}

extension AssetFile {
  fileprivate func moved(to destination: String) -> AssetFile {
    AssetFile(
      path: path, size: size, stamp: stamp, tagSet: tagSet, destination: destination, pointer: pointer)
  }
}
