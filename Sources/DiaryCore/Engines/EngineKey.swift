import DiaryCrypto
import WireFormats

/// Names an engine across processes: those with the same key are one, and what is learnt of one call holds for the next.
package struct EngineKey: Sendable, Hashable {
    /// nil: the process's own, for all apps.
    package let app: TenantID?
    package let stage: EngineStage
    package let name: String
    /// Changes with the settings and the secret, of which it tells nothing.
    package let revision: String

    package init(app: TenantID?, stage: EngineStage, name: String, revision: String) {
        self.app = app
        self.stage = stage
        self.name = name
        self.revision = revision
    }

    package init(_ settings: EngineSettings) {
        let parts = [settings.kind.rawValue, settings.url, settings.model, settings.secret, settings.revision].map { $0 ?? "" }
        // Each part with its length, so that no two lists are written alike.
        let text = (parts + settings.command).map { "\($0.utf8.count):\($0)" }.joined()
        self.init(
            app: settings.app, stage: settings.stage, name: settings.name,
            revision: Hex.encode(Array(SHA256.digest(Array(text.utf8)).prefix(6))))
    }
}

extension EngineSettings {
    /// The settings as those of an app's engine.
    /// - Parameter secret: as stored, sealed; nil without one. Another one is another revision.
    package func owned(by app: TenantID, secret: [UInt8]?) -> EngineSettings {
        var settings = revised(by: secret)
        settings.app = app
        return settings
    }

    /// The settings as those of an engine of the process, or of no particular app.
    /// - Parameter secret: of which the revision keeps 48 bits of a hash.
    package func revised(by secret: [UInt8]?) -> EngineSettings {
        var settings = self
        settings.revision = secret.map { Hex.encode(Array(SHA256.digest($0).prefix(6))) }
        return settings
    }
}
