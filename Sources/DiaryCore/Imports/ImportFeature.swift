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
