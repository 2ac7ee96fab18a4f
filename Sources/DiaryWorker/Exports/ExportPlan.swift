import DiaryCore
import FoundationEssentials
import ZipArchive

/// The contents of an export's snapshot in one file: the texts, manifests and pages of every part, then the parts' members, then `Footer`
/// and the eight bytes of its length. The file of several parts is kept, sealed, in the object store until all are built; that of one is needed
/// for one try only.
struct ExportPlan: Sendable {
    struct Part: Codable, Sendable, Equatable {
        /// How many entries, and the bytes of their files before they are packed.
        var entries = 0
        var bytes: Int64 = 0
        /// Its members' records in the file.
        var begin: Int64 = 0
        var end: Int64 = 0
    }

    private struct Footer: Codable {
        var version = 1
        var parts: [Part]
        var changesUpto: Int64
    }

    let file: UnlinkedTempFile
    let size: Int64
    let parts: [Part]
    /// Of the snapshot.
    let changesUpto: Int64

    /// - Parameter file: without its footer, which is appended.
    init(closing file: AppendedFile, parts: [Part], changesUpto: Int64) async throws {
        let footer = Array(try JSONEncoder().encode(Footer(parts: parts, changesUpto: changesUpto)))
        try await file.append(footer)
        try await file.append((0..<8).map { UInt8(truncatingIfNeeded: footer.count >> ($0 * 8)) })
        try await file.flush()
        self.file = file.file
        size = await file.size
        self.parts = parts
        self.changesUpto = changesUpto
    }

    /// A plan that an earlier try saved.
    /// - Throws: `damaged` for other bytes than a plan's.
    init(reading file: UnlinkedTempFile) async throws {
        let (size, footer) = try await BlockingWork.run {
            let size = try file.size
            let count = try file.read(offset: size - 8, count: 8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard size >= 8, count <= UInt64(size - 8) else { throw ObjectStoreError.damaged }
            return (size, try file.read(offset: size - 8 - Int64(count), count: Int(count)))
        }
        guard let footer = try? JSONDecoder().decode(Footer.self, from: Data(footer)),
            footer.parts.allSatisfy({ $0.begin >= 0 && $0.begin <= $0.end && $0.end <= size })
        else { throw ObjectStoreError.damaged }
        self.file = file
        self.size = size
        parts = footer.parts
        changesUpto = footer.changesUpto
    }

    /// The members of a part, in the order of the zip, as `PlannedMember.forEach` reads them: as objects they would take a multiple of the memory.
    func records(of part: Part) async throws -> [UInt8] {
        let (file, count) = (file, Int(part.end - part.begin))
        let records = try await BlockingWork.run { try file.read(offset: part.begin, count: count) }
        guard records.count == count else { throw ObjectStoreError.damaged }
        return records
    }
}
