package io.carillon.pojo.engine;

import java.lang.annotation.Annotation;
import java.util.List;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.sip.SipServletMessage;

/**
 * Where handler classes and their collaborators come from: a framework, or the plain classes that a
 * parameter names. One for each application; started by its deploying thread, asked from any.
 */
public interface BeanSource extends AutoCloseable {
    /**
     * Starts it.
     *
     * @return the handler beans, in no order that matters
     * @throws ServletException naming what is wrong, for the deployment's error
     */
    List<HandlerBean> start(ServletContext context) throws ServletException;

    /** Destroys a bean of one of the scopes, when its session ends. */
    default void destroy(ScopedInstance instance) {}

    /** Whether there may be beans in the scope of a call, which cost an attribute per session. */
    default boolean hasCallScope() {
        return false;
    }

    /**
     * Tells observers of a message, if it has such a thing.
     *
     * @return whether there was one
     */
    default boolean observe(SipServletMessage message) {
        return false;
    }

    /** Whether anybody observes what is no message; constant once it has started. */
    default boolean hasEventObservers() {
        return false;
    }

    /**
     * Tells observers of the life of a session, of an ACK or PRACK that did not come, or of a
     * servlet's start.
     *
     * @param kind annotation that names it, as {@link io.carillon.pojo.SessionCreated}
     * @param subject the session, or the event of the API
     * @return whether there was one
     */
    default boolean observe(Class<? extends Annotation> kind, Object subject) {
        return false;
    }

    /** Ends it: no handler runs any more. */
    @Override
    default void close() {}
}
