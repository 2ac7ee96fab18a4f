import DiaryCore

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
