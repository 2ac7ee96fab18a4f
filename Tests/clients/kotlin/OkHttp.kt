// What a generated client calls of OkHttp 4, without its work: the package is in no registry that the other tests use.
package okhttp3

import java.io.Closeable
import java.io.File
import java.io.InputStream

interface Call {
    fun execute(): Response

    interface Factory {
        fun newCall(request: Request): Call
    }
}

interface Callback

class OkHttpClient : Call.Factory {
    override fun newCall(request: Request): Call = TODO()

    class Builder {
        fun build() = OkHttpClient()
    }
}

class HttpUrl {
    val encodedPathSegments = listOf<String>()

    fun newBuilder() = Builder()

    class Builder {
        fun scheme(scheme: String) = this

        fun host(host: String) = this

        fun addEncodedPathSegments(segments: String) = this

        fun addQueryParameter(name: String, value: String?) = this

        fun addPathSegment(segment: String) = this

        fun build() = HttpUrl()
    }

    companion object {
        fun String.toHttpUrlOrNull(): HttpUrl? = null
    }
}

class MediaType {
    companion object {
        fun String.toMediaTypeOrNull(): MediaType? = null
    }
}

class Headers {
    fun toMultimap(): Map<String, List<String>> = mapOf()

    class Builder {
        fun add(name: String, value: String) = this

        fun build() = Headers()
    }

    companion object {
        fun Map<String, String>.toHeaders() = Headers()
    }
}

open class RequestBody {
    companion object {
        fun ByteArray.toRequestBody(type: MediaType? = null) = RequestBody()

        fun String.toRequestBody(type: MediaType? = null) = RequestBody()

        fun File.asRequestBody(type: MediaType? = null) = RequestBody()
    }
}

class FormBody : RequestBody() {
    class Builder {
        fun add(name: String, value: String) = this

        fun build() = FormBody()
    }
}

class MultipartBody : RequestBody() {
    class Builder {
        fun setType(type: MediaType) = this

        fun addPart(headers: Headers?, body: RequestBody) = this

        fun build() = MultipartBody()
    }

    companion object {
        val FORM = MediaType()
    }
}

class Request {
    class Builder {
        fun url(url: HttpUrl) = this

        fun headers(headers: Headers) = this

        fun head() = this

        fun delete(body: RequestBody?) = this

        fun patch(body: RequestBody) = this

        fun post(body: RequestBody) = this

        fun put(body: RequestBody) = this

        fun method(name: String, body: RequestBody?) = this

        fun build() = Request()
    }
}

interface ResponseBody {
    fun byteStream(): InputStream

    fun bytes(): ByteArray

    fun string(): String
}

interface Response : Closeable {
    val body: ResponseBody?
    val code: Int
    val headers: Headers
    val isRedirect: Boolean
    val isSuccessful: Boolean
    val message: String

    fun header(name: String): String?
}
