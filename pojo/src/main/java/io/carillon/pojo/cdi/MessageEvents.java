package io.carillon.pojo.cdi;

import io.carillon.pojo.BranchResponse;
import io.carillon.pojo.InDialog;
import io.carillon.pojo.Initial;
import io.carillon.pojo.SipMethod;
import io.carillon.pojo.StatusClass;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.EventContext;
import jakarta.enterprise.inject.spi.EventMetadata;
import jakarta.enterprise.inject.spi.InjectionPoint;
import jakarta.enterprise.inject.spi.ObserverMethod;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * Fires messages as events: qualified by method, by {@link Initial} or {@link InDialog}, and by the
 * classes of a status. Any thread.
 */
final class MessageEvents {
    private static final Map<String, Annotation> METHODS = new HashMap<>();
    private static final Annotation INITIAL = Literals.of(Initial.class);
    private static final Annotation IN_DIALOG = Literals.of(InDialog.class);
    private static final Annotation BRANCH = Literals.of(BranchResponse.class);

    static {
        for (Class<? extends Annotation> type : SipExtension.METHODS) {
            SipMethod method = type.getAnnotation(SipMethod.class);
            METHODS.put(method.value(), Literals.of(type));
        }
    }

    /** What qualifies an event; at most one for each method, part and class of statuses. */
    private record Kind(boolean response, String method, boolean initial, int statusClass) {}

    private final BeanManager manager;
    private final Map<Kind, List<Annotation>> qualifiers = new ConcurrentHashMap<>();

    MessageEvents(BeanManager manager) {
        this.manager = manager;
    }

    /** False when nobody observes such a request. */
    boolean fire(SipServletRequest request) {
        Annotation[] all =
                qualified(new Kind(false, known(request.getMethod()), request.isInitial(), 0));
        if (manager.resolveObserverMethods(request, all).isEmpty()) {
            return false;
        }
        Event<Object> event = manager.getEvent();
        event.select(SipServletRequest.class, all).fire(request);
        return true;
    }

    /** False when nobody observes such a response. */
    boolean fire(SipServletResponse response) {
        SipServletRequest request = response.getRequest();
        Annotation[] all =
                qualified(
                        new Kind(
                                true,
                                known(response.getMethod()),
                                request != null && request.isInitial(),
                                response.getStatus() / 100));
        if (response.isBranchResponse()) {
            return fireToBranchObservers(response, all);
        }
        if (manager.resolveObserverMethods(response, all).isEmpty()) {
            return false;
        }
        manager.getEvent().select(SipServletResponse.class, all).fire(response);
        return true;
    }

    /**
     * Only to those that name {@link BranchResponse}: any other observer means the response to its
     * request, which comes later.
     */
    private boolean fireToBranchObservers(SipServletResponse response, Annotation[] others) {
        Annotation[] all = Arrays.copyOf(others, others.length + 1);
        all[others.length] = BRANCH;
        boolean told = false;
        for (ObserverMethod<? super SipServletResponse> observer :
                manager.resolveObserverMethods(response, all)) {
            if (!observer.isAsync() && observer.getObservedQualifiers().contains(BRANCH)) {
                tell(observer, response, Set.of(all));
                told = true;
            }
        }
        return told;
    }

    /** An observer of a wider type, as SipServletMessage, takes the response as that. */
    private static <T> void tell(
            ObserverMethod<T> observer, T response, Set<Annotation> qualifiers) {
        observer.notify(new Fired<>(response, qualifiers));
    }

    /** A peer may send any word as a method: those without annotation are one kind. */
    private static String known(String method) {
        return METHODS.containsKey(method) ? method : "";
    }

    private Annotation[] qualified(Kind kind) {
        return qualifiers
                .computeIfAbsent(kind, MessageEvents::qualifiers)
                .toArray(Annotation[]::new);
    }

    private static List<Annotation> qualifiers(Kind kind) {
        List<Annotation> all = new ArrayList<>();
        Annotation method = METHODS.get(kind.method());
        if (method != null) {
            all.add(method);
        }
        all.add(kind.initial() ? INITIAL : IN_DIALOG);
        if (kind.response()) {
            int status = kind.statusClass() * 100;
            for (Class<? extends Annotation> type : SipExtension.STATUSES) {
                StatusClass range = type.getAnnotation(StatusClass.class);
                if (range.from() <= status && status <= range.to()) {
                    all.add(Literals.of(type));
                }
            }
        }
        return List.copyOf(all);
    }

    /** What an observer of a branch's response is given. */
    private record Fired<T>(T event, Set<Annotation> qualifiers)
            implements EventContext<T>, EventMetadata {
        @Override
        public T getEvent() {
            return event;
        }

        @Override
        public EventMetadata getMetadata() {
            return this;
        }

        @Override
        public Set<Annotation> getQualifiers() {
            return qualifiers;
        }

        @Override
        public @Nullable InjectionPoint getInjectionPoint() {
            return null;
        }

        @Override
        public Type getType() {
            return SipServletResponse.class;
        }
    }
}
