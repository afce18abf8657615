package io.carillon.pojo.cdi;

import io.carillon.pojo.NoAckReceived;
import io.carillon.pojo.NoPrackReceived;
import io.carillon.pojo.ServletInitialized;
import io.carillon.pojo.SessionCreated;
import io.carillon.pojo.SessionDestroyed;
import io.carillon.pojo.SessionExpired;
import io.carillon.pojo.SessionReadyToInvalidate;
import io.carillon.pojo.SipApplicationSessionScoped;
import io.carillon.pojo.SipSessionScoped;
import jakarta.enterprise.context.Destroyed;
import jakarta.enterprise.context.Initialized;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.ObserverMethod;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipErrorEvent;
import javax.servlet.sip.SipServletContextEvent;
import javax.servlet.sip.SipSession;

/**
 * Fires the life of sessions, missing ACKs and PRACKs, and the start of servlets as events: each
 * qualified by its annotation, the begin and the end of a session also by {@link Initialized} and
 * {@link Destroyed} of its scope. Any thread.
 */
final class SessionEvents {
    /** What may qualify an event of this kind. */
    static final List<Class<? extends Annotation>> KINDS =
            List.of(
                    SessionCreated.class,
                    SessionDestroyed.class,
                    SessionExpired.class,
                    SessionReadyToInvalidate.class,
                    NoAckReceived.class,
                    NoPrackReceived.class,
                    ServletInitialized.class);

    private static final List<Class<?>> SUBJECTS =
            List.of(
                    SipSession.class,
                    SipApplicationSession.class,
                    SipErrorEvent.class,
                    SipServletContextEvent.class);

    private final BeanManager manager;

    SessionEvents(BeanManager manager) {
        this.manager = manager;
    }

    /** Whether that is an observer of such events: by what it observes, or by a qualifier. */
    static boolean isObserver(ObserverMethod<?> method) {
        Type observed = method.getObservedType();
        return SUBJECTS.contains(observed)
                || method.getObservedQualifiers().stream().anyMatch(SessionEvents::isQualifier);
    }

    private static boolean isQualifier(Annotation qualifier) {
        return switch (qualifier) {
            case Initialized initialized -> isScope(initialized.value());
            case Destroyed destroyed -> isScope(destroyed.value());
            default -> KINDS.contains(qualifier.annotationType());
        };
    }

    private static boolean isScope(Class<? extends Annotation> scope) {
        return scope == SipSessionScoped.class || scope == SipApplicationSessionScoped.class;
    }

    /**
     * False when nobody observes it.
     *
     * @param kind one of {@link #KINDS}
     * @param subject the session or the event of the API
     */
    boolean fire(Class<? extends Annotation> kind, Object subject) {
        Annotation[] all = qualifiers(kind, subject);
        if (manager.resolveObserverMethods(subject, all).stream()
                .allMatch(ObserverMethod::isAsync)) {
            return false;
        }
        manager.getEvent().select(all).fire(subject);
        return true;
    }

    private static Annotation[] qualifiers(Class<? extends Annotation> kind, Object subject) {
        List<Annotation> all = new ArrayList<>();
        all.add(Literals.of(kind));
        Class<? extends Annotation> scope =
                switch (subject) {
                    case SipSession session -> SipSessionScoped.class;
                    case SipApplicationSession session -> SipApplicationSessionScoped.class;
                    default -> null;
                };
        if (scope != null && kind == SessionCreated.class) {
            all.add(Initialized.Literal.of(scope));
        } else if (scope != null && kind == SessionDestroyed.class) {
            all.add(Destroyed.Literal.of(scope));
        }
        return all.toArray(Annotation[]::new);
    }
}
