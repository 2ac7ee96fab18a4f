package import AWSSigning

/// An account of SES in one region.
package struct SESAccount: Sendable {
    package var region: String
    package var credentials: SigV4Credentials
    package var configurationSet: String? = nil

    package init(region: String, credentials: SigV4Credentials, configurationSet: String? = nil) {
        self.region = region
        self.credentials = credentials
        self.configurationSet = configurationSet
    }
}
