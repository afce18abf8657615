package io.carillon.pojo;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * One instance for each call: the SIP sessions of both legs, and those that were created while one
 * of them was handled. It is bound to the session that the message in work belongs to, stored with
 * it, and destroyed with it. Using it where no message, timer or session event is handled is an
 * {@link IllegalStateException} or what the framework makes of it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface CallScoped {}
