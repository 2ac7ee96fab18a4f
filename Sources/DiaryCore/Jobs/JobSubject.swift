/// What a job works on: the row that shows its progress and its failure.
package enum JobSubject: Sendable, Equatable {
    case entry(EntryStage)
    case export
    case mail
    case importing

    /// What a log line and `diary jobs` call it.
    package var name: String {
        switch self {
        case .entry: "entry"
        case .export: "export"
        case .mail: "mail"
        case .importing: "import"
        }
    }
}
