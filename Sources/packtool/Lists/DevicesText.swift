import Findings
import Flags
import PackKit

/// Classes of devices for people.
enum DevicesText {
  static func text(of report: DevicesReport) -> PlainText {
    switch report {
    case .list: list
    case .one(let device, let word, let width): explanation(of: device, word, width)
    }
  }

  private static var list: PlainText {
    var table = TextTable([.left, .right, .left])
    for device in DeviceClass.all {
      table.add(device.name, counted(device.products.count, "product"), shown(device.products))
    }
    let count = counted(DeviceClass.all.count, "class", plural: "classes")
    return table.text() + "\n\(count), as of \(DeviceClass.asOf)\nsource: \(DeviceClass.source)\n"
  }

  /// A few of many names.
  private static func shown(_ products: [String]) -> String {
    products.prefix(4).joined(separator: " ") + (products.count > 4 ? " ..." : "")
  }

  private static func explanation(of device: DeviceClass, _ word: String, _ width: Int) -> PlainText {
    var table = TextTable([.left, .left])
    table.add("idiom", device.idiom.rawValue)
    table.add("scale", "\(device.scale), then lower ones, then higher ones")
    table.add("gamut", device.gamut == .p3 ? "P3, then sRGB" : "sRGB only")
    table.add("memory", "variants for up to \(device.memory) GB, the most first")
    table.add("graphics", graphics(of: device))
    let products = wrapped(device.products.joined(separator: " "), to: width - 2).map { line -> PlainText in
      "  \(line)\n"
    }
    return (word == device.name ? "" : "\(word) is of the class \(quoted(device.name))\n")
      + "\(device.name)\n"
      + table.text(indentation: 2) + "products:\n" + products.joined()
  }

  private static func graphics(of device: DeviceClass) -> String {
    let own = device.graphicsClass.map { $0.rawValue == device.graphicsName ? "" : " (\($0.rawValue))" } ?? ""
    let then = device.fallbackNames.isEmpty ? "" : ", then \(device.fallbackNames.joined(separator: " "))"
    return device.graphicsName + own + then
  }
}
