package io.carillon.pojo;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The body of the message: a String, a byte[], an Optional of these, or what {@code getContent}
 * makes of it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER})
public @interface Body {
    /**
     * The media type that the handler understands, such as {@code application/sdp}; another one is
     * answered 415 Unsupported Media Type with Accept (RFC 3261 section 21.4.13). Empty: any.
     */
    String type() default "";

    /** Whether a request without a body is answered 400 Bad Request. Where false, it is null. */
    boolean required() default true;
}
