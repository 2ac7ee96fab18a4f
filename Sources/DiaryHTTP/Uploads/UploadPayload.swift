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

    static func received(_ plan: PartPlan, _ arrived: [ArrivedPart]) -> Reply {
        Reply.json(capacity: 128 + arrived.count * 40) { w in
            write(plan, to: &w)
            w.array("received", arrived) { w, part in
                w.object {
                    $0.member("number", part.number)
                    $0.member("size_bytes", part.size)
                }
            }
        }
    }

    static func offer(_ offer: OpenParts.Offer) -> Reply {
        Reply.json(capacity: 256 + offer.targets.count * 768) { w in
            write(offer.plan, to: &w)
            w.member("received_count", offer.received)
            w.array("parts", offer.targets) { w, part in
                w.object { w in
                    w.member("number", part.number)
                    w.member("size_bytes", part.size)
                    write(part.target, to: &w)
                }
            }
            w.member("next_number", offer.next)
        }
    }
}
