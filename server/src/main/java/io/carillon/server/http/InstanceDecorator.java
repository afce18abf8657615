package io.carillon.server.http;

import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.feature.http.WebPart;
import org.eclipse.jetty.ee8.annotations.AnnotationIntrospector;
import org.eclipse.jetty.ee8.annotations.DeclareRolesAnnotationHandler;
import org.eclipse.jetty.ee8.annotations.MultiPartConfigAnnotationHandler;
import org.eclipse.jetty.ee8.annotations.PostConstructAnnotationHandler;
import org.eclipse.jetty.ee8.annotations.PreDestroyAnnotationHandler;
import org.eclipse.jetty.ee8.annotations.RunAsAnnotationHandler;
import org.eclipse.jetty.ee8.annotations.ServletSecurityAnnotationHandler;
import org.eclipse.jetty.ee8.webapp.WebAppContext;
import org.eclipse.jetty.plus.annotation.LifeCycleCallbackCollection;
import org.eclipse.jetty.util.DecoratedObjectFactory;
import org.eclipse.jetty.util.Decorator;
import org.jspecify.annotations.Nullable;

/**
 * Makes a fresh servlet, filter or listener ready: its annotations are read, what it asks for by
 * {@code @Resource} comes from the SIP half (so there is one SipFactory for both), {@code
 * PostConstruct} is called. In place of Jetty's decorator, which wants JNDI for {@code @Resource}.
 */
final class InstanceDecorator implements Decorator {
    private final WebAppContext context;
    private final WebPart application;
    private final AnnotationIntrospector introspector;

    InstanceDecorator(WebAppContext context, WebPart application) {
        this.context = context;
        this.application = application;
        this.introspector = new AnnotationIntrospector(context);
        introspector.registerHandler(new RunAsAnnotationHandler(context));
        introspector.registerHandler(new PostConstructAnnotationHandler(context));
        introspector.registerHandler(new PreDestroyAnnotationHandler(context));
        introspector.registerHandler(new DeclareRolesAnnotationHandler(context));
        introspector.registerHandler(new MultiPartConfigAnnotationHandler(context));
        introspector.registerHandler(new ServletSecurityAnnotationHandler(context));
    }

    @Override
    public <T> T decorate(T instance) {
        introspector.introspect(instance, DecoratedObjectFactory.getAssociatedInfo());
        if (instance.getClass().getClassLoader() != application.classLoader()
                || application.isTaken(instance)) {
            return instance; // Jetty's own, ours, or the SIP half's, which cares for it
        }
        try {
            application.inject(instance);
            LifeCycleCallbackCollection callbacks = callbacks();
            if (callbacks != null) {
                callbacks.callPostConstructCallback(instance);
            }
        } catch (DeploymentException e) {
            throw new IllegalStateException(e.getMessage(), e);
        } catch (Exception e) { // whatever a PostConstruct throws
            throw new IllegalStateException(
                    "PostConstruct of " + instance.getClass().getName() + " failed: " + e, e);
        }
        return instance;
    }

    @Override
    public void destroy(Object instance) {
        LifeCycleCallbackCollection callbacks = callbacks();
        if (callbacks == null || application.isTaken(instance)) {
            return;
        }
        try {
            callbacks.callPreDestroyCallback(instance);
        } catch (Exception e) { // whatever a PreDestroy throws
            context.getServletContext()
                    .log("PreDestroy of " + instance.getClass().getName() + " failed", e);
        }
    }

    private @Nullable LifeCycleCallbackCollection callbacks() {
        return (LifeCycleCallbackCollection)
                context.getAttribute(LifeCycleCallbackCollection.LIFECYCLE_CALLBACK_COLLECTION);
    }
}
