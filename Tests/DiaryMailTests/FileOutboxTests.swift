import DiaryCore
import DiaryMail
import Foundation
import Testing

@Suite("The file outbox")
struct FileOutboxTests {
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "outbox-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await body(folder)
    }

    private func permissions(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test("writes one file per id, closed to others, and nothing else")
    func writes() async throws {
        try await withFolder { folder in
            let outbox = try FileOutbox(folder: folder, now: { MailFixtures.date })
            let message = try MailFixtures.message()

            try await outbox.send(message)

            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["018f6e2c-0000-7000-8000-0123456789ab.eml"])
            let path = "\(folder)/018f6e2c-0000-7000-8000-0123456789ab.eml"
            #expect(
                try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == MailMessageBuilder.bytes(of: message, date: MailFixtures.date))
            #expect(try permissions(path) == 0o600)
            #expect(try permissions(folder) == 0o700)
        }
    }

    @Test("the same id twice is one mail, the first; also from several outboxes at once")
    func idempotent() async throws {
        try await withFolder { folder in
            let first = try MailFixtures.message(subject: "First")
            let second = try MailFixtures.message(subject: "Second")
            try await FileOutbox(folder: folder).send(first)

            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { try await FileOutbox(folder: folder).send(second) } }
                try await group.waitForAll()
            }

            let names = try FileManager.default.contentsOfDirectory(atPath: folder)
            #expect(names.count == 1)
            let text = try String(contentsOfFile: "\(folder)/\(try #require(names.first))", encoding: .utf8)
            #expect(text.contains("Subject: First"))
        }
    }

    @Test("a file that a crash left half written does not stop the next try")
    func afterCrash() async throws {
        try await withFolder { folder in
            let outbox = try FileOutbox(folder: folder)
            let id = try MailFixtures.id()
            try Data("half".utf8).write(to: URL(fileURLWithPath: "\(folder)/.\(id).eml.part"))

            try await outbox.send(try MailFixtures.message())

            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["\(id).eml"])
        }
    }

    @Test("a mail that cannot be written down is refused, a folder that is gone is tried again later")
    func failures() async throws {
        try await withFolder { folder in
            let outbox = try FileOutbox(folder: folder)
            let bad = try MailFixtures.message(to: "no address")
            let good = try MailFixtures.message()

            await #expect(throws: MailFailure.refused("recipient address")) { try await outbox.send(bad) }
            try FileManager.default.removeItem(atPath: folder)
            let error = await #expect(throws: MailFailure.self) { try await outbox.send(good) }

            guard case .unavailable = error else { return #expect(Bool(false)) }
        }
        #expect(throws: MailFailure.self) { try FileOutbox(folder: "/nonexistent/parent/outbox") }
    }
}
