import Formats
import Model
import Pipeline
import System

// The plan as text: the downloads of each delivery mode and of each tag.
extension PlanReport {
  func text(on screen: Screen) -> PlainText {
    let total = release.total
    let head: PlainText =
      "\(displayed(release.bundleIdentifier)): \(counted(release.packs.count, of: "pack")), "
      + "\(counted(total.files, of: "file")), \(sizes(total.size, packs: release.packs.indices)) (limits: \(release.profile))"
    let device: PlainText = release.device.map { "device class: \(displayed($0.name))\n" } ?? ""
    return screen.paint(head, style: .bold) + "\n" + device + packs(on: screen) + tags(on: screen)
      + untaggedSum + storeSize(on: screen)
      + (untagged.map { UntaggedFolder.text(of: $0) } ?? "") + (slices?.text ?? "")
      + (merge.map { $0.plan.text(of: release, maxPacks: $0.maxPacks) } ?? "")
  }

  private func packs(on screen: Screen) -> PlainText {
    var text: PlainText = ""
    // There is one table for all delivery modes, so that their columns are aligned.
    var table = TextTable([.right, .left, .right, .right, .left, .left, .left])
    let largest = release.packs.map(\.size).max() ?? 0
    let names = TagNames(release.packs.map(\.tags), namingAllTagsUpTo: screen.showsAll ? .max : 3)
    var counts: [(shown: Int, left: Int)] = []
    for delivery in Delivery.allCases {
      let order = Dictionary(uniqueKeysWithValues: zip(release.order(of: delivery), 1...))
      let (shown, left) = view.packs(of: delivery, in: release)
      for number in shown {
        let pack = release.packs[number]
        let place = delivery == .onDemand ? "-" : order[number].map(String.init) ?? ""
        table.add(
          place, displayed(names.name(of: pack.tags)), counted(pack.fileCount, of: "file"),
          ByteSize.text(pack.size), packed([number]),
          screen.width == nil ? "" : Screen.bar(pack.size, of: largest, width: 12),
          pack.priority.map { "priority \(decimal($0, digits: 2))" } ?? "")
      }
      counts.append((shown.count, left))
    }
    var blocks = table.blocks(indentation: 2, on: screen)[...]
    let pulledInPacks = release.pulledInPacks
    for (delivery, count) in zip(Delivery.allCases, counts) where count.shown > 0 {
      text +=
        "\n" + screen.paint(title(of: delivery), style: .bold) + "\n" + blocks.prefix(count.shown).joined()
      blocks = blocks.dropFirst(count.shown)
      text += andMore(count.left, noun: "more pack")
      text += pulledInPacks.filter { $0.delivery == delivery }.map { line(of: $0, on: screen) }.joined()
    }
    return text
  }

  private func line(of pulledIn: PulledInPacks, on screen: Screen) -> PlainText {
    let isOne = pulledIn.packs.count == 1
    let subject = isOne ? "1 of these packs, with" : "\(grouped(pulledIn.packs.count)) of these packs, with"
    let (verb, pronoun) = isOne ? ("has", "it is") : ("have", "they are")
    let (noun, be) = pulledIn.unlisted.count == 1 ? ("a tag", "is") : ("tags", "are")
    return screen.wrapped(
      "\(subject) \(ByteSize.exact(pulledIn.size)), also \(verb) \(noun) that \(be) listed neither for the "
        + "initial install nor for the prefetch: \(pulledIn.unlistedText); \(pronoun) included because of "
        + "\(listed(pulledIn.listed.map(\.tag), atMost: 4))",
      indentation: 2, hangingIndent: 2)
  }

  private func title(of delivery: Delivery) -> PlainText {
    let count = release.count(of: delivery)
    let packs = release.order(of: delivery)
    let onDevice = release.packsOnDevice(of: packs)
    let language: PlainText =
      onDevice.count == packs.count
      ? ""
      : "; a device gets only one language, at most "
        + "\(sizes(release.sizeOnDevice(ofPacks: packs), packs: onDevice))"
    return "\(delivery.title): \(counted(packs.count, of: "pack")), \(counted(count.files, of: "file")), "
      + "\(sizes(count.size, packs: packs))" + language
  }

