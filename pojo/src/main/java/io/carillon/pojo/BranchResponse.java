package io.carillon.pojo;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A final response of one branch of a proxy, 300 to 699, that is not yet the response to the
 * request (JSR 289, {@code SipServlet.doBranchResponse}). Qualifies the parameter of a CDI
 * observer: {@code void seen(@Observes @BranchResponse SipServletResponse response)}. Observers
 * that do not name it are not told of such responses.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface BranchResponse {}
