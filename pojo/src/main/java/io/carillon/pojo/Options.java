package io.carillon.pojo;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Messages of the method OPTIONS (RFC 3261 section 11): requests, or with a response annotation or
 * a {@link javax.servlet.sip.SipServletResponse} parameter the responses to it. See {@link
 * SipHandler}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.PARAMETER})
@SipMethod("OPTIONS")
public @interface Options {}
