package import DiaryCore
package import PostgresClient

/// What `diary tenant engine` and `diary tenant secret` do, by the database role `diary_admin`: a change, the order of the chain and the
/// record with the operator's name are one transaction under the app's lock.
package struct PostgresEngineAdministration: Sendable {
    let pool: ConnectionPool

    package init(pool: ConnectionPool) { self.pool = pool }

    /// Both chains, each in its order; nil when there is no such app.
    package func engines(of slug: String) async throws(DiaryError) -> [EngineSettings]? {
        try await chain(slug, [Self.chain()])
    }

    /// Adds the engine, or replaces the one of its name.
    /// - Parameter position: from 1; nil leaves it where it is, and puts a new one at the end.
    /// - Returns: the chain of its stage; nil when there is no such app.
    package func set(
        _ engine: EngineSettings, at position: Int?, of slug: String, by operator: String
    ) async throws(DiaryError) -> [EngineSettings]? {
        try await chain(
            slug,
            [
                // The others close the gap, so that the engine comes to stand at its position whichever way it moves.
                position == nil ? .nothing : Self.number(engine.stage, without: engine.name),
                Statement(
                    """
                    insert into app_engines (tenant_id, stage, name, position, kind, url, model, secret, command, timeout_seconds, slots,
                        price_per_minute, price_per_million_input, price_per_million_output, after_failure, is_local, max_bytes, max_seconds)
                    select current_tenant(), $1, $2, coalesce($3, 2147483647), $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17
                    where current_tenant() is not null
                    on conflict on constraint app_engines_pk do update set position = coalesce($3, app_engines.position), kind = excluded.kind,
                        url = excluded.url, model = excluded.model, secret = excluded.secret, command = excluded.command,
                        timeout_seconds = excluded.timeout_seconds, slots = excluded.slots, price_per_minute = excluded.price_per_minute,
                        price_per_million_input = excluded.price_per_million_input,
                        price_per_million_output = excluded.price_per_million_output, after_failure = excluded.after_failure,
                        is_local = excluded.is_local,
                        max_bytes = excluded.max_bytes, max_seconds = excluded.max_seconds
                    """,
                    [
                        .text(engine.stage.rawValue), .text(engine.name), .int4(position.map { Int32(clamping: $0) }),
                        .text(engine.kind.rawValue), .text(engine.url), .text(engine.model), .text(engine.secret), .texts(engine.command),
                        .int4(Int32(clamping: engine.timeoutSeconds)), .int4(Int32(clamping: engine.slots)), .int(engine.price.perMinute),
                        .int(engine.price.perMillionInputTokens), .int(engine.price.perMillionOutputTokens),
                        .text(engine.afterFailure.rawValue), .bool(engine.isLocal),
                        .int(engine.maxBytes ?? 0), .int(engine.maxSeconds ?? 0),
                    ]),
                Self.number(engine.stage, first: engine.name),
                Self.note(slug, "engines.\(engine.stage.rawValue).\(engine.name)", `operator`), Self.chain(engine.stage),
            ])
    }

    /// - Returns: the chain as it is now; nil when there is no such app.
    package func unset(
        _ name: String, _ stage: EngineStage, of slug: String, by operator: String
    ) async throws(DiaryError) -> [EngineSettings]? {
        try await chain(
            slug,
            [
                Statement(
                    """
                    with gone as (
                        delete from app_engines where tenant_id = current_tenant() and stage = $1 and name = $2 returning name)
                    insert into tenant_acts (slug, act, settings, operator) select $3, 'changed', array['engines.' || $1 || '.' || name], $4 from gone
                    """, [.text(stage.rawValue), .text(name), .text(slug), .text(`operator`)]),
                Self.number(stage), Self.chain(stage),
            ])
    }

    /// - Parameter names: every engine of the stage once; nothing changes otherwise.
    /// - Returns: the chain as it is now; nil when there is no such app.
    package func order(
        _ names: [String], _ stage: EngineStage, of slug: String, by operator: String
    ) async throws(DiaryError) -> [EngineSettings]? {
        try await chain(
            slug,
            [
                Statement(
                    """
                    with moved as (
                        update app_engines e set position = array_position($2::text[], e.name)
                        where e.tenant_id = current_tenant() and e.stage = $1
                            and (select array_agg(o.name order by o.name) from app_engines o where o.tenant_id = current_tenant() and o.stage = $1)
                                = (select array_agg(n order by n) from unnest($2::text[]) n)
                        returning e.name)
                    insert into tenant_acts (slug, act, settings, operator)
                    select $3, 'changed', array['engines.' || $1], $4 where exists (select from moved)
                    """, [.text(stage.rawValue), .texts(names), .text(slug), .text(`operator`)]),
                Self.chain(stage),
            ])
    }

    /// Positions from 1 without gaps, in the order that holds.
    /// - Parameters:
    ///   - first: comes before another one of the same position.
    ///   - without: is left as it is.
    private static func number(_ stage: EngineStage, first: String? = nil, without: String? = nil) -> Statement {
        Statement(
            """
            update app_engines e set position = n.place::int
            from (select name, row_number() over (order by position, name is distinct from $2, name) as place from app_engines
                where tenant_id = current_tenant() and stage = $1 and name is distinct from $3) n
            where e.tenant_id = current_tenant() and e.stage = $1 and e.name = n.name and e.position <> n.place
            """, [.text(stage.rawValue), .text(first), .text(without)])
    }

    private static func chain(_ stage: EngineStage? = nil) -> Statement {
        Statement(
            """
            select \(EngineSettings.columns) from app_engines where tenant_id = current_tenant() and ($1::text is null or stage = $1)
            order by stage, position, name
            """, [.text(stage?.rawValue)])
    }

    static func note(_ slug: String, _ setting: String, _ operator: String) -> Statement {
        Statement(
            """
            insert into tenant_acts (slug, act, settings, operator) select slug, 'changed', array[$2], $3 from tenants where slug = $1
            """, [.text(slug), .text(setting), .text(`operator`)])
    }

    /// - Returns: the chain that the last of the statements read; nil without the app.
    private func chain(_ slug: String, _ statements: [Statement]) async throws(DiaryError) -> [EngineSettings]? {
        try await pool.forClient.run([Self.app(slug)] + statements) { rows in
            guard let app = rows.first(0), let chain = rows.last, try !app.nextIsNull() else { return nil }
            return try chain.all { try EngineSettings(&$0) }.compactMap(\.self)
        }
    }

    /// Opens a transaction of the app; answers its id.
    static func app(_ slug: String) -> Statement { Statement("select set_app($1)", [.text(slug)]) }
}
