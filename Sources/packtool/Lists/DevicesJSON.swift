import Formats
import PackKit

/// Classes of devices for programs.
enum DevicesJSON {
  static func json(of devices: [DeviceClass]) -> JSONText {
    .object([
      "formatVersion": .integer(1), "source": .string(DeviceClass.source), "asOf": .string(DeviceClass.asOf),
      "devices": .array(devices.map(json)),
    ])
  }

  private static func json(of device: DeviceClass) -> JSONText {
    .object([
      "name": .string(device.name), "idiom": .string(device.idiom.rawValue), "scale": .integer(device.scale),
      "gamut": .string(device.gamut.rawValue), "memory": .integer(device.memory),
      "graphics": .string(device.graphicsName), "graphicsFallbacks": .strings(device.fallbackNames),
      "products": .strings(device.products),
    ])
  }
}
