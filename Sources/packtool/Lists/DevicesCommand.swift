import System
import Findings
import Flags
import Formats
import PackKit

extension Command {
  private struct DevicesOptions: Sendable {
    var form = forms[0]

    static let forms: [ResultWriter<DevicesReport>] = [
      .text { $0.text },
      .json { $0.json },
    ]
  }

  /// The command `packtool devices [CLASS|PRODUCT]`.
  static let devices = Command(
    CommandSyntax<DevicesOptions>(
      name: "devices", summary: "list the classes of devices that get the same variants, or explain one",
      examples: [
        .init("devices iPhone17,1", "what an iPhone gets of several variants"),
      ],
      arguments: [
        Argument(
          "CLASS|PRODUCT", summary: "the name of a class, or a product type such as iPhone17,1",
          kind: .named("device"), count: 0...1)
      ], flags: [.resultForm(of: "list", in: DevicesOptions.forms, into: \.form)]
    ),
    DevicesOptions.init
  ) { options, arguments, session in
    guard let word = arguments.first else {
      try session.print(DevicesReport.list, with: options.form)
      return .done
    }
    guard let device = DeviceClass.named(word) else {
      return session.refuse(UsageMistake(DeviceClass.mistake(in: word)))
    }
    try session.print(
      DevicesReport.one(device, word: word, width: session.width(of: .output)), with: options.form)
    return .done
  }
}

/// The result of `devices`.
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

  /// Classes of devices for programs.
  fileprivate var json: JSONText {
    .object([
      "formatVersion": .integer(1), "source": .string(DeviceClass.source), "asOf": .string(DeviceClass.asOf),
      "devices": .array(devices.map(Self.json)),
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

  /// Classes of devices for people.
  fileprivate var text: PlainText {
    switch self {
    case .list: Self.table
    case .one(let device, let word, let width): Self.explanation(of: device, word, width)
    }
  }

  private static var table: PlainText {
    let table = Table(
      DeviceClass.all, .text { $0.name }, .number { counted($0.products.count, "product") },
      .text { shown($0.products) })
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
