import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import DiaryCore

@Suite("Deleting recordings in a request")
struct DeleteRecordingsTests {
    private let objects = MemoryObjects()

    private func recording(_ status: EntryStatus = .transcribed) throws -> StoredRecording {
        let id = EntryID(UUIDv7.make())
        let object = UUID()
        let facts = EntryFacts(
            id: id, kind: .voice, status: status, processing: nil, recordedAt: Stub.now, timeZone: "UTC", localTime: Stub.localTime,
            day: CalendarDay(Stub.localTime), createdAt: Stub.now, updatedAt: Stub.now, deletedAt: nil, durationSeconds: nil, sizeBytes: 3,
            contentType: "audio/mp4", sha256: nil, language: nil, object: object, changeNumber: 1)
        objects[key(object)] = [1, 2, 3]
        return StoredRecording(entry: StoredEntry(facts: facts, personal: nil, machine: nil), copy: nil)
    }

    private func key(_ object: UUID?) -> ObjectKey {
        ObjectKey(kind: .audio, tenant: Stub.owner.tenant, user: Stub.owner.user, object: object ?? UUID())
    }

    private func deletion(_ parts: MemoryParts = MemoryParts(), wait: Duration = .seconds(60)) -> DeleteRecordings {
        DeleteRecordings(objects: objects.store, parts: parts, wait: wait)
    }

    @Test("the objects of all entries go in one request, the parts of unfinished ones too; what stays is told")
    func together() async throws {
        let (first, second, waiting) = (try recording(), try recording(), try recording(.awaitingUpload))
        let requests = Shared(0)
        objects.bytes.hooks.deleting = { _ async throws(ObjectStoreError) in requests.change { $0 += 1 } }
        objects.bytes.hooks.undeletable = [key(second.entry.facts.object)]
        let parts = MemoryParts([:])

        let gone = await deletion(parts).run([first, second, waiting], of: Stub.owner)

        #expect(gone == [first.entry.facts.id, waiting.entry.facts.id] && requests.now == 1 && parts.log == ["discard"])
        #expect(objects.keys == [key(second.entry.facts.object)])
    }

    @Test("A8: a request does not wait for a store that does not answer, and leaves the rest to the sweeper", .timeLimit(.minutes(1)))
    func stalled() async throws {
        let recording = try recording(.awaitingUpload)
        objects.bytes.hooks.deleting = { _ async throws(ObjectStoreError) in
            // Until it is cancelled, as a request to a bucket.
            try? await Task.sleep(for: .seconds(3_600))
            throw .unavailable(full: false)
        }
        let parts = MemoryParts([:])

        #expect(await deletion(parts, wait: .milliseconds(1)).run([recording], of: Stub.owner).isEmpty)

        #expect(objects.keys == [key(recording.entry.facts.object)] && parts.log.isEmpty)
    }

    @Test("A8: a request does not wait for a disk that hangs in a call, which nothing ends", .timeLimit(.minutes(1)))
    func hanging() async throws {
        let recording = try recording()
        let (answers, disk) = AsyncStream<Void>.makeStream()
        let (ended, end) = AsyncStream<Void>.makeStream()
        objects.bytes.hooks.deleting = { _ async throws(ObjectStoreError) in
            // In a task of its own, which is not cancelled with the request.
            await Task { for await _ in answers { break } }.value
            end.yield()
        }

        #expect(await deletion(wait: .milliseconds(1)).run([recording], of: Stub.owner).isEmpty)

        #expect(objects.keys == [key(recording.entry.facts.object)])
        disk.yield()
        for await _ in ended { break }
    }

    @Test("A8: a store that fails is not asked again in the same request")
    func away() async throws {
        let recording = try recording(.failed)
        objects.bytes.hooks.deleting = { _ async throws(ObjectStoreError) in throw .unavailable(full: false) }
        let parts = MemoryParts([:])

        #expect(await deletion(parts).run([recording], of: Stub.owner).isEmpty)
        #expect(parts.log.isEmpty)
    }
}
