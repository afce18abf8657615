package io.carillon.server.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * One setting or section of the configuration. Stands on a component of a configuration record; the
 * key in the file is the component's name in kebab case. {@link ConfigurationKeys} collects them:
 * the reader, the reference page and the limits that the log tells of take everything from there.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
    /** What it does, in a sentence for the tables of the reference page: 25 words at most. */
    String value();

    /** What else there is to know of it, for the list below the table. Empty: nothing. */
    String more() default "";

    /**
     * The default, written as a user would; elements of a list are separated by commas. Empty:
     * none.
     */
    String standard() default "";

    /** How the default is shown where the value alone does not say it. */
    String standardText() default "";

    /** Smallest value allowed, written as a user would. */
    String min() default "";

    /** Largest value allowed, written as a user would. */
    String max() default "";

    /** What a number counts, where its key does not say it: {@code %}. */
    String unit() default "";

    /** One of the keys that most servers set. The others are for experts. */
    boolean common() default false;

    /** Whether a running server takes another value by a reload. The others need a restart. */
    boolean reload() default false;

    /**
     * What the status and the metrics count at this limit, as in {@code sip.refused_request_heap};
     * the one that bears the key's name first.
     */
    String[] metrics() default {};
}
