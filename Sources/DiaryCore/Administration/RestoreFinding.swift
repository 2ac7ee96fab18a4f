/// Something that does not fit together after a restore. Ids only.
package struct RestoreFinding: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The key was destroyed after the dump of the main database, or the key database is older.
        case accountWithoutKey = "account_without_key"
        /// The account's rows were sealed under another key than the one that is there.
        case otherKey = "other_key"
        case keyDoesNotOpen = "key_does_not_open"
        /// The account is erased; a restore brought its key back.
        case keyWithoutAccount = "key_without_account"
        /// The account was made in the time that the main database has lost.
        case keyOfLostAccount = "key_of_lost_account"
        /// A recording or zip that a row names is not in the store.
        case missingObject = "missing_object"
        /// No row names the object. A newer dump may still name one of the lost time.
        case objectWithoutRow = "object_without_row"
        case wrongMasterKey = "wrong_master_key"
        case wrongServiceSecret = "wrong_service_secret"
        case tokenKeyRestored = "token_key_restored"
        case oldEpoch = "old_epoch"
    }

    package var kind: Kind
    package var owner: Owner?
    /// The entry's, export's, object's or key's id.
    package var id: String?
}
