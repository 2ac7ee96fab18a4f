import DiaryCore

/// The fields of sign-in and linking by a provider.
enum ProviderFields {
    static let tokenLength = 8192
    static let nonceLength = 128
    static let codeLength = 1024

    static func answer(_ f: inout Fields, by provider: IdentityProvider) -> ProviderAnswer {
        ProviderAnswer(
            provider: provider, idToken: f.requiredText("id_token", max: tokenLength), nonce: f.requiredText("nonce", max: nonceLength),
            authorizationCode: provider == .apple ? f.text("authorization_code", max: codeLength, min: 1) : nil)
    }

    static func signIn(_ f: inout Fields, by provider: IdentityProvider) -> SignInWithProvider.Form {
        SignInWithProvider.Form(
            answer: answer(&f, by: provider), device: f.text("device", max: SignInFields.deviceLength, min: 1),
            name: f.filledText("name", max: RegistrationFields.nameLength), timeZone: f.timeZone("time_zone"),
            locale: f.languageTag("locale"))
    }
}
