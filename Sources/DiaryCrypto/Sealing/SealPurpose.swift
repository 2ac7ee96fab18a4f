/// What a subkey of a user's data key is for. Bytes sealed for one purpose do not open for another.
package enum SealPurpose: String, Sendable, CaseIterable {
    case content, audio, index, export
}
