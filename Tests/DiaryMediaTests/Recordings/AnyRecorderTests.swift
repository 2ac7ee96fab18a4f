import DiaryCore
import FoundationEssentials
import TestSupport
import Testing

@testable import DiaryMedia

/// What recorders write, made by ffmpeg, is measured, drawn, and copied as AAC in MP4 where it is not that already.
@Suite("Recordings of any recorder")
struct AnyRecorderTests {
    struct Form: Sendable, CustomTestStringConvertible {
        var name: String
        var contentType: String
        /// Arguments of ffmpeg between its input and the file's name.
        var encoding: [String]
        var codec: String
        var isCopied = true

        var testDescription: String { name }
    }

    /// ffmpeg has no encoder of AMR, and Debian none either: `AMR` writes its frames.
    static let recorded = [
        Form(name: "m4a of a phone", contentType: "audio/mp4", encoding: ["-c:a", "aac", "-f", "ipod"], codec: "aac", isCopied: false),
        Form(
            name: "fragmented mp4 of a browser", contentType: "audio/mp4",
            encoding: ["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov+default_base_moof", "-frag_duration", "500000", "-f", "mp4"],
            codec: "aac"),
        Form(name: "Apple lossless in m4a", contentType: "audio/x-m4a", encoding: ["-c:a", "alac", "-f", "ipod"], codec: "alac"),
        Form(name: "mp4", contentType: "video/mp4", encoding: ["-c:a", "aac", "-f", "mp4"], codec: "aac"),
        Form(name: "mp3", contentType: "audio/mpeg", encoding: ["-c:a", "libmp3lame", "-f", "mp3"], codec: "mp3"),
        Form(name: "wav", contentType: "audio/wav", encoding: ["-c:a", "pcm_s24le", "-f", "wav"], codec: "pcm_s24le"),
        Form(name: "ogg with Opus", contentType: "audio/ogg; codecs=opus", encoding: ["-c:a", "libopus", "-f", "ogg"], codec: "opus"),
        Form(
            name: "webm with Opus and without a length", contentType: "audio/webm;codecs=opus",
            encoding: ["-c:a", "libopus", "-live", "1", "-f", "webm"], codec: "opus"),
        Form(name: "caf", contentType: "audio/x-caf", encoding: ["-c:a", "alac", "-f", "caf"], codec: "alac"),
        Form(name: "flac", contentType: "audio/flac", encoding: ["-c:a", "flac", "-f", "flac"], codec: "flac"),
        Form(name: "AAC in 3gp", contentType: "audio/3gpp", encoding: ["-c:a", "aac", "-f", "3gp"], codec: "aac"),
        Form(name: "AAC in ADTS", contentType: "audio/aac", encoding: ["-c:a", "aac", "-f", "adts"], codec: "aac"),
    ]

    private func render(
        _ job: JobFolder, _ name: String, _ contentType: String
    ) async throws -> (facts: MediaFacts, rendered: RenderedRecording) {
        let sandbox = await TestSandbox.shared()
        let path = "\(job.path)/\(name)"
        let facts = try await FFmpegProbe(sandbox: sandbox).inspect(path, contentType: contentType, folder: job.path)
        return (facts, try await FFmpegRenderer(sandbox: sandbox).render(path, contentType: contentType, facts: facts, folder: job.path))
    }

    @Test("each form has its exact length, and a copy that the service itself takes for an m4a of the same length", arguments: recorded)
    func forms(_ form: Form) async throws {
        let job = try JobFolder()
        try await ffmpeg(job, ["-f", "lavfi", "-t", "2", "-i", "sine=r=48000"] + form.encoding + ["made"])

        let (facts, rendered) = try await render(job, "made", form.contentType)

        #expect(facts.codec == form.codec)
        #expect(abs(rendered.durationSeconds - 2) < 0.05)
        #expect(rendered.waveform.peaks.filter { $0 > 20 }.count > 770, "a tone from its start to its end")
        #expect((rendered.copy != nil) == form.isCopied)
        if let copy = rendered.copy {
            let again = try await FFmpegProbe(sandbox: await TestSandbox.shared())
                .inspect(copy, contentType: "audio/mp4", folder: job.path)
            #expect(again.codec == "aac" && again.channels == 1 && again.sampleRate == 48_000)
            #expect(abs(again.durationSeconds - rendered.durationSeconds) < 0.05)
            #expect(!MP4Layout.isFragmented(copy))
            #expect(try Array(job.read("made.copy.m4a")[4..<12]) == Array("ftypM4A ".utf8))
        }
    }

    @Test(
        "AMR, alone and in 3gp, is measured by its frames and copied",
        arguments: [("audio/amr", AMR.narrow, "amr_nb", 8_000), ("audio/amr-wb", AMR.wide, "amr_wb", 16_000)])
    func amr(_ contentType: String, _ kind: AMR, _ codec: String, _ rate: Int) async throws {
        let job = try JobFolder()
        try job.write(kind.file(frames: 100), "voice")
        try await ffmpeg(job, ["-f", "amr", "-i", "voice", "-c", "copy", "-f", "3gp", "voice.3gp"])

        for (name, type) in [("voice", contentType), ("voice.3gp", "audio/3gpp")] {
            let (facts, rendered) = try await render(job, name, type)

            #expect(facts.codec == codec && facts.sampleRate == rate)
            #expect(abs(rendered.durationSeconds - 2) < 0.05)
            #expect(rendered.copy == "\(job.path)/\(name).copy.m4a")
        }
    }

