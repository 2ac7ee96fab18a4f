import WireFormats

/// The body of a `POST /chat/completions`, in the order in which OpenAI's SDK writes its members.
struct ChatRequest: Sendable {
    /// What the server is told of the answer's form.
    enum Format: Sendable, Equatable {
        /// The members and their types, which the server enforces.
        case schema
        /// JSON, which the prompt describes.
        case json
    }

    var model: String
    var instructions: String
    var transcript: String
    var members: [ChatMember]

    func body(_ format: Format) -> [UInt8] {
        JSONWriter.object(capacity: 4_096 + transcript.utf8.count) { w in
            w.member("model", model)
            w.array(
                "messages",
                [
                    (role: "system", content: CleanupPrompt.system(instructions, members)),
                    (role: "user", content: CleanupPrompt.delimited(transcript)),
                ]
            ) { w, message in
                w.object { w in
                    w.member("role", message.role)
                    w.member("content", message.content)
                }
            }
            w.member("response_format") { w in
                switch format {
                case .json: w.member("type", "json_object")
                case .schema:
                    w.member("type", "json_schema")
                    w.member("json_schema") { w in
                        w.member("name", "diary_entry")
                        w.member("strict", true)
                        w.member("schema", schema)
                    }
                }
            }
        }
    }

    /// Strict: every member is required, and there are no others.
    private func schema(_ w: inout JSONWriter) {
        w.member("type", "object")
        w.member("properties") { w in
            for member in members {
                w.member(JSONName(member.rawValue)) { w in
                    w.member("type", member.isList ? "array" : "string")
                    if member.isList { w.member("items") { $0.member("type", "string") } }
                }
            }
        }
        w.member("required", members.map(\.rawValue))
        w.member("additionalProperties", false)
    }
}
