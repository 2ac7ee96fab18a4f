/// A piece of an entry's text with words that a search found.
package struct SearchSnippet: Sendable, Equatable {
    package var field: SearchedField.Name
    /// Begins or ends with `…` where the text goes on.
    package var text: String
    /// What was found in `text`, in order and apart, in UTF-16 code units: those of strings in Kotlin and JavaScript, and of `NSRange`.
    package var ranges: [Range<Int>]
    /// Seconds from the recording's start.
    package var at: Double?

    /// Of one entry.
    static let most = 3
}

/// What a search found in one entry. Of each term only the first place in a field is kept, and those in an excerpt while it is written: a short
/// word may stand in a text a million times.
struct SearchHit {
    private let words: SearchWords
    private let fields: [SearchedField]
    private let texts: [MappedText]
    /// By field, in the order of its text: where each term comes first.
    private let firsts: [[Place]]

    private struct Place {
        let field: Int
        let term: Int
        let place: MappedText.Place

        var start: String.Index { place.range.lowerBound }
    }

    private struct Chosen {
        let field: Int
        let excerpt: MappedText.Excerpt
    }

    /// - Returns: nil when a term is in none of the fields.
    init?(_ words: SearchWords, in fields: [SearchedField], by table: inout FoldTable) {
        var texts: [MappedText] = []
        var firsts: [[Place]] = []
        for (field, searched) in fields.enumerated() {
            let text = MappedText(searched.text, by: &table)
            var found: [Place] = []
            for (term, words) in words.terms.enumerated() {
                if let first = text.first(words) { found.append(Place(field: field, term: term, place: first)) }
            }
            texts.append(text)
            firsts.append(Self.ordered(found))
        }
        guard Set(firsts.joined().map(\.term)).count == words.terms.count else { return nil }
        self.words = words
        self.fields = fields
        self.texts = texts
        self.firsts = firsts
    }

    private static func ordered(_ places: [Place]) -> [Place] { places.sorted { ($0.start, $0.term) < ($1.start, $1.term) } }

    /// Each term once, where it comes first, and then further places in the shown text; in the order of the fields and of the text.
    /// - Parameter spoken: asked for when the shown text has a snippet.
    func snippets(_ spoken: () -> SpokenWords?) -> [SearchSnippet] {
        var open = Set(words.terms.indices)
        var chosen: [Chosen] = []
        func choose(_ place: Place) {
            let excerpt = texts[place.field].excerpt(excerpt(around: place))
            chosen.append(Chosen(field: place.field, excerpt: excerpt))
            for other in firsts[place.field] where Self.holds(excerpt, other) { open.remove(other.term) }
        }
        for place in firsts.joined() where chosen.count < SearchSnippet.most && open.contains(place.term) { choose(place) }
        if let field = fields.firstIndex(where: { $0.name == .text }) {
            while chosen.count < SearchSnippet.most, let place = further(in: field, outside: chosen) { choose(place) }
        }
        let shown = chosen.sorted { ($0.field, $0.excerpt.range.lowerBound) < ($1.field, $1.excerpt.range.lowerBound) }
        let heard = shown.contains { fields[$0.field].name == .text } ? spoken() : nil
        return shown.map { chosen in
            let field = fields[chosen.field]
            let held = held(by: chosen)
            return snippet(chosen, held, at: field.at ?? (field.name == .text ? seconds(of: held.first, heard) : nil))
        }
    }

    private static func holds(_ excerpt: MappedText.Excerpt, _ place: Place) -> Bool {
        excerpt.range.lowerBound <= place.start && place.place.range.upperBound <= excerpt.range.upperBound
    }

    private func further(in field: Int, outside chosen: [Chosen]) -> Place? {
        let excerpts = chosen.filter { $0.field == field }.map(\.excerpt)
        let places = words.terms.enumerated().compactMap { term, words in
            texts[field].first(words, outside: excerpts).map { Place(field: field, term: term, place: $0) }
        }
        return Self.ordered(places).first
    }

    /// In the order of the text.
    private func held(by chosen: Chosen) -> [Place] {
        var places: [Place] = []
        for (term, words) in words.terms.enumerated() {
            for place in texts[chosen.field].places(of: words, in: chosen.excerpt) {
                places.append(Place(field: chosen.field, term: term, place: place))
            }
        }
        return Self.ordered(places)
    }

