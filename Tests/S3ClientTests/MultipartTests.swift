import Foundation
import TestPeers
import Testing

@testable import S3Client

@Suite("S3: uploads in parts")
struct MultipartTests {
    @Test("all parts are listed, whatever number of them an answer has, with the times of their arrival")
    func parts() async throws {
        let service = try await FailingService()

        let parts = try await service.client.listParts("parts-5", upload: "u")

        #expect(parts.map(\.number) == [1, 2, 3, 4, 5] && parts.map(\.etag) == (1...5).map { "\"\($0)\"" })
        #expect(parts.map(\.storedAt) == (1...5).map { Date(timeIntervalSince1970: 1_795_435_200 + Double($0)) })
        #expect(try await service.requests("parts-5") == 3)
    }

    @Test(
        "open uploads are listed by pages, each once, with markers and without; aborting them all goes through every page",
        arguments: ["sets", "unmarked"])
    func uploads(kind: String) async throws {
        let service = try await FailingService()
        var (found, after): ([S3OpenUpload], S3UploadMarker?) = ([], nil)
        repeat {
            let page = try await service.client.listUploads(prefix: "\(kind)-3", after: after, limit: 1)
            found += page.uploads
            after = page.next
        } while after != nil

        #expect(found.map(\.id) == ["1", "2", "3"] && Set(found.map(\.key)) == ["\(kind)-3/a"])
        #expect(found.allSatisfy { $0.startedAt == Date(timeIntervalSince1970: 1_795_435_200) })

        try await service.client.abortUploads(prefix: "\(kind)-3")
        #expect(try await service.requests("\(kind)-3/a?uploadId=") == 3)
        try await service.client.abortUploads(prefix: "\(kind)-2") { $0 != "\(kind)-2/a" }
        #expect(try await service.requests("\(kind)-2/a?uploadId=") == 0)
    }

    @Test("a listing that says it goes on and does not is a failure: it would seem to be complete")
    func stuck() async throws {
        let service = try await FailingService()

        let parts = await #expect(throws: S3Error.self) { try await service.client.listParts("stuck", upload: "u") }
        let uploads = await #expect(throws: S3Error.self) { try await service.client.listUploads(prefix: "stuck") }

        #expect(parts?.reason == .unreadable && uploads?.reason == .unreadable)
    }

    @Test("a join of an upload that is gone fails when there is no object, and its condition is sent when it is asked for")
    func completed() async throws {
        let service = try await FailingService()
        let parts = [S3Part(number: 1, etag: "\"a\"")]

        let error = await #expect(throws: S3Error.self) {
            try await service.client.completeUpload("fail-9-404-NoSuchUpload", upload: "u", parts: parts, ifAbsent: true)
        }
        let taken = await #expect(throws: S3Error.self) {
            try await service.client.completeUpload("fail-8-412-PreconditionFailed-join", upload: "u", parts: parts, ifAbsent: true)
        }
        try await service.client.completeUpload("joined-1", upload: "u", parts: parts)

        #expect(error?.reason == .noUpload && taken?.reason == .exists)
        try await service.peer.settle()
        let posts = service.peer.events("request").filter { $0["method"] as? String == "POST" }
        func condition(_ key: String) -> String? {
            let headers = posts.first { ($0["path"] as? String)?.hasPrefix("/bucket/\(key)") == true }?["headers"] as? [String: String]
            return headers?["if-none-match"]
        }
        #expect(condition("fail-8-412-PreconditionFailed-join") == "*" && condition("joined-1") == nil)
    }
}
