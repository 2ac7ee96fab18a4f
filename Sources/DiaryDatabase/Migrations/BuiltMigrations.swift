/// The files of `migrations/` that this program is built with, as `sha256sum` prints them. `scripts/migrations` writes this file.
enum BuiltMigrations {
    static let sha256sums = """
        9207bbea9d904a4584825be31e90b8fb508feb9a7caa11b88e1e0ddd1ce4d0c8  keys/0001_keys.sql
        2940e4dab5483a05c4765eaf00c0fd22d63974fb96a0bae6ee6dafc6dee5d881  keys/rights.txt
        584ad018d51128fe967d6def2bcfd9ccaf6b1663dfe585bdd2e3e6ba8b2d0451  main/0001_roles_and_settings.sql
        96ae5f221ced21f9efd842ec04ff3183560e55def2928a3a72bdee8d2ab81390  main/0002_accounts.sql
        820d700738c7fc455b91818dba52b1e512695b223dc5b4012cfd9e0c17566da4  main/0003_sign_in.sql
        35f1b0516de3274cb45f0f02daee022e0ecd4dc17adb76faf8f0024d3b799076  main/0004_entries.sql
        c7d5e175e9700afa5d476a94e8495253d6f978764de02899a9d4045f24a848da  main/0005_jobs.sql
        77fe65ec4fb159482e6d0d4774659f1b11bb3093787db1c86817977572057412  main/0006_engines_and_usage.sql
        a44c793722365c72d6fc01a455688a05d3c21888be2fadbfc8d31c4b1ea1b068  main/0007_exports.sql
        ae978dd25edbc347d5c829b4d525914f02e10444d8e48fd0c8b9e0f8ce880de6  main/0008_schedules.sql
        ee1d06c7645e46e8e6a123c2da8246603b6f582014e60cf49defb59129e4abf2  main/0009_imports.sql
        0e2e7ed86246c857b8ca145aa4895a43b38e821c3fc43cc741abddf4bd1cc8ed  main/0010_mails.sql
        556beeb00d39817d480c6549d455251f718c437bc72edf2666926b97f8b59566  main/0011_sweeping.sql
        6871440518460d765f432e11805f4a77aa647b9cd643baa6a3436d80992e403b  main/0012_erasure_and_restoring.sql
        bbced81f3765dc8fd0b6f62a764079605ea22ae402cea3939f8158c368d866d5  main/0013_administration.sql
        6adc6a2db549ac63478c1383fa31ea8700328566dd8ed6dab80ffdb5c7f12000  main/rights.txt
        b88b2af0c120bc5b4a9e9fa69871ef687d7eaf2632ff674d38cd7f23f2aa30e4  rights.sql
        f4305fe2e8f653c3b297c7a28b7922e181a0fdd599ac55b9aebd2f3f6b65acc0  roles.sql
        """
}
