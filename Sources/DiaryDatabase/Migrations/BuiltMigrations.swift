/// The files of `migrations/` that this program is built with, as `sha256sum` prints them. `scripts/migrations` writes this file.
enum BuiltMigrations {
    static let sha256sums = """
        9207bbea9d904a4584825be31e90b8fb508feb9a7caa11b88e1e0ddd1ce4d0c8  keys/0001_keys.sql
        2940e4dab5483a05c4765eaf00c0fd22d63974fb96a0bae6ee6dafc6dee5d881  keys/rights.txt
        584ad018d51128fe967d6def2bcfd9ccaf6b1663dfe585bdd2e3e6ba8b2d0451  main/0001_roles_and_settings.sql
        96ae5f221ced21f9efd842ec04ff3183560e55def2928a3a72bdee8d2ab81390  main/0002_accounts.sql
        820d700738c7fc455b91818dba52b1e512695b223dc5b4012cfd9e0c17566da4  main/0003_sign_in.sql
        35f1b0516de3274cb45f0f02daee022e0ecd4dc17adb76faf8f0024d3b799076  main/0004_entries.sql
        32ee0a8a3d20e524ea0e2f55f6f14112843c267cfb350ffc3ff8b01da4174808  main/0005_jobs.sql
        77fe65ec4fb159482e6d0d4774659f1b11bb3093787db1c86817977572057412  main/0006_engines_and_usage.sql
        7c5615e1807675436418a7294bc91fe81716fe7fc2838bc753691f917b98b851  main/0007_exports.sql
        38e26a9843344f80f99bf9eed49af3a79facc7e585cd4ba501f339812f29f4ed  main/0008_schedules.sql
        ee1d06c7645e46e8e6a123c2da8246603b6f582014e60cf49defb59129e4abf2  main/0009_imports.sql
        0e2e7ed86246c857b8ca145aa4895a43b38e821c3fc43cc741abddf4bd1cc8ed  main/0010_mails.sql
        55872888728ef2d057cc78f655e5d2e29b7be450189fb9fa1825d0a0f05d32c1  main/0011_sweeping.sql
        565d025cc2edd708de61f559409496b6466537bee67310bfbddb6df9afce45b2  main/0012_erasure_and_restoring.sql
        791c2bda6e23bc59a7c9b441c8d8b68ba477e29b7db1b6ba3ddd008d4f9b3182  main/0013_administration.sql
        3d7b6d4ee136332b3e76ec7410be39727feb6f587218775f5a0ec5ce4c692829  main/rights.txt
        b88b2af0c120bc5b4a9e9fa69871ef687d7eaf2632ff674d38cd7f23f2aa30e4  rights.sql
        f4305fe2e8f653c3b297c7a28b7922e181a0fdd599ac55b9aebd2f3f6b65acc0  roles.sql
        """
}
