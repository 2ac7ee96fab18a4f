// The memberwise initialisers of this target's package structs that have none of their own. `scripts/initialisers` writes this file.
//
// The last parameter, which is never given, tells each from the one that the compiler writes for the target alone.

package import AWSSigning
package import DiaryCore

extension SESAccount {
    package init(region: String, credentials: SigV4Credentials, configurationSet: String? = nil, _: Void = ()) {
        self.region = region
        self.credentials = credentials
        self.configurationSet = configurationSet
    }
}

extension MailTemplateFault {
    package init(line: Int?, reason: String, _: Void = ()) {
        self.line = line
        self.reason = reason
    }
}

extension TestMail {
    package init(app: Tenant, _: Void = ()) {
        self.app = app
    }
}
