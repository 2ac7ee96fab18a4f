package import DiaryCrypto
package import FoundationEssentials

@testable package import DiaryCore

/// One entry that waits for three parts, of which the second has arrived; nothing is stored.
package struct StubParts: UploadParts, PartReceiver, PartSigner, PartUploadStore {
    package init() {}

    package var smallestPart: Int64 { 1_048_576 }
    package func begin(_ key: ObjectKey, contentType: String) async throws(ObjectStoreError) -> String { "set" }
    package func put(_ part: PartKey, _ bytes: [UInt8], sealedBy dataKey: DataKey) async throws(ObjectStoreError) {}
    package func arrived(_ upload: PartUpload) async throws(ObjectStoreError) -> [ArrivedPart] {
        upload.length(of: 2).map { [ArrivedPart(number: 2, size: $0)] } ?? []
    }
    package func join(_ upload: PartUpload, of parts: [ArrivedPart], sealedBy dataKey: DataKey) async throws(ObjectStoreError) {}
    package func discard(_ key: ObjectKey, id: String?) async throws(ObjectStoreError) {}
    package func list(olderThan: Date, after: StoredPartUpload?, limit: Int) async throws(ObjectStoreError) -> StoredPartUploads {
        StoredPartUploads(uploads: [], next: nil)
    }
    package func receive(_ part: PartKey, from body: any ByteStream, length: Int64, sealedBy dataKey: DataKey) async throws -> [UInt8] {
        var digest = SHA256Stream()
        while let piece = try await body.next() { digest.update(piece) }
        return digest.finish()
    }
    package func sign(_ part: PartKey, contentType: String, length: Int64, at now: Date, lifetime: Double) -> UploadTarget {
        UploadTarget(
            url: "https://diary.example/objects/\(part.key)?partNumber=\(part.number)&uploadId=\(part.upload)&X-Amz-Signature=0",
            headers: [("Content-Type", contentType)], expiresAt: now + lifetime)
    }
    package func partUpload(of id: EntryID, by member: Member) async throws(DiaryError) -> PartUploadState? {
        guard id == Stub.recording.facts.id, let object = Stub.recording.facts.object else { return nil }
        return PartUploadState(
            isOpen: true, key: ObjectKey(kind: .staging, tenant: member.tenant, user: member.user, object: object),
            contentType: "audio/mp4", size: 2_500_000, id: "set", partSize: smallestPart)
    }
    package func openPartUpload(
        _ opening: PartUploadOpening, of id: EntryID, by member: Member
    ) async throws(DiaryError) -> PartUploadState? { try await partUpload(of: id, by: member) }
    package func closePartUpload(_ upload: String, of id: EntryID, by member: Member) async throws(DiaryError) -> Bool { true }
    package func partUploadState(_ upload: String, of key: ObjectKey) async throws(DiaryError) -> PartSetState { .awaiting }
}
