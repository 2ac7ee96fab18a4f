import ArgumentParser
import DiaryCore
import FoundationEssentials
import Glibc
import Testing

@testable import DiaryApp

@Suite("What `diary dev` tells other commands and its user")
struct DevEnvironmentTests {
    private static func withFolder(_ test: (_ path: String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appending(component: "dev-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try test(path)
    }

    @Test("the settings are lines for a shell: secrets by their files, and nothing that was given")
    func lines() throws {
        try Self.withFolder { (path: String) throws in
            let given = Environment(["DIARY_DATABASE_URL": "postgresql://hunter2@db/diary", "DIARY_MAIL_OUTBOX_FILE": "/x"])
            try DevEnvironment(folder: path).write(
                [
                    "DIARY_DATABASE_URL": "host=/tmp/x dbname=diary", "DIARY_OBJECTS": "/it's/$HOME here",
                    "DIARY_MASTER_KEYS": "m1:hunter2",
                    "DIARY_MAIL_OUTBOX": "/mail",
                ], secrets: ["DIARY_MASTER_KEYS": "\(path)/master-keys"], given: given)
            let lock = open(path + "/lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
            defer { close(lock) }
            try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)

            #expect(
                try DevEnvironment.read(path) == """
                    # DIARY_DATABASE_URL is what diary dev was given
                    # DIARY_MAIL_OUTBOX is what diary dev was given
                    export DIARY_MASTER_KEYS_FILE='\(path)/master-keys'
                    export DIARY_OBJECTS='/it'\\''s/$HOME here'

                    """)
        }
    }

    @Test("without a running `diary dev` there are none, also when it was killed")
    func notRunning() throws {
        try Self.withFolder { (path: String) throws in
            try DevEnvironment(folder: path).write([:], secrets: [:], given: Environment([:]))
            #expect(throws: DevEnvironment.NotRunning.self) { try DevEnvironment.read(path) }
            try Data().write(to: URL(filePath: path + "/lock"))
            #expect(throws: DevEnvironment.NotRunning.self) { try DevEnvironment.read(path) }
            #expect(throws: DevEnvironment.NotRunning.self) { try DevEnvironment.read("/nowhere") }
        }
    }

    @Test(
        "--folder is that of the settings asked for, before and after the word",
        arguments: [["env", "--folder", "/x"], ["--folder", "/x", "env"]])
    func folder(_ words: [String]) throws {
        let command = try #require(try DiaryCommand.parseAsRoot(["dev"] + words) as? DevCommand.Env)
        #expect(command.options.folder == "/x")
        let dev = try #require(try DiaryCommand.parseAsRoot(["dev", "--port", "8081", "--folder", "/x"]) as? DevCommand)
        #expect(dev.options.folder == "/x" && dev.port == 8081)
    }

    @Test("a mail is announced with its code or its link")
    func mails() throws {
        func mail(_ text: String) -> OutgoingMessage {
            OutgoingMessage(
                id: MailID(UUIDv7.make()), fromName: "My Day", fromAddress: "diary@localhost", to: "anna@example.org", subject: "Your mail",
                text: text, html: nil)
        }

        #expect(
            AnnouncingMailTransport.line(mail("Enter this code:\n\n    20481634\n\nIt works once.\n"))
                == "mail to anna@example.org: \"Your mail\", code 20481634")
        #expect(
            AnnouncingMailTransport.line(mail("It is ready:\n\nhttp://127.0.0.1:8080/exports/abc\n"))
                == "mail to anna@example.org: \"Your mail\", http://127.0.0.1:8080/exports/abc")
        #expect(AnnouncingMailTransport.line(mail("Your password was changed.\n")) == "mail to anna@example.org: \"Your mail\"")
    }
}
