#pragma once
/* The type checks of curl.h are macros over literal options; here the option is a parameter. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/* Only what Swift cannot say: curl_easy_setopt and its like are variadic, so there is one function per type. */

static inline CURLcode diary_curl_set_long(CURL *easy, CURLoption option, long value) { return curl_easy_setopt(easy, option, value); }
static inline CURLcode diary_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) { return curl_easy_setopt(easy, option, value); }
/* libcurl copies the text. NULL takes the option back. */
static inline CURLcode diary_curl_set_text(CURL *easy, CURLoption option, const char *value) { return curl_easy_setopt(easy, option, value); }
/* libcurl keeps the pointer. */
static inline CURLcode diary_curl_set_pointer(CURL *easy, CURLoption option, void *value) { return curl_easy_setopt(easy, option, value); }
static inline CURLcode diary_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) { return curl_easy_setopt(easy, option, value); }
static inline CURLcode diary_curl_set_url(CURL *easy, CURLU *value) { return curl_easy_setopt(easy, CURLOPT_CURLU, value); }

typedef size_t (*diary_curl_bytes)(char *bytes, size_t size, size_t count, void *context);
static inline CURLcode diary_curl_on_body(CURL *easy, diary_curl_bytes call, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, call);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_WRITEDATA, context) : code;
}
static inline CURLcode diary_curl_on_header(CURL *easy, diary_curl_bytes call, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, call);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_HEADERDATA, context) : code;
}
static inline CURLcode diary_curl_on_upload(CURL *easy, diary_curl_bytes call, void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_READFUNCTION, call);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_READDATA, context) : code;
}
static inline CURLcode diary_curl_on_rewind(CURL *easy, int (*call)(void *context, curl_off_t offset, int origin), void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, call);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_SEEKDATA, context) : code;
}
static inline CURLcode diary_curl_on_socket(
    CURL *easy, curl_socket_t (*call)(void *context, curlsocktype purpose, struct curl_sockaddr *address), void *context) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, call);
    return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context) : code;
}

static inline long diary_curl_response_code(CURL *easy) {
    long code = 0;
    return curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &code) == CURLE_OK ? code : 0;
}

static inline CURLMcode diary_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/* The next transfer that is over, NULL when there is none. The message dies with the next call, so its parts are copied. */
static inline CURL *diary_curl_next_done(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
