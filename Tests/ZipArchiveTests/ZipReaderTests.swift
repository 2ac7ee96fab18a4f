import Foundation
import Testing

@testable import ZipArchive

@Suite("Archives that are read")
struct ZipReaderTests {
    private func archive(_ members: [(String, [UInt8], ZipMember.Method)]) async throws -> UnlinkedTempFile {
        let file = try UnlinkedTempFile(folder: NSTemporaryDirectory())
        let writer = ZipWriter(file: file)
        for (path, bytes, method) in members {
            try writer.add(
                ZipMember(
                    path: path, modified: Date(timeIntervalSince1970: 1_780_000_000), method: method, length: Int64(bytes.count),
                    source: BytesSource(bytes)))
        }
        _ = try await writer.finish()
        return file
    }

    private func bytes(_ count: Int, _ seed: UInt8) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) &* 31 &+ seed } }

    private func whole(_ member: ZipMemberReader) throws -> [UInt8] {
        var all: [UInt8] = []
        while case let piece = try member.read(max: 10_000), !piece.isEmpty { all += piece }
        return all
    }

    @Test("members come back as they were written, several being read at once")
    func roundTrip() async throws {
        let members = [
            ("a/one.txt", bytes(300_000, 1), ZipMember.Method.deflated), ("b/two.bin", bytes(200_000, 2), .stored), ("empty", [], .stored),
        ]
        let file = try await archive(members)
        var entries: [ZipEntry] = []
        let reader = try ZipReader(file) { entries.append($0) }
        #expect(entries.map(\.path) == members.map(\.0) && entries.map(\.size) == members.map { Int64($0.1.count) })

        let one = try reader.open(entries[0])
        let two = try reader.open(entries[1])
        var (first, second): ([UInt8], [UInt8]) = ([], [])
        while first.count + second.count < 500_000 {
            first += try one.read(max: 7_001)
            second += try two.read(max: 3_333)
        }
        #expect(first == members[0].1 && second == members[1].1)
        #expect(try whole(try reader.open(entries[2])) == [])
    }

    @Test("limits hold before libzip sees the file")
    func limits() async throws {
        let file = try await archive([("a", bytes(1_000, 1), .stored), ("b", [UInt8](repeating: 0, count: 100_000), .deflated)])
        func refusal(_ change: (inout ZipReadLimits) -> Void) -> ZipReadError? {
            var limits = ZipReadLimits()
            change(&limits)
            do throws(ZipReadError) {
                _ = try ZipReader(file, limits: limits) { _ in }
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal { _ in } == nil)
        #expect(refusal { $0.members = 1 } == .tooManyMembers)
        #expect(refusal { $0.directoryBytes = 50 } == .tooManyMembers)
        #expect(refusal { $0.totalBytes = 100_999 } == .tooLarge)
        #expect(refusal { $0.totalBytes = 101_000 } == nil)
        #expect(refusal { ($0.ratio, $0.ratioFrom) = (100, 1_000) } == .suspiciousRatio)
    }

    @Test("a changed byte of a member is found at its end at the latest")
    func changed() async throws {
        let content = bytes(50_000, 3)
        for method in [ZipMember.Method.stored, .deflated] {
            let file = try await archive([("a", content, method)])
            let size = try file.size
            let copy = try UnlinkedTempFile(folder: NSTemporaryDirectory())
            var all = try file.read(offset: 0, count: Int(size))
            all[40] ^= 0x55
            try copy.append(all)
            var entries: [ZipEntry] = []
            let reader = try ZipReader(copy) { entries.append($0) }
            #expect(throws: ZipReadError.damagedMember) { _ = try whole(try reader.open(entries[0])) }
        }
    }

    @Test("an archive cut at any place is refused, and never read beyond its end")
    func cut() async throws {
        let file = try await archive([("a", bytes(200, 1), .deflated), ("b", bytes(10, 2), .stored)])
        let all = try file.read(offset: 0, count: Int(try file.size))
        for length in 0..<all.count {
            let copy = try UnlinkedTempFile(folder: NSTemporaryDirectory())
            try copy.append(Array(all.prefix(length)))
            #expect(throws: ZipReadError.self) { _ = try ZipReader(copy) { _ in } }
        }
    }

    @Test("whatever byte is changed, a member is as it was written or refused")
    func flipped() async throws {
        let content = bytes(300, 5)
        let file = try await archive([("a", content, .deflated), ("b", content, .stored)])
        let all = try file.read(offset: 0, count: Int(try file.size))
        for place in all.indices {
            var changed = all
            changed[place] ^= 0xFF
            let copy = try UnlinkedTempFile(folder: NSTemporaryDirectory())
            try copy.append(changed)
            var entries: [ZipEntry] = []
            guard let reader = try? ZipReader(copy, each: { entries.append($0) }) else { continue }
            for entry in entries where entry.kind == .file {
                guard let member = try? reader.open(entry), let read = try? whole(member) else { continue }
                #expect(read == content)
            }
        }
    }
}
