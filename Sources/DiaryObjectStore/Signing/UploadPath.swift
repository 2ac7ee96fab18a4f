import DiaryCore

enum UploadPath {
    static let service = "s3"
    static let folder = "/objects/"

    static func path(of key: ObjectKey, under publicURL: PublicURL) -> String {
        "\(publicURL.prefix)\(folder)\(key)"
    }

    /// The key in a raw path, which may lack the public prefix when the proxy removes it. Staging only.
    static func key(in path: String, under publicURL: PublicURL) -> ObjectKey? {
        let full = publicURL.prefix + folder
        let rest: Substring
        if path.hasPrefix(full) {
            rest = path.dropFirst(full.count)
        } else if path.hasPrefix(folder) {
            rest = path.dropFirst(folder.count)
        } else {
            return nil
        }
        guard path.utf8.allSatisfy({ $0 < 0x80 }), rest.utf8.count <= 128, let key = ObjectKey(path: rest), key.kind == .staging else {
            return nil
        }
        return key
    }
}
