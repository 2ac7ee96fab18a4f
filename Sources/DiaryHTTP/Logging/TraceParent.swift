/// `traceparent` (W3C Trace Context, version 00): `00-<32 hex>-<16 hex>-<2 hex>`, lower case, ids not all zero.
package struct TraceParent: Sendable, Equatable {
    package let traceID: String
    package let parentID: String

    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "00", parts[1].utf8.count == 32, parts[2].utf8.count == 16, parts[3].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) } }),
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
        else { return nil }
        traceID = String(parts[1])
        parentID = String(parts[2])
    }
}