    @Test("where the first bytes show another container than the type names, that one is read")
    func mismatch() async throws {
        let job = try JobFolder()
        try await ffmpeg(job, ["-f", "lavfi", "-t", "1", "-i", "sine=r=48000", "-c:a", "libopus", "-f", "webm", "made"])
        let probe = FFmpegProbe(sandbox: await TestSandbox.shared())

        for type in ["audio/ogg", "audio/mp4", "audio/x-caf", "audio/amr", "audio/3gpp", "audio/flac"] {
            let facts = try await probe.inspect("\(job.path)/made", contentType: type, folder: job.path)
            #expect(facts.contentType == "audio/webm" && facts.codec == "opus" && abs(facts.durationSeconds - 1) < 0.05, "\(type)")
        }
        try job.write([0x1A, 0x45, 0xDF, 0xA3] + Array(repeating: 0, count: 60), "cut")
        let failure = await #expect(throws: ProviderFailure.self) {
            try await probe.inspect("\(job.path)/cut", contentType: "audio/ogg", folder: job.path)
        }
        #expect(failure?.treatment == .permanent && failure?.code == .contentTypeMismatch)
    }

    @Test("of two channels at a high rate the copy has both, at a rate that every player plays; a film is left out")
    func stereo() async throws {
        let job = try JobFolder()
        try await ffmpeg(
            job,
            [
                "-f", "lavfi", "-t", "2", "-i", "sine=r=96000", "-f", "lavfi", "-t", "2", "-i", "testsrc=s=64x64", "-map", "0", "-map", "1",
                "-ac", "2", "-c:a", "alac", "-c:v", "mpeg4", "-f", "mp4", "film",
            ])

        let (_, rendered) = try await render(job, "film", "video/mp4")
        let copy = try #require(rendered.copy)
        let facts = try await FFmpegProbe(sandbox: await TestSandbox.shared()).inspect(copy, contentType: "audio/mp4", folder: job.path)

        #expect(facts.channels == 2 && facts.sampleRate == 48_000)
        #expect(try !job.read("film.copy.m4a").holds("vide"))
    }

    @Test("a hole in a browser's recording is as long in the copy")
    func hole() async throws {
        let job = try JobFolder()
        try await ffmpeg(
            job,
            [
                "-f", "lavfi", "-t", "2", "-i", "sine=r=48000", "-c:a", "libopus", "-bsf:a", "setts=ts=if(gt(N\\,50)\\,TS+10000\\,TS)",
                "-f",
                "webm", "held",
            ])

        let (_, rendered) = try await render(job, "held", "audio/webm")
        let copy = try #require(rendered.copy)
        let facts = try await FFmpegProbe(sandbox: await TestSandbox.shared()).inspect(copy, contentType: "audio/mp4", folder: job.path)

        #expect(abs(rendered.durationSeconds - 12) < 0.1)
        #expect(abs(facts.durationSeconds - rendered.durationSeconds) < 0.05)
        // A second of sound, ten of silence, a second of sound.
        let peaks = rendered.waveform.peaks
        #expect(peaks[..<60].allSatisfy { $0 > 20 } && peaks[80..<720].allSatisfy { $0 == 0 } && peaks[750...].contains { $0 > 20 })
    }

    @Test("two channels that follow one are no louder than they are")
    func laterChannels() async throws {
        let job = try JobFolder()
        for channels in ["0.6*sin(2512*t)", "0.6*sin(2512*t)|0.6*sin(2512*t)"] {
            try await ffmpeg(
                job, ["-f", "lavfi", "-t", "2", "-i", "aevalsrc=\(channels):s=16000", "-c:a", "aac", "-f", "adts", "\(channels.count)"])
        }
        _ = try job.write(try job.read("15") + job.read("31"), "joined")

        let peaks = try await render(job, "joined", "audio/aac").rendered.waveform.peaks

        let (one, two) = (peaks[100..<300].max() ?? 0, peaks[500..<700].max() ?? 0)
        #expect((130...180).contains(one) && (130...180).contains(two), "\(one), \(two)")
    }

    @Test("D4: a hole of hours ends within the limit on memory, and the recording is not refused as a fault of the service")
    func longHole() async throws {
        let job = try JobFolder()
        // A debug build draws the silence of ten thousand seconds for half a minute.
        let milliseconds = repetitions(full: 10_000_000, fast: 7_200_000)
        try await ffmpeg(
            job,
            [
                "-f", "lavfi", "-t", "2", "-i", "sine=r=48000", "-c:a", "libopus", "-b:a", "96k", "-bsf:a",
                "setts=ts=if(gt(N\\,50)\\,TS+\(milliseconds)\\,TS)", "-f", "webm", "held",
            ])
        do throws(ProviderFailure) {
            let sandbox = await TestSandbox.shared()
            let path = "\(job.path)/held"
            let facts = try await FFmpegProbe(sandbox: sandbox).inspect(path, contentType: "audio/webm", folder: job.path)
            let rendered = try await FFmpegRenderer(sandbox: sandbox).render(
                path, contentType: "audio/webm", facts: facts, folder: job.path)
            #expect(rendered.durationSeconds <= facts.durationSeconds + 1)
        } catch {
            #expect(error.treatment == .permanent)
        }
    }
}

/// Frames of AMR at its lowest rates (RFC 4867 section 5), with noise for their bits.
struct AMR: Sendable {
    var magic: String
    /// Bytes of a frame, with its header.
    var frame: Int

    static let narrow = AMR(magic: "#!AMR\n", frame: 13)
    static let wide = AMR(magic: "#!AMR-WB\n", frame: 18)

    /// Each frame is 20 ms.
    func file(frames: Int) -> [UInt8] {
        var random = SplitMix64(seed: 4867)
        var bytes = Array(magic.utf8)
        for _ in 0..<frames {
            // Mode 0, of good quality.
            bytes.append(0x04)
            for _ in 1..<frame { bytes.append(UInt8.random(in: 0...255, using: &random)) }
        }
        return bytes
    }
}
