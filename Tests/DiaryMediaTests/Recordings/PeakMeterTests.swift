import DiaryCore
import Testing

@testable import DiaryMedia

@Suite("Waveforms")
struct PeakMeterTests {
    private func bytes(_ samples: [Int16]) -> [UInt8] {
        samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    @Test("silence is 0, full scale is 255, half of it is half, and the sign makes no difference")
    func scale() {
        for (sample, peak) in [(0 as Int16, 0 as UInt8), (.max, 255), (.min, 255), (16_384, 128), (-16_384, 128), (64, 0), (65, 1)] {
            var meter = PeakMeter()
            meter.add(bytes(Array(repeating: sample, count: 16_000)))
            #expect(meter.waveform(of: 16_000).peaks == Array(repeating: peak, count: 800), "\(sample)")
        }
    }

    @Test("a click stands at its place, in recordings of any length", arguments: [1, 7, 799, 800, 801, 12_800, 25_601, 100_003, 400_003])
    func places(_ count: Int) {
        for place in [0, count / 3, count - 1] {
            var samples = Array(repeating: 0 as Int16, count: count)
            samples[place] = .max
            var meter = PeakMeter()
            // In pieces of odd lengths, which cut samples.
            let all = bytes(samples)
            for start in stride(from: 0, to: all.count, by: 65_535) { meter.add(Array(all[start..<min(start + 65_535, all.count)])) }

            let peaks = meter.waveform(of: count).peaks
            let at = place * 800 / count
            #expect(meter.samples == count)
            #expect(peaks[at] == 255, "\(place) of \(count)")
            // One neighbour at most; a recording of fewer samples than points repeats them.
            #expect(peaks.filter { $0 > 0 }.count <= max(2, 800 / count + 1), "\(place) of \(count)")
        }
    }

    @Test("what comes after the recording's length is not drawn")
    func padding() {
        var meter = PeakMeter()
        meter.add(bytes(Array(repeating: 16_384, count: 80_000) + Array(repeating: 0, count: 40_000)))

        #expect(meter.waveform(of: 80_000).peaks == Array(repeating: 128, count: 800))
        #expect(meter.waveform(of: 120_000).peaks.filter { $0 == 0 }.count >= 265)
        #expect(meter.waveform(of: 1 << 40).peaks == meter.waveform(of: 120_000).peaks)
    }

    @Test("no samples make a flat line")
    func empty() { #expect(PeakMeter().waveform(of: 0).peaks == Array(repeating: 0, count: 800)) }
}
