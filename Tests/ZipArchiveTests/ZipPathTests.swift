import Testing
import ZipArchive

@Suite("A member's path")
struct ZipPathTests {
    private func add(_ path: String, to writer: ZipWriter) throws(ZipError) {
        let modified = ZipTimestamp(year: 2026, month: 1, day: 1, hour: 0, minute: 0, second: 0)
        try writer.add(ZipMember(path: path, modified: modified, method: .stored, length: 0, source: BytesSource([])))
    }

    @Test(
        "E1: is refused when it could leave its folder or mislead",
        arguments: [
            "", "/", "/etc/passwd", "..", "../a", "a/../b", "a/..", "./a", "a/./b", ".", "a//b", "a/", "//a", "a\\b", "..\\a",
            "\\\\host\\a",
            "C:a", "c:/a", "a\0b", "a\nb", "a\r", "a\u{1B}[2J", "a\u{7F}", "a\u{85}b", "a\u{2028}b", "a\u{202E}4m.exe", "\u{2066}a",
            "\u{200F}a",
            String(repeating: "a", count: 256), String(repeating: "ab/", count: 400) + "a",
        ])
    func refused(path: String) throws {
        let error = #expect(throws: ZipError.self) { try add(path, to: ZipWriter(descriptor: -1)) }

        guard case .invalidPath = error else { return #expect(Bool(false)) }
    }

    @Test(
        "is accepted in the forms that clients and this service use",
        arguments: ["a", "a b.txt", "..a", "a..", "...", "ä/ö/日記.md", "👩‍👩‍👧.txt", ".hidden", "=1+1.csv"])
    func accepted(path: String) throws {
        try add(path, to: ZipWriter(descriptor: -1))
    }

    @Test(
        "E1: is refused when it falls together with another",
        arguments: [("a.txt", "a.txt"), ("A.txt", "a.TXT"), ("\u{E4}.txt", "a\u{308}.txt"), ("Ä/x", "a\u{308}/X")])
    func duplicate(first: String, second: String) throws {
        let writer = ZipWriter(descriptor: -1)
        try add(first, to: writer)

        let error = #expect(throws: ZipError.self) { try add(second, to: writer) }

        guard case .duplicatePath = error else { return #expect(Bool(false)) }
        #expect(writer.count == 1)
    }
}
