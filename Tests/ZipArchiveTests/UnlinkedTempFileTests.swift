import Foundation
import Testing

@testable import ZipArchive

@Suite("A temporary file without a name")
struct UnlinkedTempFileTests {
    @Test("is in no folder, returns what was appended and is closed on exec", arguments: [true, false])
    func nameless(hasTmpfile: Bool) throws {
        let folder = try TestFolder()
        let file = hasTmpfile ? try UnlinkedTempFile(folder: folder.path) : try UnlinkedTempFile(unlinking: folder.path)

        let first = try file.append(Array("abc".utf8))
        let second = try file.append(Array("defg".utf8))

        #expect((first, second) == (0, 3))
        #expect(try file.size == 7)
        #expect(try file.read(offset: 2, count: 3) == Array("cde".utf8))
        #expect(try file.read(offset: 5, count: .max) == Array("fg".utf8))
        #expect(try file.read(offset: 7, count: 1).isEmpty)
        #expect(try file.read(offset: -1, count: 1).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        #expect(fcntl(file.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }

    @Test("takes a file that another program wrote, whose name goes; a link, a pipe or a folder in its place is refused and stays")
    func taken() throws {
        let folder = try TestFolder()
        let path = "\(folder.path)/copy"
        try Data("abc".utf8).write(to: URL(filePath: path))

        let file = try UnlinkedTempFile(taking: path)

        #expect(try file.read(offset: 0, count: 9) == Array("abc".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)

        try Data("secret".utf8).write(to: URL(filePath: "\(folder.path)/secret"))
        let makers: [(String) -> Int32] = [
            { symlink("\(folder.path)/secret", $0) }, { link("\(folder.path)/secret", $0) }, { mkfifo($0, 0o600) }, { mkdir($0, 0o700) },
        ]
        for (number, make) in makers.enumerated() {
            let place = "\(folder.path)/\(number)"
            try #require(make(place) == 0)
            #expect(throws: ZipError.self) { try UnlinkedTempFile(taking: place) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).contains("\(number)"))
        }
        #expect(throws: ZipError.self) { try UnlinkedTempFile(taking: "\(folder.path)/none") }
    }

    @Test("needs its folder")
    func missingFolder() {
        let error = #expect(throws: ZipError.self) { try UnlinkedTempFile(folder: "/nonexistent/folder") }

        guard case .file(ENOENT) = error else { return #expect(Bool(false)) }
    }

    @Test("a slice outside the file is short, never a trap", arguments: [(Int64(-5), Int64(3)), (10, 5), (.max, .max), (0, -1)])
    func slices(offset: Int64, length: Int64) throws {
        let folder = try TestFolder()
        let file = try UnlinkedTempFile(folder: folder.path)
        try file.append([1, 2, 3])
        let slice = TempFileSlice(file: file, offset: offset, length: length)

        try slice.open()

        #expect(try slice.read(max: 100).count <= 3)
        #expect(try slice.read(max: 100).isEmpty)
    }

    @Test("a timestamp keeps to what ZIP can hold")
    func timestamps() {
        let early = ZipTimestamp(year: -3, month: 0, day: 99, hour: 24, minute: -1, second: 60)
        let utc = ZipTimestamp(utc: Date(timeIntervalSince1970: 1_772_281_858))

        #expect(early == ZipTimestamp(year: 1980, month: 1, day: 31, hour: 23, minute: 0, second: 59))
        #expect(utc == ZipTimestamp(year: 2026, month: 2, day: 28, hour: 12, minute: 30, second: 58))
        #expect(ZipTimestamp(utc: .distantFuture) == ZipTimestamp(year: 2107, month: 1, day: 1, hour: 0, minute: 0, second: 0))
    }
}
