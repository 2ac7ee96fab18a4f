import CLibcurl

/// The only owner of a `curl_slist`.
struct TextList: ~Copyable {
    private(set) var pointer: UnsafeMutablePointer<curl_slist>?

    init?(_ texts: [String]) {
        for text in texts {
            guard let longer = curl_slist_append(pointer, text) else {
                curl_slist_free_all(pointer)
                return nil
            }
            pointer = longer
        }
    }

    deinit { curl_slist_free_all(pointer) }
}
