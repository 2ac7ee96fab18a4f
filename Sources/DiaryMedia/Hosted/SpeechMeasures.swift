/// What servers write where they have measured nothing.
enum SpeechMeasures {
    /// Without the measures of a segment that has one outside its range, and without those that are the same round number in every segment.
    static func believable(_ segments: [HeardSegment]) -> [HeardSegment] {
        var segments = segments
        for index in segments.indices {
            let segment = segments[index]
            let isMeasured =
                (segment.logprob ?? 0) <= 0 && (0...1).contains(segment.noSpeech ?? 0) && (segment.compression ?? 0) >= 0
            if !isMeasured { (segments[index].logprob, segments[index].noSpeech, segments[index].compression) = (nil, nil, nil) }
        }
        if isPlaceholder(segments.map(\.logprob)) { for index in segments.indices { segments[index].logprob = nil } }
        if isPlaceholder(segments.map(\.noSpeech)) { for index in segments.indices { segments[index].noSpeech = nil } }
        return segments
    }

    /// Whisper's own measures are those of half a minute, so that several segments may have the same; not one as round as this.
    private static func isPlaceholder(_ values: [Double?]) -> Bool {
        guard values.count > 1, let first = values.first, let first, values.allSatisfy({ $0 == first }) else { return false }
        return (first * 100).rounded() == first * 100
    }
}
