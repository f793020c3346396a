import Formats
package import Model
package import Pipeline
import System

/// The tags of files, taken from a manifest or proposed.
package struct Tagging: Sendable {
  package var name: String
  package private(set) var tags: [String] = []
  /// The tags of each pack, as indices in `tags`.
  package private(set) var sets: [[Int32]] = []
  /// The pack of each file of the tree, as an index in `sets`; -1 for a file without tags.
  package private(set) var packOfFile: [Int32]
  /// The size of each pack in bytes.
  package private(set) var sizes: [Int64] = []
  package var initialInstall: [String] = []
  package var prefetch: [String] = []
  /// The scene whose request stays open from the start of a run.
  package var baseScene: Int?
  /// The tags that each scene always requests: its own tag, and tags that it shares with many scenes.
  private var sceneTags: [[Int32]]
  private var numbers: [String: Int32] = [:]
  private var known: [[Int32]: Int32] = [:]

  init(_ name: String, fileCount: Int, sceneCount: Int) {
    self.name = name
    packOfFile = Array(repeating: -1, count: fileCount)
    sceneTags = Array(repeating: [], count: sceneCount)
  }

  /// Creates the tagging that a plan has, with its tag lists.
  package init(_ name: String, plan: PackPlan, scenes: [String]) {
    self.init(name, fileCount: plan.tree.files.count, sceneCount: scenes.count)
    for pack in plan.packs {
      let set = number(of: pack.tags)
      for file in pack.files { add(file, to: set, size: plan.tree.files[file].size) }
    }
    let places = Dictionary(tags.map { ($0.lowercased(), numbers[$0]) }) { first, _ in first }
    for (scene, name) in scenes.enumerated() {
      sceneTags[scene] = [places[name.lowercased()] ?? nil].compactMap(\.self)
    }
    initialInstall = plan.manifest.initialInstallTags.map(\.value)
    prefetch = plan.manifest.prefetchTagOrder.map(\.value)
  }

  init(_ name: String, plan: PackPlan, sceneCount: Int, tag: (String) -> String) {
    self.init(name, fileCount: plan.tree.files.count, sceneCount: sceneCount)
    for (number, file) in plan.tree.files.enumerated() {
      add(number, to: self.number(of: [tag(file.path)]), size: file.size)
    }
  }

  /// A pack for at most this many scenes and folders gets their names as tags.
  ///
  /// A pack for more scenes and folders gets a single tag of its own.
  private static let maxSharedTags = 3

  /// Groups classes of files into packs.
  ///
  /// Each pack has the tags of all its classes.
  init(_ name: String, classes: FileClasses, groups: [[Int]], of plan: PackPlan) {
    self.init(name, fileCount: classes.classOfFile.count, sceneCount: classes.sceneCount)
    baseScene = classes.base
    var sets = Array(repeating: Int32(0), count: classes.classes.count)
    var names = UniqueNames(used: Set(classes.names))
    var shared: [(scenes: [Int], tag: String)] = []
    let (atomsOfGroups, aliases) = Self.atoms(of: groups, classes: classes)
    let alike = Dictionary(atomsOfGroups.map { ($0, 1) }, uniquingKeysWith: +)
    for (group, atoms) in zip(groups, atomsOfGroups) {
      var tags = atoms.map { classes.names[Int($0)] }
      if atoms.count > Self.maxSharedTags {
        let tag = names.add(classes.folderName(of: group))
        tags = [tag]
        let scenes = Set(group.flatMap { classes.classes[$0].atoms }).map { Int($0) }
        shared.append((scenes.filter { $0 < classes.sceneCount }, tag))
      }
      if (alike[atoms] ?? 0) > 1, group.allSatisfy({ classes.classes[$0].isChanging }) {
        tags.append(classes.changingTag)
      }
      let set = number(of: tags)
      for number in group { sets[number] = set }
    }
    for (file, number) in classes.classOfFile.enumerated() {
      add(file, to: sets[Int(number)], size: plan.tree.files[file].size)
    }
    for scene in 0..<classes.sceneCount {
      let atom = aliases[Int32(scene)] ?? Int32(scene)
      sceneTags[scene] = [numbers[classes.names[Int(atom)]]].compactMap(\.self)
    }
    for (scenes, tag) in shared {
      for scene in scenes { sceneTags[scene] += [numbers[tag]].compactMap(\.self) }
    }
  }

  /// Returns the scenes and folders that need each group.
  ///
  /// If several scenes or folders occur in one group and in no other group, one of their names replaces the
  /// other names (`aliases`).
  private static func atoms(
    of groups: [[Int]], classes: FileClasses
  ) -> (groups: [[Int32]], aliases: [Int32: Int32]) {
    let base = classes.base.map { Int32($0) }
    var all = groups.map { group in
      let atoms = Set(group.flatMap { classes.classes[$0].atoms })
      // The request of the base scene stays open, so files that this scene needs do not need another tag.
      return base.map { atoms.contains($0) ? [$0] : atoms.sorted() } ?? atoms.sorted()
    }
    let uses = Dictionary(all.joined().map { ($0, 1) }, uniquingKeysWith: +)
    var aliases: [Int32: Int32] = [:]
    for place in all.indices {
      let own = all[place].filter { uses[$0] == 1 }
      for other in own.dropFirst() { aliases[other] = own[0] }
      all[place].removeAll { aliases[$0] != nil }
    }
    return (all, aliases)
  }

  /// Returns the tags that a scene always requests, with its own tag first.
  package func tags(ofScene scene: Int) -> [String] { sceneTags[scene].map { tags[Int($0)] } }

  private mutating func number(of tags: [String]) -> Int32 {
    let set = Set(
      tags.map { tag -> Int32 in
        if let known = numbers[tag] { return known }
        numbers[tag] = Int32(self.tags.count)
        self.tags.append(tag)
        return Int32(self.tags.count - 1)
      }
    ).sorted()
    if let number = known[set] { return number }
    known[set] = Int32(sets.count)
    sets.append(set)
    sizes.append(0)
    return Int32(sets.count - 1)
  }

  private mutating func add(_ file: Int, to set: Int32, size: Int64) {
    packOfFile[file] = set
    sizes[Int(set)] = sizes[Int(set)].saturatingSum(with: size)
  }

  /// The tags that files have, sorted.
  package var usedTags: [String] { Set(sets.joined()).map { tags[Int($0)] }.sorted() }

  /// Returns the tags of a pack, in the order of pack names.
  package func names(ofSet set: Int) -> [String] { sets[set].map { tags[Int($0)] }.sorted() }

  /// Returns a release with the packs of this tagging.
  ///
  /// The packs have the identifiers that a build would give them.
  package func release(bundleIdentifier: String) -> SimulatedRelease {
    let used = Set(packOfFile)
    let packs = sets.indices.filter { used.contains(Int32($0)) }.map { set in
      let tags = names(ofSet: set)
      return SimulatedRelease.Pack(
        id: PackIdentity(tags: tags, bundleIdentifier: bundleIdentifier).identifier, tags: tags,
        size: sizes[set], transferSize: sizes[set], contentID: "")
    }
    return SimulatedRelease(packs: packs, initialInstall: [], prefetch: []).ordered(
      initialInstallTags: initialInstall, prefetchTagOrder: prefetch)
  }

  /// Returns the tags that an app requests when it visits a scene.
  ///
  /// The result contains the scene's own tags. If a file of the visit is in a pack without any of these tags,
  /// the result also contains the smallest tag of this pack.
  package func tagsAsked(in visit: LoadedScenes.Visit, tagSizes: [Int64]) -> [String] {
    var asked = Set(sceneTags[visit.scene])
    let sets = Set(visit.files.lazy.map { packOfFile[Int($0)] }.filter { $0 >= 0 }).map { self.sets[Int($0)] }
    for set in sets.sorted(by: { ($0.count, $0[0], $0.count) < ($1.count, $1[0], $1.count) })
    where asked.isDisjoint(with: set) {
      if let tag = set.min(by: { (tagSizes[Int($0)], $0) < (tagSizes[Int($1)], $1) }) { asked.insert(tag) }
    }
    return asked.map { tags[Int($0)] }.sorted()
  }

  /// The total size, in bytes, of each tag's packs.
  package var tagSizes: [Int64] {
    var tagSizes = Array(repeating: Int64(0), count: tags.count)
    for (set, size) in zip(sets, sizes) {
      for tag in set { tagSizes[Int(tag)] = tagSizes[Int(tag)].saturatingSum(with: size) }
    }
    return tagSizes
  }
}

