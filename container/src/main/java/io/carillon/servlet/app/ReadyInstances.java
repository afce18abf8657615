package io.carillon.servlet.app;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.EventListener;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.servlet.Servlet;
import javax.servlet.sip.SipServlet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servlets and listeners of the SIP half from their making to their end: injected, told by
 * {@code @PostConstruct} and {@code @PreDestroy}. Of the deploying thread.
 */
final class ReadyInstances {
    private static final Logger LOG = LoggerFactory.getLogger(ReadyInstances.class);

    /** They guard methods of EJBs; whoever wrote them here believes that they guard a servlet. */
    private static final List<String> WITHOUT_EFFECT =
            List.of("RolesAllowed", "DenyAll", "PermitAll");

    private final String archive;
    private final ClassLoader classLoader;
    private final InstanceCallbacks callbacks;
    private final Consumer<String> doing;
    private final List<Object> ready = new ArrayList<>();

    /**
     * What was made, ready for {@code init}.
     *
     * @param servlets by name, in the order of their start
     */
    record Made(
            Map<String, Servlet> servlets,
            Map<String, Object> byClass,
            List<EventListener> listening) {}

    /**
     * @param doing told what is being done
     */
    ReadyInstances(String archive, ClassLoader classLoader, Consumer<String> doing) {
        this.doing = doing;
        this.archive = archive;
        this.classLoader = classLoader;
        this.callbacks = new InstanceCallbacks(archive);
    }

    /** Makes what the description names; a class has one instance, whatever it is. */
    Made make(ApplicationDescription description, ResourceInjection injection)
            throws DeploymentException {
        Map<String, Object> byClass = new HashMap<>();
        Map<String, Servlet> made = new LinkedHashMap<>();
        List<EventListener> listening = new ArrayList<>();
        for (ServletDescription servlet : description.inOrderOfStart()) {
            Servlet instance =
                    servlet.maker() != null
                            ? servlet.maker().get()
                            : make(
                                    servlet.className(),
                                    SipServlet.class,
                                    "servlet " + servlet.name());
            made.put(servlet.name(), instance);
            byClass.putIfAbsent(servlet.className(), instance);
            prepare(instance, injection);
        }
        for (String className : new LinkedHashSet<>(description.listenerClasses())) {
            // JSR 289, servlet life cycle: a class that is both servlet and listener has one
            // instance.
            Object instance = byClass.get(className);
            if (instance == null) {
                instance = make(className, EventListener.class, "listener " + className);
                byClass.put(className, instance);
                prepare(instance, injection);
            }
            if (!(instance instanceof EventListener listener)) {
                throw new DeploymentException(
                        archive,
                        0,
                        "listener " + className,
                        "the class implements no listener interface");
            }
            listening.add(listener);
        }
        listening.addAll(description.listeners());
        warnOfUnboundListeners(description.name(), made, listening);
        return new Made(made, byClass, listening);
    }

    private static void warnOfUnboundListeners(
            String application, Map<String, Servlet> made, List<EventListener> listening) {
        for (Servlet servlet : made.values()) {
            List<String> types = Listeners.sipTypesOf(servlet.getClass());
            if (!types.isEmpty() && !listening.contains(servlet)) {
                LOG.warn(
                        "application {}: {} implements {} but is not declared as a listener (<listener> or @SipListener): it will not be called",
                        application,
                        servlet.getClass().getName(),
                        types);
            }
        }
    }

    private <T> T make(String className, Class<T> type, String element) throws DeploymentException {
        try {
            doing.accept("the constructor or static initializer of " + className);
            Class<?> loaded = Class.forName(className, true, classLoader);
            if (!type.isAssignableFrom(loaded)) {
                throw new DeploymentException(
                        archive, 0, element, className + " is no " + type.getName());
            }
            return type.cast(loaded.getConstructor().newInstance());
        } catch (ClassNotFoundException e) {
            throw new DeploymentException(
                    archive,
                    0,
                    element,
                    "class " + className + " is not in WEB-INF/classes or WEB-INF/lib",
                    e);
        } catch (NoSuchMethodException | IllegalAccessException | InstantiationException e) {
            throw new DeploymentException(
                    archive,
                    0,
                    element,
                    className
                            + " must be public, not abstract, with a public constructor without parameters",
                    e);
        } catch (InvocationTargetException e) {
            throw new DeploymentException(
                    archive,
                    0,
                    element,
                    "the constructor of " + className + " threw " + e.getCause(),
                    e.getCause());
        } catch (LinkageError e) {
            throw new DeploymentException(
                    archive, 0, element, className + " cannot be linked: " + missing(e), e);
        }
    }

    /** A class that is absent is named, with the way out. */
    private static String missing(LinkageError e) {
        String name = e.getMessage();
        return e instanceof NoClassDefFoundError && name != null && name.indexOf(' ') < 0
                ? name.replace('/', '.') + " is not in the archive; put its jar into WEB-INF/lib"
                : e.toString();
    }

    /** Makes a fresh instance ready for {@code init}. */
    private void prepare(Object instance, ResourceInjection injection) throws DeploymentException {
        doing.accept("injection and @PostConstruct of " + instance.getClass().getName());
        injection.inject(instance);
        for (ClassFiles.Read read : ClassFiles.of(archive, instance)) {
            warnOfRoles(read);
        }
        callbacks.postConstruct(instance);
        ready.add(instance);
    }

    private void warnOfRoles(ClassFiles.Read read) {
        for (String annotation : WITHOUT_EFFECT) {
            String descriptor = "Ljavax/annotation/security/" + annotation + ";";
            boolean there =
                    ClassFiles.annotation(read.model(), descriptor) != null
                            || read.model().methods().stream()
                                    .anyMatch(m -> ClassFiles.annotation(m, descriptor) != null);
            if (there) {
                LOG.warn(
                        "{}: {}: @{} protects no SIP servlet; <security-constraint> in sip.xml does",
                        archive,
                        read.type().getName(),
                        annotation);
            }
        }
    }

    /** In reverse order; a failure must not keep the rest alive: it is logged. */
    void letGo() {
        for (Object instance : ready.reversed()) {
            try {
                doing.accept("@PreDestroy of " + instance.getClass().getName());
                callbacks.preDestroy(instance);
            } catch (DeploymentException | RuntimeException | LinkageError e) {
                LOG.warn("{}: {}", archive, e.getMessage(), e);
            }
        }
        ready.clear();
    }
}
