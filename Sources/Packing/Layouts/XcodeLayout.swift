import Findings
import Formats
import PackKit
import System

/// The output of Xcode: folders of packs, `OnDemandResources.plist` and the manifest of packs.
struct XcodeLayout: AppleLayout {
  let kind = Layout.xcode
  let packsFolder = PublishedNames.onDemandResourcesFolder
  let indexName = PublishedNames.onDemandResources
  let reservedNames = [PublishedNames.packInfo]
  let settings: XcodeSettings
  let manifestForm = AssetPackManifest.Form.build

  func container(_ chosen: Container) -> Container { .folder }
  func info(of pack: AssetPack) -> PackInfo? { PackInfo(of: pack) }

  var staleNames: [String] { settings.hasOwnManifest ? PublishedNames.assetPackManifests : staleManifests }

  func mayBeFolder(_ name: String) -> Bool { true }

  func stands(in folder: OutputFolder) throws(SystemError) -> Bool {
    try folder.exists(joined(folder.path, packsFolder))
  }

  func lists(_ manifest: NamedBytes, of plan: PackPlan) -> [NamedBytes] {
    let list = NamedBytes(name: indexName, bytes: OnDemandResources(of: plan).bytes)
    return settings.hasOwnManifest ? [list] : [list, manifest]
  }
}
