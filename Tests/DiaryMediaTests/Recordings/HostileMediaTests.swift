import DiaryCore
import FoundationEssentials
import TestSupport
import Testing

@testable import DiaryMedia

/// Every hostile recording is classified in time, and no bytes from outside its folder are decoded (D4, D5).
@Suite("Hostile media")
struct HostileMediaTests {
    private func process(_ job: JobFolder, _ name: String, _ contentType: String = "audio/mp4") async throws -> ProviderFailure? {
        try await HostileTrial(sandbox: await TestSandbox.shared()).run(job, name, contentType)
    }

    @Test("a good recording passes, also with a cover picture and hostile metadata")
    func good() async throws {
        let job = try JobFolder()
        try await ffmpeg(job, ["-f", "lavfi", "-t", "1", "-i", "color=red:s=64x64", "-frames:v", "1", "cover.png"])
        try await ffmpeg(
            job,
            [
                "-f", "lavfi", "-t", "2", "-i", "sine", "-i", "cover.png", "-map", "0", "-map", "1", "-c:a", "aac", "-c:v", "mjpeg",
                "-disposition:v", "attached_pic",
                "-metadata", "title=../../etc/passwd\u{1b}[31m", "cover.m4a",
            ])

        #expect(try await process(job, "cover.m4a") == nil)
    }

    @Test(
        "every content type has its own demuxer",
        arguments: [
            ("audio/mpeg", "mp3", "libmp3lame"), ("audio/wav", "wav", "pcm_s16le"), ("audio/ogg", "ogg", "libopus"),
            ("audio/webm; codecs=opus", "webm", "libopus"),
            ("audio/aac", "adts", "aac"), ("audio/flac", "flac", "flac"), ("audio/x-m4a", "ipod", "alac"),
        ])
    func formats(_ contentType: String, _ muxer: String, _ codec: String) async throws {
        let job = try JobFolder()
        try await ffmpeg(job, ["-f", "lavfi", "-t", "2", "-i", "sine=r=48000", "-c:a", codec, "-f", muxer, "tone"])

        #expect(try await process(job, "tone", contentType) == nil)
        let facts = try await FFmpegProbe(sandbox: await TestSandbox.shared()).inspect(
            "\(job.path)/tone", contentType: contentType, folder: job.path)
        #expect(abs(facts.durationSeconds - 2) < 0.3)
    }

    @Test("the length of a stream that states none, as browsers record it, is measured")
    func liveWebm() async throws {
        let job = try JobFolder()
        try await ffmpeg(job, ["-f", "lavfi", "-t", "3", "-i", "sine=r=48000", "-c:a", "libopus", "-live", "1", "-f", "webm", "live"])

        let facts = try await FFmpegProbe(sandbox: await TestSandbox.shared()).inspect(
            "\(job.path)/live", contentType: "audio/webm", folder: job.path)

        #expect(abs(facts.durationSeconds - 3) < 0.3)
    }

    private static let isLong = areCountsFull

    private static let contentTypes = [
        "audio/mp4", "audio/mpeg", "audio/wav", "audio/ogg", "audio/webm", "audio/aac", "audio/flac", "audio/x-caf", "audio/amr",
    ]
    private static let unreadableContents = [
        "", "hello, this is no recording", String(repeating: "\0", count: 5000),
        "#EXTM3U\n#EXTINF:10,\n/etc/passwd\n#EXT-X-ENDLIST\n", "#EXTM3U\n#EXTINF:10,\nhttp://127.0.0.1:9/canary-5f1e0c7a.ts\n",
        "ffconcat version 1.0\nfile /etc/passwd\n", "<?xml version=\"1.0\"?><MPD><BaseURL>file:///etc/passwd</BaseURL></MPD>",
        "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>",
        "v=0\no=- 0 0 IN IP4 127.0.0.1\nm=audio 9 RTP/AVP 0\n",
        "#!AMR\n", "\u{0}\u{0}\u{0}\u{18}ftypM4A \u{0}\u{0}\u{0}\u{0}M4A isom", "ID3\u{4}\u{0}\u{0}\u{7f}\u{7f}\u{7f}\u{7f}",
        "RIFF\u{4}\u{0}\u{0}\u{0}WAVE",
    ]

