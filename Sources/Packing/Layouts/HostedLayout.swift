import Findings
import Formats
import PackKit
import System

/// Zipped packs for streaming from a web server, with the manifest that devices read.
struct HostedLayout: AppleLayout {
  let kind = Layout.hosted
  let packsFolder = "."
  let indexName = PublishedNames.assetPackManifest
  let reservedNames = [PublishedNames.packInfo, ZipMetadata.folder]
  let settings: XcodeSettings
  let manifestForm = AssetPackManifest.Form.export

  func container(_ chosen: Container) -> Container { .zip }
  // A device unpacks entries during the download, which only works for stored ones.
  func compression(_ chosen: Compression) -> Compression { .store }

  func frame(of pack: AssetPack, _ files: [AssetFile]) -> HostedFrame? { HostedFrame(of: pack, files) }

  var staleNames: [String] { staleManifests + [PublishedNames.onDemandResources] }

  func mayBeFolder(_ name: String) -> Bool { false }

  func stands(in folder: OutputFolder) throws(SystemError) -> Bool {
    try folder.exists(joined(folder.path, indexName))
  }

  func lists(_ manifest: NamedBytes, of plan: PackPlan) -> [NamedBytes] { [manifest] }
}
