import CLibcurl

/// Initialises libcurl once per process and never cleans up (thread-safe since 7.84).
enum CurlLibrary {
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
