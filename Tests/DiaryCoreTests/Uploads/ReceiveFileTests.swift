import DiaryCrypto
import DiaryTesting
import FoundationEssentials
import Synchronization
import Testing

@testable import DiaryCore

@Suite("Recordings in one request")
struct ReceiveFileTests {
    /// Parts have four bytes.
    private struct Scene {
        let store: ChangingStore
        let parts = MemoryParts([:])
        let objects = MemoryObjects()
        let receive: ReceiveFile

        init(_ states: [ChangingStore.State?] = [nil], duplicate: EntryID? = nil) async throws {
            var tenant = Stub.tenant("diary")
            try tenant.configuration.set("limits.audio_max_bytes", to: "12")
            var ports = try FeaturePorts.stub(tenants: [tenant])
            store = try ChangingStore(
                states, id: EntryID(UUIDv7.make()), key: try await ports.memberKeys.key(of: Stub.owner), duplicate: duplicate)
            ports.entries = store
            ports.parts = parts
            ports.objects = objects.store
            receive = ReceiveFile(
                create: ports.createEntry, complete: UploadFeature(ports).complete, objects: ports.objects, parts: parts,
                places: UploadPlaces(partBytes: 4))
        }

        func send(
            _ body: any ByteStream, _ contentType: String? = "audio/mp4", name: String? = nil, at time: Date? = nil
        ) async throws -> ReceiveFile.Received {
            try await receive.run(recordedAt: time, by: TestTokens.member) {
                try SentFile(body, contentType: contentType, name: name)
            }
        }

        var entries: [NewEntry] { store.created.withLock { $0 } }
    }

    private static let walk: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

    @Test("a short one is stored as it is, with its length, its digest and its name, and then the entry is made")
    func short() async throws {
        let scene = try await Scene()

        let received = try await scene.send(ArrayBody([1, 2, 3]), name: "/phone/walk.m4a")

        let entry = try #require(scene.entries.first)
        #expect(scene.entries.count == 1 && entry.id == received.entry && !received.isRepeated)
        #expect(entry.facts.sizeBytes == 3 && entry.facts.sha256 == SHA256.digest([1, 2, 3]) && entry.facts.contentType == "audio/mp4")
        #expect(scene.objects.keys == [ObjectKey(kind: .staging, owner: Stub.owner, object: try #require(entry.object))])
        #expect(entry.uniqueDigest == entry.facts.sha256 && scene.parts.log.isEmpty)
    }

    @Test("a long one is stored in parts, which are joined at its end", arguments: [1, 3, 4, 7, 100])
    func long(piece: Int) async throws {
        let scene = try await Scene()

        _ = try await scene.send(ArrayBody(Self.walk, chunk: piece))

        #expect(scene.parts.log == ["begin", "put 1", "put 2", "put 3", "join", "discard"])
        let entry = try #require(scene.entries.first)
        #expect(entry.facts.sizeBytes == 10 && entry.facts.sha256 == SHA256.digest(Self.walk))
    }

    @Test("one of whole parts has no empty part behind them")
    func whole() async throws {
        let scene = try await Scene()
        _ = try await scene.send(ArrayBody([1, 2, 3, 4, 5, 6, 7, 8]))
        #expect(scene.parts.log == ["begin", "put 1", "put 2", "join", "discard"])
    }

    @Test("one that breaks off, is empty or is longer than the app allows leaves nothing", arguments: [0, 3, 6, 9, 13])
    func broken(bytes: Int) async throws {
        let scene = try await Scene()
        let body = ArrayBody([UInt8](repeating: 1, count: bytes), chunk: 1)
        let broken = ClosureBody {
            if let piece = try await body.next() { return piece }
            if bytes == 0 { return nil }
            throw CancellationError()
        }

        let error = await #expect(throws: DiaryError.self) { _ = try await scene.send(broken) }

        #expect(error?.code == (bytes == 0 ? .invalidFields : bytes > 12 ? .bodyTooLarge : .malformedRequest))
        #expect(scene.parts.log.last == "discard" && scene.objects.keys.isEmpty && scene.entries.isEmpty)
    }

