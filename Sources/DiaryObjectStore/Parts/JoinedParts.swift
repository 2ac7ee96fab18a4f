import DiaryCore
import DiaryCrypto
import FoundationEssentials
import Synchronization

/// The plaintext of all parts of an upload, one after the other.
final class JoinedParts: ByteStream {
    private struct Position {
        var rest: ArraySlice<ArrivedPart>
        var open: OpeningStream?
    }

    private let upload: PartUpload
    private let bytes: any PartByteStore
    private let dataKey: DataKey
    private let position: Mutex<Position>

    init(_ upload: PartUpload, _ parts: [ArrivedPart], _ bytes: any PartByteStore, openedBy dataKey: DataKey) {
        self.upload = upload
        self.bytes = bytes
        self.dataKey = dataKey
        position = Mutex(Position(rest: parts[...], open: nil))
    }

    func next() async throws -> [UInt8]? {
        while true {
            if let piece = try await position.withLock({ $0.open })?.next() { return piece }
            guard let part = position.withLock({ $0.rest.popFirst() }) else { return nil }
            let opened = try await open(part)
            position.withLock { $0.open = opened }
        }
    }

    private func open(_ part: ArrivedPart) async throws(ObjectStoreError) -> OpeningStream {
        let key = PartKey(key: upload.key, upload: upload.id, number: part.number)
        let sealedAs = key.sealedAs
        let found = try await bytes.getPart(key, leading: SealedObjectHeader.count)
        do {
            let header = try SealedObjectHeader(
                of: ByteObject(key: sealedAs, size: found.size, storedAt: .distantPast, leading: found.leading))
            guard header.plainLength == part.size else { throw ObjectStoreError.damaged }
            let opener = try SegmentOpener(key: dataKey, purpose: sealedAs.purpose, header: header, objectID: sealedAs.object)
            let cover = SealedObjectLayout.segments(coveringPlain: 0..<part.size, total: part.size)
            return OpeningStream(found.rest, opener, cover, total: part.size)
        } catch {
            found.rest.close()
            throw .damaged
        }
    }
}
