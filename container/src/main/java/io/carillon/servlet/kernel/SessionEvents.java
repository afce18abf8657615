package io.carillon.servlet.kernel;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.Listeners;
import io.carillon.servlet.bytes.Attributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import javax.servlet.sip.SipApplicationSessionActivationListener;
import javax.servlet.sip.SipApplicationSessionAttributeListener;
import javax.servlet.sip.SipApplicationSessionBindingEvent;
import javax.servlet.sip.SipApplicationSessionBindingListener;
import javax.servlet.sip.SipApplicationSessionEvent;
import javax.servlet.sip.SipApplicationSessionListener;
import javax.servlet.sip.SipSessionActivationListener;
import javax.servlet.sip.SipSessionAttributeListener;
import javax.servlet.sip.SipSessionBindingEvent;
import javax.servlet.sip.SipSessionBindingListener;
import javax.servlet.sip.SipSessionEvent;
import javax.servlet.sip.SipSessionListener;
import org.jspecify.annotations.Nullable;

/**
 * Tells the listeners of an application what happens to its sessions; nothing is made where nobody
 * listens. Called with the turn held.
 */
public final class SessionEvents {
    /** Calls application code as the container always does: its class loader, its errors. */
    public interface Caller {
        <T> void tell(Application application, List<T> listeners, String what, Consumer<T> call);
    }

    private final Caller caller;

    public SessionEvents(Caller caller) {
        this.caller = caller;
    }

    /** Tells listeners of that application something; what they throw is counted. */
    public <T> void tell(
            Application application, List<T> listeners, String what, Consumer<T> call) {
        if (!listeners.isEmpty()) {
            caller.tell(application, listeners, what, call);
        }
    }

    private static Listeners of(ApplicationSession session) {
        return session.application().listeners();
    }

    public void created(ApplicationSession session) {
        List<SipApplicationSessionListener> listeners = of(session).applicationSessions();
        if (!listeners.isEmpty()) {
            caller.tell(
                    session.application(),
                    listeners,
                    "sessionCreated",
                    l -> l.sessionCreated(new SipApplicationSessionEvent(session)));
        }
    }

    void destroyed(ApplicationSession session) {
        List<SipApplicationSessionListener> listeners = of(session).applicationSessions();
        if (!listeners.isEmpty()) {
            caller.tell(
                    session.application(),
                    listeners,
                    "sessionDestroyed",
                    l -> l.sessionDestroyed(new SipApplicationSessionEvent(session)));
        }
    }

    void expired(ApplicationSession session) {
        List<SipApplicationSessionListener> listeners = of(session).applicationSessions();
        if (!listeners.isEmpty()) {
            caller.tell(
                    session.application(),
                    listeners,
                    "sessionExpired",
                    l -> l.sessionExpired(new SipApplicationSessionEvent(session)));
        }
    }

    void readyToInvalidate(ApplicationSession session) {
        List<SipApplicationSessionListener> listeners = of(session).applicationSessions();
        if (!listeners.isEmpty()) {
            caller.tell(
                    session.application(),
                    listeners,
                    "sessionReadyToInvalidate",
                    l -> l.sessionReadyToInvalidate(new SipApplicationSessionEvent(session)));
        }
    }

    public void created(ServletSession session) {
        List<SipSessionListener> listeners = of(session.parent()).sessions();
        if (!listeners.isEmpty()) {
            caller.tell(
                    session.application(),
                    listeners,
                    "sessionCreated",
                    l -> l.sessionCreated(new SipSessionEvent(session)));
        }
    }

    void destroyed(ServletSession session) {
        session.host().hooks().ended(session);
        List<SipSessionListener> listeners = of(session.parent()).sessions();
        if (!listeners.isEmpty()) {
            caller.tell(
                    session.application(),
                    listeners,
                    "sessionDestroyed",
                    l -> l.sessionDestroyed(new SipSessionEvent(session)));
        }
    }

    void readyToInvalidate(ServletSession session) {
        List<SipSessionListener> listeners = of(session.parent()).sessions();
        if (!listeners.isEmpty()) {
            caller.tell(
                    session.application(),
                    listeners,
                    "sessionReadyToInvalidate",
                    l -> l.sessionReadyToInvalidate(new SipSessionEvent(session)));
        }
    }

    void set(ServletSession session, String name, @Nullable Object old, Object value) {
        if (old != value) {
            if (old != null) {
                unbound(session, name, old);
            }
            if (value instanceof SipSessionBindingListener listening) {
                List<SipSessionBindingListener> bound = List.of(listening);
                tell(
                        session.application(),
                        bound,
                        "valueBound",
                        l -> l.valueBound(new SipSessionBindingEvent(session, name)));
            }
        }
        List<SipSessionAttributeListener> listeners = of(session.parent()).sessionAttributes();
        tell(
                session.application(),
                listeners,
                old == null ? "attributeAdded" : "attributeReplaced",
                l -> {
                    SipSessionBindingEvent event = new SipSessionBindingEvent(session, name);
                    if (old == null) {
                        l.attributeAdded(event);
                    } else {
                        l.attributeReplaced(event);
                    }
                });
    }

