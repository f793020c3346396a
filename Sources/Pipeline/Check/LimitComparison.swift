import Formats
import Model

/// A size that is compared with a limit.
struct LimitComparison {
  /// The source of the size, which decides how reliable a finding about the size is.
  enum Basis {
    /// The size was measured.
    case certain
    /// The size is based on an assumption.
    ///
    /// The string becomes the end of the message. It says what is assumed, and how to correct the assumption.
    ///
    /// If a limit is exceeded only under an assumption, the finding is a warning, even with `--submission`.
    case assumption(String)
    /// A finding of another check already reports the size, so there is no second finding.
    case reported
  }

  let check: Check
  /// The beginning of the message.
  ///
  /// It describes the size that is compared.
  let subject: String
  let size: Int64
  let limit: Limit
  var basis = Basis.certain
  /// Returns the place of the finding, and notes if the limit is exceeded.
  ///
  /// `exceeded` is the exceeded limit in bytes, or nil.
  let details: (_ exceeded: Int64?) -> (place: Place, notes: [Diagnostic.AttachedLine])
}

extension LimitComparison {
  init(
    _ check: Check, subject: String, size: Int64, limit: Limit, basis: Basis = .certain,
    at place: @escaping @autoclosure () -> Place,
    notes: @escaping (_ exceeded: Int64) -> [Diagnostic.AttachedLine] = { _ in [] }
  ) {
    self.init(check: check, subject: subject, size: size, limit: limit, basis: basis) { exceeded in
      (place(), exceeded.map(notes) ?? [])
    }
  }

  /// Returns findings about the sizes of one release.
  ///
  /// If there are slices, each finding shows the device class with the largest size.
  static func findings(
    in input: PackCheck.Input, measures: (PackCheck.Input) -> [LimitComparison]
  ) -> [Diagnostic] {
    guard !input.slices.isEmpty else {
      let all = measures(input)
      let exceeded = Self.exceeded(in: all)
      return all.flatMap { $0.findings(exceededChecks: exceeded) }
    }
    // All slices have the same packs and tags in the same order, so an index stands for the same pack or tag
    // in every list.
    let lists = input.slices.map { measures(input.of($0)) }
    let exceeded = lists.map(Self.exceeded)
    return (lists.first ?? []).indices.flatMap { number in
      var worst = 0
      for slice in lists.indices where lists[slice][number].size > lists[worst][number].size { worst = slice }
      // If all of several device classes get the same bytes, the finding does not name devices.
      let isOneClass = input.slices.count == 1 && input.slices[0].devices.count == 1
      if !isOneClass, lists.allSatisfy({ $0[number].size == lists[worst][number].size }) {
        return lists[worst][number].findings(exceededChecks: exceeded[worst])
      }
      let over = lists.indices.filter { lists[$0][number].isOver }
      let classes = DeviceCount(
        worst: input.slices[worst].devices.first?.name ?? "",
        over: over.reduce(0) { $0 + input.slices[$1].devices.count },
        all: input.slices.reduce(0) { $0 + $1.devices.count })
      return lists[worst][number].findings(on: classes, exceededChecks: exceeded[worst])
    }
  }

  /// The number of device classes that a finding is about.
  private struct DeviceCount {
    /// The name of a device class with the largest size.
    let worst: String
    /// The number of device classes whose size exceeds the limit.
    let over: Int
    /// The number of all device classes.
    let all: Int
  }

  /// Whether the size exceeds the smaller interpretation of the limit.
  private var isOver: Bool { size > limit.doubtful }

  private static func exceeded(in all: [LimitComparison]) -> Set<Check> {
    Set(all.lazy.filter(\.isOver).map(\.check))
  }

  /// Returns findings about a size that exceeds a limit, or that is at least 90 % of the limit.
  ///
  /// A size can exceed the limit in both interpretations of MB, or only in the smaller one.
  ///
  /// The two interpretations matter only for limits that a store enforces. For an advised size, only the
  /// smaller interpretation is used.
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
            "\(claim), \(ByteSize.number(size - certain)) more than the \(what) of "
            + "\(ByteSize.number(certain))\(count)",
          at: details.place, notes: details.notes, measurement: .init(size, limit: certain),
          severityRule: isRefused ? .breaksStoreLimit : .adjustable)
      ]
    }
    if size > doubtful {
      let message =
        "\(claim), which is between the two possible values of the \(what): \(limit.readings); Apple does "
        + "not say which value applies\(count)"
      let details = details(doubtful)
      return [
        Diagnostic(
          check, message: message, at: details.place, severity: .warning, notes: details.notes,
          measurement: .init(size, limit: doubtful))
      ]
    }
    guard size > 0, doubtful - size <= doubtful / 10 else { return [] }
    // If a size exceeds a limit, all messages of the same check use the same interpretation of MB.
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
    if devices.all == 1 { return "" }
    if devices.over == devices.all { return "; every device class exceeds it" }
    let verb = devices.over == 1 ? "exceeds" : "exceed"
    return
      "; \(grouped(devices.over)) of \(counted(devices.all, of: "device class", plural: "device classes")) "
      + "\(verb) this size"
  }
}

extension Limit {
  /// Both interpretations of the limit, in decimal and in binary units, for messages.
  fileprivate var readings: String {
    let isInGigabytes = doubtful % 1_000_000_000 == 0
    let (unit, decimal, binary) = isInGigabytes ? ("GB", "10^9", "2^30") : ("MB", "10^6", "2^20")
    return
      "\(grouped(doubtful)) if \(unit) is \(decimal) bytes, \(grouped(certain)) if \(unit) is \(binary)"
  }
}

func headroomText(below limit: Int64, used: Int64, limitName: String, format: (Int64) -> String) -> String {
  used == limit
    ? "exactly the \(limitName)" : "\(format(limit - used)) below the \(limitName) of \(format(limit))"
}
