/// How an app's mails look.
package struct AppBrand: Sendable, Equatable {
    package var name: String
    /// `#2f5d50`.
    package var color: String
    /// Fetched from there when the mail is opened. nil: nothing is.
    package var logo: String?
    /// Last line of mails.
    package var footer: String?

    package init(name: String = "", color: String = "#2f5d50", logo: String? = nil, footer: String? = nil) {
        self.name = name
        self.color = color
        self.logo = logo
        self.footer = footer
    }

    package init(_ tenant: Tenant) {
        self.init(name: tenant.name, logo: tenant.configuration.text(.mailLogo), footer: tenant.configuration.text(.mailFooter))
        if let color = tenant.configuration.text(.mailColor) { self.color = color }
    }

    /// White or black, whichever has more contrast on the color (WCAG 2.2, relative luminance).
    package var letters: String { luminance > 0.179 ? "#000000" : "#ffffff" }

    private var luminance: Double {
        let digits = Array(color.utf8.dropFirst())
        guard digits.count == 6, let number = Int(String(decoding: digits, as: UTF8.self), radix: 16) else { return 0 }
        func linear(_ shift: Int) -> Double {
            let part = Double(number >> shift & 0xFF) / 255
            return part <= 0.04045 ? part / 12.92 : power((part + 0.055) / 1.055)
        }
        return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0)
    }

    /// `x` to the power of 2.4 for 0 … 1, near enough to choose between black and white: x² times the fifth root of x², by Newton's method.
    private func power(_ x: Double) -> Double {
        let square = x * x
        var root = 1.0
        for _ in 0..<30 { root = (4 * root + square / (root * root * root * root)) / 5 }
        return square * root
    }
}
