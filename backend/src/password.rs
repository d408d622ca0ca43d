//! Passwords and tokens: Argon2id, and randomness from the system.
//!
//! Hashing takes tens of milliseconds and 19 MiB on purpose: call it from a blocking thread.

use std::fmt::Write as _;
use std::sync::OnceLock;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use sha2::{Digest as _, Sha256};

use crate::language::Bilingual;

const SHORTEST: usize = 10;
/// In bytes; Argon2 reads all of it.
const LONGEST: usize = 1024;
/// Without letters and digits that look alike; 32 of them, so that a byte's low 5 bits choose evenly.
const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz23456789+";

#[derive(Debug, thiserror::Error)]
pub enum PasswordError {
    #[error("a password has at least {SHORTEST} characters; choose a longer one")]
    TooShort,
    #[error("a password has at most {LONGEST} bytes; choose a shorter one")]
    TooLong,
    #[error("the password cannot be hashed: {0}")]
    Hash(argon2::password_hash::Error),
    #[error("the system gives no random bytes: {0}")]
    Random(getrandom::Error),
}

impl Bilingual for PasswordError {
    fn chinese(&self) -> String {
        match self {
            Self::TooShort => format!("密码至少 {SHORTEST} 个字符；请换一个长些的"),
            Self::TooLong => format!("密码最多 {LONGEST} 字节；请换一个短些的"),
            Self::Hash(error) => format!("密码无法计算散列：{error}"),
            Self::Random(error) => format!("系统没有给出随机数：{error}"),
        }
    }
}

/// The hash to store, in the PHC string format (`$argon2id$v=19$…`).
///
/// # Errors
/// The password is too short or too long.
pub fn hash(password: &str) -> Result<String, PasswordError> {
    if password.chars().count() < SHORTEST {
        return Err(PasswordError::TooShort);
    }
    if password.len() > LONGEST {
        return Err(PasswordError::TooLong);
    }
    Argon2::default()
        .hash_password(password.as_bytes())
        .map(|hash| hash.to_string())
        .map_err(PasswordError::Hash)
}

/// Does the password fit the hash? Without a hash (there is no such user) the same work is done and the answer is no,
/// so that the time taken does not tell which users exist.
#[must_use]
pub fn verify(password: &str, hash: Option<&str>) -> bool {
    static NOBODYS: OnceLock<String> = OnceLock::new();
    let nobodys = || NOBODYS.get_or_init(|| self::hash("nobody's password").unwrap_or_default());
    let known = hash.unwrap_or_else(|| nobodys());
    let fits = password.len() <= LONGEST
        && PasswordHash::new(known).is_ok_and(|known| {
            Argon2::default()
                .verify_password(password.as_bytes(), &known)
                .is_ok()
        });
    fits && hash.is_some()
}

/// A password nobody guesses (100 bits), easy to read off a screen: `abcde-fghjk-mnpqr-stuvw`.
///
/// # Errors
/// The system gives no random bytes.
pub fn random() -> Result<String, PasswordError> {
    let mut bytes = [0_u8; 20];
    getrandom::fill(&mut bytes).map_err(PasswordError::Random)?;
    let letters: Vec<u8> = bytes
        .iter()
        .filter_map(|byte| ALPHABET.get(usize::from(byte & 31)).copied())
        .collect();
    let groups: Vec<String> = letters
        .chunks(5)
        .map(|group| group.iter().copied().map(char::from).collect())
        .collect();
    Ok(groups.join("-"))
}

/// A random token of 256 bits, in hexadecimal.
///
/// # Errors
/// The system gives no random bytes.
pub fn token() -> Result<String, PasswordError> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(PasswordError::Random)?;
    Ok(hexadecimal(&bytes))
}

/// What is stored of a token: its SHA-256. A token is random, so no slow hash is needed.
#[must_use]
pub fn token_hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}

/// The CSRF token that belongs to a session token: whoever can read the page has it, a foreign page has not, and it
/// needs no place in the database.
#[must_use]
pub fn csrf_token(token: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(b"csrf ");
    hash.update(token.as_bytes());
    hexadecimal(&hash.finalize())
}

/// Compares in a time that does not depend on where the two differ.
#[must_use]
pub fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let difference = one
        .iter()
        .zip(other)
        .fold(0, |difference, (a, b)| difference | (a ^ b));
    one.len() == other.len() && difference == 0
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        // Writing into a text cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests may")]
    use super::*;

    #[test]
    fn only_the_right_password_of_an_existing_user_fits() {
        let known = hash("correct horse").unwrap();
        assert!(known.starts_with("$argon2id$"));
        assert!(verify("correct horse", Some(&known)));
        assert!(!verify("correct house", Some(&known)));
        assert!(!verify("nobody's password", None));
        assert!(!verify("correct horse", Some("damaged")));
    }

    #[test]
    fn short_and_endless_passwords_are_refused() {
        assert!(matches!(
            hash("密码密码密码密码密"),
            Err(PasswordError::TooShort)
        ));
        assert!(matches!(
            hash(&"x".repeat(2000)),
            Err(PasswordError::TooLong)
        ));
    }

    #[test]
    fn random_ones_differ_and_can_be_used() {
        let (one, other) = (random().unwrap(), random().unwrap());
        assert_ne!(one, other);
        assert_eq!(one.len(), 23);
        assert!(hash(&one).is_ok());
        assert_ne!(token().unwrap(), token().unwrap());
    }

    #[test]
    fn comparing_looks_at_length_and_content() {
        assert!(is_same("abc", "abc"));
        assert!(!is_same("abc", "abd"));
        assert!(!is_same("abc", "ab"));
        assert!(!is_same("", "a"));
    }
}
