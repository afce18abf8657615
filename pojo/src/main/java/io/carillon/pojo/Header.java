package io.carillon.pojo;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A header field of the message, converted: a String, a number, an enum constant, a {@code
 * javax.servlet.sip.Address} or {@code Parameterable}, a List of String, Address or Parameterable,
 * or an Optional of one of the first.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER})
public @interface Header {
    /** The name, long or compact. */
    String value();

    /**
     * Whether a request without it, or with one that cannot be converted, is answered 400 Bad
     * Request (RFC 3261 section 21.4.1). Where false, it is null.
     */
    boolean required() default true;
}
