"""I7: a person who takes no part. None of their rows, objects or mails may change, whatever is done to the others."""

from processes import wait_for
from user import sha256


class Bystander:
    def __init__(self, rig):
        self.rig = rig
        user = rig.user()
        self.id, self.address = user.id, user.address
        for number in range(2):
            user.create_text(f"a bystander's note {number}")
        user.wait_done(user.record(b"\0\0\0\x18ftypM4A a bystander's voice"))
        wait_for(
            lambda: (
                rig.postgres.sql("diary", "select count(*) from jobs where user_id = %s and state in ('ready', 'leased')", self.id)
                == [(0,)]
            ),
            20,
            "the bystander's jobs",
        )
        self.before = self.state()

    def state(self):
        tables = self.rig.postgres.sql(
            "diary",
            "select c.table_name from information_schema.columns c join information_schema.tables t using (table_schema, table_name) "
            "where c.table_schema = 'public' and c.column_name = 'user_id' and t.table_type = 'BASE TABLE' order by 1",
        )
        state = {
            f"rows of {table}": self.rig.postgres.sql(
                "diary",
                f"select count(*), md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from {table} t where user_id = %s",
                self.id,
            )[0]
            for (table,) in tables
        }
        state["objects"] = sorted((name, sha256(self.rig.store.read(name))) for name in self.rig.store.names(self.id))
        state["mails"] = [str(mail["Message-ID"]) for mail in self.rig.mails(self.address)]
        return state

    def faults(self):
        now = self.state()
        changed = [what for what in now if now[what] != self.before.get(what)]
        return [f"I7: a bystander's {', '.join(changed)} changed"] if changed else []
