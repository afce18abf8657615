package io.carillon.pojo;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The value of an attribute of a session; null, or an empty {@link java.util.Optional}, where it is
 * not set.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER})
public @interface Attribute {
    /** The name of the attribute. */
    String value();

    /** Whose attribute. */
    Of of() default Of.SIP_SESSION;

    /** What an attribute belongs to. */
    enum Of {
        SIP_SESSION,
        APPLICATION_SESSION,
        MESSAGE
    }
}
