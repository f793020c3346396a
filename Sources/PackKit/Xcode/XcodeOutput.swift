import Archiving

/// The property lists of a build in one of Xcode's layouts.
struct XcodeOutput: Sendable {
  private let plan: PackPlan
  private let settings: PackSettings

  init(of plan: PackPlan, _ settings: PackSettings) {
    self.plan = plan
    self.settings = settings
  }

  /// The name and bytes of each, in the order in which they are published: the manifest is the last.
  ///
  /// The packs are those that were published, in the plan's order; a template names the folder's absolute path.
  func files(of packs: [PublishedPack], in output: OutputFolder) throws(SystemError)
    -> [(name: String, bytes: ByteBuffer)]
  {
    let location = settings.xcode.location
    let manifest = AssetPackManifest(resources: try resources(of: packs, in: output))
    let last = (location.manifestName, manifest.bytes)
    if settings.layout == .hosted { return [last] }
    return [(OnDemandResources.name, OnDemandResources(of: plan).bytes), last]
  }

  private func resources(of packs: [PublishedPack], in output: OutputFolder) throws(SystemError)
    -> [AssetPackManifest.Resource]
  {
    var folder: [UInt8] = []
    if settings.xcode.location == .buildFolder {
      folder = try FileOperations.realPath(of: output.path) + Array("/\(settings.layout.packsFolder)".utf8)
    }
    return zip(plan.packs, packs).map { pack, published in
      AssetPackManifest.Resource(
        identifier: pack.identity.identifier,
        url: settings.xcode.location.url(
          ofPackFolder: pack.identity.name + Layout.packSuffix, in: folder),
        contentHash: contentHash(of: pack, published),
        size: pack.size.saturatingSum(with: Int64(PackInfo(of: pack).bytes.count)), priority: pack.priority)
    }
  }

  private func contentHash(of pack: AssetPack, _ published: PublishedPack) -> String {
    if settings.xcode.contentHash == .sha256 { return published.digest.prefixed }
    if let date = settings.xcode.sourceDate { return ModificationTime(seconds: date).text }
    let files = pack.files.map { plan.tree.files[$0] }
    return ModificationTime(nanoseconds: settings.newestTime(of: files)).text
  }
}

extension PackSettings {
  /// The newest time in a pack of some files, in nanoseconds since 1970.
  func newestTime(of files: [AssetFile]) -> Int64 {
    if xcode.keepsTimes, let newest = files.map(\.stamp.modified).max() { return newest }
    // Beyond the year 2262 nanoseconds no longer fit.
    let (nanoseconds, overflows) = modified.multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? .max : nanoseconds
  }

  /// The names of the property lists of Xcode's that a build with these settings does not write.
  var staleNames: [String] {
    var names = PackLocation.manifestNames.filter { $0 != xcode.location.manifestName }
    if layout == .hosted { names.append(OnDemandResources.name) }
    return names
  }
}
