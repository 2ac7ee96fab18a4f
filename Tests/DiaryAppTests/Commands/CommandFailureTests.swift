import ArgumentParser
import Glibc
import Testing

@testable import DiaryApp

@Suite("Commands that cannot do what they are asked")
struct CommandFailureTests {
    @Test("what is not there ends with 1 and without a usage text; a wrong argument ends with 64")
    func codes() {
        let failure = CommandFailure("there is no such account in my-day")

        #expect(DiaryCommand.status(of: failure) == .failure)
        #expect(DiaryCommand.fullMessage(for: failure) == "Error: there is no such account in my-day")
        #expect(DiaryCommand.status(of: ValidationError("--limit must be from 1 to 10000")) == .validationFailure)
    }

    @Test("an argument that only the run of a command refuses is printed with the usage of that command")
    func usage() {
        let text = DiaryCommand.text(of: ValidationError("--url is required"), in: TenantCommand.Engine.Set.self)

        #expect(text.hasPrefix("Error: --url is required\nUsage: diary tenant engine set ") && text.hasSuffix("\n"))
    }

    @Test(
        "--yes is a flag of every command that destroys something, and without it nothing begins",
        arguments: [
            ["user", "erase", "my-day", "anna@example.org"], ["tenant", "erase", "my-day"], ["objects", "orphans", "--delete"],
            ["keys", "destroy", "01a1fe44-8066-7418-b9c1-43885fea9d36", "01a1fe44-8066-7418-b9c1-43885fea9d36"],
        ])
    func confirmation(_ words: [String]) throws {
        let error = try #require(throws: (any Error).self) { _ = try DiaryCommand.parseAsRoot(words) }
        #expect(DiaryCommand.message(for: error).contains("--yes") && DiaryCommand.exitCode(for: error) == .failure)

        _ = try DiaryCommand.parseAsRoot(words + ["--yes"] + (words[0] == "tenant" ? ["--confirm", "my-day"] : []))
    }

    @Test("an app is erased only when its slug is repeated", arguments: [[], ["--confirm", "my-dya"], ["--confirm", ""]])
    func slug(_ words: [String]) throws {
        let error = try #require(throws: (any Error).self) {
            _ = try DiaryCommand.parseAsRoot(["tenant", "erase", "my-day", "--yes"] + words)
        }
        #expect(DiaryCommand.message(for: error).contains("--confirm my-day"))
    }

    @Test("the operator is who called sudo, who is logged in, or the owner of the process")
    func operators() {
        #expect(OperatorName.find(["SUDO_USER": "anna", "LOGNAME": "root", "USER": "root"]) == "anna")
        #expect(OperatorName.find(["SUDO_USER": "", "USER": "berta"]) == "berta")
        #expect(OperatorName.find([:], uid: 0) == "root")
        #expect(OperatorName.find([:], uid: 4_000_000_001) == "uid 4000000001")
    }
}
