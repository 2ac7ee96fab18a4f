import DiaryCore
import WireFormats

enum UploadPayload {
    static func write(_ target: UploadTarget, to w: inout JSONWriter) {
        w.member("method", "PUT")
        w.member("url", target.url)
        w.member("headers") { w in
            for header in target.headers { w.member(JSONName(header.name), header.value) }
        }
        w.member("expires_at", target.expiresAt)
        if let parts = target.parts { w.member("parts") { write(parts, to: &$0) } }
    }

    static func write(_ plan: PartPlan, to w: inout JSONWriter) {
        w.member("part_size", plan.partSize)
        w.member("part_count", plan.count)
    }
}
