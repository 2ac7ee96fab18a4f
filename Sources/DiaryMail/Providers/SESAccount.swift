package import AWSSigning

/// An account of SES in one region.
package struct SESAccount: Sendable {
    package var region: String
    package var credentials: SigV4Credentials
    package var configurationSet: String? = nil
}
