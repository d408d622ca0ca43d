//! Configuration: one typed tree.
