// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Player",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "packtool", path: "../..")],
  targets: [
    .executableTarget(name: "Player", dependencies: [.product(name: "OnDemand", package: "packtool")]),
    .executableTarget(name: "Client", dependencies: [.product(name: "OnDemand", package: "packtool")]),
  ]
)
