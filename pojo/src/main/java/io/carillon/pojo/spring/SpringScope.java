package io.carillon.pojo.spring;

import io.carillon.pojo.engine.ScopedInstance;
import io.carillon.pojo.engine.Scopes;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.Scope;

/** A scope of the annotation model as Spring knows scopes. Any thread. */
final class SpringScope implements Scope {
    private final Scopes scope;
    private final ConfigurableBeanFactory factory;

    SpringScope(Scopes scope, ConfigurableBeanFactory factory) {
        this.scope = scope;
        this.factory = factory;
    }

    @Override
    public Object get(String name, ObjectFactory<?> objects) {
        ScopedInstance found = scope.find(name);
        if (found == null) {
            Object made = objects.getObject();
            found = scope.add(new ScopedInstance(name, made, null));
            if (found.instance() != made) {
                factory.destroyBean(name, made); // another thread was faster
            }
        }
        return found.instance();
    }

    @Override
    public @Nullable Object remove(String name) {
        ScopedInstance removed = scope.remove(name);
        return removed == null ? null : removed.instance();
    }

    /**
     * Nothing to note: at the end of the session the factory destroys the bean by its name, on
     * whatever node that happens.
     */
    @Override
    public void registerDestructionCallback(String name, Runnable callback) {}

    @Override
    public @Nullable Object resolveContextualObject(String key) {
        return null;
    }

    @Override
    public @Nullable String getConversationId() {
        return scope.isActive() ? scope.conversationId() : null;
    }
}
