import DiaryCore
import PostgresClient

/// What the owner sees of a failed job: statements that write it to the entry, export, mail or import, in the job's fenced transaction.
extension JobSubject {
    /// After a failed try that will be repeated.
    func marks(retrying job: LeasedJob, code: ProcessingCode, afterSeconds: Double) -> [Statement] {
        switch self {
        case .entry: [PostgresTranscriptionStore.willRetry(job, code: code, afterSeconds: afterSeconds)]
        case .export, .mail, .importing: []
        }
    }

    /// After the last try.
    func marks(discarding job: LeasedJob, code: ProcessingCode) -> [Statement] {
        switch self {
        case .entry: [PostgresTranscriptionStore.failed(job, code: code)]
        case .export: [PostgresExportBuildStore.failed(job, code: code)]
        case .mail: [PostgresMailQueueStore.failed(job, code: code)]
        case .importing: [PostgresImportRunStore.failed(job, code: code)]
        }
    }
}
