package io.carillon.pojo;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A servlet of the application has been initialized (JSR 289, {@code
 * SipServletListener.servletInitialized}). Qualifies the parameter of a CDI observer: {@code void
 * ready(@Observes @ServletInitialized SipServletContextEvent event)}. Of the thread that deploys;
 * what the observer throws fails the deployment. Servlets that are initialized before the one of
 * the handlers are not told of.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface ServletInitialized {}
