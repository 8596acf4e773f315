// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "music-box",
    dependencies: [
        // Elsewhere: .package(url: "ADDRESS-OF-THE-REPOSITORY", from: "0.1.0")
        .package(name: "tutti", path: "../..")
    ],
    targets: [
        .executableTarget(name: "music-box", dependencies: [.product(name: "Tutti", package: "tutti")])
    ]
)
