import Formats
import Foundation

/// Faults that concern Background Assets, output folders, releases and scenarios.
extension ProjectFault {
  static let ofBackgroundAssets: [ProjectFault] = [
    ProjectFault(.invalidPackID, weight: 2) { project, _ in
      project.target = .backgroundAssets
      project.files["ids.json"] = Data("{\"Castle\": \"-castle-\"}".utf8)
      project.flags += ["--id-map", "\(RandomProject.site)/ids.json"]
    },
    ProjectFault(.invalidIDMap) { project, _ in
      project.target = .backgroundAssets
      project.files["map.json"] = Data("[]".utf8)
      project.flags += ["--id-map", "\(RandomProject.site)/map.json"]
    },
    ProjectFault(.emptyPack) { project, _ in
      project.target = .backgroundAssets
      project.add("Void/x", "")
      project.addRule(path: "Void", tags: ["Void"])
    },
    ProjectFault(.unknownPlatform, never: "a mistake in manifests of ba-package, which import reads"),
    ProjectFault(.lostInBackgroundAssets) { project, _ in project.target = .backgroundAssets },
    ProjectFault(.packagingFailed, weight: 2) { project, _ in
      project.target = .backgroundAssets
      var build = RandomProject.NextBuild()
      build.flags = ["--package"]
      build.output = "packaged"
      project.nextBuild = build
    },
    selfHosted(.invalidLedger, ledger: "[]"),
    selfHosted(
      .foreignLedger,
      ledger: "{\"formatVersion\": 1, \"bundleIdentifier\": \"com.example.other\", \"packs\": {}}"),
    selfHosted(.rewoundLedger) { folder in try FileManager.default.removeItem(atPath: "\(folder)/ledger.json")
    },
    selfHosted(.obsoletePack, weight: 3) { folder in
      try edit("\(folder)/Manifest.json") { $0.replacingOccurrences(of: "\"Castle\"", with: "\"Renamed\"") }
    },
    ProjectFault(.wrongVersion, never: "verify and diff look for it"),
    selfHosted(.unknownDownloadSize),
    ProjectFault(.infoPlist) { project, _ in
      project.files["Info.plist"] = Data("<plist version=\"1.0\"><dict></dict></plist>".utf8)
      project.validateFlags = ["--info-plist", "\(RandomProject.site)/Info.plist"]
    },
    ProjectFault(.invalidLanguage) { project, _ in
      project.target = .backgroundAssets
      project.members["languages"] = "{ \"Castle\": \"no language\" }"
    },
    ProjectFault(.sharedFile, never: "two manifests of ba-package have to select a file, which import reads"),
    ProjectFault(.wrongSelector, never: "a mistake in manifests of ba-package, which import reads"),
  ]

  /// Creates a fault of Background Assets packs that are on the developer's own server.
  ///
  /// `change` is called between two builds.
  private static func selfHosted(
    _ check: Check, weight: Int = 2, ledger: String? = nil,
    change: (@Sendable (String) throws -> Void)? = nil
  ) -> ProjectFault {
    ProjectFault(check, weight: weight) { project, _ in
      project.target = .backgroundAssets
      project.files["ledger.json"] = ledger.map { Data($0.utf8) }
      project.flags += [
        "--self-hosted", "--ledger", "\(RandomProject.site)/ledger.json", "--url-prefix",
        "https://example.com/p/",
      ]
      guard let change else { return }
      project.nextBuild = RandomProject.NextBuild()
      project.nextBuild?.change = change
    }
  }

  private static func edit(_ path: String, _ change: (String) -> String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try change(text).write(toFile: path, atomically: false, encoding: .utf8)
  }

