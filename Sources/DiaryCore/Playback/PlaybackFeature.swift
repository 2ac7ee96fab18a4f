import DiaryCrypto

/// Recordings played by their owner.
package struct PlaybackFeature: Sendable {
    package let play: PlayRecording
    package let waveform: ReadWaveform

    init(_ ports: FeaturePorts) {
        play = PlayRecording(
            entries: ports.entries, objects: ports.objects, keys: ports.memberKeys, links: ports.links, publicURL: ports.publicURL,
            limits: ports.limits, clock: ports.clock)
        waveform = ReadWaveform(entries: ports.entries, keys: ports.memberKeys)
    }
}

extension DiaryFeatures {
    package var playback: PlaybackFeature { PlaybackFeature(ports) }
}

/// The waveform of a recording, for its owner.
package struct ReadWaveform: Sendable {
    package struct Drawn: Sendable {
        package var waveform: Waveform
        package var durationSeconds: Double
    }

    let entries: any EntryStore
    let keys: DataKeys

    package func run(_ id: EntryID, for member: Member) async throws(DiaryError) -> Drawn {
        guard let (entry, sealed) = try await entries.waveform(of: id, member) else { throw .notFound }
        let facts = entry.facts
        guard facts.audioRemovedAt == nil else { throw DiaryError(.audioRemoved) }
        guard !facts.isOnDevice else { throw DiaryError(.audioOnDevice) }
        guard facts.kind == .voice, let object = facts.object else { throw DiaryError(.notAVoiceEntry) }
        guard let sealed, let seconds = facts.durationSeconds else {
            // Made by the verification, which has ended without one in a version that made none.
            let isAhead = facts.status == .awaitingUpload || facts.status == .uploaded
            guard isAhead || facts.status == .failed && facts.processing?.stage == .verify else { throw DiaryError(.waveformUnavailable) }
            throw DiaryError(.audioNotReady, retryAfter: isAhead ? 2 : nil)
        }
        let vault = try await keys.vault(of: member)
        return Drawn(waveform: try vault.open(Waveform.self, sealed, as: .waveform, row: object), durationSeconds: seconds)
    }
}
