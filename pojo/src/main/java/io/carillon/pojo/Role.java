package io.carillon.pojo;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Only messages of SIP sessions that were given this role by {@link Roles}: handlers of one kind of
 * call stay apart from those of others in the same application. At a class it holds for all of its
 * methods that name none. See {@link SipHandler}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Role {
    /** The role; a session has at most one. */
    String value();
}
