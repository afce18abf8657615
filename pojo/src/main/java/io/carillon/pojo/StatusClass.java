package io.carillon.pojo;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says which statuses an annotation stands for; {@link SuccessResponse} and its siblings carry it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.ANNOTATION_TYPE})
public @interface StatusClass {
    /** The first status, inclusive. */
    int from();

    /** The last status, inclusive. */
    int to();
}
