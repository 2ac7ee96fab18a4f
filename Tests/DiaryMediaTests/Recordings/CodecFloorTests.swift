import Testing

@testable import DiaryMedia

@Suite("The fewest bytes of a codec")
struct CodecFloorTests {
    private static let codecs = ["opus", "aac", "mp3", "vorbis", "flac", "alac", "pcm_s16le", "pcm_alaw", "pcm_f64le"]

    @Test("D4: hours do not fit into a kilobyte", arguments: codecs)
    func hours(_ codec: String) {
        #expect(!CodecFloor.holds(1024, seconds: 4 * 3600, codec: codec, sampleRate: 44_100, channels: 1))
    }

    @Test(
        "silence as encoders write it fits",
        arguments: [
            // Bytes of four hours: Opus DTX (two bytes in 400 ms), HE-AAC (four bytes a block), MP3 at 8 kbit/s, FLAC (14 bytes a block).
            ("opus", 72_000, 48_000), ("aac", 1_240_000, 44_100), ("mp3", 14_400_000, 8_000), ("flac", 2_170_000, 44_100),
            ("vorbis", 250_000, 44_100), ("alac", 1_000_000, 44_100), ("pcm_s16le", 460_800_000, 16_000), ("pcm_mulaw", 115_200_000, 8_000),
        ])
    func silence(_ codec: String, _ bytes: Int, _ sampleRate: Int) {
        #expect(CodecFloor.holds(bytes, seconds: 4 * 3600, codec: codec, sampleRate: sampleRate, channels: 1))
    }

    @Test("PCM counts its channels and bits")
    func pcm() {
        for (codec, bytes) in [("pcm_u8", 1), ("pcm_alaw", 1), ("pcm_s16be", 2), ("pcm_s24le", 3), ("pcm_f32le", 4), ("pcm_f64le", 8)] {
            let second = 48_000 * 2 * bytes
            #expect(CodecFloor.holds(second, seconds: 5, codec: codec, sampleRate: 48_000, channels: 2))
            #expect(!CodecFloor.holds(second, seconds: 5.1, codec: codec, sampleRate: 48_000, channels: 2))
        }
    }
}
