package import Formats
import System
package import Foundation

/// A small game made of random numbers: a manifest or an Xcode project with its files, and the flags to check it with.
package struct RandomProject {
  /// Stands for the project's folder in flags and texts.
  package static let site = "SITE"
  /// Stands for a built release of the same app in flags, which the test makes once.
  package static let baseline = "BASELINE"
  /// Stands for a built release of another app.
  package static let foreignBaseline = "FOREIGN"
  /// The app of each project.
  package static let bundleIdentifier = "com.example.random"

  /// What packs are for; the raw value is the layout's name in flags.
  package enum Target: String, CaseIterable, Sendable {
    case packtool
    case xcode
    case hosted
    case backgroundAssets = "background-assets"

    /// The flags that choose it.
    package var flags: [String] {
      switch self {
      case .packtool: []
      case .hosted: ["--layout", rawValue, "--url-prefix", "https://example.com/p/"]
      case .xcode, .backgroundAssets: ["--layout", rawValue]
      }
    }
  }

  /// A change of the folder between a build and the next, and what the next one has besides its flags.
  package struct NextBuild: Sendable {
    package var flags: [String] = []
    /// The output folder; the one of the first build by default.
    package var output = "out"
    /// Changes the folder of the project, in which the first build is in `out`.
    package var change: @Sendable (String) throws -> Void = { _ in }

    package init() {}
  }

  /// The tags of the game, each with a folder of its name.
  package let tags: [String]
  /// The members of the manifest but for its rules, as JSON.
  package var members: [String: String]
  /// The limits that replace those of the profile, in bytes.
  package var limits: [String: Int] = [:]
  /// The rules, as JSON.
  package var rules: [String] = []
  /// Members that stand in the text as they are.
  package var more: [String] = []
  /// The last change of the manifest's or project's text.
  package var edit: (String) -> String = { $0 }
  /// The contents of files below the project's folder.
  package var files: [String: Data] = [:]
  /// The targets of symlinks.
  package var links: [String: String] = [:]
  /// The sizes of files without content on the disk.
  package var sparseFiles: [String: Int64] = [:]
  package var fifos: [String] = []
  package var hasManifest = true
  /// The Xcode project that takes the manifest's place.
  package var project: TestProject?
  package var target: Target
  /// The flags that every command on a manifest takes, besides those of the target.
  package var flags: [String] = []
  /// The flags that set severities, which `verify` takes, too.
  package var severityFlags: [String] = []
  /// The severity that the manifest sets, as flags.
  package private(set) var ownSeverity: [String] = []
  /// The flags of one more run of `validate`.
  package var validateFlags: [String] = []
  /// One more run of `build`.
  package var nextBuild: NextBuild?
  /// The checks whose faults were put in.
  package private(set) var faults: [Check] = []

  /// A game without a fault.
  package init(_ dice: inout Dice) {
    tags = Array(["Castle", "Forest", "Harbor", "Island"].prefix(2 + dice.below(3)))
    target = dice.pick(Target.allCases)
    members = [
      "bundleIdentifier": "\"\(Self.bundleIdentifier)\"", "root": "\"Assets\"",
      "container": "\"\(dice.pick(["zip", "tar.gz", "tar.zst", "folder"]))\"",
    ]
    for tag in tags {
      for number in 0...dice.below(3) { add("\(tag)/\(number).bin", size: 1 + dice.below(3000), &dice) }
      addRule(path: tag, tags: [tag])
    }
    if dice.chance(40) {
      add("Shared/\(tags[0]).png", size: 1 + dice.below(3000), &dice)
      addRule(path: "Shared", tags: Array(tags.prefix(2)))
    }
    if dice.chance(50) { members["initialInstallTags"] = "[\"\(tags[0])\"]" }
    if dice.chance(50) { members["prefetchTagOrder"] = "[\"\(tags[1])\"]" }
  }

  /// The game of a number, with the fault of a check and perhaps more: every check has its turn.
  package init(seed: Int) {
    var dice = Dice(seed: UInt64(seed) &* 104_729 &+ 17)
    self.init(&dice)
    let first = ProjectFault.turns[seed % ProjectFault.turns.count]
    put(first, &dice)
    // Most have a second fault, which may hide the first, or be hidden by it.
    let others = ProjectFault.all.filter {
      $0.weight > 0 && $0.company != .none && $0.company == first.company
    }
    if !others.isEmpty, dice.chance(80) {
      var both = self
      both.put(dice.pick(others), &dice)
      // The first may depend on the target.
      if both.target == target { self = both }
    }
    if dice.chance(25) { severityFlags.append("--strict") }
    if dice.chance(25) { severityFlags.append("--submission") }
    // One in four has another severity for a check that it breaks, by the manifest or by a flag.
    let lowerable = faults.filter(\.canBeLowered)
    if dice.chance(25), let check = lowerable.first(where: { $0.severity == .error }) ?? lowerable.first {
      let level = dice.pick(["error", "warning", "warning", "note", "ignore"])
      if dice.chance(50) {
        severityFlags += ["--severity", "\(check.id)=\(level)"]
      } else {
        members["severity"] = "{ \"\(check.id)\": \"\(level)\" }"
        ownSeverity = ["--severity", "\(check.id)=\(level)"]
      }
    }
  }

  /// Puts a fault in.
  package mutating func put(_ fault: ProjectFault, _ dice: inout Dice) {
    guard case .made(let make) = fault.origin, !faults.contains(fault.check) else { return }
    faults.append(fault.check)
    make(&self, &dice)
  }

  /// The flags of `validate`, `plan` and `build`; `SITE` and the like are left as they are.
  package var allFlags: [String] { targetFlags + flags + severityFlags }

  /// The flags of the target that no flag of a fault names.
  package var targetFlags: [String] {
    var words = target.flags
    if let place = words.firstIndex(of: "--url-prefix"), flags.contains("--url-prefix") {
      words.removeSubrange(place...place + 1)
    }
    return words
  }

  /// The argument of commands, relative to the project's folder.
  package var argument: String { project == nil ? "." : "App.xcodeproj" }

  /// Adds an asset of random bytes.
  package mutating func add(_ path: String, size: Int, _ dice: inout Dice) {
    files["Assets/\(path)"] = Sample.noise(size, seed: dice.next())
  }

  /// Adds an asset.
  package mutating func add(_ path: String, _ content: String) {
    files["Assets/\(path)"] = Data(content.utf8)
  }

  /// Adds a rule for a path with more members as JSON.
  package mutating func addRule(path: String, tags: [String], _ more: String = "") {
    rules.append("{ \"path\": \"\(path)\", \"tags\": \(Self.list(tags))\(more.isEmpty ? "" : ", \(more)") }")
  }

  /// Texts without special characters as a JSON array.
  package static func list(_ texts: [String]) -> String {
    "[" + texts.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
  }

  private var text: String {
    var members = members
    members["resources"] = "[\n    " + rules.joined(separator: ",\n    ") + "\n  ]"
    if !limits.isEmpty {
      members["limits"] =
        "{ " + limits.sorted { $0.key < $1.key }.map { "\"\($0)\": \($1)" }.joined(separator: ", ") + " }"
    }
    let lines = members.sorted { $0.key < $1.key }.map { "  \"\($0)\": \($1)" } + more.map { "  \($0)" }
    return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
  }

  /// Writes the project into a folder, which need not be there.
  package func write(to folder: String) throws {
    var files = files
    if let project {
      files["App.xcodeproj/project.pbxproj"] = Data(edit(project.text).utf8)
    } else if hasManifest {
      files["Manifest.json"] = Data(edit(text).utf8)
    }
    for (path, content) in files {
      let text = content.count < 10_000 ? String(bytes: content, encoding: .utf8) : nil
      let replaced = text.map { Data($0.replacingOccurrences(of: Self.site, with: folder).utf8) }
      try write(replaced ?? content, to: "\(folder)/\(path)")
    }
    for (path, size) in sparseFiles {
      try write(Data(), to: "\(folder)/\(path)")
      guard truncate("\(folder)/\(path)", off_t(size)) == 0 else {
        throw SystemError(during: "grow", path: path)
      }
    }
    for path in fifos {
      try FileOperations.makeFolder(folderPath(of: "\(folder)/\(path)"))
      guard mkfifo("\(folder)/\(path)", 0o644) == 0 else { throw SystemError(during: "make", path: path) }
    }
    for (path, target) in links {
      try FileOperations.makeFolder(folderPath(of: "\(folder)/\(path)"))
      guard symlink(target, "\(folder)/\(path)") == 0 else { throw SystemError(during: "link", path: path) }
    }
  }

  private func write(_ content: Data, to path: String) throws {
    try FileOperations.makeFolder(folderPath(of: path))
    // Not Foundation, which waits for the disk after each file.
    guard let stream = fopen(path, "w") else { throw SystemError(during: "create", path: path) }
    let count = content.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, stream) }
    guard fclose(stream) == 0 && count == content.count else {
      throw SystemError(during: "write", path: path)
    }
  }
}
