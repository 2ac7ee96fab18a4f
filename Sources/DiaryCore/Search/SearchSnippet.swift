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

/// What a search found in one entry.
struct SearchHit {
    private let fields: [SearchedField]
    private let texts: [MappedText]
    /// By field, in the order of its text.
    private let places: [[Place]]

    private struct Place {
        let field: Int
        let term: Int
        /// Among those of the term in the field.
        let number: Int
        let range: Range<Int>
    }

    private struct Chosen {
        let place: Place
        let excerpt: Range<Int>
    }

    /// - Returns: nil when a term is in none of the fields.
    init?(_ words: SearchWords, in fields: [SearchedField], by table: inout FoldTable) {
        var texts: [MappedText] = []
        var places: [[Place]] = []
        for (field, searched) in fields.enumerated() {
            let text = MappedText(searched.text, by: &table)
            var found: [Place] = []
            for (term, words) in words.terms.enumerated() {
                for (number, range) in text.places(of: words).enumerated() {
                    found.append(Place(field: field, term: term, number: number, range: range))
                }
            }
            texts.append(text)
            places.append(found.sorted { ($0.range.lowerBound, $0.term) < ($1.range.lowerBound, $1.term) })
        }
        guard Set(places.joined().map(\.term)).count == words.terms.count else { return nil }
        self.fields = fields
        self.texts = texts
        self.places = places
    }

    /// Each term once, where it comes first, and then further places in the shown text; in the order of the fields and of the text.
    /// - Parameter spoken: asked for when the shown text has a snippet.
    func snippets(of words: SearchWords, _ spoken: () -> SpokenWords?) -> [SearchSnippet] {
        var open = Set(words.terms.indices)
        var chosen: [Chosen] = []
        func choose(_ place: Place) {
            let excerpt = excerpt(around: place)
            chosen.append(Chosen(place: place, excerpt: excerpt))
            for other in places[place.field] where Self.holds(excerpt, other) { open.remove(other.term) }
        }
        for place in places.joined() where chosen.count < SearchSnippet.most && open.contains(place.term) { choose(place) }
        for place in places.joined() where chosen.count < SearchSnippet.most && fields[place.field].name == .text {
            if !chosen.contains(where: { $0.place.field == place.field && $0.excerpt.overlaps(place.range) }) { choose(place) }
        }
        let shown = chosen.sorted { ($0.place.field, $0.excerpt.lowerBound) < ($1.place.field, $1.excerpt.lowerBound) }
        let heard = shown.contains { fields[$0.place.field].name == .text } ? spoken() : nil
        return shown.map { chosen in
            let field = fields[chosen.place.field]
            let first = places[chosen.place.field].first { Self.holds(chosen.excerpt, $0) } ?? chosen.place
            let seconds = field.name == .text ? heard?.seconds(of: words.terms[first.term], number: first.number) : nil
            return snippet(chosen, at: field.at ?? seconds)
        }
    }

    private static func holds(_ excerpt: Range<Int>, _ place: Place) -> Bool {
        excerpt.lowerBound <= place.range.lowerBound && place.range.upperBound <= excerpt.upperBound
    }

    /// Code points before and behind a place; a text of at most `whole` is shown as it is.
    private static let before = 60
    private static let behind = 120
    private static let whole = 200

    /// Cut between words where there are some near.
    private func excerpt(around place: Place) -> Range<Int> {
        let scalars = texts[place.field].scalars
        guard scalars.count > Self.whole else { return scalars.indices }
        var (start, end) = (max(0, place.range.lowerBound - Self.before), min(scalars.count, place.range.upperBound + Self.behind))
        if start > 0, let space = scalars[start..<place.range.lowerBound].firstIndex(where: \.properties.isWhitespace) {
            start = space + 1
        }
        if end < scalars.count, let space = scalars[place.range.upperBound..<end].lastIndex(where: \.properties.isWhitespace) {
            end = space
        }
        // A letter keeps its accents, an emoji its parts.
        while start > 0, start < place.range.lowerBound, Self.continues(scalars[start - 1], scalars[start]) { start += 1 }
        while end > place.range.upperBound, end < scalars.count, Self.continues(scalars[end - 1], scalars[end]) { end -= 1 }
        return start..<end
    }

    private static func continues(_ one: Unicode.Scalar, _ next: Unicode.Scalar) -> Bool {
        one == "\u{200D}" || next == "\u{200D}" || next.properties.isGraphemeExtend || next.properties.isEmojiModifier
    }

    private func snippet(_ chosen: Chosen, at seconds: Double?) -> SearchSnippet {
        let scalars = texts[chosen.place.field].scalars
        var text = chosen.excerpt.lowerBound > 0 ? "…" : ""
        // By place in the excerpt.
        var offsets = [text.utf16.count]
        for scalar in scalars[chosen.excerpt] {
            text.unicodeScalars.append(scalar)
            offsets.append((offsets.last ?? 0) + UTF16.width(scalar))
        }
        if chosen.excerpt.upperBound < scalars.count { text += "…" }
        var ranges: [Range<Int>] = []
        for place in places[chosen.place.field] where Self.holds(chosen.excerpt, place) {
            let (start, end) = (place.range.lowerBound - chosen.excerpt.lowerBound, place.range.upperBound - chosen.excerpt.lowerBound)
            let range = offsets[start]..<offsets[end]
            if let last = ranges.last, range.lowerBound < last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
        return SearchSnippet(field: fields[chosen.place.field].name, text: text, ranges: ranges, at: seconds)
    }
}

/// The recognised words of a recording with their times.
struct SpokenWords {
    private let text: MappedText
    /// Where each word begins in the text, and in the recording.
    private let starts: [(place: Int, seconds: Double)]

    init(_ segments: [SpeechSegment], by table: inout FoldTable) {
        var spoken = String.UnicodeScalarView()
        var starts: [(place: Int, seconds: Double)] = []
        var count = 0
        for word in segments.flatMap(\.corrected.words) {
            starts.append((count, word.start))
            spoken.append(contentsOf: word.text.unicodeScalars)
            spoken.append(" ")
            count += word.text.unicodeScalars.count + 1
        }
        self.starts = starts
        text = MappedText(String(spoken), by: &table)
    }

    /// When a term is said. The shown text may be a cleaned or a corrected one: its first place counts as the first that was heard, and so on.
    func seconds(of term: SearchTerm, number: Int) -> Double? {
        let places = text.places(of: term)
        guard !places.isEmpty else { return nil }
        let place = places[min(number, places.count - 1)].lowerBound
        let seconds = starts.last { $0.place <= place }?.seconds
        return seconds.flatMap { $0.isFinite ? max(0, $0) : nil }
    }
}
