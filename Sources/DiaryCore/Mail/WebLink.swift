/// Addresses of the web that an operator names for mails.
package enum WebLink {
    package static let longest = 500

    /// `https://`, a host, and whatever can stand in an attribute of HTML between quotes without being escaped.
    package static func accepts(_ text: String) -> Bool {
        guard text.utf8.count <= longest, text.hasPrefix("https://"),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"<>\"'\\^`{|}".utf8.contains($0) })
        else { return false }
        let host = text.dropFirst("https://".count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return HostName(host) != nil
    }
}
