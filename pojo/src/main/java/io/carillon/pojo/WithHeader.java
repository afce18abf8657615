package io.carillon.pojo;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Only messages with such a header field; several have to hold all. See {@link SipHandler}. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.PARAMETER})
@Repeatable(WithHeader.All.class)
public @interface WithHeader {
    /**
     * {@code "Event: message-summary"}: the first value, without its parameters, matches the
     * pattern, in which {@code *} stands for any text, without regard to case; {@code "X-Tenant"}:
     * it is there; {@code "!Replaces"}: it is not there.
     */
    String value();

    /** Holds several. */
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.METHOD, ElementType.PARAMETER})
    @interface All {
        /** The conditions. */
        WithHeader[] value();
    }
}
