/// The files of `migrations/` that this program is built with, as `sha256sum` prints them. `scripts/migrations` writes this file.
enum BuiltMigrations {
    static let sha256sums = """
        9207bbea9d904a4584825be31e90b8fb508feb9a7caa11b88e1e0ddd1ce4d0c8  keys/0001_keys.sql
        2940e4dab5483a05c4765eaf00c0fd22d63974fb96a0bae6ee6dafc6dee5d881  keys/rights.txt
        584ad018d51128fe967d6def2bcfd9ccaf6b1663dfe585bdd2e3e6ba8b2d0451  main/0001_roles_and_settings.sql
        80486b0d7c0871bb01bbe43b2e33fcb45c09d708bfab650ae681f70faa471246  main/0002_accounts.sql
        c8fc657a52ebf8220afaa862d9b06d919413f5e9f0fe73727bb761812085fd42  main/0003_sign_in.sql
        7ad71525c8f803fd28c4627e0b9f45c49097f215c95e3fd8ed47a7bb29410344  main/0004_entries.sql
        bc36895c6d787c1cf4fb6290193038e49660f39280ccdb8de90e0e4f31bc1b97  main/0005_jobs.sql
        77fe65ec4fb159482e6d0d4774659f1b11bb3093787db1c86817977572057412  main/0006_engines_and_usage.sql
        675dbebf9fe8ce3f908e1d78cdbb757841b46ca0ee9bf6b97a49422b75ae400c  main/0007_exports.sql
        ae978dd25edbc347d5c829b4d525914f02e10444d8e48fd0c8b9e0f8ce880de6  main/0008_schedules.sql
        ee1d06c7645e46e8e6a123c2da8246603b6f582014e60cf49defb59129e4abf2  main/0009_imports.sql
        0e2e7ed86246c857b8ca145aa4895a43b38e821c3fc43cc741abddf4bd1cc8ed  main/0010_mails.sql
        e8d85b58f0d485a785467ac6b063cde841dbf3a73ac56b4e911ecfef711a8e2c  main/0011_sweeping.sql
        6871440518460d765f432e11805f4a77aa647b9cd643baa6a3436d80992e403b  main/0012_erasure_and_restoring.sql
        77c42dafebeb2e183312a47eead003f1c3e231d33934e7ef12d50fe2389c22d6  main/0013_administration.sql
        ff32a7b3848d0f5597262a69e4407b45378c10ecf62e3eca32cef314f61c2c8d  main/rights.txt
        b88b2af0c120bc5b4a9e9fa69871ef687d7eaf2632ff674d38cd7f23f2aa30e4  rights.sql
        f4305fe2e8f653c3b297c7a28b7922e181a0fdd599ac55b9aebd2f3f6b65acc0  roles.sql
        """
}
