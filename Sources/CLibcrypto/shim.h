#pragma once
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/core_names.h>
#include <openssl/rand.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/sha.h>
#include <openssl/pem.h>
#include <openssl/bn.h>
#include <openssl/param_build.h>
#include <openssl/err.h>
#include <openssl/crypto.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdint.h>
#include <time.h>

/* Only what Swift cannot say: macros, variadic calls, parameter lists, deprecated names. */

/* The low-level SHA-256 works in the caller's struct: it allocates nothing, fetches nothing and so has no way to fail. */
static inline void diary_sha256_init(SHA256_CTX *context) { (void)SHA256_Init(context); }
static inline void diary_sha256_update(SHA256_CTX *context, const void *bytes, size_t count) { (void)SHA256_Update(context, bytes, count); }
static inline void diary_sha256_final(SHA256_CTX *context, unsigned char *digest) { (void)SHA256_Final(digest, context); }

/* digest: 16 bytes. */
static inline int diary_md5(const void *bytes, size_t count, unsigned char *digest) {
    return EVP_Digest(bytes, count, digest, NULL, EVP_md5(), NULL);
}

static inline int diary_gcm_get_tag(EVP_CIPHER_CTX *context, void *tag) {
    return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, 16, tag);
}

static inline int diary_gcm_set_tag(EVP_CIPHER_CTX *context, const void *tag) {
    return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, (void *)tag);
}

static inline EVP_PKEY *diary_p256_generate(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256"); }

/* point: 0x04 || x || y, 65 bytes. The caller owns the result and still has to check it. */
static inline EVP_PKEY *diary_p256_public(const unsigned char *point) {
    OSSL_PARAM params[3];
    params[0] = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)"P-256", 0);
    params[1] = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, 65);
    params[2] = OSSL_PARAM_construct_end();
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    if (context && EVP_PKEY_fromdata_init(context) == 1) (void)EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, params);
    EVP_PKEY_CTX_free(context);
    return key;
}

/* The caller keeps n and e and owns the result. */
static inline EVP_PKEY *diary_rsa_public(const BIGNUM *n, const BIGNUM *e) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM *params = NULL;
    OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    if (build && context && OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, n) == 1
        && OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, e) == 1
        && (params = OSSL_PARAM_BLD_to_param(build)) && EVP_PKEY_fromdata_init(context) == 1)
        (void)EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, params);
    OSSL_PARAM_free(params);
    OSSL_PARAM_BLD_free(build);
    EVP_PKEY_CTX_free(context);
    return key;
}

static inline BIGNUM *diary_pkey_bn(const EVP_PKEY *key, const char *name) {
    BIGNUM *number = NULL;
    (void)EVP_PKEY_get_bn_param(key, name, &number);
    return number;
}

static inline BIGNUM *diary_p256_x(const EVP_PKEY *key) { return diary_pkey_bn(key, OSSL_PKEY_PARAM_EC_PUB_X); }
static inline BIGNUM *diary_p256_y(const EVP_PKEY *key) { return diary_pkey_bn(key, OSSL_PKEY_PARAM_EC_PUB_Y); }

/* Without a callback libcrypto asks the terminal for the password of an encrypted PEM. */
static inline int diary_no_password(char *buffer, int size, int writing, void *user) {
    (void)buffer; (void)size; (void)writing; (void)user;
    return -1;
}

static inline EVP_PKEY *diary_pem_read_private(BIO *bio) { return PEM_read_bio_PrivateKey(bio, NULL, diary_no_password, NULL); }
static inline EVP_PKEY *diary_pem_read_public(BIO *bio) { return PEM_read_bio_PUBKEY(bio, NULL, diary_no_password, NULL); }

static inline X509 *diary_pem_read_certificate(BIO *bio) { return PEM_read_bio_X509(bio, NULL, diary_no_password, NULL); }

/* Seconds since 1970. Returns 0 for a time that cannot be read. */
static inline int diary_asn1_seconds(const ASN1_TIME *time, int64_t *seconds) {
    struct tm parts;
    if (ASN1_TIME_to_tm(time, &parts) != 1) return 0;
    *seconds = (int64_t)timegm(&parts);
    return 1;
}

static inline long diary_bio_memory(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }
