import DiaryCore

/// The query of a list with pages.
enum ListFields {
    static let limit = 1...200
    static let usualLimit = 50
    static let cursorLength = 64

    static func limit(_ query: inout Query) -> Int { query.integer("limit", in: limit) ?? usualLimit }

    /// The whole query of a list that has nothing but pages.
    static func page(_ query: inout Query) throws(DiaryError) -> (before: ListPosition?, limit: Int) {
        let size = limit(&query)
        let cursor = query.text("cursor", max: cursorLength)
        let position = cursor.flatMap { ListPosition(parsing: $0) }
        if cursor != nil, position == nil { query.refuse("cursor", "is not a cursor of this list") }
        try query.finish()
        return (position, size)
    }
}
