import Findings
import Formats
import PackKit

/// The kind of product that a target builds, by its identifier in the project.
struct TargetKind {
  private let productType: String

  private static let app = "com.apple.product-type.application"

  init(productType: String) {
    self.productType = productType
  }

  var isApp: Bool { productType.hasPrefix(Self.app) }

  /// Whether it is an app that comes with another: an App Clip, or one for a watch or for Messages.
  var isCompanion: Bool { isAppClip || isWatchApp || productType == "\(Self.app).messages" }

  private var isAppClip: Bool { productType == "\(Self.app).on-demand-install-capable" }
  private var isWatchApp: Bool { productType.hasPrefix("\(Self.app).watchapp") }

  /// Whether the kind takes on-demand resources on a platform, and uses them if no setting says otherwise.
  func usesResources(on sdk: ProjectSDK) -> Bool {
    isApp && !isAppClip && !isWatchApp && ![.macosx, .watchos, .watchsimulator].contains(sdk)
  }

  /// The kind in messages, with its article.
  var title: String {
    if isAppClip { return "an App Clip" }
    if isWatchApp { return "a watch app" }
    if isApp { return "an app" }
    let name = (productType.split(separator: ".").last ?? "target").map { $0 == "-" ? " " : String($0) }
      .joined()
    return "aeiou".contains(name.first ?? "x") ? "an \(name)" : "a \(name)"
  }

  /// The suffix of the product's folder without its dot.
  fileprivate var wrapperExtension: String {
    isApp ? "app" : productType.hasSuffix(".framework") ? "framework" : ""
  }

  fileprivate var identifier: String { productType }
}

extension BuildSettings {
  /// Adds the settings that Xcode itself defines; all others override them.
  mutating func addBuiltIn(target: String, kind: TargetKind, project: XcodeProject) {
    let name = XcodeProject.name(ofFile: project.tree.text.path)
    let values = [
      "TARGET_NAME": target, "TARGETNAME": target, "CONFIGURATION": build.configuration,
      "PRODUCT_NAME": "$(TARGET_NAME)", "PROJECT_NAME": name, "PROJECT": name, "SRCROOT": ".",
      "SOURCE_ROOT": ".",
      "PROJECT_DIR": ".", "PROJECT_FILE_PATH": "\(name).xcodeproj", "EXECUTABLE_PREFIX": "",
      "EXECUTABLE_SUFFIX": "",
      "EXECUTABLE_NAME": "$(EXECUTABLE_PREFIX)$(PRODUCT_NAME)$(EXECUTABLE_SUFFIX)",
      "PRODUCT_MODULE_NAME": "$(PRODUCT_NAME:c99extidentifier)", "PRODUCT_TYPE": kind.identifier,
      "WRAPPER_EXTENSION": kind.wrapperExtension, "WRAPPER_SUFFIX": ".$(WRAPPER_EXTENSION)",
      "WRAPPER_NAME": "$(PRODUCT_NAME)$(WRAPPER_SUFFIX)", "FULL_PRODUCT_NAME": "$(WRAPPER_NAME)",
      "CONTENTS_FOLDER_PATH": "$(WRAPPER_NAME)", "UNLOCALIZED_RESOURCES_FOLDER_PATH": "$(WRAPPER_NAME)",
      "EXECUTABLE_PATH": "$(WRAPPER_NAME)/$(EXECUTABLE_NAME)", "INFOPLIST_PATH": "$(WRAPPER_NAME)/Info.plist",
      "EFFECTIVE_PLATFORM_NAME": "-$(PLATFORM_NAME)", "SDK_NAME": "$(PLATFORM_NAME)",
      "ACTION": "build", "VARIANT": "normal", "CURRENT_VARIANT": "normal", "IS_MACCATALYST": "NO",
      "EMPTY": "", "__IS_NOT_MACOS": "$(__IS_NOT_MACOS_$(PLATFORM_NAME):default=YES)",
      "__IS_NOT_MACOS_macosx": "NO",
    ]
    for (key, value) in values { add(Located(value, at: 0), as: key) }
    for sdk in ProjectSDK.allCases {
      add(Located(sdk.rawValue, at: 0), as: "PLATFORM_NAME[sdk=\(sdk.rawValue)]")
      add(Located(sdk.architecture, at: 0), as: "ARCHS[sdk=\(sdk.rawValue)]")
    }
  }

  /// The SDK that the settings choose; a device's where they leave it open, as for an app of several platforms.
  var chosenSDK: ProjectSDK {
    if let sdk = value("SDKROOT").flatMap(ProjectSDK.init(setting:)) { return sdk }
    let platforms = shellWords(of: value("SUPPORTED_PLATFORMS") ?? "").compactMap(ProjectSDK.init(setting:))
    return platforms.contains(.iphoneos) ? .iphoneos : platforms.first ?? .iphoneos
  }

  /// A setting without findings about it; nil if it is not set.
  private func value(_ name: String) -> String? {
    guard let entry = entry(name, at: 0) else { return nil }
    var expansion = SettingExpansion(of: name, in: self)
    return expansion.expand(entry)
  }
}

extension XcodeProject {
  /// The name of a project by the path of its file: that of the .xcodeproj folder without its suffix.
  static func name(ofFile path: String) -> String {
    let components = path.split(separator: "/")
    let folder = components.last == "project.pbxproj" ? components.dropLast().last : components.last
    return folder.map { $0.hasSuffix(".xcodeproj") ? String($0.dropLast(10)) : String($0) } ?? ""
  }
}
