import DiaryCore
import WireFormats

enum EngineOptionPayload {
    static func write(_ w: inout JSONWriter, _ option: EngineOffer.Option) {
        w.object { w in
            w.member("name", option.name)
            w.member("hosted", option.isHosted)
        }
    }
}
