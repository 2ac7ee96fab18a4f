import DiaryCore
import Foundation
import TestSupport
import Testing

@testable import DiaryWorker

@Suite("The guard of cleaned texts") struct FidelityGuardTests {
    private struct Case: CustomStringConvertible {
        let isHonest: Bool
        let language, raw, clean, reason: String

        init?(_ line: Substring) {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0.replacing("\\n", with: "\n")) }
            guard fields.count >= 4, fields[0] == "honest" || fields[0] == "adversarial" else { return nil }
            isHonest = fields[0] == "honest"
            language = fields[1]
            raw = fields[2]
            clean = fields[3]
            reason = fields.count > 4 ? fields[4] : ""
        }

        var verdict: Cleanup { FidelityGuard.judge(clean, of: raw, language: language) }
        var description: String { "\(language): \(raw) -> \(clean)" }
    }

    private static func cases() throws -> [Case] {
        let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "fidelity-cases.tsv")
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").compactMap(Case.init)
    }

    @Test("of texts that say something else at least 99 % are rejected, for the reason that is named")
    func adversarial() throws {
        let cases = try Self.cases().filter { !$0.isHonest }

        let missed = cases.filter { $0.verdict.state == .accepted }

        #expect(cases.count >= 80)
        #expect(missed.count * 100 <= cases.count, "\(missed)")
        for one in cases where !one.reason.isEmpty { #expect(one.verdict.reason?.rawValue == one.reason, "\(one)") }
    }

    @Test("of readings of the raw text at most 2 % are rejected")
    func honest() throws {
        let cases = try Self.cases().filter(\.isHonest)

        let refused = cases.filter { $0.verdict.state == .rejected }

        #expect(cases.count >= 80)
        #expect(refused.count * 50 <= cases.count, "\(refused)")
    }

    @Test("every honest text is rejected once it has a new word, a new name or another number, is cut in half or said twice")
    func changed() throws {
        let additions = [
            "en": ("secretly", "Berlin"), "de": ("plötzlich", "Sophie"), "fr": ("soudain", "Tokyo"), "es": ("dinero", "Luis"),
            "it": ("soldi", "Luca"),
        ]
        for one in try Self.cases() where one.isHonest {
            guard let (word, name) = additions[one.language] else { continue }
            let words = one.clean.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            let middle = words.count / 2
            var changed = [word, name].map { (words[..<middle] + [$0] + words[middle...]).joined(separator: " ") }
            changed.append(one.clean + " " + one.clean)
            if words.count > 14 { changed.append(words[..<middle].joined(separator: " ")) }
            if let place = words.firstIndex(where: { $0.contains(where: \.isNumber) }) {
                changed.append((words[..<place] + [words[place] + "7"] + words[(place + 1)...]).joined(separator: " "))
            }
            for text in changed {
                #expect(FidelityGuard.judge(text, of: one.raw, language: one.language).state == .rejected, "\(one) as \(text)")
            }
        }
    }

    @Test("a text equals itself in every script, with a score of 1")
    func same() {
        for text in [
            "we swam", "Wir schwammen, ja.", "今日は雨です", "我今天去了超市", "วันนี้ผมไปตลาด", "오늘 학교에 갔어요", "मैं बाज़ार गया", "ذهبت إلى السوق", "🙂", "…", "23",
            "um",
        ] {
            #expect(FidelityGuard.judge(text, of: text, language: "und") == Cleanup(thousandths: 1_000), "\(text)")
        }
    }

    @Test("the score falls with what is lost and is told for accepted texts too")
    func score() {
        let raw = "we went to the lake and swam for a while and then we drove home to the village in the hills"
        let all = FidelityGuard.judge(
            "We went to the lake and swam for a while and then we drove home to the village in the hills.", of: raw, language: "en")
        let less = FidelityGuard.judge(
            "We went to the lake and swam for a while, then drove home to the village in the hills.", of: raw, language: "en")
        let none = FidelityGuard.judge("Completely different words were written here instead of everything.", of: raw, language: "en")

        #expect(all.score == 1 && all.reason == nil)
        #expect(less.score < 1 && less.score > 0.8 && less.reason == nil)
        #expect(none.score < 0.2 && none.reason != nil)
    }

    @Test("a passage that is longer than the window is found new, or lost, and what follows it is compared")
    func passages() {
        let raw = (0..<700).map { "w\($0 % 37)x\($0)" }
        func judge(_ clean: [String], _ raw: [String]) -> Cleanup {
            FidelityGuard.judge(clean.joined(separator: " "), of: raw.joined(separator: " "), language: "und")
        }

        #expect(judge(raw, raw) == Cleanup(thousandths: 1_000))
        #expect(judge(Array(raw[..<200] + raw[500...]), raw).reason != nil)
        #expect(judge(raw, Array(raw[..<200] + raw[500...])).reason != nil)
        #expect(judge(Array(raw[..<600] + raw[601...]), raw).score > 0.99)
    }

    @Test("the same word for an hour may be said once")
    func loop() {
        let raw = Array(repeating: "thank you", count: 1_000).joined(separator: " ")
        #expect(FidelityGuard.judge("Thank you.", of: raw, language: "en").state == .accepted)
        #expect(FidelityGuard.judge("Thank you very much.", of: raw, language: "en").state == .rejected)
    }

    @Test("random texts are judged without a trap, and a score lies between 0 and 1")
    func wild() {
        var random = SplitMix64(seed: 11)
        let parts = [
            "half past", "twenty", "3", ":", ".", "30", "million", "and a half", "万", "十", "百五", "ยี่สิบ", "ู", "'", "'s", "$", "½", "-",
            "&amp;", "e\u{301}", "İ", "ß", "y cuarto",
            "menos cuarto", "oh", "quatre vingt", "999999999999", "hundred", "thousand", "\u{200B}", "👩‍👩‍👧", "\n\n", "not", "n't",
            "zweiundzwanzigtausend", "no wait", "i", "i mean", " ", ",",
        ]
        func text() -> String {
            (0..<Int.random(in: 0...24, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
                .joined(separator: Bool.random(using: &random) ? " " : "")
        }
        for round in 0..<600 {
            let language = ["en", "de", "fr", "es", "it", "zh", "th", "und", ""][round % 9]
            let (raw, clean) = (text(), text())
            #expect((0...1).contains(FidelityGuard.judge(clean, of: raw, language: language).score))
        }
    }
}
