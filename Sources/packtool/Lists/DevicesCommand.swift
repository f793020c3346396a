import Findings
import Flags
import PackKit
import System

extension Command {
  private struct DevicesOptions: Sendable {
    var form = forms[0]

    static let forms: [ResultWriter<DevicesReport>] = [
      .text { DevicesText.text(of: $0) },
      .json { DevicesJSON.json(of: $0.devices) },
    ]
  }

  /// The command `packtool devices [CLASS|PRODUCT]`.
  static let devices = Command(
    CommandSyntax<DevicesOptions>(
      name: "devices", summary: "list the classes of devices that get the same variants, or explain one",
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
