package import DiaryCrypto
import WireFormats

/// A signature as a request carries it. Parsing only; `isValid` then proves it.
package struct SigV4Presented: Sendable, Equatable {
    package var accessKeyID: String
    package var date: AmzDate
    package var scope: SigV4Scope
    package var signedHeaders: [String]
    /// 64 lower-case hex digits.
    package var signature: String
    /// Seconds; only in the query form.
    package var expires: Int?

    /// The query form. Nil unless each of the six parameters is there exactly once and well formed.
    /// - Parameter parameters: decoded names and values; others are ignored.
    package init?(parameters: [(name: String, value: String)]) {
        func only(_ name: String) -> String? {
            let found = parameters.filter { $0.name == name }
            return found.count == 1 ? found.first?.value : nil
        }
        guard only("X-Amz-Algorithm") == SigV4.algorithm, let credential = only("X-Amz-Credential"),
            let date = only("X-Amz-Date"), let expires = only("X-Amz-Expires").flatMap(Self.positive),
            let signedHeaders = only("X-Amz-SignedHeaders"), let signature = only("X-Amz-Signature")
        else { return nil }
        self.init(credential: credential, date: date, signedHeaders: signedHeaders, signature: signature, expires: expires)
    }

    /// The header form.
    package init?(authorization: String, date: String) {
        guard let space = authorization.firstIndex(of: " "), authorization[..<space] == SigV4.algorithm else { return nil }
        var fields: [String: String] = [:]
        for field in authorization[space...].split(separator: ",") {
            let sides = field.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, fields.updateValue(String(sides[1]), forKey: String(sides[0])) == nil else { return nil }
        }
        guard fields.count == 3, let credential = fields["Credential"], let signedHeaders = fields["SignedHeaders"],
            let signature = fields["Signature"]
        else { return nil }
        self.init(credential: credential, date: date, signedHeaders: signedHeaders, signature: signature, expires: nil)
    }

    private init?(credential: String, date: String, signedHeaders: String, signature: String, expires: Int?) {
        let parts = credential.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, parts[4] == SigV4Scope.terminator, let date = AmzDate(date), parts[1] == date.day,
            signature.utf8.count == 64, Hex.decode(signature) != nil, signature.asciiLowercased == signature
        else { return nil }
        self.accessKeyID = parts[0]
        self.date = date
        self.scope = SigV4Scope(day: parts[1], region: parts[2], service: parts[3])
        self.signedHeaders = signedHeaders.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        self.signature = signature
        self.expires = expires
    }

    /// Computes the signature again and compares in constant time.
    /// - Parameter request: without `X-Amz-Signature` in its query.
    package func isValid(for request: SigV4Request, secret: SecretBytes, normalizingPath: Bool = false) -> Bool {
        let expected = SigV4.signature(
            of: request, signedHeaders: signedHeaders, date: date, scope: scope, secret: secret, normalizingPath: normalizingPath)
        return ConstantTime.equal(Array(expected.utf8), Array(signature.utf8))
    }

    /// 1 … 604800 (seven days, SigV4's limit) in plain digits.
    private static func positive(_ text: String) -> Int? {
        guard (1...6).contains(text.utf8.count), let value = Int(text), String(value) == text, (1...604_800).contains(value) else {
            return nil
        }
        return value
    }
}
