package io.carillon.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.AliasFor;

/**
 * A test of a Spring Boot application that embeds Carillon. The whole context starts, but no port
 * is opened: handlers run in a simulated network, in the thread of the test, and time passes only
 * when the test says so.
 *
 * <p>The test gets the {@code io.carillon.servlettest.SipTestServer} injected: phones call there,
 * and time is advanced there. One context, and so one server, serves all tests with the same
 * configuration, as ever with Spring. A test fails when a handler threw, unless it said that this
 * is expected.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.MOCK)
@Import(VirtualSip.class)
@ExtendWith(NoErrors.class)
public @interface SipTest {
    /** Properties of this test, as {@code name=value}. */
    @AliasFor(annotation = SpringBootTest.class, attribute = "properties")
    String[] properties() default {};

    /** Configuration classes; without any, the application's. */
    @AliasFor(annotation = SpringBootTest.class, attribute = "classes")
    Class<?>[] classes() default {};
}
