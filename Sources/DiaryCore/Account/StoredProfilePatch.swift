/// A `ProfilePatch` with name and vocabulary sealed.
package struct StoredProfilePatch: Sendable {
    package var nameSealed: Patch<[UInt8]>
    package var rest: ProfilePatch
    package var vocabularySealed = Patch<[UInt8]>.absent
}
