import DiaryCore

extension MailAddress {
    /// As a person types it: keyboards put white space around it, and domains may have letters beyond ASCII.
    init?(typed text: String) {
        func isBlank(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.isWhitespace || scalar.properties.generalCategory == .format
        }
        var scalars = text.unicodeScalars[...]
        while let first = scalars.first, isBlank(first) { scalars.removeFirst() }
        while let last = scalars.last, isBlank(last) { scalars.removeLast() }
        let address = String(scalars)
        guard let at = address.lastIndex(of: "@"), let domain = DomainName.ascii(String(address[address.index(after: at)...])) else {
            return nil
        }
        let isEncoded = domain.lowercased().split(separator: ".").contains { $0.hasPrefix("xn--") }
        self.init("\(address[..<at])@\(isEncoded ? domain.lowercased() : domain)")
    }
}
