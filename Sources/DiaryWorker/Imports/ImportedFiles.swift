import DiaryCore
import ZipArchive

/// Which entry of a zip has which of its files: the first of the list that names it, whatever becomes of that entry. A list may name one file
/// in each of its entries, and the limits of a zip bound what its files hold, not how often they are named: so each is read and stored for one
/// entry alone. This follows from the list, so a worker that takes over finds the same.
struct ImportedFiles: Sendable {
    private let place: @Sendable (String) -> Int?
    /// Entries by the place of the file in the zip's directory; no more of them than the zip has files.
    private var holders: [Int: EntryID] = [:]

    /// - Parameter place: of a path; nil when the zip does not have it.
    init(place: @escaping @Sendable (String) -> Int?) { self.place = place }

    /// Gives the candidates of one element the files that they name first, and marks the others.
    mutating func assign(_ candidates: [ImportCandidate]) -> [ImportCandidate] {
        candidates.map { candidate in
            var candidate = candidate
            if let recording = candidate.recording { candidate.recording?.holder = holder(of: recording.file, or: candidate.id) }
            return candidate
        }
    }

    private mutating func holder(of file: ImportCandidate.File, or id: EntryID) -> EntryID? {
        guard let place = place(file.member) else { return nil }
        if let holder = holders[place] { return holder }
        holders[place] = id
        return nil
    }
}

/// A member of a zip as a body, in pieces of 64 KiB that are unpacked off the cooperative pool (decision D5).
final class ImportedMember: ByteStream {
    private let member: ZipMemberReader

    init(_ member: ZipMemberReader) { self.member = member }

    var size: Int64 { member.entry.size }

    func next() async throws -> [UInt8]? {
        let member = member
        let bytes = try await ImportWork.run { try member.read(max: 65_536) }
        return bytes.isEmpty ? nil : bytes
    }
}
