import DiaryCore
import DiaryCrypto
import DiaryTesting
import Foundation
import TestSupport
import Testing

@testable import DiaryWorker

extension RecordingJobTests {
    @Test("a copy is an object of its own beside the original, under the owner's key")
    func copied() async throws {
        objects[person.key(.staging, object)] = audio
        let bytes = SecureRandom.bytes(150_000)

        try await verify(try entry(), renderer: FixedRenderer(copy: bytes))

        let copy = try #require(store.verified?.rendition.copy)
        #expect(copy.object != object && copy.isOriginalKept)
        #expect(copy.sizeBytes == 150_000 && copy.sha256 == SHA256.digest(bytes))
        #expect(Set(objects.keys) == [person.key(.audio, object), person.key(.audio, copy.object)])
        #expect(objects[person.key(.audio, copy.object)] == bytes && objects[person.key(.audio, object)] == audio)
    }

    @Test(
        "an app that keeps no originals has the copy alone, also when an earlier try has moved the original; what has none stays",
        arguments: [ObjectKey.Kind.staging, .audio])
    func copyAlone(_ place: ObjectKey.Kind) async throws {
        var configuration = TenantConfiguration()
        try configuration.set("recordings.keep_original", to: "off")
        objects[person.key(place, object)] = audio
        try await verify(try entry(), renderer: FixedRenderer(copy: [1, 2, 3]), configuration)

        let copy = try #require(store.verified?.rendition.copy)
        #expect(!copy.isOriginalKept && store.verified?.sha256 == SHA256.digest(audio))
        #expect(objects.keys == [person.key(.audio, copy.object)])

        objects[person.key(place, object)] = audio
        try await verify(try entry(), configuration)
        #expect(objects.keys.contains(person.key(.audio, object)))
    }

    @Test("a copy whose result is refused is deleted, and the recording stays where it was")
    func refusedCopy() async throws {
        objects[person.key(.staging, object)] = audio
        let facts = try entry()
        var configuration = TenantConfiguration()
        try configuration.set("recordings.keep_original", to: "off")
        store.failFinishing(.leaseLost)

        await #expect(throws: JobStop.abandoned) { try await verify(facts, renderer: FixedRenderer(copy: [1, 2, 3]), configuration) }

        #expect(objects.keys == [person.key(.staging, object)])
    }

    @Test(
        "an entry that goes into the trash while its recording is checked keeps the original, sealed, also where the app keeps copies alone",
        arguments: ["on", "off"])
    func trashedMeanwhile(keepsOriginal: String) async throws {
        objects[person.key(.staging, object)] = audio
        let facts = try entry()
        var configuration = TenantConfiguration()
        try configuration.set("recordings.keep_original", to: keepsOriginal)
        store.isGone.set(true)

        let next = try await verify(facts, renderer: FixedRenderer(copy: [1, 2, 3]), configuration)

        #expect(next == nil && store.verified == nil)
        #expect(objects.keys == [person.key(.audio, object)] && objects[person.key(.audio, object)] == audio)
        // Restored, it is checked again.
        store.isGone.set(false)
        try await verify(facts, renderer: FixedRenderer(copy: [1, 2, 3]), configuration)
        let copy = try #require(store.verified?.rendition.copy)
        #expect(objects[person.key(.audio, copy.object)] == [1, 2, 3] && copy.isOriginalKept == (keepsOriginal == "on"))
    }

    @Test(
        "of an entry that is deleted while its recording is checked nothing stays, neither where it was nor where it was moved to",
        arguments: ["on", "off"])
    func erasedMeanwhile(keepsOriginal: String) async throws {
        objects[person.key(.staging, object)] = audio
        let facts = try entry()
        var configuration = TenantConfiguration()
        try configuration.set("recordings.keep_original", to: keepsOriginal)
        store.isGone.set(true)
        store.isErased.set(true)

        let next = try await verify(facts, renderer: FixedRenderer(copy: [1, 2, 3]), configuration)

        #expect(next == nil && objects.keys.isEmpty)
        objects.bytes[person.key(.staging, object)] = audio
        _ = try await verify(facts, in: objects.plainlyStaged)
        #expect(objects.keys.isEmpty)
    }

