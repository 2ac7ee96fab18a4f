import DiaryCore
import FoundationEssentials
import Synchronization
import Testing

@testable import DiaryMedia

/// A recording of which each second (or more) says which it is: a beep whose pitch is its number.
struct Beeps {
    var seconds: Int
    /// From one beep to the next; each is 0.5 s long and begins 0.3 s after its time.
    var every = 1
    /// Beneath the beeps, without a stop.
    var hum = false

    var count: Int { seconds / every }
    func start(_ number: Int) -> Double { Double(number * every) + 0.3 }

    /// Pitches come again after 60.
    static let pitches = 60
    static func name(_ number: Int) -> String { "b\(number % pitches)" }

    func write(_ name: String, in folder: JobFolder, _ encoding: [String]) async throws {
        let number = "floor(t/\(every))"
        let beep = "0.5*sin(2*PI*(300+40*mod(\(number),\(Self.pitches)))*t)*between(mod(t,\(every)),0.3,0.8)"
        let sound = hum ? "\(beep)+0.15*sin(2*PI*150*t)" : beep
        try await ffmpeg(folder, ["-f", "lavfi", "-i", "aevalsrc='\(sound)':s=16000:d=\(seconds)"] + encoding + [name])
    }
}

/// Hears the beeps of a recording, and `torn` for one that is cut off.
struct BeepEngine: SpeechEngine {
    struct Asked: Sendable {
        var seconds: Double
        var contentType: String
        var bytes: Int
        /// Files in the job's folder.
        var names: [String]
    }

    let languages = SpeechLanguages.all
    let sandbox: Sandbox
    /// Fails these calls, counted from 0.
    var failing: Set<Int> = []
    /// The media type that it would send as a wav.
    var decoded: String?
    private let log = Log()

    private final class Log: Sendable {
        let calls = Mutex<[Asked]>([])
    }

    init(sandbox: Sandbox, failing: Set<Int> = [], decoded: String? = nil) {
        self.sandbox = sandbox
        self.failing = failing
        self.decoded = decoded
    }

    func sendsAsItIs(_ contentType: String) -> Bool { contentType != decoded }

    var asked: [Asked] { log.calls.withLock { $0 } }

    func transcribe(_ recording: VerifiedRecording, _ request: SpeechRequest) async throws(ProviderFailure) -> SpeechAnswer {
        guard let file = JobFile(recording.path, in: recording.folder) else {
            throw ProviderFailure(.permanent, code: .unexpected, cause: "no file")
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: recording.folder)) ?? []
        let call = log.calls.withLock { calls in
            calls.append(
                Asked(seconds: recording.durationSeconds, contentType: recording.contentType, bytes: file.size, names: names.sorted()))
            return calls.count - 1
        }
        if failing.contains(call) { throw ProviderFailure(.retry, code: .speechUnavailable, cause: "scripted") }
        let sound = try await AudioDecoder(sandbox: sandbox, limits: RecordingLimits())
            .decode(file, contentType: recording.contentType, durationSeconds: recording.durationSeconds)
        defer { sound.remove() }
        let samples = sound.samples(from: 0, to: recording.durationSeconds + 1)
        let words = Self.words(samples)
        let segments = words.isEmpty ? [] : [SpeechSegment(start: 0, end: recording.durationSeconds, words: words)]
        return SpeechAnswer(
            RawTranscript(language: "en", segments: segments), model: "beeps-1", use: EngineUse(audioSeconds: recording.durationSeconds))
    }

    private static func words(_ samples: [UInt8]) -> [TimedWord] {
        let levels = QuietMoment.levels(samples)
        // Beeps are at 8,200 or more, the hum at 3,500 or less.
        let threshold = 5_000.0
        var words: [TimedWord] = []
        var start: Int?
        for index in 0...levels.count {
            if index < levels.count, levels[index] > threshold {
                start = start ?? index
            } else if let first = start {
                start = nil
                let pitch = pitch(samples, frames: first + 3..<index - 3)
                let number = Int(((pitch - 300) / 40).rounded())
                let text = index - first < 20 || number < 0 ? "torn" : Beeps.name(number)
                words.append(TimedWord(text: text, start: Double(first) / 50, end: Double(index) / 50, confidence: 1))
            }
        }
        return words
    }

    /// Hertz, by the changes of sign.
    private static func pitch(_ samples: [UInt8], frames: Range<Int>) -> Double {
        guard frames.count > 5 else { return 0 }
        var (changes, wasBelow) = (0, false)
        for at in frames.lowerBound * QuietMoment.frame..<frames.upperBound * QuietMoment.frame {
            let isBelow = samples[2 * at + 1] >= 0x80
            if isBelow != wasBelow { changes += 1 }
            wasBelow = isBelow
        }
        return Double(changes) / 2 / (Double(frames.count) / 50)
    }
}

/// Keeps parts as the database would: as JSON.
final class MemoryParts: SpeechParts {
    private let stored = Mutex<[String: [Int: Data]]>([:])
    private let counted = Mutex<Int64>(0)

    /// Of all parts that were kept.
    var audioSeconds: Double { Double(counted.withLock { $0 }) / 1_000 }

    func kept(by engine: EngineReference) async throws(ProviderFailure) -> [SpeechPart] {
        let parts = stored.withLock { $0[engine.text] ?? [:] }
        return parts.values.compactMap { try? JSONDecoder().decode(SpeechPart.self, from: $0) }
    }

    func keep(_ part: SpeechPart, by engine: EngineReference, used: UsageAmount) async throws(ProviderFailure) {
        guard let bytes = try? JSONEncoder().encode(part) else {
            throw ProviderFailure(.permanent, code: .unexpected, cause: "the part does not encode")
        }
        stored.withLock { $0[engine.text, default: [:]][part.index] = bytes }
        counted.withLock { $0 += used.audioMilliseconds }
    }
}
