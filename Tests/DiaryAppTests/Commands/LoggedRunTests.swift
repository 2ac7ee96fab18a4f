import ArgumentParser
import Synchronization
import Testing
import WireFormats

@testable import DiaryApp

@Suite("What stops a service")
struct LoggedRunTests {
    @Test("is one line of JSON with its reason, and the exit code stays")
    func line() async throws {
        let lines = Mutex<[[UInt8]]>([])
        func run(_ error: any Error) async -> ExitCode? {
            await #expect(throws: ExitCode.self) {
                try await LoggedRun.run("diary-api", isTerminal: false, write: { line in lines.withLock { $0.append(line) } }) {
                    throw error
                }
            }
        }

        #expect(await run(SettingsError("DIARY_OBJECTS", "cannot be used as a folder")) == ExitCode(78))
        #expect(await run(ValidationError("wrong")) == .validationFailure)

        let written = lines.withLock { $0 }
        #expect(written.count == 2)
        guard case .object(let members) = try JSONParser.parse(try #require(written.first)) else {
            Issue.record("not an object")
            return
        }
        #expect(members["level"] == .string("critical") && members["logger"] == .string("diary-api"))
        #expect(members["error"] == .string("setting DIARY_OBJECTS: cannot be used as a folder"))
        #expect(members["process"] == .string(ProcessName.text) && members["version"] == .string(Version.text))
    }

    @Test("at a terminal it is the error itself, which the command prints")
    func terminal() async throws {
        await #expect(throws: SettingsError("DIARY_OBJECTS", "is required")) {
            try await LoggedRun.run("diary-api", isTerminal: true) { throw SettingsError("DIARY_OBJECTS", "is required") }
        }
    }

    @Test("an end without an error writes nothing")
    func clean() async throws {
        let lines = Mutex(0)
        try await LoggedRun.run("diary-api", isTerminal: false, write: { _ in lines.withLock { $0 += 1 } }) {}
        await #expect(throws: CleanExit.self) {
            try await LoggedRun.run("diary-api", isTerminal: false, write: { _ in lines.withLock { $0 += 1 } }) {
                throw CleanExit.message("done")
            }
        }
        #expect(lines.withLock { $0 } == 0)
    }
}
