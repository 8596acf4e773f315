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

/// A target of this package; the layers are drawn in `docs/architecture.md`. Files of its folder may be part of it.
func library(
    _ name: String, _ dependencies: [Target.Dependency] = [], memorySafe: Bool = false, embedded: [String] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, resources: embedded.map { .embedInCode($0) },
        swiftSettings: memorySafe ? strict + [.strictMemorySafety()] : strict)
}

/// With `TUTTI_LINK=static` in the environment programs have the Swift runtime linked in, as those that are installed do. Objects
/// are the same either way; the libraries are those that Foundation's own modules would ask for.
let linkage: [LinkerSetting] =
    Context.environment["TUTTI_LINK"] == "static"
    ? [
        .unsafeFlags(["-static-stdlib", "-Xlinker", "--no-export-dynamic"]),
        .linkedLibrary("FoundationInternationalization"), .linkedLibrary("CoreFoundation"),
        .linkedLibrary("_FoundationICU"), .linkedLibrary("_FoundationCollections"),
        .linkedLibrary("_FoundationCShims"), .linkedLibrary("swiftSynchronization"),
    ] : []

/// A program.
func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict, linkerSettings: linkage)
}

/// The tests beside a target.
func tests(_ target: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: target + "Tests", dependencies: [.byName(name: target)] + dependencies, swiftSettings: strict)
}

/// A C library of the system, found through pkg-config; without one, a header-only shim over the C library.
func system(_ name: String, pkgConfig: String? = nil, apt: String? = nil) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: apt.map { [.apt([$0])] })
}

/// A target that is there with the trait `FFmpeg` only.
func ffmpeg(_ name: String) -> Target.Dependency { .target(name: name, condition: .when(traits: ["FFmpeg"])) }

let nio: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let tls: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let nioTLS: Target.Dependency = .product(name: "NIOTLS", package: "swift-nio")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let x509: Target.Dependency = .product(name: "X509", package: "swift-certificates")
let asn1: Target.Dependency = .product(name: "SwiftASN1", package: "swift-asn1")
/// The files of the page, which are part of the program.
let page = [
    "api.js", "app.js", "covers.js", "dom.js", "files.js", "health.js", "icon.svg", "index.html", "later.js",
    "library.js", "player.js", "playlists.js", "queue.js", "rooms.js", "sound.js", "stations.js", "store.js",
    "style.css",
    "texts.js", "tracks.js",
    "tutti.webmanifest",
    "voice.js", "wall.js",
]
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let hummingbirdHTTP2: Target.Dependency = .product(name: "HummingbirdHTTP2", package: "hummingbird")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let database: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")

