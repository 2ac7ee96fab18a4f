import DiaryCore
import DiaryHTTP
import DiaryObjectStore
import Logging
import ServiceLifecycle

/// The store that `DIARY_OBJECTS` names and, while recordings move, the other one (`DIARY_OBJECTS_ALSO`, decision 0047).
struct ObjectStores: Sendable {
    /// New objects are written to this one.
    let first: ObjectStorage
    let also: ObjectStorage?

    /// The stores that the settings name. Connects to nothing.
    init(_ environment: Environment, logger: Logger) throws {
        try self.init(ObjectSettings(environment), also: ObjectSettings.also(environment), logger: logger)
    }

    init(_ settings: ObjectSettings, also: ObjectSettings?, logger: Logger) throws {
        first = try ObjectStorage(settings, logger: logger)
        self.also = if let also { try ObjectStorage(also, named: Settings.objectsAlso.name, logger: logger) } else { nil }
    }

    var objects: any ObjectStore {
        guard let also else { return first.objects }
        return PairedObjectStore(first: first.objects, other: also.objects)
    }

    var parts: any UploadParts {
        guard let also else { return first.parts }
        return PairedUploadParts(first: first.parts, other: also.parts)
    }

    func wipeTemporary() async {
        await first.wipeTemporary()
        await also?.wipeTemporary()
    }

    /// Without the other store some recordings cannot be read.
    func state(largest: Int64) async -> ReadinessState {
        let state = await first.state(largest: largest)
        guard state == .ok, let also, await also.state(largest: 0) == .down else { return state }
        return .degraded
    }

    var services: [any Service] { first.services + (also?.services ?? []) }
}
