// swift-tools-version: 6.2
// Targets and the direction of their imports: docs/decisions/0001-targets.md. Only DiaryApp may import them all.

import Foundation
import PackageDescription

let commonSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // An async function runs where its caller does: each change of executor takes the task's lock (decision 0002).
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// Of the targets that docs/decisions/0001-targets.md lists: an unsafe construct is an error there, not a warning.
let strictSettings: [SwiftSetting] =
    commonSettings + [
        .unsafeFlags(["-strict-memory-safety", "-Werror", "StrictMemorySafety"])
    ]

/// Failpoints, scripted providers and a password hash without cost are compiled into every debug build and do nothing unless a setting asks
/// for them. A release build has none.
let failpoints: [SwiftSetting] = [.define("DIARY_FAILPOINTS", .when(configuration: .debug))]

let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let lifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")

let nioHTTP: [Target.Dependency] = [
    .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
    .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"), .product(name: "HTTPTypes", package: "swift-http-types"),
    .product(name: "HummingbirdCore", package: "hummingbird"),
]

func library(_ name: String, pkgConfig: String? = nil, apt: String) -> Target {
    .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let package = Package(
    name: "diary",
    products: [.executable(name: "diary", targets: ["diary"])],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    ],
    targets: [
        // C libraries of the Linux distribution (decision D4). Each is used by one target, libcrypto by two.
        library("CLibcrypto", pkgConfig: "libcrypto", apt: "libssl-dev"),
        library("CLibpq", pkgConfig: "libpq", apt: "libpq-dev"),
        library("CHiredis", pkgConfig: "hiredis", apt: "libhiredis-dev"),
        library("CLibjwt", pkgConfig: "libjwt", apt: "libjwt-dev"),
        library("CLibargon2", pkgConfig: "libargon2", apt: "libargon2-dev"),
        library("CLibzip", pkgConfig: "libzip", apt: "libzip-dev"),
        library("CLibcurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),

        // glibc's mallopt and mallinfo2, which Swift's Glibc module does not export.
        .systemLibrary(name: "CMalloc", path: "Sources/CMalloc"),
        // Starting and naming threads, and blocking their signals.
        .systemLibrary(name: "CThreads", path: "Sources/CThreads"),

        // Targets that know nothing of diaries; others are below.
        .target(name: "BlockingCalls", dependencies: ["CThreads", nioPosix], swiftSettings: commonSettings),
        .target(name: "PostgresClient", dependencies: ["WireFormats", "BlockingCalls", "CLibpq", logging], swiftSettings: commonSettings),

        // JSON, forms, dates, base64, percent coding; used by most targets.
        .target(name: "WireFormats", swiftSettings: strictSettings),
        .target(name: "DiaryCrypto", dependencies: ["CLibcrypto"], swiftSettings: commonSettings),
        .target(name: "DiaryCore", dependencies: ["DiaryCrypto", "WireFormats", logging], swiftSettings: strictSettings + failpoints),
        .target(
            name: "DiaryIdentity",
            dependencies: [
                "DiaryCore", "DiaryCrypto", "WireFormats", "BlockingCalls", "CurlTransfer", "CLibcrypto", "CLibjwt", "CLibargon2",
            ],
            swiftSettings: commonSettings + failpoints),
        .target(
            name: "DiaryDatabase", dependencies: ["DiaryCore", "DiaryCrypto", "WireFormats", "PostgresClient", logging],
            swiftSettings: commonSettings),
        .target(
            name: "DiaryRedis", dependencies: ["DiaryCore", "CHiredis", nioCore, nioPosix, logging, lifecycle],
            swiftSettings: commonSettings),
        .target(
            name: "DiaryObjectStore",
            dependencies: ["DiaryCore", "DiaryCrypto", "WireFormats", "BlockingCalls", "S3Client", logging],
            swiftSettings: commonSettings + failpoints),
        .target(
            name: "DiaryMedia",
            dependencies: [
                "DiaryCore", "DiaryCrypto", "WireFormats", "BlockingCalls", "CurlTransfer", logging,
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strictSettings + failpoints),
        .target(name: "CurlTransfer", dependencies: ["CLibcurl", "DiaryCrypto", "BlockingCalls"], swiftSettings: commonSettings),
        // Requests to any S3-compatible service, and AWS Signature Version 4: signing, presigning, and verifying what was presigned.
        .target(
            name: "S3Client", dependencies: ["CurlTransfer", "DiaryCrypto", "WireFormats", logging], swiftSettings: commonSettings),
        .target(
            name: "DiaryMail", dependencies: ["DiaryCore", "DiaryCrypto", "WireFormats", "BlockingCalls", "CurlTransfer", "S3Client"],
            swiftSettings: commonSettings),
        .target(name: "ZipArchive", dependencies: ["CLibzip", "BlockingCalls"], swiftSettings: commonSettings),
        .target(
            name: "DiaryWorker",
            dependencies: [
                "DiaryCore", "DiaryCrypto", "WireFormats", "BlockingCalls", "ZipArchive", logging, lifecycle,
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strictSettings + failpoints),
        .target(name: "HTTPListener", dependencies: [nioCore, nioPosix, logging, lifecycle] + nioHTTP, swiftSettings: strictSettings),
        .target(
            name: "DiaryHTTP",
            dependencies: ["DiaryCore", "DiaryCrypto", "WireFormats", "HTTPListener", nioCore, logging] + nioHTTP,
            swiftSettings: strictSettings),
        .target(
            name: "DiaryApp",
            dependencies: [
                "CMalloc", "DiaryCore", "DiaryCrypto", "DiaryIdentity", "DiaryDatabase", "DiaryRedis", "DiaryObjectStore", "DiaryMedia",
                "DiaryMail", "DiaryWorker", "DiaryHTTP", "HTTPListener", "PostgresClient", "CurlTransfer",
                "S3Client", "WireFormats", lifecycle, .product(name: "UnixSignals", package: "swift-service-lifecycle"),
                logging, nioCore,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Subprocess", package: "swift-subprocess"), .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: commonSettings + failpoints),
        .executableTarget(
            name: "diary", dependencies: ["DiaryApp", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            swiftSettings: commonSettings),

        // For every test target: waiting with a deadline, shared values, clocks and a silent logger.
        .target(name: "TestSupport", dependencies: [logging], path: "Tests/TestSupport", swiftSettings: commonSettings),
        // Runs programs of the distribution in tests, to their end or in the background.
        .target(
            name: "TestPrograms",
            dependencies: [
                .product(name: "Subprocess", package: "swift-subprocess"), .product(name: "SystemPackage", package: "swift-system"),
            ], path: "Tests/TestPrograms", swiftSettings: commonSettings),
        // Private Postgres and Redis for tests: started on Unix sockets, ended with the test process.
        .target(
            name: "TestServers", dependencies: ["TestPrograms"], path: "Tests/TestServers", exclude: ["S3"], swiftSettings: commonSettings),
        // Feeds random bytes to every reader of untrusted input (scripts/fuzz --targets).
        .executableTarget(
            name: "diary-fuzz",
            dependencies: [
                "CLibpq", "WireFormats", "DiaryCrypto", "DiaryCore", "DiaryIdentity", "DiaryDatabase", "PostgresClient", "DiaryObjectStore",
                "S3Client", "DiaryMail", "ZipArchive", "DiaryHTTP", "HTTPListener", nioCore,
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ], path: "Tests/fuzz/Targets", swiftSettings: commonSettings),
        .systemLibrary(name: "CLibFuzzer", path: "Tests/fuzz/CLibFuzzer"),
        .testTarget(name: "WireFormatsTests", dependencies: ["WireFormats"], swiftSettings: commonSettings),
        // Doubles of ports, shared by several test targets.
        .target(
            name: "DiaryTesting", dependencies: ["DiaryCore", "DiaryCrypto", "DiaryObjectStore", "TestSupport", "WireFormats"],
            path: "Tests/DiaryTesting",
            swiftSettings: commonSettings),
        .testTarget(
            name: "DiaryCoreTests", dependencies: ["DiaryCore", "DiaryCrypto", "DiaryTesting", "TestSupport", "WireFormats"],
            swiftSettings: commonSettings),
        .testTarget(name: "DiaryCryptoTests", dependencies: ["DiaryCrypto", "WireFormats"], swiftSettings: commonSettings),
        // Python servers and certificates for tests that talk to the network.
        .target(
            name: "TestPeers", dependencies: ["TestPrograms"], path: "Tests/CurlTransferTests/Peers",
            exclude: ["http_fake.py", "s3_fake.py", "smtp_fake.py"], swiftSettings: commonSettings),
        .testTarget(
            name: "CurlTransferTests", dependencies: ["CurlTransfer", "DiaryCrypto", "TestPeers", "TestSupport"], exclude: ["Peers"],
            swiftSettings: commonSettings),
        .testTarget(
            name: "DiaryIdentityTests",
            dependencies: [
                "DiaryIdentity", "DiaryCore", "DiaryCrypto", "WireFormats", "BlockingCalls", "CurlTransfer", "CLibcrypto", "TestPeers",
                "TestSupport",
            ],
            swiftSettings: commonSettings),
        .testTarget(name: "BlockingCallsTests", dependencies: ["BlockingCalls", "TestSupport"], swiftSettings: commonSettings),
        // An empty database per test on the private server.
        .target(
            name: "TestDatabases", dependencies: ["PostgresClient", "TestServers", "TestSupport"], path: "Tests/TestDatabases",
            swiftSettings: commonSettings),
        .testTarget(
            name: "PostgresClientTests",
            dependencies: ["WireFormats", "PostgresClient", "BlockingCalls", "TestDatabases", "TestServers", "TestSupport"],
            swiftSettings: commonSettings),
        .testTarget(
            name: "DiaryDatabaseTests",
            dependencies: [
                "DiaryDatabase", "PostgresClient", "DiaryCore", "DiaryCrypto", "DiaryTesting", "TestDatabases", "TestServers",
                "TestSupport", logging,
            ],
            swiftSettings: commonSettings),
        .testTarget(
            name: "DiaryRedisTests",
            dependencies: [
                "DiaryRedis", "DiaryCore", "DiaryCrypto", "DiaryTesting", "TestServers", "TestSupport", nioCore, nioPosix, logging,
                lifecycle,
            ],
            swiftSettings: commonSettings),
        .testTarget(
            name: "S3ClientTests",
            dependencies: ["S3Client", "CurlTransfer", "DiaryCrypto", "TestPeers", "TestSupport", "WireFormats", logging],
            exclude: ["make_presign_cases.py", "presign-cases.json"], swiftSettings: commonSettings),
        .testTarget(
            name: "DiaryObjectStoreTests",
            dependencies: [
                "DiaryObjectStore", "S3Client", "CurlTransfer", "DiaryCore", "DiaryCrypto", "DiaryTesting", "TestPeers",
                "TestServers", "TestSupport", "WireFormats", logging,
            ],
            exclude: ["Signing/make_botocore_cases.py", "Signing/botocore-cases.json"], swiftSettings: commonSettings),
        .testTarget(
            name: "DiaryMediaTests",
            dependencies: [
                "DiaryMedia", "DiaryCore", "DiaryCrypto", "WireFormats", "CurlTransfer", "TestPeers", "TestServers", "TestSupport", logging,
                .product(name: "Subprocess", package: "swift-subprocess"), .product(name: "SystemPackage", package: "swift-system"),
            ], exclude: ["Hosted/make_sdk_forms.py", "Hosted/sdk-forms.json"], swiftSettings: commonSettings + failpoints),
        .testTarget(
            name: "DiaryMailTests",
            dependencies: [
                "DiaryMail", "S3Client", "DiaryCore", "DiaryCrypto", "CurlTransfer", "TestPeers", "TestPrograms", "WireFormats",
            ],
            swiftSettings: commonSettings),
        .testTarget(name: "ZipArchiveTests", dependencies: ["ZipArchive", "TestPrograms", "TestSupport"], swiftSettings: commonSettings),
        // An HTTP client for tests that sends raw bytes.
        .target(
            name: "TestHTTPClient", dependencies: [nioCore, nioPosix], path: "Tests/HTTPListenerTests/Client", swiftSettings: commonSettings
        ),
        .testTarget(
            name: "HTTPListenerTests",
            dependencies: ["HTTPListener", "TestHTTPClient", "TestSupport", lifecycle, nioCore, nioPosix, logging] + nioHTTP,
            exclude: ["Client"], swiftSettings: commonSettings),
        .testTarget(
            name: "DiaryHTTPTests",
            dependencies: [
                "DiaryHTTP", "HTTPListener", "DiaryApp", "DiaryCore", "DiaryCrypto", "DiaryTesting", "WireFormats", "TestHTTPClient",
                "TestSupport", lifecycle, nioCore, nioPosix, logging,
            ] + nioHTTP,
            swiftSettings: commonSettings),
        .testTarget(
            name: "DiaryAppTests",
            dependencies: [
                "DiaryApp", "CurlTransfer", "DiaryCore", "DiaryCrypto", "DiaryHTTP", "DiaryMail", "DiaryMedia",
                "DiaryObjectStore", "DiaryTesting", "S3Client",
                "DiaryWorker", "HTTPListener", "PostgresClient", "TestSupport", "WireFormats", lifecycle, logging,
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], swiftSettings: commonSettings),
        .testTarget(
            name: "DiaryWorkerTests",
            dependencies: [
                "DiaryWorker", "DiaryCore", "DiaryCrypto", "DiaryObjectStore", "DiaryTesting", "WireFormats", "ZipArchive", "TestPrograms",
                "TestSupport",
                logging, lifecycle,
            ], exclude: ["Fidelity/fidelity-cases.tsv"], swiftSettings: commonSettings),
    ]
)

// `scripts/fuzz --targets --coverage` builds diary-fuzz a second time in a folder of its own, instrumented for libFuzzer and AddressSanitizer
// (CONTRIBUTING.md, Testing a change). Optimised, or a minute does what ten seconds can; overflow and bounds are checked all the same.
if Context.environment["DIARY_FUZZ_COVERAGE"] == "1" {
    for target in package.targets where target.type == .regular || target.type == .executable {
        target.swiftSettings =
            (target.swiftSettings ?? []) + [
                .unsafeFlags(["-O", "-enable-testing", "-sanitize=fuzzer,address"]), .define("FUZZ_COVERAGE"),
            ]
        if target.name == "diary-fuzz" {
            target.dependencies.append("CLibFuzzer")
            target.linkerSettings = [.unsafeFlags(["-sanitize=fuzzer,address", "-use-ld=lld"])]
        }
    }
}
