/// What a job works on: the row that shows its progress and its failure.
package enum JobSubject: Sendable, Equatable {
    case entry(EntryStage)
    case export
    case mail
}
