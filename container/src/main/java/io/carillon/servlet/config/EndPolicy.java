package io.carillon.servlet.config;

/**
 * What becomes of calls that are still held when the server stops, or when their application
 * session expires.
 */
public enum EndPolicy {
    /**
     * Each leg of user agents and B2BUAs gets a BYE (an early one its final response or CANCEL).
     */
    BYE,
    /** The calls are left as they are: another node, or nobody, goes on with them. */
    LEAVE
}
