import DiaryCore

/// The command line of an operator's speech program.
struct SpeechCommand: Sendable, Equatable {
    let program: String
    let arguments: [String]
    /// What the program needs beside `/usr`: its own folder, and the files that its arguments name.
    let readable: [String]

    /// - Parameters:
    ///   - words: the program's absolute path, then its arguments, in which `{file}` and `{language}` stand for the recording and its
    ///     language: a 16 kHz mono wav, and an ISO 639-1 code or `auto`.
    ///   - file: as the program sees it.
    /// - Returns: nil without an absolute path.
    init?(_ words: [String], file: String, language: String?) {
        guard let program = words.first, Self.isAbsolute(program) else { return nil }
        self.program = program
        let code = language.map(WhisperLanguages.code) ?? "auto"
        arguments = words.dropFirst().map { Self.replaced($0, ["{file}": file, "{language}": code]) }
        let folder = program.lastIndex(of: "/").map { String(program[..<$0]) } ?? ""
        readable = ([folder] + words.dropFirst().filter(Self.isAbsolute)).filter(Self.mayBeShown)
    }

    private static func isAbsolute(_ path: String) -> Bool { path.hasPrefix("/") && !path.split(separator: "/").contains("..") }

    /// Not the system's own, which are there in the sandbox's form, nor the whole disk.
    private static func mayBeShown(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        guard let first = parts.first else { return false }
        return !["usr", "bin", "lib", "lib64", "proc", "sys", "dev", "tmp", "job"].contains(first)
    }

    /// In one pass, so that a replacement is not replaced again.
    private static func replaced(_ text: String, _ marks: KeyValuePairs<String, String>) -> String {
        var made = ""
        var rest = text[...]
        while !rest.isEmpty {
            if let mark = marks.first(where: { rest.hasPrefix($0.key) }) {
                made += mark.value
                rest = rest.dropFirst(mark.key.count)
            } else if let first = rest.popFirst() {
                made.append(first)
            }
        }
        return made
    }
}

/// How the end of an operator's speech program is treated (A10). Its input is a wav of `AudioDecoder`, so an error is one of the
/// installation, but where the program says otherwise by its exit code (sysexits.h). What the machine did to it is not the engine's.
enum SpeechCommandFailure {
    /// - Parameter isBusy: the machine gave the program too little of its processors, and a later try may have more.
    static func classify(_ failure: ChildFailure, isBusy: Bool) -> ProviderFailure {
        switch failure {
        case .programMissing: ProviderFailure(.configuration, code: .speechUnavailable, cause: "the program cannot be run")
        case .notStarted, .notSpawned: .outage(code: .speechUnavailable, cause: "the sandbox did not start")
        case .timedOut where isBusy: ProviderFailure(.retry, code: .speechTimeout, cause: "the machine was busy: out of wall-clock time")
        case .timedOut: tooSlow
        case .outputTooLarge: ProviderFailure(.permanent, code: .mediaLimits, cause: "the transcript is too large").fromEngine
        case .cancelled: ProviderFailure(.retry, code: .unexpected, cause: "cancelled")
        }
    }

    static func classify(_ ending: ChildOutcome.Ending) -> ProviderFailure {
        switch ending {
        // EX_DATAERR, EX_TEMPFAIL
        case .exited(65): ProviderFailure(.permanent, code: .mediaUnreadable, cause: "the program refused the recording").fromEngine
        case .exited(75): ProviderFailure(.retry, code: .speechUnavailable, cause: "the program asked for a later try").fromEngine
        case .exited(let code):
            ProviderFailure(.configuration, code: .speechUnavailable, cause: "the program exited with \(code)").fromEngine
        // SIGXCPU
        case .signaled(24): tooSlow
        // SIGKILL that this service did not send: the kernel was short of memory.
        case .signaled(9): ProviderFailure(.retry, code: .speechUnavailable, cause: "killed")
        case .signaled: ProviderFailure(.permanent, code: .speechUnavailable, cause: "the program crashed").fromEngine
        }
    }

    /// Another try would take as long. It is about this recording: the engine goes on for the others.
    static let tooSlow = ProviderFailure(
        .permanent, code: .speechTimeout, cause: "the program has used all of its time for this recording")

    static let malformed = ProviderFailure(
        .configuration, code: .speechUnavailable, cause: "the program's output is not whisper.cpp's JSON"
    ).fromEngine
}
