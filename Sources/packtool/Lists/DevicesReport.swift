import PackKit

/// What every form of the list of devices tells.
enum DevicesReport {
  /// All classes.
  case list
  /// One class, explained in lines of a width, by the word that the user gave.
  case one(DeviceClass, word: String, width: Int)

  var devices: [DeviceClass] {
    switch self {
    case .list: DeviceClass.all
    case .one(let device, _, _): [device]
    }
  }
}
