import Findings
package import Formats

/// The classes of devices that a manifest's limits hold for.
package enum DeviceChoice: Sendable {
  /// Every class in the table.
  case all
  /// Classes by their names, or by product types.
  case named([Located<String>])

  /// The word for every class.
  static let allWord = "all"

  /// The form of a name in the manifest.
  static let form = TextForm.other(
    OtherTextForm { text in
      DeviceClass.named(text) == nil ? (.invalidValue, DeviceClass.mistake(in: text)) : nil
    })
}

extension Manifest {
  /// The classes of devices that count, in the order of the table, if some files have variants or none has.
  package func deviceClasses(hasVariants: Bool) -> [DeviceClass] {
    switch devices {
    case .all: return DeviceClass.all
    case .named(let names):
      let chosen = Set(names.compactMap { DeviceClass.named($0.value) })
      return DeviceClass.all.filter(chosen.contains)
    case nil:
      if !hasVariants { return [] }
      return DeviceClass.all.filter { limits.profile.hasTVs || $0.idiom != .tv }
    }
  }
}
