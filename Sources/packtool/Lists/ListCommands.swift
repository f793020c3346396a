import Formats
import Model
import Pipeline
import System

extension Command {
  private struct ListOptions: ReportingOptions {
    var format = OutputFormat.text
    let shared = SharedOptions()
  }

  static let checks = Command(
    CommandSyntax<ListOptions>(
      name: "checks", summary: "list all checks, or explain one",
      arguments: [
        Argument(
          "ID", summary: "the id of a check, which findings show in brackets", kind: .named(.check),
          count: 0...1)
      ], flags: [.outputFormat(of: "list", into: \.format)]
    ),
    defaults: ListOptions.init
  ) { options, arguments, session in
    guard let id = arguments.first else {
      let table = Table(
        Check.all, columns: .text { $0.id }, .text { $0.listedSeverity }, .text { $0.summary })
      try session.print(options.format, text: table.text(), json: json(of: Check.all))
      return .done
    }
    guard let check = Check.named(id) else {
      let guess = didYouMean(nearest(to: id, in: Check.all.map(\.id)))
      let hint = guess.isEmpty ? "; \"\(Tool.name) checks\" lists them all" : guess
      session.reportError("unknown check \(quoted(id))\(hint)")
      return .usage
    }
    try session.print(
      options.format, text: check.explanation(width: session.width(of: .output)), json: json(of: [check]))
    return .done
  }

  private static func json(of checks: [Check]) -> JSONText {
    .fields(["formatVersion": 1, "checks": checks.map(\.json)])
  }

  static let devices = Command(
    CommandSyntax<ListOptions>(
      name: "devices", summary: "list device classes, whose devices get the same variants, or explain one",
      arguments: [
        Argument(
          "CLASS|PRODUCT", summary: "the name of a device class, or a product type such as iPhone17,1",
          kind: .named(.device), count: 0...1)
      ], flags: [.outputFormat(of: "list", into: \.format)]
    ),
    defaults: ListOptions.init
  ) { options, arguments, session in
    guard let word = arguments.first else {
      try session.print(options.format, text: table, json: json(of: DeviceClass.all))
      return .done
    }
    guard let device = DeviceClass.named(word) else {
      return session.refuse(DeviceClass.mistake(in: word))
    }
    let explanation = device.explanation(as: word, width: session.width(of: .output))
    try session.print(options.format, text: explanation, json: json(of: [device]))
    return .done
  }

  private static func json(of devices: [DeviceClass]) -> JSONText {
    .fields([
      "formatVersion": 1, "source": DeviceClass.source, "asOf": DeviceClass.asOf,
      "devices": devices.map(\.json),
    ])
  }

  private static var table: PlainText {
    let table = Table(
      DeviceClass.all, columns: .text { $0.name }, .number { counted($0.products.count, of: "product") },
      .text { $0.products.prefix(4).joined(separator: " ") + ($0.products.count > 4 ? " ..." : "") })
    let count = counted(DeviceClass.all.count, of: "class", plural: "classes")
    return table.text() + "\n\(count), as of \(DeviceClass.asOf)\nsource: \(DeviceClass.source)\n"
  }
}

extension Check {
  fileprivate var json: JSONText {
    .fields([
      "id": id, "severity": severity.rawValue, "summary": summary, "explanation": explanation,
      "isErrorInSubmission": isErrorInSubmission, "canBeLowered": canBeLowered,
      "isOffByDefault": isOffByDefault,
    ])
  }

  fileprivate func explanation(width: Int) -> PlainText {
    let rating =
      if isOffByDefault {
        "off by default; a \(severity.rawValue) if it is turned on, unless \"severity\" sets another level"
      } else if isErrorInSubmission {
        "a \(severity.rawValue), but an error with --submission"
      } else if isManifestError {
        "an error in the manifest; its severity cannot be lowered"
      } else if let reason = fixedBecause {
        "\(reason); its severity cannot be lowered"
      } else {
        "\(severity == .error ? "an" : "a") \(severity.rawValue), unless \"severity\" sets another level"
      }
    let lines = wrapped(explanation, to: width).map { "\($0)\n" as PlainText }.joined()
    return "\(id): \(summary)\n\(rating)\n\n" + lines
  }
}

extension DeviceClass {
  fileprivate var json: JSONText {
    .fields([
      "name": name, "idiom": idiom.rawValue, "scale": scale, "gamut": gamut.rawValue, "memory": memory,
      "graphics": graphicsName, "graphicsFallbacks": fallbackNames, "products": products,
    ])
  }

  fileprivate func explanation(as word: String, width: Int) -> PlainText {
    var table = TextTable([.left, .left])
    table.add("idiom", idiom.rawValue)
    table.add("scale", "\(scale), then lower scales, then higher scales")
    table.add("gamut", gamut == .p3 ? "P3, then sRGB" : "sRGB only")
    table.add("memory", "variants for up to \(memory) GB, the largest first")
    table.add("graphics", graphics)
    let lines = wrapped(products.joined(separator: " "), to: width - 2).map { line -> PlainText in
      "  \(line)\n"
    }
    return (word == name ? "" : "\(word) belongs to the device class \(quoted(name))\n")
      + "\(name)\n"
      + table.text(indentation: 2) + "products:\n" + lines.joined()
  }

  private var graphics: String {
    let own = graphicsClass.map { $0.rawValue == graphicsName ? "" : " (\($0.rawValue))" } ?? ""
    let then = fallbackNames.isEmpty ? "" : ", then \(fallbackNames.joined(separator: " "))"
    return graphicsName + own + then
  }
}
