//! One file a command: the same doors as the page.
