import Foundation
import Support
import Testing

/// packtool as a dependency: a package that takes a tagged copy of this one.
@Suite(.timeLimit(.minutes(20))) struct DependencyTests {
  /// SwiftPM refuses some flags in dependencies, which this package itself never shows.
  @Test func aPackageThatDependsOnATagBuilds() throws {
    let folder = try TemporaryFolder()
    let script = """
      set -e
      mkdir -p packtool app/Sources/App
      cp -R "$0"/Package.swift "$0"/Sources "$0"/Tests packtool/
      cd packtool
      git init -q && git add --force . && git -c user.name=a -c user.email=a@b commit -qm 1 && git tag 1.0.0
      cd ../app
      echo 'print("linked")' > Sources/App/main.swift
      env -u PACKTOOL_ACCEPTANCE swift build --disable-sandbox 2>&1
      .build/debug/packtool --version && .build/debug/App
      """
    try folder.write(
      "app/Package.swift",
      """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(
        name: "App", dependencies: [.package(url: "file://\(folder.path("packtool"))", from: "1.0.0")],
        targets: [
          .executableTarget(name: "App", dependencies: [.product(name: "packtool", package: "packtool")])
        ])
      """)
    let result = try run("bash", ["-c", script, packageFolder], in: folder.path)
    #expect(result.status == 0 && result.output.hasSuffix("linked\n"), "\(result.output.suffix(2000))")
  }
}
