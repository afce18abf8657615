package io.carillon.servlet.members;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a test method: the members of the API whose rule it proves. It fails when the body of any of
 * them is emptied, which {@link MemberMutationTest} shows.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Proves {
    /** Stands for every constant of the API. */
    String CONSTANTS = "constants";

    /**
     * Names relative to {@code javax.servlet.sip}, parameters by simple name: {@code
     * "Proxy#setRecurse(boolean)"}, {@code "annotation.SipListener#applicationName()"}.
     */
    String[] value();
}
