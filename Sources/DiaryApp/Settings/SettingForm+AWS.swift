import WireFormats

extension SettingForm where Value == String {
    /// A region of AWS, or what a compatible service takes for one.
    static let region = SettingForm("text", fault: "must be letters, digits and hyphens") { text in
        (1...64).contains(text.utf8.count) && PercentEncoding.encode(text.utf8) == text ? text : nil
    }

    /// The id of the key that signs.
    static let accessKey = SettingForm("text", fault: "must be 1 to 256 visible ASCII characters without a slash") { text in
        (1...256).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "/") } ? text : nil
    }
}
