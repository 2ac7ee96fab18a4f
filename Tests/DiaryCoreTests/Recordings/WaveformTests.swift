import DiaryTesting
import FoundationEssentials
import Testing

@testable import DiaryCore

@Suite("Waveforms and copies") struct WaveformTests {
    /// One entry, with what was made of its recording.
    private func entry(
        _ status: EntryStatus, failedAt stage: JobKind? = nil, copy: PlayableCopy? = nil, removedAt: Date? = nil
    ) -> StoredRecording {
        let processing = stage.map { Processing(stage: $0, attempt: 1, nextAttemptAt: nil, code: .mediaUnreadable) }
        let facts = EntryFacts(
            id: Stub.recording.facts.id, kind: .voice, status: status, processing: processing, recordedAt: Stub.now, timeZone: "UTC",
            localTime: Stub.localTime, day: CalendarDay(Stub.localTime), createdAt: Stub.now, updatedAt: Stub.now, deletedAt: nil,
            durationSeconds: 12.5, sizeBytes: 10, contentType: "audio/webm", sha256: [1], language: nil,
            object: Stub.recording.facts.object, changeNumber: 1, audioRemovedAt: removedAt)
        return StoredRecording(entry: StoredEntry(facts: facts, personal: nil, machine: nil), copy: copy)
    }

    @Test("what is stored is a version and 800 bytes, and nothing else opens")
    func stored() throws {
        let waveform = Waveform { UInt8($0 % 256) }
        let bytes = waveform.plainBytes

        #expect(bytes.count == 801 && bytes[0] == 1 && bytes[1...] == waveform.peaks[...])
        #expect(Waveform(plain: bytes.span) == waveform)
        for damaged in [[], [1], bytes.dropLast(), bytes + [0], [2] + bytes.dropFirst()] as [[UInt8]] {
            #expect(Waveform(plain: damaged.span) == nil)
        }
    }

    @Test("the copy plays and is named as what it is; the original keeps its name, and is nil where it is not kept")
    func playable() throws {
        let copy = PlayableCopy(object: UUID(), sizeBytes: 5, sha256: [2], isOriginalKept: true)
        let both = entry(.transcribed, copy: copy)
        var alone = copy
        alone.isOriginalKept = false

        #expect(both.playable?.object == copy.object && both.playable?.sizeBytes == 5 && both.playable?.sha256 == [2])
        #expect(both.playable?.filename == "\(both.entry.facts.stem).m4a" && both.original?.filename == "\(both.entry.facts.stem).webm")
        #expect(both.original?.object == both.entry.facts.object && both.original?.sizeBytes == 10)
        #expect(entry(.transcribed).playable == entry(.transcribed).original)
        #expect(entry(.transcribed, copy: alone).original == nil && entry(.transcribed, copy: alone).playable == both.playable)
    }

    @Test("of a removed recording neither copy nor original nor waveform is served, also before its objects are deleted")
    func removed() async throws {
        let copy = PlayableCopy(object: UUID(), sizeBytes: 5, sha256: [2], isOriginalKept: true)
        let removed = entry(.transcribed, copy: copy, removedAt: Stub.now)
        var ports = try FeaturePorts.stub()
        ports.entries = OneEntryStore(removed.entry, copy: removed.copy)
        let playback = PlaybackFeature(ports)

        for original in [false, true] {
            let error = await #expect(throws: DiaryError.self) {
                try await playback.play.link(removed.entry.facts.id, original: original, for: TestTokens.member)
            }
            #expect(error?.code == .audioRemoved)
        }
        let error = await #expect(throws: DiaryError.self) {
            try await playback.waveform.run(removed.entry.facts.id, for: TestTokens.member)
        }
        #expect(error?.code == .audioRemoved)
    }

    @Test("every type that is accepted has a demuxer's container and an ending of its own kind")
    func types() {
        #expect(AudioFormat(contentType: "Audio/WebM; codecs=opus") == .webm)
        #expect(AudioFormat(contentType: "video/mp4;codecs=mp4a.40.2") == .mp4)
        #expect(AudioFormat(contentType: "audio/amr-wb+") == nil && AudioFormat(contentType: "application/vnd.apple.mpegurl") == nil)
        #expect(AudioFormat(contentType: "audio/caf")?.container == .caf && AudioFormat(contentType: "audio/x-aac")?.container == .adts)
        for format in AudioFormat.allCases {
            let first = AudioFormat.allCases.first { $0.fileExtension == format.fileExtension }
            #expect(first?.container == format.container, "\(format.rawValue): what its file is served as")
        }
        #expect(AudioFormat.allCases.filter(\.isPlayable).allSatisfy { $0.container == .mp4 && $0.fileExtension == "m4a" })
    }
}
