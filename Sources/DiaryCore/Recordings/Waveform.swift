/// How loud a recording is: the loudest sample of each of `points` equal stretches, 255 for full scale.
package struct Waveform: Sendable, Equatable {
    package static let points = 800

    package let peaks: [UInt8]

    /// nil when there are not `points` of them.
    package init?(peaks: [UInt8]) {
        guard peaks.count == Self.points else { return nil }
        self.peaks = peaks
    }

    /// - Parameter peak: of a point, by its place from 0.
    package init(_ peak: (Int) -> UInt8) { peaks = (0..<Self.points).map(peak) }
}

/// A byte 1, then one byte a point.
extension Waveform: SealablePart {
    package var plainBytes: [UInt8] { [1] + peaks }

    package init?(plain: Span<UInt8>) {
        guard plain.count == Self.points + 1, plain[0] == 1 else { return nil }
        self.init { plain[$0 + 1] }
    }
}

extension Vault.Part {
    /// Row = the id of the recording's object: another recording of the same entry has another.
    package static let waveform = Vault.Part(name: "waveform", table: "entry_renditions")
}
