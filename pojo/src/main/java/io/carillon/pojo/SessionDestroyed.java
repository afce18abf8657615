package io.carillon.pojo;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A session has been invalidated; it cannot be changed any more. The parameter of the handler says
 * which: a {@link javax.servlet.sip.SipSession} or a {@link
 * javax.servlet.sip.SipApplicationSession}. See {@link SipHandler}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.PARAMETER})
public @interface SessionDestroyed {}
