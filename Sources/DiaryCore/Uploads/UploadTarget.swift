package import FoundationEssentials

/// What a client needs to upload: method PUT, this URL, exactly these headers, before this time.
package struct UploadTarget: Sendable, Equatable {
    package var url: String
    package var headers: [(name: String, value: String)]
    package var expiresAt: Date
    /// How to send it in parts instead; nil for a small recording, unless its client asked.
    package var parts: PartPlan? = nil

    package init(url: String, headers: [(name: String, value: String)], expiresAt: Date, parts: PartPlan? = nil) {
        self.url = url
        self.headers = headers
        self.expiresAt = expiresAt
        self.parts = parts
    }

    package static func == (a: Self, b: Self) -> Bool {
        a.url == b.url && a.expiresAt == b.expiresAt && a.parts == b.parts && a.headers.map(\.name) == b.headers.map(\.name)
            && a.headers.map(\.value) == b.headers.map(\.value)
    }
}
