/// The files of `migrations/` that this program is built with, as `sha256sum` prints them. `scripts/migrations` writes this file.
enum BuiltMigrations {
    static let sha256sums = """
        9207bbea9d904a4584825be31e90b8fb508feb9a7caa11b88e1e0ddd1ce4d0c8  keys/0001_keys.sql
        2940e4dab5483a05c4765eaf00c0fd22d63974fb96a0bae6ee6dafc6dee5d881  keys/rights.txt
        808f1e20a3c58518c0f938763dfbc70a574bc7056c40e576e7e72fbff4ff87ad  main/0001_roles_and_settings.sql
        621474cf7fa60db1e331c53ca18a3021d566c6eee16d5945cdc694d32b89ec12  main/0002_accounts.sql
        e90c76a889dab079ae6f8f282374e8dd5c67018daeff5e80e636e60fe3820ed7  main/0003_sign_in.sql
        7f481f649f69eb32209739b38e5f5e7238c06c815f7845414d6cac7ea7ab3eec  main/0004_entries.sql
        83e3c3b7197f1ecaf01f39b7417daba9a5bdb4da1b7d104b0e0232836d0f7f84  main/0005_jobs.sql
        9c9801dbcd9af769502642e839c8cf9cc20ac972e049303216de78da67d681fd  main/0006_engines_and_usage.sql
        258ffbf1e5fc7f0861a103639c1094e5fba78b2d748a4dab781f245a0b85ecf5  main/0007_exports.sql
        a9f155bddd9a229d2a79b3f12f015e5007b9b31ceb4c8337ad2e6e2c85cd183c  main/0008_schedules.sql
        1401ccf23aa3e6be5817ddca7b7e924bc7bd00bc726fe560c735afda2bafa984  main/0009_imports.sql
        47b73fc3e7535b8318b61485a2e5a37fcbcb4cafce498834c9e6a9e0b166c886  main/0010_mails.sql
        f319b7b22359fbf52233c22fbce0d2b91f84625fd98e34dd5edf420bd8d07432  main/0011_sweeping.sql
        40865d8e6482d0e87749e3e2c55ec31b386da6af3c3bf8044982e09891f5c7d6  main/0012_erasure_and_restoring.sql
        bbced81f3765dc8fd0b6f62a764079605ea22ae402cea3939f8158c368d866d5  main/0013_administration.sql
        bed889eb13f61ffa9b5e338c6c9ba404c62124f0b7a2b81796824ccaa8afd5a5  main/rights.txt
        b88b2af0c120bc5b4a9e9fa69871ef687d7eaf2632ff674d38cd7f23f2aa30e4  rights.sql
        f4305fe2e8f653c3b297c7a28b7922e181a0fdd599ac55b9aebd2f3f6b65acc0  roles.sql
        """
}
