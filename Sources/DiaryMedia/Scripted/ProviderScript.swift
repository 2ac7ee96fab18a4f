#if DIARY_FAILPOINTS
    import DiaryCore
    import FoundationEssentials
    import Synchronization
    import SystemPackage

    /// How a scripted provider behaves. The file is read at every call, so that a test can change it while the service runs.
    ///
    /// `{"delay_seconds": 0.5, "fail": "retry|permanent|configuration", "times": 3, "retry_after": 2, "calls_log": "/path",
    /// "says": "words that are heard", "answer": {"clean": "…", "title": "…", "summary": "…", "key_points": [], "tags": [], "mood": "…"},
    /// "silent": true}`,
    /// all optional. `times` limits the failures to the first calls, counted by the lines of the log if there is one (it survives the
    /// process) and in memory otherwise; without it every call fails. Each call appends one line to the log when it begins: the
    /// fingerprint of its input. `"segments": [{"text": "we swam", "speaker": "A", "confidence": 0.9}]` takes the place of what a recogniser would
    /// answer.
    struct ProviderScript: Sendable {
        /// What a recording says, for the recogniser.
        struct Segment: Decodable {
            var text: String
            var speaker: String?
            var confidence: Double?
        }

        private struct Content: Decodable {
            var delay_seconds: Double?
            var fail: String?
            var times: Int?
            var retry_after: Double?
            var calls_log: String?
            var says: String?
            var answer: Answer?
            var silent: Bool?
            var segments: [Segment]?
        }

        /// The answer of a cleaner; what is missing is as without a script.
        struct Answer: Decodable {
            var clean: String?
            var title: String?
            var summary: String?
            var key_points: [String]?
            var tags: [String]?
            var mood: String?
        }

        private final class Calls: Sendable {
            let count = Mutex(0)
        }

        let path: String?
        private let calls = Calls()

        init(folder: String?, name: String) {
            path = folder.map { "\($0)/\(name)" }
        }

        /// What is heard in every recording.
        var says: String? { (try? read())?.says }
        var answer: Answer? { (try? read())?.answer }
        /// nil where the file names none.
        var segments: [Segment]? { (try? read())?.segments }

        private func read() throws -> Content? {
            guard let path, let bytes = FileManager.default.contents(atPath: path) else { return nil }
            return try JSONDecoder().decode(Content.self, from: bytes)
        }

        /// Waits, fails or does nothing, as the file says. Without the file it does nothing.
        /// - Returns: whether nothing is to be heard.
        @discardableResult
        func perform(fingerprint: String, code: ProcessingCode) async throws(ProviderFailure) -> Bool {
            let content: Content
            do {
                guard let read = try read() else { return false }
                content = read
            } catch {
                throw ProviderFailure(.configuration, code: code, cause: "the script does not parse")
            }
            let earlier = calls.count.withLock { count in
                let logged = content.calls_log.map { log in
                    let lines = FileManager.default.contents(atPath: log)?.count { $0 == 0x0A } ?? 0
                    append("\(fingerprint)\n", to: log)
                    return lines
                }
                count += 1
                return logged ?? count - 1
            }
            if let delay = content.delay_seconds, delay > 0, delay.isFinite {
                do {
                    try await Task.sleep(for: .seconds(min(delay, 3600)))
                } catch {
                    throw ProviderFailure(.retry, code: .unexpected, cause: "cancelled")
                }
            }
            if let fail = content.fail, earlier < content.times ?? .max {
                let treatment = ProviderFailure.Treatment(rawValue: fail) ?? .configuration
                throw ProviderFailure(treatment, code: code, retryAfter: content.retry_after, cause: "scripted")
            }
            return content.silent ?? false
        }

        private func append(_ line: String, to path: String) {
            guard
                let file = try? FileDescriptor.open(FilePath(path), .writeOnly, options: [.append, .create], permissions: .ownerReadWrite)
            else { return }
            _ = try? file.closeAfter { try file.writeAll(line.utf8) }
        }
    }

    /// FNV-1a, 64 bits: distinguishes recordings in tests. Not for security.
    enum Fingerprint {
        static func of(_ bytes: some Sequence<UInt8>) -> String {
            let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
            let digits = String(hash, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }

        static func ofFile(_ path: String) -> String? {
            FileManager.default.contents(atPath: path).map { of($0) }
        }
    }
#endif
