//! Signatures of tokens, checked with the cryptography that TLS uses here. Only public keys are known: nothing is signed,
//! and secrets that both sides share are not taken.

use jsonwebtoken::crypto::{CryptoProvider, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, Result};
use jsonwebtoken::signature::{Error, Verifier};
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey, DecodingKeyKind};
use ring::signature as known;

/// Signatures that are understood.
pub(super) const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |_, _| Err(ErrorKind::InvalidAlgorithm.into()),
    verifier_factory: |algorithm, key| Ok(Box::new(Checked::new(*algorithm, key)?)),
    key_utils: KeyUtils::new_unimplemented(),
};

/// To be called before a token is read. Whoever was first in this process wins; all are this one.
pub(super) fn install() {
    let _ = PROVIDER.install_default(); // it is there already
}

/// A key, and the one algorithm that it is used with.
struct Checked {
    algorithm: Algorithm,
    key: DecodingKey,
}

impl Checked {
    fn new(algorithm: Algorithm, key: &DecodingKey) -> Result<Checked> {
        let fits = algorithm.family() == key.family() && key.family() != AlgorithmFamily::Hmac;
        if !fits || !ALGORITHMS.contains(&algorithm) {
            return Err(ErrorKind::InvalidAlgorithm.into());
        }
        Ok(Checked { algorithm, key: key.clone() })
    }
}

impl JwtVerifier for Checked {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

impl Verifier<Vec<u8>> for Checked {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> std::result::Result<(), Error> {
        let rsa: &known::RsaParameters = match self.algorithm {
            Algorithm::RS256 => &known::RSA_PKCS1_2048_8192_SHA256,
            Algorithm::RS384 => &known::RSA_PKCS1_2048_8192_SHA384,
            Algorithm::RS512 => &known::RSA_PKCS1_2048_8192_SHA512,
            Algorithm::PS256 => &known::RSA_PSS_2048_8192_SHA256,
            Algorithm::PS384 => &known::RSA_PSS_2048_8192_SHA384,
            Algorithm::PS512 => &known::RSA_PSS_2048_8192_SHA512,
            Algorithm::ES256 => return self.plain(&known::ECDSA_P256_SHA256_FIXED, message, signature),
            Algorithm::ES384 => return self.plain(&known::ECDSA_P384_SHA384_FIXED, message, signature),
            Algorithm::EdDSA => return self.plain(&known::ED25519, message, signature),
            _ => return Err(Error::new()),
        };
        match self.key.kind() {
            DecodingKeyKind::RsaModulusExponent { n, e } => {
                let key = known::RsaPublicKeyComponents { n, e };
                key.verify(rsa, message, signature).map_err(|_| Error::new())
            }
            DecodingKeyKind::SecretOrDer(_) => Err(Error::new()),
        }
    }
}

impl Checked {
    fn plain(
        &self,
        algorithm: &'static dyn known::VerificationAlgorithm,
        message: &[u8],
        signature: &[u8],
    ) -> std::result::Result<(), Error> {
        match self.key.kind() {
            DecodingKeyKind::SecretOrDer(bytes) => {
                let key = known::UnparsedPublicKey::new(algorithm, bytes);
                key.verify(message, signature).map_err(|_| Error::new())
            }
            DecodingKeyKind::RsaModulusExponent { .. } => Err(Error::new()),
        }
    }
}
