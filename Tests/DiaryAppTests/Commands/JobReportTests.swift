import DiaryCore
import FoundationEssentials
import Testing

@testable import DiaryApp

@Suite("Reports on jobs")
struct JobReportTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)
    private static let owner = Owner(tenant: TenantID(UUID()), user: DiaryCore.UserID(UUID()))

    private static func job(_ state: String, runAt: Date = now, leaseUntil: Date? = nil, code: String? = nil) -> JobOverview {
        JobOverview(
            id: JobID(UUID()), owner: owner, slug: "my-day", kind: .transcribe, subject: UUID(), state: state, attempts: 3, errors: 2,
            crashes: 1, code: code, runAt: runAt, leaseUntil: leaseUntil, leasedBy: leaseUntil.map { _ in "host/7" }, createdAt: now,
            finishedAt: state == "done" || state == "dead" ? now : nil)
    }

    private static func entry(_ status: EntryStatus, kind: EntryKind = .voice, deletedAt: Date? = nil) -> EntryProgress {
        EntryProgress(
            owner: owner, slug: "my-day", kind: kind, status: status, stage: nil, attempt: 0, code: nil, nextAttemptAt: nil, createdAt: now,
            uploadedAt: nil, deletedAt: deletedAt)
    }

    @Test("a job's state is a sentence")
    func says() {
        let report = JobReport(jobs: [], workersAlive: 1, now: Self.now)

        #expect(report.says(Self.job("ready")) == "waits for a free worker since 2026-09-21T14:13:20Z")
        #expect(
            report.says(Self.job("ready", runAt: Self.now + 60, code: "speech_timeout"))
                == "waits for its next try at 2026-09-21T14:14:20Z after speech_timeout")
        #expect(report.says(Self.job("leased", leaseUntil: Self.now + 60)) == "runs on host/7")
        #expect(report.says(Self.job("leased", leaseUntil: Self.now - 1)).contains("was lost with host/7"))
        #expect(report.says(Self.job("done")) == "done at 2026-09-21T14:13:20Z")
        #expect(
            report.says(Self.job("dead", code: "media_unreadable"))
                == "failed permanently at 2026-09-21T14:13:20Z, failed tries: 2, crashes: 1, code: media_unreadable")
    }

    @Test("the report says what the rows do not: why there is no job, and that no worker is running")
    func notes() {
        func note(_ jobs: [JobOverview] = [], _ entry: EntryProgress? = nil, workers: Int = 1) -> String? {
            JobReport(jobs: jobs, entries: [entry].compactMap { $0 }, workersAlive: workers, now: Self.now).note
        }

        #expect(note() == "no jobs; done jobs are removed after 7 days, given-up ones after 30")
        #expect(note([], Self.entry(.transcribed)) == "no jobs are kept: done jobs are removed after 7 days, given-up ones after 30")
        #expect(note([], Self.entry(.awaitingUpload))?.contains("has not been completed") == true)
        #expect(note([], Self.entry(.transcribed, kind: .text))?.contains("written") == true)
        #expect(note([], Self.entry(.transcribed, deletedAt: Self.now)) == "no jobs: the entry was deleted at 2026-09-21T14:13:20Z")
        #expect(note([Self.job("ready")]) == nil)
        #expect(note([Self.job("ready")], workers: 0)?.contains("no worker is alive") == true)
        #expect(note([Self.job("done")], workers: 0) == nil)
    }
}