    void removed(ServletSession session, String name, Object old) {
        unbound(session, name, old);
        tell(
                session.application(),
                of(session.parent()).sessionAttributes(),
                "attributeRemoved",
                l -> l.attributeRemoved(new SipSessionBindingEvent(session, name)));
    }

    void unbound(ServletSession session, String name, Object old) {
        if (old instanceof SipSessionBindingListener listening) {
            List<SipSessionBindingListener> bound = List.of(listening);
            tell(
                    session.application(),
                    bound,
                    "valueUnbound",
                    l -> l.valueUnbound(new SipSessionBindingEvent(session, name)));
        }
    }

    void set(ApplicationSession session, String name, @Nullable Object old, Object value) {
        if (old != value) {
            if (old != null) {
                unbound(session, name, old);
            }
            if (value instanceof SipApplicationSessionBindingListener listening) {
                List<SipApplicationSessionBindingListener> bound = List.of(listening);
                tell(
                        session.application(),
                        bound,
                        "valueBound",
                        l -> l.valueBound(new SipApplicationSessionBindingEvent(session, name)));
            }
        }
        List<SipApplicationSessionAttributeListener> listeners =
                of(session).applicationSessionAttributes();
        tell(
                session.application(),
                listeners,
                old == null ? "attributeAdded" : "attributeReplaced",
                l -> {
                    SipApplicationSessionBindingEvent event =
                            new SipApplicationSessionBindingEvent(session, name);
                    if (old == null) {
                        l.attributeAdded(event);
                    } else {
                        l.attributeReplaced(event);
                    }
                });
    }

    void removed(ApplicationSession session, String name, Object old) {
        unbound(session, name, old);
        tell(
                session.application(),
                of(session).applicationSessionAttributes(),
                "attributeRemoved",
                l -> l.attributeRemoved(new SipApplicationSessionBindingEvent(session, name)));
    }

    void unbound(ApplicationSession session, String name, Object old) {
        if (old instanceof SipApplicationSessionBindingListener listening) {
            List<SipApplicationSessionBindingListener> bound = List.of(listening);
            tell(
                    session.application(),
                    bound,
                    "valueUnbound",
                    l -> l.valueUnbound(new SipApplicationSessionBindingEvent(session, name)));
        }
    }

    // ---- passivation ----

    /** The session is about to be written to bytes: values bound to it and listeners hear of it. */
    public void willPassivate(ApplicationSession session) {
        for (ServletSession child : List.copyOf(session.sessions())) {
            tell(
                    session.application(),
                    activations(child),
                    "sessionWillPassivate",
                    l -> l.sessionWillPassivate(new SipSessionEvent(child)));
        }
        tell(
                session.application(),
                activations(session),
                "sessionWillPassivate",
                l -> l.sessionWillPassivate(new SipApplicationSessionEvent(session)));
    }

    /** The session was read from bytes: the values that came out of them hear of it. */
    public void didActivate(ApplicationSession session) {
        tell(
                session.application(),
                activations(session),
                "sessionDidActivate",
                l -> l.sessionDidActivate(new SipApplicationSessionEvent(session)));
        for (ServletSession child : List.copyOf(session.sessions())) {
            tell(
                    session.application(),
                    activations(child),
                    "sessionDidActivate",
                    l -> l.sessionDidActivate(new SipSessionEvent(child)));
        }
    }

    private static List<SipApplicationSessionActivationListener> activations(
            ApplicationSession session) {
        return withValues(
                of(session).applicationSessionActivations(),
                session.attributes,
                SipApplicationSessionActivationListener.class);
    }

    private static List<SipSessionActivationListener> activations(ServletSession session) {
        return withValues(
                of(session.parent()).sessionActivations(),
                session.attributes,
                SipSessionActivationListener.class);
    }

    /** The declared listeners, and the values of attributes that listen; none of them twice. */
    private static <T> List<T> withValues(
            List<T> declared, Attributes attributes, Class<T> listening) {
        if (attributes.isEmpty()) {
            return declared;
        }
        Set<T> all = Collections.newSetFromMap(new IdentityHashMap<>());
        List<T> ordered = new ArrayList<>(declared);
        all.addAll(declared);
        for (String name : attributes.names()) {
            Object value = attributes.get(name);
            if (listening.isInstance(value) && all.add(listening.cast(value))) {
                ordered.add(listening.cast(value));
            }
        }
        return ordered;
    }
}
