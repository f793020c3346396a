// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target: no warning is left standing, imports and existentials are spelled out.
let portable: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
/// Every Swift target that no other package builds.
let strict: [SwiftSetting] =
  portable + [
    // Debug information takes an eighth of a release build, and nobody debugs one. SwiftPM puts a -g behind these flags,
    // which only the frontend's own flag outlasts.
    .unsafeFlags(["-Xfrontend", "-gnone"], .when(configuration: .release))
  ]
/// Every target but Basics, System, Archiving and Serving: an unsafe call is a compile error.
let safe: [SwiftSetting] = strict + [.strictMemorySafety()]
/// Targets in which no time is spent: a release build passes over the optimizer, which would take a third of it.
let cold: [SwiftSetting] = safe + [.unsafeFlags(["-Onone"], .when(configuration: .release))]
/// The target that is compiled last, with nothing beside it: by its files, on all processors.
let last: [SwiftSetting] =
  cold + [
    .unsafeFlags(["-no-whole-module-optimization", "-enable-batch-mode"], .when(configuration: .release))
  ]

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

let package = Package(
  name: "packtool",
  // The first with the spans of Swift's own library.
  platforms: [.macOS(.v26)],
  products: [
    .executable(name: "packtool", targets: ["packtool"]),
    .library(name: "OnDemand", targets: ["OnDemand"]),
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

    // The graph, from the bottom up: a target sees only those named in its line.
    .target(name: "CLibrary", path: "Sources/System/CLibrary", swiftSettings: strict),
    // Bytes and their order, sums that do not overflow, values behind a lock.
    .target(name: "Basics", dependencies: ["CLibrary"], swiftSettings: strict),
    // Files, threads, signals, digests; shows Basics too.
    .target(
      name: "System", dependencies: ["Basics", "CLibrary", "CCrypto", "CDeflate", "CLinux", "CSHA256"],
      exclude: ["CLibrary"], swiftSettings: strict),
    // Zip, tar and deflate: writing packs and reading them.
    .target(
      name: "Archiving", dependencies: ["System", "CLibrary", "CArchive", "CDeflate", "CZlib", "CZstandard"],
      swiftSettings: strict),
    // Did you mean.
    .target(name: "Spelling", swiftSettings: safe),
    // What is wrong, how bad, where, and in which words.
    .target(name: "Findings", dependencies: ["Basics"], swiftSettings: safe),
    // Texts with places, and JSON; nothing of files or packs.
    .target(name: "Formats", dependencies: ["Findings", "Basics"], swiftSettings: safe),
    // Apple's property lists.
    .target(name: "AppleFormats", dependencies: ["Formats", "Findings", "System"], swiftSettings: safe),
    // Steps of a player played against packs, whatever these were built of, as a function of values.
    .target(
      name: "Simulation", dependencies: ["Formats", "Findings", "System", "Spelling"], swiftSettings: safe),
    // Manifest, files, plan and limits.
    .target(
      name: "PackKit", dependencies: ["Formats", "Findings", "System", "Spelling"], swiftSettings: safe),
    // What is wrong with a plan's packs or a release.
    .target(
      name: "Checks", dependencies: ["PackKit", "Formats", "Findings", "System", "Spelling"],
      swiftSettings: cold),
    // The files of Apple's Background Assets.
    .target(
      name: "BackgroundAssets", dependencies: ["PackKit", "Formats", "Findings", "System", "Spelling"],
      swiftSettings: cold),
    // A built folder's index and lists, read back.
    .target(
      name: "Published", dependencies: ["PackKit", "Formats", "Findings", "Archiving", "System"],
      swiftSettings: safe),
    // Every way to write a manifest, followed as far as the plan.
    .target(
      name: "Projects",
      dependencies: [
        "Checks", "BackgroundAssets", "PackKit", "AppleFormats", "Formats", "Findings", "System", "Spelling",
      ],
      swiftSettings: cold),
    // A plan turned into packs and an index; does not see Releases.
    .target(
      name: "Packing",
      dependencies: [
        "Published", "Projects", "BackgroundAssets", "PackKit", "AppleFormats", "Formats", "Findings",
        "Archiving", "System",
      ],
      swiftSettings: safe),
    // Scenarios, and tags for an app by what it loads.
    .target(
      name: "Scenarios",
      dependencies: [
        "Simulation", "Published", "Projects", "Checks", "PackKit", "Formats", "Findings", "System",
        "Spelling",
      ],
      swiftSettings: safe),
    // What was built, looked into: verify, unpack, inspect, compare; does not see Packing.
    .target(
      name: "Releases",
      dependencies: [
        "Published", "Projects", "Checks", "BackgroundAssets", "PackKit", "AppleFormats", "Formats",
        "Findings", "Archiving", "System", "Spelling",
      ],
      swiftSettings: cold),
    // Pages and drawings: text gets into them escaped or not at all; nothing of packs.
    .target(name: "Markup", dependencies: ["Findings", "System"], swiftSettings: cold),
    // The server for apps in development: the one target that opens sockets.
    .target(
      name: "Serving",
      dependencies: [
        "Published", "Simulation", "Releases", "BackgroundAssets", "PackKit", "Formats", "AppleFormats",
        "Findings", "Archiving", "System", "Markup", "CLibrary", "CMicroHTTP",
      ],
      swiftSettings: strict, plugins: ["Texts"]),
    // Command-line flags as data; nothing of packs.
    .target(name: "Flags", dependencies: ["Spelling"], swiftSettings: cold),
    // Commands, options, reports and the terminal.
    .executableTarget(
      name: "packtool",
      dependencies: [
        "Packing", "Releases", "Published", "Scenarios", "Simulation", "Serving", "Projects", "Checks",
        "BackgroundAssets", "PackKit", "AppleFormats", "Formats", "Findings", "Archiving", "System",
        "Spelling", "Flags", "Markup",
      ],
      swiftSettings: last, plugins: ["Commit", "Texts"]),
    // The runtime for apps, which is a library of its own: sees no other target, and builds elsewhere than on Linux.
    .target(
      name: "OnDemand",
      dependencies: [
        "CZlib", .target(name: "CCrypto", condition: withoutCryptoKit),
        .target(name: "CZstandard", condition: withPatches),
      ],
      swiftSettings: portable),
    // The commit for --version --verbose.
    .plugin(name: "Commit", capability: .buildTool(), path: "Sources/Commit"),
    // Scripts and styles of pages, scripts of shells: files of their own, which end up in the program.
    .plugin(name: "Texts", capability: .buildTool(), path: "Sources/Texts"),

    .target(
      name: "Support",
      dependencies: [
        "Packing", "Releases", "Published", "Scenarios", "Simulation", "Projects", "Checks", "PackKit",
        "Formats", "Findings", "Spelling", "Archiving", "System",
      ],
      path: "Tests/Support", swiftSettings: strict),
    .testTarget(
      name: "SystemTests", dependencies: ["PackKit", "Archiving", "System", "Support"], swiftSettings: strict),
    .testTarget(
      name: "ArchivingTests", dependencies: ["Archiving", "System", "Support"], swiftSettings: strict),
    .testTarget(name: "SpellingTests", dependencies: ["Spelling", "Support"], swiftSettings: strict),
    .testTarget(
      name: "FindingsTests", dependencies: ["PackKit", "Findings", "System", "Support"], swiftSettings: strict
    ),
    .testTarget(
      name: "FormatsTests", dependencies: ["AppleFormats", "Formats", "Findings", "System", "Support"],
      swiftSettings: strict),
    .testTarget(
      name: "PackKitTests",
      dependencies: ["PackKit", "Projects", "Formats", "Findings", "System", "Spelling", "Support"],
      swiftSettings: strict),
    .testTarget(
      name: "ChecksTests",
      dependencies: [
        "Checks", "Projects", "PackKit", "Formats", "Findings", "System", "Spelling", "Support",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ProjectsTests",
      dependencies: [
        "Packing", "Projects", "PackKit", "AppleFormats", "Formats", "Findings", "System", "Support",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PackingTests",
      dependencies: [
        "Packing", "Releases", "Published", "Projects", "PackKit", "AppleFormats", "Formats", "Findings",
        "Archiving", "System", "Support",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PublishedTests",
      dependencies: ["Published", "Packing", "PackKit", "Projects", "Findings", "System", "Support"],
      swiftSettings: strict),
    .testTarget(
      name: "SimulationTests",
      dependencies: ["Scenarios", "Simulation", "Projects", "Formats", "Findings", "Support"],
      swiftSettings: strict),
    .testTarget(
      name: "ReleasesTests",
      dependencies: [
        "Packing", "Releases", "Published", "Projects", "Checks", "PackKit", "Formats", "Findings", "System",
        "Support",
      ],
      swiftSettings: strict),
    .testTarget(name: "MarkupTests", dependencies: ["Markup", "Findings", "System"], swiftSettings: strict),
    .testTarget(
      name: "ServingTests",
      dependencies: [
        "Serving", "Simulation", "Releases", "Published", "Packing", "Projects", "PackKit", "Findings",
        "System",
        "Support",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "OnDemandTests",
      dependencies: [
        "OnDemand", "CCrypto", "Scenarios", "Simulation", "Packing", "Releases", "Serving", "Published",
        "Projects", "PackKit", "Formats", "Findings", "System", "Support",
      ],
      swiftSettings: strict),
    .testTarget(name: "FlagsTests", dependencies: ["Flags", "Spelling"], swiftSettings: strict),
    .testTarget(
      name: "packtoolTests",
      dependencies: [
        "packtool", "Packing", "Releases", "Published", "Scenarios", "Simulation", "Projects", "Checks",
        "BackgroundAssets", "PackKit", "AppleFormats", "Formats", "Findings", "Spelling", "Archiving",
        "System", "Flags", "Support",
      ],
      swiftSettings: strict),
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
        "packtool", "OnDemand", "OnDemandDriver", "Player", "Client", "Packing", "Releases", "Published",
        "Simulation", "Serving", "Projects", "PackKit", "AppleFormats", "Formats", "Findings", "Archiving",
        "System", "Flags", "Support",
      ],
      swiftSettings: strict))
}

// libFuzzer's own main starts them, so they are built only by Tests/Fuzzers/run, and by nobody who depends on the package.
if Context.environment["PACKTOOL_FUZZERS"] != nil {
  package.targets.append(
    .executableTarget(
      name: "Fuzzers",
      dependencies: [
        "Packing", "Releases", "Published", "Scenarios", "Simulation", "Serving", "Projects", "Checks",
        "BackgroundAssets", "PackKit", "AppleFormats", "Formats", "Findings", "Archiving", "System",
      ],
      path: "Tests/Fuzzers",
      exclude: ["run", "Corpora"],
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}
