import Foundation

/// A tmpfs of a few megabytes, unmounted when this object goes.
final class SmallDisk: Sendable {
    let path: String
    private let size: String

    static let isPossible: Bool = (try? SmallDisk(megabytes: 1)) != nil

    init(megabytes: Int) throws {
        path = FileManager.default.temporaryDirectory.appending(path: "diary-small-\(UUID().uuidString)").path
        size = "size=\(megabytes)m"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        do {
            try Self.run("mount", "-t", "tmpfs", "-o", size, "tmpfs", path)
        } catch {
            try? FileManager.default.removeItem(atPath: path)
            throw error
        }
    }

    func makeReadOnly() throws { try Self.run("mount", "-o", "remount,ro,\(size)", path) }

    deinit {
        try? Self.run("umount", "-l", path)
        try? FileManager.default.removeItem(atPath: path)
    }

    private static func run(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteNoPermission) }
    }
}
