import DiaryCore
import HTTPTypes

enum RegistrationFields {
    static let nameLength = 100

    /// nil when the address was refused, and then `finish` throws.
    static func read(_ f: inout Fields, passwordCheck: PasswordCheck) -> RegisterByEmail.Form? {
        let email = f.mailAddress("email")
        let name = f.spokenText("name", max: nameLength)
        let before = f.errors.count
        let password = f.requiredText("password", max: SignInFields.passwordLength)
        if f.errors.count == before, let fault = passwordCheck(password, [email?.text, name].compactMap { $0 }) {
            f.refuse("password", fault)
        }
        let zone = f.deviceZone("time_zone")
        let locale = f.deviceLanguage("locale")
        return email.map { RegisterByEmail.Form(email: $0, password: password, name: name, timeZone: zone, locale: locale) }
    }
}

/// Limits of the fields of sign-in.
enum SignInFields {
    static let passwordLength = 1024
    static let deviceLength = 100
}

/// The language that a client asks for before it has an account (RFC 9110 section 12.5.4).
enum AcceptedLanguages {
    /// The tag of the highest weight, the first of several; nil when the field is missing, or has none that an account could have.
    static func best(_ headers: HTTPFields) -> String? {
        var best: (tag: String, weight: Double)?
        for range in headers[values: .acceptLanguage].joined(separator: ",").split(separator: ",").prefix(20) {
            let parts = range.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard let tag = parts.first.flatMap({ DeviceLanguage($0).text }) else { continue }
            let weight = parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            if weight > best?.weight ?? 0 { best = (tag, weight) }
        }
        return best?.tag
    }
}
