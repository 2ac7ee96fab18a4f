import DiaryCrypto
import FoundationEssentials

/// The owner accepts or declines what a machine suggests. Accepted tags join the entry's, an accepted title or mood takes the place of the
/// entry's own; what was answered is not shown again.
///
/// Suggestions are named by their texts, so that one that a later run has replaced is not accepted. A repetition changes nothing, also when
/// the owner has edited since what was accepted.
package struct AnswerSuggestions: Sendable {
    let entries: any EntryStore
    let keys: DataKeys

    package func run(
        _ id: EntryID, accept: Suggestions, decline: Suggestions, matching match: VersionMatch, by member: Member
    ) async throws(DiaryError) -> VersionedWrite<Entry> {
        try await entries.rewrite(id, matching: match, keys, by: member) { (entry, vault) throws(DiaryError) in
            // Without the machine's part nothing tells what it had suggested.
            guard entry.damage.isEmpty else { throw DiaryError(.entryDamaged) }
            let personal = try Self.answered(entry, accept, decline)
            return personal == entry.personal ? nil : try vault.rewrite(personal, of: id, over: entry.version)
        }
    }

    private static func answered(
        _ entry: Entry, _ accept: Suggestions, _ decline: Suggestions
    ) throws(DiaryError) -> PersonalPart {
        var personal = entry.personal
        let wanted = try named(accept, in: entry, at: "/accept")
        let unwanted = try named(decline, in: entry, at: "/decline")
        let both = Set(wanted.map(\.answer)).intersection(unwanted.map(\.answer))
        if let place = unwanted.first(where: { both.contains($0.answer) })?.place { throw .invalid(place, "is accepted too") }

        for suggestion in wanted where !personal.accepted.contains(suggestion.answer) {
            switch suggestion.kind {
            case .title: personal.title = suggestion.text
            case .mood: personal.mood = suggestion.text
            case .tag:
                let label = EntryLabel(.tag, suggestion.text)
                if !personal.tags.contains(where: { EntryLabel(.tag, $0) == label }) { personal.tags.append(suggestion.text) }
            }
        }
        guard personal.tags.count <= PersonalPart.tagCount else {
            throw .invalid("/accept/tags", "an entry has at most \(PersonalPart.tagCount) tags")
        }
        for answer in (wanted + unwanted).map(\.answer) where !personal.answered.contains(answer) { personal.answered.append(answer) }
        personal.answered = personal.answered.suffix(AnsweredSuggestion.most)
        let declined = Set(unwanted.map(\.answer))
        for answer in wanted.map(\.answer) where !personal.accepted.contains(answer) { personal.accepted.append(answer) }
        personal.accepted = personal.accepted.filter { personal.answered.contains($0) && !declined.contains($0) }
        return personal
    }

    private struct Named {
        var kind: AnsweredSuggestion.Kind
        /// In the machine's spelling.
        var text: String
        var answer: AnsweredSuggestion
        var place: String
    }

    /// - Throws: at the first that is neither suggested nor answered already.
    private static func named(_ answers: Suggestions, in entry: Entry, at place: String) throws(DiaryError) -> [Named] {
        let suggested = entry.machine.suggested
        var given: [(kind: AnsweredSuggestion.Kind, text: String, all: [String], place: String)] = []
        if let title = answers.title { given.append((.title, title, suggested.title.map { [$0] } ?? [], "\(place)/title")) }
        for (index, tag) in answers.tags.enumerated() { given.append((.tag, tag, suggested.tags, "\(place)/tags/\(index)")) }
        if let mood = answers.mood { given.append((.mood, mood, suggested.mood.map { [$0] } ?? [], "\(place)/mood")) }
        var named: [Named] = []
        for one in given {
            let answer = AnsweredSuggestion(one.kind, one.text)
            let now = one.all.first { AnsweredSuggestion(one.kind, $0) == answer }
            // A repetition may come after a run that suggests something else.
            guard now != nil || entry.personal.answered.contains(answer) else {
                throw .invalid(one.place, "is not suggested for this entry")
            }
            named.append(Named(kind: one.kind, text: now ?? one.text, answer: answer, place: one.place))
        }
        return named
    }
}
