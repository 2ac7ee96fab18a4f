package import FoundationEssentials

extension ProfileStore {
    func profile(of member: Member, opening keys: DataKeys) async throws(DiaryError) -> Profile {
        let stored = try await profile(of: member)
        return try Profile(stored, opened: try await keys.vault(of: member))
    }
}

extension Profile {
    init(_ stored: StoredProfile, opened vault: Vault) throws(DiaryError) {
        let row = vault.owner.user.uuid
        let name = try vault.text(stored.nameSealed, .name, row: row)
        self.init(
            email: try vault.text(stored.emailSealed, .email, row: row), stored: stored, name: name,
            vocabulary: try vault.vocabulary(stored.vocabularySealed), reminder: try vault.reminder(stored.reminderSealed))
    }
}

/// The account, for its owner.
package struct Profile: Sendable {
    package var email: String?
    package var stored: StoredProfile
    package var name: String?
    /// Names and places that are expected to be spoken.
    package var vocabulary: [String] = []
    package var reminder = Reminder.standard
}

/// A member's settings of their diary.
package struct Preferences: Sendable, Equatable {
    /// Minutes after midnight, 0 … 719: entries before this time of their own clock belong to the day before (decision D17).
    package var dayEndsMinute: Int = 0
    /// Language tags for recordings whose client named none; empty means any.
    package var languages: [String] = []
    /// Since when recordings and texts may go to engines outside the machine, where the app asks; nil: they may not.
    package var hostedProcessingConsentAt: Date? = nil
    /// After how many days recordings are removed, unless the app's days are fewer; nil: as the app says.
    package var recordingsRetentionDays: Int? = nil
    /// Engines of the app's chains that are asked before the others.
    package var engines: EngineChoice = EngineChoice()

    package init(
        dayEndsMinute: Int = 0, languages: [String] = [], hostedProcessingConsentAt: Date? = nil, recordingsRetentionDays: Int? = nil,
        engines: EngineChoice = EngineChoice()
    ) {
        self.dayEndsMinute = dayEndsMinute
        self.languages = languages
        self.hostedProcessingConsentAt = hostedProcessingConsentAt
        self.recordingsRetentionDays = recordingsRetentionDays
        self.engines = engines
    }
}

/// How mail reaches an account's address, as `email_status` of the schema tells it.
package enum EmailStatus: String, Sendable, CaseIterable {
    case ok
    /// Mails came back lately for a reason that may pass; they are still sent.
    case bouncing
    /// Only codes that someone asks for are sent.
    case complained
    /// Nothing is sent but codes that verify the address.
    case suppressed
}

extension Vault.Part {
    /// JSON.
    package static let vocabulary = Vault.Part(name: "vocabulary", table: "users")
}

/// Names and places that an account expects to be spoken. They are sealed, because they say as much as the diary's words.
extension Vault {
    /// - Returns: nil for no words.
    func sealed(vocabulary: [String]) throws(DiaryError) -> [UInt8]? {
        vocabulary.isEmpty ? nil : try seal(vocabulary, as: .vocabulary, row: owner.user.uuid)
    }

    package func vocabulary(_ sealed: [UInt8]?) throws(DiaryError) -> [String] {
        guard let sealed else { return [] }
        return try open([String].self, sealed, as: .vocabulary, row: owner.user.uuid)
    }
}
