import Findings
import Formats

extension PackCheck {
  static let draggedIn = PackCheck(.draggedIn) { input in
    input.release.draggedIn.compactMap { dragged in
      let whole = input.release.count(of: dragged.delivery).size
      guard dragged.size >= DraggedIn.leastNoted, dragged.size >= whole / 4 else { return nil }
      let bearers = listed(dragged.listed.map(\.tag), atMost: 3)
      return Diagnostic(
        .draggedIn,
        "\(ByteSize.exact(dragged.size)) of the \(ByteSize.exact(whole)) of the \(dragged.delivery.title) come along only "
          + "because their packs carry \(bearers) beside tags that no list names: \(dragged.unlistedText)",
        at: input.place(of: dragged.listed.first?.tag, in: dragged.delivery), notes: input.notes(on: dragged))
    }
  }
}

extension DraggedIn {
  /// The smallest number of bytes that is worth a note.
  fileprivate static let leastNoted: Int64 = 1_000_000
}

extension PackCheck.Input {
  /// The place of a tag in the list of a delivery.
  fileprivate func place(of tag: String?, in delivery: Delivery) -> Place {
    let list = places.lists[delivery] ?? []
    return places.text.place(at: (list.first { $0.value == tag } ?? list.first)?.offset ?? places.packs)
  }

  /// The saving by splitting the tags of the files.
  fileprivate func notes(on dragged: DraggedIn) -> [Diagnostic.Note] {
    let savings = dragged.listed.prefix(3).filter { $0.saving > 0 }.map { tag, saving in
      Diagnostic.Note(
        "if the files of these packs did not have the tag \(quoted(tag)), the \(dragged.delivery.title) would be "
          + "\(ByteSize.exact(saving)) smaller", at: place(of: tag, in: dragged.delivery))
    }
    let largest = dragged.packs.prefix(3).map { release.packs[$0] }
    let packs = largest.map { "\(setNotation($0.tags)) with \(ByteSize.exact($0.size))" }.joined(
      separator: ", ")
    guard let first = largest.first else { return savings }
    return savings + [
      .init(
        "the largest: \(packs); where the app needs all tags of a set at once, give the files one tag in their place, such "
          + "as \(quoted(first.tags.joined(separator: " + ")))")
    ]
  }
}