/// The files of a plan, grouped into classes.
///
/// A class consists of the files that the same scenes need.
///
/// If a scene loads a file only in few of its visits, or if no run loads the file, the file has the name of
/// its folder as a tag. The app must request this tag to get the file.
package struct FileClasses: Sendable {
  struct FileClass: Sendable {
    /// The scenes and folders that need the files, as indices in `names`, sorted.
    let atoms: [Int32]
    let isChanging: Bool
    /// The innermost folder that contains all files of the class.
    var folder: String
    var item = PackGrouping.Item(size: 0, firstSceneRunMask: 0, runMask: 0)
  }

  private(set) var classes: [FileClass] = []
  private(set) var classOfFile: [Int32] = []
  /// The names of the scenes, followed by the names of folders.
  private(set) var names: [String]
  let sceneCount: Int
  private(set) var base: Int?
  /// The number and total size of the files that are not loaded in any run.
  package private(set) var neverLoaded = FileCount()
  let changingTag: String

  /// A file belongs to a scene if at least 20 % of the runs that visit the scene load the file.
  private static let (frequent, outOf) = (1, 5)
  /// The maximum number of runs.
  ///
  /// Sets of runs have one bit for each run in a UInt128.
  static let maxRuns = 128

  package init(_ loaded: LoadedScenes, plan: PackPlan, changes: [String: UInt64] = [:]) {
    sceneCount = loaded.scenes.count
    names = loaded.scenes.map { StringFormat.tag.mistake(in: $0) == nil ? $0 : "scene" }.madeUnique
    changingTag = (names + ["Changing"]).madeUnique.last ?? ""
    let firsts = Dictionary(loaded.runs.map { ($0.visits[0].scene, 1) }, uniquingKeysWith: +)
    base = firsts.first { $0.value * 10 >= loaded.runs.count * 9 }?.key
    let loads = SceneLoads(loaded, fileCount: plan.tree.files.count)
    var folders: [String: Int32] = [:]
    var numbers: [[Int32]: Int32] = [:]
    var firstRuns: [UInt128] = loads.firstRuns
    var anyRuns = loads.anyRuns
    for (number, file) in plan.tree.files.enumerated() {
      var (atoms, rare) = loads.splitScenes(ofFile: number, atLeast: Self.frequent, outOf: Self.outOf)
      if atoms.isEmpty && rare == 0 && !loads.isLoaded(number) { neverLoaded.add(file.size) }
      let folder = folderPath(of: file.path)
      if let base, atoms.contains(Int32(base)) {
        atoms = [Int32(base)]
      } else if atoms.isEmpty || rare != 0 {
        let atom = folders[folder] ?? Int32(sceneCount + folders.count)
        if folders.updateValue(atom, forKey: folder) == nil {
          firstRuns.append(0)
          anyRuns.append(0)
        }
        anyRuns[Int(atom)] |= rare
        atoms.append(atom)
      }
      let mask = changes.isEmpty ? 0 : changes[file.packPath] ?? 0
      let key = atoms + (mask == 0 ? [] : [-1])
      let place = numbers[key] ?? Int32(classes.count)
      if numbers.updateValue(place, forKey: key) == nil {
        classes.append(FileClass(atoms: atoms, isChanging: mask != 0, folder: folder))
      }
      classes[Int(place)].folder = commonFolder(classes[Int(place)].folder, folder)
      classes[Int(place)].item.size = classes[Int(place)].item.size.saturatingSum(with: file.size)
      classes[Int(place)].item.updates |= mask
      classOfFile.append(place)
    }
    nameFolders(folders)
    countRuns(startingRunsByAtom: firstRuns, runsByAtom: anyRuns, runCount: loaded.runs.count)
  }

  func folderName(of group: [Int]) -> String {
    let folders = group.map { classes[$0].folder }
    let name = lastName(of: folders.dropFirst().reduce(folders[0], commonFolder))
    return StringFormat.tag.mistake(in: name) == nil && name != "." ? name : "Shared"
  }

  private mutating func nameFolders(_ folders: [String: Int32]) {
    var paths = Array(repeating: "", count: folders.count)
    for (folder, atom) in folders { paths[Int(atom) - sceneCount] = folder }
    let short = paths.map { $0 == "." ? "Other files" : lastName(of: $0) }
    let uses = Dictionary(short.map { ($0, 1) }, uniquingKeysWith: +)
    let scenes = Set(names)
    names += zip(paths, short).map { path, name in
      let isPlain = (uses[name] ?? 0) == 1 && !scenes.contains(name)
      let tag = isPlain ? name : path.replacing("/", with: " ")
      return StringFormat.tag.mistake(in: tag) == nil ? tag : "folder"
    }
    names = names.madeUnique
  }

  /// Counts the runs of each class, and estimates a probability for classes that no run needs.
  ///
  /// The estimate is based on the number of folders that only one run needs.
  ///
  /// Sets of runs have one bit for each run. The first list contains the runs that begin with each scene. The
  /// second list contains the runs that visit each scene or need each folder. Both lists are indexed by the
  /// numbers of scenes and then of folders.
  private mutating func countRuns(
    startingRunsByAtom: [UInt128], runsByAtom: [UInt128], runCount: Int
  ) {
    for place in classes.indices {
      for atom in classes[place].atoms {
        classes[place].item.firstSceneRuns |= startingRunsByAtom[Int(atom)]
        classes[place].item.runs |= runsByAtom[Int(atom)]
      }
    }
    let single = runsByAtom[sceneCount...].count { $0.nonzeroBitCount == 1 }
    let unseen = classes.count { $0.item.runs == 0 }
    let chance = (Double(single) + 0.5) / Double(max(1, runCount) * max(1, unseen))
    for place in classes.indices where classes[place].item.runs == 0 {
      classes[place].item.unseenRunProbability = chance
    }
  }

  private struct SceneLoads {
    /// The file, scene and run of each load, packed into one number and sorted.
    private var keys: [UInt64] = []
    /// The position in `keys` of each file's first load.
    private var starts: [Int] = []
    private var visits: [Int]
    /// For each scene, the runs that begin with it, and the runs that visit it.
    private(set) var firstRuns: [UInt128]
    private(set) var anyRuns: [UInt128]

    init(_ loaded: LoadedScenes, fileCount: Int) {
      let scenes = loaded.scenes.count
      visits = Array(repeating: 0, count: scenes)
      firstRuns = Array(repeating: 0, count: scenes)
      anyRuns = Array(repeating: 0, count: scenes)
      for (number, run) in loaded.runs.enumerated() {
        let bit: UInt128 = number < maxRuns ? 1 << UInt128(number) : 0
        firstRuns[run.visits[0].scene] |= bit
        for scene in Set(run.visits.map(\.scene)) {
          visits[scene] += 1
          anyRuns[scene] |= bit
        }
        for visit in run.visits {
          for file in visit.files {
            keys.append(UInt64(file) << 32 | UInt64(visit.scene) << 12 | UInt64(number & 0xfff))
          }
        }
      }
      keys.sort()
      starts = Array(repeating: 0, count: fileCount + 1)
      for key in keys { starts[Int(key >> 32) + 1] += 1 }
      for file in 0..<fileCount { starts[file + 1] += starts[file] }
    }

    func isLoaded(_ file: Int) -> Bool { starts[file] < starts[file + 1] }

    /// Returns the scenes that load a file in many of their runs, and the runs in which other scenes load the
    /// file.
    func splitScenes(ofFile file: Int, atLeast numerator: Int, outOf denominator: Int) -> (
      scenes: [Int32], rare: UInt128
    ) {
      var scenes: [Int32] = []
      var rare: UInt128 = 0
      var rest = keys[starts[file]..<starts[file + 1]]
      while let key = rest.first {
        let own = rest.prefix { $0 >> 12 == key >> 12 }
        rest = rest[own.endIndex...]
        let scene = Int(key >> 12 & 0xf_ffff)
        let runs = Set(own.lazy.map { Int($0 & 0xfff) })
        // The comparison adds one run with the file and one run without it, so a single run is not enough
        // evidence.
        if (runs.count + 1) * denominator >= (visits[scene] + 2) * numerator {
          scenes.append(Int32(scene))
        } else {
          for run in runs where run < maxRuns { rare |= 1 << UInt128(run) }
        }
      }
      return (scenes, rare)
    }
  }
}

private func commonFolder(_ first: String, _ second: String) -> String {
  if first == second { return first }
  let parts = (first.split(separator: "/"), second.split(separator: "/"))
  return zip(parts.0, parts.1).prefix { $0 == $1 }.map(\.0).joined(separator: "/")
}

extension [String] {
  /// The names of this list, with a number appended to repeated names.
  fileprivate var madeUnique: [String] {
    var names = UniqueNames()
    return map { names.add($0) }
  }
}

private struct UniqueNames {
  var used: Set<String> = []
  /// For each name, the last number that was appended to it.
  private var numbers: [String: Int] = [:]

  init(used: Set<String> = []) { self.used = used }

  mutating func add(_ name: String) -> String {
    var unique = name
    var number = numbers[name] ?? 1
    while !used.insert(unique).inserted {
      number += 1
      unique = "\(name) \(number)"
    }
    numbers[name] = number
    return unique
  }
}