let package = Package(
    name: "tutti",
    products: [
        .library(name: "Tutti", targets: ["Tutti"]),
        .executable(name: "tutti", targets: ["tutti"]),
        .executable(name: "tutti-player", targets: ["tutti-player"]),
        .executable(name: "tutti-simulate", targets: ["tutti-simulate"]),
        .executable(name: "tutti-speaker", targets: ["tutti-speaker"]),
        .executable(name: "tutti-screen", targets: ["tutti-screen"]),
        .executable(name: "tutti-lab", targets: ["tutti-lab"]),
        .executable(name: "tutti-web", targets: ["tutti-web"]),
        .executable(name: "tutti-desktop", targets: ["tutti-desktop"]),
        .executable(name: "tutti-mqtt", targets: ["tutti-mqtt"]),
        .executable(name: "tutti-mpd", targets: ["tutti-mpd"]),
        .executable(name: "tutti-pipewire", targets: ["tutti-pipewire"]),
    ],
    traits: [
        .trait(
            name: "FFmpeg",
            description: "Files and addresses are read through libavformat, and AAC, MP3, ALAC and Vorbis decoded."),
        .default(enabledTraits: ["FFmpeg"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    ],
    targets: [
        .target(
            name: "TestSupport", dependencies: ["TuttiCore", "TuttiSender", "TuttiLab"], path: "Tests/TestSupport",
            swiftSettings: strict),

        // What the package itself is like: its layers.
        .testTarget(name: "PackageTests", swiftSettings: strict),

        // Base.
        library("TuttiCore"),
        tests("TuttiCore"),

        library("TuttiPOSIX"),
        tests("TuttiPOSIX"),

        library("TuttiMetrics"),
        tests("TuttiMetrics"),

        library("TuttiSchema", ["TuttiChain", "TuttiCore"]),
        tests("TuttiSchema", ["TuttiChain", "TuttiCore"]),

        library("TuttiChain"),
        tests("TuttiChain"),

        // Cores: sans-I/O state machines.
        library("TuttiClock", ["TuttiCore"], memorySafe: true),
        tests("TuttiClock", ["TuttiCore", "TuttiCards"]),
        library("TuttiWire", ["TuttiChain", "TuttiSchema", "TuttiCore"], memorySafe: true),
        tests("TuttiWire", ["TuttiChain", "TuttiSchema", "TuttiCore"]),
        library("TuttiPlayback", ["TuttiCore"], memorySafe: true),
        tests("TuttiPlayback", ["TuttiCore"]),
        system("CKernels"),
        library("TuttiEffects", ["TuttiChain", "CKernels"]),
        tests("TuttiEffects", ["TuttiChain", "CKernels"]),
        library("TuttiRealtime", ["TuttiCore", "TuttiPlayback", "TuttiEffects", "CKernels"]),
        tests("TuttiRealtime", ["TuttiCore", "TuttiPlayback", "TuttiEffects", "CKernels"]),
        library("TuttiEngine", ["TuttiChain", "TuttiCore", "TuttiEffects", "TuttiRealtime", "CKernels"]),
        tests("TuttiEngine", ["TuttiChain", "TuttiCore", "TuttiEffects"]),
        library("TuttiSignal"),
        tests("TuttiSignal"),
        library("TuttiCalibration", ["TuttiCore", "TuttiSignal", "TuttiChain", "TuttiEffects"], memorySafe: true),
        tests("TuttiCalibration", ["TuttiCore", "TuttiSignal", "TuttiChain", "TuttiLab"]),

        // What sound cards and links are like, for whoever tries things with them.
        library("TuttiCards", ["TuttiCore"]),

        // Devices: this host, its codecs, files, cards and neighbours.
        system("CLinux"),
        system("CDBus", pkgConfig: "dbus-1", apt: "libdbus-1-dev"),
        library("TuttiHost", ["TuttiCore", "TuttiPOSIX", "CLinux", "CDBus"]),
        tests("TuttiHost", ["TestSupport", "TuttiCore"]),
        system("CLibYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev"),
        library("TuttiYAML", ["CLibYAML"]),
        tests("TuttiYAML"),
        library("TuttiChainFiles", ["TuttiChain", "TuttiYAML"]),
        tests("TuttiChainFiles", ["TuttiChain"]),
        library("TuttiDatabase", ["TuttiHost", database]),
        library("TuttiLogging", ["TuttiHost", logging]),
        tests("TuttiLogging", [logging]),
        library("TuttiSettings", ["TuttiHost", "TuttiYAML"]),
        tests("TuttiSettings"),
        library("TuttiTiming", ["TuttiCore", "TuttiClock", "TuttiHost"]),
        tests("TuttiTiming", ["TestSupport", "TuttiCore", "TuttiClock", "TuttiHost"]),
        library(
            "TuttiTrust",
            ["TuttiCore", "TuttiHost", "TuttiTiming", nio, nioPosix, nioTLS, tls, crypto, cryptoExtras, x509, asn1]),
        tests("TuttiTrust", ["TestSupport", "TuttiDiscovery", "TuttiHost", "TuttiTiming"]),
        system("CQREncode", pkgConfig: "libqrencode", apt: "libqrencode-dev"),
        library("TuttiQR", ["CQREncode"]),
        tests("TuttiQR", ["TestSupport"]),
        system("COpus", pkgConfig: "opus", apt: "libopus-dev"),
        system("CFLAC", pkgConfig: "flac", apt: "libflac-dev"),
        library("TuttiCodecs", ["TuttiCore", "CKernels", "COpus", "CFLAC"]),
        tests("TuttiCodecs", ["TuttiCore", "CKernels"]),
        system("CFFmpeg", apt: "libavformat-dev"),
        library("TuttiFFmpeg", ["TuttiCore", "TuttiCodecs", "CFFmpeg"]),
        tests("TuttiFFmpeg", ["TuttiCore", "TuttiCodecs", "CFFmpeg"]),
        library("TuttiDecoding", ["TuttiCore", "TuttiCodecs", ffmpeg("TuttiFFmpeg")]),
        library(
            "TuttiAssets", ["TuttiCore", "TuttiCodecs", "TuttiEffects", ffmpeg("TuttiFFmpeg"), ffmpeg("CFFmpeg")]),
        tests("TuttiAssets", ["TestSupport", "TuttiCore", "TuttiCodecs", "TuttiDecoding"]),
        system("CSonic", apt: "libsonic-dev"),
        library("TuttiStretch", ["CSonic"]),
        tests("TuttiStretch"),
        system("CEBUR128", pkgConfig: "libebur128", apt: "libebur128-dev"),
        library("TuttiLoudness", ["CEBUR128"]),
        tests("TuttiLoudness"),
        system("CALSA", pkgConfig: "alsa", apt: "libasound2-dev"),
        library("TuttiOutput", ["TuttiCore", "TuttiHost", "CALSA"]),
        tests("TuttiOutput", ["TestSupport", "TuttiCore", "TuttiHost"]),
        library("TuttiLive", ["TuttiAssets", "TuttiClock", "TuttiCore", "TuttiHost", "TuttiOutput"]),
        tests("TuttiLive", ["TuttiAssets", "TuttiCore", "TuttiHost"]),
        system("CSDL", apt: "libsdl2-dev"),
        system("CASS", pkgConfig: "libass", apt: "libass-dev"),
        library("TuttiSubtitles", ["TuttiCore", "CASS"]),
        tests("TuttiSubtitles", ["TestSupport", "TuttiAssets", "TuttiCore"]),
        library("TuttiScreen", ["TuttiCore", "TuttiHost", "TuttiPlayback", "TuttiSubtitles", "CKernels", "CSDL"]),
        tests("TuttiScreen", ["TuttiCore", "TuttiHost"]),
        system("CAvahi", apt: "libavahi-client-dev"),
        library("TuttiDiscovery", ["TuttiCore", "CAvahi"]),
        tests("TuttiDiscovery", ["TestSupport", "TuttiCore"]),

        // Shells: the real sockets, threads and files around the cores.
        library(
            "TuttiRendering",
            [
                "TuttiCore", "TuttiChain", "TuttiClock", "TuttiEffects", "TuttiPlayback", "TuttiRealtime", "TuttiHost",
                "TuttiCodecs", "TuttiDecoding", "TuttiOutput", logging,
            ]),
        tests(
            "TuttiRendering",
            [
                "TestSupport", "TuttiCore", "TuttiClock", "TuttiHost", "TuttiOutput", "TuttiPlayback", "TuttiRealtime",
                logging,
            ]),
        library(
            "TuttiSpeaker",
            [
                "TuttiChain", "TuttiEffects",
                "TuttiSchema", "TuttiCore", "TuttiClock", "TuttiWire", "TuttiPlayback", "TuttiHost", "TuttiDecoding",
                "TuttiOutput", "TuttiDiscovery", "TuttiTiming", "TuttiTrust", "TuttiRendering", "TuttiMetrics", nio,
                nioPosix, nioTLS, nioHTTP1, tls, logging,
            ]),
        tests(
            "TuttiSpeaker",
            [
                "TuttiChain", "TuttiEffects",
                "TuttiProduction", "TuttiRooms", "TuttiSchema", "TuttiCore", "TuttiWire", "TuttiHost", "TuttiCodecs",
                "TuttiDecoding", "TuttiPlayback",
                "TuttiClock",
                "TuttiOutput", "TuttiRealtime", "TuttiRendering", "TuttiSender", "TuttiAssets", "Tutti", "TestSupport",
                "TuttiTrust", "TuttiDiscovery", nio, nioPosix, tls, crypto, logging,
            ]),
        library("TuttiEncoding", ["TuttiCodecs", "TuttiCore", "TuttiDecoding", "TuttiWire"]),
        tests("TuttiEncoding"),
        library(
            "TuttiRooms",
            [
                "TuttiChain", "TuttiEffects", "TuttiEncoding", "CLinux", "TuttiClock", "TuttiCore", "TuttiDecoding",
                "TuttiDiscovery", "TuttiHost",
                "TuttiSchema", "TuttiTiming", "TuttiTrust", "TuttiWire", nio, nioPosix,
            ]),
        tests("TuttiRooms", ["TuttiSchema", "TuttiCore", "TuttiWire"]),
        library(
            "TuttiProduction",
            [
                "TuttiRooms", "TuttiAssets", "TuttiChain", "TuttiClock", "TuttiCodecs", "TuttiCore", "TuttiEffects",
                "TuttiEncoding", "TuttiHost", "TuttiLive", "TuttiStretch", "TuttiWire",
            ]),
        tests("TuttiProduction", ["TuttiClock", "TuttiCore", "TuttiHost"]),
        library(
            "TuttiSender",
            [
                "TuttiEncoding", "TuttiProduction", "TuttiRooms", "TuttiSchema", "TuttiCore", "TuttiClock", "TuttiWire",
                "TuttiPlayback", "TuttiHost", "TuttiCodecs",
                "TuttiDecoding",
                "TuttiAssets", "TuttiTiming", "TuttiTrust", "TuttiStretch", "TuttiControl", "TuttiPOSIX",
                nio,
                nioPosix,
            ]),
        tests(
            "TuttiSender",
            [
                "TuttiEncoding", "TuttiProduction", "TuttiRooms", "TuttiPOSIX", "TuttiClock", "TuttiCore",
                "TuttiSchema", "TuttiControl", "TuttiWire",
                "TuttiPlayback",
                "TuttiAssets",
                "TuttiCodecs", "TuttiDecoding", "TuttiHost", "TuttiRendering", "TestSupport", nio, nioPosix,
            ]),

        library(
            "TuttiStore",
            [
                "TuttiAssets", "TuttiDatabase", "TuttiRooms", "TuttiTrust", "TuttiCore", "TuttiSchema", "TuttiSender",
                "TuttiHost", database,
            ]),
        tests("TuttiStore", ["TuttiRooms", "TuttiSchema", "TuttiSender", "TuttiAssets", "TuttiCore"]),
        library("TuttiLibrary", ["TuttiAssets", "TuttiCore", "TuttiDatabase", "TuttiHost", "TuttiSchema", database]),
        tests("TuttiLibrary", ["TuttiAssets", "TuttiCore", "TuttiSchema", database]),
        library("TuttiScan", ["TuttiAssets", "TuttiCore", "TuttiHost", "TuttiLoudness", "TuttiRooms", "TuttiStore"]),
        tests("TuttiScan", ["TuttiAssets", "TuttiCore", "TuttiProduction", "TuttiStore"]),
        library(
            "TuttiHouse",
            [
                "TuttiChain", "TuttiChainFiles", "TuttiEffects", "TuttiRooms", "TuttiCore", "TuttiSchema", "TuttiHost",
                "TuttiClock", "TuttiTiming", "TuttiWire", "TuttiAssets",
                "TuttiControl", "TuttiLive", "TuttiSender", "TuttiStore", "TuttiLibrary", "TuttiTrust", logging,
            ]),
        tests(
            "TuttiHouse",
            [
                "TuttiRooms", "TuttiClock", "TuttiTiming", "TestSupport", "TuttiCore", "TuttiSchema", "TuttiWire",
                "TuttiHost",
                "TuttiSender", "TuttiStore",
                "TuttiAssets", logging,
            ]),

        library(
            "TuttiExport",
            [
                "TuttiCore", "TuttiChain", "TuttiEffects", "TuttiEngine", "TuttiAssets", "TuttiLoudness", "TuttiSignal",
                "TuttiFigures",
            ]),
        tests("TuttiExport", ["TuttiAssets", "TuttiChain", "TuttiCore", "TuttiEffects"]),

        // The public face.
        library(
            "Tutti",
            [
                "TuttiEffects", "TuttiEngine", "TuttiExport", "TuttiProduction", "TuttiRooms", "TuttiSchema",
                "TuttiCore", "TuttiClock", "TuttiPlayback",
                "TuttiRealtime", "TuttiHost", "TuttiCodecs",
                "TuttiDecoding",
                "TuttiOutput", "TuttiAssets", "TuttiStretch", "TuttiDiscovery", "TuttiRendering", "TuttiSpeaker",
                "TuttiSender", "TuttiTrust", logging,
            ]),
        tests(
            "Tutti",
            [
                "TuttiRooms", "TuttiSender", "TuttiCore", "TuttiSchema", "TuttiPlayback", "TuttiCodecs", "TuttiOutput",
                "TuttiAssets", "TuttiHost", "TuttiRendering",
                "TuttiDiscovery", "TuttiSpeaker", "TuttiStretch", "TestSupport", logging,
            ]),

        // The library's example, which is a package of its own too; here, so that it is built with everything else.
        .executableTarget(
            name: "music-box", dependencies: ["Tutti"], path: "Examples/MusicBox/Sources/music-box",
            swiftSettings: strict),

        // A house in virtual time.
        library("TuttiFigures"),
        library(
            "TuttiSimulation",
            [
                "TuttiProduction", "TuttiRooms", "TuttiSchema", "TuttiCards", "TuttiCore", "TuttiClock", "TuttiWire",
                "TuttiPlayback", "TuttiHost",
                "TuttiTiming",
                "TuttiAssets", "TuttiOutput", "TuttiRendering", "TuttiSpeaker", "TuttiSender", "TuttiFigures",
                "TuttiYAML",
                nio, logging,
            ]),
        tests("TuttiSimulation", ["TestSupport", "TuttiCards", "TuttiCore", "TuttiLab"]),

        // Programs, and what those that people type have in common.
        library("TuttiCommandLine", ["TuttiSchema", "TuttiHost", "TuttiLogging", arguments, logging]),
        tests("TuttiCommandLine", ["TuttiSchema", "TuttiSender"]),
        program(
            "tutti-speaker",
            [
                "TuttiSpeaker", "TuttiHost", "TuttiLogging", "TuttiOutput", "TuttiSettings", "TuttiTrust", "TuttiQR",
                arguments, logging,
            ]),
        program(
            "tutti-screen",
            [
                "Tutti", "TuttiScreen", "TuttiSpeaker", "TuttiCommandLine", "TuttiHost", "TuttiLogging",
                arguments, logging,
            ]),
        library("TuttiControl", ["TuttiCore", "TuttiSchema", "TuttiPOSIX"]),
        tests("TuttiControl", ["TuttiHost", "TuttiSender"]),
        library("TuttiRemote", ["TuttiCore", "TuttiSchema", "TuttiPOSIX"]),
        tests("TuttiRemote", ["TuttiHost", "TuttiSchema"]),
        program("tutti", ["TuttiControl"]),
        library(
            "TuttiHTTP",
            [
                "TuttiChain", "TuttiCore", "TuttiSchema", "TuttiMetrics", "TuttiHost", "TuttiTrust", nio, nioPosix,
                nioHTTP1, nioTLS,
                tls,
                crypto, logging, hummingbird, hummingbirdCore, hummingbirdHTTP2, httpTypes,
            ], embedded: page.map { "Page/\($0)" }),
        tests("TuttiHTTP", ["TuttiCore", "TuttiMetrics", "TuttiSchema", "TuttiTrust", nio]),
        system("CMosquitto", pkgConfig: "libmosquitto", apt: "libmosquitto-dev"),
        library(
            "TuttiHome", ["TuttiCore", "TuttiSchema", "TuttiRemote", "TuttiHost", "CMosquitto", logging]),
        tests("TuttiHome", ["TuttiCore", "TuttiSchema", "TuttiRemote"]),
        program(
            "tutti-mqtt",
            ["TuttiHome", "TuttiCommandLine", "TuttiRemote", "TuttiHost", "TuttiLogging", arguments, logging]),
        library("TuttiMPD", ["TuttiCore", "TuttiSchema", "TuttiRemote", "TuttiHost", nio, nioPosix, logging]),
        tests("TuttiMPD", ["TuttiCore", "TuttiSchema", "TuttiRemote"]),
        program(
            "tutti-mpd",
            [
                "TuttiMPD", "TuttiCommandLine", "TuttiControl", "TuttiRemote", "TuttiHost", "TuttiLogging", arguments,
                logging,
            ]),
        library(
            "TuttiTunnel",
            ["TuttiHost", "TuttiSchema", "TuttiTrust", nio, nioPosix, nioHTTP1, tls]),
        tests(
            "TuttiTunnel",
            ["TuttiHTTP", "TuttiSender", "TuttiHost", "TuttiPOSIX", "TuttiSchema", "TuttiTrust", logging]),
        program(
            "tutti-web",
            ["TuttiHTTP", "TuttiCommandLine", "TuttiControl", "TuttiHost", "TuttiLogging", arguments, logging]),
        library(
            "TuttiDesktop", ["TuttiRemote", "TuttiCore", "TuttiSchema", "TuttiHost", "CDBus", logging]),
        tests("TuttiDesktop", ["TuttiRemote", "TuttiCore", "TuttiSchema"]),
        program(
            "tutti-desktop",
            ["TuttiDesktop", "TuttiCommandLine", "TuttiControl", "TuttiHost", "TuttiLogging", arguments, logging]),
        system("CPipeWire", pkgConfig: "libpipewire-0.3", apt: "libpipewire-0.3-dev"),
        library(
            "TuttiPipeWire",
            [
                "TuttiRemote", "TuttiCore", "TuttiSchema", "TuttiPOSIX", "TuttiHost", "TuttiRealtime", "CPipeWire",
                logging,
            ]),
        tests("TuttiPipeWire", ["TuttiRemote", "TuttiCore", "TuttiSchema"]),
        program(
            "tutti-pipewire",
            ["TuttiPipeWire", "TuttiCommandLine", "TuttiHost", "TuttiLogging", arguments, logging]),
        program(
            "tutti-player",
            [
                "TuttiChain", "TuttiChainFiles", "TuttiEffects", "TuttiExport", "TuttiProduction", "TuttiRooms",
                "Tutti", "TuttiHouse", "TuttiStore", "TuttiSender", "TuttiSchema",
                "TuttiCore", "TuttiPlayback",
                "TuttiAssets", "TuttiCodecs", "TuttiDecoding",
                "TuttiHost", "TuttiWire", "TuttiCalibration", "TuttiSignal", "TuttiFigures",
                "TuttiOutput",
                "TuttiControl", "TuttiCommandLine", "TuttiLogging", "TuttiSettings", "TuttiTrust", "TuttiTunnel",
                "TuttiQR", "TuttiScan", "TuttiLibrary",
                arguments, nio,
                logging,
            ]),
        program(
            "tutti-simulate",
            ["TuttiSimulation", "TuttiSender", "TuttiCommandLine", "TuttiHost", arguments]),

        // An evening of a household, through the programs.
        .testTarget(
            name: "EveningTests",
            dependencies: [
                "TestSupport", "TuttiCalibration", "TuttiCore", "TuttiPOSIX", "tutti", "tutti-player", "tutti-simulate",
                "tutti-speaker",
                "tutti-web", "tutti-mqtt", "tutti-mpd",
            ],
            swiftSettings: strict),

        // The laboratory: a network, cards and measurements that know the truth.
        system("CLab"),
        library(
            "TuttiLab",
            [
                "TuttiSchema", "CLab", "TuttiCore", "TuttiCards", "TuttiSignal", "TuttiPOSIX", "TuttiHost",
                "TuttiFigures",
            ]),
        tests("TuttiLab", ["TuttiSchema", "TestSupport", "TuttiCore", "TuttiCards", "TuttiSignal"]),
        program(
            "tutti-lab",
            [
                "TuttiLab", "TuttiHost", "TuttiCore", "TuttiClock", "TuttiWire", "TuttiPlayback", "TuttiTiming",
                "TuttiOutput", "TuttiRendering", "TuttiSpeaker", "TuttiTrust", arguments, nio, nioPosix, tls, logging,
            ]),
        .testTarget(
            name: "LabTests",
            dependencies: [
                "TuttiCore", "TuttiCards", "TuttiPOSIX", "TuttiLab", "TuttiTrust", "TuttiWire", "TestSupport", "tutti",
                "tutti-player", "tutti-speaker", "tutti-lab", nio, nioPosix, tls,
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
