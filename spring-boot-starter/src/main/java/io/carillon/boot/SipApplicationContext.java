package io.carillon.boot;

import io.carillon.pojo.engine.BeanSource;
import io.carillon.pojo.engine.HandlerBean;
import io.carillon.pojo.engine.HandlerException;
import io.carillon.pojo.engine.ScopedInstance;
import io.carillon.pojo.spring.SpringBeanSource;
import io.carillon.pojo.spring.SpringHandlers;
import java.util.List;
import javax.servlet.ServletContext;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** The handler beans of a Spring Boot application as one SIP application's. Any thread. */
final class SipApplicationContext implements BeanSource {
    private final ConfigurableListableBeanFactory factory;
    private volatile @Nullable ServletContext context;

    SipApplicationContext(ConfigurableListableBeanFactory factory) {
        this.factory = factory;
    }

    /** Of the SIP application, once it started. */
    @Nullable ServletContext servletContext() {
        return context;
    }

    @Override
    public List<HandlerBean> start(ServletContext started) throws HandlerException {
        context = started;
        List<HandlerBean> handlers = SpringHandlers.of(factory);
        if (handlers.isEmpty()) {
            throw new HandlerException(
                    "no bean is annotated @SipHandler: handlers are looked for in the package of the"
                            + " class with main and below; carillon.enabled=false serves no SIP");
        }
        return handlers;
    }

    @Override
    public void destroy(ScopedInstance instance) {
        SpringBeanSource.destroy(factory, instance);
    }

    @Override
    public boolean hasCallScope() {
        return SpringBeanSource.hasCallScope(factory);
    }

    @Override
    public void close() {
        context = null;
    }
}
