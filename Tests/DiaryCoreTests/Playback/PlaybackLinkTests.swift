import DiaryTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import DiaryCore

@Suite("Playback links") struct PlaybackLinkTests {
    private let clock = Shared(Stub.now)

    private func play() throws -> PlayRecording {
        var ports = try FeaturePorts.stub()
        ports.clock = WallClock { [clock] in clock.now }
        return DiaryFeatures(ports).playback.play
    }

    /// What a client sends of a link.
    private struct Parts {
        var object: ObjectID
        var filename: String
        var expires: Int64
        var signature: String

        init(_ url: String) throws {
            let halves = url.split(separator: "?")
            let path = halves[0].split(separator: "/")
            let query = halves[1].split(separator: "&").map { String($0.split(separator: "=", maxSplits: 1)[1]) }
            object = try #require(ObjectID(path[path.count - 2]))
            filename = String(path[path.count - 1])
            expires = try #require(Int64(query[0]))
            signature = query[1]
        }
    }

    private func open(_ parts: Parts, by owner: Owner = Stub.owner) async throws(DiaryError) -> PlayRecording.Recording {
        let play: PlayRecording
        do { play = try self.play() } catch { throw DiaryError(.internalError) }
        return try await play.open(
            tenant: owner.tenant, user: owner.user, object: parts.object, filename: parts.filename, expires: parts.expires,
            signature: parts.signature)
    }

    private func refusal(_ parts: Parts, by owner: Owner = Stub.owner) async -> ErrorCode? {
        do throws(DiaryError) {
            _ = try await open(parts, by: owner)
            return nil
        } catch { return error.code }
    }

    @Test(
        "a link lives twice as long as its recording, at least 15 minutes and at most 12 hours; without a duration as for the longest one",
        arguments: [
            (0, 900), (1, 900), (450, 900), (450.2, 901), (2_400, 4_800), (4 * 3_600, 8 * 3_600), (10 * 3_600, 12 * 3_600),
            (nil, 8 * 3_600),
        ] as [(Double?, Double)])
    func life(duration: Double?, seconds: Double) {
        #expect(PlaybackLink.life(ofRecording: duration, Limits()) == seconds)
    }

    @Test("ranges are read over a link's whole life, to the second, and not after it")
    func wholeLife() async throws {
        let link = try await play().link(Stub.recording.facts.id, for: TestTokens.member)
        let parts = try Parts(link.url)

        #expect(link.expiresAt == Stub.now + 4_800 && parts.expires == Int64(link.expiresAt.timeIntervalSince1970))
        #expect(link.contentType == "audio/mp4" && link.sizeBytes == 10)
        for second in [0, 900, 901, 2_400, 4_799.9] {
            clock.set(Stub.now + second)
            let found = try await open(parts)
            let piece = try await found.read(3..<5)
            #expect(found.size == 10 && found.contentType == link.contentType)
            #expect(try await piece.next() == Array("34".utf8))
        }
        clock.set(link.expiresAt)
        #expect(await refusal(parts) == .linkExpired)
    }

    @Test("a link of an earlier generation of the account's links has expired; one whose generation was altered is refused")
    func generation() async throws {
        let good = try Parts(try await play().link(Stub.recording.facts.id, for: TestTokens.member).url)
        let key = ObjectKey(kind: .audio, tenant: Stub.owner.tenant, user: Stub.owner.user, object: good.object.uuid)
        let end = Date(timeIntervalSince1970: Double(good.expires))
        func signed(_ generation: Int64) -> Parts {
            var parts = good
            parts.signature = PlaybackSignature(generation, of: key, good.filename, expiresAt: end, StubLinks()).text
            return parts
        }
        #expect(await refusal(signed(3)) == nil)
        for other: Int64 in [0, 2, 4, -3] { #expect(await refusal(signed(other)) == .linkExpired) }

        let code = good.signature.split(separator: ".")[1]
        for text in [
            "2.\(code)", "4.\(code)", "03.\(code)", "+3.\(code)", "3.\(code).", "3\(code)", ".\(code)", "\(code)", "3.", "3", "", ".",
        ] {
            var parts = good
            parts.signature = text
            #expect(await refusal(parts) == .linkRefused, "\(text)")
        }
    }

    /// Of an entry whose check failed. `Stub` holds the object of its own recording alone.
    private func refusedLink(
        _ code: ProcessingCode, object: UUID? = Stub.recording.facts.object, original: Bool = true
    ) async throws -> PlaybackLink {
        let facts = EntryFacts(
            id: EntryID(UUIDv7.make()), kind: .voice, status: .failed,
            processing: Processing(stage: .verify, attempt: 1, nextAttemptAt: nil, code: code), recordedAt: Stub.now,
            timeZone: "UTC", localTime: Stub.localTime, day: CalendarDay(Stub.localTime), createdAt: Stub.now, updatedAt: Stub.now,
            deletedAt: nil, durationSeconds: nil, sizeBytes: 10, contentType: "audio/x-caf", sha256: nil, language: nil, object: object,
            changeNumber: 1)
        var ports = try FeaturePorts.stub()
        ports.entries = OneEntryStore(StoredEntry(facts: facts, personal: SealedColumn(bytes: [], version: 1), machine: nil))
        return try await DiaryFeatures(ports).playback.play.link(facts.id, original: original, for: TestTokens.member)
    }

    @Test("what the check refused is given back as a file of no type, to who asks for the original, and only from its final key")
    func refused() async throws {
        for code in [ProcessingCode.mediaUnsupported, .mediaTooLong, .uploadHashMismatch, .storageUnavailable, .crashed] {
            let link = try await refusedLink(code)
            #expect(link.contentType == "application/octet-stream" && link.sizeBytes == 10 && link.url.contains(".caf.bin?"))
            await #expect(throws: DiaryError(.audioNotReady)) { _ = try await refusedLink(code, original: false) }
            await #expect(throws: DiaryError(.audioNotReady, retryAfter: 60)) { _ = try await refusedLink(code, object: UUID()) }
        }
        for code in [ProcessingCode.uploadExpired, .uploadMissing, .uploadSizeMismatch] {
            await #expect(throws: DiaryError(.audioNotReady)) { _ = try await refusedLink(code) }
        }

        var parts = try Parts(try await refusedLink(.mediaUnsupported).url)
        let key = ObjectKey(kind: .audio, tenant: Stub.owner.tenant, user: Stub.owner.user, object: parts.object.uuid)
        let end = Date(timeIntervalSince1970: Double(parts.expires))
        parts.signature = PlaybackSignature(3, of: key, parts.filename, expiresAt: end, StubLinks()).text
        let found = try await open(parts)
        #expect(found.isRefused && found.contentType == "application/octet-stream" && found.size == 10)
        let played = try await open(try Parts(try await play().link(Stub.recording.facts.id, for: TestTokens.member).url))
        #expect(!played.isRefused)
    }

    @Test("a link opens one recording of one account, by one name, until one time")
    func bound() async throws {
        let good = try Parts(try await play().link(Stub.recording.facts.id, for: TestTokens.member).url)
        var (object, name, time) = (good, good, good)
        object.object = ObjectID(UUID())
        name.filename = "x.mp3"
        time.expires += 1

        for parts in [object, name, time] { #expect(await refusal(parts) == .linkRefused) }
        for owner in [Owner(tenant: Stub.owner.tenant, user: UserID(UUID())), Owner(tenant: TenantID(UUID()), user: Stub.owner.user)] {
            #expect(await refusal(good, by: owner) == .linkRefused)
        }
    }
}
