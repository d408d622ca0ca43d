//! One table a file.
