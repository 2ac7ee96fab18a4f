import S3Client
import WireFormats

/// The headers of an upload that its signature covers, each there exactly once.
struct UploadHeaders {
    let contentType: String
    let length: Int64
    let sha256: [UInt8]?
    private let lengthText: String
    private let checksumText: String?

    private static let checksum = "x-amz-checksum-sha256"
    /// Those that a client sends and a signature may cover, in lower case.
    static let names = ["content-length", "content-type", checksum]

    /// These would change the meaning of the body, and the signature does not cover them. `Authorization` is ignored: apps set it for all their
    /// requests, and the URL's signature alone decides.
    private static let refused: Set<String> = [
        "content-encoding", "content-range", "transfer-encoding", "x-http-method-override",
    ]

    init?(_ headers: [(name: String, value: String)]) {
        var values: [String: String] = [:]
        for header in headers {
            let name = header.name.asciiLowercased
            switch name {
            case "host", "content-type", "content-length", Self.checksum:
                guard values.updateValue(header.value, forKey: name) == nil else { return nil }
            default:
                // S3 refuses unsigned x-amz-* headers as well.
                guard !name.hasPrefix("x-amz-"), !Self.refused.contains(name) else { return nil }
            }
        }
        guard let type = values["content-type"].map(SigV4.trimmed), !type.isEmpty, type.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
            let lengthText = values["content-length"], let length = Int64(lengthText), length >= 0, String(length) == lengthText
        else { return nil }
        contentType = type
        self.length = length
        self.lengthText = lengthText
        checksumText = values[Self.checksum]
        guard let checksumText else {
            sha256 = nil
            return
        }
        guard let digest = Base64.decode(checksumText), digest.count == 32 else { return nil }
        sha256 = digest
    }

    /// Sorted, as SigV4 requires.
    var signedNames: [String] {
        ["content-length", "content-type", "host"] + (checksumText == nil ? [] : [Self.checksum])
    }

    /// - Parameter type: in place of the one that was sent.
    func signed(host: String, type: String? = nil) -> [(name: String, value: String)] {
        var all = [
            (name: "content-length", value: lengthText), (name: "content-type", value: type ?? contentType), (name: "host", value: host),
        ]
        if let checksumText { all.append((name: Self.checksum, value: checksumText)) }
        return all
    }
}
