/// The files of `migrations/` that this program is built with, as `sha256sum` prints them. `scripts/migrations` writes this file.
enum BuiltMigrations {
    static let sha256sums = """
        ebf7728b685800778eae9c60ca0cf6a8506f6a4b67060f4bbac28379135ab3bf  keys/0001_user_keys.sql
        4196e2de1cdff22281662581a2ab29cf3289dc5bc39b671e17a635924e4c4105  keys/0002_signing_keys_and_rewrapping.sql
        82d85ca32d864c33191868feaad6e640e5c685c060b9f19d02af6e1d8da9d749  keys/0003_definers.sql
        1833164efe3764032105382ebb8b4f0034f0afc5970efd618591dddce6ba5551  keys/0004_schema_read_by_services.sql
        5fec60c21f49bf925600617baa0d91191c723d9f034bd3b67a23732f6aaef436  keys/0005_key_checks.sql
        2940e4dab5483a05c4765eaf00c0fd22d63974fb96a0bae6ee6dafc6dee5d881  keys/rights.txt
        4c7c054595e00c58fb74458e7590286bea35f14ab327c7fe36b46cd29540d6da  main/0001_roles_and_settings.sql
        32d2c61c20af0143f8197cb2a2e8db0644a79d0006eaf24c300ec564134a9d71  main/0002_tenants_and_accounts.sql
        d2883b8e016e4d770a0810158bf1ef6d8b3e80845540033baea56feb2e7a0b3e  main/0003_entries.sql
        8521fa7eb4468d0ee65449779f97f59af6ae6466d8e76041f802fc3db9b4bf11  main/0004_jobs.sql
        44011525be15016e9832c9f211c1350f2317c7dcb0adea6badb0e66ba6477027  main/0005_exports_and_mails.sql
        9c820baadf34e161adc9d52812dc86a3682f5ac59f428d0000122a619f0eb6b6  main/0006_sweeping.sql
        54b3179f5c001e04b8bbcea411cee95d0447ab77962eb7735a5240f43267619e  main/0007_audit_events.sql
        24459cb4a0c643e994846e00ec0e10e158fbfeefbf214f4ce2c296dc47170029  main/0008_provider_identities.sql
        705c7af35b5729a0bac2a94538f0afe42b99065abf075b457c6be94d09e3f841  main/0009_sessions_and_credentials.sql
        0a01bb59f807736b77db9a7bb60080a6a5e60a0d1a373fed43fb8be4d74d116a  main/0010_deletions.sql
        d4a7ecd51a7200168bcec7a6f418bee63acc76ddf04660882beba83ac1d0b9cf  main/0011_tenant_configuration.sql
        f2992157b2aa7099193e754fa3bc8a955b592e3ca4b22e1be57287b5d1e80454  main/0012_administered_erasure.sql
        7c38156453edb4116e46997fb1d3e767e206f484b9592434a86c5e147922d88d  main/0013_sweeping_in_batches.sql
        82d85ca32d864c33191868feaad6e640e5c685c060b9f19d02af6e1d8da9d749  main/0014_definers.sql
        606425d46d7aed4d3a1448046f284adbc3b2ce45d75eaacd78f80435e1e00c6a  main/0015_notices.sql
        26bc1f121a62de78ae7ffb3f44c7842df0878fce791fa57229f2ff6830bb6ee5  main/0016_administered_acts.sql
        1d6035d14fe83ad266a442a4bfcaff468f3b94bf61987f249780fbef037b4409  main/0017_sign_ups_and_bounded_accounts.sql
        fb482eec4c8bc2c723ede377a694515b0fad62f527521359dee6916ad44d0fcf  main/0018_job_kinds.sql
        6f6b270ec8af915d469670225b519f907bf11cc9356a784f4c9977882884c435  main/0019_fair_queues.sql
        1833164efe3764032105382ebb8b4f0034f0afc5970efd618591dddce6ba5551  main/0020_schema_read_by_services.sql
        0e34d919b8fb15c0e533751f0acf016e05990376f235d6bdcf216cb2597aa2d0  main/0021_restores.sql
        ff21dfded13d6c26e00b2a5cbae2a1d57f7f510a49e2188cfb0caace18e1a57c  main/0022_links_end_with_the_state_they_came_from.sql
        10ffe025d9663cac2280c169b8b71c7a0f008600177b422349ccab8bdb21a77a  main/0023_operators_view.sql
        339d1c5c1299e486a5294a54830b83885cc87a626ade90b51fe47d4a987c3d43  main/0024_diary_days.sql
        cd50d9e7f401cf7030f4ab0f65e387ceeafd5372b51df1f32cee1851cfbc999c  main/0025_links_and_exports_of_their_owner.sql
        8dc92eaf3ea97ab1be9f2860f3eeb94e43d76af113ed03875318e5c4d450d3b8  main/0026_short_jobs_counted_apart.sql
        46e7a1bcc278de544571600c5043c166eb72cb92f718cd4c9a8b14adbb0db87c  main/0027_favorites_and_labels.sql
        34cac9914ec8dc98865db2e4c7f7ee2d15e827bc9056da6491c3462f4f899de5  main/0028_uploads_that_wait.sql
        bf58c568c557ea1cd0b29ac4284b3fd1260bc1b3059fde150bb84bd30b7e8c8c  main/0029_keys_of_all_writes.sql
        4fb132341a9636340795ede7fd769a33a28be9558321643ba93dc220f8c92049  main/0030_default_app.sql
        a9565fb103a01cc3718ec28bac2a263e119390aa1a3d47bc7559244b5924e1c5  main/0031_engines.sql
        88ec9b9e7676e52f3db2b6a5a26fa70c0b31b0903732c79094411871a348a0f1  main/0032_speech_parts.sql
        f8f5621112f62cff6168d2becc88f1adc96b27126ce3c769305fb55a25d4852e  main/0033_revisions.sql
        3a38e6426657e4acc09e85f62328c82cfd1a19ca45e5154a37392203126a4180  main/0034_usage.sql
        70e5ddfe0dc85b7da5759a10d9248ca8ee23d2860ea0760039c5e36f7360f024  main/0035_paused_work.sql
        d38a860da1111e969d84aa035d93bf8ad45e0a55848db9ae3cc15d22b3abd8de  main/0036_claims_in_batches.sql
        a26322e43be4d9a74b43721006f8bac06f1558c28ab93c4a5134b81979e46cd3  main/0037_usage_kept_and_runs_retried.sql
        5aa8978e19de709daa9da11e1e21c51d1203839fb3c260c64c3f3007c7334d5d  main/0038_duplicates_and_parts.sql
        6bb58216bb6b2655f1c16ce9d65b3a1f25c976aa6136d6fbf545a8a0093ad58f  main/0039_renditions.sql
        7d1cb954826b9ca740fe5a4d5803447a6a72790b4c233792fa674864f059ffc9  main/0040_retention_and_trash.sql
        19ef8c7d5a25ec5c737389bc9224da13a76b11b7999b005ce01afa73ff0195e4  main/0041_bounded_sweeps.sql
        82db0ed3e7f73ad62721777de17e26c9113f6ee427e1f7ec102c7cd5ce62f8a9  main/0042_export_selection.sql
        e0386e8ce550b165be7179b2239d5d345cd86f2bb632f2313390e3f39927e241  main/rights.txt
        b88b2af0c120bc5b4a9e9fa69871ef687d7eaf2632ff674d38cd7f23f2aa30e4  rights.sql
        f4305fe2e8f653c3b297c7a28b7922e181a0fdd599ac55b9aebd2f3f6b65acc0  roles.sql
        """
}
