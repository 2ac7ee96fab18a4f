import DiaryCore
import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import DiaryMedia

/// Recordings of the kinds of `Tests/blackbox/costly_media.py`: those whose outcome is named here, and all with `DIARY_TIMES=1`.
@Suite("Costly media", .serialized)
struct CostlyMediaTests {
    private struct Kind {
        var name: String
        var contentType: String
    }

    /// False lengths that the packets have, too: more than the bytes can hold.
    private static let tooFewBytes: Set = ["webm_jumps_by_hours", "flac_claims_hours"]
    /// False lengths that a header alone has: the packets say how long the recording is.
    private static let claims: Set = ["mp4_claims_hours", "ogg_claims_hours", "webm_claims_hours"]
    /// Lengths far below what decodes: such a one is measured, by its packets, before it is decoded.
    private static let tooMuchSound: Set = [
        "mp4_claims_a_second_over_an_hour", "mp4_a_million_samples_of_one_tick", "mp4_half_a_million_edits", "ogg_chain",
    ]

    /// Processor time of the children that have ended, in seconds: how much of a core they were given does not count. Those of another
    /// suite that runs beside this one count too.
    private func childSeconds() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + Double(microseconds) / 1_000_000
    }

    private func write(_ names: [String], to job: JobFolder) async throws -> [Kind] {
        try await MediaScript.run("costly_media.py", [job.path] + names, in: job).compactMap { words in
            words.count == 3 ? Kind(name: words[0], contentType: words[1]) : nil
        }
    }

    @Test("D4: each kind is accepted or refused for good within seconds of processor time", .timeLimit(.minutes(8)))
    func kinds() async throws {
        let job = try JobFolder()
        // Bubblewrap's first process does not wait for its second, whose time would be in no one's count.
        var sandbox = Sandbox(isolation: .limitsOnly)
        sandbox.patience = 20
        let named = Self.tooFewBytes.union(Self.claims).union(Self.tooMuchSound)
        let isLong = areCountsFull
        let kinds = try await write(isLong ? [] : named.sorted(), to: job)
        #expect(kinds.count >= (isLong ? 40 : named.count))
        #expect(named.isSubset(of: kinds.map(\.name)))

        for kind in kinds {
            let begin = childSeconds()
            var failure: ProviderFailure?
            var isProbed = false
            do throws(ProviderFailure) {
                let path = "\(job.path)/\(kind.name)"
                let facts = try await FFmpegProbe(sandbox: sandbox).inspect(path, contentType: kind.contentType, folder: job.path)
                isProbed = true
                // The honest hours of silence decode to hundreds of megabytes.
                if facts.durationSeconds < 1000, let file = JobFile(path, in: job.path) {
                    let decoded = try await AudioDecoder(sandbox: sandbox, limits: RecordingLimits())
                        .decode(file, contentType: kind.contentType, durationSeconds: facts.durationSeconds)
                    #expect(decoded.durationSeconds <= 2 * facts.durationSeconds + 60, "\(kind.name)")
                    _ = try await FFmpegRenderer(sandbox: sandbox).render(
                        path, contentType: kind.contentType, facts: facts, folder: job.path)
                }
            } catch {
                failure = error
            }

            #expect(failure == nil || failure?.treatment == .permanent, "\(kind.name): \(failure?.description ?? "")")
            #expect(childSeconds() - begin < 30, "\(kind.name)")
            #expect(!isProbed || !Self.tooFewBytes.contains(kind.name), "\(kind.name)")
            #expect(failure?.code == .mediaUnreadable || !Self.tooFewBytes.contains(kind.name), "\(kind.name)")
            #expect(isProbed || !Self.tooMuchSound.contains(kind.name), "\(kind.name)")
            #expect(failure == nil || !Self.claims.contains(kind.name), "\(kind.name)")
            try? FileManager.default.removeItem(atPath: "\(job.path)/\(kind.name).16k.wav")
        }
    }
}
