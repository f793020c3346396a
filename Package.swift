// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target: no warning is left standing, imports and existentials are spelled out.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
/// Every target but Archiving: an unsafe call is a compile error.
let safe: [SwiftSetting] = strict + [.strictMemorySafety()]

// Debian's headers and libraries lie where the compiler looks; Homebrew's libarchive and OpenSSL do not.
#if os(macOS)
  let pkgConfig = { (name: String) -> String? in name }
#else
  let pkgConfig = { (_: String) -> String? in nil }
#endif

let package = Package(
  name: "packtool",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "packtool", targets: ["packtool"])
  ],
  targets: [
    .systemLibrary(
      name: "CArchive", pkgConfig: pkgConfig("libarchive"),
      providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: pkgConfig("zlib"),
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CDeflate", pkgConfig: pkgConfig("libdeflate"),
      providers: [.apt(["libdeflate-dev"]), .brew(["libdeflate"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: pkgConfig("libcrypto"),
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),

    .systemLibrary(name: "CLinux"),

    .target(
      name: "Archiving", dependencies: ["CArchive", "CZlib", "CDeflate", "CCrypto", "CLinux"],
      swiftSettings: strict),
    .target(name: "Spelling", swiftSettings: safe),
    .target(name: "PackKit", dependencies: ["Archiving", "Spelling"], swiftSettings: safe),
    .target(name: "Flags", dependencies: ["Spelling"], swiftSettings: safe),
    .executableTarget(
      name: "packtool", dependencies: ["Archiving", "Flags", "PackKit", "Spelling"], swiftSettings: safe),

    .target(name: "Support", dependencies: ["Archiving"], path: "Tests/Support", swiftSettings: strict),
    .testTarget(name: "ArchivingTests", dependencies: ["Archiving", "Support"], swiftSettings: strict),
    .testTarget(name: "FlagsTests", dependencies: ["Flags", "Spelling"], swiftSettings: strict),
    .testTarget(
      name: "PackKitTests", dependencies: ["Archiving", "PackKit", "Support"], swiftSettings: strict),
    .testTarget(
      name: "packtoolTests", dependencies: ["Archiving", "PackKit", "packtool", "Support"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// libFuzzer's own main starts them, so they are built only by Tests/Fuzzers/run, and by nobody who depends on the package.
if Context.environment["PACKTOOL_FUZZERS"] != nil {
  package.targets.append(
    .executableTarget(
      name: "Fuzzers", dependencies: ["Archiving", "PackKit"], path: "Tests/Fuzzers",
      exclude: ["run", "Corpora"],
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}
