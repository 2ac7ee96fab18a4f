import FoundationEssentials

/// Imports: announced, uploaded, completed, listed with their reports, and deleted.
package struct ImportFeature: Sendable {
    package let create: CreateImport
    package let complete: CompleteImport
    package let parts: ImportParts
    package let read: ReadImports
    package let delete: DeleteImport

    init(_ ports: FeaturePorts) {
        let (imports, keys) = (ports.imports, ports.memberKeys)
        create = CreateImport(
            imports: imports, keys: keys, serviceKeys: ports.serviceKeys, uploads: ports.uploads, tenants: ports.tenants,
            limits: ports.limits,
            clock: ports.clock)
        complete = CompleteImport(imports: imports, objects: ports.objects, parts: ports.parts, keys: keys, jobSignals: ports.jobSignals)
        parts = ImportParts(create: create, imports: imports, offers: ports.partOffers, parts: ports.parts)
        read = ReadImports(imports: imports, keys: keys)
        delete = DeleteImport(imports: imports, objects: ports.objects, parts: ports.parts)
    }
}

extension DiaryFeatures {
    package var imports: ImportFeature { ImportFeature(ports) }
}

/// Ends an import and deletes its report and its zip. The imported entries stay.
package struct DeleteImport: Sendable {
    let imports: any ImportStore
    let objects: any ObjectStore
    let parts: any UploadParts

    package func run(_ id: ImportID, by member: Member) async throws(DiaryError) {
        guard let deleted = try await imports.delete(id, by: member) else { throw .notFound }
        guard let object = deleted.object else { return }
        let keys = [ObjectKey.Kind.staging, .imported].map {
            ObjectKey(kind: $0, owner: member.owner, object: object)
        }
        // The deletion is committed. An object that cannot be deleted now is an orphan, which the sweeper collects.
        _ = try? await objects.delete(keys)
        if deleted.hasParts { try? await parts.discard(keys[0], id: nil) }
    }
}
