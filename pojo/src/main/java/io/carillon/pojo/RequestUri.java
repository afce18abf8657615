package io.carillon.pojo;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Only messages whose Request-URI matches, or whose request's Request-URI, at a response.
 * Parameters of the URI are not looked at. See {@link SipHandler}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.PARAMETER})
public @interface RequestUri {
    /**
     * A pattern of scheme, user and host such as {@code sip:echo@*}; {@code *} stands for any text.
     * A port belongs to it only where the pattern names one. Scheme and host are compared without
     * regard to case (RFC 3261 section 19.1.4).
     */
    String value();
}
