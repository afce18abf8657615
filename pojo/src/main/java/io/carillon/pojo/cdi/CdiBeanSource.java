package io.carillon.pojo.cdi;

import io.carillon.pojo.engine.ArchiveClasses;
import io.carillon.pojo.engine.BeanSource;
import io.carillon.pojo.engine.BeanSourceProvider;
import io.carillon.pojo.engine.HandlerBean;
import io.carillon.pojo.engine.HandlerException;
import io.carillon.pojo.engine.ScopedInstance;
import jakarta.enterprise.context.spi.Contextual;
import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * Handlers that are CDI beans: of a container that runs already, or of one that is started for an
 * archive and sees what the archive holds.
 */
public final class CdiBeanSource implements BeanSource {
    /** The service: an archive with a CDI SE container in it gets this source. */
    public static final class Provider implements BeanSourceProvider {
        @Override
        public String name() {
            return "cdi";
        }

        @Override
        public String needs() {
            return "jakarta.enterprise.inject.se.SeContainerInitializer";
        }

        @Override
        public BeanSource create() {
            return new CdiBeanSource(null);
        }
    }

    private final @Nullable BeanManager given;
    private @Nullable SeContainer own;
    private @Nullable BeanManager manager;
    private @Nullable SipExtension extension;
    private @Nullable MessageEvents messages;
    private @Nullable SessionEvents events;

    private CdiBeanSource(@Nullable BeanManager given) {
        this.given = given;
    }

    /** Beans of a container that the caller starts and closes. */
    public static CdiBeanSource of(BeanManager manager) {
        return new CdiBeanSource(manager);
    }

    @Override
    public List<HandlerBean> start(ServletContext context) throws ServletException {
        BeanManager beans = given == null ? startOwn(context) : given;
        manager = beans;
        SipExtension found = beans.getExtension(SipExtension.class);
        extension = found;
        found.started(context);
        messages = found.hasMessageObservers() ? new MessageEvents(beans) : null;
        events = found.hasEventObservers() ? new SessionEvents(beans) : null;
        List<HandlerBean> handlers = new ArrayList<>();
        for (Bean<?> bean : found.handlers()) {
            handlers.add(handler(beans, bean));
        }
        if (handlers.isEmpty() && messages == null && events == null) {
            throw new HandlerException(
                    "no CDI bean is annotated @SipHandler, and none observes SIP messages: is there"
                            + " a META-INF/beans.xml?");
        }
        return handlers;
    }

    private BeanManager startOwn(ServletContext context) throws ServletException {
        try {
            SeContainer started =
                    ScopedValue.where(SipExtension.FOUND, ArchiveClasses.handlers(context))
                            .call(() ->
                                    SeContainerInitializer.newInstance()
                                            .setClassLoader(
                                                    Thread.currentThread().getContextClassLoader())
                                            .initialize());
            own = started;
            return started.getBeanManager();
        } catch (RuntimeException e) {
            throw new HandlerException("CDI: " + e.getMessage(), e);
        }
    }

    private static HandlerBean handler(BeanManager beans, Bean<?> bean) {
        CreationalContext<?> creation = beans.createCreationalContext(bean);
        Object instance = beans.getReference(bean, bean.getBeanClass(), creation);
        return new HandlerBean(bean.getBeanClass(), () -> instance, written -> written);
    }

    @Override
    public boolean observe(SipServletMessage message) {
        MessageEvents firing = messages;
        if (firing == null) {
            return false;
        }
        return switch (message) {
            case SipServletRequest request -> firing.fire(request);
            case SipServletResponse response -> firing.fire(response);
            default -> false;
        };
    }

    @Override
    public boolean hasEventObservers() {
        return events != null;
    }

    @Override
    public boolean observe(Class<? extends Annotation> kind, Object subject) {
        SessionEvents firing = events;
        return firing != null && firing.fire(kind, subject);
    }

    @Override
    public boolean hasCallScope() {
        return extension != null && extension.hasCallScope();
    }

    @Override
    @SuppressWarnings("unchecked")
    public void destroy(ScopedInstance instance) {
        BeanManager beans = manager;
        if (beans != null) {
            for (Bean<?> bean :
                    beans.getBeans(instance.instance().getClass(), Any.Literal.INSTANCE)) {
                if (BeanNames.of(bean).equals(instance.name())) {
                    CdiScope.destroy((Contextual<Object>) (Contextual<?>) bean, instance);
                    return;
                }
            }
        }
    }

    @Override
    public void close() {
        SeContainer started = own;
        own = null;
        manager = null;
        messages = null;
        events = null;
        if (started != null) {
            started.close();
        }
    }
}
