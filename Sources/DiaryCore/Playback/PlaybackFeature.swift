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
