import DiaryTesting
import FoundationEssentials

@testable import DiaryCore

/// Transcripts to render.
enum Spoken {
    static let id = EntryID("019a2b6e-5c10-7d21-9a3e-0f5f6c1d2e3f") ?? EntryID(UUID())

    static func facts(kind: EntryKind = .voice, status: EntryStatus = .transcribed, zone: String = "Europe/Berlin") -> EntryFacts {
        EntryFacts(
            id: id, kind: kind, status: status, processing: nil, recordedAt: Stub.now, timeZone: zone, localTime: Stub.localTime,
            day: CalendarDay(Stub.localTime), createdAt: Stub.now, updatedAt: Stub.now, deletedAt: nil, durationSeconds: 12, sizeBytes: 10,
            contentType: "audio/mp4", sha256: nil, language: "en",
            object: kind == .voice ? id.uuid : nil, changeNumber: 1)
    }

    static func transcript(
        title: String? = nil, tags: [String] = [], zone: String = "Europe/Berlin", locale: String? = nil, _ segments: [SpeechSegment]? = nil
    ) -> Transcript {
        Transcript(
            entry: Entry(
                facts: facts(zone: zone), personal: PersonalPart(title: title, tags: tags),
                machine: MachinePart(raw: "um we swam", clean: "We swam."), version: 3),
            segments: segments, locale: locale)
    }

    /// One word each half second from `start`, with a short pause between two.
    static func segment(_ text: String, at start: Double = 0) -> SpeechSegment {
        let words = text.split(separator: " ").enumerated().map { index, word in
            TimedWord(text: String(word), start: start + Double(index) * 0.5, end: start + Double(index) * 0.5 + 0.4, confidence: 0.9)
        }
        return SpeechSegment(start: start, end: words.last?.end ?? start, words: words)
    }
}
