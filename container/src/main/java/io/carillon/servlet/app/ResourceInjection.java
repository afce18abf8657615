package io.carillon.servlet.app;

import java.lang.classfile.Annotation;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills what is annotated {@code @Resource}, or named by an {@code injection-target}, in the
 * servlets and listeners of an application. Of the deploying thread.
 *
 * <p>A name that stands in {@code java:comp/env} is asked for first, then the type. What is found
 * by its type gets the annotation's name.
 */
public final class ResourceInjection {
    private static final Logger LOG = LoggerFactory.getLogger(ResourceInjection.class);
    private static final String RESOURCE = "Ljavax/annotation/Resource;";

    private final String archive;
    private final ApplicationResources resources;

    ResourceInjection(String archive, ApplicationResources resources) {
        this.archive = archive;
        this.resources = resources;
    }

    /** What is asked for, and what messages call it. */
    private record Asked(Class<?> type, List<String> names, String element) {}

    /** Fields and setters of the instance's class and of its superclasses up to the API. */
    public void inject(Object instance) throws DeploymentException {
        for (ClassFiles.Read read : ClassFiles.of(archive, instance)) {
            fields(read.model(), read.type(), instance);
            setters(read.model(), read.type(), instance);
            targets(read.type(), instance);
        }
    }

    // ---- @Resource ----

    private void fields(ClassModel model, Class<?> type, Object instance)
            throws DeploymentException {
        for (FieldModel field : model.fields()) {
            Annotation annotation = ClassFiles.annotation(field, RESOURCE);
            if (annotation != null) {
                String name = field.fieldName().stringValue();
                String element = "@Resource " + type.getName() + "." + name;
                set(field(type, name, element), instance, names(annotation, type, name), element);
            }
        }
    }

    private void setters(ClassModel model, Class<?> type, Object instance)
            throws DeploymentException {
        for (MethodModel method : model.methods()) {
            Annotation annotation = ClassFiles.annotation(method, RESOURCE);
            if (annotation != null) {
                String name = method.methodName().stringValue();
                String element = "@Resource " + type.getName() + "." + name;
                Method setter = setter(type, name);
                if (setter == null) {
                    throw new DeploymentException(
                            archive,
                            0,
                            element,
                            "an injected method must be a setter: one parameter, not static");
                }
                call(setter, instance, names(annotation, type, property(name)), element);
            }
        }
    }

    /** JSR 250: without a name it is the class's name, a slash, and the field's or property's. */
    private static List<String> names(Annotation annotation, Class<?> type, String member) {
        String name = ClassFiles.text(annotation, "name");
        return List.of(
                name.isEmpty() ? type.getName() + '/' + member : name,
                ClassFiles.text(annotation, "lookup"),
                ClassFiles.text(annotation, "mappedName"));
    }

    private static String property(String setter) {
        return setter.startsWith("set") && setter.length() > 3
                ? setter.substring(3, 4).toLowerCase(Locale.ROOT) + setter.substring(4)
                : setter;
    }

    // ---- injection-target ----

    private void targets(Class<?> type, Object instance) throws DeploymentException {
        for (NamedResource one : resources.declared()) {
            for (NamedResource.Target target : one.targets()) {
                if (target.className().equals(type.getName())) {
                    target(type, target.member(), one, instance);
                }
            }
        }
    }

    private void target(Class<?> type, String member, NamedResource one, Object instance)
            throws DeploymentException {
        String element = one.declared() + " " + type.getName() + "." + member;
        List<String> names = List.of(one.name());
        Method setter =
                setter(
                        type,
                        "set"
                                + member.substring(0, 1).toUpperCase(Locale.ROOT)
                                + member.substring(1));
        if (setter != null) {
            call(setter, instance, names, element);
        } else {
            set(field(type, member, element), instance, names, element);
        }
    }

    // ---- both ----

    private Field field(Class<?> type, String name, String element) throws DeploymentException {
        try {
            return type.getDeclaredField(name);
        } catch (NoSuchFieldException | LinkageError e) {
            throw new DeploymentException(
                    archive, 0, element, "the field's type cannot be loaded: " + e.getMessage(), e);
        }
    }

    private static @Nullable Method setter(Class<?> type, String name) {
        for (Method method : type.getDeclaredMethods()) {
            if (method.getName().equals(name)
                    && method.getParameterCount() == 1
                    && !Modifier.isStatic(method.getModifiers())) {
                return method;
            }
        }
        return null;
    }

    private void set(Field field, Object instance, List<String> names, String element)
            throws DeploymentException {
        if (Modifier.isStatic(field.getModifiers()) || Modifier.isFinal(field.getModifiers())) {
            throw new DeploymentException(
                    archive, 0, element, "an injected field must be neither static nor final");
        }
        Object value = resource(new Asked(field.getType(), names, element));
        if (value == null) {
            return;
        }
        try {
            field.setAccessible(true);
            field.set(instance, value);
        } catch (IllegalAccessException e) {
            throw new DeploymentException(
                    archive, 0, element, "the field cannot be set: " + e.getMessage(), e);
        }
    }

    private void call(Method setter, Object instance, List<String> names, String element)
            throws DeploymentException {
        Object value = resource(new Asked(setter.getParameterTypes()[0], names, element));
        if (value == null) {
            return;
        }
        try {
            setter.setAccessible(true);
            setter.invoke(instance, value);
        } catch (IllegalAccessException | InvocationTargetException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new DeploymentException(
                    archive, 0, element, "the setter failed: " + cause, cause);
        }
    }

    /** Null where an env-entry has no value: then the field keeps its own. */
    private @Nullable Object resource(Asked asked) throws DeploymentException {
        Object found = null;
        for (String name : asked.names()) {
            if (found == null && !name.isEmpty()) {
                found = resources.byName(name, asked.type());
            }
        }
        if (found == null) {
            found = resources.byType(asked.type());
        }
        if (found != null) {
            String name = asked.names().getFirst();
            if (resources.names().find(name) == null) {
                resources.names().bind(name, found);
            }
            return found;
        }
        if (ApplicationResources.simple(asked.type())) {
            LOG.warn(
                    "{}: {}: no <env-entry> {} of type {}: what the code sets stays",
                    archive,
                    asked.element(),
                    asked.names().getFirst(),
                    asked.type().getSimpleName());
            return null;
        }
        throw new DeploymentException(
                archive,
                0,
                asked.element(),
                "no resource of type "
                        + asked.type().getName()
                        + "; injected are "
                        + ApplicationResources.BY_TYPE);
    }
}
