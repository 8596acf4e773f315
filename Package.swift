// swift-tools-version: 6.2

import PackageDescription

/// Settings of every target: the upcoming features that make imports and isolation explicit, and no warning passes.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// A target of this package; `layer` names are in `docs/architecture.md`.
func library(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// The tests beside a target.
func tests(_ target: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: target + "Tests", dependencies: [.byName(name: target)] + dependencies, swiftSettings: strict)
}

/// A C library of the system, found through pkg-config.
func system(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let package = Package(
    name: "tutti",
    targets: [
        library("TuttiCore", []),
        tests("TuttiCore"),
    ],
    swiftLanguageModes: [.v6]
)
