import DiaryCore

/// The query of a request for URLs of parts.
enum UploadPartFields {
    static func read(_ context: MemberContext) throws(DiaryError) -> (from: Int, limit: Int) {
        var query = context.query()
        let from = query.integer("from", in: 1...10_000) ?? 1
        let limit = query.integer("limit", in: 1...1_000) ?? 200
        try query.finish()
        return (from, limit)
    }
}
