package io.carillon.servlet.app;

import javax.servlet.sip.SipServletRequest;

/** A compiled {@code <pattern>} of a servlet mapping. Immutable, from any thread. */
@FunctionalInterface
public interface MappingRule {
    boolean matches(SipServletRequest request);
}
