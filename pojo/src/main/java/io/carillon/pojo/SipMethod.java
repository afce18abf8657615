package io.carillon.pojo;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Says which SIP method an annotation stands for; {@link Invite} and its siblings carry it. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.ANNOTATION_TYPE})
public @interface SipMethod {
    /** As on the wire: upper case (RFC 3261 section 7.1: methods are case-sensitive). */
    String value();
}
