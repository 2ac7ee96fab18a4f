extension EngineSettings {
    /// Seconds that a program (`command`) has for each second of a recording, beside `timeoutSeconds`.
    package static let commandSecondsPerSecond = 2.0

    /// Seconds of one call. A program hears on this machine, at the pace of its processors, and by default the whole of any recording.
    /// - Parameter audioSeconds: of the recording, or of the part that is asked for.
    package func timeLimit(audioSeconds: Double) -> Double {
        guard kind == .command, audioSeconds.isFinite else { return Double(timeoutSeconds) }
        return Double(timeoutSeconds) + Self.commandSecondsPerSecond * max(0, audioSeconds)
    }
}
