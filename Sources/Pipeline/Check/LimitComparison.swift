import Formats
import Model

/// A size to be checked against a limit.
struct LimitComparison {
  /// What the size rests on, which decides what a finding about it is worth.
  enum Basis {
    /// Files that were measured.
    case certain
    /// Something that was taken for granted; the text says what, and how to correct it, for the end of a message.
    ///
    /// A limit that is exceeded under an assumption only is a warning, also with `--submission`.
    case assumption(String)
    /// A size that a finding of another check reports already, so that there is none.
    case reported
  }

  let check: Check
  /// The beginning of the message: what is measured.
  let subject: String
  let size: Int64
  let limit: Limit
  var basis = Basis.certain
  /// Where the finding belongs, and facts about the exceeded limit in bytes, nil where none is.
  let details: (_ exceeded: Int64?) -> (place: Place, notes: [Diagnostic.Note])
}

extension LimitComparison {
  init(
    _ check: Check, subject: String, size: Int64, limit: Limit, basis: Basis = .certain,
    at place: @escaping @autoclosure () -> Place,
    notes: @escaping (_ exceeded: Int64) -> [Diagnostic.Note] = { _ in [] }
  ) {
    self.init(check: check, subject: subject, size: size, limit: limit, basis: basis) { exceeded in
      (place(), exceeded.map(notes) ?? [])
    }
  }

  /// The findings on sizes of one release; where there are slices, each on the worst class of devices.
  static func findings(
    in input: PackCheck.Input, measures: (PackCheck.Input) -> [LimitComparison]
  ) -> [Diagnostic] {
    guard !input.slices.isEmpty else {
      let all = measures(input)
      let exceeded = Self.exceeded(in: all)
      return all.flatMap { $0.findings(exceededChecks: exceeded) }
    }
    // Slices have the same packs and tags, so that a place in the lists is one subject.
    let lists = input.slices.map { measures(input.of($0)) }
    let exceeded = lists.map(Self.exceeded)
    return (lists.first ?? []).indices.flatMap { number in
      var worst = 0
      for slice in lists.indices where lists[slice][number].size > lists[worst][number].size { worst = slice }
      let over = lists.indices.filter { lists[$0][number].isOver }
      let classes = DeviceCount(
        worst: input.slices[worst].devices.first?.name ?? "",
        over: over.reduce(0) { $0 + input.slices[$1].devices.count },
        all: input.slices.reduce(0) { $0 + $1.devices.count })
      return lists[worst][number].findings(on: classes, exceededChecks: exceeded[worst])
    }
  }

  /// How many device classes a finding is about.
  private struct DeviceCount {
    /// The name of a device class with the largest size.
    let worst: String
    /// The number of device classes above the limit.
    let over: Int
    /// The number of all device classes.
    let all: Int
  }

  /// Whether the size is above one reading of the limit.
  private var isOver: Bool { size > limit.doubtful }

  private static func exceeded(in all: [LimitComparison]) -> Set<Check> {
    Set(all.lazy.filter(\.isOver).map(\.check))
  }

  /// Findings on a size above both readings of MB, between them, or from 90 % on.
  ///
  /// Only a store that refuses has a reading, so an advised size is simply its smaller one.
  private func findings(on devices: DeviceCount? = nil, exceededChecks exceeded: Set<Check>) -> [Diagnostic] {
    var assumption = ""
    switch basis {
    case .certain: break
    case .assumption(let text): assumption = "; \(text)"
    case .reported: return []
    }
    let isRefused = check.isStoreLimit && assumption.isEmpty
    let (doubtful, certain) = (limit.doubtful, check.isAdvice ? limit.doubtful : limit.certain)
    let what = check.isAdvice ? "advised size" : "limit"
    let claim = "\(subject) is \(ByteSize.exact(size))\(devices.map { " on \(quoted($0.worst))" } ?? "")"
    let count = (devices.map(Self.words) ?? "") + assumption
    if size > certain {
      let details = details(certain)
      return [
        Diagnostic(
          check,
          message:
            "\(claim), \(ByteSize.number(size - certain)) over the \(what) of \(ByteSize.number(certain))\(count)",
          at: details.place, notes: details.notes, measurement: .init(size, limit: certain),
          standing: isRefused ? .breaksStoreLimit : .adjustable)
      ]
    }
    if size > doubtful {
      let message =
        "\(claim), between the two readings of the \(what): \(limit.readings); Apple does not say which\(count)"
      let details = details(doubtful)
      return [
        Diagnostic(
          check, message: message, at: details.place, severity: .warning, notes: details.notes,
          measurement: .init(size, limit: doubtful))
      ]
    }
    guard size > 0, doubtful - size <= doubtful / 10 else { return [] }
    // All sizes that a check holds to the same limit are told by one reading of MB.
    let allowed = exceeded.contains(check) ? certain : doubtful
    return [
      Diagnostic(
        check,
        message:
          "\(claim), \(headroomText(below: allowed, used: size, limitName: what, format: ByteSize.number))",
        at: details(nil).place,
        severity: .note, measurement: .init(size, limit: allowed))
    ]
  }

  private static func words(_ devices: DeviceCount) -> String {
    let verb = devices.over == 1 ? "exceeds" : "exceed"
    return
      "; \(grouped(devices.over)) of \(counted(devices.all, of: "device class", plural: "device classes")) \(verb) it"
  }
}

extension Limit {
  /// What the limit is if its unit is decimal, and if it is binary.
  fileprivate var readings: String {
    let isInGigabytes = doubtful % 1_000_000_000 == 0
    let (unit, decimal, binary) = isInGigabytes ? ("GB", "10^9", "2^30") : ("MB", "10^6", "2^20")
    return
      "\(grouped(doubtful)) if \(unit) is \(decimal) bytes, \(grouped(certain)) if it is \(binary)"
  }
}

func headroomText(below limit: Int64, used: Int64, limitName: String, format: (Int64) -> String) -> String {
  used == limit
    ? "exactly the \(limitName)" : "\(format(limit - used)) below the \(limitName) of \(format(limit))"
}
