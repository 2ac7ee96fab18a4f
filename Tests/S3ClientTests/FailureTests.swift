import TestPeers
import TestSupport
import Testing

@testable import S3Client

@Suite("S3: failures")
struct FailureTests {
    @Test(
        "a failure that may pass is sent again, a refusal is not",
        arguments: [
            ("fail-2-503-SlowDown", 3), ("fail-2-500-InternalError", 3), ("fail-1-429-Throttling", 2), ("fail-1-409-OperationAborted", 2),
            ("fail-1-400-RequestTimeout", 2), ("fail-1-400-BadDigest", 2), ("hidden-2-put", 3),
        ])
    func repeated(key: String, requests: Int) async throws {
        let service = try await FailingService()

        let stored = try await service.client.put(key, .bytes([1, 2, 3, 4, 5]))

        #expect(stored.etag == "\"e\"")
        #expect(try await service.requests(key) == requests)
    }

    @Test(
        "a refusal is one request",
        arguments: [
            ("fail-9-403-AccessDenied", S3Error.Reason.denied), ("fail-9-400-InvalidArgument", .refused),
            ("fail-9-412-PreconditionFailed", .exists), ("fail-9-501-NotImplemented", .unsupported), ("fail-9-404-NoSuchBucket", .noBucket),
        ])
    func refused(key: String, reason: S3Error.Reason) async throws {
        let service = try await FailingService()

        let error = await #expect(throws: S3Error.self) { try await service.client.put(key, .bytes([1])) }

        #expect(error?.reason == reason)
        #expect(try await service.requests(key) == 1)
    }

    @Test("a service that fails always is asked four times, and never after the time for retries")
    func given() async throws {
        let service = try await FailingService()
        let impatient = try await FailingService { $0.retries.within = .zero }

        await #expect(throws: S3Error.self) { try await service.client.head("fail-99-503-SlowDown-a") }
        await #expect(throws: S3Error.self) { try await impatient.client.head("fail-99-503-SlowDown-b") }

        #expect(try await service.requests("fail-99-503-SlowDown-a") == 4)
        #expect(try await impatient.requests("fail-99-503-SlowDown-b") == 1)
    }

    @Test("a stream is sent once, because its bytes cannot be had again")
    func stream() async throws {
        let service = try await FailingService()
        let asked = Counter()

        let error = await #expect(throws: S3Error.self) {
            try await service.client.put(
                "fail-9-503-SlowDown",
                .stream(length: 5) {
                    asked.add()
                    return [1, 2, 3, 4, 5]
                })
        }

        #expect(error?.reason == .unavailable)
        #expect(try await service.requests("fail-9-503-SlowDown") == 1)
    }

    @Test("a range that is cut is asked for again; it is never taken as a whole")
    func cut() async throws {
        let service = try await FailingService()

        let piece = try await service.client.get("cut-2", range: 0..<5)

        #expect(piece?.bytes == Array("bytes".utf8))
        #expect(try await service.requests("cut-2") == 3)
    }

    @Test("a service that stalls is given up after the time for stalls and asked again")
    func stall() async throws {
        let service = try await FailingService { $0.stall = .seconds(1) }

        let object = try await service.client.head("stall-1")

        #expect(object?.size == 5)
        #expect(try await service.requests("stall-1") == 2)
    }

    @Test("completing an upload with status 200 and an error document has failed, and white space before a good answer is none")
    func hiddenFailure() async throws {
        let service = try await FailingService()
        let parts = [S3Part(number: 1, etag: "\"a\"")]

        try await service.client.completeUpload("hidden-1", upload: "u", parts: parts)
        #expect(try await service.requests("hidden-1") == 2)

        let error = await #expect(throws: S3Error.self) {
            try await service.client.completeUpload("hidden-99", upload: "u", parts: parts)
        }
        #expect(error?.reason == .unavailable && error?.status == 200)
    }

    @Test("a deletion with status 200 and an error document has failed")
    func hiddenDeletion() async throws {
        let service = try await FailingService()

        try await service.client.delete("hidden-2-object")
        try await service.client.abortUpload("hidden-2-upload", upload: "u")

        #expect(try await service.requests("hidden-2-object") == 3)
        #expect(try await service.requests("hidden-2-upload") == 3)
    }

    @Test("a refusal whose date is far from this machine's is the clock's, also without a document")
    func clock() async throws {
        let service = try await FailingService()

        let error = await #expect(throws: S3Error.self) { try await service.client.head("late") }

        guard case .clock(let seconds) = error?.reason else {
            Issue.record("not named as the clock's: \(String(describing: error))")
            return
        }
        #expect((1_195...1_210).contains(seconds))
    }

    @Test("the time that the service asks for is waited")
    func asked() async throws {
        let service = try await FailingService()

        let taken = try await seconds { _ = try await service.client.head("asks-1") }

        #expect(taken >= 1)
    }

    @Test("keys that a client would resolve to others are refused before anything is sent", arguments: ["", "a/../b", "./a", "a/..", ".."])
    func keys(key: String) async throws {
        let service = try await FailingService()

        let error = await #expect(throws: S3Error.self) { try await service.client.head(key) }

        #expect(error?.reason == .refused)
        try await service.peer.settle()
        let paths = service.peer.events("request").compactMap { $0["path"] as? String }
        #expect(paths.allSatisfy { !$0.contains("/.") && !$0.hasSuffix("/bucket/") && $0 != "/b" })
    }
}
