import Archiving
import Formats
package import Model
import Pipeline
import System

/// The settings that, together with the files, determine the bytes of packs.
package struct PackSettings: Sendable {
  let layout: Layout
  let container: Container
  let compression: Compression
  /// The modification time for every entry of a pack, in seconds since 1970.
  let modified: Int64
  /// Settings of the layouts `xcode` and `hosted`; other layouts ignore them.
  let xcode: XcodeSettings

  /// Creates settings for a layout.
  ///
  /// Some layouts replace the chosen container and compression.
  package init(
    container: Container, compression: Compression = .default, entryTime: Int64, layout: Layout = .packtool,
    xcode: XcodeSettings = XcodeSettings()
  ) {
    self.layout = layout
    self.modified = entryTime
    self.xcode = xcode
    self.container = layout.description.container ?? container
    self.compression = layout.description.compression ?? compression
  }

  /// Returns the settings of a build whose output folder is in this state after the build.
  func leaving(_ state: OutputState) -> PackSettings {
    PackSettings(
      container: container, compression: compression, entryTime: modified, layout: layout,
      xcode: xcode.leaving(state))
  }

  /// Whether files in packs have the times of their source files.
  var keepsTimes: Bool { layout.description.usesXcodeSettings && xcode.keepsTimes }

  /// The `Info.plist` at the top of a pack that is a folder; nil if the layout has no such file.
  func info(of pack: AssetPack) -> ByteBuffer? {
    switch layout.description.extras {
    case .none, .streaming: nil
    case .info: pack.info
    }
  }

  /// The entries that a zipped pack has in addition to its files; nil if the layout adds none.
  func frame(of pack: AssetPack, files: [AssetFile]) -> StreamedZipExtras? {
    switch layout.description.extras {
    case .none, .info: nil
    case .streaming: StreamedZipExtras(of: pack, files: files)
    }
  }

  /// Returns the settings and versions that the bytes of a pack depend on.
  ///
  /// The first element is packtool's version.
  func key(for manifest: Manifest) -> SettingsKey {
    SettingsKey(
      [
        .init(name: "packtool", value: packtoolVersion), .init(name: "layout", value: layout.rawValue),
        .init(name: "container", value: container.rawValue),
        .init(name: "compression", value: compression.rawValue),
        .init(name: "entry time", value: "\(modified)"),
      ] + libraryVersions.map { .init(name: $0.name, value: $0.version) } + layoutKey(for: manifest))
  }

  private func layoutKey(for manifest: Manifest) -> [SettingsKey.Part] {
    func text(_ tags: [Located<String>]) -> String { tags.map(\.value).joined(separator: "/") }
    guard layout.description.usesXcodeSettings else { return [] }
    return [
      .init(name: "times of files", value: keepsTimes ? "their own" : "fixed"),
      // The lists of tags are part of the key because they decide the priority in a pack's Info.plist.
      .init(name: "initial install tags", value: text(manifest.initialInstallTags)),
      .init(name: "prefetch order", value: text(manifest.prefetchTagOrder)),
    ]
  }

  /// Returns the newest modification time of a pack's files, in nanoseconds since 1970.
  func newestTime(of files: [AssetFile]) -> Int64 {
    if keepsTimes, let newest = files.map(\.stamp.modified).max() { return newest }
    // A time in nanoseconds overflows after the year 2262.
    let (nanoseconds, overflows) = modified.multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? .max : nanoseconds
  }
}
