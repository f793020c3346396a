package import Formats
import System
package import Foundation

/// A small random game: a manifest or an Xcode project with its files, and the flags for checking it.
package struct RandomProject {
  /// A placeholder for the project's folder in flags and other strings.
  package static let site = "SITE"
  /// A placeholder in flags for a built release of the same app.
  ///
  /// The test builds it once.
  package static let baseline = "BASELINE"
  /// A placeholder in flags for a built release of another app.
  package static let foreignBaseline = "FOREIGN"
  /// The app of each project.
  package static let bundleIdentifier = "com.example.random"

  /// The system for which the packs are built.
  ///
  /// The raw value is the name of the layout in flags.
  package enum Target: String, CaseIterable, Sendable {
    case packtool
    case xcode
    case hosted
    case backgroundAssets = "background-assets"

    /// The flags that choose the target.
    package var flags: [String] {
      switch self {
      case .packtool: []
      case .hosted: ["--layout", rawValue, "--url-prefix", "https://example.com/p/"]
      case .xcode, .backgroundAssets: ["--layout", rawValue]
      }
    }
  }

  /// A change of the folder between the first build and the next build, and the additional settings of the
  /// next build.
  package struct NextBuild: Sendable {
    package var flags: [String] = []
    /// The output folder; by default the folder of the first build.
    package var output = "out"
    /// Changes the folder of the project.
    ///
    /// The output folder of the first build is `out`.
    package var change: @Sendable (String) throws -> Void = { _ in }

    package init() {}
  }

  /// The tags of the game.
  ///
  /// For each tag, there is a folder with the same name.
  package let tags: [String]
  /// The members of the manifest as JSON, without its rules.
  package var members: [String: String]
  /// The limits that replace the profile's limits, in bytes.
  package var limits: [String: Int] = [:]
  /// The rules as JSON.
  package var rules: [String] = []
  /// Members of the manifest as text that is written unchanged.
  package var more: [String] = []
  /// A final change of the text of the manifest or project.
  package var edit: (String) -> String = { $0 }
  /// The contents of files below the project's folder.
  package var files: [String: Data] = [:]
  /// The targets of symlinks.
  package var links: [String: String] = [:]
  /// The sizes of sparse files, which need no space on the disk.
  package var sparseFiles: [String: Int64] = [:]
  package var fifos: [String] = []
  package var hasManifest = true
  /// The Xcode project that replaces the manifest.
  package var project: TestProject?
  package var target: Target
  /// The flags that every command on a manifest accepts, in addition to the flags of the target.
  package var flags: [String] = []
  /// The flags that set severities.
  ///
  /// `verify` accepts them as well.
  package var severityFlags: [String] = []
  /// Flags for the severity that the manifest sets.
  package private(set) var ownSeverity: [String] = []
  /// The flags for an additional run of `validate`.
  package var validateFlags: [String] = []
  /// An additional run of `build`.
  package var nextBuild: NextBuild?
  /// The checks whose faults were added.
  package private(set) var faults: [Check] = []

  /// Creates a game without faults.
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

  /// Creates the game for a seed.
  ///
  /// The game has a fault for one check, and possibly another fault. With consecutive seeds, all checks are
  /// used one after another.
  package init(seed: Int) {
    var dice = Dice(seed: UInt64(seed) &* 104_729 &+ 17)
    self.init(&dice)
    let first = ProjectFault.turns[seed % ProjectFault.turns.count]
    put(first, &dice)
    // Most games have a second fault. One of the two faults can hide the other.
    let others = ProjectFault.all.filter {
      $0.weight > 0 && $0.company != .none && $0.company == first.company
    }
    if !others.isEmpty, dice.chance(80) {
      var both = self
      both.put(dice.pick(others), &dice)
      // The first fault may depend on the target.
      if both.target == target { self = both }
    }
    if dice.chance(25) { severityFlags.append("--strict") }
    if dice.chance(25) { severityFlags.append("--submission") }
    // In 25 % of the games, the severity of one of the faults' checks is set in the manifest or with a flag.
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

  /// Adds a fault to the project.
  package mutating func put(_ fault: ProjectFault, _ dice: inout Dice) {
    guard case .made(let make) = fault.origin, !faults.contains(fault.check) else { return }
    faults.append(fault.check)
    make(&self, &dice)
  }

  /// The flags of `validate`, `plan` and `build`.
  ///
  /// Placeholders, for example `SITE`, are not replaced.
  package var allFlags: [String] { targetFlags + flags + severityFlags }

  /// The flags of the target, except the flags that a fault replaces.
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

  /// Adds a rule for a path.
  ///
  /// `more` contains additional members as JSON.
  package mutating func addRule(path: String, tags: [String], _ more: String = "") {
    rules.append("{ \"path\": \"\(path)\", \"tags\": \(Self.list(tags))\(more.isEmpty ? "" : ", \(more)") }")
  }

  /// Returns strings as a JSON array.
  ///
  /// The strings must not contain special characters.
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

  /// Writes the project into a folder.
  ///
  /// The folder is created if it does not exist.
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
    // Foundation is not used here, because it waits for the disk after each file.
    guard let stream = fopen(path, "w") else { throw SystemError(during: "create", path: path) }
    let count = content.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, stream) }
    guard fclose(stream) == 0 && count == content.count else {
      throw SystemError(during: "write", path: path)
    }
  }
}
