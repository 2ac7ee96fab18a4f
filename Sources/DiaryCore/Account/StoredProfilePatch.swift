/// A `ProfilePatch` with the name sealed.
package struct StoredProfilePatch: Sendable {
    package var nameSealed: Patch<[UInt8]>
    package var rest: ProfilePatch
}
