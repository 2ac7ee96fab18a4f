import DiaryCore
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

/// A member of the JSON object that a language model is asked for.
enum ChatMember: String, Sendable, CaseIterable {
    case clean = "clean_text"
    case title, summary
    case keyPoints = "key_points"
    case tags, mood

    var isList: Bool { self == .keyPoints || self == .tags }

    var about: String {
        switch self {
        case .clean: "the cleaned transcript, whole, with the paragraphs that it needs; plain text without markup."
        case .title:
            "a title of at most eight words, all of them from the transcript, with capital letters as in a sentence; \"\" if nothing fits."
        case .summary: "a summary of one to four sentences in the transcript’s own words; no name and no number that it does not have."
        case .keyPoints: "up to seven key points, each a short sentence in the transcript’s own words; [] if there are none."
        case .tags: "up to five tags, each a word or two in lower case; [] if none fits."
        case .mood: "one word for the speaker’s mood; \"\" if the transcript does not show it."
        }
    }

    static func members(of extras: Set<TextRequest.Extra>) -> [ChatMember] {
        allCases.filter { member in
            switch member {
            case .clean: false
            case .title: extras.contains(.title)
            case .summary: extras.contains(.summary)
            case .keyPoints: extras.contains(.keyPoints)
            case .tags, .mood: extras.contains(.suggestions)
            }
        }
    }
}