  static let ofOutputs: [ProjectFault] = [
    output(.outputIsRoot, to: "Assets"),
    output(.outputInRoot, to: "Assets/packs"),
    output(.foreignOutput, weight: 2, for: .packtool, to: "foreign") { folder in
      try write("{}", to: "\(folder)/foreign/index.json")
    },
    output(.unsafeOutput, to: "linked") { folder in
      try FileManager.default.createDirectory(atPath: "\(folder)/linked", withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/linked/.packtool", withDestinationPath: folder)
    },
    ProjectFault(.unsayableName) { project, _ in
      project.add("Castle/a;b", "x")
      project.nextBuild = RandomProject.NextBuild()
      project.nextBuild?.flags = ["--depfile", "\(RandomProject.site)/depfile"]
    },
    ProjectFault(.unusableShard, never: "merge looks for it"),
    ProjectFault(.doubtfulURLPrefix, weight: 2) { project, _ in
      project.target = .xcode
      project.flags += ["--url-prefix", "example.com/p"]
    },
    ProjectFault(.unsignedRelease, never: "a build has to be signed first; SigningTests"),
    ProjectFault(.staleRelease, never: "a build has to be signed first; SigningTests"),
    ProjectFault(.doubtfulReleaseNumber, never: "a build has to be signed first; SigningTests"),
    ProjectFault(.readableSecret, never: "only builds that sign read a secret key; SigningTests"),
  ]

  /// Creates a fault of the output folder.
  private static func output(
    _ check: Check, weight: Int = 1, for target: RandomProject.Target? = nil, to output: String,
    change: @escaping @Sendable (String) throws -> Void = { _ in }
  ) -> ProjectFault {
    ProjectFault(check, weight: weight) { project, _ in
      if let target { project.target = target }
      project.nextBuild = RandomProject.NextBuild()
      project.nextBuild?.output = output
      project.nextBuild?.change = change
    }
  }

  private static func write(_ text: String, to path: String) throws {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  static let ofBuiltFolders: [ProjectFault] = [
    ProjectFault(.missingIndex) { project, _ in
      project.files["no-build/file"] = Data("x".utf8)
      project.flags += ["--baseline", "\(RandomProject.site)/no-build"]
    },
    ProjectFault(.damagedIndex) { project, _ in
      project.files["old/index.json"] = Data("{}".utf8)
      project.flags += ["--baseline", "\(RandomProject.site)/old"]
    },
    ProjectFault(.missingPack, weight: 3) { project, _ in
      project.target = .packtool
      project.nextBuild = RandomProject.NextBuild()
      project.nextBuild?.output = "patched"
      project.nextBuild?.flags = ["--patch-from", "\(RandomProject.site)/out"]
      project.nextBuild?.change = { folder in
        try? FileManager.default.removeItem(atPath: "\(folder)/out/packs")
      }
    },
    ProjectFault(.publishedElsewhere, never: "verify tells of it"),
    ProjectFault(
      .damagedPack, never: "an earlier release has to be damaged where a patch needs it; PatchTests"),
    ProjectFault(.wrongContents, never: "verify looks for it"),
    ProjectFault(.damagedPatch, never: "verify looks for it"),
    ProjectFault(.damagedSignature, never: "verify looks for it"),
    ProjectFault(.expiredRelease, never: "verify looks for it"),
    ProjectFault(.notInIndex, never: "verify looks for it"),
    ProjectFault(.existingFile, never: "unpack looks for it"),
    ProjectFault(.unknownFile, never: "inspect looks for it"),
  ]

  static let ofScenarios: [ProjectFault] = [
    ProjectFault(.traceSyntax, never: "suggest looks for it"),
    ProjectFault(.traceElsewhere, never: "suggest looks for it"),
    ProjectFault(.missingScenario) { project, _ in
      project.validateFlags = ["--scenario", "\(RandomProject.site)/none.json"]
    },
    scenario(.slowInstall, expecting: "\"installed\": \"0 s\""),
    scenario(.stalls, expecting: "\"stalls\": 0"),
    scenario(.transferSize, expecting: "\"downloaded\": 0"),
    scenario(.failedRequest, expecting: "\"errors\": 0", tag: "Nobody"),
    scenario(.openRequest, expecting: "", end: ""),
    ProjectFault(.allPreserved, never: "a scenario has to name all tags of the project"),
    ProjectFault(.uncompressedSizes, never: "simulate tells of it"),
    ProjectFault(.logSyntax, never: "simulate --replay looks for it"),
  ]

  /// Creates a scenario with an expectation that is not fulfilled.
  private static func scenario(
    _ check: Check, expecting: String, tag: String = "Castle", end: String = ", { \"end\": \"c\" }"
  ) -> ProjectFault {
    ProjectFault(check, weight: 2) { project, _ in
      project.files["scenario.json"] = Data(
        """
        { "link": "3G", "expect": { \(expecting) },
          "steps": [{ "install": true }, { "begin": ["\(tag)"], "as": "c" }, { "await": "c" }\(end)] }
        """.utf8)
      // The scenario waits for packs, so the packs must be on demand.
      project.members["initialInstallTags"] = check == .slowInstall ? "[\"Castle\"]" : nil
      project.members["prefetchTagOrder"] = nil
      project.validateFlags = ["--scenario", "\(RandomProject.site)/scenario.json"]
    }
  }

  static let ofCode: [ProjectFault] = [
    code(.unknownTagInCode, "NSBundleResourceRequest(tags: [\"Nobody\"])"),
    code(.unusedTag, "NSBundleResourceRequest(tags: [\"Castle\"])"),
    ProjectFault(.unreadSource) { project, _ in
      project.sparseFiles["Code/a.swift"] = 300_000_000
      project.validateFlags = ["--sources", "\(RandomProject.site)/Code"]
    },
  ]

  private static func code(_ check: Check, _ text: String) -> ProjectFault {
    ProjectFault(check) { project, _ in
      project.files["Code/a.swift"] = Data(text.utf8)
      project.validateFlags = ["--sources", "\(RandomProject.site)/Code"]
    }
  }
}