  private func tags(on screen: Screen) -> PlainText {
    // There is one table for all delivery modes, so that their columns are aligned.
    var table = TextTable([.right, .left, .right, .right, .left, .left])
    let parts = Delivery.allCases.map { ($0, view.tags(of: $0, in: release)) }
    for (delivery, tags) in parts {
      for (place, tag) in zip(1..., tags) {
        let title = release.deliveryTitle(of: tag)
        table.add(
          delivery == .onDemand ? "-" : grouped(place), displayed(tag.name),
          counted(tag.packs.count, of: "pack"),
          ByteSize.text(tag.size), packed(tag.packs), title == delivery.title ? "" : title)
      }
    }
    var blocks = table.blocks(indentation: 4, on: screen)[...]
    var text: PlainText = "\ntags, with all packs that a request for each tag downloads:\n"
    for (delivery, tags) in parts where !tags.isEmpty {
      text += "  \(delivery.title):\n" + blocks.prefix(tags.count).joined()
      blocks = blocks.dropFirst(tags.count)
      text += andMore(release.tags(of: delivery).count - tags.count, noun: "more tag")
    }
    return text
  }

  private func storeSize(on screen: Screen) -> PlainText {
    firstDownload.size == 0 ? "" : "\n" + screen.wrapped(firstDownload.sentence, hangingIndent: 2)
  }

  private var untaggedSum: PlainText {
    let count = release.untagged
    return
      "\nuntagged, in the app bundle: \(counted(count.files, of: "file")), \(ByteSize.text(count.size))\n"
  }

  private func sizes(_ size: Int64, packs: some Sequence<Int>) -> String {
    let packed = packed(packs)
    return ByteSize.text(size) + (packed.isEmpty ? "" : ", \(packed)")
  }

  /// Returns a string such as `packed 12.3 MB`, or a string that says that some packs are not built; empty if
  /// no pack is built.
  private func packed(_ packs: some Sequence<Int>) -> String {
    if !release.hasPackedSizes { return "" }
    return release.packedSize(of: packs).map { "compressed \(ByteSize.text($0))" } ?? "not built"
  }
}

extension CombinePlan {
  func text(of release: Release, maxPacks: Int) -> PlainText {
    if release.packs.count <= maxPacks {
      return
        "\ncombine: the plan has \(counted(release.packs.count, of: "pack")), which is at most "
        + "\(grouped(maxPacks))\n"
    }
    if steps.isEmpty {
      return
        "\ncombine: the plan has \(counted(release.packs.count, of: "pack")), but packtool can combine at "
        + "most \(grouped(Self.maxPacks))\n"
    }
    let left = steps.last?.packCount ?? release.packs.count
    let cost = steps.saturatingSum { $0.size }
    return
      "\ncombine to at most \(counted(maxPacks, of: "pack")): \(counted(steps.count, of: "step")), "
      + "\(grouped(release.packs.count)) → \(grouped(left)) packs, \(ByteSize.text(cost)) downloaded "
      + "unnecessarily if each tag is requested once\n"
      + table(release) + "to do this in builds, write \"merge\": \(grouped(maxPacks)) in the manifest\n"
  }

  private func table(_ release: Release) -> PlainText {
    func name(_ packs: [Int]) -> String {
      setNotation(Set(packs.flatMap { release.packs[$0].tags }).sorted())
    }
    var table = TextTable([.right, .right, .right, .left])
    for (number, step) in steps.enumerated() {
      table.add(
        "\(number + 1)", counted(step.packCount, of: "pack"), ByteSize.text(step.size),
        step.packs.map(name).joined(separator: " with "))
      let requests = step.requests.filter { $0.size > 0 }
      let named = requests.prefix(3).map { "\(Self.words($0.request)) \(ByteSize.text($0.size))" }
      let more = requests.count > named.count ? " and \(grouped(requests.count - named.count)) more" : ""
      table.add("", "", "", "  " + (named.isEmpty ? "nothing" : named.joined(separator: ", ") + more))
    }
    return table.text(indentation: 2)
  }

  private static func words(_ request: Request) -> String {
    switch request {
    case .tag(let tag): quoted(tag)
    case .initialInstall: "the initial install"
    case .prefetch: "the prefetch"
    }
  }
}

extension Findings {
  /// The JSON members for programs that expect a plan.
  ///
  /// These members are used if there is no plan because of errors.
  var planRefusal: [String: JSONText] {
    members.merging(["formatVersion": .integer(IndexFormat.version)]) { old, _ in old }
  }
}

