import Testing

@testable import DiaryMedia

@Suite("The comments of framehash")
struct FramehashReportTests {
    private func report(_ layout: String, type: String = "audio") -> FFprobeReport.Stream? {
        FramehashReport.audio(
            Array(
                """
                #format: frame checksums
                #version: 2
                #software: Lavf59.27.100
                #tb 0: 1/44100
                #media_type 0: \(type)
                #codec_id 0: aac
                #sample_rate 0: 44100
                #channel_layout_name 0: \(layout)
                #stream#, dts, pts, duration, size, hash
                0, -1024, -1024, 1024, 258, 5f0b59f2

                """.utf8)
        ).first
    }

    @Test("codec, sample rate and channels are read")
    func facts() {
        #expect(report("mono")?.codec_name == "aac")
        #expect(report("mono")?.sample_rate == "44100")
        #expect(report("mono", type: "video") == nil)
        #expect(FramehashReport.audio([]).isEmpty && FramehashReport.audio([0xFF, 0x0A]).isEmpty)
    }

    @Test(
        "channels follow from the layout's name",
        arguments: [
            ("mono", 1), ("stereo", 2), ("2.1", 3), ("quad", 4), ("quad(side)", 4), ("5.1(side)", 6), ("7.1", 8), ("6.1(back)", 7),
            ("hexagonal", 6), ("cube", 8), ("3 channels (FL+FR+LFE)", 3), ("12 channels", 12), ("downmix", 2),
        ] as [(String, Int)])
    func channels(_ layout: String, _ count: Int) {
        #expect(report(layout)?.channels == count)
    }

    @Test("an unknown layout has no number", arguments: ["", "wide", "9223372036854775807.9223372036854775807.1x"])
    func unknown(_ layout: String) {
        #expect(report(layout)?.channels == nil)
    }
}
