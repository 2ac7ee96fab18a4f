import DiaryCore

/// The fields of sign-in and linking by a provider.
enum ProviderFields {
    static let tokenLength = 8192
    static let nonceLength = 128
    static let codeLength = 1024

    static func answer(_ f: inout Fields, by provider: IdentityProvider) -> ProviderAnswer {
        ProviderAnswer(
            provider: provider, idToken: f.requiredText("id_token", max: tokenLength), nonce: f.requiredText("nonce", max: nonceLength),
            authorizationCode: provider == .apple ? f.spokenText("authorization_code", max: codeLength) : nil)
    }

    static func signIn(_ f: inout Fields, by provider: IdentityProvider) -> SignInWithProvider.Form {
        SignInWithProvider.Form(
            answer: answer(&f, by: provider), device: f.spokenText("device", max: SignInFields.deviceLength),
            name: f.spokenText("name", max: RegistrationFields.nameLength), timeZone: f.deviceZone("time_zone"),
            locale: f.deviceLanguage("locale"))
    }
}
