import DiaryCore
import Testing

@testable import DiaryMedia

/// A recording through the probe, the renderer and the decoder, as the worker's jobs take it, with what holds whatever it is (D4, D5).
struct HostileTrial {
    /// Of files outside the job's folder.
    static let canary = "canary-5f1e0c7a"

    var sandbox: Sandbox
    var limits = RecordingLimits()
    /// Seconds: a longer recording is not decoded, because honest hours take their time.
    var longest = Double.infinity

    /// - Returns: nil when the recording was accepted.
    func run(_ job: JobFolder, _ name: String, _ contentType: String = "audio/mp4") async throws -> ProviderFailure? {
        let begin = ContinuousClock.now
        var result: ProviderFailure?
        do throws(ProviderFailure) {
            try await take(job, "\(job.path)/\(name)", contentType)
        } catch {
            result = error
            #expect(!error.description.contains("canary"), "\(name)")
        }
        #expect(ContinuousClock.now - begin < .seconds(30), "\(name)")
        #expect(job.size < 600 << 20, "\(name)")
        return result
    }

    private func take(_ job: JobFolder, _ path: String, _ contentType: String) async throws(ProviderFailure) {
        let facts = try await FFmpegProbe(sandbox: sandbox, limits: limits).inspect(path, contentType: contentType, folder: job.path)
        guard let file = JobFile(path, in: job.path) else { throw ProviderFailure(.permanent, code: .unexpected, cause: "no file") }
        guard facts.durationSeconds < longest else { return }
        let rendered = try await FFmpegRenderer(sandbox: sandbox, limits: limits).render(
            path, contentType: contentType, facts: facts, folder: job.path)
        #expect(rendered.durationSeconds <= 2 * facts.durationSeconds + 60, "\(file.name)")
        if let copy = rendered.copy { #expect((try? Samples.bytes(copy))?.holds(Self.canary) == false, "\(file.name)") }
        let decoded = try await AudioDecoder(sandbox: sandbox, limits: limits).decode(
            file, contentType: contentType, durationSeconds: facts.durationSeconds)
        #expect((try? job.read(decoded.file.name))?.holds(Self.canary) == false, "\(file.name)")
    }
}
