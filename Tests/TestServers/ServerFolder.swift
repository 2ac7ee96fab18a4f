import Foundation

/// A new folder of a server, 0700. In memory where there is enough of it: a database is some 300 files, and thousands of databases are made and
/// removed. Its name is short, as a socket's path may have 107 bytes.
enum ServerFolder {
    private static let neededBytes: UInt64 = 2 << 30

    /// nil when no folder can be made.
    static func make(_ prefix: String) -> String? {
        for parent in ["/dev/shm", "/tmp"] where parent == "/tmp" || hasSpace(parent) {
            var template = Array("\(parent)/\(prefix)-XXXXXX".utf8CString)
            if mkdtemp(&template) != nil {
                return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            }
        }
        return nil
    }

    private static func hasSpace(_ folder: String) -> Bool {
        var status = statvfs()
        return statvfs(folder, &status) == 0 && UInt64(status.f_bavail) * UInt64(status.f_frsize) > neededBytes
    }
}
