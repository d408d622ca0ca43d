//! Fact files in: the plain door.
