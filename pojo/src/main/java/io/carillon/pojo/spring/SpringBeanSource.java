package io.carillon.pojo.spring;

import io.carillon.pojo.engine.ArchiveClasses;
import io.carillon.pojo.engine.BeanSource;
import io.carillon.pojo.engine.BeanSourceProvider;
import io.carillon.pojo.engine.HandlerBean;
import io.carillon.pojo.engine.HandlerException;
import io.carillon.pojo.engine.ScopedInstance;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

/**
 * A Spring context of its own for the handlers of an archive: of the configuration classes and
 * packages in the context parameter {@value #CONFIGURATION}, or else of the packages in which the
 * archive has handlers. Context parameters are properties of its environment.
 */
public final class SpringBeanSource implements BeanSource {
    /** Names of classes and packages, separated by commas or white space. */
    public static final String CONFIGURATION = "io.carillon.pojo.spring.configuration";

    /** The service: an archive with spring-context in it gets this source. */
    public static final class Provider implements BeanSourceProvider {
        @Override
        public String name() {
            return "spring";
        }

        @Override
        public String needs() {
            return "org.springframework.context.annotation.AnnotationConfigApplicationContext";
        }

        @Override
        public BeanSource create() {
            return new SpringBeanSource(List.of());
        }
    }

    private final List<Class<?>> given;
    private @Nullable AnnotationConfigApplicationContext spring;

    private SpringBeanSource(List<Class<?>> given) {
        this.given = List.copyOf(given);
    }

    /** Of these configuration and handler classes, whatever a context parameter says. */
    public static SpringBeanSource of(List<Class<?>> classes) {
        return new SpringBeanSource(classes);
    }

    @Override
    public List<HandlerBean> start(ServletContext context) throws ServletException {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        List<Class<?>> classes = new ArrayList<>(given);
        Set<String> packages = new TreeSet<>();
        if (given.isEmpty()) {
            sort(context, loader, classes, packages);
        }
        AnnotationConfigApplicationContext made = new AnnotationConfigApplicationContext();
        spring = made;
        made.setClassLoader(loader);
        made.setDisplayName(context.getServletContextName());
        made.getEnvironment().getPropertySources().addFirst(parameters(context));
        made.getBeanFactory().registerSingleton("servletContext", context);
        // As a bean it runs after the configuration classes have said what beans there are.
        made.registerBean(SipBeans.class, () -> new SipBeans(() -> context, packages));
        if (!classes.isEmpty()) {
            made.register(classes.toArray(Class<?>[]::new));
        }
        if (!packages.isEmpty()) {
            made.scan(packages.toArray(String[]::new));
        }
        try {
            made.refresh();
            List<HandlerBean> handlers = SpringHandlers.of(made.getBeanFactory());
            if (handlers.isEmpty()) {
                throw new HandlerException(
                        "no bean of the Spring context is annotated @SipHandler: "
                                + CONFIGURATION
                                + " names configuration classes and packages");
            }
            return handlers;
        } catch (BeansException | IllegalStateException e) {
            throw new HandlerException("Spring: " + e.getMessage(), e);
        }
    }

    private static void sort(
            ServletContext context,
            ClassLoader loader,
            List<Class<?>> classes,
            Set<String> packages)
            throws ServletException {
        String asked = context.getInitParameter(CONFIGURATION);
        if (asked == null) {
            for (String name : ArchiveClasses.handlers(context)) {
                packages.add(name.substring(0, Math.max(0, name.lastIndexOf('.'))));
            }
            return;
        }
        for (String name : asked.strip().split("[,\\s]+")) {
            String last = name.substring(name.lastIndexOf('.') + 1);
            if (!last.isEmpty() && Character.isUpperCase(last.charAt(0))) {
                try {
                    classes.add(Class.forName(name, false, loader));
                } catch (ClassNotFoundException e) {
                    throw new HandlerException(
                            CONFIGURATION + ": class " + name + " is not in the archive", e);
                }
            } else if (!last.isEmpty()) {
                packages.add(name);
            }
        }
    }

    private static MapPropertySource parameters(ServletContext context) {
        Map<String, Object> values = new LinkedHashMap<>();
        Enumeration<String> names = context.getInitParameterNames();
        while (names.hasMoreElements()) {
            String name = names.nextElement();
            values.put(name, context.getInitParameter(name));
        }
        return new MapPropertySource("parameters of the SIP application", values);
    }

    @Override
    public void destroy(ScopedInstance instance) {
        destroy(spring == null ? null : spring.getBeanFactory(), instance);
    }

    /** Ends a bean of a session as its definition says. */
    public static void destroy(
            @Nullable ConfigurableListableBeanFactory factory, ScopedInstance instance) {
        if (factory != null && factory.containsBeanDefinition(instance.name())) {
            factory.destroyBean(instance.name(), instance.instance());
        }
    }

    @Override
    public boolean hasCallScope() {
        return spring != null && hasCallScope(spring.getBeanFactory());
    }

    /** Whether any bean lives as long as a call. */
    public static boolean hasCallScope(ConfigurableListableBeanFactory factory) {
        for (String name : factory.getBeanDefinitionNames()) {
            if (SipBeans.CALL.equals(factory.getBeanDefinition(name).getScope())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        AnnotationConfigApplicationContext started = spring;
        spring = null;
        if (started != null) {
            started.close();
        }
    }
}
