package io.carillon.pojo.engine;

import io.carillon.pojo.current.Current;
import java.util.List;
import java.util.function.Consumer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/**
 * The scopes that the sessions of the work on the calling thread open. A framework's scope finds
 * its beans here and adds those it makes.
 *
 * <p>Of two threads that make the same bean at once (a handler, and a page within {@link
 * io.carillon.pojo.SipScopes}) one makes it in vain: {@link #add} says which one stays. No lock is
 * held while a bean is made, as both may wait for the session meanwhile.
 */
public enum Scopes {
    /** Of the SIP session. */
    SIP_SESSION {
        @Override
        public boolean isActive() {
            return Current.hasSipSession();
        }

        @Override
        @Nullable ScopeBeans beans() {
            return of(Current.sipSession());
        }

        @Override
        ScopeBeans newBeans() {
            ScopeBeans made = new ScopeBeans();
            Current.sipSession().setAttribute(BEANS, made);
            return made;
        }
    },

    /** Of the application session. */
    APPLICATION_SESSION {
        @Override
        public boolean isActive() {
            return Current.isBound();
        }

        @Override
        @Nullable ScopeBeans beans() {
            return of(Current.applicationSession(), BEANS);
        }

        @Override
        ScopeBeans newBeans() {
            ScopeBeans made = new ScopeBeans();
            Current.applicationSession().setAttribute(BEANS, made);
            return made;
        }
    },

    /** Of the call: all its legs. */
    CALL {
        @Override
        public boolean isActive() {
            return Current.hasSipSession();
        }

        @Override
        @Nullable ScopeBeans beans() {
            return of(Current.applicationSession(), callBeans(Calls.idOf(Current.sipSession())));
        }

        @Override
        ScopeBeans newBeans() {
            ScopeBeans made = new ScopeBeans();
            Current.applicationSession()
                    .setAttribute(callBeans(Calls.idOf(Current.sipSession())), made);
            return made;
        }
    };

    private static final String BEANS = "io.carillon.pojo.beans";

    /** Can a bean of this scope be asked for on the calling thread? */
    public abstract boolean isActive();

    /**
     * The bean of that name, or null.
     *
     * @throws IllegalStateException where the scope is not active
     */
    public @Nullable ScopedInstance find(String name) {
        ScopeBeans beans = beans();
        return beans == null ? null : beans.instances.get(name);
    }

    /**
     * Adds one that was made; where another one was faster, that one is given back and stays.
     *
     * @throws IllegalStateException where the scope is not active
     */
    public ScopedInstance add(ScopedInstance made) {
        ScopeBeans beans = beans();
        if (beans == null) {
            beans = newBeans();
        }
        ScopedInstance faster = beans.instances.putIfAbsent(made.name(), made);
        return faster == null ? made : faster;
    }

    /**
     * Takes one out, to be destroyed by the caller; null where it is not there.
     *
     * @throws IllegalStateException where the scope is not active
     */
    public @Nullable ScopedInstance remove(String name) {
        ScopeBeans beans = beans();
        return beans == null ? null : beans.instances.remove(name);
    }

    /** An id of the session or call, for frameworks that ask. */
    public String conversationId() {
        return switch (this) {
            case SIP_SESSION -> Current.sipSession().getId();
            case APPLICATION_SESSION -> Current.applicationSession().getId();
            case CALL -> Calls.idOf(Current.sipSession());
        };
    }

    abstract @Nullable ScopeBeans beans();

    abstract ScopeBeans newBeans();

    static @Nullable ScopeBeans of(SipSession session) {
        return session.getAttribute(BEANS) instanceof ScopeBeans beans ? beans : null;
    }

    static @Nullable ScopeBeans of(SipApplicationSession session, String attribute) {
        return session.getAttribute(attribute) instanceof ScopeBeans beans ? beans : null;
    }

    static String callBeans(String callId) {
        return BEANS + ".call." + callId;
    }

    /** Before a session ends: takes out the beans that end with it. */
    static void ended(SipSession session, Consumer<ScopedInstance> destroy) {
        takeAll(of(session), destroy);
        if (session.getAttribute(Calls.ID) instanceof String id && Calls.isLast(session, id)) {
            SipApplicationSession application = session.getApplicationSession();
            takeAll(of(application, callBeans(id)), destroy);
            application.removeAttribute(callBeans(id));
        }
    }

    /** Before an application session ends. */
    static void ended(SipApplicationSession session, Consumer<ScopedInstance> destroy) {
        takeAll(of(session, BEANS), destroy);
    }

    private static void takeAll(@Nullable ScopeBeans beans, Consumer<ScopedInstance> destroy) {
        if (beans != null) {
            for (String name : List.copyOf(beans.instances.keySet())) {
                ScopedInstance instance = beans.instances.remove(name);
                if (instance != null) {
                    destroy.accept(instance);
                }
            }
        }
    }
}
