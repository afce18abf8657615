package io.carillon.sip.message;

/** In which form a draft prints header names that have a compact form (RFC 3261 section 7.3.3). */
public enum HeaderForm {
    /** Untouched headers as they came, new ones long. */
    DEFAULT,
    LONG,
    COMPACT
}
