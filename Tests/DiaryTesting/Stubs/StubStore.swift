/// Every store: has no accounts and no entries, echoes what is created, and has the one export of `Stub`, whose zip is `0123456789`.
package struct StubStore: Sendable {
    package init() {}
}