    @Test("bytes that the account has are answered with their entry, and are not kept twice")
    func repeated() async throws {
        let known = EntryID(UUIDv7.make())
        let scene = try await Scene([nil, ChangingStore.State(status: .transcribed)], duplicate: known)

        let received = try await scene.send(ArrayBody([1, 2, 3]))

        #expect(received == ReceiveFile.Received(entry: scene.store.id, isRepeated: true))
        #expect(scene.objects.keys.isEmpty && scene.parts.log == ["discard"])
        let unread = try await Scene(
            [nil, ChangingStore.State(status: .failed, code: .mediaUnreadable, sha256: SHA256.digest([1, 2, 3]))], duplicate: known)
        #expect(
            try await unread.send(ArrayBody([1, 2, 3])) == ReceiveFile.Received(entry: unread.store.id, isRepeated: true, hasFailed: true))
    }

    @Test(
        "an entry that was announced with these bytes and never got them, or got others, does not stand for them",
        arguments: [ChangingStore.State(status: .awaitingUpload), ChangingStore.State(status: .failed, code: .uploadHashMismatch)])
    func announced(state: ChangingStore.State) async throws {
        let scene = try await Scene([nil, state], duplicate: EntryID(UUIDv7.make()))

        let received = try await scene.send(ArrayBody([1, 2, 3]))

        #expect(!received.isRepeated && scene.entries.map(\.uniqueDigest) == [SHA256.digest([1, 2, 3]), nil])
        #expect(Set(scene.entries.map(\.id)) == [received.entry] && scene.objects.keys.count == 1)
    }

    @Test("the time is the one that the client gives, or that of the name, or now")
    func times() async throws {
        let scene = try await Scene()
        let name = "toukan_2024-01-15T14-30-00.m4a"
        for (name, time) in [(nil, nil), (name, nil), (name, Stub.now - 60)] as [(String?, Date?)] {
            _ = try await scene.send(ArrayBody([1]), name: name, at: time)
        }
        #expect(scene.entries.map(\.recordedAt) == [Stub.now, Stub.now, Stub.now - 60])
        #expect(scene.entries.map(\.wallClock) == [nil, Date(timeIntervalSince1970: 1_705_329_000), nil])
    }

    @Test(
        "the type is the declared one, or that of the name's ending, or left to the check",
        arguments: [
            (nil, nil, .m4a), ("application/octet-stream", "a.WAV", .wav), ("audio/x-m4a", "a.mp3", .xM4a), ("audio/new", "a.mp3", .mpeg),
            ("audio/mp4; codecs=\"mp4a.40.2\"", nil, .m4a), (nil, "memo", .m4a), ("text/plain", "a.m4a", nil), ("image/png", nil, nil),
        ] as [(String?, String?, AudioFormat?)])
    func types(contentType: String?, name: String?, format: AudioFormat?) {
        let file = try? SentFile(ArrayBody([]), contentType: contentType, name: name)
        #expect(file?.format == format)
    }

    @Test("a name is kept without folders and without what is no text of one line")
    func names() throws {
        for (given, kept) in [("C:\\a\\b.m4a", "b.m4a"), ("/x/y/", "y"), ("a\u{202E}b\n.m4a", "ab.m4a"), ("", nil), ("/", nil)]
            as [(String, String?)]
        {
            #expect(try SentFile(ArrayBody([]), contentType: nil, name: given).name == kept, "\(given)")
        }
        #expect(try SentFile(ArrayBody([]), contentType: nil, name: String(repeating: "ä", count: 600)).name?.count == 500)
    }

    @Test("of many at once the first have large parts, and there is an end of one account's and of all")
    func places() throws {
        let places = UploadPlaces(partBytes: 10)
        let owners = (0..<64).map { _ in Owner(tenant: Stub.owner.tenant, user: UserID(UUIDv7.make())) }
        var sizes: [Int] = []
        for _ in 0..<8 { sizes.append(try places.enter(owners[0], smallest: 4)) }
        let tooMany = DiaryError(
            .rateLimited, detail: "The account sends as many recordings at this moment as it may at once.", retryAfter: 5,
            cause: "uploads of one account")
        #expect(throws: tooMany) { try places.enter(owners[0], smallest: 4) }
        // Eight accounts that take what they can leave places for others.
        for _ in 0..<8 { for owner in owners[..<8] { if let size = try? places.enter(owner, smallest: 4) { sizes.append(size) } } }
        #expect(sizes == [Int](repeating: 10, count: 8) + [Int](repeating: 4, count: sizes.count - 8) && sizes.count < 48)
        #expect(throws: tooMany) { try places.enter(owners[1], smallest: 4) }
        for owner in owners[8...] where sizes.count < 64 { sizes.append(try places.enter(owner, smallest: 4)) }
        #expect(throws: DiaryError(.overloaded, retryAfter: 5, cause: "64 uploads")) { try places.enter(Stub.owner, smallest: 4) }
        for owner in owners { places.leave(owner) }
        #expect(try places.enter(Stub.owner, smallest: 4) == 4)
    }
}
