import CurlTransfer
import FoundationEssentials

/// Which mail server, and how the connection is secured.
struct SMTPAddress: Sendable {
    let host: String
    /// nil: the scheme's own.
    let port: Int?
    let security: SMTPServer.Security

    /// `smtps://host[:465]`, `smtp://host[:587]` (STARTTLS, required), or `smtp+plain://host[:25]` for a relay on the same machine.
    init(url text: String) throws(SettingForm<SMTPAddress>.Fault) {
        let form = "must be smtps://host[:port], smtp://host[:port] (with STARTTLS) or smtp+plain://host[:port]"
        guard let url = URLComponents(string: text), let scheme = url.scheme, let host = url.host, !host.isEmpty,
            url.path.isEmpty || url.path == "/", url.query == nil, url.user == nil, url.password == nil
        else { throw .init(form) }
        switch scheme {
        case "smtps": security = .implicit
        case "smtp": security = .startTLS
        case "smtp+plain": security = .none
        default: throw .init(form)
        }
        if let port = url.port, !(1...65_535).contains(port) { throw .init("has a port outside 1 … 65535") }
        port = url.port
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
}
