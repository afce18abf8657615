package io.carillon.servlet.app;

import io.carillon.servlet.naming.ApplicationNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.servlet.ServletContext;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipSessionsUtil;
import javax.servlet.sip.TimerService;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What one version of an application is given, by type and by name: the container's services, and
 * what its descriptors declare. Of the deploying thread; the names may be read by any.
 */
final class ApplicationResources {
    static final String BY_TYPE =
            "SipFactory, TimerService, SipSessionsUtil, ServletContext and the server's DataSource";

    private static final Map<Class<?>, Class<?>> BOXES =
            Map.of(
                    boolean.class, Boolean.class,
                    byte.class, Byte.class,
                    short.class, Short.class,
                    char.class, Character.class,
                    int.class, Integer.class,
                    long.class, Long.class,
                    float.class, Float.class,
                    double.class, Double.class);

    private final ApplicationServices services;
    private final Supplier<ServletContext> context;
    private final List<NamedResource> declared;
    private final ApplicationNames names = new ApplicationNames();
    private final List<String> warnings = new ArrayList<>();

    /**
     * @param context what the application sees as its servlet context, by the time it is asked for
     */
    ApplicationResources(
            String application,
            ApplicationServices services,
            Supplier<ServletContext> context,
            List<NamedResource> declared) {
        this.services = services;
        this.context = context;
        this.declared = List.copyOf(declared);
        // JSR 289, 13.5: "java:comp/env/sip/<appname>/SipFactory", and the two others like it.
        // The short names are what some servers give beside them.
        for (String folder : List.of("sip/" + application + "/", "sip/")) {
            names.bind(folder + "SipFactory", services.sipFactory());
            names.bind(folder + "SipSessionsUtil", services.sipSessionsUtil());
            names.bind(folder + "TimerService", services.timerService());
        }
        for (NamedResource one : this.declared) {
            bind(one);
        }
    }

    private void bind(NamedResource one) {
        Object value = one.value();
        if (value == null && one.otherName() != null) {
            value = names.find(one.otherName());
        }
        if (value == null) {
            value = byTypeName(one.type());
        }
        if (value != null) {
            names.bind(one.name(), value);
        } else if (!simple(one.type())) { // an env-entry without a value stands for nothing
            warnings.add(
                    one.declared()
                            + " "
                            + one.name()
                            + ": there is no resource of type "
                            + one.type()
                            + "; there are "
                            + BY_TYPE);
        }
    }

    ApplicationNames names() {
        return names;
    }

    /** What the descriptors ask for and nobody has. */
    List<String> warnings() {
        return List.copyOf(warnings);
    }

    /** Names by what gets them: the fields and properties of a class. */
    List<NamedResource> declared() {
        return declared;
    }

    /** What that name stands for, where it fits the type; else null. */
    @Nullable Object byName(String name, Class<?> type) {
        Object found = names.find(name);
        return found != null && box(type).isInstance(found) ? found : null;
    }

    /** The one resource of that type, or null. */
    @Nullable Object byType(Class<?> type) {
        SipFactory factory = services.sipFactory();
        if (SipFactory.class.isAssignableFrom(type) && type.isInstance(factory)) {
            return factory; // a bridge's factory by its wider type too
        }
        SipSessionsUtil util = services.sipSessionsUtil();
        if (SipSessionsUtil.class.isAssignableFrom(type) && type.isInstance(util)) {
            return util;
        }
        return byTypeName(type.getName());
    }

    /** The types are the container's own, so their names tell them. */
    private @Nullable Object byTypeName(String type) {
        if (type.equals(SipFactory.class.getName())) {
            return services.sipFactory();
        }
        if (type.equals(TimerService.class.getName())) {
            return services.timerService();
        }
        if (type.equals(SipSessionsUtil.class.getName())) {
            return services.sipSessionsUtil();
        }
        if (type.equals(ServletContext.class.getName())) {
            return context.get();
        }
        return type.equals(DataSource.class.getName()) ? services.dataSource() : null;
    }

    /** Whether a field of that type may get the value of an {@code env-entry}. */
    static boolean simple(Class<?> type) {
        return simple(box(type).getName());
    }

    private static boolean simple(String type) {
        return type.equals("java.lang.String")
                || BOXES.values().stream().anyMatch(box -> box.getName().equals(type));
    }

    private static Class<?> box(Class<?> type) {
        return BOXES.getOrDefault(type, type);
    }
}
