/// The files of `migrations/` that this program is built with, as `sha256sum` prints them. `scripts/migrations` writes this file.
enum BuiltMigrations {
    static let sha256sums = """
        3e4341aa34a9b9b52d4cd2f039b9bff636c1dbd078a05c1c4e1f9ca52bfbba49  keys/0001_keys.sql
        2940e4dab5483a05c4765eaf00c0fd22d63974fb96a0bae6ee6dafc6dee5d881  keys/rights.txt
        808f1e20a3c58518c0f938763dfbc70a574bc7056c40e576e7e72fbff4ff87ad  main/0001_roles_and_settings.sql
        79dbcfa5a0e2410bd11134a1bb0d60c11d3203f7f13510dee223f1aa30244f85  main/0002_accounts.sql
        4d8183d94f4372815e7a42329214e603531daafa21032740b5be9f3e80683cc1  main/0003_sign_in.sql
        abe6649946252c216795bc7bee6ca6eca6241426148e3f844855a61395940bfb  main/0004_entries.sql
        aa5c3f56a59172764350b012cc2b926a85fd01ee6241a7bbec5721b7d68572cb  main/0005_jobs.sql
        9c9801dbcd9af769502642e839c8cf9cc20ac972e049303216de78da67d681fd  main/0006_engines_and_usage.sql
        8b1df2f44dfc83c7bbd9fac28db3c2819326ff3e60d065ee4d1a2676ae8f44cc  main/0007_exports.sql
        d19c00a21596296d50adf5d02e2d080a4cca9fdd4f79b24be33506db3a4b9786  main/0008_schedules.sql
        1401ccf23aa3e6be5817ddca7b7e924bc7bd00bc726fe560c735afda2bafa984  main/0009_imports.sql
        bbbfe417dbb89b1c6488b4aba559145e3921243496c5be0d9a5873263e7a42d9  main/0010_mails.sql
        8cda572e1e8576a29bf7834d80edd718c0d6dcf29a9318938380e88fa5d500b9  main/0011_sweeping.sql
        bbfee7be5677bf7cb4cbad024041292b6e2333fa022980230091c44d00980f08  main/0012_erasure_and_restoring.sql
        d901868c55526a7f4e2e7b4673853c784df74a4f6abfd97e297fdd5882a2b2a4  main/0013_administration.sql
        71e24a3c1f9a4ea06c08da4d950fa7770e915f332be4ddfefc9fd767570f2883  main/rights.txt
        b88b2af0c120bc5b4a9e9fa69871ef687d7eaf2632ff674d38cd7f23f2aa30e4  rights.sql
        f4305fe2e8f653c3b297c7a28b7922e181a0fdd599ac55b9aebd2f3f6b65acc0  roles.sql
        """
}
