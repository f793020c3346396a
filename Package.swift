// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target: no warning is left standing, imports and existentials are spelled out.
let portable: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
/// Whether debug builds have information for debuggers.
///
/// It takes a ninth of their time, and CI starts no debugger.
let hasDebugInfo = Context.environment["PACKTOOL_NO_DEBUG_INFO"] == nil
/// Every Swift target that no other package builds.
let strict: [SwiftSetting] =
  portable + [
    // Debug information takes an eighth of a release build, and nobody debugs one. SwiftPM puts a -g behind these flags,
    // which only the frontend's own flag outlasts.
    .unsafeFlags(["-Xfrontend", "-gnone"], hasDebugInfo ? .when(configuration: .release) : nil),
    // The tool uses spans, for which it needs macOS 26. The package's list of platforms is that of OnDemand, for apps.
    .unsafeFlags(["-Xfrontend", "-disable-availability-checking"], .when(platforms: [.macOS])),
  ]
/// Every target but System, Archiving and Serving: an unsafe call is a compile error.
let safe: [SwiftSetting] = strict + [.strictMemorySafety()]

/// A C library of the system, which Homebrew's users have outside of the compiler's paths.
func library(_ name: String, _ pkgConfig: String, apt: String, brew: String) -> Target {
  #if os(macOS)
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.brew([brew])])
  #else
    .systemLibrary(name: name, providers: [.apt([apt])])
  #endif
}

/// Where Foundation comes without CryptoKit.
let withoutCryptoKit = TargetDependencyCondition.when(platforms: [.linux, .android, .windows])
let withPatches = TargetDependencyCondition.when(traits: ["Patches"])

/// The tests of a target, which may see other targets too.
func tests(of target: String, with others: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: "\(target)Tests", dependencies: [.init(stringLiteral: target)] + others + ["Support"],
    exclude: exclude, swiftSettings: strict)
}

