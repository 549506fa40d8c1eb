//! Turns all of the above into JSON, CSV, text and HTML; holds the only serialised types. Knows all above.
