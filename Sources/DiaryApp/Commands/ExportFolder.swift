import ArgumentParser
import DiaryCore
import DiaryCrypto
import DiaryObjectStore
import FoundationEssentials
import SystemPackage
import WireFormats

/// The files of a tenant's export, readable by their owner only, and their manifest. Written in pieces, so that memory stays bounded.
final class ExportFolder: ObjectSink {
    struct Manifest: Sendable {
        struct File: Sendable {
            let path: String
            /// nil for an object.
            let rows: Int?
            let bytes: Int64
            let sha256: String
        }

        struct Gap: Sendable {
            let gap: String
            let path: String
        }

        let tenant: Tenant
        let writtenAt: Date
        let files: [File]
        /// Objects that are not among the files, and should be.
        let gaps: [Gap]
        /// Recordings that wait in a bucket, not sealed yet.
        let waiting: Int

        static let form = ReportForm<Manifest>(
            .member("tenant") { $0.tenant.id.description }, .member("slug") { $0.tenant.slug }, .member("written_at") { $0.writtenAt },
            .member("version") { _ in Version.text }, .list("files", fileForm) { $0.files }, .list("gaps", gapForm) { $0.gaps },
            .member("waiting") { $0.waiting })

        private static let fileForm = ReportForm<File>(
            .member("path") { $0.path }, .member("rows") { $0.rows }, .member("bytes") { $0.bytes }, .member("sha256") { $0.sha256 })

        private static let gapForm = ReportForm<Gap>(.member("gap") { $0.gap }, .member("path") { $0.path })
    }

    private struct OpenFile {
        let path: String
        let descriptor: FileDescriptor
        var hash = SHA256Stream()
        var rows: Int?
        var bytes: Int64 = 0

        mutating func write(_ piece: [UInt8]) throws {
            try descriptor.writeAll(piece)
            hash.update(piece)
            bytes += Int64(piece.count)
        }
    }

    private let root: String
    private var files: [Manifest.File] = []
    private var gaps: [Manifest.Gap] = []
    private var current: OpenFile?

    var fileCount: Int { files.count }
    var gapCount: Int { gaps.count }

    init(_ root: String) throws {
        self.root = root
        guard !FileManager.default.fileExists(atPath: root) else { throw CommandFailure("--to: \(root) is there already") }
        try makeFolder(root)
    }

    /// Begins a file of rows and ends the one before it.
    func beginRows(_ path: String) throws { try begin(path, rows: 0) }

    func append(_ lines: [String]) throws {
        try current?.write(Array((lines.joined(separator: "\n") + "\n").utf8))
        current?.rows? += lines.count
    }

    // MARK: Objects

    func begin(_ key: ObjectKey) throws { try begin(Self.path(of: key), rows: nil) }

    func write(_ bytes: [UInt8]) throws { try current?.write(bytes) }

    func discard() throws {
        guard let file = current else { return }
        current = nil
        try file.descriptor.close()
        try FileManager.default.removeItem(atPath: "\(root)/\(file.path)")
    }

    func has(_ key: ObjectKey) -> Bool { FileManager.default.fileExists(atPath: "\(root)/\(Self.path(of: key))") }

    /// - Returns: the line of the manifest.
    func note(_ gap: ObjectGap) -> Manifest.Gap {
        let noted = Manifest.Gap(gap: gap.kind.rawValue, path: Self.path(of: gap.key))
        gaps.append(noted)
        return noted
    }

    private static func path(of key: ObjectKey) -> String { "objects/\(key)" }

    // MARK: Files

    /// - Parameter waiting: recordings that were left in staging.
    func finish(_ tenant: Tenant, waiting: Int) throws -> Manifest {
        try end()
        let manifest = Manifest(tenant: tenant, writtenAt: Date(), files: files, gaps: gaps, waiting: waiting)
        let file = try open("manifest.json")
        try file.closeAfter { _ = try file.writeAll("\(Manifest.form.json(manifest))\n".utf8) }
        return manifest
    }

    private func begin(_ path: String, rows: Int?) throws {
        try end()
        try makeFolder("\(root)/\(path.split(separator: "/").dropLast().joined(separator: "/"))")
        current = OpenFile(path: path, descriptor: try open(path), rows: rows)
    }

    func end() throws {
        guard var file = current else { return }
        current = nil
        try file.descriptor.close()
        files.append(Manifest.File(path: file.path, rows: file.rows, bytes: file.bytes, sha256: Hex.encode(file.hash.finish())))
    }

    private func open(_ path: String) throws -> FileDescriptor {
        try FileDescriptor.open(
            FilePath("\(root)/\(path)"), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
    }

    private func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
}
