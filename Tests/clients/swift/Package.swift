// swift-tools-version: 6.0
// The main job of an app with the Swift client that scripts/clients generates into .build/clients/swift6, and runs.

import PackageDescription

let package = Package(
    name: "ClientJob",
    platforms: [.macOS(.v13)],
    dependencies: [.package(path: "../../../.build/clients/swift6")],
    targets: [
        .executableTarget(name: "ClientJob", dependencies: [.product(name: "OpenAPIClient", package: "swift6")])
    ])
