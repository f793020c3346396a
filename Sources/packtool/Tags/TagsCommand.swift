import Formats
import Model
import Packing
import Pipeline
import System

extension Command {
  private struct TagsOptions: ReportingOptions {
    var swift: String?
    var hasSizes = false
    var manifest = ManifestOptions()
    var shared: SharedOptions { manifest.shared }
  }

  static let tags = Command(
    CommandSyntax<TagsOptions>(
      name: "tags", summary: "write the tags as code, so that the compiler finds typos",
      arguments: [manifestArgument],
      flags: [
        .value(
          "--swift", valueName: "FILE", kind: .file(.output, suffixes: [".swift"]),
          summary: "the Swift file to write",
          into: \.swift
        )
        .required(hint: "name the file to write, for example --swift AssetTags.swift"),
        .toggle(
          "--sizes",
          summary: "also write how much a request for each tag downloads; this changes with every asset",
          sets: \.hasSizes),
      ] + ManifestOptions.readingFlags.lifted(into: \.manifest)),
    defaults: TagsOptions.init
  ) { options, arguments, session in
    var manifest = options.manifest
    // The choice of devices does not matter, because tags are the same for all devices.
    manifest.choice.isForEachDevice = true
    let (prepared, found) = try manifest.prepareAndCheck(manifestAt: arguments.first, session: session)
    let findings = options.shared.judged(found, about: prepared)
    session.report(findings, options: options.shared)
    guard !findings.hasErrors, let plan = prepared.plan, let path = options.swift else {
      return .inputHasErrors
    }
    let constants = SwiftTags(Release(of: plan), hasSizes: options.hasSizes).constants
    var code = ByteBuffer()
    code.append(constants.text)
    try session.write(code, to: path, as: .product, shown: Output(PlainText(lines: constants.text)))
    if !options.shared.isQuiet && path != Session.standardOutput {
      try session.print("wrote \(displayed(path)): \(counted(plan.tags.count, of: "tag"))\n")
    }
    return .done
  }
}
