import DiaryHTTP
import TestHTTPClient
import WireFormats

extension Answer {
    var json: JSONObject? {
        if case .object(let members)? = try? JSONParser.parse(body) { members } else { nil }
    }
    var code: String? { if case .string(let code)? = json?["code"] { code } else { nil } }
    var pointers: [String] {
        guard case .array(let errors)? = json?["errors"] else { return [] }
        return errors.compactMap { if case .object(let error) = $0, case .string(let pointer)? = error["pointer"] { pointer } else { nil } }
    }
}
