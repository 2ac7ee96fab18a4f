import DiaryCore
import FoundationEssentials
import Testing

@testable import DiaryMedia

@Suite("Command lines of ffprobe and ffmpeg")
struct FFmpegCommandTests {
    private static let types = AudioFormat.allCases.map(\.rawValue)

    /// Every command that the service runs for this file.
    private func commands(_ name: String, _ contentType: String, _ job: JobFolder, _ sandbox: Sandbox) throws -> [FFmpegCommand] {
        let file = try #require(JobFile("\(job.path)/\(name)", in: job.path))
        let decoded = try #require(JobFile("\(job.path)/\(name).wav", in: job.path))
        let source = SoundSource(file, try #require(MediaFormat(contentType: contentType)))
        return [
            .headers(source, in: sandbox), .firstPackets(source, in: sandbox),
            .packets(source, in: sandbox, atMost: 60),
            .decoding(source, to: decoded, in: sandbox, atMost: 60, bytes: 1 << 20),
            .rendering(source, measured: 1, copy: nil, in: sandbox, atMost: 60),
            .rendering(
                source, measured: 2,
                copy: (decoded, CopyFormat(MediaFacts(durationSeconds: 1, codec: "opus", channels: 2, sampleRate: 48_000))), in: sandbox,
                atMost: 60),
        ]
    }

    @Test(
        "D5: each names the demuxer, the protocol and the decoders before its input, and reads a bounded number of packets",
        arguments: types)
    func lists(_ contentType: String) throws {
        for command in try commands("a", contentType, JobFolder(), Sandbox(isolation: .namespaces)) {
            let input = try #require(command.arguments.firstIndex(of: "-i"))
            let options = Array(command.arguments[..<input])
            func value(_ option: String) -> String? {
                options.firstIndex(of: option).map { options[$0 + 1] }
            }
            let demuxer = try #require(value("-f"))

            #expect(command.arguments[input + 1] == "file:/job/a")
            #expect(value("-protocol_whitelist") == "file")
            #expect(value("-format_whitelist")?.split(separator: ",").contains(Substring(demuxer)) == true)
            #expect(value("-codec_whitelist") == MediaFormat.decoders)
            #expect(value("-max_streams") == "32" && value("-probesize") == "1048576" && value("-analyzeduration") == "5000000")
            #expect(demuxer != "mov" || value("-enable_drefs") == "0" && value("-use_absolute_path") == "0")
        }
    }

    @Test("D5: no other file of the service makes a command line of ffprobe or ffmpeg")
    func oneFile() throws {
        let sources = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
            .appending(component: "Sources").path()
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources).filter { $0.hasSuffix(".swift") }
        let makers = files.filter { name in
            guard let text = try? String(decoding: Samples.bytes("\(sources)/\(name)"), as: UTF8.self) else { return false }
            return text.contains(#"program: "ff"#) || text.contains("\"-protocol_whitelist\"")
        }

        #expect(makers.sorted() == ["DiaryMedia/Recordings/FFmpegCommand.swift", "DiaryMedia/Recordings/MediaFormat.swift"])
    }

    /// The lines of ffmpeg's trace, whatever the exit code.
    private func trace(_ arguments: [String], _ program: String, _ job: JobFolder, _ sandbox: Sandbox) async throws -> [Substring] {
        let traced = arguments.map { $0 == "quiet" ? "trace" : $0 }
        let child = ChildProcess(
            program: "sh", arguments: ["-c", #"exec "$@" 2>&1"#, "sh", program] + traced, folder: job.path,
            limits: ChildLimits(cpuSeconds: 20, wallSeconds: 300, addressSpace: 1 << 30, fileSize: 1 << 24))
        return String(decoding: try await child.run(in: sandbox).standardOutput, as: UTF8.self).split(separator: "\n")
    }

    /// Lines of a decoder that is not in the list, without those that refuse it.
    private func foreign(_ lines: [Substring], _ decoder: String) -> [Substring] {
        lines.filter { $0.hasPrefix("[\(decoder) @ ") && !$0.contains("not on whitelist") }
    }

    @Test("D5: no decoder opens but those of the list, and no other file", arguments: ["mpeg4", "mjpeg", "ac3"])
    func decoders(_ decoder: String) async throws {
        let job = try JobFolder()
        let sandbox = await TestSandbox.shared()
        let track =
            decoder == "ac3"
            ? ["-c:a", "ac3"]
            : ["-f", "lavfi", "-t", "1", "-i", "testsrc=s=64x64", "-map", "0", "-map", "1", "-c:a", "aac", "-c:v", decoder]
        try await ffmpeg(job, ["-f", "lavfi", "-t", "1", "-i", "sine"] + track + ["-f", "mp4", "tracks"])

        for command in try commands("tracks", "audio/mp4", job, sandbox) {
            let lines = try await trace(command.arguments, command.program, job, sandbox)
            #expect(lines.contains { $0.contains("Codec (\(decoder)) not on whitelist") })
            #expect(foreign(lines, decoder).isEmpty)
            let opened = lines.filter { $0.contains("Opening '") && $0.contains("for reading") }
            // The copy is read by the command that writes it, which moves its index to the beginning.
            let own = ["tracks", "tracks.wav"].map { "Opening 'file:\(sandbox.folder(job.path))/\($0)' for reading" }
            #expect(!opened.isEmpty && opened.allSatisfy { line in own.contains { line.contains($0) } }, "\(opened)")
        }
        // Without the list the decoder opens and says so.
        let file = "file:\(sandbox.folder(job.path))/tracks"
        let free = try await trace(["-loglevel", "trace", "-f", "mov", "-i", file, "-f", "null", "-"], "ffmpeg", job, sandbox)
        #expect(!foreign(free, decoder).isEmpty || free.contains { $0.contains("(\(decoder) (native)") })
    }

    @Test("a recording with a picture, chapters or a film beside its sound is accepted, and its length is measured")
    func otherTracks() async throws {
        let job = try JobFolder()
        try await ffmpeg(
            job,
            [
                "-f", "lavfi", "-t", "2", "-i", "sine", "-f", "lavfi", "-t", "2", "-i", "testsrc=s=64x64", "-map", "0", "-map", "1",
                "-c:a", "aac", "-c:v", "mpeg4", "-f", "mp4", "film",
            ])
        try job.write(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=one\n", "chapters")
        try await ffmpeg(
            job,
            [
                "-f", "lavfi", "-t", "2", "-i", "sine", "-f", "ffmetadata", "-i", "chapters", "-map", "0", "-map_metadata", "1", "-c:a",
                "aac",
                "-f", "mp4", "book",
            ])
        let probe = FFmpegProbe(sandbox: await TestSandbox.shared())

        for name in ["film", "book"] {
            let facts = try await probe.inspect("\(job.path)/\(name)", contentType: "audio/mp4", folder: job.path)
            #expect(facts.codec == "aac" && facts.channels == 1 && facts.sampleRate == 44_100 && abs(facts.durationSeconds - 2) < 0.1)
        }
    }
}
