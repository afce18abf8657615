package io.carillon.servlet.app;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Annotation;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import javax.servlet.ServletContext;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipSessionsUtil;
import javax.servlet.sip.TimerService;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Fills what is annotated {@code @Resource} in the servlets and listeners of an application.
 *
 * <p>The annotation is read from the class file, not by reflection: {@code
 * javax.annotation.Resource} left the JDK with 11, and the JVM drops an annotation whose class it
 * cannot load without a word.
 */
public final class ResourceInjection {
    private static final String RESOURCE = "Ljavax/annotation/Resource;";

    private final String archive;
    private final ApplicationServices services;
    private final SipServletContext context;

    ResourceInjection(String archive, ApplicationServices services, SipServletContext context) {
        this.archive = archive;
        this.services = services;
        this.context = context;
    }

    /** Fields and setters of the instance's class and of its superclasses up to the API. */
    public void inject(Object instance) throws DeploymentException {
        Class<?> type = instance.getClass();
        while (type != null
                && !type.getName().startsWith("javax.")
                && !type.getName().startsWith("java.")) {
            ClassModel model = read(type);
            if (model != null) {
                fields(model, type, instance);
                setters(model, type, instance);
            }
            type = type.getSuperclass();
        }
    }

    private @Nullable ClassModel read(Class<?> type) throws DeploymentException {
        String file = type.getName().replace('.', '/') + ".class";
        ClassLoader loader = type.getClassLoader();
        if (type.isHidden() || loader == null) {
            return null; // a lambda's or the JDK's class holds no @Resource
        }
        try (InputStream bytes = loader.getResourceAsStream(file)) {
            return bytes == null ? null : ClassFile.of().parse(bytes.readAllBytes());
        } catch (IOException | RuntimeException e) {
            throw new DeploymentException(
                    archive, 0, type.getName(), "cannot read the class file: " + e.getMessage(), e);
        }
    }

    private void fields(ClassModel model, Class<?> type, Object instance)
            throws DeploymentException {
        for (FieldModel field : model.fields()) {
            if (annotated(field)) {
                String name = field.fieldName().stringValue();
                String element = "@Resource " + type.getName() + "." + name;
                try {
                    set(type.getDeclaredField(name), instance, element);
                } catch (NoSuchFieldException | LinkageError e) {
                    throw new DeploymentException(
                            archive,
                            0,
                            element,
                            "the field's type cannot be loaded: " + e.getMessage(),
                            e);
                }
            }
        }
    }

    private void set(Field field, Object instance, String element) throws DeploymentException {
        if (Modifier.isStatic(field.getModifiers()) || Modifier.isFinal(field.getModifiers())) {
            throw new DeploymentException(
                    archive, 0, element, "an injected field must be neither static nor final");
        }
        Object value = resource(field.getType(), element);
        try {
            field.setAccessible(true);
            field.set(instance, value);
        } catch (IllegalAccessException e) {
            throw new DeploymentException(
                    archive, 0, element, "the field cannot be set: " + e.getMessage(), e);
        }
    }

    private void setters(ClassModel model, Class<?> type, Object instance)
            throws DeploymentException {
        for (MethodModel method : model.methods()) {
            if (annotated(method)) {
                String name = method.methodName().stringValue();
                String element = "@Resource " + type.getName() + "." + name;
                call(setter(type, name, element), instance, element);
            }
        }
    }

    private Method setter(Class<?> type, String name, String element) throws DeploymentException {
        for (Method method : type.getDeclaredMethods()) {
            if (method.getName().equals(name)
                    && method.getParameterCount() == 1
                    && !Modifier.isStatic(method.getModifiers())) {
                return method;
            }
        }
        throw new DeploymentException(
                archive,
                0,
                element,
                "an injected method must be a setter: one parameter, not static");
    }

    private void call(Method setter, Object instance, String element) throws DeploymentException {
        Object value = resource(setter.getParameterTypes()[0], element);
        try {
            setter.setAccessible(true);
            setter.invoke(instance, value);
        } catch (IllegalAccessException | InvocationTargetException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new DeploymentException(
                    archive, 0, element, "the setter failed: " + cause, cause);
        }
    }

    private Object resource(Class<?> type, String element) throws DeploymentException {
        if (SipFactory.class.isAssignableFrom(type) && type.isInstance(services.sipFactory())) {
            return services.sipFactory(); // a bridge's factory by its wider type too
        }
        if (type == TimerService.class) {
            return services.timerService();
        }
        if (SipSessionsUtil.class.isAssignableFrom(type)
                && type.isInstance(services.sipSessionsUtil())) {
            return services.sipSessionsUtil();
        }
        if (type == ServletContext.class) {
            return context.shown();
        }
        DataSource database = services.dataSource();
        if (type == DataSource.class && database != null) {
            return database;
        }
        throw new DeploymentException(
                archive,
                0,
                element,
                "no resource of type "
                        + type.getName()
                        + "; injected are SipFactory, TimerService, SipSessionsUtil, ServletContext and the server's DataSource");
    }

    private static boolean annotated(AttributedElement element) {
        return element.findAttribute(Attributes.runtimeVisibleAnnotations())
                .map(found -> found.annotations().stream().anyMatch(ResourceInjection::isResource))
                .orElse(false);
    }

    private static boolean isResource(Annotation annotation) {
        return annotation.className().equalsString(RESOURCE);
    }
}
