/// An SDK of Xcode's for which a target is built; the raw value is its name in settings.
package enum ProjectSDK: String, Sendable, CaseIterable {
  case iphoneos, iphonesimulator, appletvos, appletvsimulator, xros, xrsimulator
  case watchos, watchsimulator, macosx

  /// The SDK of a setting's value, such as `iphoneos` or `iphoneos18.2`; nil for `auto` or an unknown one.
  init?(setting: String) {
    let name = String(setting.lowercased().prefix { !$0.isNumber && $0 != "." })
    self.init(rawValue: name)
  }

  /// The name of the platform in filters of build files.
  var filterName: String {
    switch self {
    case .iphoneos, .iphonesimulator: "ios"
    case .appletvos, .appletvsimulator: "tvos"
    case .xros, .xrsimulator: "xros"
    case .watchos, .watchsimulator: "watchos"
    case .macosx: "macos"
    }
  }

  /// The name of the platform in messages.
  var title: String {
    switch self {
    case .iphoneos, .iphonesimulator: "iOS"
    case .appletvos, .appletvsimulator: "tvOS"
    case .xros, .xrsimulator: "visionOS"
    case .watchos, .watchsimulator: "watchOS"
    case .macosx: "macOS"
    }
  }

  /// The architecture of devices.
  var architecture: String { self == .watchos ? "arm64_32" : "arm64" }
}
