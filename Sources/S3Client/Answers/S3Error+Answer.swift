import CurlTransfer
import FoundationEssentials
import WireFormats

extension S3Error {
    /// Seconds that clocks may differ by: AWS refuses at 900.
    static let skew = 900.0

    /// - Parameter body: an error document, or nothing.
    init(_ operation: String, _ head: ResponseHead, _ body: [UInt8], at now: Date) {
        let code = Self.code(of: body) ?? ""
        var reason = Self.reason(head, code, at: now)
        // radosgw answers NoSuchKey for an upload that is gone.
        if reason == .missing, Self.ofUploads.contains(operation) { reason = .noUpload }
        self.init(operation, reason, status: head.status, code: code, region: Self.region(head, body))
    }

    /// Of the bucket, where the answer names it.
    private static func region(_ head: ResponseHead, _ body: [UInt8]) -> String? {
        let named = head.header("x-amz-bucket-region") ?? (try? XMLReader.read(body))?.text("Region")
        return named.flatMap { region in
            (1...40).contains(region.utf8.count) && region.utf8.allSatisfy { isCodeByte($0) || $0 == UInt8(ascii: "-") } ? region : nil
        }
    }

    private static let ofUploads: Set = ["UploadPart", "ListParts", "CompleteMultipartUpload", "AbortMultipartUpload"]

    /// `Code` of an error document; nil for any other text.
    static func code(of body: [UInt8]) -> String? {
        guard let root = try? XMLReader.read(body), root.name == "Error", let code = root.text("Code") else { return nil }
        // It goes into logs.
        return (1...64).contains(code.utf8.count) && code.utf8.allSatisfy(isCodeByte) ? code : nil
    }

    private static func isCodeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func reason(_ head: ResponseHead, _ code: String, at now: Date) -> Reason {
        switch code {
        case "NoSuchKey", "NoSuchVersion": return .missing
        case "NoSuchBucket": return .noBucket
        case "NoSuchUpload": return .noUpload
        case "PreconditionFailed": return .exists
        case "NotImplemented": return .unsupported
        case "BadDigest", "XAmzContentSHA256Mismatch", "IncompleteBody": return .damagedBody
        case "InvalidRange": return .rangeNotSatisfiable
        case "RequestTimeTooSkewed": return .clock(seconds: offset(head, at: now))
        case "SlowDown", "ServiceUnavailable", "InternalError", "RequestTimeout", "RequestLimitExceeded", "Throttling",
            "ThrottlingException":
            return .unavailable
        // Another conditional write of the same key runs; or another operation of the bucket.
        case "ConditionalRequestConflict", "OperationAborted": return .unavailable
        default: break
        }
        switch head.status {
        case 404: return .missing
        case 412: return .exists
        case 416: return .rangeNotSatisfiable
        case 501: return .unsupported
        // What stands before the service has statuses of its own (425, 499, 520 to 530); without a code they are none of S3's.
        case 505: return .refused
        case 408, 421, 425, 429, 500...599: return .unavailable
        case 418..<500 where code.isEmpty: return .unavailable
        // The answer to a HEAD has no document that would name the clock.
        case 401, 403: return abs(Double(offset(head, at: now))) > skew ? .clock(seconds: offset(head, at: now)) : .denied
        case 200..<300: return .unreadable
        default: return .refused
        }
    }

    private static func offset(_ head: ResponseHead, at now: Date) -> Int {
        guard let theirs = head.header("date").flatMap({ HTTPDate.date($0) }) else { return 0 }
        return Int(now.timeIntervalSince(theirs).rounded())
    }
}
