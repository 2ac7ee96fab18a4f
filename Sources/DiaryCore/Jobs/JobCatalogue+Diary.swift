extension JobKind {
    package static let verify = JobKind(rawValue: "verify")
    package static let transcribe = JobKind(rawValue: "transcribe")
    package static let clean = JobKind(rawValue: "clean")
    package static let export = JobKind(rawValue: "export")
    package static let mail = JobKind(rawValue: "mail")
    package static let importing = JobKind(rawValue: "import")
}

extension JobDescriptor {
    package static let verify = JobDescriptor(
        kind: .verify, queue: .media, subject: .entry(EntryStage(waiting: .uploaded, running: .uploaded)),
        successor: .transcribe)
    package static let transcribe = JobDescriptor(
        kind: .transcribe, queue: .speech,
        subject: .entry(EntryStage(waiting: .uploaded, running: .transcribing)),
        successor: .clean)
    package static let clean = JobDescriptor(
        kind: .clean, queue: .text, subject: .entry(EntryStage(waiting: .cleaning, running: .cleaning)))
    package static let export = JobDescriptor(kind: .export, queue: .exports, subject: .export, successor: .mail)
    package static let mail = JobDescriptor(kind: .mail, queue: .mail, subject: .mail, retries: { .mail($0) })
    package static let importing = JobDescriptor(kind: .importing, queue: .imports, subject: .importing)
}

extension JobCatalogue {
    /// Every kind of job, once. A recording goes through verify, which a completed upload starts, transcribe and clean.
    package static let diary = JobCatalogue([.verify, .transcribe, .clean, .export, .mail, .importing])
}
