// swift-tools-version: 6.2

import PackageDescription

// Every parser of bytes from outside under libFuzzer, for `make fuzz`. The folders are those of the package itself; they
// are compiled with counters at every branch, by which the fuzzer finds inputs that go new ways. Packages of others are
// compiled as usual. `run.sh` builds this: it names libFuzzer without its `main` to the linker.

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
    .define("FFmpeg"),
    .unsafeFlags(["-sanitize=fuzzer", "-enable-testing"]),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func system(_ name: String, pkgConfig: String? = nil) -> Target { .systemLibrary(name: name, pkgConfig: pkgConfig) }

let package = Package(
    name: "tutti-fuzz",
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
    ],
    targets: [
        library("TuttiCore"),
        library("TuttiSchema", ["TuttiCore"]),
        library("TuttiWire", ["TuttiSchema", "TuttiCore"]),
        library("TuttiClock", ["TuttiCore"]),
        system("COpus", pkgConfig: "opus"),
        system("CFLAC", pkgConfig: "flac"),
        library("TuttiCodecs", ["TuttiCore", "COpus", "CFLAC"]),
        system("CFFmpeg"),
        library("TuttiFFmpeg", ["TuttiCore", "TuttiCodecs", "CFFmpeg"]),
        library("TuttiAssets", ["TuttiCore", "TuttiFFmpeg", "CFFmpeg"]),
        library("TuttiPOSIX"),
        system("CAvahi"),
        library("TuttiDiscovery", ["TuttiCore", "CAvahi"]),
        system("CLinux"),
        system("CDBus", pkgConfig: "dbus-1"),
        library("TuttiHost", ["TuttiCore", "TuttiPOSIX", "CLinux", "CDBus"]),
        system("CLibYAML", pkgConfig: "yaml-0.1"),
        library("TuttiYAML", ["CLibYAML"]),
        library("TuttiChain"),
        library("TuttiChainFiles", ["TuttiChain", "TuttiYAML"]),
        library("TuttiSettings", ["TuttiHost", "TuttiYAML"]),
        library("TuttiTiming", ["TuttiCore", "TuttiClock", "TuttiHost"]),
        library(
            "TuttiTrust",
            [
                "TuttiCore", "TuttiHost", "TuttiTiming",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
            ]),
        system("CFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CFuzzer",
                "TuttiCore", "TuttiSchema", "TuttiWire", "TuttiClock", "TuttiCodecs", "TuttiFFmpeg", "TuttiAssets",
                "TuttiDiscovery", "TuttiSettings", "TuttiYAML", "TuttiTrust", "TuttiChain", "TuttiChainFiles",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
