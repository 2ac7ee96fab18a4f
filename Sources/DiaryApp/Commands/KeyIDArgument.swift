/// The id of a token key as an argument. It is base64url and may start with `-`, which the parser takes for options.
enum KeyIDArgument {
    /// - Returns: the arguments of `diary keys retire` with such an id at the end, behind `--`; all others as they are.
    static func separated(_ arguments: [String]) -> [String] {
        guard arguments.starts(with: ["keys", "retire"]), !arguments.contains("--"), let index = arguments.firstIndex(where: isDashed)
        else {
            return arguments
        }
        var others = arguments
        let id = others.remove(at: index)
        return others + ["--", id]
    }

    /// A SHA-256 in base64url has 43 characters.
    private static func isDashed(_ argument: String) -> Bool {
        argument.utf8.count == 43 && argument.hasPrefix("-")
            && argument.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
