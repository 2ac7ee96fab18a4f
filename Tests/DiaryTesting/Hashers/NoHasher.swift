package import DiaryCore

/// No password is right.
package struct NoHasher: PasswordHasher {
    package init() {}
    package func hash(_ password: String, for caller: HasherCaller) async throws(HasherBusy) -> String { "$argon2id$" }
    package func verify(_ password: String, against phc: String?, for caller: HasherCaller) async throws(HasherBusy) -> Bool { false }
    package func needsRehash(_ phc: String) -> Bool { false }
}
