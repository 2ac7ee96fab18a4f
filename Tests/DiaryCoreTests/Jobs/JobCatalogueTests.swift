import Testing

@testable import DiaryCore

@Suite("The catalogue of job kinds")
struct JobCatalogueTests {
    private static let first = JobKind(rawValue: "first")
    private static let second = JobKind(rawValue: "second")
    private static let stage = EntryStage(waiting: .uploaded, running: .uploaded)

    private static func fault(_ descriptors: JobDescriptor...) -> JobCatalogueError? {
        do throws(JobCatalogueError) {
            try JobCatalogue(descriptors).validate()
            return nil
        } catch {
            return error
        }
    }

    @Test("the diary's catalogue is valid")
    func valid() throws {
        try JobCatalogue.diary.validate()
        #expect(JobCatalogue.diary.successor(of: .verify)?.kind == .transcribe)
        #expect(JobCatalogue.diary.successor(of: .transcribe)?.kind == .clean)
        #expect(JobCatalogue.diary.successor(of: .export)?.kind == .mail)
    }

    @Test("a kind described twice is refused")
    func duplicate() {
        #expect(
            Self.fault(
                JobDescriptor(kind: Self.first, queue: .text, subject: .mail),
                JobDescriptor(kind: Self.first, queue: .speech, subject: .mail))
                == .duplicate(Self.first))
    }

    @Test("a successor must be described, and one after a job on an entry must work on an entry")
    func successors() {
        let entry = JobDescriptor(kind: Self.first, queue: .text, subject: .entry(Self.stage), successor: Self.second)

        #expect(Self.fault(entry) == .unknownSuccessor(of: Self.first, Self.second))
        #expect(
            Self.fault(entry, JobDescriptor(kind: Self.second, queue: .text, subject: .mail))
                == .unfitSuccessor(of: Self.first, Self.second))
        #expect(Self.fault(entry, JobDescriptor(kind: Self.second, queue: .text, subject: .entry(Self.stage))) == nil)
    }

    @Test("a kind that comes after itself is refused")
    func cycles() {
        #expect(Self.fault(JobDescriptor(kind: Self.first, queue: .text, subject: .mail, successor: Self.first)) == .cycle(Self.first))
        #expect(
            Self.fault(
                JobDescriptor(kind: Self.first, queue: .text, subject: .mail, successor: Self.second),
                JobDescriptor(kind: Self.second, queue: .text, subject: .mail, successor: Self.first)) == .cycle(Self.first))
    }

    @Test("a stage that no job precedes is refused, unless it is the first one")
    func unreachable() {
        let first = JobDescriptor(kind: Self.first, queue: .text, subject: .entry(Self.stage))
        let second = JobDescriptor(kind: Self.second, queue: .text, subject: .entry(Self.stage))

        #expect(Self.fault(first) == nil)
        #expect(Self.fault(first, second) == .unreachable(Self.second))
    }

    @Test("a completed upload starts the first stage of the diary's catalogue")
    func firstStage() {
        #expect(JobCatalogue.diary.stages.first == .verify)
    }

    @Test("a failed entry waits in the state before its stage")
    func diaryRestarts() {
        let restarts = JobCatalogue.diary.restarts

        #expect(restarts.map(\.stage) == JobCatalogue.diary.stages)
        #expect(restarts.prefix(3).map(\.status) == [.uploaded, .uploaded, .cleaning])
    }

    @Test("an entry shows the stage that is running")
    func running() {
        #expect(JobCatalogue.diary.stage(.verify)?.running == .uploaded)
        #expect(JobCatalogue.diary.stage(.transcribe)?.running == .transcribing)
        #expect(JobCatalogue.diary.stage(.clean)?.running == .cleaning)
        #expect(JobCatalogue.diary.stage(.export) == nil && JobCatalogue.diary.stage(.mail) == nil)
    }

    @Test("between two stages an entry shows the next one, and transcribed after the last")
    func entryAfter() {
        #expect(JobCatalogue.diary.entry(after: .verify) == (.uploaded, .transcribe))
        #expect(JobCatalogue.diary.entry(after: .transcribe) == (.cleaning, .clean))
        for last in JobCatalogue.diary.stages where JobCatalogue.diary.successor(of: last) == nil {
            #expect(JobCatalogue.diary.entry(after: last) == (.transcribed, nil))
        }
    }

    @Test("a kind of another version is no part of the catalogue")
    func unknown() {
        let unknown = JobKind(rawValue: "of_another_version")

        #expect(JobCatalogue.diary[unknown] == nil)
        #expect(JobCatalogue.diary.successor(of: unknown) == nil)
        #expect(JobCatalogue.diary.stage(unknown) == nil)
    }
}