    /// Each content as MP4 and with every second content type, its own among them; all pairs with `DIARY_TIMES=1`.
    @Test(
        "text, nothing, zeros, playlists and other containers are unreadable for good",
        arguments: zip(unreadableContents.indices, unreadableContents))
    func unreadable(_ number: Int, _ content: String) async throws {
        let job = try JobFolder()
        try job.write(content, "a.m4a")

        for (index, contentType) in Self.contentTypes.enumerated()
        where Self.isLong || index == 0 || (index + number).isMultiple(of: 2) {
            let failure = try await process(job, "a.m4a", contentType)
            #expect(failure?.treatment == .permanent)
            // The last begin as a container does, mostly another one than the type names.
            let begins = Self.unreadableContents.count - 4
            #expect(failure?.code == .mediaUnreadable || number >= begins && failure?.code == .contentTypeMismatch)
        }
    }

    @Test("a content type we do not take is unsupported, and so is such a codec")
    func unsupported() async throws {
        let job = try JobFolder()
        try await ffmpeg(job, ["-f", "lavfi", "-t", "1", "-i", "sine", "-c:a", "ac3", "-f", "mp4", "ac3.m4a"])

        #expect(try await process(job, "ac3.m4a")?.code == .mediaUnsupported)
        #expect(try await process(job, "ac3.m4a", "application/x-mpegurl")?.code == .mediaUnsupported)
    }

    @Test("a picture without sound is unreadable")
    func noSound() async throws {
        let job = try JobFolder()
        try await ffmpeg(job, ["-f", "lavfi", "-t", "1", "-i", "testsrc=s=64x64", "-c:v", "mpeg4", "-f", "mp4", "video.m4a"])

        #expect(try await process(job, "video.m4a")?.code == .mediaUnreadable)
    }

    @Test("D5: an external data reference is not followed")
    func externalReference() async throws {
        let outside = try JobFolder()
        try outside.write(String(repeating: HostileTrial.canary + " ", count: 4000), "canary")
        let job = try JobFolder()
        try await ffmpeg(job, ["-f", "lavfi", "-t", "1", "-i", "sine=r=16000", "-c:a", "pcm_s16le", "-f", "mov", "plain.mov"])
        let hostile = try #require(ExternalReference.insert(into: job.read("plain.mov"), path: outside.path + "/canary"))
        try job.write(hostile, "dref.m4a")

        let control = ChildProcess(
            program: "ffmpeg",
            arguments: ["-loglevel", "quiet", "-nostdin", "-f", "mov", "-enable_drefs", "1", "-use_absolute_path", "1"]
                + ["-i", "\(job.path)/dref.m4a", "-f", "s16le", "\(job.path)/control"],
            folder: job.path, limits: ChildLimits(cpuSeconds: 10, wallSeconds: 300, addressSpace: 1 << 30, fileSize: 1 << 20))
        _ = try await control.run(in: Sandbox(isolation: .limitsOnly))

        let failure = try await process(job, "dref.m4a")

        // Without the options the canary is decoded.
        #expect(try job.read("control").holds(HostileTrial.canary))
        #expect(failure?.treatment != .retry)
    }

