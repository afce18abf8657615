package io.carillon.pojo.spring;

import io.carillon.pojo.CallScoped;
import io.carillon.pojo.SipApplicationSessionScoped;
import io.carillon.pojo.SipHandler;
import io.carillon.pojo.SipSessionScoped;
import io.carillon.pojo.current.CurrentObjects;
import io.carillon.pojo.engine.Scopes;
import java.lang.annotation.Annotation;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import javax.servlet.ServletContext;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipSessionsUtil;
import javax.servlet.sip.TimerService;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.context.annotation.ClassPathBeanDefinitionScanner;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.core.type.filter.AnnotationTypeFilter;

/**
 * Makes a Spring context one of SIP: finds classes annotated {@link SipHandler}, gives beans their
 * scopes, and offers SipFactory, TimerService, SipSessionsUtil, ServletContext, the sessions and
 * the message in work for injection. Of the thread that refreshes the context.
 */
public final class SipBeans implements BeanDefinitionRegistryPostProcessor {
    /** Scope names for {@code @Scope}, where the annotations are not wanted. */
    public static final String SIP_SESSION = "sipSession";

    /** As {@link #SIP_SESSION}. */
    public static final String APPLICATION_SESSION = "sipApplicationSession";

    /** As {@link #SIP_SESSION}. */
    public static final String CALL = "call";

    private static final Map<Class<? extends Annotation>, String> SCOPES =
            Map.of(
                    SipSessionScoped.class, SIP_SESSION,
                    SipApplicationSessionScoped.class, APPLICATION_SESSION,
                    CallScoped.class, CALL);

    private final Supplier<@Nullable ServletContext> context;
    private final Collection<String> packages;

    /**
     * @param context of the SIP application; may be null until the application starts
     * @param packages where handlers are looked for, beside those that are beans already
     */
    public SipBeans(Supplier<@Nullable ServletContext> context, Collection<String> packages) {
        this.context = context;
        this.packages = List.copyOf(packages);
    }

    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        if (!packages.isEmpty()) {
            ClassPathBeanDefinitionScanner scanner =
                    new ClassPathBeanDefinitionScanner(registry, false);
            scanner.addIncludeFilter(new AnnotationTypeFilter(SipHandler.class));
            scanner.addIncludeFilter(new AnnotationTypeFilter(SipSessionScoped.class));
            scanner.addIncludeFilter(new AnnotationTypeFilter(SipApplicationSessionScoped.class));
            scanner.addIncludeFilter(new AnnotationTypeFilter(CallScoped.class));
            scanner.scan(packages.toArray(String[]::new));
        }
        for (String name : registry.getBeanDefinitionNames()) {
            BeanDefinition definition = registry.getBeanDefinition(name);
            String scope = scopeOf(definition);
            if (scope != null && !ScopedProxyUtils.isScopedTarget(name)) {
                definition.setScope(scope);
                BeanDefinitionHolder proxy =
                        ScopedProxyUtils.createScopedProxy(
                                new BeanDefinitionHolder(definition, name), registry, true);
                registry.removeBeanDefinition(name);
                registry.registerBeanDefinition(name, proxy.getBeanDefinition());
            }
        }
    }

    private static @Nullable String scopeOf(BeanDefinition definition) {
        if (!(definition instanceof AnnotatedBeanDefinition annotated)) {
            return null;
        }
        AnnotatedTypeMetadata metadata =
                annotated.getFactoryMethodMetadata() != null
                        ? annotated.getFactoryMethodMetadata()
                        : annotated.getMetadata();
        for (Map.Entry<Class<? extends Annotation>, String> scope : SCOPES.entrySet()) {
            if (metadata.isAnnotated(scope.getKey().getName())) {
                return scope.getValue();
            }
        }
        return null;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {
        factory.registerScope(SIP_SESSION, new SpringScope(Scopes.SIP_SESSION, factory));
        factory.registerScope(
                APPLICATION_SESSION, new SpringScope(Scopes.APPLICATION_SESSION, factory));
        factory.registerScope(CALL, new SpringScope(Scopes.CALL, factory));
        offer(factory, SipFactory.class, () -> attribute(SipFactory.class, SipServlet.SIP_FACTORY));
        offer(
                factory,
                TimerService.class,
                () -> attribute(TimerService.class, SipServlet.TIMER_SERVICE));
        offer(
                factory,
                SipSessionsUtil.class,
                () -> attribute(SipSessionsUtil.class, SipServlet.SIP_SESSIONS_UTIL));
        CurrentObjects.ofMessages()
                .forEach((type, object) -> register(factory, type.getSimpleName(), object));
    }

    private <T> void offer(
            ConfigurableListableBeanFactory factory, Class<T> type, Supplier<T> current) {
        register(factory, type.getSimpleName(), CurrentObjects.standIn(type, current));
    }

    private static void register(
            ConfigurableListableBeanFactory factory, String typeName, Object object) {
        String name = Character.toLowerCase(typeName.charAt(0)) + typeName.substring(1);
        if (!factory.containsBean(name)) {
            factory.registerSingleton(name, object);
        }
    }

    private <T> T attribute(Class<T> type, String name) {
        ServletContext started = context.get();
        if (started == null) {
            throw new IllegalStateException(
                    type.getSimpleName() + " can be used once the SIP application has started");
        }
        return type.cast(Objects.requireNonNull(started.getAttribute(name), name));
    }
}
