import DiaryCore
import FoundationEssentials
import ZipArchive

/// `index.html`: the diary in one page, by month and day. Articles are in a temporary file; their order alone is in memory, because days may
/// come back: entries are read by time, and zones differ.
struct ExportIndex {
    static let path = "index.html"
    /// Of a diary with more entries only the first month is open, which browsers lay out faster.
    static let mostOpen = 500

    private struct Place {
        /// `yyyymmdd`.
        var day: Int32
        var offset: Int64
        var length: Int64
    }

    private let context: ExportContext
    private let words: ExportIndexWords
    private let dates: ReadableDates
    private var places: [Place] = []
    private var recordings = 0

    init(_ context: ExportContext) {
        self.context = context
        words = ExportIndexWords(context.language)
        dates = ReadableDates(locale: context.locale, language: context.language)
    }

    var isEmpty: Bool { places.isEmpty }

    var article: ExportArticle {
        ExportArticle(words: words, dates: dates, timeZone: context.export.timeZone, contents: context.export.contents)
    }

    /// - Parameter offset: of the article in the temporary file.
    mutating func add(_ facts: EntryFacts, hasRecording: Bool, offset: Int64, length: Int64) {
        let day = facts.day
        places.append(Place(day: Int32(clamping: day.year * 10_000 + day.month * 100 + day.day), offset: offset, length: length))
        if hasRecording { recordings += 1 }
    }

    /// The page, with the articles of `file`.
    func pieces(part: ExportPartNumber) -> [ComposedFile.Piece] {
        // `sorted` is stable: within a day the order of time stays.
        let places = places.sorted { $0.day < $1.day }
        let months = Self.groups(places) { $0.day / 100 }
        var pieces = Pieces()
        pieces.add(ExportIndexPage.head(title: title(part), context.brand, words.language))
        pieces.add(ExportIndexPage.opening(context.brand, heading: heading, lines: lines(part), words))
        if months.count > 1 { pieces.add(navigation(months)) }
        pieces.add("<main id=\"entries\">\n")
        if places.isEmpty { pieces.add("<p>\(HTMLText.escaped(words[.empty]))</p>\n") }
        for (place, month) in months.enumerated() {
            let isOpen = place == 0 || places.count <= Self.mostOpen
            add(month, isOpen: isOpen, to: &pieces)
        }
        pieces.add("</main>\n")
        pieces.add(ExportIndexPage.end)
        return pieces.all
    }

    private func add(_ month: ArraySlice<Place>, isOpen: Bool, to pieces: inout Pieces) {
        guard let first = month.first, let day = Self.day(first.day) else { return }
        let id = "m\(first.day / 100)"
        pieces.add(
            """
            <section aria-labelledby="\(id)">
            <h2 id="\(id)">\(HTMLText.escaped(dates.month(of: day)))</h2>
            <details class="month"\(isOpen ? " open" : "")><summary>\(HTMLText.escaped(entries(month.count)))</summary>

            """)
        for places in Self.groups(Array(month), by: \.day) {
            guard let first = places.first, let day = Self.day(first.day) else { continue }
            pieces.add(
                """
                <section class="day" aria-labelledby="d\(first.day)">
                <h3 id="d\(first.day)">\(HTMLText.escaped(dates.text(day)))</h3>

                """)
            for place in places { pieces.add(place.offset..<place.offset + place.length) }
            pieces.add("</section>\n")
        }
        pieces.add("</details>\n</section>\n")
    }

    private func navigation(_ months: [ArraySlice<Place>]) -> String {
        let links = months.map { month in
            guard let first = month.first, let day = Self.day(first.day) else { return "" }
            return "<li><a href=\"#m\(first.day / 100)\">\(HTMLText.escaped(dates.month(of: day)))</a></li>"
        }
        return "<nav aria-label=\"\(HTMLText.escaped(words[.months]))\"><ul>\n\(links.joined(separator: "\n"))\n</ul></nav>\n"
    }

    private var heading: String { words[.title].replacing("#", with: dates.text(context.export.from, to: context.export.to)) }

    private func title(_ part: ExportPartNumber) -> String {
        let which = part == .only ? "" : ", " + words[.part].replacing("#", with: words.language.number(part.number))
        return heading + which + (context.brand.name.isEmpty ? "" : " · \(context.brand.name)")
    }

    private func lines(_ part: ExportPartNumber) -> [String] {
        var facts = [entries(places.count)]
        if recordings > 0 { facts.append(words.counted(.recordings, recordings)) }
        if part != .only {
            facts.append(
                part.count.map { words.numbered(.partOf, part.number, $0) }
                    ?? words[.part].replacing("#", with: words.language.number(part.number)))
        }
        let exported = words[.exported].replacing("#", with: dates.text(context.now, in: context.export.timeZone))
        return [facts.joined(separator: " · "), exported]
    }

    private func entries(_ count: Int) -> String { words.counted(.entries, count) }

    private static func day(_ number: Int32) -> CalendarDay? {
        func digits(_ number: Int32, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
        }
        return CalendarDay("\(digits(number / 10_000, 4))-\(digits(number / 100 % 100, 2))-\(digits(number % 100, 2))")
    }

    /// Runs with equal keys.
    private static func groups(_ places: [Place], by key: (Place) -> Int32) -> [ArraySlice<Place>] {
        var groups: [ArraySlice<Place>] = []
        var start = 0
        for place in places.indices where place + 1 == places.count || key(places[place]) != key(places[place + 1]) {
            groups.append(places[start...place])
            start = place + 1
        }
        return groups
    }

    /// Joins what follows each other.
    private struct Pieces {
        private(set) var all: [ComposedFile.Piece] = []

        mutating func add(_ html: String) {
            if case .bytes(let bytes) = all.last {
                all[all.count - 1] = .bytes(bytes + Array(html.utf8))
            } else {
                all.append(.bytes(Array(html.utf8)))
            }
        }

        mutating func add(_ range: Range<Int64>) {
            if case .range(let last) = all.last, last.upperBound == range.lowerBound {
                all[all.count - 1] = .range(last.lowerBound..<range.upperBound)
            } else {
                all.append(.range(range))
            }
        }
    }
}
