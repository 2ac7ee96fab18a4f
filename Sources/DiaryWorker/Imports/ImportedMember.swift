import DiaryCore
import ZipArchive

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
