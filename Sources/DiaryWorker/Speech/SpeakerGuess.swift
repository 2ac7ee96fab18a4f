import DiaryCore

/// Speakers where an engine tells none apart, for apps that ask for it (`speech.guess_speakers`): two by turns, who change at pauses. Each
/// segment is marked as a guess. Without a pause nobody is told apart.
enum SpeakerGuess {
    /// Seconds without words, after which the other one is taken to speak.
    static let pause = 0.8
    /// As engines call the first two.
    private static let labels = ["A", "B"]

    static func apply(_ transcript: RawTranscript) -> RawTranscript {
        guard transcript.segments.allSatisfy({ $0.speaker == nil }) else { return transcript }
        var guessed = transcript
        var turns = 0
        var silentSince = Double.infinity
        for index in guessed.segments.indices where !guessed.segments[index].words.isEmpty {
            let segment = guessed.segments[index]
            if segment.start - silentSince >= pause { turns += 1 }
            silentSince = silentSince.isFinite ? max(silentSince, segment.end) : segment.end
            guessed.segments[index].speaker = labels[turns % labels.count]
            guessed.segments[index].marks = (segment.marks ?? []) + [SpeechMark.guessedSpeaker.rawValue]
        }
        return turns == 0 ? transcript : guessed
    }
}
