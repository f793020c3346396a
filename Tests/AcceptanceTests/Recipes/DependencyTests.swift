import Foundation
import Support
import Testing

/// Tests packtool as a dependency of another package, which depends on a tagged copy of this package.
@Suite(.mostlyWaits, .noHang) struct DependencyTests {
  /// SwiftPM refuses some flags in dependencies.
  ///
  /// A build of this package itself never shows such mistakes.
  ///
  /// SwiftPM checks the flags when it loads the packages, so on a push only `App` is built, without libzstd. The
  /// nightly run also builds the tool, which takes minutes.
  @Test func `a package that depends on a tag builds`() throws {
    let folder = try TemporaryFolder()
    let script = """
      set -e
      mkdir -p packtool app/Sources/{App,Tool}
      cp -R "$0"/Package.swift "$0"/Sources "$0"/Tests "$0"/Examples packtool/
      cd packtool
      git init -q && git add --force . && git -c user.name=a -c user.email=a@b commit -qm 1 && git tag 1.0.0
      cd ../app
      printf 'import OnDemand\nprint(OnDemandError.offline, "linked")\n' > Sources/App/main.swift
      echo > Sources/Tool/main.swift
      env -u PACKTOOL_ACCEPTANCE -u PACKTOOL_NO_DEBUG_INFO swift build --disable-sandbox \(isWhole ? "" : "--product App") 2>&1
      \(isWhole ? ".build/debug/packtool --version" : "")
      .build/debug/App
      """
    try folder.write(
      "app/Package.swift",
      """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(
        name: "App", dependencies: [.package(url: "file://\(folder.path("packtool"))", from: "1.0.0"\(isWhole ? "" : ", traits: []"))],
        targets: [
          .executableTarget(name: "App", dependencies: [.product(name: "OnDemand", package: "packtool")]),
          .executableTarget(name: "Tool", dependencies: [.product(name: "packtool", package: "packtool")]),
        ])
      """)
    let result = try run("bash", ["-c", script, packageFolder], in: folder.path)
    #expect(
      result.status == 0 && result.output.hasSuffix("there is no network linked\n"),
      "\(result.output.suffix(2000))")
  }

  /// The library for apps must build without any other target.
  ///
  /// If its trait is off, it must also build without libzstd.
  @Test(
    .enabled(if: isWhole, "builds OnDemand twice more, in the nightly run"),
    arguments: [["--disable-default-traits"], []])
  func `the library builds alone`(flags: [String]) throws {
    let folder = try TemporaryFolder()
    let script = """
      set -e
      mkdir -p Sources Tests
      cp "$0"/Package.swift . && cp -R "$0"/Sources/{OnDemand,CZlib,CZstandard,CCrypto} Sources
      python3 - << 'END'
      import re
      text = open("Package.swift").read()
      kept = re.findall(r'library\\("(?:CZlib|CZstandard|CCrypto)".*\\n', text)
      kept += re.findall(r'\\.target\\(\\s*name: "OnDemand".*?swiftSettings: portable\\),', text, re.S)
      head, rest = text.split("  targets: [\\n", 1)
      for product in ('.executable(name: "packtool", targets: ["packtool"]),',
                      '.library(name: "OnDemandC", type: .dynamic, targets: ["OnDemandC"]),'):
        head = head.replace(product, "")
      open("Package.swift", "w").write(head + "  targets: [" + "\\n".join(kept) + "],\\n  swiftLanguageModes: [.v6])\\n")
      END
      swift build --disable-sandbox "$@" 2>&1
      """
    let result = try run("bash", ["-c", script, packageFolder] + flags, in: folder.path)
    #expect(result.status == 0, "\(result.output.suffix(2000))")
  }
}
