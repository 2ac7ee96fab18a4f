import Subprocess
import SystemPackage

/// A program of the distribution, run to its end beside a test.
///
/// Not Foundation's `Process`: it hears of an end when a socket closes that every child started at that moment inherits, so a program of
/// a millisecond could seem to run as long as a server beside it; and its wait blocks one of the few threads that tests run on.
package enum TestProgram {
    package struct Ending: Sendable {
        /// The exit code; 128 and the signal's number for one that was killed, as a shell says it.
        package let status: Int
        package let output: [UInt8]
        package var text: String { String(decoding: output, as: UTF8.self) }
    }

    package enum Errors: Sendable { case ours, joined, discarded }
    package struct TooLate: Error { let program: String }

    /// - Parameter words: the program, by its path or looked up in PATH, and its arguments.
    /// - Parameter errors: where its standard error goes: to ours, into `output`, or nowhere.
    /// - Throws: `TooLate` when it has not ended after two minutes; it is killed then.
    package static func run(_ words: [String], errors: Errors = .ours) async throws -> Ending {
        try await withThrowingTaskGroup(of: Ending.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await toEnd(words, errors) }
            group.addTask {
                try await Task.sleep(for: .seconds(120))
                throw TooLate(program: words.first ?? "")
            }
            guard let ending = try await group.next() else { throw TooLate(program: words.first ?? "") }
            return ending
        }
    }

    private static func toEnd(_ words: [String], _ errors: Errors) async throws -> Ending {
        switch errors {
        case .ours: try await ending(of: words, errors: .currentStandardError)
        case .joined: try await ending(of: words, errors: .combinedWithOutput)
        case .discarded: try await ending(of: words, errors: .discarded)
        }
    }

    private static func ending<Channel: ErrorOutputProtocol>(of words: [String], errors: Channel) async throws -> Ending {
        let record = try await Subprocess.run(configuration(words), output: .bytes(limit: 64 << 20), error: errors)
        return Ending(status: code(record.terminationStatus), output: record.standardOutput)
    }

    static func configuration(_ words: [String]) -> Configuration {
        var options = PlatformOptions()
        // A group of its own: Ctrl-C of a terminal ends the tests, and that ends it.
        options.processGroupID = 0
        let program = words.first ?? ""
        return Configuration(
            executable: program.contains("/") ? .path(FilePath(program)) : .name(program), arguments: Arguments(Array(words.dropFirst())),
            workingDirectory: "/", platformOptions: options)
    }

    private static func code(_ status: TerminationStatus) -> Int {
        switch status {
        case .exited(let code): Int(code)
        case .signaled(let signal): 128 + Int(signal)
        }
    }
}
