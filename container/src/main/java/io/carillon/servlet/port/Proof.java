package io.carillon.servlet.port;

/**
 * Credentials that were accepted: for whom, and in which realm. It goes along where a request goes
 * from one application of this server to the next, as credentials are good for one look only.
 * Immutable.
 */
public record Proof(String realm, Caller caller) {}
