/// The result of one operation of a batch, as it would have been by itself; entries are summaries.
package enum BatchResult: Sendable {
    case created(StartedEntry)
    case changed(Entry)
    case deleted
    case refused(DiaryError)

    package var status: Int {
        switch self {
        case .created: 201
        case .changed: 200
        case .deleted: 204
        case .refused(let error): error.code.status
        }
    }

    /// What is stored with the batch's key: a status, or an error's code and, after a space, the entry that it names.
    var stored: String {
        guard case .refused(let error) = self else { return "\(status)" }
        return error.entry.map { "\(error.code.rawValue) \($0)" } ?? error.code.rawValue
    }

    static func refusal(_ stored: String) -> DiaryError {
        let words = stored.split(separator: " ", maxSplits: 1)
        let code = words.first.flatMap { ErrorCode(rawValue: String($0)) } ?? .internalError
        return DiaryError(code, entry: words.count > 1 ? EntryID(words[1]) : nil)
    }
}

package enum BatchDeletion: Sendable {
    case deleted(StoredEntry)
    /// It was deleted before.
    case already
    case missing
}
