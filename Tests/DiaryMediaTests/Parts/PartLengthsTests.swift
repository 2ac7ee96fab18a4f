import DiaryCore
import Testing

@testable import DiaryMedia

@Suite("Where recordings are cut")
struct PartLengthsTests {
    private func made(bytes: Int? = nil, seconds: Int? = nil) -> PartLengths? {
        PartLengths(EngineSettings(name: "a", stage: .speech, kind: .command, maxBytes: bytes, maxSeconds: seconds))
    }

    @Test("OpenAI's limits hold unless an operator names others; other kinds have none")
    func defaults() {
        let openai = EngineSettings(name: "a", stage: .speech, kind: .openai)
        #expect(openai.maxBytes == 26_214_400 && openai.maxSeconds == 1_400)
        #expect(EngineSettings(name: "a", stage: .text, kind: .openai).maxSeconds == nil)
        #expect(EngineSettings(name: "a", stage: .speech, kind: .openai, maxSeconds: 60).maxSeconds == 60)
        #expect(made() == nil)
        #expect(PartLengths(openai)?.longest == 1_400)
    }

    @Test("25 MiB hold more than two hours of encoded speech; absurd limits leave parts of five seconds")
    func bySize() throws {
        #expect(try #require(made(bytes: 26_214_400)).longest > 8_400)
        #expect(try #require(made(bytes: 1)).longest == 5)
        #expect(try #require(made(bytes: -7, seconds: 0)).longest == 5)
    }

    @Test(
        "each window lies inside the part's limit and ahead of its start, and no last part is a rest of some seconds",
        arguments: [20, 60, 1_400])
    func windows(limit: Int) throws {
        let lengths = try #require(made(seconds: limit))
        for total in stride(from: Double(limit) * 0.5, through: Double(limit) * 9, by: Double(limit) * 0.13) {
            for lies in [0.0, 0.5, 1] {
                var (start, parts) = (0.0, 0)
                while let window = lengths.window(from: start, of: total) {
                    #expect(window.lowerBound > start && window.upperBound <= start + Double(limit) + 0.001)
                    let end = window.lowerBound + lies * (window.upperBound - window.lowerBound)
                    #expect(end - lengths.overlap > start)
                    start = end
                    parts += 1
                    try #require(parts < 40)
                }
                #expect(total - start <= Double(limit))
                if parts > 0 { #expect(total - start > Double(limit) * 0.25) }
            }
        }
    }

    /// 20 ms each.
    private func levels(_ runs: [(level: Double, frames: Int)]) -> [Double] {
        runs.flatMap { Array(repeating: $0.level, count: $0.frames) }
    }

    @Test("the longest pause is found before a quiet and a noisy background, and a stop within a word is none")
    func pauses() throws {
        for background in [0.0, 20, 400] {
            let speech = levels([
                (3_000, 200), (background, 20), (2_500, 150), (background, 40), (3_500, 100), (background, 10), (3_000, 80),
            ])
            let at = try #require(QuietMoment.find(levels: speech))
            #expect(abs(at - 390 * 0.02) < 0.01, "in the middle of the longer one")
        }
        #expect(QuietMoment.find(levels: levels([(3_000, 300), (30, 14), (3_000, 300)])) == nil)
    }

    @Test("a hum or music without a stop has no pause; silence is one")
    func noPause() {
        #expect(QuietMoment.find(levels: levels([(900, 500)])) == nil)
        #expect(QuietMoment.find(levels: []) == nil)
        #expect(QuietMoment.find(levels: levels([(0, 100)])) == 1)
        #expect(QuietMoment.find([]) == nil)
    }

    @Test("levels are the root mean square of 20 ms of samples; an odd byte at the end is left out")
    func rootMeanSquare() {
        let sample: [UInt8] = [0xE8, 0x03, 0x18, 0xFC]  // 1000, -1000
        let samples = Array(repeating: sample, count: 320).flatMap { $0 }

        #expect(QuietMoment.levels(samples + [1]) == [1_000, 1_000])
    }
}
