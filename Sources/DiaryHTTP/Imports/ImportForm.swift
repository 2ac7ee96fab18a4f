import DiaryCore

enum ImportForm {
    /// nil when a field was refused, and then `finish` throws.
    static func read(_ f: inout Fields, idempotencyKey: String?) -> CreateImport.Form? {
        let type = f.requiredText("content_type", max: 100)
        if !type.isEmpty, type.lowercased() != Import.contentType { f.refuse("content_type", "must be \(Import.contentType)") }
        let size: Int64 = f.required("size_bytes", 0) { $0.integer("size_bytes", in: 1...Int64.max) }
        let sha256 = f.hex("sha256", count: 32)
        let parts = f.bool("parts") ?? false
        guard size > 0 else { return nil }
        return CreateImport.Form(sizeBytes: size, sha256: sha256, wantsParts: parts, idempotencyKey: idempotencyKey)
    }
}