    @Test("a declared length of days refuses nothing; a true one over the limit does")
    func tooLong() async throws {
        let job = try JobFolder()
        try await ffmpeg(job, ["-f", "lavfi", "-t", "2", "-i", "sine", "-c:a", "aac", "short.m4a"])
        var bytes = try job.read("short.m4a")
        for box in ["mvhd", "mdhd", "tkhd"] {
            let start = try #require(MP4Boxes.offset(of: box, in: bytes))
            // Version 0: header and flags, two times, the time scale (in tkhd an id and a reserved word), the duration.
            let duration = start + (box == "tkhd" ? 28 : 24)
            bytes.replaceSubrange(duration..<duration + 4, with: [0x7F, 0xFF, 0xFF, 0xFF])
        }
        try job.write(bytes, "long.m4a")
        let strict = FFmpegProbe(sandbox: await TestSandbox.shared(), limits: RecordingLimits(duration: 1))

        let declared = try await FFmpegProbe(sandbox: await TestSandbox.shared()).inspect(
            "\(job.path)/long.m4a", contentType: "audio/mp4", folder: job.path)
        let real = await #expect(throws: ProviderFailure.self) {
            try await strict.inspect("\(job.path)/short.m4a", contentType: "audio/mp4", folder: job.path)
        }

        #expect(abs(declared.durationSeconds - 2) < 0.1 && declared.isMeasured)
        #expect(real == ProviderFailure(.permanent, code: .mediaTooLong, cause: "longer than the limit"))
    }

    @Test("the decoder stops at the limit whatever the container claims")
    func decoderLimit() async throws {
        let job = try JobFolder()
        let path = try job.write(Samples.walk(), "walk.m4a")
        let file = try #require(JobFile(path, in: job.path))

        let decoded = try await AudioDecoder(sandbox: await TestSandbox.shared(), limits: RecordingLimits(duration: 5))
            .decode(file, contentType: "audio/mp4", durationSeconds: 5)

        #expect(decoded.durationSeconds <= 5.01)
    }

    @Test("a truncated recording is read as far as it goes or refused", arguments: [40, 700, 5_000, 60_000, 180_000])
    func truncated(_ length: Int) async throws {
        let job = try JobFolder()
        try job.write(Array(Samples.walk().prefix(length)), "cut.m4a")

        let failure = try await process(job, "cut.m4a")

        #expect(failure == nil || failure?.treatment == .permanent)
    }

    /// The first 20 of 5,000, a fourth each; all with `DIARY_TIMES=1`, observed. They are the same in every run with one version of ffmpeg.
    @Test("D4: random mutations: each accepted or refused for good, none slow", .timeLimit(.minutes(120)))
    func mutations() async throws {
        let count = repetitions(full: 5_000, fast: 20)
        let batch = 250
        // Two at a time: each run of a program has one thread.
        try await withThrowingTaskGroup { group in
            for lane in 0..<2 {
                group.addTask {
                    for first in stride(from: lane * batch, to: count, by: 2 * batch) {
                        try await mutants(first, min(batch, count - first))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func mutants(_ first: Int, _ count: Int) async throws {
        let job = try JobFolder()
        let observed = try await areCountsFull ? ObservedSandbox() : nil
        let plain = await TestSandbox.shared()
        let trial = HostileTrial(sandbox: observed?.sandbox ?? plain, longest: areCountsFull ? 1000 : .infinity)
        let lines = try await MediaScript.run("mutated_media.py", [job.path, "\(first)", "\(count)"], in: job)
        #expect(lines.count == count)

        for words in lines {
            let (name, contentType) = (words[0], words[1])
            let failure = try await trial.run(job, name, contentType)
            #expect(failure == nil || failure?.treatment == .permanent, "\(name): \(failure?.description ?? "")")
            try observed?.expectConfined(name)
            try job.empty(keeping: Set(lines.map { $0[0] }).subtracting([name]))
        }
    }

    @Test("a path outside the job's folder is refused")
    func outside() async throws {
        let job = try JobFolder()
        let probe = FFmpegProbe(sandbox: Sandbox(isolation: .limitsOnly))

        for path in ["/etc/passwd", "\(job.path)/../x", "\(job.path)/a/b", job.path, "\(job.path)/..", "x.m4a"] {
            await #expect(throws: ProviderFailure.self) { try await probe.inspect(path, contentType: "audio/mp4", folder: job.path) }
        }
    }
}