let package = Package(
  name: "packtool",
  // The first with task executors, which OnDemand uses; a package has one list for all its targets.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
  products: [
    .executable(name: "packtool", targets: ["packtool"]),
    .library(name: "OnDemand", targets: ["OnDemand"]),
    .library(name: "OnDemandC", type: .dynamic, targets: ["OnDemandC"]),
  ],
  traits: [
    .trait(name: "Patches", description: "OnDemand takes updates by patches, for which it needs libzstd."),
    .trait(name: "Portable", description: "Only calls of POSIX, as on other systems than Linux."),
    .default(enabledTraits: ["Patches"]),
  ],
  targets: [
    // C libraries of the system.
    library("CArchive", "libarchive", apt: "libarchive-dev", brew: "libarchive"),
    library("CZlib", "zlib", apt: "zlib1g-dev", brew: "zlib"),
    library("CZstandard", "libzstd", apt: "libzstd-dev", brew: "zstd"),
    library("CDeflate", "libdeflate", apt: "libdeflate-dev", brew: "libdeflate"),
    library("CCrypto", "libcrypto", apt: "libssl-dev", brew: "openssl@3"),
    library("CMicroHTTP", "libmicrohttpd", apt: "libmicrohttpd-dev", brew: "libmicrohttpd"),
    .systemLibrary(name: "CLinux"),

    // Two digests at once, where the processor can; optimized in debug builds too, which tests hash much with.
    .target(name: "CSHA256", cSettings: [.unsafeFlags(["-O2"])]),

    // The graph, from the bottom up: a target sees only the targets named in its line.
    // Files, threads, signals, digests, bytes.
    .target(
      name: "System", dependencies: ["CCrypto", "CDeflate", "CLinux", "CSHA256"],
      swiftSettings: strict),
    // Zip, tar and deflate: writing packs and reading them.
    .target(
      name: "Archiving", dependencies: ["System", "CArchive", "CDeflate", "CZlib", "CZstandard"],
      swiftSettings: strict),
    // Texts with places, JSON, property lists, findings, suggestions.
    .target(name: "Formats", dependencies: ["System"], swiftSettings: safe),
    // What a manifest, a limit, a device class and a release is.
    .target(name: "Model", dependencies: ["Formats", "System"], swiftSettings: safe),
    // Read, scan, plan and check: what every command shares.
    .target(
      name: "Pipeline", dependencies: ["Model", "Archiving", "Formats", "System"], swiftSettings: safe),
    // Decide, pack, publish, merge; does not see Inspect.
    .target(
      name: "Packing", dependencies: ["Pipeline", "Model", "Archiving", "Formats", "System"],
      swiftSettings: safe),
    // Verify, unpack, inspect and compare; does not see Packing.
    .target(
      name: "Inspect", dependencies: ["Pipeline", "Model", "Archiving", "Formats", "System"],
      swiftSettings: safe),
    // Scenarios, simulated players, suggested tags.
    .target(name: "Play", dependencies: ["Pipeline", "Model", "Formats", "System"], swiftSettings: safe),
    // The server for apps in development: the one target that opens sockets.
    .target(
      name: "Serving",
      dependencies: [
        "Inspect", "Play", "Pipeline", "Model", "Archiving", "Formats", "System", "CMicroHTTP",
      ],
      swiftSettings: strict, plugins: ["EmbedTexts"]),
    // Commands, flags, reports and the terminal.
    .executableTarget(
      name: "packtool",
      dependencies: [
        "Packing", "Inspect", "Play", "Serving", "Pipeline", "Model", "Archiving", "Formats", "System",
      ],
      swiftSettings: safe, plugins: ["EmbedCommitAndPages", "EmbedTexts"]),
    // The runtime for apps, which is a library of its own: sees no other target, and builds elsewhere than on Linux.
    .target(
      name: "OnDemand",
      dependencies: [
        "CZlib", .target(name: "CCrypto", condition: withoutCryptoKit),
        .target(name: "CZstandard", condition: withPatches),
      ],
      swiftSettings: portable),
    // The same for programs in C, and languages that call C.
    .target(
      name: "OnDemandC", dependencies: ["OnDemand"], exclude: ["OnDemandC.h"], swiftSettings: portable),
    // The commit for --version --verbose.
    .plugin(name: "EmbedCommitAndPages", capability: .buildTool(), path: "Sources/EmbedCommitAndPages"),
    // Scripts and styles of pages, scripts of shells: files of their own, which end up in the program.
    .plugin(name: "EmbedTexts", capability: .buildTool(), path: "Sources/EmbedTexts"),

    .target(
      name: "Support",
      dependencies: [
        "Packing", "Inspect", "Play", "Pipeline", "Model", "Archiving", "Formats", "System",
      ],
      path: "Tests/Support", swiftSettings: strict),
    tests(of: "System", with: ["Model", "Archiving"]),
    tests(of: "Archiving", with: ["System"]),
    tests(of: "Formats", with: ["Model", "System"]),
    tests(of: "Model", with: ["Pipeline", "Formats", "System"]),
    tests(of: "Pipeline", with: ["Packing", "Model", "Formats", "System"]),
    tests(of: "Packing", with: ["Inspect", "Pipeline", "Model", "Archiving", "Formats", "System"]),
    tests(of: "Inspect", with: ["Packing", "Pipeline", "Model", "Archiving", "Formats", "System"]),
    tests(of: "Play", with: ["Pipeline", "Model", "Formats", "System"]),
    tests(of: "Serving", with: ["Inspect", "Play", "Packing", "Pipeline", "Model", "Formats", "System"]),
    tests(
      of: "OnDemand",
      with: [
        "CCrypto", "Play", "Packing", "Inspect", "Serving", "Pipeline", "Model", "Formats", "System",
      ]),
    tests(
      of: "packtool",
      with: ["Packing", "Inspect", "Play", "Pipeline", "Model", "Archiving", "Formats", "System"],
      exclude: ["Checks/Snapshots", "Checks/Unsampled.txt"]),
  ],
  swiftLanguageModes: [.v6]
)

// Tests that start servers, browsers, shells and processes by the hundred: for .ci/run, not for each edit.
if Context.environment["PACKTOOL_ACCEPTANCE"] != nil {
  // A player that tests end at any moment.
  package.targets.append(
    .executableTarget(
      name: "OnDemandDriver", dependencies: ["OnDemand"], path: "Tests/OnDemandDriver", swiftSettings: strict)
  )
  // The programs of Examples/Player, which has a package of its own for its readers.
  for name in ["Player", "Client"] {
    package.targets.append(
      .executableTarget(name: name, dependencies: ["OnDemand"], path: "Examples/Player/Sources/\(name)"))
  }
  package.targets.append(
    .testTarget(
      name: "AcceptanceTests",
      dependencies: [
        "packtool", "OnDemand", "OnDemandDriver", "Player", "Client", "Packing", "Inspect", "Play", "Serving",
        "Pipeline", "Model", "Archiving", "Formats", "System", "Support",
      ],
      swiftSettings: strict))
}

// libFuzzer's own main starts them, so they are built only by Tests/Fuzzers/run, and by nobody who depends on the package.
if Context.environment["PACKTOOL_FUZZERS"] != nil {
  package.targets.append(
    .executableTarget(
      name: "Fuzzers",
      dependencies: [
        "Packing", "Inspect", "Play", "Serving", "Pipeline", "Model", "Archiving", "Formats", "System",
      ],
      path: "Tests/Fuzzers",
      exclude: ["run", "Corpora"],
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}
