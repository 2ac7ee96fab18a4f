import DiaryCore
import FoundationEssentials

/// What `identities.issuer` holds.
enum IdentityIssuer: String, CaseIterable {
    case email, apple, google

    var provider: IdentityProvider? {
        switch self {
        case .email: nil
        case .apple: .apple
        case .google: .google
        }
    }
}

extension IdentityIssuer: StoredEnumeration { static let storedNames = StoredNames<IdentityIssuer>() }
