import CLibcurl
import Glibc

extension EasyHandle {
    func setUpHTTP(_ method: TransferRequest.Method, length: Int64??, isRepeatable: Bool, maximum: Int?) throws(TransferError) {
        // HTTP/2 would buffer up to 32 MiB of a paused response.
        try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        try check(diary_curl_set_list(pointer, CURLOPT_HTTPHEADER, lines.pointer))
        switch (method, length) {
        case (.get, _): try set(CURLOPT_HTTPGET, 1)
        case (.head, _): try set(CURLOPT_NOBODY, 1)
        case (_, .some(let length)):
            try set(CURLOPT_UPLOAD, 1)
            try set(CURLOPT_INFILESIZE_LARGE, offset: length ?? -1)
            try set(CURLOPT_CUSTOMREQUEST, method.rawValue)
        case (_, nil): try set(CURLOPT_CUSTOMREQUEST, method.rawValue)
        }
        if !isRepeatable { try set(CURLOPT_FRESH_CONNECT, 1) }
        if let maximum { try set(CURLOPT_MAXFILESIZE_LARGE, offset: Int64(max(1, maximum))) }
        try check(
            diary_curl_on_body(
                pointer,
                { bytes, size, count, context in
                    guard let handle = EasyHandle.from(context) else { return 0 }
                    return handle.transfer.receive(UnsafeRawBufferPointer(start: bytes, count: size * count))
                }, context))
        try check(
            diary_curl_on_header(
                pointer,
                { bytes, size, count, context in
                    guard let handle = EasyHandle.from(context) else { return 0 }
                    return handle.transfer.receive(header: UnsafeRawBufferPointer(start: bytes, count: size * count))
                }, context))
        try check(
            diary_curl_on_rewind(
                pointer,
                { context, offset, origin in
                    guard let handle = EasyHandle.from(context), offset == 0, origin == SEEK_SET else { return CURL_SEEKFUNC_CANTSEEK }
                    return handle.transfer.rewind() ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_CANTSEEK
                }, context))
    }
}
