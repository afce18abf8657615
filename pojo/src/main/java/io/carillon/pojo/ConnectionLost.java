package io.carillon.pojo;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A request of our own could not be delivered: the container made its 503 itself (RFC 3261 section
 * 8.1.3.1), no peer sent it. More specific than {@link ErrorResponse}. See {@link SipHandler}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.PARAMETER})
public @interface ConnectionLost {}