    private func seconds(of place: Place?, _ heard: SpokenWords?) -> Double? {
        guard let place, let heard else { return nil }
        let term = words.terms[place.term]
        return heard.seconds(of: term, number: texts[place.field].count(of: term, before: place.place.byte))
    }

    /// Code points before and behind a place; a text of at most `whole` is shown as it is.
    private static let before = 60
    private static let behind = 120
    private static let whole = 200

    /// Cut between words where there are some near.
    private func excerpt(around found: Place) -> Range<String.Index> {
        let scalars = texts[found.field].text.unicodeScalars
        let (first, last, place) = (scalars.startIndex, scalars.endIndex, found.place.range)
        guard scalars.index(first, offsetBy: Self.whole + 1, limitedBy: last) != nil else { return first..<last }
        var start = scalars.index(place.lowerBound, offsetBy: -Self.before, limitedBy: first) ?? first
        var end = scalars.index(place.upperBound, offsetBy: Self.behind, limitedBy: last) ?? last
        if start > first, let space = scalars[start..<place.lowerBound].firstIndex(where: \.properties.isWhitespace) {
            start = scalars.index(after: space)
        }
        if end < last, let space = scalars[place.upperBound..<end].lastIndex(where: \.properties.isWhitespace) {
            end = space
        }
        // A letter keeps its accents, an emoji its parts.
        while start > first, start < place.lowerBound, Self.continues(scalars[scalars.index(before: start)], scalars[start]) {
            start = scalars.index(after: start)
        }
        while end > place.upperBound, end < last, Self.continues(scalars[scalars.index(before: end)], scalars[end]) {
            end = scalars.index(before: end)
        }
        return start..<end
    }

    private static func continues(_ one: Unicode.Scalar, _ next: Unicode.Scalar) -> Bool {
        one == "\u{200D}" || next == "\u{200D}" || next.properties.isGraphemeExtend || next.properties.isEmojiModifier
    }

    private func snippet(_ chosen: Chosen, _ held: [Place], at seconds: Double?) -> SearchSnippet {
        let whole = texts[chosen.field].text
        let excerpt = chosen.excerpt.range
        var text = excerpt.lowerBound > whole.startIndex ? "…" : ""
        // By byte of the excerpt, and of its end.
        var offsets: [Int] = []
        var units = text.utf16.count
        for scalar in whole.unicodeScalars[excerpt] {
            text.unicodeScalars.append(scalar)
            offsets += repeatElement(units, count: UTF8.width(scalar))
            units += UTF16.width(scalar)
        }
        offsets.append(units)
        if excerpt.upperBound < whole.endIndex { text += "…" }
        func offset(_ index: String.Index) -> Int { offsets[whole.utf8.distance(from: excerpt.lowerBound, to: index)] }
        var ranges: [Range<Int>] = []
        for place in held {
            let range = offset(place.start)..<offset(place.place.range.upperBound)
            if let last = ranges.last, range.lowerBound < last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
        return SearchSnippet(field: fields[chosen.field].name, text: text, ranges: ranges, at: seconds)
    }
}

/// The recognised words of a recording with their times.
struct SpokenWords {
    private let text: MappedText
    /// Where each word begins in the UTF-8 of the text, and in the recording.
    private let starts: [(place: Int, seconds: Double)]

    init(_ segments: [SpeechSegment], by table: inout FoldTable) {
        var spoken = ""
        var starts: [(place: Int, seconds: Double)] = []
        for segment in segments {
            for word in segment.corrected.words {
                starts.append((spoken.utf8.count, word.start))
                spoken += word.text
                spoken += " "
            }
        }
        self.starts = starts
        text = MappedText(spoken, by: &table)
    }

    /// When a term is said. The shown text may be a cleaned or a corrected one: its first place counts as the first that was heard, and so on.
    func seconds(of term: SearchTerm, number: Int) -> Double? {
        guard let start = text.start(of: term, number: number) else { return nil }
        let place = text.text.utf8.distance(from: text.text.startIndex, to: start)
        let seconds = starts.last { $0.place <= place }?.seconds
        return seconds.flatMap { $0.isFinite ? max(0, $0) : nil }
    }
}
