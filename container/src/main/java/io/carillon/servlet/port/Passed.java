package io.carillon.servlet.port;

/** How a request fares at the gate of its application. */
public enum Passed {
    /** The servlet may have it. */
    IN,
    /** It was answered, or somebody is being asked and it goes on later. */
    NOT_NOW,
    /** The gate threw. */
    FAILED
}
