// The memberwise initialisers of this target's package structs that have none of their own. `scripts/initialisers` writes this file.
//
// The last parameter, which is never given, tells each from the one that the compiler writes for the target alone.

package import FoundationEssentials
package import PostgresClient

extension PostgresExportAdministration {
    package init(pool: ConnectionPool, _: Void = ()) {
        self.pool = pool
    }
}

extension PostgresJobAdministration {
    package init(pool: ConnectionPool, _: Void = ()) {
        self.pool = pool
    }
}

extension PostgresKeyAdministration {
    package init(pool: ConnectionPool, _: Void = ()) {
        self.pool = pool
    }
}

extension PostgresRestoreAdministration {
    package init(pool: ConnectionPool, _: Void = ()) {
        self.pool = pool
    }
}

extension PostgresRestoreAdministration.Epoch {
    package init(lost: ClosedRange<Date>, _: Void = ()) {
        self.lost = lost
    }
}

extension PostgresUserAdministration {
    package init(pool: ConnectionPool, _: Void = ()) {
        self.pool = pool
    }
}

extension PostgresEngineAdministration {
    package init(pool: ConnectionPool, _: Void = ()) {
        self.pool = pool
    }
}

extension PostgresWorkerPresence {
    package init(pool: ConnectionPool, _: Void = ()) {
        self.pool = pool
    }
}

extension PostgresMailAdministration {
    package init(pool: ConnectionPool, _: Void = ()) {
        self.pool = pool
    }
}

extension PostgresMailEventStore {
    package init(pool: ConnectionPool, _: Void = ()) {
        self.pool = pool
    }
}

extension Migration {
    package init(number: Int, name: String, _: Void = ()) {
        self.number = number
        self.name = name
    }
}

extension MigrationStatus {
    package init(number: Int, name: String, state: State, _: Void = ()) {
        self.number = number
        self.name = name
        self.state = state
    }
}

extension PostgresKeyCheckStore {
    package init(pool: ConnectionPool, _: Void = ()) {
        self.pool = pool
    }
}

extension PostgresRetiredTokenKeys {
    package init(pool: ConnectionPool, _: Void = ()) {
        self.pool = pool
    }
}

extension PostgresSigningKeyStore {
    package init(pool: ConnectionPool, _: Void = ()) {
        self.pool = pool
    }
}

extension PostgresTenantAdministration {
    package init(pool: ConnectionPool, _: Void = ()) {
        self.pool = pool
    }
}

extension PostgresUsageAdministration {
    package init(pool: ConnectionPool, _: Void = ()) {
        self.pool = pool
    }
}
