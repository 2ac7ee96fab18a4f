import FoundationEssentials
import SystemPackage

/// Space on the disk of a job's folder.
enum JobSpace {
    /// O_TMPFILE without O_DIRECTORY, which it includes.
    private static let temporary = FileDescriptor.OpenOptions(rawValue: 0o20000000)

    /// Whether a MiB cannot be written: the disk, a quota or the number of files is full. ffmpeg's exit code does not distinguish that from
    /// an unreadable recording.
    ///
    /// No name in the folder is opened: the program may have put a link there to a file that only the service may write.
    static func isFull(_ folder: String) -> Bool {
        guard let file = try? nameless(in: folder) else { return true }
        let written = try? file.closeAfter { try file.writeAll([UInt8](repeating: 0, count: 1 << 20)) }
        return written != 1 << 20
    }

    private static func nameless(in folder: String) throws -> FileDescriptor {
        do {
            return try FileDescriptor.open(
                FilePath(folder), .writeOnly, options: [.directory, temporary, .closeOnExec], permissions: .ownerReadWrite)
        } catch let error as Errno where error == .notSupported || error == .isDirectory || error == .invalidArgument {
            // A file system or kernel without O_TMPFILE.
            return try unlinked(in: folder)
        }
    }

    /// The name exists between two system calls, cannot be foreseen, and is not opened when it is taken.
    static func unlinked(in folder: String) throws -> FileDescriptor {
        let path = "\(folder)/.\(String(UInt64.random(in: .min ... .max), radix: 36))"
        let file = try FileDescriptor.open(
            FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec], permissions: .ownerReadWrite)
        try? FileManager.default.removeItem(atPath: path)
        return file
    }
}
