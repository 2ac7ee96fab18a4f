import DiaryCore
import HTTPTypes
import NIOCore
import WireFormats

extension AccessContext {
    /// The JSON object of the body.
    /// - Throws: `DiaryError`: 422 for a query, 415 for another type, 413 over the limit, 400 for a body that is not JSON.
    package func fields() async throws -> Fields {
        try refuseQuery()
        try JSONBody.checkType(exchange.headers)
        let bytes = try await exchange.body.collect()
        return try JSONBody.open(bytes, maxDepth: exchange.environment.limits.jsonDepth)
    }

    /// No operation has both a body and a query, so a parameter is one that is meant to change what is done.
    func refuseQuery() throws(DiaryError) {
        var query = self.query()
        try query.finish()
    }
}

/// Checks and parses a JSON body before its fields are read.
enum JSONBody {
    /// `application/json`, parameters allowed, but no charset other than UTF-8 and no content coding.
    static func checkType(_ headers: HTTPFields) throws(DiaryError) {
        let values = headers[values: .contentType]
        guard values.count == 1, let value = values.first else { throw DiaryError(.unsupportedMediaType) }
        if value != "application/json" { try checkParameters(of: value) }
        if let coding = headers[.contentEncoding], coding.lowercased() != "identity" { throw DiaryError(.unsupportedMediaType) }
    }

    private static func checkParameters(of value: String) throws(DiaryError) {
        let parts = value.split(separator: ";", omittingEmptySubsequences: false).map { trimmed($0).lowercased() }
        guard parts.first == "application/json" else { throw DiaryError(.unsupportedMediaType) }
        for parameter in parts.dropFirst() where parameter.hasPrefix("charset=") {
            let charset = parameter.dropFirst("charset=".count).filter { $0 != "\"" }
            guard charset == "utf-8" || charset == "utf8" else { throw DiaryError(.unsupportedMediaType) }
        }
    }

    static func open(_ bytes: [UInt8], maxDepth: Int) throws(DiaryError) -> Fields {
        do {
            return Fields(try JSONParser.parse(bytes, JSONRules(maximumDepth: maxDepth)))
        } catch {
            throw DiaryError(.malformedJSON, fields: [.init("", "\(error.reason) (byte \(error.offset))")])
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}

extension AccessContext {
    /// The JSON object of a PATCH: `application/merge-patch+json` (RFC 7396) or `application/json`.
    func mergePatch() async throws -> Fields {
        try refuseQuery()
        var headers = exchange.headers
        let value = headers[values: .contentType]
        if value.count == 1, let type = value.first, type.lowercased().hasPrefix("application/merge-patch+json") {
            let rest = type.dropFirst("application/merge-patch+json".count)
            guard rest.isEmpty || rest.first == ";" || rest.first == " " else { throw DiaryError(.unsupportedMediaType) }
            headers[.contentType] = "application/json" + rest
        }
        try JSONBody.checkType(headers)
        return try JSONBody.open(try await exchange.body.collect(), maxDepth: exchange.environment.limits.jsonDepth)
    }
}

extension ByteBuffer {
    /// A document that is one object.
    /// - Parameter capacity: bytes it is likely to need.
    static func json(capacity: Int = 512, _ write: (inout JSONWriter) -> Void) -> ByteBuffer {
        var writer = JSONWriter(capacity: capacity)
        writer.object(write)
        return writer.withDocument { document in unsafe document.withUnsafeBytes { unsafe ByteBuffer(bytes: $0) } }
    }
}

/// Limits of size and depth of a JSON body (F5).
package struct JSONLimits: Sendable {
    package var jsonBytes = 256 * 1024
    package var jsonDepth = 32
}
