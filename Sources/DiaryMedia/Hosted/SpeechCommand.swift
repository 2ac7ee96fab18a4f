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
