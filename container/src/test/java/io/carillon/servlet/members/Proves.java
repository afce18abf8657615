package io.carillon.servlet.members;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a test method: the members of the API whose rule it proves. It fails when one of them no
 * longer does what it is for, which {@link MemberMutationTest} shows.
 *
 * <p>Names are relative to {@code javax.servlet.sip}, parameters by simple name: {@code
 * "Proxy#setRecurse(boolean)"}, {@code "annotation.SipListener#applicationName()"}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Proves {
    /** Stands for every constant of the API. */
    String CONSTANTS = "constants";

    /** The members that the test is about. A member is in this list of one test. */
    String[] value() default {};

    /** Members whose rule it proves besides. Other tests are about them. */
    String[] also() default {};
}
