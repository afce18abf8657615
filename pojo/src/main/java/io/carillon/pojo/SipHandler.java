package io.carillon.pojo;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A class whose annotated methods handle SIP messages, timers and session events.
 *
 * <p>A method handles requests when it has a method annotation ({@link Invite}, {@link Methods},
 * {@link AnyMethod} ...) and responses when it has a response annotation too ({@link
 * SuccessResponse}, {@link Status} ...) or a {@code SipServletResponse} parameter. {@link Role},
 * {@link Initial}, {@link InDialog}, {@link RequestUri} and {@link WithHeader} narrow it. Of
 * several handlers that match a message only the most specific one is called; this decides, in this
 * order:
 *
 * <ol>
 *   <li>a {@link Role}, before none;
 *   <li>a method that is named, before any method;
 *   <li>fewer statuses, before more;
 *   <li>{@link Initial} or {@link InDialog}, before neither;
 *   <li>more literal characters in {@link RequestUri};
 *   <li>more {@link WithHeader} conditions, then more literal characters in them.
 * </ol>
 *
 * Two handlers that match the same message equally well are an error at deployment that names both.
 *
 * <p>Parameters are filled by type (the message, its sessions, {@code ServletTimer}, {@code
 * SipFactory}, {@code TimerService}, {@code SipSessionsUtil}, {@code ServletContext}, {@code
 * Proxy}, {@code B2buaHelper}, {@code Call}; a {@code URI} is the Request-URI) and by annotation
 * ({@link Header}, {@link Body}, {@link Attribute}). A request handler returns nothing, a status, a
 * {@code SipServletResponse} or a {@link Plan}; any other handler returns nothing or a {@link
 * Plan}.
 *
 * <p>Handlers of one application session run one at a time. They may block, unless the class says
 * {@link NonBlocking}. What they throw is answered 500, a {@link SipStatusException} with its
 * status.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface SipHandler {}
