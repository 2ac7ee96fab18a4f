import CLibcurl

/// The only owner of a `CURLU`. libcurl parses the text once, so the URL that is requested is the one that was checked.
///
/// Unchecked Sendable: it does not change after `init`, and the handle that reads it belongs to one thread.
final class CurlURL: @unchecked Sendable {
    let pointer: OpaquePointer
    let target: AllowedHost

    /// - Throws: `notAllowed` for a malformed URL, one with credentials, or one that no entry of the list matches.
    init(_ text: String, allowed: [AllowedHost]) throws(TransferError) {
        guard text.utf8.count <= 8192, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let pointer = curl_url() else {
            throw .notAllowed
        }
        guard curl_url_set(pointer, CURLUPART_URL, text, UInt32(CURLU_DISALLOW_USER)) == CURLUE_OK,
            let target = Self.target(of: pointer, in: allowed)
        else {
            curl_url_cleanup(pointer)
            throw .notAllowed
        }
        self.pointer = pointer
        self.target = target
    }

    deinit { curl_url_cleanup(pointer) }

    private static func target(of pointer: OpaquePointer, in allowed: [AllowedHost]) -> AllowedHost? {
        guard let name = part(pointer, CURLUPART_SCHEME)?.lowercased(), let scheme = AllowedHost.Scheme(rawValue: name),
            let text = part(pointer, CURLUPART_HOST)?.lowercased(),
            part(pointer, CURLUPART_USER) == nil, part(pointer, CURLUPART_PASSWORD) == nil, part(pointer, CURLUPART_ZONEID) == nil
        else { return nil }
        let host = text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
        var port = scheme.defaultPort
        if let given = part(pointer, CURLUPART_PORT) {
            guard let number = Int(given) else { return nil }
            port = number
        }
        return allowed.first { $0.scheme == scheme && $0.host == host && $0.port == port }
    }

    private static func part(_ pointer: OpaquePointer, _ part: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(pointer, part, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
