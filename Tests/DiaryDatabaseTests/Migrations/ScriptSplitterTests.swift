import Testing

@testable import DiaryDatabase

@Suite("Script splitter")
struct ScriptSplitterTests {
    @Test(
        "semicolons count only between statements",
        arguments: [
            ("select 1; select 2", ["select 1", "select 2"]),
            ("select 1;", ["select 1"]),
            ("  ;; -- x; y\n /* a; /* b; */ c; */ ;", []),
            ("select ';', 'it''s;'; select \"a;\"\"b;\"", ["select ';', 'it''s;'", "select \"a;\"\"b;\""]),
            (#"select E'\';', e'a\\'; select 'a\'; select 3"#, [#"select E'\';', e'a\\'"#, #"select 'a\'"#, "select 3"]),
            ("do $$ begin; end $$; do $b$ ; $$ ; $b$; select $1;", ["do $$ begin; end $$", "do $b$ ; $$ ; $b$", "select $1"]),
            ("select a$b$; select 1 -- tail;\n + 2;", ["select a$b$", "select 1 -- tail;\n + 2"]),
            ("select 'open;", ["select 'open;"]),
            ("select $$open;", ["select $$open;"]),
            ("/* open ;", []),
            ("", []),
        ])
    func split(script: String, expected: [String]) {
        #expect(ScriptSplitter.split(script).map(\.sql) == expected)
    }

    @Test("each piece knows its line")
    func lines() {
        #expect(ScriptSplitter.split("-- ü\n\nselect 1;\nselect\n2; select 3").map(\.line) == [3, 4, 5])
    }
}
