package io.carillon.servlet.bytes;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A field of a session that its bytes do not hold: work in progress, which ends with the node that
 * does it. The round-trip store leaves it alone.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface UnderWay {}
