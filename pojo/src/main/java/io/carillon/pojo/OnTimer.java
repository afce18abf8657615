package io.carillon.pojo;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs when a timer of this name fires: one whose {@code info} is this text, or a {@link
 * NamedTimer} of this name. Arguments may be the {@link javax.servlet.sip.ServletTimer}, the
 * application session and what else needs no message. See {@link SipHandler}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.PARAMETER})
public @interface OnTimer {
    /** The name; empty: every timer that no other handler names. */
    String value() default "";
}
