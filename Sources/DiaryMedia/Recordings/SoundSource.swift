import DiaryCore

/// What of a file is its sound: the container it has, the track, and the recordings that were joined in it.
struct SoundSource: Sendable {
    let file: JobFile
    let format: MediaFormat
    /// Among the sound tracks, from 0.
    var track = 0
    /// Bytes of each recording; empty for a file that is one.
    var sections: [Range<Int>] = []
    var alignment = Alignment.start
    /// nil: the usual mix to as few channels as are wanted.
    var mix: ChannelMix?
    var channels = 1
    /// The length that a header states is wrong: everything up to the file's end is read.
    var ignoresLength = false

    /// How the times of packets are kept to. Each but the last puts silence into holes.
    enum Alignment: CaseIterable {
        /// The first packet may be later than 0.
        case start
        /// Where rate or channels change, ffmpeg would begin at 0 once more.
        case holes
        case none
    }

    init(_ file: JobFile, _ format: MediaFormat) {
        self.file = file
        self.format = format
    }

    /// Of one of the recordings that are joined.
    func section(_ range: Range<Int>) -> SoundSource {
        var source = self
        source.sections = [range]
        return source
    }

    /// For ffmpeg, one for each input.
    func urls(in sandbox: Sandbox) -> [String] {
        guard !sections.isEmpty else { return [file.url(in: sandbox)] }
        return sections.map { "subfile,,start,\($0.lowerBound),end,\($0.upperBound),,:\(file.path(in: sandbox))" }
    }
}
