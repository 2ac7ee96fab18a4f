import DiaryCrypto
import DiaryTesting
import Foundation
import TestSupport
import Testing

@testable import DiaryCore
@testable import DiaryWorker

@Suite("Bundles", .timeLimit(.minutes(1))) struct ExportBundlerTests {
    @Test("a bundle without its recording has the rest, and says why", arguments: ["missing", "damaged"])
    func gaps(reason: String) async throws {
        let person = try await Person()
        let (objects, object) = (MemoryObjects(sealedBy: person.vault.key), UUID())
        let audio = SecureRandom.bytes(1_000)
        let key = person.key(.audio, object)
        objects[key] = audio
        if reason == "missing" { objects.bytes[key] = nil } else { objects.bytes[key]?[0] ^= 1 }
        let facts = EntryFacts.make(sha256: SHA256.digest(audio), object: object)
        let entry = try person.vault.entry(facts, PersonalPart(title: "Walk"), MachinePart(raw: "By the river"))
        let bundler = ExportBundler(objects: objects.store, publicURL: "https://diary.example", clock: .system, logger: .quiet)

        let bundle = try await bundler.bundle(
            WholeEntry(stored: StoredExportEntry(entry: entry), timeZone: "Europe/Berlin", locale: nil), in: nil, with: person.vault)
        var bytes: [UInt8] = []
        while let piece = try await bundle.body.next() { bytes += piece }

        let zip = try await ExportTests.read(bytes)
        let lines = try #require(try ExportTests.manifest(of: zip)["entries"] as? [[String: Any]])
        #expect(lines.map(ExportTests.missingAudio) == [reason] && Int64(bytes.count) == bundle.sizeBytes)
        #expect(zip.names.contains { $0.hasPrefix("text/") } && !zip.names.contains { $0.hasPrefix("audio/") })
    }
}
