import DiaryCore
import PostgresClient

/// The marks of a failed job that its owner sees. Written in the job's own transaction, after its fence.
extension JobSubject {
    /// After a failed try that is made again.
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
