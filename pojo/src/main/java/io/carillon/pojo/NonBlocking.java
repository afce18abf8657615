package io.carillon.pojo;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The handlers of this class never wait: no lock that is held for long, no disk, no network.
 *
 * <p>An application that runs on the event loops ({@code io.carillon.execution} = {@code
 * non-blocking}) may only have such handlers; it is an error at deployment otherwise.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface NonBlocking {}
