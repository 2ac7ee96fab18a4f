import DiaryCore
import Foundation
import Testing

@testable import DiaryWorker

/// The tables of `Tests/Vectors/fidelity`, written by another author than the guard's.
@Suite("The guard of cleaned texts, on tables made apart from it") struct FidelityTableTests {
    private struct Table: Decodable {
        let language: String
        let honest, adversarial: [Row]
    }

    private struct Row: Decodable {
        let kind, raw, clean: String
    }

    private struct Verdict {
        let file: String
        let isHonest: Bool
        let row: Row
        let cleanup: Cleanup

        var isHeldOut: Bool { file.hasPrefix("held_out_") }
        var isMissed: Bool { (cleanup.state == .accepted) != isHonest }
    }

    private static func verdicts() throws -> [Verdict] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Vectors/fidelity")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
        return try files.flatMap { file in
            let table = try JSONDecoder().decode(Table.self, from: Data(contentsOf: file))
            return [(true, table.honest), (false, table.adversarial)].flatMap { isHonest, rows in
                rows.map { row in
                    Verdict(
                        file: file.lastPathComponent, isHonest: isHonest, row: row,
                        cleanup: FidelityGuard.judge(row.clean, of: row.raw, language: table.language))
                }
            }
        }
    }

    @Test("of 300 answers with a fault at least 99 % are rejected, of 300 honest ones at most 2 %, and the misses are printed")
    func tables() throws {
        let verdicts = try Self.verdicts()
        let honest = verdicts.filter(\.isHonest)
        let adversarial = verdicts.filter { !$0.isHonest }

        Self.report(verdicts)
        let passed = adversarial.count(where: \.isMissed)
        let refused = honest.count(where: \.isMissed)

        #expect(honest.count >= 300 && adversarial.count >= 300)
        for language in ["english", "german", "french", "spanish", "japanese"] {
            let own = verdicts.filter { $0.file.hasSuffix("_\(language).json") }
            #expect(own.count(where: \.isHonest) >= 40 && own.count { !$0.isHonest } >= 40, "\(language)")
        }
        #expect(passed * 100 <= adversarial.count, "accepted: \(passed) of \(adversarial.count)")
        #expect(refused * 50 <= honest.count, "rejected: \(refused) of \(honest.count)")
    }

    /// Of held-out rows the numbers only: who mends the guard by them no longer has any.
    private static func report(_ verdicts: [Verdict]) {
        print("part      answers      judged  missed")
        for isHeldOut in [false, true] {
            for isHonest in [true, false] {
                let part = verdicts.filter { $0.isHeldOut == isHeldOut && $0.isHonest == isHonest }
                let columns = [isHeldOut ? "held out" : "open", isHonest ? "honest" : "adversarial", "\(part.count)"]
                    .map { $0.padding(toLength: 11, withPad: " ", startingAt: 0) }
                print(columns.joined(separator: " "), part.count(where: \.isMissed))
            }
        }
        for one in verdicts where one.isMissed && !one.isHeldOut {
            print("\(one.file) \(one.isHonest ? "honest" : "adversarial") \(one.row.kind): \(one.cleanup.reason?.rawValue ?? "accepted")")
            print("    raw:   \(one.row.raw)")
            print("    clean: \(one.row.clean)")
        }
    }
}
