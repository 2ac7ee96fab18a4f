// What a generated client calls of Moshi, without its work; see OkHttp.kt.
package com.squareup.moshi

annotation class Json(val name: String = "", val ignore: Boolean = false)

annotation class JsonClass(val generateAdapter: Boolean, val generator: String = "")

annotation class FromJson

annotation class ToJson

interface JsonAdapter<T> {
    interface Factory

    fun fromJson(text: String): T?

    fun toJson(value: T?): String
}

interface Moshi {
    fun <T> adapter(type: Class<T>): JsonAdapter<T>

    class Builder {
        fun add(adapter: Any): Builder = this

        fun build(): Moshi = TODO()
    }
}

inline fun <reified T> Moshi.adapter(): JsonAdapter<T> = adapter(T::class.java)
