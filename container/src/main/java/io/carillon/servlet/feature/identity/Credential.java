package io.carillon.servlet.feature.identity;

import java.security.cert.X509Certificate;

/**
 * A certificate that may vouch for identities. Immutable.
 *
 * @param certificate the leaf
 * @param local whether the operator put it there; one that was fetched has to say itself what it is
 *     good for
 */
public record Credential(X509Certificate certificate, boolean local) {}
