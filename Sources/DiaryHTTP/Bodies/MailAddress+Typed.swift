import DiaryCore
import Glibc

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

/// Domains with letters beyond ASCII, in the ASCII form that mail servers know (UTS 46, IDNA 2008).
///
/// Decision: by libidn2, on which libcurl depends, so it is on each machine; opened at run time, as its headers are a package of their own.
enum DomainName {
    private typealias ToASCII =
        @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, CInt) -> CInt

    /// `IDN2_NFC_INPUT` and `IDN2_NONTRANSITIONAL`.
    private static let flags: CInt = 1 | 8

    private static let toASCII: ToASCII? = {
        guard let library = unsafe dlopen("libidn2.so.0", RTLD_NOW), let function = unsafe dlsym(library, "idn2_to_ascii_8z") else {
            return nil
        }
        return unsafe unsafeBitCast(function, to: ToASCII.self)
    }()

    /// - Returns: nil for what is no domain.
    static func ascii(_ domain: String) -> String? {
        guard domain.utf8.contains(where: { $0 >= 0x80 }) else { return domain }
        guard domain.utf8.count <= 1_024, !domain.utf8.contains(0) else { return nil }
        var output: UnsafeMutablePointer<CChar>? = nil
        guard let toASCII = unsafe toASCII, unsafe toASCII(domain, &output, flags) == 0, let made = unsafe output else { return nil }
        defer { unsafe free(made) }
        return unsafe String(cString: made)
    }
}
