/// Cost of a password hash. The default is OWASP's for argon2id (19 MiB, two passes, one lane).
package struct Argon2Parameters: Sendable, Equatable {
    package var memoryKiB: UInt32 = 19_456
    package var passes: UInt32 = 2
    package var lanes: UInt32 = 1
}

#if DIARY_FAILPOINTS
    extension Argon2Parameters {
        /// The least that libargon2 takes, for tests that are not about passwords. A release build does not have it, and nothing outside of
        /// this target can make other parameters.
        package static let least = Argon2Parameters(memoryKiB: 8, passes: 1)
    }
#endif
