package import Formats
import Foundation

/// A fault that makes `validate` or `build` report a check, or the reason why no fault can cause a finding of
/// this check.
///
/// Every check must have such a value. A test fails if a check has none.
package struct ProjectFault: Sendable {
  /// A function that adds a fault to a project.
  package typealias Maker = @Sendable (inout RandomProject, inout Dice) -> Void

  /// The origin of a check's findings.
  package enum Origin: Sendable {
    case made(Maker)
    /// `validate` and `build` never report the check for a random project.
    ///
    /// The string is the reason.
    case never(String)
  }

  /// The kind of other faults that can be in the same project as this fault.
  package enum Company: Sendable {
    /// Other faults of manifests and their files.
    case manifests
    /// Other faults of Xcode projects.
    case projects
    /// No other faults, because this fault replaces the project.
    case none
  }

  package let check: Check
  package let origin: Origin
  package let company: Company
  /// The number of projects with this fault, relative to a fault of weight 1.
  ///
  /// The weight is high if the fault is often hidden by settings or by other faults.
  package let weight: Int

  init(_ check: Check, company: Company = .manifests, weight: Int = 1, _ make: @escaping Maker) {
    self.check = check
    self.company = company
    self.weight = company == .none ? 2 : weight
    origin = .made(make)
  }

  init(_ check: Check, never reason: String) {
    self.check = check
    company = .none
    weight = 0
    origin = .never(reason)
  }

  /// The faults of all checks.
  package static let all =
    ofManifests + ofProjects + ofCode + ofFiles + ofVariants + ofPacks + ofBackgroundAssets + ofOutputs
    + ofBuiltFolders + ofBudgets + ofScenarios + ofRuns

  /// The faults that can be added to a project, each as often as its weight.
  package static let turns = all.flatMap { Array(repeating: $0, count: $0.weight) }
}

extension ProjectFault {
  private static let ofManifests: [ProjectFault] = [
    ProjectFault(.missingManifest, company: .none) { project, _ in project.hasManifest = false },
    ProjectFault(.twoManifests, company: .none) { project, _ in
      project.files["Manifest.jsonc"] = Data("{}".utf8)
    },
    ProjectFault(.jsonSyntax, company: .none) { project, _ in project.edit = { String($0.dropLast(3)) } },
    ProjectFault(.duplicateKey) { project, _ in project.more.append("\"root\": \"Assets\"") },
    ProjectFault(.unknownKey) { project, _ in project.more.append("\"colour\": 1") },
    ProjectFault(.missingKey) { project, _ in project.members["bundleIdentifier"] = nil },
    ProjectFault(.wrongType) { project, _ in project.members["exclude"] = "7" },
    ProjectFault(.invalidValue) { project, _ in project.members["container"] = "\"rar\"" },
    ProjectFault(.invalidTag) { project, _ in project.addRule(path: "Castle", tags: ["a/b"]) },
    ProjectFault(.invalidPath) { project, _ in project.addRule(path: "", tags: ["Castle"]) },
    ProjectFault(.pathEscapesRoot) { project, _ in project.addRule(path: "../x", tags: ["Castle"]) },
    ProjectFault(.noMatch) { project, _ in project.addRule(path: "Nowhere", tags: ["Castle"]) },
    ProjectFault(.duplicateRule) { project, _ in project.rules.append(project.rules[0]) },
    ProjectFault(.twoDestinations) { project, dice in
      project.add("Twice/x", size: 100, &dice)
      project.addRule(path: "Twice", tags: ["Castle"], "\"destination\": \"one\"")
      project.rules.append("{ \"glob\": \"Twice/*\", \"tags\": [\"Castle\"], \"destination\": \"two\" }")
    },
    ProjectFault(.unknownTag) { project, _ in project.members["initialInstallTags"] = "[\"Nobody\"]" },
    ProjectFault(.repeatedTag) { project, _ in
      project.members["initialInstallTags"] = "[\"Castle\", \"Castle\"]"
    },
    ProjectFault(.tagInBothLists) { project, _ in
      project.members["initialInstallTags"] = "[\"Castle\"]"
      project.members["prefetchTagOrder"] = "[\"Castle\"]"
    },
    ProjectFault(.unusedAccept, weight: 2) { project, _ in
      project.members["accept"] =
        "[{ \"check\": \"empty-file\", \"path\": \"Castle/none\", \"reason\": \"x\" }]"
    },
    ProjectFault(.otherStyle, never: "only fmt --check and fmt --diff look for it"),
    ProjectFault(.tagInTwoForms) { project, dice in
      for (folder, tag) in [("Cafe 1", "Caf\u{e9}"), ("Cafe 2", "Cafe\u{301}")] {
        project.add("\(folder)/x", size: 100, &dice)
        project.addRule(path: folder, tags: [tag])
      }
    },
  ]

