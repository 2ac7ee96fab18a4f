/// The files of `migrations/` that this program is built with, as `sha256sum` prints them. `scripts/migrations` writes this file.
enum BuiltMigrations {
    static let sha256sums = """
        9207bbea9d904a4584825be31e90b8fb508feb9a7caa11b88e1e0ddd1ce4d0c8  keys/0001_keys.sql
        2940e4dab5483a05c4765eaf00c0fd22d63974fb96a0bae6ee6dafc6dee5d881  keys/rights.txt
        584ad018d51128fe967d6def2bcfd9ccaf6b1663dfe585bdd2e3e6ba8b2d0451  main/0001_roles_and_settings.sql
        96ae5f221ced21f9efd842ec04ff3183560e55def2928a3a72bdee8d2ab81390  main/0002_accounts.sql
        820d700738c7fc455b91818dba52b1e512695b223dc5b4012cfd9e0c17566da4  main/0003_sign_in.sql
        f4ba731a31c212157ef530256da8b0b1ec301783b2d94b35588c25c1475d2b14  main/0004_entries.sql
        bc36895c6d787c1cf4fb6290193038e49660f39280ccdb8de90e0e4f31bc1b97  main/0005_jobs.sql
        77fe65ec4fb159482e6d0d4774659f1b11bb3093787db1c86817977572057412  main/0006_engines_and_usage.sql
        258ffbf1e5fc7f0861a103639c1094e5fba78b2d748a4dab781f245a0b85ecf5  main/0007_exports.sql
        a9f155bddd9a229d2a79b3f12f015e5007b9b31ceb4c8337ad2e6e2c85cd183c  main/0008_schedules.sql
        ee1d06c7645e46e8e6a123c2da8246603b6f582014e60cf49defb59129e4abf2  main/0009_imports.sql
        0e2e7ed86246c857b8ca145aa4895a43b38e821c3fc43cc741abddf4bd1cc8ed  main/0010_mails.sql
        818f622379ac1533d4d9918674ca7f999ee503990f51922e00d9aa29c1f67f16  main/0011_sweeping.sql
        6871440518460d765f432e11805f4a77aa647b9cd643baa6a3436d80992e403b  main/0012_erasure_and_restoring.sql
        bbced81f3765dc8fd0b6f62a764079605ea22ae402cea3939f8158c368d866d5  main/0013_administration.sql
        6d3084158745096d9cde2d923b333fc3bdfb8a3dd5800633bb3b733736b9fa4d  main/rights.txt
        b88b2af0c120bc5b4a9e9fa69871ef687d7eaf2632ff674d38cd7f23f2aa30e4  rights.sql
        f4305fe2e8f653c3b297c7a28b7922e181a0fdd599ac55b9aebd2f3f6b65acc0  roles.sql
        """
}
