// swift-tools-version: 6.2
// The rooms again, built for libFuzzer (coverage, AddressSanitizer) with one program over them. A package of its own, so that ordinary
// builds know nothing of it; `Rooms` is a link to Sources. scripts/fuzz --targets builds and runs it.

import PackageDescription

let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // Optimised, or a minute does what ten seconds can. Overflow and bounds are checked all the same.
    .unsafeFlags(["-O", "-enable-testing", "-sanitize=fuzzer,address"]),
]

let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let nioHTTP: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
    .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"), .product(name: "HTTPTypes", package: "swift-http-types"),
    .product(name: "HummingbirdCore", package: "hummingbird"), logging,
    .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
]

func library(_ name: String, pkgConfig: String) -> Target {
    .systemLibrary(name: name, path: "Rooms/\(name)", pkgConfig: pkgConfig)
}

func room(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "Rooms/\(name)", swiftSettings: house)
}

let package = Package(
    name: "diary-fuzz",
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        library("CLibcrypto", pkgConfig: "libcrypto"),
        library("CLibpq", pkgConfig: "libpq"),
        library("CLibjwt", pkgConfig: "libjwt"),
        library("CLibargon2", pkgConfig: "libargon2"),
        library("CLibzip", pkgConfig: "libzip"),
        library("CLibcurl", pkgConfig: "libcurl"),
        room("WireFormats", []),
        room("DiaryCrypto", ["CLibcrypto"]),
        room("DiaryCore", ["DiaryCrypto", logging]),
        .systemLibrary(name: "CThreads", path: "Rooms/CThreads"),
        room("BlockingCalls", ["CThreads", .product(name: "NIOPosix", package: "swift-nio")]),
        room("PostgresClient", ["BlockingCalls", "CLibpq", logging]),
        room("DiaryIdentity", ["DiaryCore", "DiaryCrypto", "BlockingCalls", "CurlTransfer", "CLibcrypto", "CLibjwt", "CLibargon2"]),
        room("DiaryDatabase", ["DiaryCore", "DiaryCrypto", "PostgresClient", logging]),
        room("DiaryObjectStore", ["DiaryCore", "DiaryCrypto", "BlockingCalls"]),
        room("CurlTransfer", ["CLibcurl", "DiaryCrypto", "BlockingCalls"]),
        room("DiaryMail", ["DiaryCore", "BlockingCalls", "CurlTransfer"]),
        room("ZipArchive", ["CLibzip", "BlockingCalls"]),
        room("DiaryHTTP", ["DiaryCore", "DiaryCrypto"] + nioHTTP),
        .systemLibrary(name: "CLibFuzzer", path: "CLibFuzzer"),
        .executableTarget(
            name: "diary-fuzz",
            dependencies: [
                "CLibFuzzer", "CLibpq", "DiaryCrypto", "DiaryCore", "DiaryIdentity", "DiaryDatabase", "PostgresClient", "DiaryObjectStore", "DiaryMail",
                "ZipArchive",
                "DiaryHTTP", "HTTPListener", .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ],
            path: "Targets", swiftSettings: house, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]),
    ]
)
