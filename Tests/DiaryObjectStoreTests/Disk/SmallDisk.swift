import Foundation
import Glibc

/// A tmpfs of a few megabytes, unmounted when this object goes.
final class SmallDisk: Sendable {
    let path: String
    private let size: String

    static let isPossible: Bool = (try? SmallDisk(megabytes: 1)) != nil

    init(megabytes: Int) throws {
        path = FileManager.default.temporaryDirectory.appending(path: "diary-small-\(UUID().uuidString)").path
        size = "size=\(megabytes)m"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, size) == 0 else {
            try? FileManager.default.removeItem(atPath: path)
            throw CocoaError(.fileWriteNoPermission)
        }
    }

    func makeReadOnly() throws {
        guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), size) == 0 else {
            throw CocoaError(.fileWriteNoPermission)
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        try? FileManager.default.removeItem(atPath: path)
    }
}
