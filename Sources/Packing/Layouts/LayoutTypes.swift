package import PackKit
import System

extension Layout {
  /// The implementation of the layout.
  func type(_ settings: XcodeSettings) -> any PackLayout {
    switch self {
    case .packtool: PacktoolLayout()
    case .xcode: XcodeLayout(settings: settings)
    case .hosted: HostedLayout(settings: settings)
    case .backgroundAssets: BackgroundAssetsLayout()
    }
  }

  /// The published file that exists in every build of the layout, relative to the output folder.
  package var indexName: String { type(XcodeSettings()).indexName }

  /// The layout of the build in a folder; nil if there is no build.
  static func found(in folder: OutputFolder) throws(SystemError) -> Layout? {
    for layout in allCases where try layout.type(XcodeSettings()).stands(in: folder) { return layout }
    return nil
  }
}

extension OutputFolder {
  package init(_ path: String, layout: Layout = .packtool, xcode: XcodeSettings = XcodeSettings()) {
    self.init(path, layout: layout.type(xcode))
  }
}

extension PackSettings {
  package init(
    container: Container, compression: Compression = .default, modified: Int64, layout: Layout = .packtool,
    xcode: XcodeSettings = XcodeSettings()
  ) {
    self.init(container, compression, modified, layout.type(xcode), xcode)
  }

  /// The same settings for a layout of the same kind that knows the plan.
  func laid(out layout: any PackLayout) -> PackSettings { PackSettings(self, layout) }
}
