//! The HTTP door: the route list, and one noun a file.
