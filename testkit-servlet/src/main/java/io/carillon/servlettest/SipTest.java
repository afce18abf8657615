package io.carillon.servlettest;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import javax.servlet.sip.SipServlet;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test class, or a method of one, that gets a {@link SipTestServer}: a fresh one for each test,
 * as a parameter of the test or of a {@code BeforeEach} method. What stands at the method wins.
 *
 * <p>A test fails when an application threw or the container failed, unless it said that this is
 * expected.
 */
@Documented
@Inherited
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(SipTestExtension.class)
public @interface SipTest {
    /** Archives or folders, deployed before the test, in order; relative to the working folder. */
    String[] archives() default {};

    /**
     * Servlet classes, each deployed as an application of its own, named by its simple name with a
     * small first letter. A class that is a listener too is declared as one.
     */
    Class<? extends SipServlet>[] servlets() default {};

    /** The application router's file; empty: the order of deployment. */
    String router() default "";

    /** Context parameters as {@code application.name=value}; they win over those of an archive. */
    String[] contextParams() default {};

    /** Decides ids, and the order of what happens at the same time. */
    long seed() default 1;

    /**
     * Write and read back the bytes of each application session after every turn, so that state
     * that cannot leave the heap is found.
     */
    boolean roundTrip() default false;
}
