package io.carillon.server.doctor;

/** How bad a finding is; the order is that of the names. */
public enum Severity {
    /** As it should be. */
    OK,
    /** Worth knowing, or not to be seen on this system. */
    NOTE,
    /** Costs calls under load. */
    WARNING,
    /** Costs calls now. */
    FAULT
}