    @Test("A20: where only the copy is kept, a database that was restored from before the check finds the copy and checks that")
    func restoredBeforeCheck() async throws {
        var configuration = TenantConfiguration()
        try configuration.set("recordings.keep_original", to: "off")
        objects[person.key(.staging, object)] = audio
        let facts = try entry(sha256: SHA256.digest(audio))
        try await verify(facts, renderer: FixedRenderer(copy: [1, 2, 3]), configuration)
        let copy = try #require(store.verified?.rendition.copy)
        #expect(objects.keys == [person.key(.audio, copy.object)])

        // The row of the copy is lost. The app keeps originals by now.
        let next = try await verify(facts, renderer: FixedRenderer(copy: [9]), errors: VerifyRecording.triesForOriginal)

        #expect(next == .transcribe && store.verified?.rendition.copy == copy)
        #expect(store.verified?.size == 200_000 && store.verified?.sha256 == SHA256.digest(audio))
        #expect(objects.keys == [person.key(.audio, copy.object)])
        store.failFinishing(.leaseLost)
        await #expect(throws: JobStop.abandoned) { try await verify(facts, errors: VerifyRecording.triesForOriginal) }
        #expect(objects.keys == [person.key(.audio, copy.object)], "it is the recording: a try that fails leaves it")
    }

    @Test("a recording that another worker promotes between the look-ups is found, and not its copy in its place")
    func promotedMeanwhile() async throws {
        let (staging, final) = (person.key(.staging, object), person.key(.audio, object))
        let left = person.key(.audio, PlayableCopy.object(of: object))
        objects[staging] = audio
        objects[left] = [7]
        // After the first look-up, of the final key.
        objects.bytes.hooks.afterHead = { [objects = self.objects, audio = self.audio] in
            objects[staging] = nil
            objects[final] = audio
        }

        try await verify(try entry(sha256: SHA256.digest(audio)), renderer: FixedRenderer(copy: [1, 2, 3]))

        #expect(objects[final] == audio && objects[staging] == nil)
        #expect(store.verified?.rendition.copy?.isOriginalKept == true && store.verified?.sha256 == SHA256.digest(audio))
    }

    @Test("where the app keeps originals, a copy stands for a recording that the store lacks from the third try on")
    func originalAwaited() async throws {
        let (final, left) = (person.key(.audio, object), person.key(.audio, PlayableCopy.object(of: object)))
        objects[left] = [7]
        let facts = try entry()
        for errors in 0..<2 {
            let stop = await #expect(throws: JobStop.self) { try await verify(facts, errors: errors) }
            #expect(stop?.outcome == .retry(.storageUnavailable, after: 300))
        }
        #expect(store.verified == nil && objects.keys == [left])

        #expect(try await verify(facts, errors: 2) == .transcribe)
        #expect(store.verified?.rendition.copy?.object == left.object)
        // One that is back by then is what is checked.
        objects[final] = audio
        try await verify(facts, errors: 1)
        #expect(objects[final] == audio && store.verified?.rendition.copy == nil)
    }

    @Test("a copy that a try left before its end is not overwritten: the next try stores another one")
    func copyTaken() async throws {
        objects[person.key(.staging, object)] = audio
        let left = person.key(.audio, PlayableCopy.object(of: object))
        objects[left] = [7]

        try await verify(try entry(), renderer: FixedRenderer(copy: [1, 2, 3]))

        let copy = try #require(store.verified?.rendition.copy)
        #expect(objects[left] == [7] && objects[person.key(.audio, copy.object)] == [1, 2, 3])
    }

    @Test("where only the copy is kept it is what is transcribed")
    func copyHeard() async throws {
        let copy = PlayableCopy(object: UUID(), sizeBytes: 3, sha256: SHA256.digest([1, 2, 3]), isOriginalKept: false)
        objects[person.key(.audio, copy.object)] = [1, 2, 3]
        let facts = EntryFacts.make(status: .uploaded, size: 200_000, sha256: SHA256.digest(audio), object: object)
        store.put(try person.vault.entry(facts), copy: copy)
        let recognizer = FixedRecognizer()
        let scratch = try Scratch()

        _ = try await TranscribeRecording(
            store: store, objects: objects.store, keys: person.keys, engines: FixedEngines.one(speech: recognizer), gates: [],
            folders: scratch.folders
        ).run(.make(.transcribe, owner: person.owner, subject: facts.id.uuid))

        #expect(recognizer.seen.now.bytes == 3)
    }
}
