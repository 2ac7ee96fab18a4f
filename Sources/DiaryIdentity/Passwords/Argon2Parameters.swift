/// Cost of a password hash. The default is OWASP's for argon2id (19 MiB, two passes, one lane).
package struct Argon2Parameters: Sendable, Equatable {
    package var memoryKiB: UInt32 = 19_456
    package var passes: UInt32 = 2
    package var lanes: UInt32 = 1
}
