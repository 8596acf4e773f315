// swift-tools-version: 6.2

import PackageDescription

// What two threads share without a lock, with its tests, for `make threads`: the whole package under the thread
// sanitizer (`make sanitize`) takes half an hour to build. The folders are those of the package itself.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "tutti-sanitizer",
    targets: [
        .target(name: "TuttiCore", swiftSettings: strict),
        .target(name: "TuttiClock", dependencies: ["TuttiCore"], swiftSettings: strict),
        .target(name: "TuttiCards", dependencies: ["TuttiCore"], swiftSettings: strict),
        .systemLibrary(name: "CKernels"),
        .target(name: "TuttiPlayback", dependencies: ["TuttiCore"], swiftSettings: strict),
        .target(name: "TuttiChain", swiftSettings: strict),
        .target(name: "TuttiEffects", dependencies: ["TuttiChain", "CKernels"], swiftSettings: strict),
        .target(
            name: "TuttiRealtime", dependencies: ["TuttiCore", "TuttiPlayback", "TuttiEffects", "CKernels"],
            swiftSettings: strict),
        .testTarget(
            name: "TuttiRealtimeTests",
            dependencies: ["TuttiCore", "TuttiPlayback", "TuttiEffects", "TuttiRealtime", "CKernels"],
            swiftSettings: strict),
        .testTarget(
            name: "TuttiClockTests", dependencies: ["TuttiCore", "TuttiClock", "TuttiCards"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
