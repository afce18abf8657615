package io.carillon.servlet.app;

import java.util.ArrayList;
import java.util.EventListener;
import java.util.List;
import java.util.Set;
import javax.servlet.ServletContextAttributeListener;
import javax.servlet.ServletContextListener;
import javax.servlet.sip.SipApplicationSessionActivationListener;
import javax.servlet.sip.SipApplicationSessionAttributeListener;
import javax.servlet.sip.SipApplicationSessionBindingListener;
import javax.servlet.sip.SipApplicationSessionListener;
import javax.servlet.sip.SipErrorListener;
import javax.servlet.sip.SipServletListener;
import javax.servlet.sip.SipSessionActivationListener;
import javax.servlet.sip.SipSessionAttributeListener;
import javax.servlet.sip.SipSessionBindingListener;
import javax.servlet.sip.SipSessionListener;
import javax.servlet.sip.TimerListener;

/**
 * The listeners of one application by type, each list in the order of their declaration. Immutable,
 * from any thread.
 */
public record Listeners(
        List<SipApplicationSessionListener> applicationSessions,
        List<SipApplicationSessionAttributeListener> applicationSessionAttributes,
        List<SipApplicationSessionBindingListener> applicationSessionBindings,
        List<SipApplicationSessionActivationListener> applicationSessionActivations,
        List<SipSessionListener> sessions,
        List<SipSessionAttributeListener> sessionAttributes,
        List<SipSessionBindingListener> sessionBindings,
        List<SipSessionActivationListener> sessionActivations,
        List<SipErrorListener> errors,
        List<TimerListener> timers,
        List<SipServletListener> servlets,
        List<ServletContextListener> contexts,
        List<ServletContextAttributeListener> contextAttributes,
        List<EventListener> all) {

    /** Nobody listens. */
    public static final Listeners NONE = of(List.of());

    private static final List<Class<?>> SIP_TYPES =
            List.of(
                    SipApplicationSessionListener.class,
                    SipApplicationSessionAttributeListener.class,
                    SipApplicationSessionBindingListener.class,
                    SipApplicationSessionActivationListener.class,
                    SipSessionListener.class,
                    SipSessionAttributeListener.class,
                    SipSessionBindingListener.class,
                    SipSessionActivationListener.class,
                    SipErrorListener.class,
                    TimerListener.class,
                    SipServletListener.class);

    /**
     * Sorts instances by the interfaces they implement; one instance may stand in several lists.
     */
    public static Listeners of(List<? extends EventListener> all) {
        return new Listeners(
                only(SipApplicationSessionListener.class, all),
                only(SipApplicationSessionAttributeListener.class, all),
                only(SipApplicationSessionBindingListener.class, all),
                only(SipApplicationSessionActivationListener.class, all),
                only(SipSessionListener.class, all),
                only(SipSessionAttributeListener.class, all),
                only(SipSessionBindingListener.class, all),
                only(SipSessionActivationListener.class, all),
                only(SipErrorListener.class, all),
                only(TimerListener.class, all),
                only(SipServletListener.class, all),
                only(ServletContextListener.class, all),
                only(ServletContextAttributeListener.class, all),
                List.copyOf(all));
    }

    /**
     * These, but what is told of the servlet context is told to {@code taken} by somebody else: the
     * HTTP half tells the instances that it declares too.
     */
    Listeners withoutContextOf(Set<Object> taken) {
        return new Listeners(
                applicationSessions,
                applicationSessionAttributes,
                applicationSessionBindings,
                applicationSessionActivations,
                sessions,
                sessionAttributes,
                sessionBindings,
                sessionActivations,
                errors,
                timers,
                servlets,
                contexts.stream().filter(l -> !taken.contains(l)).toList(),
                contextAttributes.stream().filter(l -> !taken.contains(l)).toList(),
                all);
    }

    /** Those of a type that the API does not have. */
    public <T> List<T> of(Class<T> type) {
        return only(type, all);
    }

    /** The SIP listener interfaces that a class implements, by their short names. */
    static List<String> sipTypesOf(Class<?> type) {
        List<String> names = new ArrayList<>();
        for (Class<?> listener : SIP_TYPES) {
            if (listener.isAssignableFrom(type)) {
                names.add(listener.getSimpleName());
            }
        }
        return names;
    }

    private static <T> List<T> only(Class<T> type, List<? extends EventListener> all) {
        List<T> found = new ArrayList<>();
        for (EventListener listener : all) {
            if (type.isInstance(listener)) {
                found.add(type.cast(listener));
            }
        }
        return List.copyOf(found);
    }
}