  private static let ofFiles: [ProjectFault] = [
    ProjectFault(.executableContent) { project, dice in
      let head = dice.pick(["\u{7f}ELF\u{2}\u{1}\u{1} and more", "dex\n035\0 and more"])
      project.add("Castle/run", head)
    },
    ProjectFault(.secretKey) { project, dice in
      let kind = dice.pick(["", "RSA ", "OPENSSH "])
      project.add("Castle/key", "-----BEGIN \(kind)PRIVATE KEY-----\nAAAA\n")
    },
    ProjectFault(.runFileInPack) { project, _ in
      project.add("Castle/ids.json", "{}")
      project.target = .backgroundAssets
      project.flags += ["--id-map", "\(RandomProject.site)/Assets/Castle/ids.json"]
    },
    ProjectFault(.outputInPack) { project, _ in
      project.add("Castle/result.json", #"{"contents": null, "diagnostics": {"errors": 1}}"#)
    },
    ProjectFault(.specialFile) { project, _ in project.fifos.append("Assets/Castle/pipe") },
    ProjectFault(.linkEscapesRoot) { project, _ in
      project.files["outside.txt"] = Data("outside".utf8)
      project.links["Assets/Castle/far"] = "../../outside.txt"
    },
    ProjectFault(.danglingLink) { project, _ in project.links["Assets/Castle/lost"] = "nothing" },
    ProjectFault(.linkLoop) { project, _ in project.links["Assets/Castle/loop"] = "loop" },
    ProjectFault(.unreadableFile, never: "who runs the tests as root can read every file"),
    ProjectFault(.fileTooLarge) { project, _ in
      project.sparseFiles["Assets/Castle/huge"] = 1 << 40 + 1
    },
    ProjectFault(.invalidName) { project, _ in project.add("Castle/back\\slash", "x") },
    ProjectFault(.unportableName) { project, dice in
      project.add("Castle/\(dice.pick(["CON.txt", "what?", "a:b", "dot."]))", "x")
    },
    ProjectFault(.pathClash) { project, dice in
      switch dice.below(3) {
      case 0:
        project.add("Castle/same", "x")
        project.add("Castle/SAME", "y")
      case 1:
        for name in ["One", "Two"] {
          project.add("Clash/\(name)/x", name)
          project.addRule(path: "Clash/\(name)", tags: ["Castle"], "\"destination\": \"here\"")
        }
      default:
        for (name, traits) in [("One", ", \"traits\": { \"memory\": 4 }"), ("Two", "")] {
          project.add("Clash/\(name)/x", name)
          project.addRule(path: "Clash/\(name)", tags: ["Castle"], "\"destination\": \"here\"\(traits)")
        }
      }
    },
    ProjectFault(.pathInTwoPacks) { project, _ in
      for (name, tag) in [("Both 1", "Castle"), ("Both 2", "Forest")] {
        project.add("\(name)/x", name)
        project.addRule(path: name, tags: [tag], "\"destination\": \"here\"")
      }
    },
    ProjectFault(.emptyFile) { project, _ in project.add("Castle/empty", "") },
    ProjectFault(.lfsPointer) { project, dice in
      project.add("Castle/pointer", PointerKind.lfsPointer(to: Data("\(dice.next())".utf8)))
    },
    ProjectFault(.missingContent, weight: 2) { project, dice in
      project.add("Castle/missing", PointerKind.lfsPointer(to: Data("\(dice.next())".utf8)))
      project.flags.append("--pointers")
    },
    ProjectFault(.icloudPlaceholder) { project, _ in project.add("Castle/.hero.png.icloud", "x") },
    ProjectFault(.unlikelyAsset) { project, dice in project.add("Castle/\(dice.pick(["x.swp", ".env"]))", "x")
    },
    ProjectFault(.untaggedFile) { project, dice in
      project.add("Loose/x", "x")
      project.members["untagged"] = dice.pick(["\"warn\"", "\"error\""])
    },
    ProjectFault(.untaggedFolder) { project, _ in
      for name in ["1", "2", "3", "4"] { project.add("Parts/\(name)/x", name) }
      for name in ["1", "2", "3"] { project.addRule(path: "Parts/\(name)", tags: ["Castle"]) }
    },
    ProjectFault(.unusedExclude) { project, _ in
      project.add("Castle/hero.psd", "x")
      project.members["exclude"] = "[\"*.psd\"]"
    },
    ProjectFault(.unusedExcept) { project, _ in
      project.add("Parts/Old/x", "x")
      project.addRule(path: "Parts", tags: ["Castle"], "\"except\": [\"Old/**\"]")
    },
    ProjectFault(
      .fileChanged, never: "a file has to change between the scan and the packing; FileChangeTests"),
  ]

  private static let ofVariants: [ProjectFault] = [
    ProjectFault(.noVariant) { project, dice in
      project.add("Only/x", size: 100, &dice)
      project.addRule(path: "Only", tags: ["Castle"], "\"traits\": { \"idiom\": \"mac\" }")
    },
    ProjectFault(.gamutFallback) { project, dice in
      project.add("Wide/x", size: 100, &dice)
      project.addRule(path: "Wide", tags: ["Castle"], "\"traits\": { \"gamut\": \"P3\" }")
    },
    ProjectFault(.memoryFallback) { project, dice in
      project.add("Large/x", size: 100, &dice)
      project.addRule(path: "Large", tags: ["Castle"], "\"traits\": { \"memory\": 4 }")
    },
    ProjectFault(.unknownTrait) { project, _ in
      project.addCatalog(entry: "\"idiom\": \"fridge\"")
      project.addRule(path: "Art.xcassets", tags: ["Castle"])
    },
    ProjectFault(.conflictingTraits) { project, dice in
      project.add("Torn/x", size: 100, &dice)
      project.addRule(path: "Torn", tags: ["Castle"], "\"traits\": { \"scale\": 2 }")
      project.rules.append(
        "{ \"glob\": \"Torn/*\", \"tags\": [\"Castle\"], \"traits\": { \"scale\": 3 } }")
    },
    ProjectFault(.rootInCatalog, company: .none) { project, _ in
      project.addCatalog(entry: "\"idiom\": \"universal\"")
      project.members["root"] = "\"Assets/Art.xcassets\""
      project.members["initialInstallTags"] = nil
      project.members["prefetchTagOrder"] = nil
      project.rules = []
      project.addRule(path: "Hero.imageset", tags: ["Castle"])
    },
  ]

  private static let ofPacks: [ProjectFault] = [
    ProjectFault(.identifierCollision) { project, dice in
      for (folder, tags) in [("Col 1", ["a:b"]), ("Col 2", ["a", "b"])] {
        project.add("\(folder)/x", size: 100, &dice)
        project.addRule(path: folder, tags: tags)
      }
    },
    ProjectFault(.tooManyTags) { project, _ in
      project.add("Many/x", "x")
      project.addRule(path: "Many", tags: (0..<600).map { "T\($0)" })
      project.rules.append(
        "{ \"glob\": \"Many/*\", \"tags\": \(RandomProject.list((600..<1200).map { "T\($0)" })) }")
    },
    ProjectFault(.raisedLimit) { project, _ in project.limits["totalSize"] = 1 << 40 },
    limit(.packSize, "packSize"),
    limit(.packCount, "packCount"),
    ProjectFault(.submissionCount) { project, _ in project.target = .backgroundAssets },
    limit(.initialInstallSize, "initialInstallSize"),
    limit(.prefetchSize, "prefetchSize"),
    ProjectFault(.xcodePrefetch, weight: 2) { project, _ in project.addHuge(size: 2_200_000_000) },
    limit(.totalSize, "totalSize"),
    ProjectFault(.variantSize, weight: 2) { project, _ in
      project.flags += ["--limits", "app-store-ios18"]
      project.addHuge(size: 40_000_000_000)
    },
    limit(.appBundleSize, "appBundleSize"),
    limit(.tagSize, "tagSize"),
    limit(.inUseSize, "inUseSize"),
    limit(.cellularSize, "cellularSize"),
    ProjectFault(.duplicateContent) { project, _ in
      let text = String(repeating: "la ", count: 10_000)
      project.add("Castle/song", text)
      project.add("Forest/song", text)
    },
    ProjectFault(.redundantTag) { project, dice in
      project.add("Pair/x", size: 100, &dice)
      project.addRule(path: "Pair", tags: ["Violet", "Orange"])
    },
    ProjectFault(.ungivenTag, company: .none) { project, _ in
      project.members["tags"] = RandomProject.list(project.tags + ["Nobody"])
    },
    ProjectFault(.similarTag, weight: 2) { project, dice in
      for (folder, tag) in [("Slip 1", "Cathedral"), ("Slip 2", "Cathedrel")] {
        project.add("\(folder)/x", size: 100, &dice)
        project.addRule(path: folder, tags: [tag])
      }
    },
    ProjectFault(.everythingInitial, company: .none) { project, _ in
      project.members["initialInstallTags"] = RandomProject.list(project.tags)
      project.members["prefetchTagOrder"] = nil
    },
    ProjectFault(.draggedIn) { project, dice in
      project.add("Along/x", size: 1_200_000, &dice)
      project.addRule(path: "Along", tags: ["Castle", "Forest"])
      project.members["initialInstallTags"] = "[\"Castle\"]"
      project.members["prefetchTagOrder"] = nil
    },
  ]

  /// Creates a fault: a limit that is exceeded by one byte or one pack.
  private static func limit(_ check: Check, _ key: String) -> ProjectFault {
    ProjectFault(check) { project, _ in
      project.limits[key] = 1
      project.members["initialInstallTags"] = "[\"Castle\"]"
      project.members["prefetchTagOrder"] = "[\"Forest\"]"
      project.members["appBundle"] = "{ \"size\": 10 }"
    }
  }

  private static let ofBudgets: [ProjectFault] = [
    ProjectFault(.removedTag) { project, _ in
      project.flags += ["--baseline", RandomProject.baseline]
      project.edit = { $0.replacingOccurrences(of: "[\"Castle\"", with: "[\"Keep\"") }
    },
    ProjectFault(.updateSize) { project, _ in
      project.flags += ["--baseline", RandomProject.baseline, "--budget-update", "1"]
    },
    ProjectFault(.packBudget) { project, _ in project.members["budgets"] = "{ \"packs\": { \"Castle\": 1 } }"
    },
    ProjectFault(.growth, weight: 2) { project, _ in
      project.flags += ["--baseline", RandomProject.baseline, "--budget-growth", "0 %"]
    },
    ProjectFault(.unknownPack) { project, _ in
      project.members["budgets"] = "{ \"packs\": { \"Nobody\": 1 } }"
    },
    ProjectFault(.uncheckedBudget) { project, _ in project.members["budgets"] = "{ \"updateSize\": 1 }" },
    ProjectFault(.foreignBaseline) { project, _ in
      project.flags += ["--baseline", RandomProject.foreignBaseline]
    },
    ProjectFault(.missingBaseline) { project, _ in
      project.flags += ["--baseline", "\(RandomProject.site)/none"]
    },
  ]

  private static let ofRuns: [ProjectFault] = [
    ProjectFault(.wrongCommandLine, never: "no finding about a project; CommandLineTests"),
    ProjectFault(
      .linkEscapesCheckout, never: "an input file has to lead out of a checkout; no project is in one"),
    ProjectFault(.machineFailure, never: "the machine has to fail; FaultTests"),
    ProjectFault(.interruptedRun, never: "a signal has to come; SignalTests"),
  ]
}

extension RandomProject {
  /// Adds a catalog with one set.
  ///
  /// `entry` contains additional members for the set's only entry, as JSON.
  fileprivate mutating func addCatalog(entry: String) {
    add("Art.xcassets/Contents.json", "{}")
    add(
      "Art.xcassets/Hero.imageset/Contents.json",
      "{ \"images\": [{ \(entry), \"filename\": \"a.png\" }, { \"idiom\": \"universal\", \"filename\": \"b.png\" }] }"
    )
    add("Art.xcassets/Hero.imageset/a.png", "a")
    add("Art.xcassets/Hero.imageset/b.png", "b")
  }

  /// Adds a large file to the initial install.
  ///
  /// Adds an error as well, so that no build packs the file.
  fileprivate mutating func addHuge(size: Int64) {
    target = .packtool
    sparseFiles["Assets/Castle/huge"] = size
    members["initialInstallTags"] = "[\"Castle\"]"
    members["budgets"] = "{ \"packs\": { \"Castle\": 1 } }"
  }
}
