import ArgumentParser
import Testing

@testable import DiaryApp

@Suite("the id of a token key as an argument")
struct KeyIDArgumentTests {
    private static let dashed = "-Af5o41ygaZIk_tHc-2YfXvN3qRAvpn8h_V-yovbeiw"

    @Test(
        "an id that starts with a hyphen is read like any other, wherever it stands", arguments: [["--now", dashed], [dashed, "--now"]])
    func hyphen(words: [String]) throws {
        let arguments = KeyIDArgument.separated(["keys", "retire"] + words)

        let command = try DiaryCommand.parseAsRoot(arguments) as? KeysCommand.Retire

        #expect(command?.kid == Self.dashed && command?.now == true)
    }

    @Test(
        "other arguments stay as they are",
        arguments: [
            ["keys", "retire", "Af5o41ygaZIk"], ["keys", "list", dashed], ["keys", "retire", "--", dashed], ["keys", "retire", "--help"],
            [],
        ])
    func others(arguments: [String]) {
        #expect(KeyIDArgument.separated(arguments) == arguments)
    }
}
