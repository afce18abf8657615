package io.carillon.pojo.cdi;

import io.carillon.pojo.engine.ScopedInstance;
import io.carillon.pojo.engine.Scopes;
import jakarta.enterprise.context.ContextNotActiveException;
import jakarta.enterprise.context.spi.AlterableContext;
import jakarta.enterprise.context.spi.Contextual;
import jakarta.enterprise.context.spi.CreationalContext;
import java.lang.annotation.Annotation;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A scope of the annotation model as CDI knows contexts. Any thread. */
final class CdiScope implements AlterableContext {
    private final Class<? extends Annotation> annotation;
    private final Scopes scope;

    /** Of the beans of this scope that were asked for. */
    private final ConcurrentHashMap<Contextual<?>, String> names = new ConcurrentHashMap<>();

    CdiScope(Class<? extends Annotation> annotation, Scopes scope) {
        this.annotation = annotation;
        this.scope = scope;
    }

    @Override
    public Class<? extends Annotation> getScope() {
        return annotation;
    }

    @Override
    public boolean isActive() {
        return scope.isActive();
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> @Nullable T get(Contextual<T> contextual) {
        ScopedInstance found = active().find(nameOf(contextual));
        return found == null ? null : (T) found.instance();
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T get(Contextual<T> contextual, CreationalContext<T> creation) {
        T known = get(contextual);
        if (known != null) {
            return known;
        }
        T made = contextual.create(creation);
        ScopedInstance stays = active().add(new ScopedInstance(nameOf(contextual), made, creation));
        if (stays.instance() != made) {
            contextual.destroy(made, creation); // another thread was faster
        }
        return (T) stays.instance();
    }

    @Override
    @SuppressWarnings("unchecked")
    public void destroy(Contextual<?> contextual) {
        ScopedInstance removed = active().remove(nameOf(contextual));
        if (removed != null) {
            destroy((Contextual<Object>) contextual, removed);
        }
    }

    /** A bean that came from another node has left behind what it was made with. */
    @SuppressWarnings("unchecked")
    static void destroy(Contextual<Object> contextual, ScopedInstance instance) {
        contextual.destroy(
                instance.instance(),
                instance.creation() instanceof CreationalContext<?> creation
                        ? (CreationalContext<Object>) creation
                        : new Gone());
    }

    /** In place of what a bean was made with, where that is on another node. */
    private static final class Gone implements CreationalContext<Object> {
        @Override
        public void push(Object incomplete) {}

        @Override
        public void release() {}
    }

    private String nameOf(Contextual<?> contextual) {
        return names.computeIfAbsent(contextual, BeanNames::of);
    }

    private Scopes active() {
        if (!scope.isActive()) {
            throw new ContextNotActiveException(
                    "a bean annotated @"
                            + annotation.getSimpleName()
                            + " is used where no SIP message of such a session is handled; handlers"
                            + " and SipScopes.within can use it");
        }
        return scope;
    }
}