extension PlanReport {
  /// The plan as JSON, for programs.
  ///
  /// It contains the members of an index, without the values that need a build, and all findings.
  var json: JSONText {
    var members = Self.members(of: release).merging(findings.planRefusal) { _, new in new }
    for pulledIn in release.pulledInPacks {
      guard case .object(var download) = members[pulledIn.delivery.rawValue] else { continue }
      download["draggedIn"] = Self.json(of: pulledIn, in: release)
      members[pulledIn.delivery.rawValue] = .object(download)
    }
    members["merge"] = merge?.plan.json(of: release)
    if let untagged, case .object(var count) = members["untagged"] {
      count["folders"] = .array(
        UntaggedFolder.all(of: untagged).map {
          .fields(["path": $0.path, "fileCount": $0.files.count, "size": $0.size])
        })
      count["files"] = .array(untagged.map(\.json))
      members["untagged"] = .object(count)
    }
    members["firstDownload"] = firstDownload.json
    members["devices"] = slices.map { .array($0.devices.map { Self.json(of: $0.device, slice: $0.slice) }) }
    return .object(members)
  }

  private static func json(of device: DeviceClass, slice: Release) -> JSONText {
    // A pack that has no files in the slice does not belong to the slice.
    let packs = slice.packs.filter { $0.fileCount > 0 }.map { ($0.id, JSONText.integer($0.size)) }
    var members: [String: JSONText] = [
      "name": .string(device.name), "products": .strings(device.products),
      "packs": .object(Dictionary(packs) { first, _ in first }),
    ]
    for delivery in Delivery.allCases {
      members[delivery.rawValue] = .fields(["size": slice.count(of: delivery).size])
    }
    return .object(members)
  }

  private static func json(of pulledIn: PulledInPacks, in release: Release) -> JSONText {
    .fields([
      "packs": pulledIn.packs.map { release.packs[$0].id }, "size": pulledIn.size,
      "tags": Dictionary(uniqueKeysWithValues: pulledIn.unlisted),
      "savings": Dictionary(uniqueKeysWithValues: pulledIn.listed),
    ])
  }

  /// Returns the members of the index.
  ///
  /// Values that only a build has are left out. Compressed sizes are included if they are known.
  private static func members(of release: Release) -> [String: JSONText] {
    var members = IndexFormat.members(of: release)
    members["contents"] = nil
    if case .array(let packs) = members["packs"] {
      members["packs"] = .array(zip(packs, release.packs).map { $0.planned(packed: $1.packedSize) })
    }
    for delivery in Delivery.allCases {
      let counts = members[delivery.rawValue]
      members[delivery.rawValue] =
        release.hasPackedSizes
        ? counts?.planned(packed: release.packedSize(of: delivery)) : counts?.planned
    }
    if case .object(let tags) = members["tags"] {
      let sizes = Dictionary(
        release.tags.map { ($0.name, release.packedSize(of: $0.packs)) }
      ) { first, _ in first }
      members["tags"] = .object(
        Dictionary(uniqueKeysWithValues: tags.map { ($0, $1.planned(packed: sizes[$0] ?? nil)) }))
    }
    return members
  }
}

extension JSONText {
  /// The object without the values that only a build has.
  fileprivate var planned: JSONText {
    guard case .object(var members) = self else { return self }
    members["archive"] = nil
    members["digest"] = nil
    return .object(members)
  }

  /// Returns the object without the values that only a build has, and with the compressed size if the size is
  /// known.
  fileprivate func planned(packed: Int64?) -> JSONText {
    guard case .object(var members) = planned else { return self }
    members["packed"] = packed.map(JSONText.integer)
    return .object(members)
  }
}

extension UntaggedFile {
  var json: JSONText { .fields(["path": path, "size": size]) }
}

extension CombinePlan {
  fileprivate func json(of release: Release) -> JSONText {
    // The name of a pack consists of its tags with "+" between them, as in the manifest's "merge".
    func names(_ packs: [Int]) -> JSONText {
      .strings(packs.map { release.packs[$0].tags.joined(separator: "+") })
    }
    return .fields([
      "packs": steps.last?.packCount ?? release.packs.count,
      "steps": steps.map { step in
        JSONText.fields([
          "joined": step.packs.map(names), "tags": step.tags, "packs": step.packCount,
          "forNothing": step.size, "requests": step.requests.map { Self.json(of: $0.request, size: $0.size) },
        ])
      },
      "groups": groups.map(names),
    ])
  }

  private static func json(of request: Request, size: Int64) -> JSONText {
    switch request {
    case .tag(let tag): .fields(["tag": tag, "forNothing": size])
    case .initialInstall: .fields(["delivery": "initialInstall", "forNothing": size])
    case .prefetch: .fields(["delivery": "prefetch", "forNothing": size])
    }
  }
}
