package import Formats
package import Model
package import Pipeline
package import System

// This extension is the only part of the simulation that uses the types of plans and indexes.
extension SimulatedRelease {
  /// Makes a release from a plan.
  ///
  /// A plan has no archives yet, so the size of a download is the size of its files.
  ///
  /// The contents of the packs are not known here. `ComparedReleases` reads them if an update might keep a
  /// pack.
  init(_ plan: PackPlan, appSize: Int64?) {
    self.init(Release(of: plan), appSize: appSize) { _ in "" }
  }

  /// Makes a release from a built folder.
  init(_ index: PublishedIndex, patches: [PatchSet] = []) {
    self.init(index.release, appSize: nil) { pack in pack.published?.digest.prefixed ?? "" }
    digest = index.digest
    indexSize = index.sentSize ?? 0
    for set in patches {
      listSizes[set.from] = set.sentSize
      let sizes = set.packs.map { ($0.id, $0.patch.file.size) }
      self.patches[set.from] = Dictionary(sizes) { first, _ in first }
    }
  }

  private init(_ release: Release, appSize: Int64?, content: (Release.Pack) -> String) {
    let ofDevice = Set(Delivery.allCases.flatMap(release.orderOnDevice))
    let packs = release.packs.enumerated().map { number, pack in
      var simulated = Pack(
        id: pack.id, tags: pack.tags, size: pack.size,
        transferSize: pack.published?.archive.file.size ?? pack.size, contentID: content(pack))
      simulated.isOfDevice = ofDevice.contains(number)
      return simulated
    }
    self.init(
      packs: packs, initialInstall: release.orderOnDevice(of: .initialInstall),
      prefetch: release.orderOnDevice(of: .prefetch),
      appSize: appSize)
  }

  func ordered(initialInstallTags: [String], prefetchTagOrder: [String]) -> SimulatedRelease {
    let order = DeliveryOrder(initialInstallTags: initialInstallTags, prefetchTagOrder: prefetchTagOrder)
    let deliveries = packs.map { order.delivery(of: $0.tags) }
    func places(_ delivery: Delivery) -> [Int] {
      let chosen = packs.indices.filter { deliveries[$0] == delivery && packs[$0].isOfDevice }
      let keys = chosen.map {
        (order.position(of: packs[$0].tags, for: delivery), packs[$0].tags.count, packs[$0].id, $0)
      }
      return keys.sorted { $0 < $1 }.map(\.3)
    }
    var release = self
    release.initialInstall = places(.initialInstall)
    release.prefetch = places(.prefetch)
    return release
  }
}

/// Reads the packs to simulate from a built folder, an index or a manifest.
package struct SimulatedReleaseReader: Sendable {
  /// The path of the index or the manifest, as the user would type it.
  package let path: String
  /// The release; nil if there are errors.
  package private(set) var release: SimulatedRelease?
  package private(set) var diagnostics: [Diagnostic]
  /// The manifest, if the argument is the path of a manifest.
  package private(set) var manifest: Manifest?
  /// The tag lists of the manifest or index; nil if an earlier version of packtool wrote the index without
  /// these lists.
  package private(set) var lists: TagLists?
  /// The limits of the manifest or of the build.
  package private(set) var limits = LimitSettings(profile: .appStore, overrides: [:])
  /// The device class that the packs are for; nil for all devices.
  package private(set) var device: ReleaseDevice?
  /// The manifest's text; nil if the argument is not the path of a manifest, or if the manifest was not read.
  package private(set) var text: SourceText?
  /// The findings in `diagnostics` about the contents of files; they do not prevent a simulation.
  private(set) var contentDiagnostics: [Diagnostic] = []
  /// Whether pointers were accepted instead of the files that they stand for.
  private(set) var acceptsPointers = false
  /// The files of the packs; nil if there is no release.
  private(set) var files: PackFiles?

  /// The files of a release's packs, which are needed to compare contents with another release.
  enum PackFiles: Sendable {
    /// The files of a plan, below an open root folder.
    ///
    /// Their contents have not been read yet.
    case planned(PackPlan, root: Folder)
    /// The file list of a built folder.
    ///
    /// The folder's index has the digest of each pack.
    case built(PublishedContents)
  }

  /// Reads the release at the path that the user gave.
  ///
  /// The files of a manifest are scanned. They are read only when an update needs their contents. If the
  /// request has a device class, only the files for this device class are used.
  ///
  /// - Throws: if the system fails, for example while reading a file.
  package init(_ request: Preparation.Request) throws(SystemError) {
    if try BuiltFolder.isNamed(by: request.argument) {
      self.init(try BuiltFolder(request.argument))
    } else {
      try self.init(Preparation(request))
    }
  }

  /// Uses the packs of a built folder that has already been read.
  package init(_ folder: BuiltFolder) {
    path = folder.indexPath
    diagnostics = folder.diagnostics
    device = folder.index?.device
    guard let index = folder.index, let contents = folder.contents, !diagnostics.hasErrors else { return }
    lists = index.lists
    limits = LimitSettings(of: index.release)
    release = SimulatedRelease(index, patches: folder.patches)
    files = .built(contents)
  }

  /// Uses the plan of a manifest that has already been read.
  package init(_ preparation: Preparation) throws(SystemError) {
    path = preparation.path
    diagnostics = preparation.diagnostics
    contentDiagnostics = preparation.contentDiagnostics
    acceptsPointers = preparation.acceptsPointers
    manifest = preparation.manifest
    lists = preparation.manifest.map { TagLists($0) }
    if let settings = preparation.manifest?.limits { limits = settings }
    text = preparation.text
    device = preparation.slice?.device.map { ReleaseDevice($0) }
    // Findings about the contents of files do not change the packs. The caller decides whether these findings
    // are errors.
    guard let plan = preparation.slice, let root = preparation.root, !preparation.scanDiagnostics.hasErrors
    else { return }
    let bundle = try plan.manifest.appBundleSize()
    diagnostics += bundle.diagnostics
    if bundle.diagnostics.hasErrors { return }
    release = SimulatedRelease(plan, appSize: bundle.size)
    files = .planned(plan, root: root)
  }

  /// The maximum total size, in bytes, of packs in use that the limit profile allows; `Int64.max` if there is
  /// no such limit.
  package var inUseLimit: Int64 { limits.limit(.inUseSize)?.doubtful ?? .max }

  /// A note if the release is a plan.
  ///
  /// It says that the simulation uses the uncompressed sizes of the packs.
  package var note: [Diagnostic] {
    guard manifest != nil, release != nil else { return [] }
    let message =
      "sizes of packs are uncompressed, because nothing is built; name a built folder to use the sizes of "
      + "its archives"
    return [Diagnostic(.uncompressedSizes, message: message, at: Place(path))]
  }
}
